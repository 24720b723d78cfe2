import { SqlMigration } from '../../ddl';

/**
 * Adds the domains for which a call counts: their refs, with a comma between two, or `-` for none. NULL in calls of an earlier
 * configuration of Kamailio, which may go on writing.
 */
export class CountedDomains1764500000050 extends SqlMigration {
  readonly statements = (): readonly string[] => ['ALTER TABLE calls ADD COLUMN domains varchar(64) DEFAULT NULL'];
}
