import { sqlText } from './sql-text';

/** What Kamailio does with a request: who may send it, and to whom it goes. */
export const REQUESTS = String.raw`request_route {
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
    if (is_method("ACK")) exit;                        # it is asked for no credentials (RFC 3261, 22.1)
    if (!is_method("REGISTER|INVITE|MESSAGE|OPTIONS|SUBSCRIBE|NOTIFY|REFER|PUBLISH|INFO")) {
        append_to_reply("Allow: REGISTER, INVITE, ACK, CANCEL, MESSAGE, OPTIONS, SUBSCRIBE, NOTIFY, REFER, PUBLISH, INFO\r\n");
        sl_send_reply("405", "Method Not Allowed");
        exit;
    }

    if (is_method("REGISTER")) { route(REGISTRAR); exit; }
    remove_hf("Route");                                # a phone's that has us for its outbound proxy (RFC 3261, 16.4)
    remove_hf("X-Gateway");
    if (is_method("INVITE|SUBSCRIBE")) {
        $var(key) = "@KEY@" + $ci;
        record_route(";key=$(var(key){s.md5})");
    }

    route(DID);                                        # inbound from a gateway?
    if ($var(did) != 1) {
        route(AUTH);
        if (!is_domain_local("$rd") && uri != myself) { sl_send_reply("403", "Relaying denied"); exit; }
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
    if (!sql_query("ca", "SELECT COALESCE(SUM(action='deny'),0), COALESCE(SUM(action='allow'),0) FROM acl WHERE domain=${sqlText('var(realm)')} AND (INET_ATON('$si') & mask) = (net & mask)", "rl")) {
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
    route(DIGEST);
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
    route(DIGEST);
    if ($au != $(fU{s.unescape.user})) { sl_send_reply("403", "From does not match"); exit; }
    consume_credentials();
    # Who somebody is, is said by From, which was proved.
    remove_hf("P-Asserted-Identity");
    remove_hf("P-Preferred-Identity");
    remove_hf("Remote-Party-ID");
}

# A digest's name may have a domain of its own, whose secret was looked at then: that of a namesake elsewhere proves nothing.
route[DIGEST] {
    if ($ad =~ "." && $(ad{s.tolower}) != $var(realm)) { sl_send_reply("403", "Domain does not match"); exit; }
}

# Bindings outlive those who made them: whoever was deleted is not called any more. Whoever is there is not called elsewhere.
route[LOCATION] {
    $var(known) = 0;
    $var(user) = $(rU{s.unescape.user});
    $var(domain) = $(rd{s.tolower});
    $var(aor) = "sip:" + $rU + "@" + $var(domain);
    if ($rU != $null) {
        if (!sql_query("ca", "SELECT 1 FROM subscriber WHERE username=${sqlText('var(user)')} AND domain IN (${sqlText('var(domain)')},'peers') LIMIT 1", "rs")) {
            sl_send_reply("503", "Service Unavailable"); exit;
        }
        if ($dbr(rs=>rows) > 0) $var(known) = 1;
        sql_result_free("rs");
    }
    if ($var(known) == 0) {
        route(EGRESS);
        sl_send_reply("404", "Not Found"); exit;
    }
    lookup("location", "$var(aor)");
    $var(rc) = $retcode;
    if ($var(rc) == -2) { sl_send_reply("405", "Method Not Allowed"); exit; }
    if ($var(rc) < 0) { sl_send_reply("480", "Temporarily Unavailable"); exit; }
    route(RELAY);
}

route[RELAY] {
    t_on_reply("NAT");
    if (!t_relay()) sl_reply_error();
    exit;
}

# What is sent to a phone behind a NAT later on, ACK and BYE, has to find it, too.
onreply_route[NAT] { if (isbflagset(FLB_NATB) && is_first_hop()) set_contact_alias(); }
`;
