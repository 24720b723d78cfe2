import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const INDEXES = { health_states_gw_ref: 'gw_ref, until_on', health_states_until_on: 'until_on' };

/** Creates the table of the health of gateways and their destinations over time. */
export class HealthStates1764200005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table } = await dialectOf(runner);
    // As in gateway_health, if `is_host` is 1, and else as in destination_health. Times are milliseconds since the epoch; the
    // `until_on` of a current state is the largest integer that JavaScript represents exactly.
    await runner.query(`CREATE TABLE health_states (
      ${id},
      gw_ref varchar(24) NOT NULL,
      is_host integer NOT NULL,
      host varchar(253) NOT NULL,
      port integer NOT NULL,
      transport varchar(16) NOT NULL,
      state varchar(8) NOT NULL,
      since_on bigint NOT NULL,
      until_on bigint NOT NULL
    ) ${table}`);
    for (const [name, columns] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON health_states (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE health_states');
  }
}
