import type { QueryRunner } from 'typeorm';

import { SqlMigration, type Dialect } from '../../ddl';

// The number of digits in two digits, and the digits. Empty for what no range can have inside.
const KEY = `CASE WHEN LENGTH(tel_digits) BETWEEN 1 AND 20
  THEN CONCAT(SUBSTR(CONCAT('0', LENGTH(tel_digits)), -2), tel_digits) ELSE '' END`;
const BATCH = 5000;

/**
 * Adds the key by which the numbers inside a range are found, and the rows by which transactions of several nodes conflict. The
 * previous version leaves the key of numbers that it creates NULL, and the former key in those whose digits it changes:
 * `maintainNumberKeys` writes them.
 */
export class DigitsKeys1764300000000 extends SqlMigration {
  readonly statements = ({ table }: Dialect): readonly string[] => [
    'ALTER TABLE numbers ADD COLUMN digits_key varchar(22)',
    'CREATE INDEX numbers_digits_key ON numbers (digits_key, gateway_id)',
    `CREATE TABLE number_guards (
      block varchar(24) NOT NULL,
      value varchar(16) NOT NULL,
      PRIMARY KEY (block)
    ) ${table}`,
  ];

  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    await fill(runner);
  }
}

/**
 * Writes the keys in pieces, so that no transaction locks many rows: on servers, the statements above have ended that of TypeORM, even if
 * what they create existed.
 */
async function fill(runner: QueryRunner): Promise<void> {
  for (let last = 0; ;) {
    const [piece] = (await runner.query(
      `SELECT MAX(id) AS end FROM (SELECT id FROM numbers WHERE id > ? ORDER BY id LIMIT ${String(BATCH)}) n`,
      [last],
    )) as readonly { readonly end: number | string | null }[];
    if (piece?.end === null || piece === undefined) return;
    const end = Number(piece.end);
    await runner.query(`UPDATE numbers SET digits_key = ${KEY} WHERE id > ? AND id <= ? AND digits_key IS NULL`, [
      last,
      end,
    ]);
    last = end;
  }
}
