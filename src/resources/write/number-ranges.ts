import type { Actor } from '../../changes/actor';
import { raw, statementsOf, sql, useIndex, type Fragment } from '../../database/fragment';
import { pad, places, type OwnTransaction, type Row, type SqlValue } from '../../database/sql';
import { ConflictError, quote } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import { rangeKey, type Digits } from '../../model/format/number-range';
import { withArticle, type Kind } from '../../model/kind';
import { issue, type Changes, type Values } from './input';
import { blocksOf, countBlocks, MOST_GUARDED, writeBlocks } from './number-blocks';
import { completeKeys } from './number-keys';
import { isParkedText } from './conflict';

/** A number or a range of numbers that the transaction has written. A number that it has created needs no row id. */
interface WrittenNumber {
  readonly rowId?: number;
  readonly gatewayId: SqlValue;
  readonly values: Values;
  readonly actor: Pick<Actor, 'owe'>;
}

type Placed = WrittenNumber & Digits;
/** Where a number is, and whose. */
type Position = Pick<WrittenNumber, 'gatewayId' | 'values'> & Digits;

/** A range overlaps another one, or a number is inside a range of another gateway. */
export class RangeTakenError extends ConflictError {}

// The numbers with rows of their own inside a range that a statement counts when the range is written.
const PIECE = 10_000;
// Those that cost as much as one object to count, and blocks of numbers to write.
const COUNTED_PER_OBJECT = 10;

/** Whether a change of a resource needs `assertRangesFree`. */
export function mayOverlap({ ranges }: Kind, changes: Changes): boolean {
  return ranges?.fields.some((field) => changes.has(field)) === true;
}

/** The same as `assertRangesFree`, for resources that were changed. */
export async function assertStillFree(
  transaction: OwnTransaction,
  kind: Kind,
  changed: readonly { readonly rowId: number; readonly values: Values }[],
  actor: WrittenNumber['actor'],
): Promise<void> {
  if (changed.length === 0) return;
  const keys = pad(
    changed.map(({ rowId }) => rowId),
    0,
  );
  const rows = await transaction.rows(
    `SELECT id, gateway_id FROM ${kind.table} WHERE id IN (${places(keys.length)})`,
    keys,
  );
  const gateways = new Map(rows.map(([id, gatewayId]) => [Number(id), gatewayId ?? null]));
  await assertRangesFree(
    transaction,
    kind,
    changed.map((each) => ({ ...each, actor, gatewayId: gateways.get(each.rowId) ?? null })),
  );
}

/**
 * Throws RangeTakenError if a range overlaps another one, or if a number is inside a range of another gateway. Runs after
 * the rows were written, and reads with locks: of two transactions whose rows exclude each other, at least one sees the row
 * of the other, or ends in a deadlock and runs again. Without ranges, it takes one statement, or two in a cluster.
 */
export async function assertRangesFree(
  transaction: OwnTransaction,
  kind: Kind,
  written: readonly WrittenNumber[],
): Promise<void> {
  const { ranges } = kind;
  if (!ranges || written.length === 0) return;
  const lock = transaction.isSerial ? '' : 'LOCK IN SHARE MODE';
  const placed = written.map((each) => ({ ...each, ...ranges.digits(each.values) }));
  if (await transaction.hasNodes()) await guard(transaction, kind, placed);
  if (!(await hasRanges(transaction, lock))) return;
  const isRange = ({ values }: Placed): boolean => values.has('lastTelUrl');
  const singles = placed.filter((each) => !isRange(each) && each.first !== '');
  // Numbers cannot be inside a range of another gateway.
  for await (const [, message] of messagesAround(transaction, kind, singles, lock))
    throw rangeTaken(kind, 'telUrl', message);
  const spans = placed.filter(isRange);
  await assertApart(transaction, kind, spans, lock);
  await assertOwn(transaction, kind, spans, lock);
}

/** Makes transactions on other nodes conflict that write the same numbers. Those who write ranges pay for it. */
async function guard(transaction: OwnTransaction, kind: Kind, placed: readonly Placed[]): Promise<void> {
  for (const each of placed) each.actor.owe?.(Math.floor(blocksOf(each) / COUNTED_PER_OBJECT));
  const refused = countBlocks(transaction, placed);
  if (refused)
    throw rangeTaken(
      kind,
      'lastTelUrl',
      `${spanOf(refused.values)} has too many numbers for this request: in a cluster, its ranges can have ${MOST_GUARDED.toLocaleString('en')} numbers: divide the request`,
    );
  await writeBlocks(transaction, placed);
}

/**
 * Of numbers that are not written yet, those inside a range of another gateway, as the message about each, by its place. Reads
 * without locks: the write checks again.
 */
export async function insideOthers(
  transaction: OwnTransaction,
  kind: Kind,
  numbers: readonly Pick<WrittenNumber, 'gatewayId' | 'values'>[],
): Promise<ReadonlyMap<number, string>> {
  const { ranges } = kind;
  if (!ranges || numbers.length === 0 || !(await hasRanges(transaction, ''))) return new Map();
  const placed = numbers.map((each) => ({ ...each, ...ranges.digits(each.values) }));
  const inside = new Map<number, string>();
  for await (const [place, message] of messagesAround(transaction, kind, placed, '')) inside.set(place, message);
  return inside;
}

async function hasRanges(transaction: OwnTransaction, lock: string): Promise<boolean> {
  const rows = await transaction.rows(`SELECT number_id FROM number_ranges LIMIT 1 ${lock}`, []);
  return rows.length > 0;
}

/** The message about each number that is inside a range of another gateway, with its place. */
async function* messagesAround(
  transaction: OwnTransaction,
  kind: Kind,
  numbers: readonly Position[],
  lock: string,
): AsyncGenerator<readonly [place: number, message: string], void, undefined> {
  const seeks = numbers.map(({ first, gatewayId }, place): Fragment => {
    const key = rangeKey(first);
    const text = `SELECT ${String(place)} AS place, n.id FROM (SELECT number_id, range_last FROM number_ranges
      WHERE range_first <= ? ORDER BY range_first DESC LIMIT 1 ${lock}) r
      JOIN ${kind.table} n ON n.id = r.number_id AND n.gateway_id <> ? WHERE r.range_last >= ? ${lock}`;
    return { text, values: [key, gatewayId, key] };
  });
  const found: Row[] = [];
  for (const { text, values } of statementsOf(seeks)) found.push(...(await transaction.rows(text, values)));
  const names = new Map<number, string>();
  for (const [place = 0, rowId = 0] of found.map((row) => row.map(Number))) {
    let name = names.get(rowId);
    if (name === undefined) {
      const found = await nameOf(transaction, kind, rowId, lock);
      names.set(rowId, (name = `${found.name}, of gateway ${found.gateway}`));
    }
    yield [place, `${quote(numbers[place]?.values.get('telUrl'))} is inside ${name}`];
  }
}

/** Ranges cannot overlap. Those before do not, so the one that begins last, but not after the end, is the only candidate. */
async function assertApart(
  transaction: OwnTransaction,
  kind: Kind,
  ranges: readonly Placed[],
  lock: string,
): Promise<void> {
  const seeks = ranges.map(({ first, last, rowId = 0 }, place): Fragment => {
    const text = `SELECT ${String(place)} AS place, r.number_id FROM (SELECT number_id, range_last FROM number_ranges
      WHERE range_first <= ? AND number_id <> ? ORDER BY range_first DESC LIMIT 1 ${lock}) r WHERE r.range_last >= ?`;
    return { text, values: [rangeKey(last), rowId, rangeKey(first)] };
  });
  for (const { text, values } of statementsOf(seeks)) {
    const [found] = await transaction.rows(text, values);
    const range = found && ranges[Number(found[0])];
    if (!found || !range) continue;
    const { name } = await nameOf(transaction, kind, Number(found[1]), lock);
    throw rangeTaken(kind, 'lastTelUrl', `${spanOf(range.values)} overlaps ${name}`);
  }
}

/** The index of the keys by which numbers inside a range are found. */
const BY_KEY = 'numbers_digits_key';

/** A range cannot have numbers of another gateway inside. Those who write ranges pay for the numbers that are counted. */
async function assertOwn(
  transaction: OwnTransaction,
  kind: Kind,
  ranges: readonly Placed[],
  lock: string,
): Promise<void> {
  if (ranges.length === 0) return;
  await completeKeys(transaction, lock);
  // Those of a range after the first piece are counted piece by piece, because SQLite's statements block the process.
  let left: readonly Counted[] = ranges.map((range) => ({ range }));
  while (left.length > 0) {
    const counts = left.map(({ range, from }, place) => {
      const inside = insideOf(transaction, kind, range, from, sql`LIMIT ${PIECE} ${raw(lock)}`);
      return sql`SELECT ${raw(String(place))} AS place, COUNT(*) AS many,
        MIN(CASE WHEN s.gateway_id <> ${range.gatewayId} THEN s.id END) AS foreign_id FROM (${inside}) s`;
    });
    const full: Counted[] = [];
    for (const { text, values } of statementsOf(counts))
      for (const [place, many, foreign] of await transaction.rows(text, values)) {
        const each = left[Number(place)];
        if (!each) continue;
        const { range } = each;
        range.actor.owe?.(Math.floor(Number(many) / COUNTED_PER_OBJECT));
        if (foreign !== null && foreign !== undefined) {
          const { name, gateway } = await nameOf(transaction, kind, Number(foreign), lock);
          throw rangeTaken(kind, 'lastTelUrl', `${spanOf(range.values)} has ${name}, of gateway ${gateway}, inside`);
        }
        if (Number(many) === PIECE) full.push(each);
      }
    const next: Counted[] = [];
    for (const each of full) {
      const end = sql`LIMIT 1 OFFSET ${PIECE - 1} ${raw(lock)}`;
      const { text, values } = insideOf(transaction, kind, each.range, each.from, end);
      const [last] = await transaction.rows(text, values);
      if (last) next.push({ ...each, from: { id: Number(last[0]), digits: String(last[2]) } });
      await endOfTurn();
    }
    left = next;
  }
}

/** A range, and the number inside up to which its numbers are counted. */
interface Counted {
  readonly range: Placed;
  readonly from?: Key;
}

/** Where a number is in the index of keys. */
interface Key {
  readonly id: number;
  readonly digits: string;
}

/** The numbers with rows of their own inside a range, after another one, in the order of their keys. */
function insideOf(
  transaction: OwnTransaction,
  { table }: Kind,
  { first, last, rowId = 0 }: Placed,
  from: Key | undefined,
  end: Fragment,
): Fragment {
  const index = useIndex(transaction.isSerial ? 'sqlite' : 'mysql', BY_KEY);
  const after = from ? sql`AND (n.digits_key > ${from.digits} OR n.id > ${from.id})` : sql``;
  return sql`SELECT n.id, n.gateway_id, n.digits_key FROM ${raw(table)} n ${index}
    WHERE n.digits_key >= ${from?.digits ?? rangeKey(first)} AND n.digits_key <= ${rangeKey(last)} AND n.id <> ${rowId} ${after}
    ORDER BY n.digits_key, n.id ${end}`;
}

function spanOf(values: Values): string {
  return `${quote(values.get('telUrl'))} to ${quote(values.get('lastTelUrl'))}`;
}

/** What a row is called in an error, and the ref of its gateway. */
async function nameOf(
  transaction: OwnTransaction,
  { table }: Kind,
  rowId: number,
  lock: string,
): Promise<{ readonly name: string; readonly gateway: string }> {
  const [row] = await transaction.rows(
    `SELECT n.kind, n.ref, n.tel_url, COALESCE(n.last_tel_url, ''), g.ref, n.tel_digits FROM ${table} n
     JOIN gateways g ON g.id = n.gateway_id WHERE n.id = ? ${lock}`,
    [rowId],
  );
  const [kind, ref, stored = '', last, gateway, digits] = (row ?? []).map(String) as Partial<readonly string[]>;
  const first = isParkedText(stored) ? `tel:${digits ?? ''}` : stored;
  const span = last === '' ? '' : ` to ${last ?? ''}`;
  return { name: `${kind ?? ''} ${ref ?? ''} (${first}${span})`, gateway: gateway ?? '' };
}

function rangeTaken(kind: Kind, name: string, message: string): RangeTakenError {
  const field = kind.fields.find((each) => each.name === name);
  const issues = field ? [issue(field, message)] : [];
  return new RangeTakenError(
    `${withArticle(kind.name)} cannot be saved: ${name} ${message}`.replace(/^a/, 'A'),
    issues,
  );
}
