import { randomBytes } from 'node:crypto';

import type { Database } from '../database/database';
import { InvalidInputError, NotSupportedError, quote } from '../errors';
import { giveRights } from './account';
import { assertSecret } from './printable';
import { viewsOf } from './views';

/** Where Kamailio finds the model: a schema of views, and the user who may see them. */
export interface KamailioTarget {
  readonly schema: string;
  readonly user: string;
  /** The host that the user comes from, as MySQL has it; `%` is any. */
  readonly host: string;
}

/** Beside each other on one machine. */
export const KAMAILIO_DEFAULTS: KamailioTarget = { schema: 'kamailio', user: 'kamailio', host: '127.0.0.1' };

/** What an installation leaves behind. */
export interface Installed {
  /** Undefined where the user was there before, and keeps the password. */
  readonly password: string | undefined;
}

const NAME = /^[A-Za-z0-9_]{1,32}$/;
const SYSTEM = ['mysql', 'sys', 'information_schema', 'performance_schema'];

/**
 * Makes the schema, its views and the user, or brings them up to this version. The user can read the views, write the two
 * live tables through theirs, and nothing else. A Kamailio that runs notices nothing. Needs a database user who may create
 * schemas, views and users.
 */
export async function installKamailio(
  database: Database,
  target: KamailioTarget,
  password?: string,
): Promise<Installed> {
  const { schema } = checked(database, target);
  if (password !== undefined) assertSecret('password', password);
  await assertOthers(database, target);
  const account = accountOf(target);
  const run = (text: string, values: readonly string[] = []): Promise<unknown> =>
    database.dataSource.query(text, [...values]);
  const [row] = await database.rows('SELECT DATABASE()', []);
  const model = String(row?.[0]);
  const views = viewsOf(model);
  await ensureMd5(database);
  await run(`CREATE DATABASE IF NOT EXISTS \`${schema}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  for (const [name, select] of Object.entries(views)) {
    await run(`CREATE OR REPLACE SQL SECURITY DEFINER VIEW \`${schema}\`.\`${name}\` AS ${select}`);
  }
  const isThere = await hasUser(database, target);
  const secret = password ?? (isThere ? undefined : randomBytes(18).toString('base64url'));
  if (!isThere) await run(`CREATE USER ${account} IDENTIFIED BY ?`, [secret ?? '']);
  else if (secret !== undefined) await run(`ALTER USER ${account} IDENTIFIED BY ?`, [secret]);
  await giveRights(database, account, schema, Object.keys(views));
  return { password: secret };
}

/** Takes the schema and the user away; the model stays as it is. */
export async function uninstallKamailio(database: Database, target: KamailioTarget): Promise<void> {
  const { schema } = checked(database, target);
  await database.dataSource.query(`DROP USER IF EXISTS ${accountOf(target)}`);
  for (const name of Object.keys(viewsOf(''))) {
    if (await hasSchema(database, schema))
      await database.dataSource.query(`DROP VIEW IF EXISTS \`${schema}\`.\`${name}\``);
  }
  // Whatever else somebody keeps there is not ours to drop.
  const rows = await database.rows('SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ?', [schema]);
  if (Number(rows[0]?.[0]) === 0) await database.dataSource.query(`DROP DATABASE IF EXISTS \`${schema}\``);
}

/** Digests are MD5 (RFC 3261, 22.4), which MySQL has in a component of its own since 9.6. */
async function ensureMd5(database: Database): Promise<void> {
  const isThere = await database.dataSource.query("SELECT MD5('')").then(
    () => true,
    () => false,
  );
  if (!isThere) await database.dataSource.query("INSTALL COMPONENT 'file://component_classic_hashing'");
}

async function hasSchema(database: Database, schema: string): Promise<boolean> {
  const text = 'SELECT 1 FROM information_schema.schemata WHERE schema_name = ?';
  return (await database.rows(text, [schema])).length > 0;
}

async function hasUser(database: Database, { user, host }: KamailioTarget): Promise<boolean> {
  return (await database.rows('SELECT 1 FROM mysql.user WHERE user = ? AND host = ?', [user, host])).length > 0;
}

/** Kamailio is not to have sipgraph's own rights, nor its views to stand among the tables. */
async function assertOthers(database: Database, { schema, user }: KamailioTarget): Promise<void> {
  const [row] = await database.rows("SELECT DATABASE(), SUBSTRING_INDEX(USER(), '@', 1)", []);
  if (row?.[0] === schema) throw InvalidInputError.of('schema', `${quote(schema)} is sipgraph's own`);
  if (row?.[1] === user) throw InvalidInputError.of('user', `${quote(user)} is sipgraph's own`);
}

function checked(database: Database, target: KamailioTarget): KamailioTarget {
  if (database.product === 'sqlite') throw new NotSupportedError('Kamailio needs MySQL or MariaDB: set DATABASE_URL');
  for (const name of ['schema', 'user'] as const) {
    if (!NAME.test(target[name]))
      throw InvalidInputError.of(name, `${quote(target[name])} is not 1 to 32 letters, digits or _`);
  }
  if (!/^[A-Za-z0-9.%:-]{1,60}$/.test(target.host))
    throw InvalidInputError.of('host', `${quote(target.host)} is not a host`);
  if (SYSTEM.includes(target.schema.toLowerCase()))
    throw InvalidInputError.of('schema', `${quote(target.schema)} is the database server's own`);
  return target;
}

function accountOf({ user, host }: KamailioTarget): string {
  return `'${user}'@'${host}'`;
}
