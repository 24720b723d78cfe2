import { SqlMigration, type Dialect } from '../ddl';

/** Creates the table of the attempts to deliver messages to webhooks: how many succeeded and failed in each hour. */
export class WebhookAttempts1763676995200 extends SqlMigration {
  readonly statements = ({ id, table, foreignKey }: Dialect): readonly string[] => [
    // `hour` is its start, in milliseconds since the epoch. An hour may have several rows, one for each process that
    // delivered in it.
    `CREATE TABLE webhook_attempts (
      ${id},
      webhook_id bigint NOT NULL,
      hour bigint NOT NULL,
      succeeded integer NOT NULL,
      failed integer NOT NULL,
      ${foreignKey('webhook_attempts_webhook_id', 'webhook_id', 'webhooks', 'CASCADE')}
    ) ${table}`,
    'CREATE INDEX webhook_attempts_hour ON webhook_attempts (webhook_id, hour)',
  ];
}
