import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'gateways_number_form';

/** An index of how gateways write numbers, by which calls from them are read. */
export class NumberForms1764400000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ${INDEX} ON gateways (number_country, number_plus, number_trunk)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP INDEX ${INDEX}${runner.dataSource.options.type === 'better-sqlite3' ? '' : ' ON gateways'}`,
    );
  }
}
