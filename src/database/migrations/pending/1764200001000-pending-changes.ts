import { SqlMigration, type Dialect } from '../../ddl';

/** Creates the table of sets of changes that are reverted unless somebody confirms them. */
export class PendingChanges1764200001000 extends SqlMigration {
  readonly statements = ({ id, table, text }: Dialect): readonly string[] => [
    // `ref` is the id under which the history has the changes. Times are milliseconds since the epoch, but `until_on`, which is in
    // seconds of the database's clock. `seconds` is the time to confirm; `limits`, `watched` and `figures` are JSON
    // (pending/figures.ts).
    `CREATE TABLE pending_changes (
      ${id},
      ref varchar(64) NOT NULL,
      state varchar(16) NOT NULL,
      is_open integer NOT NULL,
      username varchar(100) NOT NULL,
      user_ref varchar(24) DEFAULT NULL,
      change_count integer NOT NULL,
      seconds bigint DEFAULT NULL,
      limits varchar(500) NOT NULL,
      watched ${text},
      watched_numbers integer NOT NULL,
      watched_gateways integer NOT NULL,
      figures varchar(500) DEFAULT NULL,
      created_on bigint NOT NULL,
      applied_on bigint DEFAULT NULL,
      due_on bigint DEFAULT NULL,
      finished_on bigint DEFAULT NULL,
      finished_by varchar(100) DEFAULT NULL,
      reverted_by varchar(64) DEFAULT NULL,
      reason varchar(1000) DEFAULT NULL,
      holder varchar(40) NOT NULL,
      until_on bigint NOT NULL
    ) ${table}`,
    'CREATE UNIQUE INDEX pending_changes_ref ON pending_changes (ref)',
    'CREATE INDEX pending_changes_open ON pending_changes (is_open, due_on)',
    'CREATE INDEX pending_changes_state ON pending_changes (state)',
    'CREATE INDEX pending_changes_finished ON pending_changes (finished_on)',
  ];
}
