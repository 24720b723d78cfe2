import { createHash } from 'node:crypto';

import type { Logger } from 'pino';

import { RepeatedTask } from '../../changes/repeated-task';
import type { Database } from '../../database/database';
import type { TransactionOptions } from '../../database/driver';
import { failureOf } from '../../database/errors';
import type { OwnTransaction } from '../../database/sql';
import { trimRows } from '../../database/trim-rows';
import { InvalidInputError, KeyReusedError } from '../../errors';
import { logFailure } from '../../log';
import { retry, inTransaction } from './transactions';

/** The name of the header, for messages. */
export const HEADER = 'Idempotency-Key';

/**
 * The key of a create that its caller may send again. The first create with the key stores it, and later ones return
 * what the first one has created.
 */
export interface IdempotencyKey {
  /** Identifies the user and the key. */
  readonly hash: string;
  /** Identifies the input of the create. A key cannot be used for another input. */
  readonly fingerprint: string;
}

/** A key as a caller sends it. */
export interface GivenKey {
  /** The ref of the user. Users do not share keys. */
  readonly user: string;
  readonly text: string;
  /** The position among the creates of the request, which all have the same key. */
  readonly index: number;
}

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** Returns the key of a create with this input. Throws InvalidInputError if the caller's text is no valid key. */
export function idempotencyKeyOf({ user, text, index }: GivenKey, ...input: readonly unknown[]): IdempotencyKey {
  if (!VISIBLE.test(text)) throw InvalidInputError.of(HEADER, 'must have 1 to 255 visible ASCII characters');
  return { hash: hashOf([user, String(index), text]), fingerprint: hashOf(input) };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortMembers)).digest('hex');
}

/** Sorts the members of objects, whose order has no meaning. */
function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

// Seconds for which a key is kept.
const KEPT = 24 * 3600;

/** Thrown by a create whose key an earlier create has stored: contains what that one has created. */
export class AlreadyCreatedError extends Error {
  constructor(readonly refs: readonly string[]) {
    super('The request was already processed');
  }
}

/**
 * Stores a key, with the refs of the resources that its transaction is about to create. Throws AlreadyCreatedError if
 * the key is stored already, and KeyReusedError if that was for another input. Waits for a concurrent transaction with
 * the same key.
 */
export async function storeKey(
  transaction: OwnTransaction,
  { hash, fingerprint }: IdempotencyKey,
  refs: readonly string[],
): Promise<void> {
  try {
    await transaction.run(
      `INSERT INTO idempotency_keys (hash, fingerprint, refs, created_on) VALUES (?, ?, ?, ${transaction.clock})`,
      [hash, fingerprint, JSON.stringify(refs)],
    );
  } catch (error) {
    if (failureOf(error).type !== 'duplicate') throw error;
    // A locking read sees the row, even if it was committed after the first read of this transaction.
    const [row] = await transaction.rows(
      `SELECT fingerprint, refs FROM idempotency_keys WHERE hash = ?${transaction.isSerial ? '' : ' LOCK IN SHARE MODE'}`,
      [hash],
    );
    // It was trimmed in the meantime.
    if (!row) return storeKey(transaction, { hash, fingerprint }, refs);
    if (row[0] !== fingerprint) throw new KeyReusedError(HEADER);
    throw new AlreadyCreatedError(JSON.parse(String(row[1])) as string[]); // written above
  }
}

/** Replaces what is stored with a key, once its transaction knows it. */
async function storeResult(
  transaction: OwnTransaction,
  { hash }: IdempotencyKey,
  refs: readonly string[],
): Promise<void> {
  await transaction.run('UPDATE idempotency_keys SET refs = ? WHERE hash = ?', [JSON.stringify(refs), hash]);
}

/** Removes a key whose create has failed, so that the caller can correct the cause and send it again. */
export async function removeKey(transaction: OwnTransaction, { hash }: IdempotencyKey): Promise<void> {
  await transaction.run('DELETE FROM idempotency_keys WHERE hash = ?', [hash]);
}

/** How `KeyTurns.whole` runs. */
interface WholeOptions extends TransactionOptions {
  readonly dryRun?: boolean;
  readonly key?: IdempotencyKey | undefined;
}

/**
 * Lets the creates with the same key run one after the other in this process, so that they never share a transaction.
 * Those of other processes wait for a lock in the database.
 */
export class KeyTurns {
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(private readonly database: Database) {}

  /**
   * Runs `create`, several times if need be (see `again`), or, if an earlier create has stored the key, `earlier` with
   * the refs that it has created.
   */
  once<T>(
    key: IdempotencyKey | undefined,
    create: () => Promise<T>,
    earlier: (refs: readonly string[]) => Promise<T> | T,
  ): Promise<T> {
    const attempts = (): Promise<T> => retry(this.database, create);
    return key ? this.inTurn(key.hash, attempts, earlier) : attempts();
  }

  /**
   * Runs `work` in a transaction, or, if an earlier request has stored the key, returns the result of that one, of which
   * `shortened` was stored. A dry run is rolled back, and stores no key.
   */
  whole<T>(
    work: (transaction: OwnTransaction) => Promise<T>,
    { dryRun = false, key: given, ...options }: WholeOptions,
    shortened = (result: T): T => result,
  ): Promise<T> {
    const key = dryRun ? undefined : given;
    const workWithKey = async (transaction: OwnTransaction): Promise<T> => {
      if (key) await storeKey(transaction, key, []);
      const result = await work(transaction);
      if (key) await storeResult(transaction, key, [JSON.stringify(shortened(result))]);
      return result;
    };
    const attempt = (): Promise<T> => inTransaction(this.database, workWithKey, { ...options, isKept: () => !dryRun });
    return this.once(key, attempt, ([result = '']) => JSON.parse(result) as T); // stored above
  }

  private async inTurn<T>(
    hash: string,
    create: () => Promise<T>,
    earlier: (refs: readonly string[]) => Promise<T> | T,
  ): Promise<T> {
    const turn = (this.running.get(hash) ?? Promise.resolve()).catch(() => undefined).then(create);
    this.running.set(hash, turn);
    try {
      return await turn;
    } catch (error) {
      if (error instanceof AlreadyCreatedError) return await earlier(error.refs);
      throw error;
    } finally {
      if (this.running.get(hash) === turn) this.running.delete(hash);
    }
  }
}

// Milliseconds between two deletions of old keys.
const TRIM_INTERVAL = 10 * 60_000;

/** Deletes the keys that are older than a day, by the clock of the database, regularly, until it is closed. */
export function maintainKeys({ clock, maintenance }: Database, log: Logger): RepeatedTask {
  const old = `created_on < ${clock} - ${String(KEPT)}`;
  const onFailure = (error: unknown): void => logFailure(log, error, 'cannot delete old idempotency keys');
  return new RepeatedTask(
    () => trimRows(maintenance, 'idempotency_keys', old, 'created_on'),
    TRIM_INTERVAL,
    onFailure,
  ).start(0);
}
