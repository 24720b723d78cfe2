import { connect, type Socket } from 'node:net';

import { createConnection, type Connection } from 'mysql2/promise';

import { databaseTarget, type ServerTarget } from '../../config/database-url';
import { InvalidInputError } from '../../errors';
import { connectionOptions } from '../mysql/pools';
import { openSqlite } from '../sqlite/better-sqlite3';
import { keysIn, sourceOf, targetIn, type Queries } from './foreign-queries';
import { endConnection, withinLimits } from './foreign-server';
import type { ForeignRow, ForeignSource } from './foreign-source';

/**
 * Opens the database of another program to read from it: MySQL and MariaDB in a read-only transaction, so that all
 * tables are read as they were at one time, and SQLite read-only. Throws InvalidInputError, without the password in the URL.
 */
export async function openForeignDatabase(url: string): Promise<ForeignSource> {
  const target = targetIn(databaseTarget, url);
  return sourceOf(target.dialect === 'mysql' ? await openServer(target) : openFile(target.file));
}

async function openServer(target: ServerTarget): Promise<Queries> {
  const { database, hosts } = target;
  const socket = connect(hosts[0]).setNoDelay(true);
  const options = { ...hosts[0], ...connectionOptions(target), stream: socket };
  const connection = await withinLimits(socket, () => createConnection(options)).catch((error: unknown) => {
    // mysql2 waits for a server that refuses the connection to close it.
    socket.destroy();
    throw error;
  });
  const query = queryOf(connection, socket);
  const close = (): Promise<void> => endConnection(socket, () => connection.end());
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
      parameter: '?',
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function queryOf(connection: Connection, socket: Socket): Queries['query'] {
  return async (sql, values) => {
    const given = {
      sql,
      values: [...values],
      // All values are text, so that neither time zones nor the precision of numbers change them.
      typeCast: (field: { readonly string: () => string | null }) => field.string(),
    };
    const [rows] = await withinLimits(socket, () => connection.query(given));
    return rows as unknown as readonly ForeignRow[]; // because of `typeCast`; what is no SELECT has no rows to read
  };
}

function openFile(file: string): Queries {
  let connection: ReturnType<typeof openSqlite> | undefined;
  try {
    connection = openSqlite(file, { readonly: true, fileMustExist: true });
    return queriesOf(connection);
  } catch {
    connection?.close();
    // What is no database fails at the first statement.
    throw InvalidInputError.of('source', `${file} cannot be read as a SQLite database`);
  }
}

function queriesOf(connection: ReturnType<typeof openSqlite>): Queries {
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
    parameter: '?',
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString() : String(value);
}
