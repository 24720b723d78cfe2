import type { QueryRunner } from 'typeorm';

import { SqlMigration, type Dialect } from '../../ddl';

/** The numbers that agents and peers show when they call, and what providers expect in an INVITE. */
export class Callers1763676996100 extends SqlMigration {
  readonly statements = ({ table, text, foreignKey }: Dialect): readonly string[] => {
    const key = foreignKey('agents_caller_number_id', 'caller_number_id', 'numbers', 'RESTRICT');
    // SQLite adds a key only with its column, without naming it; TypeORM reads the key of the comment.
    const column = `/* ${key} */ ${key.replace(/FOREIGN KEY \([^)]*\) /, '')}`;
    return [
      'ALTER TABLE gateways ADD COLUMN outbound_proxy varchar(259)',
      'ALTER TABLE gateways ADD COLUMN from_domain varchar(253)',
      'ALTER TABLE gateways ADD COLUMN auth_username varchar(100)',
      'ALTER TABLE gateways ADD COLUMN number_format varchar(16)',
      'ALTER TABLE gateways ADD COLUMN technical_prefix varchar(16)',
      'ALTER TABLE gateways ADD COLUMN outbound_host varchar(253)',
      'ALTER TABLE gateways ADD COLUMN outbound_port varchar(5)',
      'ALTER TABLE gateways ADD COLUMN number_plus varchar(8)',
      'ALTER TABLE gateways ADD COLUMN number_country varchar(8)',
      'ALTER TABLE gateways ADD COLUMN number_trunk varchar(8)',
      `ALTER TABLE peers ADD COLUMN sources ${text}`,
      `ALTER TABLE agents ADD COLUMN caller_number_id bigint${table === '' ? ` ${column}` : `, ADD ${key}`}`,
      'CREATE INDEX agents_caller_number ON agents (caller_number_id)',
      `CREATE TABLE peer_numbers (
        peer_id bigint NOT NULL,
        number_id bigint NOT NULL,
        position integer NOT NULL,
        PRIMARY KEY (peer_id, number_id),
        ${foreignKey('peer_numbers_peer_id', 'peer_id', 'peers', 'CASCADE')},
        ${foreignKey('peer_numbers_number_id', 'number_id', 'numbers', 'RESTRICT')}
      ) ${table}`,
      'CREATE INDEX peer_numbers_members ON peer_numbers (number_id, peer_id)',
    ];
  };

  override async down(runner: QueryRunner): Promise<void> {
    // It needs the index that is dropped.
    if (runner.dataSource.options.type !== 'better-sqlite3')
      await runner.query('ALTER TABLE agents DROP FOREIGN KEY agents_caller_number_id');
    await super.down(runner);
  }
}
