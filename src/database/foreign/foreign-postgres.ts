import type { Socket } from 'node:net';

import { Client, type CustomTypesConfig } from 'pg';

import { postgresTarget } from '../../config/database-url';
import { keysIn, sourceOf, targetIn, type Queries } from './foreign-queries';
import { endConnection, LONGEST, withinLimits } from './foreign-server';
import type { ForeignRow, ForeignSource } from './foreign-source';

// Milliseconds within which a server must respond to a new connection.
const CONNECTING = 5000;
/** All values are text, as in a dump, so that neither time zones nor the precision of numbers change them. */
const AS_TEXT: CustomTypesConfig = { getTypeParser: () => (value: string) => value };
/** The tables that the user may read, in the first schema of the search path, each with the columns of its primary key. */
const TABLES = `SELECT c.relname AS name, a.attname AS part FROM pg_catalog.pg_class c
  LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
  LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
  WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())
    AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
  ORDER BY c.relname, array_position(i.indkey::int2[], a.attnum)`;

/**
 * Opens a PostgreSQL database of another program to read from it, in a read-only transaction, so that all tables are read as they were
 * at one time. Throws InvalidInputError, without the password in the URL. Apart from `openForeignDatabase`, because nothing else needs
 * the driver.
 */
export async function openForeignPostgres(url: string): Promise<ForeignSource> {
  const { hosts, username, password, database, tls } = targetIn(postgresTarget, url);
  const client = new Client({
    ...hosts[0],
    user: username,
    password,
    database,
    // Without a value, the environment of the process would decide. With options, the driver never falls back to no encryption.
    ssl: tls
      ? { minVersion: 'TLSv1.2', rejectUnauthorized: tls.verify, ...(tls.ca !== undefined && { ca: tls.ca }) }
      : false,
    connectionTimeoutMillis: CONNECTING,
    // Later than `withinLimits`, whose message says more.
    statement_timeout: LONGEST + 1000,
    types: AS_TEXT,
  });
  // A connection that is lost fails the query that runs, or the next one.
  client.on('error', () => undefined);
  // The driver does not declare it. With TLS, it is another one than before.
  const socket = (): Socket =>
    (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
  const query: Queries['query'] = async (text, values) => {
    const { rows } = await withinLimits(socket(), () => client.query<ForeignRow>(text, [...values]));
    return rows;
  };
  const close = (): Promise<void> => endConnection(socket(), () => client.end());
  try {
    await withinLimits(socket(), () => client.connect());
    await query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', []);
    const keys = keysIn(await query(TABLES, []));
    return sourceOf({ query, keys, quoted: (name) => `"${name.replaceAll('"', '""')}"`, parameter: '$1', close });
  } catch (error) {
    await close();
    throw error;
  }
}
