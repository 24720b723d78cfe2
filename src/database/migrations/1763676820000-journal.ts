import { randomBytes } from 'node:crypto';

import type { QueryRunner } from 'typeorm';

import { SqlMigration, type Dialect } from '../ddl';

const COLUMNS = [
  ...['who varchar(100)', 'who_ref varchar(24)', 'api_token varchar(24)', 'way varchar(16)'],
  ...['address varchar(64)', 'request varchar(64)'],
];
const START = '0'.repeat(64);

/**
 * Makes the outbox the journal: who made a change, how, and what it was before. The writers of this version use a new
 * table for changes without a number, because a sequencer of an earlier version would drop the new columns.
 */
export class Journal1763676820000 extends SqlMigration {
  readonly statements = ({ id, table, text }: Dialect): readonly string[] => {
    const columns = [...COLUMNS, `details ${text}`];
    return [
      ...columns.map((column) => `ALTER TABLE changes ADD COLUMN ${column}`),
      'CREATE INDEX changes_ref ON changes (kind, ref, id)',
      'CREATE INDEX changes_who ON changes (who, kind, id)',
      'CREATE INDEX changes_way ON changes (way, kind, id)',
      'CREATE INDEX changes_did ON changes (did, kind, id)',
      'CREATE INDEX changes_request ON changes (request, kind, id)',
      `CREATE TABLE unnumbered_entries (
        ${id},
        at bigint NOT NULL,
        kind varchar(16) NOT NULL,
        ref varchar(255) NOT NULL,
        did varchar(16) NOT NULL,
        ${columns.join(', ')}
      ) ${table}`,
      // The hash of each entry of the journal and of all entries before it.
      `CREATE TABLE history_hashes (
        id bigint PRIMARY KEY NOT NULL,
        hash varchar(64) NOT NULL
      ) ${table}`,
      // Entries up to \`chained\` have a hash; \`hash\` is the last one. Entries up to \`trimmed\` were deleted, or are
      // older than the journal; \`anchor\` is the hash of the last one, and \`trimmed_at\` its time.
      `CREATE TABLE history_head (
        id integer PRIMARY KEY NOT NULL,
        chained bigint NOT NULL,
        hash varchar(64) NOT NULL,
        trimmed bigint NOT NULL,
        anchor varchar(64) NOT NULL,
        trimmed_at bigint NOT NULL
      ) ${table}`,
      `INSERT INTO history_head (id, chained, hash, trimmed, anchor, trimmed_at)
       SELECT 1, last, '${START}', last, '${START}', CASE last WHEN 0 THEN 0 ELSE ${String(Date.now())} END
       FROM change_head WHERE id = 1`,
      `INSERT INTO settings (name, value) VALUES ('fingerprint_key', '${randomBytes(32).toString('base64')}')`,
    ];
  };

  override async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM settings WHERE name = 'fingerprint_key'");
    await super.down(runner);
  }
}
