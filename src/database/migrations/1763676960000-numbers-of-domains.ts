import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the numbers whose address of record is in a domain. */
export class NumbersOfDomains1763676960000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX numbers_aor_host ON numbers (aor_host, kind)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const { type } = runner.dataSource.options;
    await runner.query(`DROP INDEX numbers_aor_host${type === 'better-sqlite3' ? '' : ' ON numbers'}`);
  }
}
