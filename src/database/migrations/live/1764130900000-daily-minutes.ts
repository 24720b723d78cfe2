import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const TABLES = ['gateways', 'domains', 'agents'];
const COLUMN = 'daily_minutes';

/** Adds the limits of minutes a day by prefix, and how many seconds of them are used. */
export class DailyMinutes1764130900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table, text } = await dialectOf(runner);
    for (const name of TABLES) await runner.query(`ALTER TABLE ${name} ADD COLUMN ${COLUMN} ${text}`);
    // `day` is that of UTC since the epoch. `kind` and `ref` are what has the limit.
    await runner.query(`CREATE TABLE used_minutes (
      ${id},
      day integer NOT NULL,
      kind varchar(16) NOT NULL,
      ref varchar(24) NOT NULL,
      prefix varchar(25) NOT NULL,
      seconds bigint NOT NULL
    ) ${table}`);
    await runner.query('CREATE UNIQUE INDEX used_minutes_of ON used_minutes (day, kind, ref, prefix)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE used_minutes');
    for (const name of TABLES) await runner.query(`ALTER TABLE ${name} DROP COLUMN ${COLUMN}`);
  }
}
