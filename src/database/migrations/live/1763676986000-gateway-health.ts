import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

/** Creates the tables of the health of gateways, which the SIP server measures with OPTIONS. */
export class GatewayHealth1763676986000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { table } = await dialectOf(runner);
    // Times are milliseconds since the epoch. After `expires_at`, the SIP server no longer checks the gateway. `port` is
    // 0 if the gateway has none. `misses` and `answers` are those in a row.
    await runner.query(`CREATE TABLE gateway_health (
      gw_ref varchar(24) PRIMARY KEY NOT NULL,
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
      expires_at bigint NOT NULL
    ) ${table}`);
    // The SIP server that sends the checks.
    await runner.query(`CREATE TABLE health_lease (
      id integer PRIMARY KEY NOT NULL,
      holder varchar(100) NOT NULL,
      expires_at bigint NOT NULL
    ) ${table}`);
    await runner.query("INSERT INTO health_lease (id, holder, expires_at) VALUES (1, '', 0)");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE health_lease');
    await runner.query('DROP TABLE gateway_health');
  }
}
