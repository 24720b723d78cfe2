import type { Product } from '../../database/driver';
import { list, raw, sql } from '../../database/fragment';
import { jsonOrNull, shapeOf } from '../../database/row-shape';
import { seek, toPage, where, type Order, type Page, type Range } from '../../database/page';
import {
  CLOCK_MS,
  numberOrNull,
  places,
  textOrNull,
  type OwnTransaction,
  type Sql,
  type SqlValue,
  type Transaction,
} from '../../database/sql';
import { shorten } from '../../errors';
import { join, type Figures, type Limits, type Watched } from './figures';
import { MAX_REASON, type Ending, type Pending, type PendingState } from './pending';

const PENDING = shapeOf<Pending>({
  rowId: ['id', Number],
  id: ['ref', String],
  state: ['state', (value) => value as PendingState], // as inserted and ended
  username: ['username', String],
  userRef: ['user_ref', textOrNull],
  count: ['change_count', Number],
  seconds: ['seconds', numberOrNull],
  limits: ['limits', (value) => JSON.parse(String(value)) as Limits], // as inserted
  watchedNumbers: ['watched_numbers', Number],
  watchedGateways: ['watched_gateways', Number],
  figures: ['figures', (value) => jsonOrNull(value) as Figures | null], // as stored
  createdOn: ['created_on', Number],
  appliedOn: ['applied_on', numberOrNull],
  dueOn: ['due_on', numberOrNull],
  finishedOn: ['finished_on', numberOrNull],
  finishedBy: ['finished_by', textOrNull],
  revertedBy: ['reverted_by', textOrNull],
  reason: ['reason', textOrNull],
});

/** Newest first. */
const ORDER: Order = [{ column: 'id', type: 'number', descending: true }];

/** The clock of the database in milliseconds since the epoch, so that processes on several machines agree when something is due. */
export function clockOf(product: Product): string {
  return product === 'sqlite' ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)" : `(${CLOCK_MS})`;
}

/** What a row begins with. */
export interface NewPending extends Pick<Pending, 'id' | 'username' | 'userRef' | 'count' | 'seconds' | 'limits'> {
  /** Of changes that are made now. */
  readonly watched?: Watched;
  /** Of changes that are scheduled: when they are made, and as JSON, the changes and what was foreseen. */
  readonly scheduled?: { readonly at: number; readonly planned: string; readonly foreseen: string };
}

/** Inserts a set of changes that is being made in this transaction and must be confirmed, or that is scheduled. */
export async function insertPending(transaction: Transaction, product: Product, given: NewPending): Promise<void> {
  const { id, username, userRef, count, seconds, limits, watched, scheduled } = given;
  const clock = clockOf(product);
  const columns = `ref, state, is_open, username, user_ref, change_count, seconds, limits, watched, watched_numbers, watched_gateways,
    holder, until_on, planned, foreseen, created_on, applied_on, due_on`;
  const values: readonly SqlValue[] = [
    ...[id, scheduled ? 'SCHEDULED' : 'UNCONFIRMED', 1, username.slice(0, 100), userRef, count, seconds],
    ...[JSON.stringify(limits), watched ? JSON.stringify(watched) : null],
    ...[watched?.numbers.length ?? 0, watched?.gateways.length ?? 0, '', 0],
    ...[scheduled?.planned ?? null, scheduled?.foreseen ?? null],
  ];
  const times = scheduled ? `${clock}, NULL, ?` : `${clock}, ${clock}, ${clock} + ?`;
  await transaction.run(`INSERT INTO pending_changes (${columns}) VALUES (${places(values.length)}, ${times})`, [
    ...values,
    scheduled?.at ?? 1000 * (seconds ?? 0),
  ]);
}

/** How many sets of changes are in a state. */
export async function countIn(reads: Sql, state: PendingState): Promise<number> {
  const [row] = await reads.rows('SELECT COUNT(*) FROM pending_changes WHERE state = ?', [state]);
  return Number(row?.[0]);
}

/** Reads sets of changes, newest first. */
export class PendingReader {
  constructor(private readonly reads: Sql) {}

  async byId(id: string): Promise<Pending | undefined> {
    const [row] = await this.reads.rows(`SELECT ${PENDING.columns} FROM pending_changes WHERE ref = ?`, [id]);
    return row && PENDING.read(row);
  }

  /** A page of those in some states, by default in all. */
  async page(states: readonly PendingState[] | undefined, range: Range): Promise<Page<Pending>> {
    const { condition, order } = seek(ORDER, range);
    const { text, values } =
      sql`SELECT ${raw(PENDING.columns)} FROM pending_changes ${where([inStates(states), condition])}
      ORDER BY ${raw(order)} LIMIT ${range.limit + 1}`;
    return toPage((await this.reads.rows(text, values)).map(PENDING.read), range);
  }

  async count(states: readonly PendingState[] | undefined): Promise<number> {
    const { text, values } = sql`SELECT COUNT(*) FROM pending_changes ${where([inStates(states)])}`;
    return Number((await this.reads.rows(text, values))[0]?.[0]);
  }

  /** The changes of a scheduled set, and what was foreseen, as JSON. */
  async schedule(rowId: number): Promise<{ readonly planned: string | null; readonly foreseen: string | null }> {
    const [row] = await this.reads.rows('SELECT planned, foreseen FROM pending_changes WHERE id = ?', [rowId]);
    return { planned: textOrNull(row?.[0]), foreseen: textOrNull(row?.[1]) };
  }
}

function inStates(states: readonly PendingState[] | undefined) {
  return states && sql`state IN (${states.length > 0 ? list(states) : raw('NULL')})`;
}

/** An open set of changes, with what the guard needs. */
export interface OpenPending extends Pending {
  readonly watched: Watched;
  /** For how many milliseconds `dueOn` has passed; negative if it has not. */
  readonly late: number;
}

/** The open sets of changes that no other process has claimed. */
export async function openPendings(
  reads: Sql,
  product: Product,
  { holder, clock }: Claim,
): Promise<readonly OpenPending[]> {
  const rows = await reads.rows(
    `SELECT watched, COALESCE(${clockOf(product)} - due_on, -1), ${PENDING.columns} FROM pending_changes
     WHERE is_open = 1 AND (state = 'UNCONFIRMED' OR due_on <= ${clockOf(product)}) AND ${mayClaim(clock)}
     ORDER BY due_on, id LIMIT 100`,
    [holder],
  );
  return rows.map(([watched, late, ...row]) => ({
    ...PENDING.read(row),
    watched: typeof watched === 'string' ? (JSON.parse(watched) as Watched) : { numbers: [], gateways: [] }, // as inserted
    late: Number(late),
  }));
}

/** Who claims a set of changes, by the database's clock in seconds. */
export interface Claim {
  readonly holder: string;
  readonly clock: string;
}

/** A claim that lasts longer is from before the clock was set back. In seconds. */
const MOST_CLAIMED = 60;

function mayClaim(clock: string): string {
  return `(holder = ? OR until_on < ${clock} OR until_on > ${clock} + ${String(MOST_CLAIMED)})`;
}

/** Claims an open set of changes for some seconds. Returns false if another process has it, or it is finished. */
export async function claim(
  transaction: Transaction,
  { rowId, state }: Pick<Pending, 'rowId' | 'state'>,
  { holder, clock }: Claim,
  seconds: number,
): Promise<boolean> {
  const { rows } = await transaction.run(
    `UPDATE pending_changes SET holder = ?, until_on = ${clock} + ?
     WHERE id = ? AND is_open = 1 AND state = ? AND ${mayClaim(clock)}`,
    [holder, seconds, rowId, state, holder],
  );
  return rows > 0;
}

/** Gives what a process has claimed to the others. */
export async function leaveClaims(transaction: Transaction, holder: string): Promise<void> {
  await transaction.run('UPDATE pending_changes SET until_on = 0 WHERE is_open = 1 AND holder = ?', [holder]);
}

export async function storeFigures(
  transaction: Transaction,
  { rowId }: Pick<Pending, 'rowId'>,
  figures: Figures,
): Promise<void> {
  await transaction.run('UPDATE pending_changes SET figures = ? WHERE id = ? AND is_open = 1', [
    JSON.stringify(figures),
    rowId,
  ]);
}

/** Ends a set of changes that is in a state. Returns false, and changes nothing, if it is not. */
export async function endPending(
  transaction: Transaction,
  { id, state, count }: Pick<Pending, 'id' | 'state'> & Partial<Pick<Pending, 'count'>>,
  product: Product,
  ending: Ending,
): Promise<boolean> {
  const { reason = null, finishedBy = null, revertedBy = null, figures } = ending;
  const clock = clockOf(product);
  const { rows } = await transaction.run(
    `UPDATE pending_changes SET state = ?, is_open = 0, due_on = NULL, watched = NULL, finished_on = ${clock}, reason = ?, finished_by = ?,
       reverted_by = ?${ending.state === 'APPLIED' ? `, applied_on = ${clock}` : ''}${figures ? ', figures = ?' : ''}
     WHERE ref = ? AND state = ?${count === undefined ? '' : ' AND change_count = ?'}`,
    [
      ...[
        ending.state,
        reason === null ? null : shorten(reason, MAX_REASON),
        finishedBy?.slice(0, 100) ?? null,
        revertedBy,
      ],
      ...(figures ? [JSON.stringify(figures)] : []),
      ...[id, state],
      ...(count === undefined ? [] : [count]),
    ],
  );
  return rows > 0;
}

/**
 * Adds a part to a set that waits for a confirmation, whose time begins again. Returns false if the set does not wait any more.
 */
export async function extendPending(
  transaction: OwnTransaction,
  product: Product,
  { id, count, watched }: Pick<NewPending, 'id' | 'count'> & { readonly watched: Watched },
): Promise<boolean> {
  // First, so that what is read then is what others left.
  const { rows } = await transaction.run(
    `UPDATE pending_changes SET change_count = change_count + ?, due_on = ${clockOf(product)} + 1000 * seconds WHERE ref = ? AND state = 'UNCONFIRMED'`,
    [count, id],
  );
  if (rows === 0) return false;
  const lock = transaction.isSerial ? '' : 'FOR UPDATE';
  const [row] = await transaction.rows(`SELECT watched FROM pending_changes WHERE ref = ? ${lock}`, [id]);
  const all = join(JSON.parse(String(row?.[0])) as Watched, watched); // as inserted
  await transaction.run(
    'UPDATE pending_changes SET watched = ?, watched_numbers = ?, watched_gateways = ? WHERE ref = ?',
    [JSON.stringify(all), all.numbers.length, all.gateways.length, id],
  );
  return true;
}

/** Turns a scheduled set, which is being made in this transaction, into one that must be confirmed. Returns false if it is not scheduled. */
export async function beginConfirmation(
  transaction: Transaction,
  { id, seconds }: Pick<Pending, 'id' | 'seconds'>,
  product: Product,
  watched: Watched,
): Promise<boolean> {
  const clock = clockOf(product);
  const { rows } = await transaction.run(
    `UPDATE pending_changes SET state = 'UNCONFIRMED', applied_on = ${clock}, due_on = ${clock} + ?, watched = ?, watched_numbers = ?,
       watched_gateways = ? WHERE ref = ? AND state = 'SCHEDULED'`,
    [1000 * (seconds ?? 0), JSON.stringify(watched), watched.numbers.length, watched.gateways.length, id],
  );
  return rows > 0;
}
