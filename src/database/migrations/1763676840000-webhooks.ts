import { SqlMigration, type Dialect } from '../ddl';

/** Creates the tables of webhooks, of their deliveries, of the states they watch, and of the process that delivers. */
export class Webhooks1763676840000 extends SqlMigration {
  readonly statements = ({ id, table, text, foreignKey }: Dialect): readonly string[] => {
    const webhook = (name: string): string => foreignKey(name, 'webhook_id', 'webhooks', 'CASCADE');
    return [
      `CREATE TABLE webhooks (
        ${id},
        ref varchar(24) NOT NULL,
        url varchar(2000) NOT NULL,
        events varchar(1000) NOT NULL,
        kinds varchar(1000),
        refs ${text},
        after_seconds integer NOT NULL,
        note varchar(500),
        secret varchar(100) NOT NULL,
        made_by varchar(100) NOT NULL,
        created_on bigint NOT NULL,
        position bigint NOT NULL,
        paused_on bigint,
        paused_reason varchar(500)
      ) ${table}`,
      'CREATE UNIQUE INDEX webhooks_ref ON webhooks (ref)',
      `CREATE TABLE webhook_deliveries (
        ${id},
        ref varchar(40) NOT NULL,
        webhook_id bigint NOT NULL,
        subject varchar(300) NOT NULL,
        payload ${text} NOT NULL,
        created_on bigint NOT NULL,
        attempts integer NOT NULL,
        next_on bigint NOT NULL,
        failing_since bigint,
        delivered_on bigint,
        outcome varchar(200),
        is_open integer NOT NULL,
        ${webhook('webhook_deliveries_webhook_id')}
      ) ${table}`,
      'CREATE UNIQUE INDEX webhook_deliveries_ref ON webhook_deliveries (ref)',
      'CREATE INDEX webhook_deliveries_open ON webhook_deliveries (webhook_id, is_open, subject)',
      `CREATE TABLE webhook_states (
        ${id},
        webhook_id bigint NOT NULL,
        subject varchar(300) NOT NULL,
        told varchar(16) NOT NULL,
        state varchar(16) NOT NULL,
        since bigint NOT NULL,
        ${webhook('webhook_states_webhook_id')}
      ) ${table}`,
      'CREATE UNIQUE INDEX webhook_states_subject ON webhook_states (webhook_id, subject)',
      `CREATE TABLE webhook_lease (
        id integer PRIMARY KEY NOT NULL,
        holder varchar(40) NOT NULL,
        until_on bigint NOT NULL
      ) ${table}`,
      "INSERT INTO webhook_lease (id, holder, until_on) VALUES (1, '', 0)",
    ];
  };
}
