import { SqlMigration, type Dialect } from '../../src/database/ddl';

/** Creates the table of bundles. */
export class CreateBundles1763700000000 extends SqlMigration {
  readonly statements = ({ id, table, text, foreignKey }: Dialect): readonly string[] => [
    `CREATE TABLE bundles (
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
      labels ${text},
      note ${text},
      ${foreignKey('bundles_gateway_id', 'gateway_id', 'gateways', 'RESTRICT')},
      ${foreignKey('bundles_domain_id', 'domain_id', 'domains', 'RESTRICT')}
    ) ${table}`,
    'CREATE UNIQUE INDEX bundles_ref ON bundles (ref)',
    'CREATE UNIQUE INDEX bundles_gateway_id_label ON bundles (gateway_id, label)',
    'CREATE INDEX bundles_gateway ON bundles (gateway_id)',
    'CREATE INDEX bundles_domain ON bundles (domain_id)',
    'CREATE INDEX bundles_name ON bundles (name)',
  ];
}
