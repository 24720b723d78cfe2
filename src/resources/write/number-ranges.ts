import { statementsOf, sql, type Fragment } from '../../database/fragment';
import { pad, places, type OwnTransaction, type SqlValue } from '../../database/sql';
import { ConflictError, quote } from '../../errors';
import { rangeKey, type Digits } from '../../model/format/number-range';
import { withArticle, type Kind } from '../../model/kind';
import { issue, type Changes, type Values } from './input';

/** A number or a range of numbers that the transaction has written. A number that it has created needs no row id. */
interface WrittenNumber {
  readonly rowId?: number;
  readonly gatewayId: SqlValue;
  readonly values: Values;
}

type Placed = WrittenNumber & Digits;

/** A range overlaps another one, or a number is inside a range of another gateway. */
export class RangeTakenError extends ConflictError {}

// The most numbers with rows of their own inside a range, which are read when it is written.
const MOST_INSIDE = 10_000;

/** Whether a change of a resource needs `assertRangesFree`. */
export function mayOverlap({ ranges }: Kind, changes: Changes): boolean {
  return ranges?.fields.some((field) => changes.has(field)) === true;
}

/** The same as `assertRangesFree`, for resources that were changed. */
export async function assertStillFree(
  transaction: OwnTransaction,
  kind: Kind,
  changed: readonly { readonly rowId: number; readonly values: Values }[],
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
    changed.map((each) => ({ ...each, gatewayId: gateways.get(each.rowId) ?? null })),
  );
}

/**
 * Throws RangeTakenError if a range overlaps another one, or if a number is inside a range of another gateway. Runs after
 * the rows were written, and reads with locks: of two transactions whose rows exclude each other, at least one sees the row
 * of the other, or ends in a deadlock and runs again. Without ranges, it takes one statement.
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
  const [any] = await transaction.rows(`SELECT number_id FROM number_ranges LIMIT 1 ${lock}`, []);
  if (!any) return;
  const isRange = ({ values }: Placed): boolean => values.has('lastTelUrl');
  await assertOutside(
    transaction,
    kind,
    placed.filter((each) => !isRange(each) && each.first !== ''),
    lock,
  );
  for (const range of placed.filter(isRange)) {
    await assertApart(transaction, kind, range, lock);
    await assertOwn(transaction, kind, range, lock);
  }
}

/** Numbers cannot be inside a range of another gateway. */
async function assertOutside(
  transaction: OwnTransaction,
  kind: Kind,
  numbers: readonly Placed[],
  lock: string,
): Promise<void> {
  const seeks = numbers.map(({ first, gatewayId }, place): Fragment => {
    const key = rangeKey(first);
    const text = `SELECT ${String(place)} AS place, n.id FROM (SELECT number_id, range_last FROM number_ranges
      WHERE range_first <= ? ORDER BY range_first DESC LIMIT 1 ${lock}) r
      JOIN ${kind.table} n ON n.id = r.number_id AND n.gateway_id <> ? WHERE r.range_last >= ? ${lock}`;
    return { text, values: [key, gatewayId, key] };
  });
  for (const { text, values } of statementsOf(seeks)) {
    const [found] = await transaction.rows(text, values);
    const number = found && numbers[Number(found[0])];
    if (!found || !number) continue;
    const { name, gateway } = await named(transaction, kind, Number(found[1]), lock);
    throw taken(kind, 'telUrl', `${quote(number.values.get('telUrl'))} is inside ${name}, of gateway ${gateway}`);
  }
}

/** Ranges cannot overlap. Those before do not, so the one that begins last, but not after the end, is the only candidate. */
async function assertApart(transaction: OwnTransaction, kind: Kind, range: Placed, lock: string): Promise<void> {
  const [found] = await transaction.rows(
    `SELECT number_id, range_last FROM number_ranges WHERE range_first <= ? AND number_id <> ?
     ORDER BY range_first DESC LIMIT 1 ${lock}`,
    [rangeKey(range.last), range.rowId ?? 0],
  );
  if (!found || String(found[1]) < rangeKey(range.first)) return;
  const { name } = await named(transaction, kind, Number(found[0]), lock);
  throw taken(kind, 'lastTelUrl', `${spanOf(range.values)} overlaps ${name}`);
}

/** A range cannot have numbers of another gateway inside. */
async function assertOwn(transaction: OwnTransaction, kind: Kind, range: Placed, lock: string): Promise<void> {
  const { text, values } = sql`SELECT COUNT(*), MIN(CASE WHEN s.gateway_id <> ${range.gatewayId} THEN s.id END) FROM (
    SELECT n.id, n.gateway_id FROM numbers n WHERE n.tel_digits >= ${range.first} AND n.tel_digits <= ${range.last}
      AND LENGTH(n.tel_digits) = ${range.first.length} AND n.id <> ${range.rowId ?? 0}
    ORDER BY n.tel_digits LIMIT ${MOST_INSIDE + 1} `;
  const [found] = await transaction.rows(`${text} ${lock}) s`, values);
  if (Number(found?.[0]) > MOST_INSIDE)
    throw taken(
      kind,
      'lastTelUrl',
      `${spanOf(range.values)} has more than ${String(MOST_INSIDE)} numbers with rows of their own inside: divide the range`,
    );
  if (found?.[1] === null || found?.[1] === undefined) return;
  const { name, gateway } = await named(transaction, kind, Number(found[1]), lock);
  throw taken(kind, 'lastTelUrl', `${spanOf(range.values)} has ${name}, of gateway ${gateway}, inside`);
}

function spanOf(values: Values): string {
  return `${quote(values.get('telUrl'))} to ${quote(values.get('lastTelUrl'))}`;
}

/** What a row is called in an error, and the ref of its gateway. */
async function named(
  transaction: OwnTransaction,
  { table }: Kind,
  rowId: number,
  lock: string,
): Promise<{ readonly name: string; readonly gateway: string }> {
  const [row] = await transaction.rows(
    `SELECT n.kind, n.ref, n.tel_url, COALESCE(n.last_tel_url, ''), g.ref FROM ${table} n
     JOIN gateways g ON g.id = n.gateway_id WHERE n.id = ? ${lock}`,
    [rowId],
  );
  const [kind, ref, first, last, gateway] = (row ?? []).map(String) as Partial<readonly string[]>;
  const span = last === '' ? '' : ` to ${last ?? ''}`;
  return { name: `${kind ?? ''} ${ref ?? ''} (${first ?? ''}${span})`, gateway: gateway ?? '' };
}

function taken(kind: Kind, name: string, message: string): RangeTakenError {
  const field = kind.fields.find((each) => each.name === name);
  const issues = field ? [issue(field, message)] : [];
  return new RangeTakenError(`${withArticle(kind)} cannot be saved: ${name} ${message}`.replace(/^a/, 'A'), issues);
}
