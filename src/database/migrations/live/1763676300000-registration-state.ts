import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds why a gateway is not registered: the provider's last response, and when the SIP server retries. */
export class RegistrationState1763676300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway_registrations ADD COLUMN last_response varchar(128) DEFAULT NULL');
    await runner.query('ALTER TABLE gateway_registrations ADD COLUMN next_attempt_at bigint DEFAULT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway_registrations DROP COLUMN next_attempt_at');
    await runner.query('ALTER TABLE gateway_registrations DROP COLUMN last_response');
  }
}
