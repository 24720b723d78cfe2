import { logText } from './log-text';
import { sqlText } from './sql-text';

/** Who a request is from: access control lists, digests, and what becomes of those who guess. */
export const AUTHENTICATION = String.raw`# realm = the domain of To/From when it is ours, else the pseudo realm "peers" (peers have no domain)
route[REALM] {
    $var(realm) = "peers";
    if (is_method("REGISTER")) { if (is_domain_local("$td")) $var(realm) = $(td{s.tolower}); }
    else { if (is_domain_local("$fd")) $var(realm) = $(fd{s.tolower}); }
}

# Whether the sender's address may reach the domain: what is let in by name is not kept out.
route[ACL] {
    if (!sql_query("ca", "SELECT COALESCE(SUM(action='deny'),0), COALESCE(SUM(action='allow'),0) FROM acl, (SELECT HEX(INET6_ATON('$si')) AS hex) s WHERE domain=${sqlText('var(realm)')} AND ${withinEntry('s.hex')}", "rl")) {
        send_reply("503", "Service Unavailable"); exit;
    }
    $var(denied) = 0;
    if ($dbr(rl=>[0,0]) != 0 && $dbr(rl=>[0,1]) == 0) $var(denied) = 1;
    sql_result_free("rl");
    if ($var(denied) == 1) {
        xlog("L_NOTICE", "$rm from $si refused by the access control list of $var(realm)\n");
        send_reply("403", "Forbidden"); exit;
    }
}

route[REGISTRAR] {
    route(REALM);
    route(ACL);
    route(CREDENTIALS);
    route(GUESSES);
    if (!www_authorize("$var(realm)", "subscriber")) {
        $var(rc) = $retcode;
        route(CHALLENGE);
    }
    route(DIGEST);
    if ($avp(user) != $(tU{s.unescape.user})) { send_reply("403", "Username does not match"); exit; }
    route(BINDING);
}

route[AUTH] {
    route(REALM);
    route(ACL);
    route(CREDENTIALS);
    route(GUESSES);
    if (!proxy_authorize("$var(realm)", "subscriber")) {
        $var(rc) = $retcode;
        route(CHALLENGE);
    }
    route(DIGEST);
    if ($avp(user) != $(fU{s.unescape.user})) route(OUTSIDER);
    consume_credentials();
    route(ASSERTED);
}

# Only one header with credentials is taken: $au and $aa read the first one, whichever of them is verified. Headers that cannot
# be parsed count as none. Secrets are verified by MD5 alone, so a digest that names another algorithm is not right. Its uri
# is not compared: proxies on the way change the Request-URI, and a nonce is good for one request from one address anyway.
route[CREDENTIALS] {
    $var(credentials) = $hdrc(Authorization) + $hdrc(Proxy-Authorization);
    if ($var(credentials) > 1) { send_reply("400", "More than one header with credentials"); exit; }
    if ($var(credentials) == 0 || ($aa =~ "." && !($aa =~ "^\"?[Mm][Dd]5\"?$"))) {
        auth_challenge("$var(realm)", "1");
        exit;
    }
}

# A digest's user name may have a domain of its own, whose secret was checked then: credentials of another domain are rejected.
# Who was verified is what the row says (load_credentials), never what a header says.
route[DIGEST] {
    if ($(avp(domain){s.tolower}) != $var(realm)) { send_reply("403", "Domain does not match"); exit; }
    $sht(known=>$var(network)) = 1;
    if ($proto == "tcp") tcp_set_connection_lifetime("3605");
}

# What could not be checked is challenged anew (RFC 3261, 22.4): no credentials, malformed ones, another algorithm, a nonce of
# another server or of before a restart. stale=true tells a phone to answer a new nonce without asking its user.
route[CHALLENGE] {
    switch ($var(rc)) {
        case -2:
        case -3:
            route(GUESSED);
            auth_challenge("$var(realm)", "1");
            exit;
        case -4:
        case -6:
            auth_challenge("$var(realm)", "17");
            exit;
        case -1:
            if (!sql_query("ca", "SELECT 1 FROM subscriber LIMIT 1", "rc")) { send_reply("503", "Service Unavailable"); exit; }
            sql_result_free("rc");
            # Whole, but on a nonce of another server or of before a restart.
            if ($hdr(Authorization) =~ "response=\"[0-9a-fA-F]{32}\"" || $hdr(Proxy-Authorization) =~ "response=\"[0-9a-fA-F]{32}\"") {
                auth_challenge("$var(realm)", "17");
                exit;
            }
    }
    auth_challenge("$var(realm)", "1");
    exit;
}

# A wrong digest counts, for its user name and for its address; what has none, or has one on a nonce that is not ours, does not. A
# nonce holds for the address that it was given to (auth_checks), so nobody else can make an address count.
route[GUESSED] {
    $var(user) = $(au{s.tolower});
    $var(guesses) = $shtinc(guesses=>$var(network)|$var(user));
    $var(guesses) = $shtinc(guesses=>$var(network));
    xlog("L_NOTICE", "authentication failed: method=$rm user=${logText('au')} realm=$var(realm) address=$si\n");
    if (@USER_GUESSES@ > 0 && $sht(guesses=>$var(network)|$var(user)) == @USER_GUESSES@)
        xlog("L_WARN", "user=${logText('au')} is refused from $si for @BAN_SECONDS@ s\n");
    if (@ADDRESS_GUESSES@ > 0 && $var(guesses) == @ADDRESS_GUESSES@ && $sht(known=>$var(network)) == $null)
        xlog("L_WARN", "$si is banned for @BAN_SECONDS@ s\n");
}

# Refuses a user name that was guessed at from this address too often, whatever the digest says, where users have signed
# in, too.
route[GUESSES] {
    if (@USER_GUESSES@ == 0 || $au == $null) return;
    $var(user) = $(au{s.tolower});
    if ($sht(guesses=>$var(network)|$var(user)) >= @USER_GUESSES@) { send_reply("403", "Too many failures"); exit; }
}
`;

/** Whether the address, in hexadecimal, is within an entry of the view `acl`. IPv4 in IPv6 is IPv4 (RFC 4291, 2.5.5.2). */
function withinEntry(hex: string): string {
  const all = `LPAD(IF(LENGTH(${hex}) = 8, CONCAT('FFFF', ${hex}), ${hex}), 32, '0')`;
  const half = (start: number): string => `CAST(CONV(SUBSTRING(${all}, ${String(start)}, 16), 16, 10) AS UNSIGNED)`;
  const isV4 = `(LEFT(${all}, 24) = '00000000000000000000FFFF')`;
  return `family = IF(${isV4}, 4, 6) AND (${half(1)} & mask_high) = (net_high & mask_high) AND (${half(17)} & mask_low) = (net_low & mask_low)`;
}
