#!/bin/bash
# Creates the databases and users on the first start of the database (docs/kamailio.md, "Rights in the database"). Passwords come from
# the file .env; deploy/compose/secrets.sh generates them without quotes.
set -eu
mariadb --user=root --password="$MARIADB_ROOT_PASSWORD" <<SQL
CREATE DATABASE IF NOT EXISTS sipgraph CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE USER sipgraph@'%' IDENTIFIED BY '$SIPGRAPH_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON sipgraph.* TO sipgraph@'%';
CREATE USER installer@'%' IDENTIFIED BY '$INSTALLER_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON sipgraph.* TO installer@'%';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, INDEX, CREATE VIEW, SHOW VIEW ON kamailio.* TO installer@'%' WITH GRANT OPTION;
GRANT SELECT ON mysql.* TO installer@'%';
GRANT CREATE USER ON *.* TO installer@'%';
SQL
