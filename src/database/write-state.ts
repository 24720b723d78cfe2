import type { Driver } from './driver';
import { driverError } from './errors';
import type { Row, Sql, SqlValue } from './sql';

/** Runs a statement without values. */
type Send = (text: string) => Promise<readonly Row[]>;

const STATE = 'SELECT @@global.read_only, VERSION()';
// Empty unless the server belongs to a group.
const GROUP_NAME = "SHOW GLOBAL VARIABLES LIKE 'group_replication_group_name'";
// A member without a majority accepts statements, but its commits wait.
const MEMBERS = `SELECT COUNT(*), SUM(member_state = 'ONLINE'),
  MAX(IF(member_id = @@server_uuid, member_state, '')) FROM performance_schema.replication_group_members
  WHERE member_id <> ''`;

const DENIED = [1142, 1227];
// Where the user may not read the members of the group. Asked once, because each refusal counts as a failed statement.
const unreadable = new WeakSet<object>();

/**
 * Reads a table, and returns whether the database accepts writes. A server that is read-only for most users counts as
 * read-only for all. Throws if the table cannot be read, for example because the server is a Galera node outside of the
 * primary component, or if a SQLite file was removed or replaced.
 */
export async function isWritable(database: Sql & Pick<Driver, 'product' | 'isReadOnly'>): Promise<boolean> {
  const send: Send = (text) => database.rows(text, []);
  await send('SELECT last FROM change_head WHERE id = 1');
  if (database.product === 'sqlite') return !(await database.isReadOnly());
  return (await writeProblem(database, send)) === undefined;
}

/**
 * Why a server, to which `send` sends statements, must not be written to; undefined if it may be. Galera is not
 * considered.
 */
export async function writeProblem(server: object, send: Send): Promise<string | undefined> {
  const [state] = await send(STATE);
  if (!isOff(state?.[0])) return 'read-only';
  if (/mariadb/i.test(String(state?.[1])) || unreadable.has(server)) return undefined;
  const [name] = await send(GROUP_NAME);
  if ((name?.[1] ?? '') === '') return undefined;
  try {
    return problemOf(await send(MEMBERS));
  } catch (error) {
    if (!DENIED.includes(driverError(error).errno)) throw error;
    unreadable.add(server);
    return undefined;
  }
}

/** A server whose group replication does not run would accept writes that the group never receives. */
function problemOf([row]: readonly Row[]): string | undefined {
  const [members, online, own] = [Number(row?.[0]), Number(row?.[1]), row?.[2]];
  if (members === 0) return 'not a member of its group';
  if (own !== 'ONLINE') return `in the state ${String(own)}`;
  return online * 2 > members ? undefined : 'without a majority of its group';
}

/** Whether a system variable is off. MariaDB 12 returns words. */
export function isOff(value: SqlValue | undefined): boolean {
  return ['0', 'OFF'].includes(String(value));
}
