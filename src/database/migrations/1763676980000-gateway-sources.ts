import { SqlMigration, type Dialect } from '../ddl';

/** The networks from which a provider sends calls, and the addresses from which calls were refused. */
export class GatewaySources1763676980000 extends SqlMigration {
  readonly statements = ({ text, table }: Dialect): readonly string[] => [
    `ALTER TABLE gateways ADD COLUMN sources ${text}`,
    // Kamailio chooses one of 1,024 places for a gateway and an address, so callers cannot make the table grow.
    `CREATE TABLE refused_callers (
      place integer PRIMARY KEY NOT NULL,
      gw_ref varchar(24) NOT NULL,
      ip varchar(64) NOT NULL,
      did varchar(100) NOT NULL,
      calls bigint NOT NULL,
      first_at bigint NOT NULL,
      last_at bigint NOT NULL
    ) ${table}`,
  ];
}
