import type { MigrationInterface, QueryRunner } from 'typeorm';

import { dialectOf } from '../../src/database/ddl';

/** Creates the table of trunks. */
export class CreateTrunks1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { id, table, text, foreignKey } = await dialectOf(runner);
    const statements = [
      `CREATE TABLE trunks (
        ${id},
        ref varchar(24) NOT NULL,
        created_on bigint NOT NULL,
        modified_on bigint NOT NULL,
        extra ${text},
        name varchar(100) NOT NULL,
        gateway_id bigint NOT NULL,
        domain_id bigint,
        label varchar(40) NOT NULL,
        pin varchar(8) NOT NULL,
        channels integer,
        mode varchar(16),
        prefixes ${text},
        billing_account varchar(40),
        billing_code varchar(20),
        ${foreignKey('trunks_gateway_id', 'gateway_id', 'gateways', 'RESTRICT')},
        ${foreignKey('trunks_domain_id', 'domain_id', 'domains', 'RESTRICT')}
      ) ${table}`,
      'CREATE UNIQUE INDEX trunks_ref ON trunks (ref)',
      'CREATE UNIQUE INDEX trunks_gateway_id_label ON trunks (gateway_id, label)',
      'CREATE INDEX trunks_gateway ON trunks (gateway_id)',
      'CREATE INDEX trunks_domain ON trunks (domain_id)',
      'CREATE INDEX trunks_name ON trunks (name)',
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trunks');
  }
}
