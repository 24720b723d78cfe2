import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the tables of the health of gateways, which the SIP server measures with OPTIONS. */
export class GatewayHealth1763676986000 extends SqlMigration {
  readonly statements = ({ table }: Dialect): readonly string[] => [
    // Times are milliseconds since the epoch. After `expires_at`, the SIP server no longer checks the gateway. `port` is
    // 0 if the gateway has none. `misses` and `answers` are those in a row.
    `CREATE TABLE gateway_health (
      gw_ref varchar(24) PRIMARY KEY NOT NULL,
      host varchar(253) NOT NULL,
      port integer NOT NULL,
      transport varchar(16) NOT NULL,
      state varchar(8) NOT NULL,
      since bigint NOT NULL,
      checked_on bigint NOT NULL,
      answered_on bigint DEFAULT NULL,
      round_trip integer DEFAULT NULL,
      last_status integer DEFAULT NULL,
      misses integer NOT NULL,
      answers integer NOT NULL,
      expires_at bigint NOT NULL
    ) ${table}`,
    // The SIP server that sends the checks.
    `CREATE TABLE health_lease (
      id integer PRIMARY KEY NOT NULL,
      holder varchar(100) NOT NULL,
      expires_at bigint NOT NULL
    ) ${table}`,
    "INSERT INTO health_lease (id, holder, expires_at) VALUES (1, '', 0)",
  ];
}
