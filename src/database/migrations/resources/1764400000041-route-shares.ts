import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

/** The order and the weights of the numbers of routes, and a table by which calls read them. */
export class RouteShares1764400000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { text, table, foreignKey } = await dialectOf(runner);
    await runner.query(`ALTER TABLE routes ADD COLUMN shares ${text}`);
    await runner.query(`CREATE TABLE route_shares (
      route_id bigint NOT NULL,
      position integer NOT NULL,
      priority integer NOT NULL,
      weight integer NOT NULL,
      PRIMARY KEY (route_id, position),
      ${foreignKey('route_shares_route_id', 'route_id', 'routes', 'CASCADE')}
    ) ${table}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE route_shares');
    await runner.query('ALTER TABLE routes DROP COLUMN shares');
  }
}
