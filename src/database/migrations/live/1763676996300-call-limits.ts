import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const TABLES = ['gateways', 'domains', 'agents'];
const COLUMNS = ['max_calls', 'max_calls_per_second'];
const ALERTS_INDEX = 'call_alerts_told';

/** Adds the limits of calls, and what the SIP server tells when one is reached or an emergency number is called. */
export class CallLimits1763676996300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table } = await dialectOf(runner);
    for (const name of TABLES)
      for (const column of COLUMNS) await runner.query(`ALTER TABLE ${name} ADD COLUMN ${column} integer`);
    // `told` is whether the alert is in the outbox. `kind` and `ref` are what has the limit `what`, or the caller's
    // domain of an emergency call. `caller` is `agent:REF` or `peer:REF`.
    await runner.query(`CREATE TABLE call_alerts (
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
    ) ${table}`);
    await runner.query(`CREATE INDEX ${ALERTS_INDEX} ON call_alerts (told, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE call_alerts');
    for (const name of TABLES)
      for (const column of COLUMNS) await runner.query(`ALTER TABLE ${name} DROP COLUMN ${column}`);
  }
}
