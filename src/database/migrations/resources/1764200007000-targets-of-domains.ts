import { SqlMigration } from '../../ddl';

/** Adds the index by which the further targets in a domain are found. */
export class TargetsOfDomains1764200007000 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    `CREATE INDEX number_targets_host ON number_targets (aor_host, number_id)`,
  ];
}
