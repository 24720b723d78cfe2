import { logText } from './log-text';
import { sqlText } from './sql-text';

/** What Kamailio does with a request: who may send it, and to whom it goes. */
export const REQUESTS = String.raw`request_route {
    route(LIMITS);
    if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
    if (!sanity_check("17895", "7")) exit;
    force_rport();
    route(SIZE);
    $var(did) = 0;
    $var(trunk) = "";

    # Retransmissions are absorbed before anything is looked up, and so is the ACK of a refusal.
    if (is_method("CANCEL")) { route(CANCEL); exit; }
    if (is_method("ACK")) {
        t_check_trans();
        if (has_totag()) route(WITHIN_CALL);
        exit;                                          # it is asked for no credentials (RFC 3261, 22.1)
    }
    if (t_precheck_trans()) { t_check_trans(); exit; }
    t_check_trans();

    if (has_totag()) { route(WITHIN_CALL); exit; }
    if (is_method("OPTIONS") && uri == myself && $rU == $null) { sl_send_reply("200", "OK"); exit; }
    if (!is_method("REGISTER|INVITE|MESSAGE|OPTIONS|SUBSCRIBE|NOTIFY|REFER|PUBLISH|INFO")) {
        append_to_reply("Allow: REGISTER, INVITE, ACK, CANCEL, MESSAGE, OPTIONS, SUBSCRIBE, NOTIFY, REFER, PUBLISH, INFO\r\n");
        sl_send_reply("405", "Method Not Allowed");
        exit;
    }

    if (is_method("REGISTER")) { route(REGISTRAR); exit; }
    remove_hf("Route");                                # a phone's that has us for its outbound proxy (RFC 3261, 16.4)
    remove_hf("X-Gateway");

    route(DID);                                        # inbound from a gateway?
    if ($var(did) != 1) {
        route(AUTH);
        route(PRIVACY);
        # What is sent to a phone later on goes to where it is now.
        if (!isflagset(FLT_PRIVATE) && is_first_hop()) set_contact_alias();
        if ($ru =~ "^tel:") route(TEL);
        if (!is_domain_local("$rd") && uri != myself) { sl_send_reply("403", "Relaying denied"); exit; }
        if ($var(realm) != $(rd{s.tolower})) {
            $var(realm) = $(rd{s.tolower});
            route(ACL);
        }
    } else route(PRIVACY);
    route(LOCATION);
}

# A binding is called at its Contact where that is the address that it was made from, and else at that address: nobody can be
# called at a provider's address, nor at a host that would have to be looked up.
route[BINDING] {
    route(CONTACTS);
    if ($hdr(Path) != $null) {
        $var(edge) = $(hdr(Path){s.select,0,,}{nameaddr.uri}{uri.host});
        if (!is_ip("$var(edge)") || !compare_ips("$var(edge)", "$si")) { send_reply("403", "Path does not match"); exit; }
    }
    $var(host) = $(ct{nameaddr.uri}{uri.host});
    $var(behind) = 1;
    if (is_ip("$var(host)") && $hdrc(Contact) == 1 && !($hdr(Contact) =~ ",")) {
        if (compare_ips("$var(host)", "$si") && !nat_uac_test("19")) $var(behind) = 0;
    }
    if ($var(behind) == 1) { fix_nated_register(); setbflag(FLB_NATB); }
    if ($avp(most) != "0") $xavp(reg=>max_contacts) = $(avp(most){s.int});
    $var(aor) = "sip:" + $tU + "@" + $(td{s.tolower});
    if (!t_newtran()) exit;
    xlog("L_NOTICE", "REGISTER ${logText('tU')} realm=$var(realm) authorized as $avp(kind) $avp(ref)\n");
    if (!save("location", "0x00", "$var(aor)")) sl_reply_error();
}

# The registrar would call a binding at the "received" parameter of its Contact, whoever wrote that: it is refused wherever it
# stands. A pattern ends at a NUL, and the registrar does not.
route[CONTACTS] {
    $var(c) = 0;
    while ($var(c) < $hdrc(Contact)) {
        if ($(hdr(Contact)[$var(c)]{s.len}) > 2048) { send_reply("400", "Contact is too long"); exit; }
        if ($(hdr(Contact)[$var(c)]) =~ ";[[:space:]]*received" || $(hdr(Contact)[$var(c)]{s.encode.hexa}) =~ "^(..)*00") {
            send_reply("400", "Contact has a received parameter");
            exit;
        }
        $var(c) = $var(c) + 1;
    }
}

# Bindings outlive those who made them: whoever was deleted is not called any more. Whoever is there is not called elsewhere.
route[LOCATION] {
    route(KNOWN);
    if ($var(known) == 0 && $var(did) != 1) {
        route(OWN_NUMBER);
        if ($var(own_number) == 1) route(KNOWN);
        else route(EGRESS);
    }
    if ($var(known) == 0) { sl_send_reply("404", "Not Found"); exit; }
    lookup("location", "$var(aor)");
    $var(rc) = $retcode;
    if ($var(rc) == -2) { sl_send_reply("405", "Method Not Allowed"); exit; }
    if ($var(rc) < 0 && !route(CONTACT_ADDR)) { sl_send_reply("480", "Temporarily Unavailable"); exit; }
    route(RELAY);
}

# Whether the called user exists. Agents come first, as they do where they sign in.
route[KNOWN] {
    $var(known) = 0;
    $var(peer_host) = "";
    $var(peer_port) = 0;
    $var(user) = $(rU{s.unescape.user});
    $var(domain) = $(rd{s.tolower});
    $var(aor) = "sip:" + $rU + "@" + $var(domain);
    if ($rU == $null) return;
    if (!sql_query("ca", "SELECT contact_host, contact_port FROM subscriber WHERE username=${sqlText('var(user)')} AND domain IN (${sqlText('var(domain)')},'peers') ORDER BY kind LIMIT 1", "rs")) {
        sl_send_reply("503", "Service Unavailable"); exit;
    }
    if ($dbr(rs=>rows) > 0) {
        $var(known) = 1;
        $var(peer_host) = $dbr(rs=>[0,0]);
        $var(peer_port) = $dbr(rs=>[0,1]);
    }
    sql_result_free("rs");
}

# Whether a peer without a binding can be called at its contactAddr, which may be anywhere but here.
route[CONTACT_ADDR] {
    if ($var(peer_host) == "") return -1;
    $var(place) = $var(peer_host);
    if ($var(peer_port) != 0) $var(place) = $var(place) + ":" + $var(peer_port);
    $var(hop) = "sip:" + $var(place);
    if (!is_ip("$var(peer_host)")) {
        if ($sht(hops=>$var(peer_host)|$var(peer_port)|udp) == $null) return -1;
        $var(hop) = $sht(hops=>$var(peer_host)|$var(peer_port)|udp);
    }
    if (is_myself("sip:$var(place)") || is_myself("$var(hop)")) return -1;
    $ru = "sip:" + $rU + "@" + $var(place);
    $du = $var(hop);
    return 1;
}

route[RELAY] {
    if (is_method("INVITE|SUBSCRIBE") && !has_totag()) route(CALL);
    if (!has_totag()) route(IDENTITY);
    t_on_branch("SENT");
    t_on_reply("ANSWER");
    if (!t_relay()) sl_reply_error();
    exit;
}
`;
