import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../ddl';

/** Creates the table of idempotency keys, which make a retried create safe. It contains hashes of the keys only. */
export class IdempotencyKeys1763676910000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table, text } = await dialectOf(runner);
    const statements = [
      `CREATE TABLE idempotency_keys (
        ${id},
        hash varchar(64) NOT NULL,
        fingerprint varchar(64) NOT NULL,
        refs ${text} NOT NULL,
        created_on bigint NOT NULL
      ) ${table}`,
      'CREATE UNIQUE INDEX idempotency_keys_hash ON idempotency_keys (hash)',
      'CREATE INDEX idempotency_keys_created_on ON idempotency_keys (created_on)',
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
