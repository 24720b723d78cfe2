/** What one address may send: how much, and after how many failures nothing at all. */
export const LIMITS = String.raw`# An address is one IPv4 address, or one IPv6 network of 64 bits, which is what one customer has.
route[NETWORK] {
    $var(network) = $si;
    if ($si =~ "^[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:[0-9a-f]+:") $var(network) = $(si{re.subst,/^(([0-9a-f]+:){4}).*/\1:1/});
    else if ($si =~ "::") $var(network) = $(si{re.subst,/::.*//}) + "::1";
}

# Before anything else, for the price of two look-ups in memory. Providers are exempt from the flood limit.
route[LIMITS] {
    route(NETWORK);
    if (@ADDRESS_GUESSES@ > 0 && $sht(guesses=>$var(network)) >= @ADDRESS_GUESSES@ && $sht(known=>$var(network)) == $null) exit;
    if (@FLOOD@ == 0 || $sht(providers=>$si) != $null) return;
    if (pike_check_req()) {
        # pike counts single addresses.
        if ($si == $var(network)) return;
        if ($shtinc(rates=>$var(network)) <= @FLOOD_UNIT@) return;
    }
    if ($sht(flooding=>$var(network)) == $null) {
        $sht(flooding=>$var(network)) = 1;
        xlog("L_WARN", "flood from $si: more than @FLOOD@ requests a second; they are ignored until it ends\n");
    }
    exit;
}
`;
