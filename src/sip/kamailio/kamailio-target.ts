import type { Database } from '../../database/database';
import { InvalidInputError, quote } from '../../errors';

/** The schema of Kamailio's views, and the database user who may read them. */
export interface KamailioTarget {
  readonly schema: string;
  readonly user: string;
  /** The host from which the user connects, in MySQL's notation; `%` is any host. */
  readonly host: string;
}

const NAME = /^[A-Za-z0-9_]{1,32}$/;
const SYSTEM = ['mysql', 'sys', 'information_schema', 'performance_schema'];

/**
 * Checks that the names need no quoting in statements and URLs, and that the schema is not one of the database server.
 * Throws InvalidInputError.
 */
export function assertTarget(target: KamailioTarget): void {
  for (const name of ['schema', 'user'] as const) {
    if (!NAME.test(target[name]))
      throw InvalidInputError.of(name, `${quote(target[name])} is not 1 to 32 letters, digits or _`);
  }
  if (!/^[A-Za-z0-9.%:-]{1,60}$/.test(target.host))
    throw InvalidInputError.of('host', `${quote(target.host)} is not a host`);
  if (SYSTEM.includes(target.schema.toLowerCase()))
    throw InvalidInputError.of('schema', `${quote(target.schema)} belongs to the database server`);
}

/** Throws InvalidInputError if Kamailio would share sipgraph's own user or schema. */
export async function assertOthers(database: Database, { schema, user }: KamailioTarget): Promise<void> {
  const [row] = await database.rows("SELECT DATABASE(), SUBSTRING_INDEX(USER(), '@', 1)", []);
  if (row?.[0] === schema) throw InvalidInputError.of('schema', `${quote(schema)} is the schema of sipgraph itself`);
  if (row?.[1] === user) throw InvalidInputError.of('user', `${quote(user)} is the user of sipgraph itself`);
}

/** The user in the notation of SQL statements. */
export function accountOf({ user, host }: Pick<KamailioTarget, 'user' | 'host'>): string {
  return `'${user}'@'${host}'`;
}
