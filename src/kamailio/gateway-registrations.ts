import { sqlText } from './sql-text';

/** How Kamailio registers at the gateways' providers, notes what they say, and follows the model's changes. */
export const GATEWAY_REGISTRATIONS = String.raw`# Remember which gateway an outgoing REGISTER belongs to (Call-ID -> gateway ref), the host and the address that it is sent to,
# and that it waits for an answer.
event_route[tm:local-request] {
    if ($rm == "REGISTER") {
        $var(gw) = $(ct{nameaddr.uri}{uri.user});
        $sht(regci=>$ci) = $var(gw);
        $sht(reghost=>$ci) = $rd;
        $sht(regaddress=>$ci) = $sndto(ip);
        if ($sht(regwait=>$var(gw)) == $null) $sht(regwait=>$var(gw)) = 0;
        if ($hdr(Authorization) != $null || $hdr(Proxy-Authorization) != $null) $sht(regauth=>$ci) = 1;
        else $sht(regauth=>$ci) = $null;
    }
}

# No answer, or not even an address to ask (RFC 3261, 8.1.3.1): seen in uac having given up for now. What was granted before
# holds until it ends. The table has the next attempt that was noted; uac makes it reg_timer_interval and 3 s early.
# While the iterator holds a slot's lock nothing else may wait: uac holds its own when it wants that slot.
route[WAITING] {
    $(avp(waiting)[*]) = $null;
    sht_iterator_start("wait", "regwait");
    while (sht_iterator_next("wait")) $avp(waiting) = $shtitkey(wait);
    sht_iterator_end("wait");
    while ($avp(waiting) != $null) {
        $var(gw) = $avp(waiting);
        $avp(waiting) = $null;
        jsonrpc_exec('{"jsonrpc":"2.0","method":"uac.reg_info","params":["l_uuid","$var(gw)"],"id":1}');
        if ($jsonrpl(code) == 200) {
            $var(flags) = $(jsonrpl(body){re.subst,/.*"flags":([0-9]+).*/\1/}{s.int});
            $var(next) = $(jsonrpl(body){re.subst,/.*"timer_expires":([0-9]+).*/\1/}{s.int});
            $var(now) = $(TV(sn){s.int});
            if (!($var(flags) & 2) && $var(next) > $var(now) && $sht(regwait=>$var(gw)) != $null && $var(next) != $sht(regwait=>$var(gw))) {
                $sht(regwait=>$var(gw)) = $var(next);
                sql_query("ca", "INSERT INTO gateway_registrations (gw_ref,username,host,ip,port,transport,expires,registered_on,expires_at,last_response,next_attempt_at) SELECT l_uuid,r_username,r_domain,'',0,'',0,0,0,'408 Request Timeout',($var(next)-5)*1000 FROM uacreg WHERE l_uuid=${sqlText('var(gw)')} ON DUPLICATE KEY UPDATE last_response=VALUES(last_response),next_attempt_at=VALUES(next_attempt_at)");
            }
        }
    }
}

# Runs for every reply the core receives, also for the REGISTERs the uac module sends:
# the only place where the registrar's IP and the GRANTED expiry are visible.
#
# A reply that no transaction waits for is dropped (RFC 6026, section 6): the core would send it wherever its second Via says.
# A provider's answer counts from the address that was asked, or from another one of the same host; this is checked first,
# because a reply must not be dropped once t_check_trans() holds its transaction.
reply_route {
    if ($ml > 16384 || $(ct{nameaddr.uri}{s.len}) > 512) drop;
    if ($rm == "REGISTER" && $sht(regci=>$ci) != $null) {
        $var(host) = $sht(reghost=>$ci);
        if ($sht(regaddress=>$ci) != $si && $sht(addresses=>$var(host)|$si) == $null) {
            xlog("L_NOTICE", "answer from $si to a REGISTER that was sent to $sht(regaddress=>$ci): ignored\n");
            drop;
        }
    }
    if (!t_check_trans()) drop;
    if ($rm != "REGISTER" || $rs < 200 || $sht(regci=>$ci) == $null) return;
    $var(gw) = $sht(regci=>$ci);
    $sht(regwait=>$var(gw)) = $null;
    $sht(providers=>$si) = 1;
    # A challenge is no refusal, unless it answers a digest; 423 is answered with a longer expiry.
    if ($rs == 423 || ($rs =~ "^40[17]$" && $sht(regauth=>$ci) == $null)) return;
    $var(exp) = "0";
    $var(until) = "0";
    $var(on) = "0";
    $var(next) = "CAST((UNIX_TIMESTAMP(NOW(3))+10)*1000 AS UNSIGNED)";     # reg_retry_interval, and 5 s early
    if ($rs < 300) {
        $var(exp) = "";
        $var(re) = "/.*:" + $var(gw) + "@[^,]*;[ \t]*expires[ \t]*=[ \t]*([0-9]+).*/\\1/si";
        $var(i) = 0;
        while ($var(i) < $hdrc(Contact)) {              # a 200 OK may list several bindings, also of others
            if ($(hdr(Contact)[$var(i)]) =~ ":" + $var(gw) + "@[^,]*;[ \t]*expires[ \t]*=")
                $var(exp) = $(hdr(Contact)[$var(i)]{re.subst,$var(re)});
            $var(i) = $var(i) + 1;
        }
        if (!($var(exp) =~ "^[0-9]+$") && $hdr(Expires) != $null) $var(exp) = $hdr(Expires);
        if (!($var(exp) =~ "^[0-9]+$")) return;
        if ($(var(exp){s.len}) > 5 || $(var(exp){s.int}) > 86400) $var(exp) = "86400";
        $var(on) = "CAST(UNIX_TIMESTAMP(NOW(3))*1000 AS UNSIGNED)";
        $var(until) = "CAST((UNIX_TIMESTAMP(NOW(3))+" + $var(exp) + ")*1000 AS UNSIGNED)";
        $var(next) = "NULL";
    }
    # Not if the gateway has moved to another host since.
    if (!sql_query("ca", "INSERT INTO gateway_registrations (gw_ref,username,host,ip,port,transport,expires,registered_on,expires_at,last_response,next_attempt_at) SELECT l_uuid,r_username,r_domain,'$si',$sp,LOWER('$proto'),$var(exp),$var(on),$var(until),LEFT(CONCAT('$rs ',COALESCE(${sqlText('rr')},'')),128),$var(next) FROM uacreg WHERE l_uuid=${sqlText('var(gw)')} AND r_domain=${sqlText('var(host)')} ON DUPLICATE KEY UPDATE username=VALUES(username),host=VALUES(host),ip=VALUES(ip),port=VALUES(port),transport=VALUES(transport),expires=VALUES(expires),registered_on=VALUES(registered_on),expires_at=VALUES(expires_at),last_response=VALUES(last_response),next_attempt_at=VALUES(next_attempt_at)"))
        xlog("L_ERR", "cannot store registration of gateway $var(gw)\n");
}

# Self-service sync: Kamailio polls two checksums (one cheap query) and reloads only what changed.
# => nothing has to push; a change is live within 5 s.
route[SYNC] {
    if (!sql_query("ca", "SELECT domains_rev, gateways_rev FROM kam_rev", "rv")) return;
    $var(drev) = $dbr(rv=>[0,0]); $var(grev) = $dbr(rv=>[0,1]);
    sql_result_free("rv");
    if ($var(drev) != $sht(rev=>domains)) {
        jsonrpc_exec('{"jsonrpc":"2.0","method":"domain.reload","id":1}');
        if ($jsonrpl(code) == 200) $sht(rev=>domains) = $var(drev);
        xlog("L_NOTICE", "sync: domains $var(drev), reload $jsonrpl(code)\n");
    }
    if ($var(grev) != $sht(rev=>gateways)) {
        if (!sql_query("ca", "SELECT l_uuid, rev FROM gw_rev", "gr")) return;
        $var(i) = 0;
        while ($var(i) < $dbr(gr=>rows)) {
            $var(u) = $dbr(gr=>[$var(i),0]);
            if ($sht(gwrev=>$var(u)) != $dbr(gr=>[$var(i),1])) {
                if (uac_reg_refresh("$var(u)")) $sht(gwrev=>$var(u)) = $dbr(gr=>[$var(i),1]);
                $sht(regwait=>$var(u)) = 0;
                xlog("L_NOTICE", "sync: gateway $var(u) refreshed\n");
            }
            $sht(gwseen=>$var(u)) = $var(grev);
            $var(i) = $var(i) + 1;
        }
        sql_result_free("gr");
        # What another provider granted is of no use any more, nor what was granted to gateways that do not register now.
        sql_query("ca", "DELETE FROM gateway_registrations WHERE NOT EXISTS (SELECT 1 FROM uacreg u WHERE u.l_uuid = gateway_registrations.gw_ref AND u.r_domain = gateway_registrations.host)");
        $var(again) = 0;
        sht_iterator_start("it", "gwrev");              # rows no longer in the view: unregister now, forget at next poll
        while (sht_iterator_next("it")) {
            $var(u) = $shtitkey(it);
            if ($sht(gwseen=>$var(u)) != $var(grev) && $shtitval(it) != "removed") {
                if ($shtitval(it) != "gone") {
                    jsonrpc_exec('{"jsonrpc":"2.0","method":"uac.reg_unregister","params":["l_uuid","$var(u)"],"id":1}');
                    sht_iterator_sets("it", "gone");
                    $var(again) = 1;
                } else {
                    $sht(regwait=>$var(u)) = $null;
                    jsonrpc_exec('{"jsonrpc":"2.0","method":"uac.reg_remove","params":["$var(u)"],"id":1}');
                    sht_iterator_sets("it", "removed");    # (sht_iterator_rm would skip every other item)
                }
                xlog("L_NOTICE", "sync: gateway $var(u) gone\n");
            }
        }
        sht_iterator_end("it");
        if ($var(again) == 1) return;
        $sht(rev=>gateways) = $var(grev);
    }
}
`;
