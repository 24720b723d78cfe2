import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the table with the uses of what is deprecated in the graph, by API tokens and users. */
export class DeprecatedUses1764200006000 extends SqlMigration {
  readonly statements = ({ id, table, foreignKey }: Dialect): readonly string[] => [
    // `subject` is the ref of the API token, or of the user without one.
    `CREATE TABLE deprecated_uses (
      ${id},
      subject varchar(24) NOT NULL,
      field varchar(200) NOT NULL,
      uses bigint NOT NULL,
      used_on bigint NOT NULL,
      user_id bigint,
      token_id bigint,
      ${foreignKey('deprecated_uses_user_id', 'user_id', 'users', 'CASCADE')},
      ${foreignKey('deprecated_uses_token_id', 'token_id', 'api_tokens', 'CASCADE')}
    ) ${table}`,
    'CREATE UNIQUE INDEX deprecated_uses_of ON deprecated_uses (subject, field)',
    // For SQLite, which would read the whole table when a user or a token is deleted.
    'CREATE INDEX deprecated_uses_user ON deprecated_uses (user_id)',
    'CREATE INDEX deprecated_uses_token ON deprecated_uses (token_id)',
  ];
}
