import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the attempts of calls, the index for the calls of a number through a gateway, and the sample of calls in progress. */
export class CallAttempts1763677016400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A JSON object with an array for each attempt, by its number (call-attempts.ts). NULL in calls of an earlier
    // configuration of Kamailio.
    await runner.query('ALTER TABLE calls ADD COLUMN attempts text DEFAULT NULL');
    // NULL in samples of a version that does not count them.
    await runner.query('ALTER TABLE samples ADD COLUMN calls double precision DEFAULT NULL');
    await runner.query('CREATE INDEX calls_number_gateway ON calls (number, gateway_ref, begun)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP INDEX calls_number_gateway${runner.dataSource.options.type === 'better-sqlite3' ? '' : ' ON calls'}`,
    );
    await runner.query('ALTER TABLE samples DROP COLUMN calls');
    await runner.query('ALTER TABLE calls DROP COLUMN attempts');
  }
}
