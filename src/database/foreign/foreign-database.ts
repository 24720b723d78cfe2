import { createConnection, type Connection } from 'mysql2/promise';

import { databaseTarget, type ServerTarget } from '../../config/database-url';
import { InvalidInputError } from '../../errors';
import { connectionOptions } from '../mysql/pools';
import { openSqlite } from '../sqlite/better-sqlite3';
import { NO_ROWS, type ForeignRow, type ForeignSource } from './foreign-source';

/** Rows that are read at once. */
const PAGE = 1000;

/** What differs between the databases: how a query runs, and what the schema has. */
interface Queries {
  readonly query: (sql: string, values: readonly string[]) => Promise<readonly ForeignRow[]>;
  /** The tables, each with the columns of its primary key. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly quoted: (name: string) => string;
  readonly close: () => Promise<void>;
}

/** Whether a text is the URL of a database, and not a file. */
export function isDatabaseUrl(text: string): boolean {
  return /^[a-z][a-z0-9+]*:\/\/|^sqlite:/i.test(text);
}

/**
 * Opens the database of another program to read from it: MySQL and MariaDB in a read-only transaction, so that all
 * tables are read as they were at one time, and SQLite read-only. Throws InvalidInputError, without the password in the URL.
 */
export async function openForeignDatabase(url: string): Promise<ForeignSource> {
  const target = targetIn(url);
  return sourceOf(target.dialect === 'mysql' ? await openServer(target) : openFile(target.file));
}

function targetIn(url: string): ReturnType<typeof databaseTarget> {
  if (/^postgres/i.test(url))
    throw InvalidInputError.of('source', 'is PostgreSQL: write a dump with pg_dump --data-only, and import that file');
  try {
    return databaseTarget(url);
  } catch (error) {
    throw InvalidInputError.of('source', error instanceof Error ? error.message : 'is no URL of a database');
  }
}

function sourceOf({ query, keys, quoted, close }: Queries): ForeignSource {
  const rows = async function* (table: string): AsyncGenerator<ForeignRow, void, undefined> {
    const key = keys.get(table);
    if (!key) return;
    const [column, ...others] = key;
    const from = `SELECT * FROM ${quoted(table)}`;
    if (column === undefined || others.length > 0) {
      // Tables whose key has several columns are small: they link rows of others.
      yield* await query(from, []);
      return;
    }
    const order = `ORDER BY ${quoted(column)} LIMIT ${String(PAGE)}`;
    for (let after: string | undefined; ;) {
      const page = await (after === undefined
        ? query(`${from} ${order}`, [])
        : query(`${from} WHERE ${quoted(column)} > ? ${order}`, [after]));
      yield* page;
      after = page.at(-1)?.[column] ?? undefined;
      if (page.length < PAGE || after === undefined) return;
    }
  };
  return {
    tables: [...keys.keys()],
    rows,
    size: async (table) => {
      const [column] = keys.get(table) ?? [];
      if (!keys.has(table)) return NO_ROWS;
      const first = column === undefined ? "''" : `MIN(${quoted(column)})`;
      const [found] = await query(`SELECT COUNT(*) AS many, ${first} AS first FROM ${quoted(table)}`, []);
      return { rows: Number(found?.['many'] ?? 0), first: found?.['first'] ?? '' };
    },
    close,
  };
}

async function openServer(target: ServerTarget): Promise<Queries> {
  const { database, hosts } = target;
  const connection = await createConnection({ ...hosts[0], ...connectionOptions(target) }).catch((error: unknown) => {
    throw unreadable(error);
  });
  const query = queryOf(connection);
  try {
    await query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ', []);
    await query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', []);
    const found = await query(
      `SELECT t.TABLE_NAME AS name, k.COLUMN_NAME AS part FROM information_schema.TABLES t
       LEFT JOIN information_schema.KEY_COLUMN_USAGE k
         ON k.TABLE_SCHEMA = t.TABLE_SCHEMA AND k.TABLE_NAME = t.TABLE_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
       WHERE t.TABLE_SCHEMA = ? AND t.TABLE_TYPE = 'BASE TABLE' ORDER BY t.TABLE_NAME, k.ORDINAL_POSITION`,
      [database],
    );
    return {
      query,
      keys: keysIn(found),
      quoted: (name) => `\`${name.replaceAll('`', '``')}\``,
      close: () => connection.end(),
    };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

function queryOf(connection: Connection): Queries['query'] {
  return async (sql, values) => {
    const given = {
      sql,
      values: [...values],
      // All values are text, so that neither time zones nor the precision of numbers change them.
      typeCast: (field: { readonly string: () => string | null }) => field.string(),
    };
    const [rows] = await connection.query(given).catch((error: unknown) => {
      throw unreadable(error);
    });
    return rows as unknown as readonly ForeignRow[]; // because of `typeCast`; what is no SELECT has no rows to read
  };
}

function unreadable(error: unknown): InvalidInputError {
  const { code = 'no code' } = error as NodeJS.ErrnoException;
  return InvalidInputError.of('source', `the database cannot be read (${code})`);
}

function openFile(file: string): Queries {
  let connection: ReturnType<typeof openSqlite>;
  try {
    connection = openSqlite(file, { readonly: true, fileMustExist: true });
  } catch {
    throw InvalidInputError.of('source', `${file} cannot be opened as a SQLite database`);
  }
  const query: Queries['query'] = (sql, values) => {
    const rows = connection.prepare(sql).all(...values) as Record<string, unknown>[]; // each row is an object
    return Promise.resolve(
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : textOf(value)])),
      ),
    );
  };
  const found = connection
    .prepare(
      `SELECT t.name AS name, k.name AS part FROM sqlite_master t LEFT JOIN pragma_table_info(t.name) k ON k.pk > 0
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, k.pk`,
    )
    .all() as ForeignRow[]; // two columns of text
  return {
    query,
    keys: keysIn(found),
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString() : String(value);
}

function keysIn(found: readonly ForeignRow[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const { name, part } of found) {
    const own = keys.get(name ?? '') ?? [];
    if (part !== null && part !== undefined) own.push(part);
    keys.set(name ?? '', own);
  }
  return keys;
}
