import { SqlMigration, type Dialect } from '../../ddl';

const TABLES = ['gateways', 'domains', 'agents'];
const COLUMNS = ['max_calls', 'max_calls_per_second'];

/** Adds the limits of calls, and what the SIP server tells when one is reached or an emergency number is called. */
export class CallLimits1763676996300 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    ...TABLES.flatMap((name) => COLUMNS.map((column) => `ALTER TABLE ${name} ADD COLUMN ${column} integer`)),
    // `told` is whether the alert is in the outbox. `kind` and `ref` are what has the limit `what`, or the caller's
    // domain of an emergency call. `caller` is `agent:REF` or `peer:REF`.
    `CREATE TABLE call_alerts (
      ${id},
      at bigint NOT NULL,
      event varchar(24) NOT NULL,
      node varchar(100) NOT NULL,
      told integer NOT NULL DEFAULT 0,
      kind varchar(16) DEFAULT NULL,
      ref varchar(24) DEFAULT NULL,
      what varchar(24) DEFAULT NULL,
      used integer DEFAULT NULL,
      most integer DEFAULT NULL,
      domain varchar(255) DEFAULT NULL,
      caller varchar(32) DEFAULT NULL,
      number varchar(64) DEFAULT NULL,
      gateway_ref varchar(24) DEFAULT NULL
    ) ${table}`,
    'CREATE INDEX call_alerts_told ON call_alerts (told, id)',
  ];
}
