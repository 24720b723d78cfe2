import { randomBytes } from 'node:crypto';

import type { Database } from '../../database/database';
import { COLLATIONS } from '../../database/ddl';
import { InvalidInputError, NotSupportedError, quote } from '../../errors';
import { findAccount, giveRights, type Account } from './account';
import { assertSecret } from './config-values';
import { OWNER, DIALOG_TABLES } from './dialog-tables';
import { accountOf, assertOthers, assertTarget, type KamailioTarget } from './kamailio-target';
import { viewsOf } from './views';

/** The tables and views of a schema. */
interface Contents {
  /** The views and tables of an installation for this model. */
  readonly ours: readonly string[];
  readonly others: readonly string[];
  /** The database that the views read, if they are those of another sipgraph. */
  readonly elsewhere: string | undefined;
}

/** The names of the tables and views that an installation creates. */
const NAMES: readonly string[] = [
  ...Object.keys(DIALOG_TABLES),
  ...Object.keys(viewsOf({ model: '', schema: '', collation: '' })),
];

/** The database of the first table that a view reads, as MySQL and MariaDB write the definitions of views. */
const READ = /\b(?:from|join) \(*[`"]([^`"]+)[`"]\.[`"]/gi;

/**
 * Returns the contents of a schema, which are empty if the schema does not exist. Views that read one of the databases
 * `models`, or no table, are ours.
 */
async function contentsOf(database: Database, schema: string, models: readonly string[]): Promise<Contents> {
  const rows = await database.rows(
    `SELECT t.table_name, v.view_definition, t.table_comment FROM information_schema.tables t LEFT JOIN information_schema.views v
       ON v.table_schema = t.table_schema AND v.table_name = t.table_name WHERE t.table_schema = ?`,
    [schema],
  );
  // With ANSI_QUOTES in sql_mode, names are in double quotes.
  const readsModel = (text: string): boolean =>
    models.some((model) => text.includes(`\`${model}\`.`) || text.includes(`"${model}".`));
  const [model = ''] = models;
  const views = Object.entries(viewsOf({ model, schema, collation: '' }));
  const named = views.map(([name]) => name);
  const silent = views.flatMap(([name, select]) => (readsModel(select) ? [] : name));
  const all = rows.map(([name, definition, comment]) => ({
    name: String(name),
    definition: String(definition ?? ''),
    comment: String(comment ?? ''),
  }));
  const sure = all.filter(
    ({ name, definition, comment }) =>
      (named.includes(name) && readsModel(definition)) || (name in DIALOG_TABLES && comment === OWNER),
  );
  // Some views read no table, so they cannot be identified. They count as ours if the schema has other views of ours,
  // or nothing else.
  const likely = all.filter(({ name, definition }) => silent.includes(name) && definition !== '');
  const ours = sure.length > 0 || likely.length === all.length ? [...sure, ...likely] : sure;
  const others = all.filter((each) => !ours.includes(each));
  const isInstalled = all.some(({ name, comment }) => name in DIALOG_TABLES && comment === OWNER);
  const foreign = isInstalled ? others.filter(({ name }) => named.includes(name)) : [];
  const read = foreign.flatMap(({ definition }) => [...definition.matchAll(READ)].map(([, name]) => name));
  const elsewhere = read.find((name) => name !== undefined && name !== schema);
  return {
    // The tables of calls cannot be told from those of another sipgraph, so they belong to who has the views.
    ours: elsewhere === undefined ? ours.map(({ name }) => name) : [],
    others: others.map(({ name }) => name),
    elsewhere,
  };
}

/** The defaults, for Kamailio and the database on the same machine. */
export const KAMAILIO_DEFAULTS: KamailioTarget = { schema: 'kamailio', user: 'kamailio', host: '127.0.0.1' };

/**
 * Creates or updates the schema with its views and tables, and the user. The user can only read the views, and write
 * the two live views and the tables of calls in progress. Does not affect a running Kamailio. `insteadOf` is a database
 * whose views are replaced, such as that before a restore. Requires a database user who may create schemas, tables, views
 * and users. Returns the password of the user; undefined if the user existed before and keeps it. Throws InvalidInputError if the schema or the user belongs to something else, and NotSupportedError for SQLite.
 */
export async function installKamailio(
  database: Database,
  target: KamailioTarget,
  { password, insteadOf }: { readonly password?: string | undefined; readonly insteadOf?: string | undefined } = {},
): Promise<string | undefined> {
  await assertFits(database, target);
  if (password !== undefined) assertSecret('password', password);
  const { schema } = target;
  const model = await modelOf(database);
  await assertOurs(database, schema, insteadOf === undefined ? [model] : [model, insteadOf]);
  const account = await findAccount(database, target);
  if (account) assertKnown(target, account, password);
  const run = (text: string, values: readonly string[] = []): Promise<unknown> =>
    database.dataSource.query(text, [...values]);
  const collation = COLLATIONS[database.product === 'mysql' ? 'mysql' : 'mariadb'];
  const views = viewsOf({ model, schema, collation });
  await ensureMd5(database);
  await run(`CREATE DATABASE IF NOT EXISTS \`${schema}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  for (const [name, columns] of Object.entries(DIALOG_TABLES)) {
    await run(`CREATE TABLE IF NOT EXISTS \`${schema}\`.\`${name}\` (${columns}) COMMENT = '${OWNER}'`);
  }
  await widen(database, schema);
  for (const [name, select] of Object.entries(views)) {
    await run(`CREATE OR REPLACE SQL SECURITY DEFINER VIEW \`${schema}\`.\`${name}\` AS ${select}`);
  }
  if (account) {
    await giveRights(database, target, NAMES);
    if (password !== undefined) await run(`ALTER USER ${accountOf(target)} IDENTIFIED BY ?`, [password]);
    return password;
  }
  const secret = password ?? randomBytes(18).toString('base64url');
  await run(`CREATE USER ${accountOf(target)} IDENTIFIED BY ?`, [secret]);
  try {
    await giveRights(database, target, NAMES);
  } catch (error) {
    // The password has not been shown yet, so the next installation must create the user again.
    await run(`DROP USER ${accountOf(target)}`).catch(() => undefined);
    throw error;
  }
  return secret;
}

/** Up to 0.2.0, the column was shorter than the Contact of some devices, and calls to them were not stored. */
async function widen(database: Database, schema: string): Promise<void> {
  const [row] = await database.rows(
    `SELECT character_maximum_length FROM information_schema.columns
       WHERE table_schema = ? AND table_name = 'dialog' AND column_name = 'req_uri'`,
    [schema],
  );
  if (Number(row?.[0]) < 512)
    await database.dataSource.query(`ALTER TABLE \`${schema}\`.dialog MODIFY req_uri VARCHAR(512) NOT NULL`);
}

/**
 * Drops the views, tables and user of an installation, and then the schema if it is empty. Keeps a user whose rights
 * differ from those that an installation grants. Does not change sipgraph's own tables. Returns a line about the user
 * and one about the schema.
 */
export async function uninstallKamailio(database: Database, target: KamailioTarget): Promise<readonly string[]> {
  await assertFits(database, target);
  const contents = await contentsOf(database, target.schema, [await modelOf(database)]);
  return [await dropAccount(database, target, contents), await dropViews(database, target, contents)];
}

async function dropAccount(
  database: Database,
  target: KamailioTarget,
  { others, elsewhere }: Contents,
): Promise<string> {
  const name = quote(target.user);
  const account = await findAccount(database, target);
  if (!account) return `The user ${name} at ${target.host} does not exist.`;
  if (elsewhere !== undefined) return `Kept the user ${name}, because the views are those of another sipgraph.`;
  const isOurs =
    !account.hasOthers &&
    account.tables.some((table) => NAMES.includes(table)) &&
    !account.tables.some((table) => others.includes(table));
  if (!isOurs) return `Kept the user ${name}: its rights differ from those that install grants.`;
  await database.dataSource.query(`DROP USER ${accountOf(target)}`);
  return `Dropped the user ${name}.`;
}

async function dropViews(
  database: Database,
  { schema }: KamailioTarget,
  { ours, others, elsewhere }: Contents,
): Promise<string> {
  if (elsewhere !== undefined)
    return `Kept the views in the schema ${quote(schema)}, because they read the database ${quote(elsewhere)}.`;
  if (ours.length === 0) return `The schema ${quote(schema)} contains no views of sipgraph.`;
  for (const name of ours) {
    const kind = name in DIALOG_TABLES ? 'TABLE' : 'VIEW';
    await database.dataSource.query(`DROP ${kind} \`${schema}\`.\`${name}\``);
  }
  if (others.length > 0 || (await hasRoutines(database, schema)))
    return `Dropped the views and tables, but kept the schema ${quote(schema)}, because it contains other objects.`;
  await database.dataSource.query(`DROP DATABASE \`${schema}\``);
  return `Dropped the views, the tables and the schema ${quote(schema)}.`;
}

/**
 * Whether the schema contains routines or events. An installation creates none, and dropping the schema would drop
 * them.
 */
async function hasRoutines(database: Database, schema: string): Promise<boolean> {
  const rows = await database.rows(
    `SELECT 1 FROM information_schema.routines WHERE routine_schema = ?
     UNION ALL SELECT 1 FROM information_schema.events WHERE event_schema = ?`,
    [schema, schema],
  );
  return rows.length > 0;
}

/** Digests use MD5 (RFC 3261, 22.4), which is a separate component since MySQL 9.6. */
async function ensureMd5(database: Database): Promise<void> {
  const isThere = await database.dataSource.query("SELECT MD5('')").then(
    () => true,
    () => false,
  );
  if (!isThere) await database.dataSource.query("INSTALL COMPONENT 'file://component_classic_hashing'");
}

async function modelOf(database: Database): Promise<string> {
  const [row] = await database.rows('SELECT DATABASE()', []);
  return String(row?.[0]);
}

async function assertFits(database: Database, target: KamailioTarget): Promise<void> {
  if (database.product === 'sqlite') throw new NotSupportedError('Kamailio needs MySQL or MariaDB: set DATABASE_URL');
  assertTarget(target);
  await assertOthers(database, target);
}

/** Throws InvalidInputError unless the schema is new, or its views read one of the databases `models`. */
async function assertOurs(database: Database, schema: string, models: readonly string[]): Promise<void> {
  const { ours, others, elsewhere } = await contentsOf(database, schema, models);
  if (elsewhere !== undefined)
    throw InvalidInputError.of(
      'schema',
      `${quote(schema)} has the views of another sipgraph, which read the database ${quote(elsewhere)}: choose another schema, or replace them with "sipgraph kamailio install --instead-of ${elsewhere}"`,
    );
  const other = others.find((name) => ours.length === 0 || NAMES.includes(name));
  if (other === undefined) return;
  throw InvalidInputError.of(
    'schema',
    `${quote(schema)} contains ${quote(other)}, which this sipgraph did not create: choose another schema`,
  );
}

/** Throws InvalidInputError unless an installation may change the existing user. */
function assertKnown({ user }: KamailioTarget, { tables, hasOthers }: Account, password: string | undefined): void {
  if (hasOthers)
    throw InvalidInputError.of('user', `${quote(user)} has rights that install does not grant: choose another user`);
  if (tables.length === 0 && password === undefined)
    throw InvalidInputError.of(
      'user',
      `${quote(user)} already exists, without rights: give its password, or choose another user`,
    );
}
