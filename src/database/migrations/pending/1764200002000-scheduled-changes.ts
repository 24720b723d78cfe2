import { SqlMigration, type Dialect } from '../../ddl';

/** Lets sets of changes be made later: adds the changes, and what a simulation said about them. */
export class ScheduledChanges1764200002000 extends SqlMigration {
  readonly statements = ({ text }: Dialect): readonly string[] => [
    // Both are JSON (pending/schedule.ts).
    `ALTER TABLE pending_changes ADD COLUMN planned ${text} DEFAULT NULL`,
    `ALTER TABLE pending_changes ADD COLUMN foreseen ${text} DEFAULT NULL`,
  ];
}
