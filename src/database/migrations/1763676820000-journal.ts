import { randomBytes } from 'node:crypto';

import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../ddl';

const ENTRY = ['who varchar(100)', 'who_ref varchar(24)', 'api_token varchar(24)', 'way varchar(16)'];
const REQUEST = ['address varchar(64)', 'request varchar(64)'];
const INDEXES = {
  changes_ref: '(kind, ref, id)',
  changes_who: '(who, kind, id)',
  changes_way: '(way, kind, id)',
  changes_did: '(did, kind, id)',
  changes_request: '(request, kind, id)',
};
const START = '0'.repeat(64);

/**
 * Makes the outbox the journal: who made a change, how, and what it was before. The writers of this version use a new
 * table for changes without a number, because a sequencer of an earlier version would drop the new columns.
 */
export class Journal1763676820000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table, text } = await dialectOf(runner);
    const columns = [...ENTRY, ...REQUEST, `details ${text}`];
    const statements = [
      ...columns.map((column) => `ALTER TABLE changes ADD COLUMN ${column}`),
      ...Object.entries(INDEXES).map(([name, on]) => `CREATE INDEX ${name} ON changes ${on}`),
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
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { table } = await dialectOf(runner);
    await runner.query("DELETE FROM settings WHERE name = 'fingerprint_key'");
    for (const name of ['history_head', 'history_hashes', 'unnumbered_entries'])
      await runner.query(`DROP TABLE ${name}`);
    for (const name of Object.keys(INDEXES))
      await runner.query(table === '' ? `DROP INDEX ${name}` : `DROP INDEX ${name} ON changes`);
    for (const column of ['details', ...[...ENTRY, ...REQUEST].map((each) => each.split(' ')[0] ?? '')])
      await runner.query(`ALTER TABLE changes DROP COLUMN ${column}`);
  }
}
