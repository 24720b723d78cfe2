import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the table of the documents that API tokens may send. */
export class ApiTokenDocuments1764200003000 extends SqlMigration {
  readonly statements = ({ id, table, text, foreignKey }: Dialect): readonly string[] => [
    `CREATE TABLE api_token_documents (
      ${id},
      token_id bigint NOT NULL,
      hash varchar(64) NOT NULL,
      name varchar(200) NOT NULL,
      text ${text} NOT NULL,
      ${foreignKey('api_token_documents_token_id', 'token_id', 'api_tokens', 'CASCADE')}
    ) ${table}`,
    'CREATE UNIQUE INDEX api_token_documents_of ON api_token_documents (token_id, hash)',
  ];
}
