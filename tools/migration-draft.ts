import type { EntitySchema, EntitySchemaColumnOptions } from 'typeorm';

import type { Kind } from '../src/model/kind';
import { entitiesFor } from './entities';

/**
 * Generates the source of a migration that creates the tables of a kind on every database. `className` ends with the
 * time in milliseconds by which migrations are ordered. `ddl` is the relative path from the migration to
 * database/ddl.ts. Review the generated file before you commit it.
 */
export function draftMigration(kind: Kind, className: string, ddl = '../ddl'): string {
  // Only the columns `id` and long text differ between the databases. `Dialect` has their definitions.
  const tables = entitiesFor([kind], 'sqlite');
  const statements = tables.flatMap((table) => [createTable(table), ...createIndices(table)]);
  const used = ['id', 'table', 'text', 'foreignKey'].filter((name) => statements.join('').includes(`\${${name}`));
  return `import { SqlMigration, type Dialect } from '${ddl}';

/** Creates the table of ${kind.collection}. */
export class ${className} extends SqlMigration {
  readonly statements = ({ ${used.join(', ')} }: Dialect): readonly string[] => [
${statements.map((statement) => `    ${statement},\n`).join('')}  ];
}
`;
}

function createTable({ options }: EntitySchema): string {
  const columns = Object.entries(options.columns).map(([name, column]) => columnOf(name, column as Column));
  const keys = Object.entries(options.columns).filter(([name, column]) => (column as Column).primary && name !== 'id');
  // entitiesFor identifies tables and columns by strings.
  const constraints = (options.foreignKeys ?? []).map(({ name, columnNames, target, onDelete }) => {
    const [column = ''] = columnNames as readonly string[];
    return `\${foreignKey('${String(name)}', '${column}', '${target as string}', '${String(onDelete)}')}`;
  });
  const primary = keys.length > 0 ? [`PRIMARY KEY (${keys.map(([name]) => name).join(', ')})`] : [];
  const lines = [...columns, ...primary, ...constraints].map((line) => `      ${line}`);
  return `\`CREATE TABLE ${options.name} (\n${lines.join(',\n')}\n    ) \${table}\``;
}

type Column = EntitySchemaColumnOptions;

function columnOf(name: string, { type, length, nullable = false }: Column): string {
  if (name === 'id') return '${id}';
  const sqlType = type === 'text' ? '${text}' : `${String(type)}${length === undefined ? '' : `(${String(length)})`}`;
  return `${name} ${sqlType}${nullable ? '' : ' NOT NULL'}`;
}

function createIndices({ options: { name: table, indices = [] } }: EntitySchema): readonly string[] {
  return indices.map(({ name, columns, unique }) => {
    const names = (columns as readonly string[]).join(', ');
    return `'CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${String(name)} ON ${table} (${names})'`;
  });
}
