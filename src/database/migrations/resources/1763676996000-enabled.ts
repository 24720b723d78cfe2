import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const SAMPLED = ['numbers_disabled', 'numbers_gateway_disabled', 'numbers_gateway_draining', 'numbers_target_disabled'];

/** The columns that are added, by table. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gateways: { enabled: 'boolean', draining: 'boolean', destinations: 'text' },
  agents: { enabled: 'boolean' },
  peers: { enabled: 'boolean' },
  domains: { enabled: 'boolean' },
  numbers: { enabled: 'boolean' },
  routes: { enabled: 'boolean' },
  samples: Object.fromEntries(SAMPLED.map((column) => [column, 'double precision'])),
};

/** What is disabled, gateways that take no new calls, and their further destinations. */
export class Enabled1763676996000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { text, table: options } = await dialectOf(runner);
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const [column, type] of Object.entries(columns)) {
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type === 'text' ? text : type}`);
      }
    // As gateway_health, for the destinations besides the host of a gateway.
    await runner.query(`CREATE TABLE destination_health (
      gw_ref varchar(24) NOT NULL,
      host varchar(253) NOT NULL,
      port integer NOT NULL,
      transport varchar(16) NOT NULL,
      state varchar(8) NOT NULL,
      since bigint NOT NULL,
      checked_on bigint NOT NULL,
      answered_on bigint DEFAULT NULL,
      round_trip integer DEFAULT NULL,
      last_status integer DEFAULT NULL,
      misses integer NOT NULL,
      answers integer NOT NULL,
      expires_at bigint NOT NULL,
      PRIMARY KEY (gw_ref, host, port, transport)
    ) ${options}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE destination_health');
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const column of Object.keys(columns)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
