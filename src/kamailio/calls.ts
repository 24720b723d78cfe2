import { logText } from './log-text';

/** Calls in progress: who takes part in them, and which requests belong to them. */
export const CALLS = String.raw`# A call that is about to be relayed. Its parties are the addresses that may send requests within it, and be sent them:
# the caller's now, and that of each phone or provider when it answers.
route[CALL] {
    record_route();
    if (is_method("SUBSCRIBE")) { route(SUBSCRIPTION); return; }
    $var(parties) = " " + $si + " ";
    if ($dlg_var(parties) != $null) {
        # The same call again: a provider may send it back, somebody else may not join it (RFC 3261, 8.2.2.2).
        $var(parties) = $dlg_var(parties);
        $var(party) = $si;
        if ($var(did) != 1 && !($var(parties) =~ (" " + $si + " "))) { sl_send_reply("482", "Loop Detected"); exit; }
        route(PARTY);
    }
    if (!dlg_manage()) { sl_send_reply("503", "Service Unavailable"); exit; }
    if ($var(trunk) != "") $dlg_var(trunk) = $var(trunk);
    if ($var(did) == 1) {
        $dlg_var(provider) = $su;
        route(PROVIDER);
    }
    if (isflagset(FLT_EGRESS)) $dlg_var(gateway) = $var(gateway);
    $dlg_var(parties) = $var(parties);
}

# Adds $var(party) to $var(parties), which fit into a column of 512 characters.
route[PARTY] {
    if (!is_ip("$var(party)") || $(var(parties){s.len}) > 450) return;
    $var(party) = $(var(party){re.subst,/[][]//g});
    if (!($var(parties) =~ (" " + $var(party) + " "))) $var(parties) = $var(parties) + $var(party) + " ";
}

# A provider may name other addresses of its gateway's host for the rest of the call. Where it names anything else, what is for it
# goes to the address that it spoke from.
route[PROVIDER] {
    $var(party) = $(ct{nameaddr.uri}{uri.host});
    if (route(OWN_ADDRESS)) route(PARTY);
    else if (!isflagset(FLT_PRIVATE)) set_contact_alias();
    $var(r) = 0;
    while ($var(r) < $hdrc(Record-Route)) {
        $var(party) = $(hdr(Record-Route)[$var(r)]{s.select,0,,}{nameaddr.uri}{uri.host});
        if (route(OWN_ADDRESS)) route(PARTY);
        $var(r) = $var(r) + 1;
    }
}

# Whether $var(party) is the sender's own address, or one of the host of the call's gateway.
route[OWN_ADDRESS] {
    if (!is_ip("$var(party)")) return -1;
    if (compare_ips("$var(party)", "$si")) return 1;
    if ($dlg_var(trunk) == $null) return -1;
    $var(trunk) = $dlg_var(trunk);
    $var(party) = $(var(party){re.subst,/[][]//g});
    if ($var(party) == $var(trunk) || $sht(addresses=>$var(trunk)|$var(party)) != $null) return 1;
    return -1;
}

# Where a request is sent to: nobody else's answer makes a party of its sender, as its source address may be forged.
branch_route[SENT] {
    $var(party) = $rd;
    if ($du != $null) $var(party) = $(du{uri.host});
    $avp(sent) = $var(party);
    if ($avp(awaited) != $null) route(SUBSCRIPTION_SENT);
}

route[ANSWERED_BY] {
    $var(s) = 0;
    while ($(avp(sent)[$var(s)]) != $null) {
        $var(sent) = $(avp(sent)[$var(s)]);
        if (compare_ips("$var(sent)", "$si")) return 1;
        $var(s) = $var(s) + 1;
    }
    if ($dlg_var(trunk) == $null) return -1;
    $var(trunk) = $dlg_var(trunk);
    if ($sht(addresses=>$var(trunk)|$si) != $null) return 1;
    return -1;
}

# What is sent to a phone later on goes to the address that it answered from, whatever its Contact says.
onreply_route[ANSWER] {
    route(IDENTITY_ANSWERED);
    if ($avp(subscribers) != $null) route(SUBSCRIBED);
    if ($rs <= 100 || $rs >= 300 || !route(ANSWERED_BY)) return;
    if ($avp(to) == $null && !isflagset(FLT_EGRESS) && is_first_hop() && !route(FROM_PROVIDER)) set_contact_alias();
    if (!is_method("INVITE") || $dlg_var(parties) == $null) return;
    $var(parties) = $dlg_var(parties);
    $var(party) = $si;
    route(PARTY);
    if (isflagset(FLT_EGRESS)) {
        $dlg_var(provider) = $su;
        route(PROVIDER);
    }
    if ($dlg_var(parties) != $var(parties)) $dlg_var(parties) = $var(parties);
}

# The parties of the call, or of the subscription, that a request belongs to; none for what belongs to nothing. A call whose BYE
# was relayed (state 5) is over, though it is remembered for some seconds.
route[PARTIES] {
    $var(parties) = "";
    $var(subscription) = "";
    if ($dlg_var(parties) != $null && $dlg(state) != 5) $var(parties) = $dlg_var(parties);
    else route(SUBSCRIPTION_PARTIES);
}

# Whether the sender takes part. A provider may go on from another one of its addresses.
route[FROM_PARTY] {
    if ($var(parties) =~ (" " + $si + " ")) return 1;
    if ($dlg_var(trunk) == $null) return -1;
    $var(trunk) = $dlg_var(trunk);
    if ($sht(addresses=>$var(trunk)|$si) != $null) return 1;
    return -1;
}

# Whether the sender is the provider of the call.
route[FROM_PROVIDER] {
    if ($dlg_var(provider) == $null) return -1;
    $var(provider) = $(dlg_var(provider){uri.host});
    if (compare_ips("$var(provider)", "$si")) return 1;
    return -1;
}

# A request within a call (RFC 3261, 12.2): Call-ID and both tags are those of a call in progress, it comes from one of the
# parties, and goes to one. Its Route and its R-URI are the sender's to choose, and open nothing else.
route[WITHIN_CALL] {
    route(PARTIES);
    if ($var(parties) == "" || !route(FROM_PARTY)) {
        if (is_method("ACK")) exit;
        xlog("L_NOTICE", "$rm from $si belongs to no call\n");
        sl_send_reply("481", "Call/Transaction Does Not Exist");
        exit;
    }
    if ($var(subscription) != "") route(WITHIN_SUBSCRIPTION);
    $var(did) = 0;
    if (route(FROM_HIDDEN)) setflag(FLT_PRIVATE);
    if (route(FROM_PROVIDER)) {
        $var(did) = 1;
        if (is_method("INVITE|UPDATE")) {
            route(PROVIDER);
            if ($dlg_var(parties) != $var(parties)) $dlg_var(parties) = $var(parties);
        }
    } else if (!isflagset(FLT_PRIVATE) && is_first_hop()) set_contact_alias();
    route(IDENTITY_WITHIN);
    if ($dlg_var(parties) != $null) dlg_manage();      # a BYE ends the call, whatever its Route looks like
    $var(routed) = 0;
    if (loose_route()) $var(routed) = 1;
    route(ALIAS);
    $var(hop) = $rd;
    if ($du != $null) $var(hop) = $(du{uri.host});
    $var(to_party) = $(var(hop){re.subst,/[][]//g});
    if ($dlg_var(provider) != $null && $var(did) != 1 && !($var(parties) =~ (" " + $var(to_party) + " "))) {
        $du = $dlg_var(provider);
        $var(hop) = $(du{uri.host});
    }
    $var(hop) = $(var(hop){re.subst,/[][]//g});
    if ($var(routed) == 0 || !is_ip("$var(hop)") || !($var(parties) =~ (" " + $var(hop) + " "))) {
        if (is_method("ACK")) exit;
        xlog("L_NOTICE", "$rm from $si within a call goes to ${logText('var(hop)')}, which takes no part in it\n");
        sl_send_reply("403", "Not a party of this call");
        exit;
    }
    if (is_method("SUBSCRIBE|NOTIFY|REFER|INVITE|UPDATE")) record_route();
    # Only the provider itself is given credentials: a caller may have its request sent to the caller's own address.
    $var(provider) = $(dlg_var(provider){uri.host}{re.subst,/[][]//g});
    if ($dlg_var(gateway) != $null && !is_method("ACK") && $var(hop) == $var(provider) && $var(provider) != $si) {
        $avp(gateway) = $dlg_var(gateway);
        t_on_failure("EGRESS_WITHIN");
    }
    route(RELAY);
}

# CANCEL comes from the caller (RFC 3261, 9.1).
route[CANCEL] {
    if (!t_check_trans()) exit;
    route(PARTIES);
    if ($var(parties) == "" || route(FROM_PARTY)) t_relay();
    exit;
}
`;
