import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the attempts of calls, and the index for the calls of a number through a gateway. */
export class CallAttempts1763677016400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A process that was killed may have left some of this: servers do not roll it back.
    // A JSON object with an array for each attempt, by its number (call-attempts.ts). NULL in calls of an earlier
    // configuration of Kamailio.
    if (!(await runner.hasColumn('calls', 'attempts')))
      await runner.query('ALTER TABLE calls ADD COLUMN attempts text DEFAULT NULL');
    const made = (await runner.getTable('calls'))?.indices.map(({ name }) => name) ?? [];
    if (!made.includes('calls_number_gateway'))
      await runner.query('CREATE INDEX calls_number_gateway ON calls (number, gateway_ref, begun)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP INDEX calls_number_gateway${runner.dataSource.options.type === 'better-sqlite3' ? '' : ' ON calls'}`,
    );
    await runner.query('ALTER TABLE calls DROP COLUMN attempts');
  }
}
