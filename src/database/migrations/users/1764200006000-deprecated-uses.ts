import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

/** Creates the table with the uses of what is deprecated in the graph, by API tokens and users. */
export class DeprecatedUses1764200006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table, foreignKey } = await dialectOf(runner);
    // `subject` is the ref of the API token, or of the user without one.
    await runner.query(`CREATE TABLE deprecated_uses (
      ${id},
      subject varchar(24) NOT NULL,
      field varchar(200) NOT NULL,
      uses bigint NOT NULL,
      used_on bigint NOT NULL,
      user_id bigint,
      token_id bigint,
      ${foreignKey('deprecated_uses_user_id', 'user_id', 'users', 'CASCADE')},
      ${foreignKey('deprecated_uses_token_id', 'token_id', 'api_tokens', 'CASCADE')}
    ) ${table}`);
    const create = async (name: string, unique: string, columns: string): Promise<void> => {
      await runner.query(`CREATE ${unique} INDEX ${name} ON deprecated_uses (${columns})`);
    };
    await create('deprecated_uses_of', 'UNIQUE', 'subject, field');
    // For SQLite, which would read the whole table when a user or a token is deleted.
    await create('deprecated_uses_user', '', 'user_id');
    await create('deprecated_uses_token', '', 'token_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deprecated_uses');
  }
}
