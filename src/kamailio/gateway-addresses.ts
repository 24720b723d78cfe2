/** The addresses of gateways that are named by host: looked up in a process of its own, so that slow DNS delays no request. */
export const GATEWAY_ADDRESSES = String.raw`# Runs every 3 s; each host is asked for once a minute. What is known holds for an hour after the last answer.
route[RESOLVE] {
    if (!sql_query("ca", "SELECT host, port, transport FROM gateway_hosts", "gh")) return;
    $var(n) = 0;
    while ($var(n) < $dbr(gh=>rows)) {
        $var(name) = $dbr(gh=>[$var(n),0]);
        $var(port) = $dbr(gh=>[$var(n),1]);
        $var(transport) = $dbr(gh=>[$var(n),2]);
        if ($sht(resolved=>$var(name)|$var(port)|$var(transport)) == $null) route(RESOLVE_HOST);
        $var(n) = $var(n) + 1;
    }
    sql_result_free("gh");
}

# SRV before addresses where there is no port (RFC 3263, 4.2).
route[RESOLVE_HOST] {
    $var(next) = "";
    $var(targets) = 0;
    if ($var(port) == 0 && !is_ip("$var(name)")) {
        if (srv_query("_sip._$var(transport).$var(name)", "srv")) $var(targets) = $srvquery(srv=>count);
    }
    $var(t) = 0;
    while ($var(t) < $var(targets)) {
        $var(target) = $srvquery(srv=>target[$var(t)]);
        $var(at) = $srvquery(srv=>port[$var(t)]);
        route(RESOLVE_TARGET);
        $var(t) = $var(t) + 1;
    }
    if ($var(targets) == 0) {
        $var(target) = $var(name);
        $var(at) = $var(port);
        if ($var(at) == 0) $var(at) = 5060;
        route(RESOLVE_TARGET);
    }
    $sht(resolved=>$var(name)|$var(port)|$var(transport)) = 1;
    if ($var(next) != "") $sht(hops=>$var(name)|$var(port)|$var(transport)) = $var(next);
    else xlog("L_WARN", "gateway host $var(name) has no address in DNS\n");
}

route[RESOLVE_TARGET] {
    $var(target) = $(var(target){re.subst,/[][]//g});
    if (!dns_query("$var(target)", "dns")) return;
    $var(a) = 0;
    while ($var(a) < $dns(dns=>count)) {
        $var(address) = $dns(dns=>addr[$var(a)]);
        $sht(addresses=>$var(name)|$var(address)) = 1;
        $sht(providers=>$var(address)) = 1;
        if ($var(next) == "") {
            if ($var(address) =~ ":") $var(next) = "sip:[" + $var(address) + "]:" + $var(at) + ";transport=" + $var(transport);
            else $var(next) = "sip:" + $var(address) + ":" + $var(at) + ";transport=" + $var(transport);
        }
        $var(a) = $var(a) + 1;
    }
}
`;
