import type { AddressFacts, Facts, NumberState } from '../diagnosis/facts';
import { brokenOf, stepsOf, stepsOfAddress, summaryOf } from '../diagnosis/steps';
import { sentNumber, telDigits } from '../../model/format/tel-uri';
import type { Holders } from './holders';

/** What changes do to the calls of a number. */
export const EFFECTS = ['STOPS', 'STARTS', 'MOVES', 'OTHER'] as const;
export type Effect = (typeof EFFECTS)[number];

/** What becomes of calls to a number, before or after the changes. */
export interface NumberPath {
  readonly state: NumberState;
  readonly summary: string;
  /** Undefined if the number does not exist. */
  readonly facts: Facts | undefined;
}

/** A number whose calls go differently after the changes. */
export interface NumberEffect {
  readonly effect: Effect;
  /** The number as it was, or will be if it does not exist yet. */
  readonly number: Facts;
  readonly before: NumberPath;
  readonly after: NumberPath;
}

/** First the numbers that stop ringing, then the others. */
export function stoppedFirst(numbers: readonly NumberEffect[]): readonly NumberEffect[] {
  const rank = ({ effect }: NumberEffect): number => (effect === 'STOPS' ? 0 : 1);
  return numbers.toSorted((one, other) => rank(one) - rank(other));
}

/** What becomes of numbers, before or after the changes. */
export interface NumberStates {
  /** By row id. */
  readonly numbers: ReadonlyMap<number, Facts>;
  readonly holders: Holders;
}

/**
 * Compares numbers before and after the changes, by row id. Numbers without a difference are left out. The calls to a number inside
 * a range that has no row of its own are those of the range. If another row gets a number, the effect is that of the row that had it.
 * A row that gets another number has an effect on both.
 */
export function numberEffects(
  rowIds: readonly number[],
  before: NumberStates,
  after: NumberStates,
): readonly NumberEffect[] {
  const [losing, gaining] = [newHolders(after, before), newHolders(before, after)];
  return rowIds.flatMap((id): readonly NumberEffect[] => {
    const [had, has] = [before.numbers.get(id), after.numbers.get(id)];
    const number = had ?? has;
    if (!number) return [];
    const isRange = [had, has].some((facts) => facts !== undefined && facts.lastTelUrl !== null);
    const isMoved = had !== undefined && has !== undefined && had.digits !== has.digits;
    // What callers of the number reach, who still call the old one if it gets another.
    const [heldBefore, heldAfter] = isRange
      ? []
      : [heldBy(before, number), gaining.get(number.digits) ?? heldBy(after, number)];
    if (!had && !isRange && losing.has(number.digits)) return [];
    const isLeft = isMoved && had.lastTelUrl === null;
    const was = had ?? heldBefore;
    const becomes = isLeft ? (heldAfter ?? within(has, had)) : (has ?? heldAfter);
    const effect = had && has && loses(had, has) ? 'STOPS' : effectOf(was, becomes);
    const own = effect ? [{ effect, number, ...toldApart(pathOf(was), pathOf(becomes)) }] : [];
    // Callers of its new number reach it, too. If another row had that, the effect is that of the other row.
    if (!isLeft || losing.has(has.digits)) return own;
    const reached = has.lastTelUrl === null ? heldBy(before, has) : undefined;
    const gained = effectOf(reached, has);
    return gained ? [...own, { effect: gained, number: has, ...toldApart(pathOf(reached), pathOf(has)) }] : own;
  });
}

/** The rows, by their digits, that are no ranges and do not have these digits in the state `other`. */
function newHolders(other: NumberStates, { numbers }: NumberStates): ReadonlyMap<string, Facts> {
  const rows = [...numbers.values()].filter(({ lastTelUrl, digits }) => lastTelUrl === null && digits !== '');
  return new Map(
    rows
      .filter(({ rowId, digits }) => other.numbers.get(rowId)?.digits !== digits)
      .map((facts) => [facts.digits, facts] as const),
  );
}

/** The range that has the calls to a number. */
function heldBy({ numbers, holders }: NumberStates, { digits }: Facts): Facts | undefined {
  const holder = numbers.get(holders.get(digits) ?? 0);
  return holder && { ...holder, digits, lastTelUrl: null };
}

/** The range that a number has become, if the number is inside it. */
function within(range: Facts, { digits }: Facts): Facts | undefined {
  if (range.lastTelUrl === null || range.digits.length !== digits.length) return undefined;
  return range.digits <= digits && digits <= telDigits(range.lastTelUrl) ? range : undefined;
}

/** Whether numbers of a range that rang are no longer in it. */
function loses(was: Facts, becomes: Facts): boolean {
  if (was.state !== 'REACHABLE' || was.lastTelUrl === null) return false;
  const [first, last] = [telDigits(becomes.telUrl), telDigits(becomes.lastTelUrl ?? becomes.telUrl)];
  const [oldFirst, oldLast] = [telDigits(was.telUrl), telDigits(was.lastTelUrl)];
  return first.length !== oldFirst.length || first > oldFirst || last < oldLast;
}

function effectOf(before: Facts | undefined, after: Facts | undefined): Effect | undefined {
  const [rang, rings] = [before?.state === 'REACHABLE', after?.state === 'REACHABLE'];
  if (rang && !rings) return 'STOPS';
  if (!rang && rings) return 'STARTS';
  if (before?.state === after?.state && placeOf(before) === placeOf(after)) return undefined;
  return rings ? 'MOVES' : 'OTHER';
}

/**
 * Where the calls of a number come from, and whom they reach, to compare. Who a target is makes no difference to calls that ring
 * elsewhere if it does not ring.
 */
function placeOf(facts: Facts | undefined): string {
  if (!facts) return '';
  const { digits, lastTelUrl, gatewayId, user, host, targets, state } = facts;
  const whomOf = (address: AddressFacts): readonly unknown[] => {
    if (state === 'REACHABLE' && brokenOf(stepsOfAddress(address))) return [];
    const { agentId, peerId, contactAddr, devices } = address;
    // A peer with a device is not called at its contactAddr.
    return agentId === null ? ['peer', peerId, devices > 0 ? null : contactAddr] : ['agent', agentId];
  };
  const others = targets.map(({ target, after, address, leaves, way }) => [
    ...[
      target,
      after,
      state === 'REACHABLE' ? leaves === 'YES' : leaves,
      way?.gatewayRef,
      way && sentNumber(way.telUrl),
    ],
    ...(address ? whomOf(address) : []),
  ]);
  const last = lastTelUrl === null ? null : telDigits(lastTelUrl);
  return JSON.stringify([digits, last, gatewayId, user, host, whomOf(facts), others]);
}

/** Says of a range that gets other ends, and whose calls go the same way, which numbers it has. */
function toldApart(before: NumberPath, after: NumberPath): Pick<NumberEffect, 'before' | 'after'> {
  const [was, becomes] = [endsOf(before.facts), endsOf(after.facts)];
  if (before.summary !== after.summary || was === becomes) return { before, after };
  const withEnds = (path: NumberPath, ends: string): NumberPath => ({ ...path, summary: `${ends}: ${path.summary}` });
  return { before: withEnds(before, was), after: withEnds(after, becomes) };
}

/** The first and the last number of a range, or the number. */
function endsOf(facts: Facts | undefined): string {
  if (!facts) return 'none';
  return facts.lastTelUrl === null ? facts.telUrl : `${facts.telUrl} to ${facts.lastTelUrl}`;
}

function pathOf(facts: Facts | undefined): NumberPath {
  if (!facts) return { state: 'MISSING', summary: 'the number does not exist', facts };
  return { state: facts.state, summary: summaryOf(stepsOf(facts)), facts };
}
