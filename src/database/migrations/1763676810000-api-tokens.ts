import { SqlMigration, type Dialect } from '../ddl';

/** Creates the table of API tokens, which contains their hashes only. */
export class ApiTokens1763676810000 extends SqlMigration {
  readonly statements = ({ id, table, foreignKey }: Dialect): readonly string[] => [
    `CREATE TABLE api_tokens (
      ${id},
      ref varchar(24) NOT NULL,
      user_id bigint NOT NULL,
      slot integer NOT NULL,
      hash varchar(64) NOT NULL,
      name varchar(100) NOT NULL,
      note varchar(500),
      role varchar(16) NOT NULL,
      created_on bigint NOT NULL,
      expires_on bigint,
      used_on bigint,
      used_from varchar(64),
      ${foreignKey('api_tokens_user_id', 'user_id', 'users', 'CASCADE')}
    ) ${table}`,
    'CREATE UNIQUE INDEX api_tokens_ref ON api_tokens (ref)',
    'CREATE UNIQUE INDEX api_tokens_hash ON api_tokens (hash)',
    // Also bounds the number of tokens of a user, because slots are small numbers.
    'CREATE UNIQUE INDEX api_tokens_user ON api_tokens (user_id, slot)',
  ];
}
