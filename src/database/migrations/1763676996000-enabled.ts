import type { MigrationInterface, QueryRunner } from 'typeorm';

const SAMPLED = ['numbers_disabled', 'numbers_gateway_disabled', 'numbers_gateway_draining', 'numbers_target_disabled'];

/** The columns that are added, by table. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gateways: { enabled: 'boolean', draining: 'boolean' },
  agents: { enabled: 'boolean' },
  peers: { enabled: 'boolean' },
  domains: { enabled: 'boolean' },
  numbers: { enabled: 'boolean' },
  routes: { enabled: 'boolean' },
  samples: Object.fromEntries(SAMPLED.map((column) => [column, 'double precision'])),
};

/** What is disabled, and gateways that take no new calls. */
export class Enabled1763676996000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const [column, type] of Object.entries(columns)) {
        // A process that was killed may have left it: servers do not roll it back.
        if (await runner.hasColumn(table, column)) continue;
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
      }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS))
      for (const column of Object.keys(columns)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}
