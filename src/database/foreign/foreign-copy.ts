import { openSqlite } from '../sqlite/better-sqlite3';
import type { ForeignRow, ForeignSource, TableSize } from './foreign-source';

/** Rows that are written and read at once. */
const PAGE = 1000;

interface StoredRow {
  readonly id: number;
  readonly row: string;
}

/**
 * Reads each table of a source once, when it is first asked for, into a temporary file. What was read is there without the server, so
 * that a transaction need not wait for it. The file has passwords: it has no name, and ends with the process.
 */
export function readOnce(source: ForeignSource): ForeignSource {
  const file = openSqlite('');
  file.exec(
    'CREATE TABLE stored (place INTEGER, id INTEGER, row TEXT NOT NULL, PRIMARY KEY (place, id)) WITHOUT ROWID',
  );
  const insert = file.prepare('INSERT INTO stored (place, id, row) VALUES (?, ?, ?)');
  const select = file.prepare('SELECT id, row FROM stored WHERE place = ? AND id > ? ORDER BY id LIMIT ?');
  const places = new Map<string, Promise<number>>();
  const sizes = new Map<string, Promise<TableSize>>();

  const store = async (table: string, place: number): Promise<number> => {
    const write = file.transaction((rows: readonly string[], first: number) => {
      rows.forEach((row, index) => insert.run(place, first + index, row));
    });
    let [page, next]: [string[], number] = [[], 1];
    for await (const row of source.rows(table)) {
      page.push(JSON.stringify(row));
      if (page.length < PAGE) continue;
      write(page, next);
      [page, next] = [[], next + page.length];
    }
    write(page, next);
    return place;
  };
  const rows = async function* (table: string): AsyncGenerator<ForeignRow, void, undefined> {
    const stored = places.get(table) ?? store(table, places.size);
    places.set(table, stored);
    const place = await stored;
    for (let after = 0; ;) {
      const page = select.all(place, after, PAGE) as StoredRow[]; // the columns of `stored`
      for (const { row } of page) yield JSON.parse(row) as ForeignRow;
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
    }
  };
  return {
    tables: source.tables,
    rows,
    size: (table) => {
      const size = sizes.get(table) ?? source.size(table);
      sizes.set(table, size);
      return size;
    },
    close: async () => {
      file.close();
      await source.close();
    },
  };
}
