import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaIndexOptions } from 'typeorm';

import type { DatabaseConfig } from '../src/config/config';
import type { Format } from '../src/model/format/format';
import type { Field, Kind } from '../src/model/kind';

type Dialect = DatabaseConfig['dialect'];

/** Returns the tables of the kinds as TypeORM entities. A test compares the migrations with them. */
export function entitiesFor(kinds: readonly Kind[], dialect: Dialect): readonly EntitySchema[] {
  const tables = new Map(kinds.map((kind) => [kind.table, kind]));
  return [...tables.values()].flatMap((kind) => [tableOf(kind, dialect), ...memberTablesOf(kind)]);
}

function tableOf(kind: Kind, dialect: Dialect): EntitySchema {
  const own = kind.fields.filter((field) => field.refersTo?.through === undefined);
  const references = kind.references.filter((field) => field.refersTo.through === undefined);
  return new EntitySchema<object>({
    name: kind.table,
    tableName: kind.table,
    columns: {
      id: { type: dialect === 'sqlite' ? 'integer' : 'bigint', primary: true, generated: 'increment' },
      ref: { type: 'varchar', length: 24 },
      created_on: { type: 'bigint' },
      modified_on: { type: 'bigint' },
      extra: { type: longText(dialect), nullable: true },
      ...(kind.shared && { kind: { type: 'varchar', length: 16 } }),
      ...Object.fromEntries(own.map((field) => [field.column, columnOf(field, dialect)])),
      ...Object.fromEntries(
        (kind.derived ?? []).map(({ column, length, isOptional = false }) => [
          column,
          { type: 'varchar', length, nullable: isOptional },
        ]),
      ),
    },
    indices: indicesOf(kind),
    foreignKeys: references.map((field) => ({
      name: `${kind.table}_${field.column}`,
      target: field.refersTo.target.table,
      columnNames: [field.column],
      referencedColumnNames: ['id'],
      onDelete: 'RESTRICT',
    })),
  });
}

function columnOf({ format, required, refersTo }: Field, dialect: Dialect): EntitySchemaColumnOptions {
  return { ...(refersTo ? { type: 'bigint' } : columnType(format, dialect)), nullable: !required };
}

function columnType({ column }: Format, dialect: Dialect): EntitySchemaColumnOptions {
  if (column.type === 'varchar') return column;
  return { type: column.type === 'text' ? longText(dialect) : column.type };
}

function longText(dialect: Dialect): 'text' | 'mediumtext' {
  return dialect === 'sqlite' ? 'text' : 'mediumtext';
}

function indicesOf(kind: Kind): EntitySchemaIndexOptions[] {
  const within = kind.shared ? ['kind'] : [];
  const unique = (columns: readonly string[]): EntitySchemaIndexOptions => ({
    name: `${kind.table}_${columns.join('_')}`,
    columns: [...within, ...columns],
    unique: true,
  });
  const inLists = kind.references.flatMap(({ column, refersTo }) => (refersTo.through ? [column] : []));
  const own = kind.unique.filter(({ columns }) => !columns.some((column) => inLists.includes(column)));
  return [
    unique(['ref']),
    ...own.map(({ columns }) => unique(columns)),
    ...Object.entries(kind.indices ?? {}).map(([name, columns]) => ({
      name: `${kind.table}_${name}`,
      columns: [...columns],
    })),
  ];
}

function memberTablesOf(kind: Kind): EntitySchema[] {
  return kind.references.flatMap(({ column, refersTo: { through, target } }) => {
    if (!through) return [];
    const { repeats } = through;
    const repeated = kind.fields.find((field) => field.column === repeats);
    const reference = (name: string, table: string, onDelete: 'CASCADE' | 'RESTRICT') => ({
      name: `${through.table}_${name}`,
      target: table,
      columnNames: [name],
      referencedColumnNames: ['id'],
      onDelete,
    });
    return new EntitySchema<object>({
      name: through.table,
      tableName: through.table,
      columns: {
        [through.owner]: { type: 'bigint', primary: true },
        [column]: { type: 'bigint', primary: true },
        position: { type: 'integer' },
        ...(repeats !== undefined && { [repeats]: repeated?.format.column ?? { type: 'varchar' } }),
      },
      indices: [
        ...(repeats === undefined
          ? []
          : [{ name: `${through.table}_${column}_${repeats}`, columns: [column, repeats], unique: true }]),
        { name: `${through.table}_members`, columns: [column, through.owner] },
      ],
      foreignKeys: [reference(through.owner, kind.table, 'CASCADE'), reference(column, target.table, 'RESTRICT')],
    });
  });
}
