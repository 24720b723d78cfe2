import { SqlMigration } from '../ddl';

/** Lets the previous secret of a webhook stay valid for a time. */
export class WebhookSecrets1763676950000 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    'ALTER TABLE webhooks ADD COLUMN previous_secret varchar(100)',
    'ALTER TABLE webhooks ADD COLUMN previous_until bigint',
  ];
}
