import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the table of the views of lists that users have saved. */
export class Views1763676996600 extends SqlMigration {
  readonly statements = ({ id, table, foreignKey }: Dialect): readonly string[] => [
    `CREATE TABLE views (
      ${id},
      ref varchar(24) NOT NULL,
      user_id bigint NOT NULL,
      list varchar(40) NOT NULL,
      name varchar(60) NOT NULL,
      content varchar(4096) NOT NULL,
      ${foreignKey('views_user_id', 'user_id', 'users', 'CASCADE')}
    ) ${table}`,
    'CREATE UNIQUE INDEX views_ref ON views (ref)',
    'CREATE UNIQUE INDEX views_name ON views (user_id, list, name)',
  ];
}
