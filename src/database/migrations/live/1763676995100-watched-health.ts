import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

// Of gateways that do not register. NULL in samples of a version that does not count them.
const COLUMNS = ['trunks_up', 'trunks_down'];

/** Adds what is needed to tell changes of the health of gateways, and to sample it. */
export class WatchedHealth1763676995100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { table } = await dialectOf(runner);
    await runner.query(`CREATE TABLE watched_health (
      gw_ref varchar(24) PRIMARY KEY NOT NULL,
      state varchar(8) NOT NULL
    ) ${table}`);
    for (const column of COLUMNS) {
      await runner.query(`ALTER TABLE samples ADD COLUMN ${column} double precision DEFAULT NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE samples DROP COLUMN ${column}`);
    await runner.query('DROP TABLE watched_health');
  }
}
