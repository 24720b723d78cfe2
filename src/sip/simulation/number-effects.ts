import type { Facts, NumberState } from '../diagnosis/facts';
import { stepsOf, summaryOf } from '../diagnosis/steps';

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

/** Compares numbers before and after the changes, by row id. Numbers without a difference are left out. */
export function numberEffects(
  rowIds: readonly number[],
  before: ReadonlyMap<number, Facts>,
  after: ReadonlyMap<number, Facts>,
): readonly NumberEffect[] {
  return rowIds.flatMap((id): readonly NumberEffect[] => {
    const [was, becomes] = [before.get(id), after.get(id)];
    const number = was ?? becomes;
    if (!number) return [];
    const effect = effectOf(was, becomes);
    return effect ? [{ effect, number, before: pathOf(was), after: pathOf(becomes) }] : [];
  });
}

function effectOf(before: Facts | undefined, after: Facts | undefined): Effect | undefined {
  const [rang, rings] = [before?.state === 'REACHABLE', after?.state === 'REACHABLE'];
  if (rang && !rings) return 'STOPS';
  if (!rang && rings) return 'STARTS';
  if (before?.state === after?.state && placeOf(before) === placeOf(after)) return undefined;
  return rings ? 'MOVES' : 'OTHER';
}

/** Where the calls of a number come from, and whom they reach, to compare. */
function placeOf(facts: Facts | undefined): string {
  if (!facts) return '';
  const { digits, lastTelUrl, gatewayId, user, host, agentId, peerId, targets } = facts;
  const whom = agentId === null ? ['peer', peerId] : ['agent', agentId];
  const others = targets.map(({ target, after, address, leaves, way }) => [
    ...[target, after, leaves, way?.gatewayName, way?.telUrl],
    ...[address?.agentId, address?.peerId, address?.isDisabled],
  ]);
  return JSON.stringify([digits, lastTelUrl, gatewayId, user, host, whom, others]);
}

function pathOf(facts: Facts | undefined): NumberPath {
  if (!facts) return { state: 'MISSING', summary: 'the number does not exist', facts };
  return { state: facts.state, summary: summaryOf(stepsOf(facts)), facts };
}
