import { SqlMigration, type Dialect } from '../../ddl';

/** Ranges of numbers, and a table by which the range of a number is found. */
export class NumberRanges1764130500000 extends SqlMigration {
  readonly statements = ({ table, foreignKey }: Dialect): readonly string[] => [
    'ALTER TABLE numbers ADD COLUMN last_tel_url varchar(100)',
    `CREATE TABLE number_ranges (
      number_id bigint NOT NULL,
      position integer NOT NULL,
      range_first varchar(32) NOT NULL,
      range_last varchar(32) NOT NULL,
      PRIMARY KEY (number_id, position),
      ${foreignKey('number_ranges_number_id', 'number_id', 'numbers', 'CASCADE')}
    ) ${table}`,
    'CREATE INDEX number_ranges_first ON number_ranges (range_first, range_last, number_id)',
  ];
}
