import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the table of what was last seen of the destinations of gateways. */
export class WatchedDestinations1764400000050 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    // A place keeps its id as long as its gateway exists: events and webhooks name it by the id. `since` is in milliseconds
    // since the epoch.
    `CREATE TABLE watched_destinations (
      ${id},
      gw_ref varchar(24) NOT NULL,
      host varchar(253) NOT NULL,
      port integer NOT NULL,
      transport varchar(16) NOT NULL,
      state varchar(8) NOT NULL,
      since bigint NOT NULL,
      last_status integer DEFAULT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX watched_destinations_place ON watched_destinations (gw_ref, host, port, transport)',
  ];
}
