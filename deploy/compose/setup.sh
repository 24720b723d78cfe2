#!/bin/sh
# Creates Kamailio's schema and user, and writes its configuration. Both can be repeated.
set -eu
sipgraph kamailio install --host '%'
sipgraph kamailio config --sip "$SIP_ADDRESS" ${SIP_ADVERTISE:+--advertise "$SIP_ADVERTISE"} --rpc 127.0.0.1:5080 --run /run/kamailio --output "$CONFIG_DIRECTORY/kamailio.cfg"
