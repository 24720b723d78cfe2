import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

/** Creates the table of the documents that API tokens may send. */
export class ApiTokenDocuments1764200003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table, text, foreignKey } = await dialectOf(runner);
    await runner.query(`CREATE TABLE api_token_documents (
      ${id},
      token_id bigint NOT NULL,
      hash varchar(64) NOT NULL,
      name varchar(200) NOT NULL,
      text ${text} NOT NULL,
      ${foreignKey('api_token_documents_token_id', 'token_id', 'api_tokens', 'CASCADE')}
    ) ${table}`);
    await runner.query('CREATE UNIQUE INDEX api_token_documents_of ON api_token_documents (token_id, hash)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_token_documents');
  }
}
