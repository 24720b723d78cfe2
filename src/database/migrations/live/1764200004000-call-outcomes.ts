import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = {
  // Null in samples of an earlier version.
  samples: [
    ...[
      'calls_answered',
      'calls_busy',
      'calls_failed_4xx',
      'calls_failed_5xx',
      'calls_failed_6xx',
      'calls_failed_other',
    ].map((name) => `${name} double precision DEFAULT NULL`),
  ],
  // Those of a node whose configuration is of an earlier version stay 0.
  call_nodes: ['busy', 'failed_4xx', 'failed_5xx', 'failed_6xx'].map((name) => `${name} bigint NOT NULL DEFAULT 0`),
};

/** Adds the calls by what became of them: to samples, and to what nodes have counted. */
export class CallOutcomes1764200004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const column of columns) await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const column of columns) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${nameOf(column)}`);
  }
}

function nameOf(column: string): string {
  return column.split(' ', 1)[0] ?? '';
}
