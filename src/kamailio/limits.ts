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

# Modules copy URIs into buffers of 1024 bytes. No limit here is below what the tables hold.
route[SIZE] {
    if ($ml <= 16384 && $(ru{s.len}) <= 512 && $(ct{s.len}) <= 2048 && $(ct{nameaddr.uri}{s.len}) <= 512) return;
    if (is_method("ACK")) exit;
    if ($ml > 16384) sl_send_reply("513", "Message Too Large");
    else if ($(ru{s.len}) > 512) sl_send_reply("414", "Request-URI Too Long");
    else sl_send_reply("400", "Contact Too Long");
    exit;
}

# Follows the alias that set_contact_alias() wrote. handle_ruri_alias() copies the R-URI into a buffer of 1024 bytes without
# looking at its length (Kamailio 5.6), and by now the R-URI may have come from a Route.
route[ALIAS] {
    if ($(ru{s.len}) <= 512 && !($(ru{re.subst,/;alias=[][0-9a-fA-F:.]+~[0-9]+~[1-7]//g}) =~ ";alias=")) {
        if ($ru =~ ";alias=") handle_ruri_alias();
        return;
    }
    if (is_method("ACK")) exit;
    sl_send_reply("400", "Bad alias in Request-URI");
    exit;
}
`;
