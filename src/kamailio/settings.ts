import { logText } from './log-text';

/** What Kamailio listens at and loads, and how its modules are set. */
export const SETTINGS = String.raw`#!KAMAILIO
# A SIP server that reads sipgraph's model through SQL views, and writes who is registered. For Kamailio 5.6 to 6.1;
# printed by "sipgraph kamailio config". Start it with enough shared memory for its contacts: kamailio -m 256.
#!define DBURL "@DBURL@"
#!define FLT_EGRESS 5
#!define FLT_PRIVATE 6
#!define FLB_NATB 6

debug=2
log_stderror=yes
log_prefix="{$mt $cs ${logText('rm')} ${logText('ci')}} "
corelog=3                         # what a stranger sends that cannot be parsed is not logged
children=@WORKERS@
tcp_children=@WORKERS@
auto_aliases=no
dns_cache_init=off                # off: names resolve through libc (/etc/hosts, Docker DNS); on: DNS only
rev_dns=off
dns_retr_time=1
dns_retr_no=2
disable_tls=yes
server_signature=no
tcp_accept_no_cl=yes            # HTTP without Content-Length
tcp_connection_lifetime=30        # until somebody is known to be a user
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
loadmodule "dialog.so"
loadmodule "pike.so"
loadmodule "tcpops.so"
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
modparam("auth_db", "load_credentials", "$avp(user)=username;$avp(domain)=domain;$avp(ref)=ref;$avp(kind)=kind;$avp(most)=max_contacts;$avp(private)=private")   # extra view columns
# A nonce is good for one request, from the address that it was given to (8): a digest cannot be replayed, with qop or
# without, and nobody can make wrong guesses in another one's name. nonce_count would ask for neither where a digest has nc.
modparam("auth", "one_time_nonce", 1)
modparam("auth", "auth_checks_register", 8)
modparam("auth", "auth_checks_no_dlg", 8)
modparam("auth", "auth_checks_in_dlg", 8)
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
modparam("usrloc", "handle_lost_tcp", 1)              # a phone is not called over a connection that is gone
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
modparam("uac", "restore_mode", "auto")                # an answer names whom the caller named (RFC 3261, 8.2.6.2)
modparam("uac", "reg_keep_callid", 1)
modparam("uac", "auth_realm_avp", "$avp(arealm)")
modparam("uac", "auth_username_avp", "$avp(auser)")
modparam("uac", "auth_password_avp", "$avp(apass)")

# --- calls in progress
modparam("dialog", "db_url", DBURL)
modparam("dialog", "db_mode", 1)                     # each change is written at once: calls outlive a crash
modparam("dialog", "dlg_match_mode", 2)              # by Call-ID and tags, not by what a Route says
modparam("dialog", "track_cseq_updates", 1)          # a challenge is answered with the next CSeq (RFC 3261, 22.2)
modparam("dialog", "default_timeout", 43200)         # 12 h after the last request
modparam("htable", "htable", "subscriptions=>size=10;autoexpire=7200;")

# --- limits
modparam("pike", "sampling_time_unit", 2)
modparam("pike", "reqs_density_per_unit", @FLOOD_UNIT@)
modparam("pike", "remove_latency", 4)
modparam("pike", "pike_log_level", 3)                # said once in route[LIMITS]
modparam("htable", "htable", "rates=>size=8;autoexpire=2;initval=0;updateexpire=0;")
modparam("htable", "htable", "flooding=>size=8;autoexpire=60;")
modparam("htable", "htable", "guesses=>size=12;autoexpire=@BAN_SECONDS@;initval=0;updateexpire=0;")
modparam("htable", "htable", "known=>size=12;autoexpire=7200;")

# --- addresses of gateways
modparam("htable", "htable", "addresses=>size=10;autoexpire=3600;")   # of hosts: host|address
modparam("htable", "htable", "providers=>size=10;autoexpire=3600;")   # addresses
modparam("htable", "htable", "hops=>size=10;autoexpire=3600;")        # host|port|transport, and where it is
modparam("htable", "htable", "resolved=>size=10;autoexpire=60;")
modparam("rtimer", "timer", "name=resolve;interval=3;mode=1;")
modparam("rtimer", "exec", "timer=resolve;route=RESOLVE")

modparam("htable", "htable", "regci=>size=8;autoexpire=7200;")
modparam("htable", "htable", "reghost=>size=8;autoexpire=7200;")
modparam("htable", "htable", "regaddress=>size=8;autoexpire=7200;")
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
`;
