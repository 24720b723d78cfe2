import { SqlMigration } from '../../ddl';

/** Adds the index by which the further targets that are an outside number are found. */
export class OutsideTargets1764400000010 extends SqlMigration {
  readonly statements = (): readonly string[] => [
    `CREATE INDEX number_targets_outside ON number_targets (outside, number_id)`,
  ];
}
