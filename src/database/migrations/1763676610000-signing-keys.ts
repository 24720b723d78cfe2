import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../dialect';

/** Keys that sign tokens, and the users whose tokens of Routr v1 are still accepted. */
export class SigningKeys1763676610000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { table } = await dialectOf(runner);
    const statements = [
      `CREATE TABLE signing_keys (
        kid varchar(32) PRIMARY KEY NOT NULL,
        secret varchar(100) NOT NULL,
        created_on bigint NOT NULL,
        retired_on bigint
      ) ${table}`,
      // Tokens of the earlier key name no key, and are not accepted any more.
      "DELETE FROM settings WHERE name = 'jwt-key'",

      // A row stays when its user goes, so that a later user of the name does not take over the tokens.
      `CREATE TABLE legacy_users (
        username varchar(100) PRIMARY KEY NOT NULL,
        user_id bigint NOT NULL,
        generation integer NOT NULL
      ) ${table}`,
      // Whoever has changed the secret since has ended the tokens.
      'INSERT INTO legacy_users (username, user_id, generation) SELECT username, id, 1 FROM users',
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['legacy_users', 'signing_keys']) await runner.query(`DROP TABLE ${table}`);
  }
}
