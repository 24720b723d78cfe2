import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const INDEX = 'watched_destinations_place';

/** Creates the table of what was last seen of the destinations of gateways. */
export class WatchedDestinations1764400000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table } = await dialectOf(runner);
    // A place keeps its id as long as its gateway exists: events and webhooks name it by the id. `since` is in milliseconds
    // since the epoch.
    await runner.query(`CREATE TABLE watched_destinations (
      ${id},
      gw_ref varchar(24) NOT NULL,
      host varchar(253) NOT NULL,
      port integer NOT NULL,
      transport varchar(16) NOT NULL,
      state varchar(8) NOT NULL,
      since bigint NOT NULL,
      last_status integer DEFAULT NULL
    ) ${table}`);
    await runner.query(`CREATE UNIQUE INDEX ${INDEX} ON watched_destinations (gw_ref, host, port, transport)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE watched_destinations');
  }
}
