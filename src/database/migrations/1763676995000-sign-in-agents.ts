import { SqlMigration } from '../ddl';

/** Adds the program with which a user signed in, as its User-Agent header names it. */
export class SignInAgents1763676995000 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    'ALTER TABLE sign_ins ADD COLUMN user_agent varchar(200) DEFAULT NULL',
  ];
}
