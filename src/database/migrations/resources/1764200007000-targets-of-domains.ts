import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'number_targets_host';

/** Adds the index by which the further targets in a domain are found. */
export class TargetsOfDomains1764200007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ${INDEX} ON number_targets (aor_host, number_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const of = runner.dataSource.options.type === 'better-sqlite3' ? '' : ' ON number_targets';
    await runner.query(`DROP INDEX ${INDEX}${of}`);
  }
}
