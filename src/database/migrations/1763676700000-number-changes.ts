import { SqlMigration, type Dialect } from '../ddl';

/**
 * Creates the table of changes that are not numbered yet, so that writers need no lock to get a number. Changes with a
 * number stay in `changes`.
 */
export class NumberChanges1763676700000 extends SqlMigration {
  readonly statements = ({ id, table }: Dialect): readonly string[] => [
    `CREATE TABLE unnumbered_changes (
      ${id},
      at bigint NOT NULL,
      kind varchar(16) NOT NULL,
      ref varchar(255) NOT NULL,
      did varchar(16) NOT NULL
    ) ${table}`,
    // For reads of the changes of a kind after a number.
    'CREATE INDEX changes_kind ON changes (kind, id, did)',
  ];
}
