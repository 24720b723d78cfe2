import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['previous_secret varchar(100)', 'previous_until bigint'];

/** Lets the previous secret of a webhook stay valid for a time. */
export class WebhookSecrets1763676950000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE webhooks ADD COLUMN ${column}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE webhooks DROP COLUMN ${column.split(' ')[0] ?? ''}`);
  }
}
