import { SqlMigration, type Dialect } from '../../ddl';

/** Adds which failed calls a webhook is told about, and the table of those that it was not told about yet. */
export class FailedCalls1764130700000 extends SqlMigration {
  readonly statements = ({ id, table, text, foreignKey }: Dialect): readonly string[] => [
    'ALTER TABLE webhooks ADD COLUMN failed_calls varchar(1000) DEFAULT NULL',
    // Times are milliseconds since the epoch. `counted` and `untold` are JSON (webhooks/failed-calls.ts).
    `CREATE TABLE webhook_failures (
      ${id},
      webhook_id bigint NOT NULL,
      since bigint NOT NULL,
      looked_on bigint NOT NULL,
      told_on bigint NOT NULL,
      counted ${text} NOT NULL,
      untold ${text} NOT NULL,
      ${foreignKey('webhook_failures_webhook_id', 'webhook_id', 'webhooks', 'CASCADE')}
    ) ${table}`,
    'CREATE UNIQUE INDEX webhook_failures_webhook ON webhook_failures (webhook_id)',
  ];
}
