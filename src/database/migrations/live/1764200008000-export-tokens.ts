import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'export_jobs';
const COLUMN = 'api_token_ref';

/** Adds the API token that started an export; null after a sign-in. */
export class ExportTokens1764200008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} varchar(24)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
