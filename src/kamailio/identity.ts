import { sqlText } from './sql-text';

/** Who calls, as those who are called are told it (RFC 3323, RFC 3325). */
export const IDENTITY = String.raw`# Whether the caller is hidden: the agent is Private, or the request asks for it.
route[PRIVACY] {
    if (!is_method("INVITE|MESSAGE")) return;
    $var(asked) = $(hdr(Privacy)[*]);
    if ($avp(private) == "1" || $var(asked) =~ "(^|[;, ])(id|user|header)([;, ]|$)") setflag(FLT_PRIVATE);
}

# A peer that is authenticated may call for somebody outside, as a PBX does; nobody may call for an agent.
route[OUTSIDER] {
    if ($avp(kind) != "peer") { send_reply("403", "From does not match"); exit; }
    $var(user) = $(fU{s.unescape.user});
    $var(domain) = $(fd{s.tolower});
    if (!sql_query("ca", "SELECT 1 FROM subscriber WHERE username=${sqlText('var(user)')} AND domain=${sqlText('var(domain)')} AND kind='agent' LIMIT 1", "ro")) {
        send_reply("503", "Service Unavailable"); exit;
    }
    $var(known) = $dbr(ro=>rows);
    sql_result_free("ro");
    if ($var(known) > 0) { send_reply("403", "From does not match"); exit; }
}

# Peers are trusted for the identity of callers outside, and for nobody of a domain here; agents for none.
route[ASSERTED] {
    remove_hf("P-Preferred-Identity");
    remove_hf("Remote-Party-ID");
    if ($hdr(P-Asserted-Identity) == $null) return;
    $var(domain) = $(hdr(P-Asserted-Identity){nameaddr.uri}{uri.host}{s.tolower});
    if ($avp(kind) != "peer" || $hdrc(P-Asserted-Identity) != 1 || $hdr(P-Asserted-Identity) =~ "," || is_domain_local("$var(domain)"))
        remove_hf("P-Asserted-Identity");
}

# Hides the caller of a call or text that is about to be relayed.
route[IDENTITY] {
    if (!isflagset(FLT_PRIVATE)) return;
    if (is_method("INVITE")) {
        $dlg_var(caller) = "<" + $fu + ">;tag=" + $ft;
        route(HIDDEN_CONTACT);
    }
    route(HIDE);
    route(HIDE_FROM);
    remove_hf("Privacy");
    if (isflagset(FLT_EGRESS)) {
        append_hf("P-Asserted-Identity: <$var(own)>\r\n");
        append_hf("Privacy: id\r\n");
    }
}

# Providers alone are trusted for identities within calls and in answers.
route[UNASSERTED] {
    remove_hf_re("^(P-Asserted-Identity|P-Preferred-Identity|Remote-Party-ID)$");
}

# The sender of a request within a call is hidden still, and finds its own address in what is sent to it.
route[IDENTITY_WITHIN] {
    remove_hf("X-Gateway");
    if ($var(did) != 1) route(UNASSERTED);
    if ($dlg_var(caller) == $null) return;
    if (isflagset(FLT_PRIVATE)) {
        if (is_method("INVITE|UPDATE")) route(HIDDEN_CONTACT);
        route(HIDE);
        route(HIDE_FROM);
        return;
    }
    $avp(to) = $hdr(To);
    remove_hf("To");
    append_hf("To: $dlg_var(caller)\r\n");
    if ($rU == "anonymous" && uri == myself && $dlg_var(hidden) != $null) $ru = $dlg_var(hidden);
}

# An answer has the From and To of its request (RFC 3261, 8.2.6.2).
route[IDENTITY_ANSWERED] {
    remove_hf("X-Gateway");
    if (!isflagset(FLT_EGRESS) && !route(FROM_PROVIDER)) route(UNASSERTED);
    if ($avp(from) != $null) {
        remove_hf("From");
        append_hf("From: $avp(from)\r\n");
    }
    if ($avp(to) != $null) {
        remove_hf("To");
        append_hf("To: $avp(to)\r\n");
        route(HIDE);
    }
}

route[HIDE_FROM] {
    $avp(from) = $hdr(From);
    remove_hf("From");
    append_hf("From: \"Anonymous\" <sip:anonymous@anonymous.invalid>;tag=$ft\r\n");
}

# Where a hidden caller is reached, which the other side is not told. A name is not looked up: the caller is where it spoke from.
route[HIDDEN_CONTACT] {
    if ($ct == $null) return;
    $var(hidden) = $(ct{nameaddr.uri});
    $var(host) = $(var(hidden){uri.host});
    if ($var(did) != 1 || !is_ip("$var(host)")) $var(hidden) = $var(hidden) + ";alias=" + $siz + "~" + $sp + "~" + $prid;
    if ($(var(hidden){s.len}) <= 500) $dlg_var(hidden) = $var(hidden);
}

# Takes out of a request or answer what names its sender.
route[HIDE] {
    remove_hf_re("^(P-Asserted-Identity|P-Preferred-Identity|Remote-Party-ID|Reply-To|Call-Info|Organization|User-Agent|Server|Authorization|Proxy-Authorization)$");
    if ($ct == $null) return;
    remove_hf("Contact");
    append_hf("Contact: <sip:anonymous@@SIP@>\r\n");
}

# Whether a request within a call is its hidden caller's.
route[FROM_HIDDEN] {
    if ($dlg_var(caller) != $null && $ft == $dlg(from_tag)) return 1;
    return -1;
}
`;
