import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

/** Creates the table of the views of lists that users have saved. */
export class Views1763676996600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table, foreignKey } = await dialectOf(runner);
    await runner.query(`CREATE TABLE views (
      ${id},
      ref varchar(24) NOT NULL,
      user_id bigint NOT NULL,
      list varchar(40) NOT NULL,
      name varchar(60) NOT NULL,
      content varchar(4096) NOT NULL,
      ${foreignKey('views_user_id', 'user_id', 'users', 'CASCADE')}
    ) ${table}`);
    await runner.query('CREATE UNIQUE INDEX views_ref ON views (ref)');
    await runner.query('CREATE UNIQUE INDEX views_name ON views (user_id, list, name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE views');
  }
}
