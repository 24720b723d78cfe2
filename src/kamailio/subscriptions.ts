/** Subscriptions (RFC 6665): who takes part in them, and which requests belong to them. */
export const SUBSCRIPTIONS = String.raw`# A subscription is known by its Call-ID, both tags and both users, as its subscriber named them, who was authenticated: nobody
# else can make or replace it. It begins when it is accepted; the first NOTIFY may overtake the answer, and is awaited meanwhile.
route[SUBSCRIPTION] {
    $avp(dialog) = "s|" + $ci + "|" + $ft + "|";
    $avp(users) = "|" + $fU + "@" + $(fd{s.tolower}) + "|" + $tU + "@" + $(td{s.tolower});
    $avp(awaited) = $avp(dialog) + $avp(users);
    $avp(subscribers) = " " + $si + " ";
    $var(subscription) = $avp(awaited);
    $sht(subscriptions=>$var(subscription)) = $avp(subscribers);
    $shtex(subscriptions=>$var(subscription)) = 32;
}

# Somebody whom a SUBSCRIBE is sent to, in $var(party).
route[SUBSCRIPTION_SENT] {
    $var(subscription) = $avp(awaited);
    $var(parties) = $sht(subscriptions=>$var(subscription));
    route(PARTY);
    $sht(subscriptions=>$var(subscription)) = $var(parties);
    $shtex(subscriptions=>$var(subscription)) = 32;
}

# The answer to a SUBSCRIBE. What ends has 32 s left, for its last NOTIFY.
route[SUBSCRIBED] {
    if ($rs < 200) return;
    if ($rs >= 300) {
        $var(subscription) = $avp(awaited);
        if ($avp(awaited) != $null) $sht(subscriptions=>$var(subscription)) = $null;
        return;
    }
    if (!route(ANSWERED_BY)) return;
    $var(parties) = $avp(subscribers);
    $var(party) = $si;
    route(PARTY);
    $var(seconds) = 3600;
    if ($hdr(Expires) != $null) $var(seconds) = $(hdr(Expires){s.int});
    if ($var(seconds) < 32) $var(seconds) = 32;
    if ($var(seconds) > 7200) $var(seconds) = 7200;
    if ($avp(awaited) != $null) $var(subscription) = $avp(dialog) + $tt + $avp(users);
    else $var(subscription) = $avp(subscription);
    $sht(subscriptions=>$var(subscription)) = $var(parties);
    $shtex(subscriptions=>$var(subscription)) = $var(seconds);
}

# A subscription has requests of two methods: its subscriber's SUBSCRIBE, and the other side's NOTIFY.
route[SUBSCRIPTION_PARTIES] {
    if (is_method("SUBSCRIBE") && $tt != $null) {
        $var(subscription) = "s|" + $ci + "|" + $ft + "|" + $tt + "|" + $fU + "@" + $(fd{s.tolower}) + "|" + $tU + "@" + $(td{s.tolower});
    } else if (is_method("NOTIFY") && $tt != $null && $ft != $null) {
        $var(subscription) = "s|" + $ci + "|" + $tt + "|" + $ft + "|" + $tU + "@" + $(td{s.tolower}) + "|" + $fU + "@" + $(fd{s.tolower});
        if ($sht(subscriptions=>$var(subscription)) == $null)
            $var(subscription) = "s|" + $ci + "|" + $tt + "||" + $tU + "@" + $(td{s.tolower}) + "|" + $fU + "@" + $(fd{s.tolower});
    } else return;
    if ($sht(subscriptions=>$var(subscription)) != $null) $var(parties) = $sht(subscriptions=>$var(subscription));
}

# Who subscribes anew is asked for credentials anew: a subscription does not outlive its agent.
route[WITHIN_SUBSCRIPTION] {
    if (is_method("SUBSCRIBE")) {
        route(AUTH);
        $avp(subscription) = $var(subscription);
        $avp(subscribers) = $var(parties);
    } else if ($hdr(Subscription-State) =~ "^[[:space:]]*terminated") $shtex(subscriptions=>$var(subscription)) = 32;
}
`;
