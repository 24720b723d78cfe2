import { randomBytes } from 'node:crypto';

import { SECRET_LENGTH } from '../config/settings';
import type { Database } from '../database/database';
import { failureOf } from '../database/errors';
import { byColumn, seek, toPage, where, type Page, type Range } from '../database/page';
import type { Row, Transaction } from '../database/sql';
import { ConflictError, InvalidInputError, NotFoundError, quote, type Issue } from '../errors';
import { FormatError, secretText, text, type Format } from '../model/format/format';
import { isRef } from '../resources/input';
import { keepingAnAdmin } from './last-admin';
import { hashPassword } from './password';
import { toRole, type Role, type Viewer } from './role';

/** Someone who may sign in. */
export interface User extends Viewer {
  readonly rowId: number;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** Milliseconds since the epoch. */
  readonly modifiedOn: number;
}

// Routr's user names may be e-mail addresses; a colon would end the name in the Basic scheme (RFC 7617, 2).
const USERNAME = text(100, { pattern: /^[^\s:]+$/, expected: 'a name without spaces and colons' });
const SECRET = secretText(SECRET_LENGTH.max, SECRET_LENGTH.min);
const COLUMNS = 'id, ref, username, role, created_on, modified_on';

/** Keeps the users. */
export class UserService {
  constructor(private readonly database: Database) {}

  async page(range: Range): Promise<Page<User>> {
    const { condition, order } = seek(byColumn('id'), range);
    const only = where([condition]);
    const rows = await this.database.rows(`SELECT ${COLUMNS} FROM users ${only.text} ORDER BY ${order} LIMIT ?`, [
      ...only.values,
      range.limit + 1,
    ]);
    return toPage(rows.map(toUser), range);
  }

  /** The user of that name; throws NotFoundError. */
  async named(username: string): Promise<User> {
    const [row] = await this.database.rows(`SELECT ${COLUMNS} FROM users WHERE username = ?`, [username]);
    if (!row) throw new NotFoundError('User', username);
    return toUser(row);
  }

  async count(): Promise<number> {
    const [row] = await this.database.rows('SELECT COUNT(*) FROM users', []);
    return Number(row?.[0]);
  }

  /** Throws InvalidInputError, and ConflictError where the name is taken. */
  async create(input: { username: string; secret: string; role: Role }): Promise<User> {
    check({ username: [USERNAME, input.username], secret: [secretOf(input.username), input.secret] });
    return this.add(input.username, input.secret, input.role);
  }

  /** Adds a user whose name and secret have been checked. */
  async add(username: string, secret: string, role: Role): Promise<User> {
    const ref = `us${randomBytes(4).toString('hex')}`;
    const hash = await hashPassword(secret);
    const now = Date.now();
    try {
      return await this.database.transaction(async (transaction) => {
        await transaction.run(
          `INSERT INTO users (ref, username, role, secret_hash, generation, created_on, modified_on)
           VALUES (?, ?, ?, ?, 1, ?, ?)`,
          [ref, username, role, hash, now, now],
        );
        return find(transaction, ref);
      });
    } catch (error) {
      if (failureOf(error).type !== 'duplicate') throw error;
      const message = `${quote(username)} is taken`;
      throw new ConflictError(`A user named ${quote(username)} exists already`, [issueWith('username', message)]);
    }
  }

  /** The user's tokens stop at once. */
  async setSecret(ref: string, secret: string): Promise<User> {
    const [row] = isRef(ref) ? await this.database.rows('SELECT username FROM users WHERE ref = ?', [ref]) : [];
    if (!row) throw new NotFoundError('User', ref);
    check({ secret: [secretOf(String(row[0])), secret] });
    const hash = await hashPassword(secret);
    return this.change(ref, 'secret_hash = ?, generation = generation + 1', [hash]);
  }

  /** Makes the user an admin with a secret that follows no rule: the operator's own ADMIN_SECRET. */
  async restoreAdmin(ref: string, secret: string): Promise<User> {
    const hash = await hashPassword(secret);
    return this.change(ref, "role = 'admin', secret_hash = ?, generation = generation + 1", [hash]);
  }

  /** Refused where it would leave no admin. */
  async setRole(ref: string, role: Role): Promise<User> {
    return this.change(ref, 'role = ?', [role]);
  }

  /** Refused for the last admin. The user's tokens stop at once. */
  async delete(ref: string): Promise<void> {
    await this.existing(ref, async (transaction) => {
      const { rows } = await transaction.run('DELETE FROM users WHERE ref = ?', [ref]);
      if (rows === 0) throw new NotFoundError('User', ref);
    });
  }

  private change(ref: string, assignments: string, values: readonly string[]): Promise<User> {
    return this.existing(ref, async (transaction) => {
      const { rows } = await transaction.run(`UPDATE users SET ${assignments}, modified_on = ? WHERE ref = ?`, [
        ...values,
        Date.now(),
        ref,
      ]);
      if (rows === 0) throw new NotFoundError('User', ref);
      return find(transaction, ref);
    });
  }

  private async existing<T>(ref: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (!isRef(ref)) throw new NotFoundError('User', ref);
    return this.database.transaction((transaction) => keepingAnAdmin(transaction, () => work(transaction)));
  }
}

async function find(transaction: Transaction, ref: string): Promise<User> {
  const [row] = await transaction.rows(`SELECT ${COLUMNS} FROM users WHERE ref = ?`, [ref]);
  if (!row) throw new NotFoundError('User', ref);
  return toUser(row);
}

function toUser([rowId, ref, username, role, createdOn, modifiedOn]: Row): User {
  return {
    rowId: Number(rowId),
    ref: String(ref),
    username: String(username),
    role: toRole(role),
    createdOn: Number(createdOn),
    modifiedOn: Number(modifiedOn),
  };
}

/** The secret of a user of that name, which is not the name itself. */
function secretOf(username: string): Format {
  return {
    ...SECRET,
    parse: (value) => {
      const secret = SECRET.parse(value);
      if (isNameOf(String(secret), username)) throw new FormatError('is the name of the user');
      return secret;
    },
  };
}

/** Whether a secret is the user's name, in any case. */
function isNameOf(secret: string, username: string): boolean {
  return secret.trim().toLowerCase() === username.toLowerCase();
}

/** Why a user may not choose a secret; imported users keep theirs. Undefined where they may. */
export function weaknessOf(username: string, secret: string): string | undefined {
  try {
    secretOf(username).parse(secret);
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

function check(values: Readonly<Record<string, readonly [Format, unknown]>>): void {
  const issues: Issue[] = [];
  for (const [field, [format, value]] of Object.entries(values)) {
    try {
      format.parse(value);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      issues.push(issueWith(field, error.message));
    }
  }
  if (issues.length > 0) throw new InvalidInputError(issues);
}

function issueWith(field: string, message: string): Issue {
  return { field, path: field, message };
}
