import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

/** Lets sets of changes be made later: adds the changes, and what a simulation said about them. */
export class ScheduledChanges1764200002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { text } = await dialectOf(runner);
    // `planned` and `foreseen` are JSON (pending/schedule.ts), `foreseen_calls` too.
    const columns = { planned: text, foreseen: text, foreseen_calls: 'varchar(500)' };
    for (const [name, type] of Object.entries(columns))
      // A process that was killed may have left some of this: servers do not roll it back.
      if (!(await runner.hasColumn('pending_changes', name)))
        await runner.query(`ALTER TABLE pending_changes ADD COLUMN ${name} ${type} DEFAULT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['planned', 'foreseen', 'foreseen_calls'])
      await runner.query(`ALTER TABLE pending_changes DROP COLUMN ${name}`);
  }
}
