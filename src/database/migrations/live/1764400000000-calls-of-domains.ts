import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['domain_ref', 'route_ref'];
const INDEXES = { calls_domain: 'domain_ref, begun', calls_route: 'route_ref, begun' };

/**
 * Adds the domain of a call, and the route of its way out. Both are NULL in calls of an earlier configuration of Kamailio, which may
 * go on writing.
 */
export class CallsOfDomains1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await runner.query(`ALTER TABLE calls ADD COLUMN ${column} varchar(24) DEFAULT NULL`);
    for (const [name, columns] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON calls (${columns})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const of = runner.dataSource.options.type === 'better-sqlite3' ? '' : ' ON calls';
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}${of}`);
    for (const column of COLUMNS) await runner.query(`ALTER TABLE calls DROP COLUMN ${column}`);
  }
}
