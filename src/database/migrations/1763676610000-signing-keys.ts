import { SqlMigration, type Dialect } from '../ddl';

/** Creates the tables of the signing keys, and of the users whose Routr v1 tokens are still accepted. */
export class SigningKeys1763676610000 extends SqlMigration {
  readonly statements = ({ table }: Dialect): readonly string[] => [
    `CREATE TABLE signing_keys (
      kid varchar(32) PRIMARY KEY NOT NULL,
      secret varchar(100) NOT NULL,
      created_on bigint NOT NULL,
      retired_on bigint
    ) ${table}`,
    // Tokens signed with the earlier key have no kid and are no longer accepted.
    "DELETE FROM settings WHERE name = 'jwt-key'",

    // A row outlives its user, so that tokens of a deleted user are not valid for a later user with the same name.
    `CREATE TABLE legacy_users (
      username varchar(100) PRIMARY KEY NOT NULL,
      user_id bigint NOT NULL,
      generation integer NOT NULL
    ) ${table}`,
    // Generation 1: a user who has changed the secret since has invalidated the tokens.
    'INSERT INTO legacy_users (username, user_id, generation) SELECT username, id, 1 FROM users',
  ];
}
