import type { PoolConnection, QueryResult } from 'mysql2';

import type { SqlValue } from '../sql';

/** What mysql2 needs to know of a parameter when it runs a statement again. Its whole definition takes 180 bytes. */
interface ParameterType {
  readonly columnType: number;
  readonly flags: number;
}

/** A statement that mysql2 has prepared. It is kept with its connection. */
interface PreparedStatement {
  columns: readonly unknown[];
  parameters: readonly ParameterType[];
}

/**
 * Runs a prepared statement. mysql2 keeps the definitions of all its columns and parameters, but needs only the types of the parameters
 * again. The rest would take some 10 MB, because each connection prepares the statements itself.
 */
export function execute(
  connection: PoolConnection,
  text: string,
  values: readonly SqlValue[],
  done: (error: Error | null, result: QueryResult) => void,
): void {
  const command = connection.execute(text, [...values], (error, result) => {
    // With an error, this may run before `execute` returns.
    if (!error) forgetDefinitions(statementOf(command));
    done(error, result);
  });
}

/** What mysql2 knows of the statements of a connection, and publishes only here. */
interface Statements {
  readonly _statements: { readonly has: (key: string) => boolean };
  readonly constructor: { readonly statementKey: (options: { readonly sql: string }) => string };
}

/** Whether `execute` finds the statement prepared. */
export function isPrepared(connection: PoolConnection, text: string): boolean {
  const { _statements, constructor } = connection as unknown as Statements;
  return _statements.has(constructor.statementKey({ sql: text }));
}

function statementOf(command: unknown): PreparedStatement {
  return (command as { readonly statement: PreparedStatement }).statement; // because the command has run
}

const NONE: readonly unknown[] = [];
const types = new Map<string, ParameterType>();

function forgetDefinitions(statement: PreparedStatement): void {
  if (statement.columns === NONE) return;
  statement.columns = NONE;
  statement.parameters = statement.parameters.map(({ columnType, flags }) => {
    const key = `${String(columnType)} ${String(flags)}`;
    const type = types.get(key) ?? { columnType, flags };
    types.set(key, type);
    return type;
  });
}
