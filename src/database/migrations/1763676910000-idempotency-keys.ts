import { SqlMigration, type Dialect } from '../ddl';

/** Creates the table of idempotency keys, which make a retried create safe. It contains hashes of the keys only. */
export class IdempotencyKeys1763676910000 extends SqlMigration {
  readonly statements = ({ id, table, text }: Dialect): readonly string[] => [
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
}
