import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const COLUMNS = ['planned', 'foreseen'];

/** Lets sets of changes be made later: adds the changes, and what a simulation said about them. */
export class ScheduledChanges1764200002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { text } = await dialectOf(runner);
    // Both are JSON (pending/schedule.ts).
    for (const name of COLUMNS)
      await runner.query(`ALTER TABLE pending_changes ADD COLUMN ${name} ${text} DEFAULT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of COLUMNS) await runner.query(`ALTER TABLE pending_changes DROP COLUMN ${name}`);
  }
}
