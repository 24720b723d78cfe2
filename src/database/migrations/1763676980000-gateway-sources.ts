import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../ddl';

/** The networks from which a provider sends calls. */
export class GatewaySources1763676980000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A process that was killed may have left it: servers do not roll it back.
    if (await runner.hasColumn('gateways', 'sources')) return;
    const { text } = await dialectOf(runner);
    await runner.query(`ALTER TABLE gateways ADD COLUMN sources ${text}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateways DROP COLUMN sources');
  }
}
