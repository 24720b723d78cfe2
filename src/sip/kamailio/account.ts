import type { Database } from '../../database/database';
import { accountOf, type KamailioTarget } from './kamailio-target';
import { WRITTEN } from './views';

/** A database user and its rights. */
export interface Account {
  /** The tables and views of the schema on which the user has any right. */
  readonly tables: readonly string[];
  /** Whether the user has rights that no installation grants. */
  readonly hasOthers: boolean;
}

/** Reads an account and its rights. Returns undefined if the account does not exist. */
export async function findAccount(database: Database, target: KamailioTarget): Promise<Account | undefined> {
  const { schema, user, host } = target;
  const found = await database.rows('SELECT 1 FROM mysql.user WHERE user = ? AND host = ?', [user, host]);
  if (found.length === 0) return undefined;
  const grants = (await database.rows(`SHOW GRANTS FOR ${accountOf(target)}`, [])).map(([grant]) => String(grant));
  // USAGE means no rights, except WITH GRANT OPTION.
  const rights = grants.filter((grant) => !grant.startsWith('GRANT USAGE ON *.* ') || grant.includes('GRANT OPTION'));
  // With ANSI_QUOTES in sql_mode, names are in double quotes.
  const onTable = new RegExp(`^GRANT [A-Z, ]+ ON ["\`]${schema}["\`]\\.["\`]([^"\`]+)["\`] TO `);
  const tables = rights.flatMap((grant) => onTable.exec(grant)?.[1] ?? []);
  return { tables, hasOthers: rights.length > tables.length };
}

/**
 * Grants an account its rights on the views and tables, then revokes all its other rights on tables of the schema.
 * Rights that the account keeps are never interrupted.
 */
export async function giveRights(database: Database, target: KamailioTarget, views: readonly string[]): Promise<void> {
  const { schema } = target;
  const account = accountOf(target);
  const run = (text: string): Promise<unknown> => database.dataSource.query(text);
  for (const view of views) {
    await run(`GRANT ${rightsFor(view).join(', ')} ON \`${schema}\`.\`${view}\` TO ${account}`);
  }
  for (const [table = '', privilege = ''] of await rightsOf(database, account, schema)) {
    if (views.includes(table) && rightsFor(table).includes(privilege)) continue;
    await run(`REVOKE ${privilege} ON \`${schema}\`.\`${table}\` FROM ${account}`);
  }
}

function rightsFor(view: string): readonly string[] {
  return WRITTEN.includes(view) ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] : ['SELECT'];
}

/** The tables of the schema on which an account has rights, with each right. GRANT OPTION counts as a right. */
async function rightsOf(database: Database, account: string, schema: string): Promise<readonly (readonly string[])[]> {
  const where = 'FROM information_schema.table_privileges WHERE grantee = ? AND table_schema = ?';
  const rows = await database.rows(
    `SELECT table_name, privilege_type ${where}
     UNION SELECT table_name, 'GRANT OPTION' ${where} AND is_grantable = 'YES'`,
    [account, schema, account, schema],
  );
  return rows.map((row) => row.map(String));
}
