import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the table of the health of gateways and their destinations over time. */
export class HealthStates1764200005000 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    // As in gateway_health, if `is_host` is 1, and else as in destination_health. Times are milliseconds since the epoch; the
    // `until_on` of a current state is the largest integer that JavaScript represents exactly.
    `CREATE TABLE health_states (
      ${id},
      gw_ref varchar(24) NOT NULL,
      is_host integer NOT NULL,
      host varchar(253) NOT NULL,
      port integer NOT NULL,
      transport varchar(16) NOT NULL,
      state varchar(8) NOT NULL,
      since_on bigint NOT NULL,
      until_on bigint NOT NULL
    ) ${table}`,
    'CREATE INDEX health_states_gw_ref ON health_states (gw_ref, until_on)',
    'CREATE INDEX health_states_until_on ON health_states (until_on)',
  ];
}
