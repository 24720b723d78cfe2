import { SqlMigration, type Dialect } from '../../ddl';

/** The targets of numbers after their address of record, and a table by which they are found. */
export class NumberTargets1763676996200 extends SqlMigration {
  readonly statements = ({ text, table, foreignKey }: Dialect): readonly string[] => [
    `ALTER TABLE numbers ADD COLUMN further_targets ${text}`,
    `CREATE TABLE number_targets (
      number_id bigint NOT NULL,
      position integer NOT NULL,
      aor_user varchar(255) NOT NULL,
      aor_host varchar(255) NOT NULL,
      outside varchar(16) NOT NULL,
      PRIMARY KEY (number_id, position),
      ${foreignKey('number_targets_number_id', 'number_id', 'numbers', 'CASCADE')}
    ) ${table}`,
    'CREATE INDEX number_targets_aor ON number_targets (aor_user, aor_host)',
  ];
}
