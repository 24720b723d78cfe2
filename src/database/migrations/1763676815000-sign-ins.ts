import { SqlMigration, type Dialect } from '../ddl';

/** Creates the table of sign-ins, and the column of users that holds those which the user has ended. */
export class SignIns1763676815000 extends SqlMigration {
  readonly statements = ({ id, table, foreignKey }: Dialect): readonly string[] => [
    `CREATE TABLE sign_ins (
      ${id},
      ref varchar(24) NOT NULL,
      user_id bigint NOT NULL,
      generation integer NOT NULL,
      kid varchar(32) NOT NULL,
      address varchar(64) NOT NULL,
      created_on bigint NOT NULL,
      expires_on bigint NOT NULL,
      ${foreignKey('sign_ins_user_id', 'user_id', 'users', 'CASCADE')}
    ) ${table}`,
    'CREATE UNIQUE INDEX sign_ins_ref ON sign_ins (ref)',
    'CREATE INDEX sign_ins_user ON sign_ins (user_id)',
    'CREATE INDEX sign_ins_expires_on ON sign_ins (expires_on)',
    'ALTER TABLE users ADD COLUMN ended_sign_ins varchar(2000) DEFAULT NULL',
  ];
}
