import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const TABLES = ['gateways', 'agents', 'peers', 'domains', 'numbers', 'routes'];
const COLUMNS = ['labels', 'note'];

/** Adds the labels and the note that every resource can have. */
export class Labels1763676996700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { text } = await dialectOf(runner);
    for (const table of TABLES)
      for (const column of COLUMNS) await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${text}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      for (const column of COLUMNS) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
