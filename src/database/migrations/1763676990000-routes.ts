import { SqlMigration, type Dialect } from '../ddl';

/** Creates the tables of the ways out of domains. */
export class Routes1763676990000 extends SqlMigration {
  readonly statements = ({ id, table, text, foreignKey }: Dialect): readonly string[] => [
    `CREATE TABLE routes (
      ${id},
      ref varchar(24) NOT NULL,
      created_on bigint NOT NULL,
      modified_on bigint NOT NULL,
      extra ${text},
      name varchar(100) NOT NULL,
      domain_id bigint NOT NULL,
      prefix varchar(25) NOT NULL,
      emergency boolean,
      ${foreignKey('routes_domain_id', 'domain_id', 'domains', 'RESTRICT')}
    ) ${table}`,
    'CREATE UNIQUE INDEX routes_ref ON routes (ref)',
    'CREATE UNIQUE INDEX routes_domain_id_prefix ON routes (domain_id, prefix)',
    'CREATE INDEX routes_name ON routes (name)',
    'CREATE INDEX routes_domain ON routes (domain_id)',
    `CREATE TABLE route_numbers (
      route_id bigint NOT NULL,
      number_id bigint NOT NULL,
      position integer NOT NULL,
      PRIMARY KEY (route_id, number_id),
      ${foreignKey('route_numbers_route_id', 'route_id', 'routes', 'CASCADE')},
      ${foreignKey('route_numbers_number_id', 'number_id', 'numbers', 'RESTRICT')}
    ) ${table}`,
    'CREATE INDEX route_numbers_members ON route_numbers (number_id, route_id)',
  ];
}
