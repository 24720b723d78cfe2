import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../ddl';

/**
 * Creates the table of changes that are not numbered yet, so that writers need no lock to get a number. Changes with a
 * number stay in `changes`.
 */
export class NumberChanges1763676700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table } = await dialectOf(runner);
    const statements = [
      `CREATE TABLE unnumbered_changes (
        ${id},
        at bigint NOT NULL,
        kind varchar(16) NOT NULL,
        ref varchar(255) NOT NULL,
        did varchar(16) NOT NULL
      ) ${table}`,
      // For reads of the changes of a kind after a number.
      'CREATE INDEX changes_kind ON changes (kind, id, did)',
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unnumbered_changes');
    const { table } = await dialectOf(runner);
    await runner.query(table === '' ? 'DROP INDEX changes_kind' : 'DROP INDEX changes_kind ON changes');
  }
}
