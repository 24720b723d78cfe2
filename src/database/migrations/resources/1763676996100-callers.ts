import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../ddl';

const COLUMNS = {
  outbound_proxy: 'varchar(259)',
  from_domain: 'varchar(253)',
  auth_username: 'varchar(100)',
  number_format: 'varchar(16)',
  technical_prefix: 'varchar(16)',
  outbound_host: 'varchar(253)',
  outbound_port: 'varchar(5)',
  number_plus: 'varchar(8)',
  number_country: 'varchar(8)',
  number_trunk: 'varchar(8)',
};

/** The numbers that agents and peers show when they call, and what providers expect in an INVITE. */
export class Callers1763676996100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { table, text, foreignKey } = await dialectOf(runner);
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    for (const [name, type] of Object.entries(COLUMNS))
      await runner.query(`ALTER TABLE gateways ADD COLUMN ${name} ${type}`);
    await runner.query(`ALTER TABLE peers ADD COLUMN sources ${text}`);
    const key = foreignKey('agents_caller_number_id', 'caller_number_id', 'numbers', 'RESTRICT');
    // SQLite adds a key only with its column, without naming it; TypeORM reads the key of the comment.
    const column = `/* ${key} */ ${key.replace(/FOREIGN KEY \([^)]*\) /, '')}`;
    await runner.query(
      `ALTER TABLE agents ADD COLUMN caller_number_id bigint${isSqlite ? ` ${column}` : `, ADD ${key}`}`,
    );
    await runner.query('CREATE INDEX agents_caller_number ON agents (caller_number_id)');
    await runner.query(`CREATE TABLE peer_numbers (
      peer_id bigint NOT NULL,
      number_id bigint NOT NULL,
      position integer NOT NULL,
      PRIMARY KEY (peer_id, number_id),
      ${foreignKey('peer_numbers_peer_id', 'peer_id', 'peers', 'CASCADE')},
      ${foreignKey('peer_numbers_number_id', 'number_id', 'numbers', 'RESTRICT')}
    ) ${table}`);
    await runner.query('CREATE INDEX peer_numbers_members ON peer_numbers (number_id, peer_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    await runner.query('DROP TABLE peer_numbers');
    if (!isSqlite) await runner.query('ALTER TABLE agents DROP FOREIGN KEY agents_caller_number_id');
    await runner.query(`DROP INDEX agents_caller_number${isSqlite ? '' : ' ON agents'}`);
    await runner.query('ALTER TABLE agents DROP COLUMN caller_number_id');
    await runner.query('ALTER TABLE peers DROP COLUMN sources');
    for (const name of Object.keys(COLUMNS)) await runner.query(`ALTER TABLE gateways DROP COLUMN ${name}`);
  }
}
