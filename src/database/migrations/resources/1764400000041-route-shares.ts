import { SqlMigration, type Dialect } from '../../ddl';

/** The order and the weights of the numbers of routes, and a table by which calls read them. */
export class RouteShares1764400000041 extends SqlMigration {
  readonly statements = ({ text, table, foreignKey }: Dialect): readonly string[] => [
    `ALTER TABLE routes ADD COLUMN shares ${text}`,
    `CREATE TABLE route_shares (
      route_id bigint NOT NULL,
      position integer NOT NULL,
      priority integer NOT NULL,
      weight integer NOT NULL,
      PRIMARY KEY (route_id, position),
      ${foreignKey('route_shares_route_id', 'route_id', 'routes', 'CASCADE')}
    ) ${table}`,
  ];
}
