import { SqlMigration } from '../../ddl';

/**
 * Adds the domain of a call, and the route of its way out. Both are NULL in calls of an earlier configuration of Kamailio, which may
 * go on writing.
 */
export class CallsOfDomains1764400000000 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    'ALTER TABLE calls ADD COLUMN domain_ref varchar(24) DEFAULT NULL',
    'ALTER TABLE calls ADD COLUMN route_ref varchar(24) DEFAULT NULL',
    'CREATE INDEX calls_domain ON calls (domain_ref, begun)',
    'CREATE INDEX calls_route ON calls (route_ref, begun)',
  ];
}
