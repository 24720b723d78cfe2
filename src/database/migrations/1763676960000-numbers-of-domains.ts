import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the numbers whose address of record is in a domain. */
export class NumbersOfDomains1763676960000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A process that was killed may have left it: servers do not roll it back.
    const table = await runner.getTable('numbers');
    if (table?.indices.some(({ name }) => name === 'numbers_aor_host')) return;
    await runner.query('CREATE INDEX numbers_aor_host ON numbers (aor_host, kind)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const { type } = runner.dataSource.options;
    await runner.query(`DROP INDEX numbers_aor_host${type === 'better-sqlite3' ? '' : ' ON numbers'}`);
  }
}
