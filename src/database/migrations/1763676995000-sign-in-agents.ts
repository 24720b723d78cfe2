import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the program with which a user signed in, as its User-Agent header names it. */
export class SignInAgents1763676995000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_ins ADD COLUMN user_agent varchar(200) DEFAULT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sign_ins DROP COLUMN user_agent');
  }
}
