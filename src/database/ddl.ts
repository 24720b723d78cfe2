import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

/** The parts of CREATE TABLE that differ between the databases, so that one migration runs on all of them. */
export interface Dialect {
  /** The column `id`: an auto-increment primary key. */
  readonly id: string;
  /** The table options: case-sensitive text, and an engine with foreign keys. */
  readonly table: string;
  /** The type of long text: JSON lists, and members of documents that the model does not define. */
  readonly text: string;
  /** A foreign key constraint, written as TypeORM parses it from SQLite. */
  readonly foreignKey: (name: string, column: string, target: string, onDelete: 'CASCADE' | 'RESTRICT') => string;
}

/** The collations of text columns: they compare code points, and trailing spaces are significant. */
export const COLLATIONS = { mysql: 'utf8mb4_0900_bin', mariadb: 'utf8mb4_nopad_bin' } as const;

/**
 * Returns the product of a server. MariaDB uses MySQL's protocol and accepts MySQL URLs, so only the version identifies
 * MariaDB.
 */
export async function productOf(source: Pick<DataSource, 'query'>): Promise<'mysql' | 'mariadb'> {
  const [row] = await source.query<{ readonly version: string }[]>('SELECT VERSION() AS version');
  return /mariadb/i.test(row?.version ?? '') ? 'mariadb' : 'mysql';
}

/** The dialect of the database that a migration runs on. */
export async function dialectOf({ dataSource }: QueryRunner): Promise<Dialect> {
  return dataSource.options.type === 'better-sqlite3'
    ? {
        id: '"id" integer PRIMARY KEY AUTOINCREMENT NOT NULL',
        table: '',
        text: 'text',
        foreignKey: foreignKey('"'),
      }
    : {
        id: 'id bigint PRIMARY KEY AUTO_INCREMENT NOT NULL',
        table: `ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE ${COLLATIONS[await productOf(dataSource)]}`,
        text: 'mediumtext',
        foreignKey: foreignKey('`'),
      };
}

function foreignKey(quote: string): Dialect['foreignKey'] {
  const quoteName = (name: string): string => `${quote}${name}${quote}`;
  return (name, column, target, onDelete) =>
    `CONSTRAINT ${quoteName(name)} FOREIGN KEY (${quoteName(column)}) REFERENCES ${quoteName(target)} (${quoteName('id')}) ON DELETE ${onDelete} ON UPDATE NO ACTION`;
}

/** A migration that is only SQL. What its statements create and add is dropped to revert it, the last first. */
export abstract class SqlMigration implements MigrationInterface {
  abstract readonly statements: (dialect: Dialect) => readonly string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements(await dialectOf(runner))) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    const dialect = await dialectOf(runner);
    const statements = this.statements(dialect);
    const created = statements.flatMap((statement) => CREATE_TABLE.exec(statement)?.[1] ?? []);
    for (const statement of statements.toReversed()) {
      const undo = undoOf(statement, created, dialect);
      if (undo !== undefined) await runner.query(undo);
    }
  }
}

const CREATE_TABLE = /^CREATE TABLE (\w+)/;

/** The statement that reverts another one. Undefined if that changes rows, or creates an index of a table that is dropped, too. */
function undoOf(statement: string, created: readonly string[], { table: options }: Dialect): string | undefined {
  const [, table] = CREATE_TABLE.exec(statement) ?? [];
  if (table !== undefined) return `DROP TABLE ${table}`;
  const [, index, indexed = ''] = /^CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+)/.exec(statement) ?? [];
  if (index !== undefined)
    return created.includes(indexed) ? undefined : `DROP INDEX ${index}${options === '' ? '' : ` ON ${indexed}`}`;
  const [, changed = '', column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(statement) ?? [];
  return column === undefined ? undefined : `ALTER TABLE ${changed} DROP COLUMN ${column}`;
}
