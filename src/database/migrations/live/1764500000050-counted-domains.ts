import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the domains for which a call counts: their refs, with a comma between two, or `-` for none. NULL in calls of an earlier
 * configuration of Kamailio, which may go on writing.
 */
export class CountedDomains1764500000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD COLUMN domains varchar(64) DEFAULT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP COLUMN domains');
  }
}
