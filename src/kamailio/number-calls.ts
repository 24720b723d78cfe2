import { logText } from './log-text';
import { sqlText } from './sql-text';

/** How a call to a number comes in from its gateway, and how one to a number outside leaves. */
export const NUMBER_CALLS = String.raw`# Calls to a number come from its gateway, and from nobody else: from the address that it registered at, or from one of its
# host's. A provider calls the contact that was registered there: R-URI user = gateway ref, and the number is in To; a gateway
# without credentials has the number in the R-URI.
route[DID] {
    $var(did) = 0;
    if (!is_method("INVITE|OPTIONS|MESSAGE")) return;
    $var(to) = $(tU{re.subst,/[^0-9]//g});
    $var(to_global) = $(var(to){re.subst,/^00//});
    $var(called) = "";
    $var(called_global) = "";
    if ($rU =~ "^[+]?[0-9().-]+$") $var(called) = $(rU{re.subst,/[^0-9]//g});
    if ($rU =~ "^00") $var(called_global) = $(var(called){re.subst,/^00//});
    $var(gw) = $rU;
    if (!sql_query("ca", "SELECT aor, gw_ref, gw_ip, gw_host FROM did_route WHERE (did IN ('$var(to)','$var(to_global)') AND gw_ref=${sqlText('var(gw)')}) OR did IN ('$var(called)','$var(called_global)') ORDER BY gw_ip='$si' DESC, did IN ('$var(to)','$var(called)') DESC", "ra")) {
        xlog("L_ERR", "DID query failed\n");
        sl_send_reply("503", "Service Unavailable"); exit;
    }
    $var(i) = 0;
    while ($var(did) == 0 && $var(i) < $dbr(ra=>rows)) {
        $var(trunk) = $dbr(ra=>[$var(i),3]);
        if ($dbr(ra=>[$var(i),2]) == $si || $var(trunk) == $si || $sht(addresses=>$var(trunk)|$si) != $null) {
            $ru = $dbr(ra=>[$var(i),0]);
            $var(did) = 1;
            xlog("L_NOTICE", "DID ${logText('tU')} via gateway $dbr(ra=>[$var(i),1]) -> ${logText('ru')}\n");
            append_hf("X-Gateway: $dbr(ra=>[$var(i),1])\r\n");
        }
        $var(i) = $var(i) + 1;
    }
    sql_result_free("ra");
    if ($var(did) == 0) $var(trunk) = "";
}

# A tel URI (RFC 3966) of a user of ours is a number at the user's domain.
route[TEL] {
    $var(number) = $(rU{s.select,0,;});
    if (is_domain_local("$fd")) $ru = "sip:" + $var(number) + "@" + $fd;
    else $ru = "sip:" + $var(number) + "@@SIP@";
}

# A number that somebody here dials: without what people write between digits. One of our own stays inside, and is called as its
# gateway would call it.
route[OWN_NUMBER] {
    $var(own_number) = 0;
    if ($(rU{s.unescape.user}) == $null) return;       # $var(user) is "0" where escapes are no text
    if (!is_method("INVITE|OPTIONS|MESSAGE") || !($var(user) =~ "^[+]?[0-9().-]*[0-9][0-9().-]*$")) return;
    $var(number) = $(var(user){re.subst,/[^0-9+]//g});
    if ($rU != $var(number)) $rU = $var(number);
    $var(called) = $(var(number){re.subst,/[^0-9]//g});
    $var(called_global) = $(var(called){re.subst,/^00//});
    if (!sql_query("ca", "SELECT aor FROM did_route WHERE did IN ('$var(called)','$var(called_global)') ORDER BY did='$var(called)' DESC, gw_ref LIMIT 1", "rn")) {
        sl_send_reply("503", "Service Unavailable"); exit;
    }
    if ($dbr(rn=>rows) > 0) {
        $ru = $dbr(rn=>[0,0]);
        $var(own_number) = 1;
    }
    sql_result_free("rn");
}

# A call of our own domain to nobody here: out through the number of the domain's egress policy, if its rule matches
# what is called as the provider reads it: without escapes (RFC 3261, 19.1.4).
route[EGRESS] {
    if ($var(did) == 1 || !is_method("INVITE") || $(rU{s.unescape.user}) == $null) return;
    $var(called) = $(rU{s.unescape.user});
    if ($(var(called){s.len}) > 64) return;
    $var(domain) = $(fd{s.tolower});
    if (!sql_query("ca", "SELECT number, host, port, transport, username, secret, gw_ref FROM egress WHERE domain=${sqlText('var(domain)')} AND ${sqlText('var(called)')} REGEXP rule LIMIT 1", "re")) {
        sl_send_reply("503", "Service Unavailable"); exit;
    }
    if ($dbr(re=>rows) > 0) {
        $var(number) = $dbr(re=>[0,0]);
        $var(trunk) = $dbr(re=>[0,1]);
        $var(port) = $dbr(re=>[0,2]);
        $var(transport) = $dbr(re=>[0,3]);
        $avp(auser) = $dbr(re=>[0,4]);
        $avp(apass) = $dbr(re=>[0,5]);
        $var(gateway) = $dbr(re=>[0,6]);
        sql_result_free("re");
        $var(place) = $var(trunk);
        if ($var(port) != 0) $var(place) = $var(trunk) + ":" + $var(port);
        $ru = "sip:" + $(var(called){s.escape.user}) + "@" + $var(place) + ";transport=" + $var(transport);
        $var(own) = "sip:+" + $var(number) + "@" + $var(place);
        if (!is_ip("$var(trunk)")) {
            if ($sht(hops=>$var(trunk)|$var(port)|$var(transport)) == $null) { sl_send_reply("503", "Gateway has no address"); exit; }
            $du = $sht(hops=>$var(trunk)|$var(port)|$var(transport));
        }
        remove_hf("P-Asserted-Identity");
        if (!isflagset(FLT_PRIVATE)) uac_replace_from("", "$var(own)");
        xlog("L_NOTICE", "call of ${logText('fu')} leaves through ${logText('ru')}\n");
        setflag(FLT_EGRESS);
        t_on_failure("EGRESS");
        route(RELAY);
    }
    sql_result_free("re");
}

failure_route[EGRESS] {
    if (t_is_canceled() || !t_check_status("401|407") || $avp(auser) == "") exit;
    if (uac_auth()) t_relay();
}

# A provider may challenge what follows in a call, too.
failure_route[EGRESS_WITHIN] {
    if (t_is_canceled() || !t_check_status("401|407")) exit;
    if (!sql_query("ca", "SELECT username, secret FROM egress WHERE gw_ref=${sqlText('avp(gateway)')} AND username<>'' LIMIT 1", "rw")) exit;
    $var(known) = $dbr(rw=>rows);
    if ($var(known) > 0) {
        $avp(auser) = $dbr(rw=>[0,0]);
        $avp(apass) = $dbr(rw=>[0,1]);
    }
    sql_result_free("rw");
    if ($var(known) > 0 && uac_auth()) t_relay();
}
`;
