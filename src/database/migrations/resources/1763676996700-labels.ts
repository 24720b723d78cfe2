import { SqlMigration, type Dialect } from '../../ddl';

const TABLES = ['gateways', 'agents', 'peers', 'domains', 'numbers', 'routes'];
const COLUMNS = ['labels', 'note'];

/** Adds the labels and the note that every resource can have. */
export class Labels1763676996700 extends SqlMigration {
  readonly statements = ({ text }: Dialect): readonly string[] => [
    ...TABLES.flatMap((table) => COLUMNS.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} ${text}`)),
  ];
}
