import { SqlMigration, type Dialect } from '../../ddl';

/** Adds what is needed to tell changes of the health of gateways, and to sample it. */
export class WatchedHealth1763676995100 extends SqlMigration {
  readonly statements = ({ table }: Dialect): readonly string[] => [
    `CREATE TABLE watched_health (
      gw_ref varchar(24) PRIMARY KEY NOT NULL,
      state varchar(8) NOT NULL
    ) ${table}`,
    // Of gateways that do not register. NULL in samples of a version that does not count them.
    'ALTER TABLE samples ADD COLUMN trunks_up double precision DEFAULT NULL',
    'ALTER TABLE samples ADD COLUMN trunks_down double precision DEFAULT NULL',
  ];
}
