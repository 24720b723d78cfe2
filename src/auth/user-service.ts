import { randomBytes } from 'node:crypto';

import type { Database } from '../database/database';
import { failureOf } from '../database/errors';
import { byColumn, seek, toPage, where, type Page, type Range } from '../database/page';
import type { Row, Transaction } from '../database/sql';
import { ConflictError, NotFoundError, quote } from '../errors';
import { isRef } from '../resources/input';
import { keepingAnAdmin } from './last-admin';
import { hashPassword } from './password';
import { toRole, type Role, type Viewer } from './role';
import { assertSecret, assertUser } from './user-rules';

/** A user account. */
export interface User extends Viewer {
  readonly rowId: number;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** Milliseconds since the epoch. */
  readonly modifiedOn: number;
}

const COLUMNS = 'id, ref, username, role, created_on, modified_on';

/** Reads and writes user accounts. */
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

  /** Returns the user with this name. Throws NotFoundError. */
  async named(username: string): Promise<User> {
    const [row] = await this.database.rows(`SELECT ${COLUMNS} FROM users WHERE username = ?`, [username]);
    if (!row) throw new NotFoundError('User', username);
    return toUser(row);
  }

  async count(): Promise<number> {
    const [row] = await this.database.rows('SELECT COUNT(*) FROM users', []);
    return Number(row?.[0]);
  }

  /** Creates a user. Throws InvalidInputError, and ConflictError if the name is taken. */
  async create(input: { username: string; secret: string; role: Role }): Promise<User> {
    assertUser(input);
    return this.add(input.username, input.secret, input.role);
  }

  /** Creates a user without validating the name and secret. Throws ConflictError if the name is taken. */
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
      throw new ConflictError(`A user named ${quote(username)} already exists`, [
        { field: 'username', path: 'username', message },
      ]);
    }
  }

  /** Changes the secret and invalidates the user's tokens. Throws InvalidInputError and NotFoundError. */
  async setSecret(ref: string, secret: string): Promise<User> {
    const [row] = isRef(ref) ? await this.database.rows('SELECT username FROM users WHERE ref = ?', [ref]) : [];
    if (!row) throw new NotFoundError('User', ref);
    assertSecret(String(row[0]), secret);
    const hash = await hashPassword(secret);
    return this.change(ref, 'secret_hash = ?, generation = generation + 1', [hash]);
  }

  /** Makes the user an admin with ADMIN_SECRET, which the rules for secrets do not apply to. */
  async restoreAdmin(ref: string, secret: string): Promise<User> {
    const hash = await hashPassword(secret);
    return this.change(ref, "role = 'admin', secret_hash = ?, generation = generation + 1", [hash]);
  }

  /** Changes the role. Throws NotFoundError, and NotSupportedError for the last admin. */
  async setRole(ref: string, role: Role): Promise<User> {
    return this.change(ref, 'role = ?', [role]);
  }

  /** Deletes the user and invalidates the user's tokens. Throws NotFoundError, and NotSupportedError for the last admin. */
  async delete(ref: string): Promise<void> {
    await this.changing(ref, async (transaction) => {
      const { rows } = await transaction.run('DELETE FROM users WHERE ref = ?', [ref]);
      if (rows === 0) throw new NotFoundError('User', ref);
    });
  }

  private change(ref: string, assignments: string, values: readonly string[]): Promise<User> {
    return this.changing(ref, async (transaction) => {
      const { rows } = await transaction.run(`UPDATE users SET ${assignments}, modified_on = ? WHERE ref = ?`, [
        ...values,
        Date.now(),
        ref,
      ]);
      if (rows === 0) throw new NotFoundError('User', ref);
      return find(transaction, ref);
    });
  }

  private async changing<T>(ref: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
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
