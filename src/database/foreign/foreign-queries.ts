import { InvalidInputError, quote } from '../../errors';
import { NO_ROWS, type ForeignRow, type ForeignSource } from './foreign-source';

/** What differs between the databases of other programs: how a query runs, and what the schema has. */
export interface Queries {
  readonly query: (sql: string, values: readonly string[]) => Promise<readonly ForeignRow[]>;
  /** The tables, each with the columns of its primary key. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly quoted: (name: string) => string;
  /** What stands for the value of a query. */
  readonly parameter: string;
  readonly close: () => Promise<void>;
}

/** Rows that are read at once. */
const PAGE = 1000;

/** Whether a text is the URL of a database, and not a file. */
export function isDatabaseUrl(text: string): boolean {
  return /^[a-z][a-z0-9+]*:\/\/|^sqlite:/i.test(text);
}

/** Parses the URL of a source. Throws InvalidInputError. */
export function targetIn<T>(parse: (url: string) => T, url: string): T {
  try {
    return parse(url);
  } catch (error) {
    throw InvalidInputError.of('source', error instanceof Error ? error.message : 'is no URL of a database');
  }
}

/** Reads a database by queries, a page of a table at a time. */
export function sourceOf({ query, keys, quoted, parameter, close }: Queries): ForeignSource {
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
        : query(`${from} WHERE ${quoted(column)} > ${parameter} ${order}`, [after]));
      yield* page;
      const last = page.at(-1)?.[column] ?? undefined;
      if (page.length < PAGE || last === undefined) return;
      // The pages would never end.
      if (last === after) throw InvalidInputError.of('source', `${quote(table)} has rows after its last one`);
      after = last;
    }
  };
  return {
    tables: [...keys.keys()],
    rows,
    size: async (table) => {
      const [column] = keys.get(table) ?? [];
      if (!keys.has(table)) return NO_ROWS;
      // Not MIN, which PostgreSQL does not have for all types.
      const least = (key: string): string => `(SELECT ${key} FROM ${quoted(table)} ORDER BY ${key} LIMIT 1)`;
      const first = column === undefined ? "''" : least(quoted(column));
      const [found] = await query(`SELECT COUNT(*) AS many, ${first} AS first FROM ${quoted(table)}`, []);
      return { rows: Number(found?.['many'] ?? 0), first: found?.['first'] ?? '' };
    },
    close,
  };
}

/** Throws the error of a database that cannot be read. It never has the password or the text of the server. */
export function throwUnreadable(error: unknown): never {
  // The code may be one that the server sent.
  const { code = '' } = error as NodeJS.ErrnoException;
  throw InvalidInputError.of('source', `the database cannot be read (${/^\w{1,50}$/.test(code) ? code : 'no code'})`);
}

/** The tables in rows with the `name` of a table and a `part` of its primary key. */
export function keysIn(found: readonly ForeignRow[]): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const { name, part } of found) {
    const own = keys.get(name ?? '') ?? [];
    if (part !== null && part !== undefined) own.push(part);
    keys.set(name ?? '', own);
  }
  return keys;
}
