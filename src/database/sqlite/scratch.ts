import type BetterSqlite3 from 'better-sqlite3';
import { DataSource } from 'typeorm';

import { migrations, runMigrations } from '../migrations';
import { readsWithin, type Reads, type Row, type SqlValue, type Transaction } from '../sql';
import { betterSqlite3, openSqlite } from './better-sqlite3';

/** A small database in memory with the tables of sipgraph, which a request fills, reads and forgets. */
export interface Scratch {
  readonly reads: Reads;
  readonly transaction: Transaction;
  close(): void;
}

let template: Promise<Buffer> | undefined;

/**
 * Opens an empty scratch database: SQLite, whatever database the process uses, with the tables that the migrations make.
 * They run once in a process. Foreign keys are not enforced, because a scratch database has only some of the rows.
 */
export async function openScratch(): Promise<Scratch> {
  // One that failed is made again for the next request.
  template ??= migratedFile().catch((error: unknown) => {
    template = undefined;
    throw error;
  });
  const connection = openSqlite(await template);
  connection.pragma('foreign_keys = OFF');
  const prepared = new Map<string, BetterSqlite3.Statement<SqlValue[]>>();
  const prepare = (text: string): BetterSqlite3.Statement<SqlValue[]> => {
    const statement = prepared.get(text) ?? connection.prepare<SqlValue[]>(text);
    prepared.set(text, statement);
    return statement;
  };
  const transaction: Transaction = {
    rows: (text, values) =>
      Promise.resolve(
        prepare(text)
          .raw()
          .all(...values) as Row[],
      ), // because of `raw`
    run: (text, values) => {
      const { changes, lastInsertRowid } = prepare(text).run(...values);
      return Promise.resolve({ rows: changes, insertId: Number(lastInsertRowid) });
    },
    undoable: (work) => work(),
    undone: () => Promise.reject(new Error('A scratch database undoes nothing')),
  };
  return { reads: readsWithin(transaction), transaction, close: () => connection.close() };
}

async function migratedFile(): Promise<Buffer> {
  const source = new DataSource({
    type: 'better-sqlite3',
    driver: betterSqlite3(),
    database: ':memory:',
    migrations,
    migrationsTransactionMode: 'each',
    logging: false,
  });
  await source.initialize();
  try {
    await runMigrations(source);
    // TypeORM declares only the common driver interface. Here, the driver is always that of better-sqlite3.
    const { databaseConnection } = source.driver as unknown as { readonly databaseConnection: BetterSqlite3.Database };
    return databaseConnection.serialize();
  } finally {
    await source.destroy();
  }
}
