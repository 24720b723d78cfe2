/** What a configuration is printed for. */
export interface KamailioOptions {
  /** Where SIP is spoken, as host:port, over UDP and TCP. */
  readonly sip: string;
  /** The database, as Kamailio's db_mysql takes it. */
  readonly databaseUrl: string;
  /** A directory for its control socket. */
  readonly run: string;
  /** JSON-RPC over HTTP, with the token that callers have to send as X-Rpc-Token; off where it is left out. */
  readonly rpc?: { readonly address: string; readonly token: string };
  /** What routes of dialogs are signed with; the same each time, so that dialogs outlive a new configuration. */
  readonly key: string;
}

/** A complete kamailio.cfg. */
export function kamailioConfiguration({ sip, databaseUrl, run, rpc, key }: KamailioOptions): string {
  const values: Readonly<Record<string, string>> = {
    DBURL: databaseUrl,
    SIP: sip,
    RUN: run,
    KEY: key,
    RPC_LISTEN: rpc ? `listen=tcp:${rpc.address}      # JSON-RPC over HTTP\n` : '',
    RPC_ROUTE: rpc
      ? rpcRoute(rpc.address, rpc.token)
      : 'event_route[xhttp:request] { xhttp_reply("404", "Not Found", "text/plain", "no"); }\n',
  };
  return TEMPLATE.replace(/@([A-Z_]+)@/g, (_, name: string) => values[name] ?? '');
}

function rpcRoute(address: string, token: string): string {
  const port = address.split(':').at(-1) ?? '';
  return String.raw`# JSON-RPC: a listener of its own, a token, and a list of what may be called (uac.reg_dump would show secrets).
event_route[xhttp:request] {
    if ($Rp != ${port} || $hdr(X-Rpc-Token) != "${token}") { xhttp_reply("403", "Forbidden", "text/plain", "no"); exit; }
    # As sipgraph writes it: Kamailio takes the first of several methods.
    if (!($rb =~ "^[{]\"jsonrpc\":\"2\.0\",\"method\":\"(core\.version|core\.uptime|ul\.lookup|ul\.rm)\",")) { xhttp_reply("403", "Forbidden", "text/plain", "method"); exit; }
    if ($hu =~ "^/RPC") { jsonrpc_dispatch(); exit; }
    xhttp_reply("404", "Not Found", "text/plain", "no");
}
`;
}

const TEMPLATE = String.raw`#!KAMAILIO
# A SIP server that reads sipgraph's model through SQL views, and writes who is registered. For Kamailio 5.6 to 6.1;
# printed by "sipgraph kamailio config". Start it with enough shared memory for its contacts: kamailio -m 256.
#!define DBURL "@DBURL@"
#!define FLT_NATS 5
#!define FLB_NATB 6

debug=2
log_stderror=yes
log_prefix="{$mt $hdr(CSeq) $ci} "
children=2
tcp_children=3
auto_aliases=no
dns_cache_init=off                # off: names resolve through libc (/etc/hosts, Docker DNS); on: DNS only
rev_dns=off
disable_tls=yes
server_signature=no
tcp_accept_no_cl=yes            # HTTP without Content-Length
tcp_connection_lifetime=3605
max_while_loops=100000          # default 100 would stop route[SYNC] after 100 gateways

listen=udp:@SIP@
listen=tcp:@SIP@
@RPC_LISTEN@
loadmodule "kex.so"
loadmodule "corex.so"
loadmodule "tm.so"
loadmodule "tmx.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "sanity.so"
loadmodule "xlog.so"
loadmodule "ctl.so"
loadmodule "cfg_rpc.so"
loadmodule "counters.so"
loadmodule "nathelper.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "db_mysql.so"
loadmodule "sqlops.so"
loadmodule "auth.so"
loadmodule "auth_db.so"
loadmodule "domain.so"
loadmodule "uac.so"
loadmodule "ipops.so"
loadmodule "htable.so"
loadmodule "rtimer.so"
loadmodule "xhttp.so"
loadmodule "jsonrpcs.so"

modparam("ctl", "binrpc", "unix:@RUN@/sipgraph_kamailio_ctl")
modparam("jsonrpcs", "transport", 1)                 # 1 = only http; no fifo / datagram sockets
modparam("jsonrpcs", "pretty_format", 0)

# --- db_mysql: reconnect quickly, never block a SIP worker for long
modparam("db_mysql", "timeout_interval", 2)          # connect/read/write timeout (s)
modparam("db_mysql", "ping_interval", 60)
modparam("db_mysql", "auto_reconnect", 1)

# --- users
modparam("auth_db", "db_url", DBURL)
modparam("auth_db", "use_domain", 1)
modparam("auth_db", "calculate_ha1", 0)              # HA1 comes ready-made from the view
modparam("auth_db", "password_column", "ha1")
modparam("auth_db", "password_column_2", "ha1b")
modparam("auth_db", "load_credentials", "$avp(ref)=ref;$avp(kind)=kind;$avp(most)=max_contacts")   # extra view columns
modparam("auth", "nonce_count", 1)
modparam("auth", "qop", "auth")
modparam("auth", "nonce_expire", 300)

modparam("domain", "db_url", DBURL)
modparam("domain", "register_myself", 1)             # our domains count as "myself"

# --- location
modparam("usrloc", "db_url", DBURL)
modparam("usrloc", "db_mode", 1)
modparam("usrloc", "use_domain", 1)
modparam("usrloc", "expires_type", 1)          # 1 = BIGINT epoch seconds (no time zone trouble)
modparam("usrloc", "timer_interval", 10)
modparam("usrloc", "db_timer_clean", 1)              # also delete expired DB rows that are not in memory
modparam("usrloc", "db_insert_update", 1)
modparam("usrloc", "hash_size", 12)
modparam("usrloc", "nat_bflag", FLB_NATB)
modparam("usrloc", "handle_lost_tcp", 0)
modparam("registrar", "case_sensitive", 1)           # as users are told apart; domains are lowered here
modparam("registrar", "use_path", 1)
modparam("registrar", "path_mode", 0)
modparam("registrar", "max_contacts", 10)            # where an agent has no limit of its own
modparam("registrar", "xavp_cfg", "reg")
modparam("registrar", "default_expires", 3600)
modparam("registrar", "min_expires", 5)
modparam("registrar", "max_expires", 3600)
modparam("registrar", "received_avp", "$avp(RECEIVED)")
modparam("registrar", "gruu_enabled", 0)
modparam("nathelper", "received_avp", "$avp(RECEIVED)")

# --- registrations at gateways
modparam("uac", "reg_db_url", DBURL)
modparam("uac", "reg_db_table", "uacreg")
modparam("uac", "reg_contact_addr", "@SIP@")
modparam("uac", "reg_timer_interval", 2)             # a new gateway registers within SYNC's interval and this one
modparam("uac", "reg_retry_interval", 15)            # 0 (default) = a failed gateway stays disabled for ever!
modparam("uac", "reg_gc_interval", 5)                # 5.6: also the minimum time between two uac.reg_reload
#!ifdef KAM60
modparam("uac", "reload_delta", 5)                   # since 6.0 that minimum is a parameter of its own (default 30)
#!endif
modparam("uac", "restore_mode", "none")
modparam("uac", "reg_keep_callid", 1)
modparam("uac", "auth_realm_avp", "$avp(arealm)")
modparam("uac", "auth_username_avp", "$avp(auser)")
modparam("uac", "auth_password_avp", "$avp(apass)")

modparam("htable", "htable", "regci=>size=8;autoexpire=7200;")
modparam("htable", "htable", "regauth=>size=8;autoexpire=7200;")
modparam("htable", "htable", "regwait=>size=8;")
modparam("htable", "htable", "rev=>size=4;")
modparam("htable", "htable", "gwrev=>size=8;")
modparam("htable", "htable", "gwseen=>size=8;")
modparam("rtimer", "timer", "name=sync;interval=2;mode=1;")
modparam("rtimer", "exec", "timer=sync;route=SYNC")
modparam("rtimer", "exec", "timer=sync;route=WAITING")

modparam("sqlops", "sqlcon", "ca=>@DBURL@")

modparam("rr", "enable_full_lr", 1)

request_route {
    if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
    if (!sanity_check("17895", "7")) exit;

    force_rport();
    if (nat_uac_test("19")) {                          # private/other address in Contact or Via
        if (is_method("REGISTER")) fix_nated_register(); else set_contact_alias();
        setflag(FLT_NATS);
    }

    if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
    if (has_totag()) {
        $var(key) = "@KEY@" + $ci;
        # Only the routes of a call that was let in: else a tag would be all that a stranger needs to call anywhere.
        if ($(route_uri{uri.param,key}) == $(var(key){s.md5}) && loose_route()) {
            handle_ruri_alias();
            if ($retcode == 1) setbflag(FLB_NATB);
            route(RELAY);
        }
        if (is_method("ACK") && t_check_trans()) t_relay();
        else if (is_method("ACK")) exit;
        else sl_send_reply("404", "Not here");
        exit;
    }
    if (is_method("OPTIONS") && uri == myself && $rU == $null) { sl_send_reply("200", "OK"); exit; }

    if (is_method("REGISTER")) { route(REGISTRAR); exit; }
    if (is_method("INVITE|SUBSCRIBE")) {
        $var(key) = "@KEY@" + $ci;
        record_route(";key=$(var(key){s.md5})");
    }

    route(DID);                                        # inbound from a gateway?
    if ($var(did) != 1) {
        route(AUTH);
        if (!is_domain_local("$rd")) { sl_send_reply("403", "Relaying denied"); exit; }
        if ($var(realm) != $(rd{s.tolower})) {
            $var(realm) = $(rd{s.tolower});
            route(ACL);
        }
    }
    route(LOCATION);
}

# realm = the domain of To/From when it is ours, else the pseudo realm "peers" (peers have no domain)
route[REALM] {
    $var(realm) = "peers";
    if (is_method("REGISTER")) { if (is_domain_local("$td")) $var(realm) = $(td{s.tolower}); }
    else { if (is_domain_local("$fd")) $var(realm) = $(fd{s.tolower}); }
}

# Whether the sender's address may reach the domain: what is let in by name is not kept out.
route[ACL] {
    if (sql_query("ca", "SELECT COALESCE(SUM(action='deny'),0), COALESCE(SUM(action='allow'),0) FROM acl WHERE domain='$(var(realm){s.escape.common})' AND (INET_ATON('$si') & mask) = (net & mask)", "rl") < 0) {
        sl_send_reply("503", "Service Unavailable"); exit;
    }
    $var(denied) = 0;
    if ($dbr(rl=>[0,0]) != 0 && $dbr(rl=>[0,1]) == 0) $var(denied) = 1;
    sql_result_free("rl");
    if ($var(denied) == 1) {
        xlog("L_NOTICE", "$rm from $si refused by the access control list of $var(realm)\n");
        sl_send_reply("403", "Forbidden"); exit;
    }
}

route[REGISTRAR] {
    route(REALM);
    route(ACL);
    if (!www_authorize("$var(realm)", "subscriber")) {
        $var(rc) = $retcode;
        if ($var(rc) == -1) { xlog("L_ERR", "auth db error for $tu\n"); sl_send_reply("503", "Service Unavailable"); exit; }
        xlog("L_NOTICE", "REGISTER $tu realm=$var(realm) not authorized: rc=$var(rc)\n");
        www_challenge("$var(realm)", "1");
        exit;
    }
    if ($au != $(tU{s.unescape.user})) { sl_send_reply("403", "Username does not match"); exit; }
    xlog("L_NOTICE", "REGISTER $tu authorized as $avp(kind) $avp(ref)\n");
    if (isflagset(FLT_NATS)) setbflag(FLB_NATB);
    if ($avp(most) != "0") $xavp(reg=>max_contacts) = $(avp(most){s.int});
    $var(aor) = "sip:" + $tU + "@" + $(td{s.tolower});
    if (!save("location", "0x00", "$var(aor)")) sl_reply_error();
}

route[AUTH] {
    route(REALM);
    route(ACL);
    if (!proxy_authorize("$var(realm)", "subscriber")) {
        if ($retcode == -1) { sl_send_reply("503", "Service Unavailable"); exit; }
        proxy_challenge("$var(realm)", "1"); exit;
    }
    if ($au != $(fU{s.unescape.user})) { sl_send_reply("403", "From does not match"); exit; }
    consume_credentials();
}

# Calls to a number come from its gateway, and from nobody else: from the address that it registered at, or from one of its
# host's. A provider calls the contact that was registered there: R-URI user = gateway ref, and the number is in To; a gateway
# without credentials has the number in the R-URI.
route[DID] {
    $var(did) = 0;
    if (!is_method("INVITE|OPTIONS|MESSAGE")) return;
    $var(to) = $(tU{re.subst,/[^0-9]//g});
    $var(called) = "";
    if ($rU =~ "^[+]?[0-9().-]+$") $var(called) = $(rU{re.subst,/[^0-9]//g});
    $var(gw) = $rU;
    if (sql_query("ca", "SELECT aor, gw_ref, gw_ip, gw_host FROM did_route WHERE (did='$(var(to){s.escape.common})' AND gw_ref='$(var(gw){s.escape.common})') OR did='$(var(called){s.escape.common})' ORDER BY gw_ip='$si' DESC", "ra") < 0) {
        xlog("L_ERR", "DID query failed\n");
        sl_send_reply("503", "Service Unavailable"); exit;
    }
    $var(i) = 0;
    while ($var(did) == 0 && $var(i) < $dbr(ra=>rows)) {
        $var(host) = $dbr(ra=>[$var(i),3]);
        if ($dbr(ra=>[$var(i),2]) == $si || dns_sys_match_ip("$var(host)", "$si")) {
            $ru = $dbr(ra=>[$var(i),0]);
            $var(did) = 1;
            xlog("L_NOTICE", "DID $tU via gateway $dbr(ra=>[$var(i),1]) -> $ru\n");
            append_hf("X-Gateway: $dbr(ra=>[$var(i),1])\r\n");
        }
        $var(i) = $var(i) + 1;
    }
    sql_result_free("ra");
}

# Bindings outlive those who made them: whoever was deleted is not called any more.
route[LOCATION] {
    $var(rc) = -1;
    $var(user) = $(rU{s.unescape.user});
    $var(aor) = "sip:" + $rU + "@" + $(rd{s.tolower});
    if ($rU != $null) {
        if (sql_query("ca", "SELECT 1 FROM subscriber WHERE username='$(var(user){s.escape.common})' AND domain IN ('$(rd{s.tolower}{s.escape.common})','peers') LIMIT 1", "rs") < 0) {
            sl_send_reply("503", "Service Unavailable"); exit;
        }
        if ($dbr(rs=>rows) > 0) {
            lookup("location", "$var(aor)");
            $var(rc) = $retcode;
        }
        sql_result_free("rs");
    }
    if ($var(rc) < 0) {
        route(EGRESS);
        switch ($var(rc)) {
            case -1: case -3: sl_send_reply("404", "Not Found"); exit;
            case -2: sl_send_reply("405", "Method Not Allowed"); exit;
        }
    }
    route(RELAY);
}

# A call of our own domain to nobody here: out through the number of the domain's egress policy, if its rule matches.
route[EGRESS] {
    if ($var(did) == 1 || !is_method("INVITE")) return;
    if (sql_query("ca", "SELECT number, host, transport, username, secret FROM egress WHERE domain='$(fd{s.tolower}{s.escape.common})' AND '$(rU{s.escape.common})' REGEXP rule LIMIT 1", "re") < 0) return;
    if ($dbr(re=>rows) > 0) {
        $var(number) = $dbr(re=>[0,0]);
        $ru = "sip:" + $rU + "@" + $dbr(re=>[0,1]) + ";transport=" + $dbr(re=>[0,2]);
        $avp(auser) = $dbr(re=>[0,3]);
        $avp(apass) = $dbr(re=>[0,4]);
        uac_replace_from("", "sip:+" + $var(number) + "@" + $dbr(re=>[0,1]));
        xlog("L_NOTICE", "call of $fu leaves through $ru\n");
        sql_result_free("re");
        t_on_failure("EGRESS");
        route(RELAY);
    }
    sql_result_free("re");
}

failure_route[EGRESS] {
    if (t_is_canceled() || !t_check_status("401|407") || $avp(auser) == "") exit;
    if (uac_auth()) t_relay();
}

route[RELAY] {
    t_on_reply("NAT");
    if (!t_relay()) sl_reply_error();
    exit;
}

# What is sent to a phone behind a NAT later on, ACK and BYE, has to find it, too.
onreply_route[NAT] { if (isbflagset(FLB_NATB) && is_first_hop()) set_contact_alias(); }

# Remember which gateway an outgoing REGISTER belongs to (Call-ID -> gateway ref), and that it waits for an answer.
event_route[tm:local-request] {
    if ($rm == "REGISTER") {
        $var(gw) = $(ct{nameaddr.uri}{uri.user});
        $sht(regci=>$ci) = $var(gw);
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
                sql_query("ca", "INSERT INTO gateway_registrations (gw_ref,username,host,ip,port,transport,expires,registered_on,expires_at,last_response,next_attempt_at) SELECT l_uuid,r_username,r_domain,'',0,'',0,0,0,'408 Request Timeout',($var(next)-5)*1000 FROM uacreg WHERE l_uuid='$(var(gw){s.escape.common})' ON DUPLICATE KEY UPDATE last_response=VALUES(last_response),next_attempt_at=VALUES(next_attempt_at)");
            }
        }
    }
}

# Runs for every reply the core receives, also for the REGISTERs the uac module sends:
# the only place where the registrar's IP and the GRANTED expiry are visible.
reply_route {
    if ($rm != "REGISTER" || $rs < 200 || $sht(regci=>$ci) == $null) return;
    $var(gw) = $sht(regci=>$ci);
    $sht(regwait=>$var(gw)) = $null;
    # A challenge is no refusal, unless it answers a digest; 423 is answered with a longer expiry.
    if ($rs == 423 || ($rs =~ "^40[17]$" && $sht(regauth=>$ci) == $null)) return;
    $var(exp) = "0";
    $var(until) = "0";
    $var(on) = "0";
    $var(next) = "CAST((UNIX_TIMESTAMP(NOW(3))+10)*1000 AS UNSIGNED)";     # reg_retry_interval, and 5 s early
    if ($rs < 300) {
        $var(exp) = "";
        $var(re) = "/.*:" + $var(gw) + "@[^,]*;expires=([0-9]+).*/\\1/s";
        $var(i) = 0;
        while ($var(i) < $hdrc(Contact)) {              # a 200 OK may list several bindings, also of others
            if ($(hdr(Contact)[$var(i)]) =~ ":" + $var(gw) + "@[^,]*;expires=")
                $var(exp) = $(hdr(Contact)[$var(i)]{re.subst,$var(re)});
            $var(i) = $var(i) + 1;
        }
        if (!($var(exp) =~ "^[0-9]+$")) $var(exp) = $hdr(Expires);
        if (!($var(exp) =~ "^[0-9]+$")) return;
        $var(on) = "CAST(UNIX_TIMESTAMP(NOW(3))*1000 AS UNSIGNED)";
        $var(until) = "CAST((UNIX_TIMESTAMP(NOW(3))+" + $var(exp) + ")*1000 AS UNSIGNED)";
        $var(next) = "NULL";
    }
    if (sql_query("ca", "INSERT INTO gateway_registrations (gw_ref,username,host,ip,port,transport,expires,registered_on,expires_at,last_response,next_attempt_at) SELECT l_uuid,r_username,r_domain,'$si',$sp,LOWER('$proto'),$var(exp),$var(on),$var(until),LEFT('$rs $(rr{s.escape.common})',128),$var(next) FROM uacreg WHERE l_uuid='$(var(gw){s.escape.common})' ON DUPLICATE KEY UPDATE username=VALUES(username),host=VALUES(host),ip=VALUES(ip),port=VALUES(port),transport=VALUES(transport),expires=VALUES(expires),registered_on=VALUES(registered_on),expires_at=VALUES(expires_at),last_response=VALUES(last_response),next_attempt_at=VALUES(next_attempt_at)") < 0)
        xlog("L_ERR", "cannot store registration of gateway $var(gw)\n");
}

# Self-service sync: Kamailio polls two checksums (one cheap query) and reloads only what changed.
# => nothing has to push; a change is live within 5 s.
route[SYNC] {
    if (sql_query("ca", "SELECT domains_rev, gateways_rev FROM kam_rev", "rv") < 0) return;
    $var(drev) = $dbr(rv=>[0,0]); $var(grev) = $dbr(rv=>[0,1]);
    sql_result_free("rv");
    if ($var(drev) != $sht(rev=>domains)) {
        jsonrpc_exec('{"jsonrpc":"2.0","method":"domain.reload","id":1}');
        if ($jsonrpl(code) == 200) $sht(rev=>domains) = $var(drev);
        xlog("L_NOTICE", "sync: domains $var(drev), reload $jsonrpl(code)\n");
    }
    if ($var(grev) != $sht(rev=>gateways)) {
        if (sql_query("ca", "SELECT l_uuid, rev FROM gw_rev", "gr") < 0) return;
        $var(i) = 0;
        while ($var(i) < $dbr(gr=>rows)) {
            $var(u) = $dbr(gr=>[$var(i),0]);
            if ($sht(gwrev=>$var(u)) != $dbr(gr=>[$var(i),1])) {
                if (uac_reg_refresh("$var(u)")) $sht(gwrev=>$var(u)) = $dbr(gr=>[$var(i),1]);
                $sht(regwait=>$var(u)) = 0;
                # What another provider granted is of no use any more.
                sql_query("ca", "DELETE FROM gateway_registrations WHERE gw_ref='$(var(u){s.escape.common})' AND host NOT IN (SELECT r_domain FROM uacreg WHERE l_uuid='$(var(u){s.escape.common})')");
                xlog("L_NOTICE", "sync: gateway $var(u) refreshed\n");
            }
            $sht(gwseen=>$var(u)) = $var(grev);
            $var(i) = $var(i) + 1;
        }
        sql_result_free("gr");
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
                    sql_query("ca", "DELETE FROM gateway_registrations WHERE gw_ref='$(var(u){s.escape.common})'");
                }
                xlog("L_NOTICE", "sync: gateway $var(u) gone\n");
            }
        }
        sht_iterator_end("it");
        if ($var(again) == 1) return;
        $sht(rev=>gateways) = $var(grev);
    }
}

@RPC_ROUTE@`;
