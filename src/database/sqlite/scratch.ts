import { DataSource } from 'typeorm';

import { migrations, runMigrations } from '../migrations';
import { readsWithin, type Reads, type Transaction } from '../sql';
import { betterSqlite3, openSqlite } from './better-sqlite3';
import { connectionOf, preparer, transactionOn } from './sqlite-statements';

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
  const transaction = transactionOn(preparer(connection));
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
    return connectionOf(source).serialize();
  } finally {
    await source.destroy();
  }
}
