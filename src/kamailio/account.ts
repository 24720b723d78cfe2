import type { Database } from '../database/database';
import { WRITTEN } from './views';

/** A right on a table, or on a view. */
interface Right {
  readonly table: string;
  readonly privilege: string;
}

/** What Kamailio's user may do with a view, as GRANT takes it. */
export function wantedRights(view: string): readonly string[] {
  return WRITTEN.includes(view) ? ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] : ['SELECT'];
}

/** Gives an account its rights on the views and no others; what it has already it keeps all the while. */
export async function giveRights(
  database: Database,
  account: string,
  schema: string,
  views: readonly string[],
): Promise<void> {
  const run = (text: string): Promise<unknown> => database.dataSource.query(text);
  for (const view of views) {
    await run(`GRANT ${wantedRights(view).join(', ')} ON \`${schema}\`.\`${view}\` TO ${account}`);
  }
  for (const { table, privilege } of await rightsOf(database, account, schema)) {
    if (views.includes(table) && wantedRights(table).includes(privilege)) continue;
    await run(`REVOKE ${privilege} ON \`${schema}\`.\`${table}\` FROM ${account}`);
  }
}

/** Its rights on the tables of the schema; that it may pass them on is one more for each table. */
async function rightsOf(database: Database, account: string, schema: string): Promise<readonly Right[]> {
  const where = 'FROM information_schema.table_privileges WHERE grantee = ? AND table_schema = ?';
  const rows = await database.rows(
    `SELECT table_name, privilege_type ${where}
     UNION SELECT table_name, 'GRANT OPTION' ${where} AND is_grantable = 'YES'`,
    [account, schema, account, schema],
  );
  return rows.map(([table, privilege]) => ({ table: String(table), privilege: String(privilege) }));
}
