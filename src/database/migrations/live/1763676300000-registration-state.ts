import { SqlMigration } from '../../ddl';

/** Adds why a gateway is not registered: the provider's last response, and when the SIP server retries. */
export class RegistrationState1763676300000 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    'ALTER TABLE gateway_registrations ADD COLUMN last_response varchar(128) DEFAULT NULL',
    'ALTER TABLE gateway_registrations ADD COLUMN next_attempt_at bigint DEFAULT NULL',
  ];
}
