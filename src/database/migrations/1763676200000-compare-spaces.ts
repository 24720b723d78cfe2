import type { MigrationInterface, QueryRunner } from 'typeorm';

import { COLLATIONS, productOf } from '../ddl';

/**
 * Makes trailing spaces significant in older tables, where MySQL compared `a` and `a ` as equal, unlike the other
 * databases.
 */
export class CompareSpaces1763676200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { dataSource } = runner;
    if (dataSource.options.type === 'better-sqlite3') return;
    const collation = COLLATIONS[await productOf(dataSource)];
    const tables = (await runner.query(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = DATABASE() AND table_collation = 'utf8mb4_bin' AND table_name <> 'migrations'`,
    )) as { readonly name: string }[];
    for (const { name } of tables) {
      await runner.query(`ALTER TABLE \`${name}\` CONVERT TO CHARACTER SET utf8mb4 COLLATE ${collation}`);
    }
  }

  /** Keeps the collation: values may now differ only in trailing spaces. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
