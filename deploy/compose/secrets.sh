#!/bin/sh
# Prints new secrets for compose.yml: ./compose/secrets.sh > .env
set -eu
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
for name in MARIADB_ROOT_PASSWORD SIPGRAPH_PASSWORD INSTALLER_PASSWORD KAMAILIO_PASSWORD SIP_RPC_TOKEN ADMIN_SECRET; do
  echo "$name=$(secret)"
done
echo '# The address of this machine that phones and providers reach.'
echo 'SIP_ADDRESS=127.0.0.1:5060'
echo '# The public address of a NAT in front of it, if there is one.'
echo 'SIP_ADVERTISE='
