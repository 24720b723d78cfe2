import type BetterSqlite3 from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import { withRehearsal, withSavepoint, type Row, type SqlValue, type Transaction } from '../sql';

/** Binds arrays of values, and values by name. */
type Bound = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;
type Statement = BetterSqlite3.Statement<Bound[]>;

/** The connection of a data source of SQLite. */
export function connectionOf(dataSource: DataSource): BetterSqlite3.Database {
  // TypeORM declares only the common driver interface. Here, the driver is always that of better-sqlite3.
  return (dataSource.driver as unknown as { readonly databaseConnection: BetterSqlite3.Database }).databaseConnection;
}

/** Returns a function that prepares the statements of a connection once. */
export function preparer(connection: BetterSqlite3.Database): (text: string) => Statement {
  const statements = new LRUCache<string, Statement>({ max: 500 });
  return (text) => {
    const known = statements.get(text);
    if (known) return known;
    // SQLite prepares a statement again for each new value of `LIMIT ?`, but not for an expression.
    const statement = connection.prepare<Bound[]>(text.replaceAll('LIMIT ?', 'LIMIT ? + 0'));
    statements.set(text, statement);
    return statement;
  };
}

/** The rows of a statement, as arrays. */
export function arrays(statement: Statement, values: readonly SqlValue[]): readonly Row[] {
  return statement.raw().all(values) as readonly Row[]; // because of `raw`
}

/** The statements of a transaction that has begun on the connection of these statements. */
export function transactionOn(prepared: (text: string) => Statement): Transaction {
  const savepoint = (text: string): Promise<void> => attempt(() => void prepared(text).run());
  return {
    rows: (text, values) => attempt(() => arrays(prepared(text), values)),
    run: (text, values, named) =>
      attempt(() => {
        const given = named ? [values, named] : [values];
        const { changes, lastInsertRowid } = prepared(text).run(...given);
        return { rows: changes, insertId: Number(lastInsertRowid) };
      }),
    undoable: (work) => withSavepoint(savepoint, work),
    undone: (work) => withRehearsal(savepoint, work),
  };
}

/** Runs synchronous code of the driver, and converts an exception to a rejection. */
function attempt<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
