import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'number_targets_outside';

/** Adds the index by which the further targets that are an outside number are found. */
export class OutsideTargets1764400000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ${INDEX} ON number_targets (outside, number_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const of = runner.dataSource.options.type === 'better-sqlite3' ? '' : ' ON number_targets';
    await runner.query(`DROP INDEX ${INDEX}${of}`);
  }
}
