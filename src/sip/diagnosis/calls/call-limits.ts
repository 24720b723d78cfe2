import type { LimitOwner, LimitReader, LiveLimits, UsedMinutes } from '../../calls/limit-reader';
import { isCharged } from './call-rows';
import type { CallStep } from './call-steps';

/** What limits of calls do to a call that would ring or leave. */
export interface CallLimits {
  /** A step for each agent, domain and gateway with a limit, in the order in which the SIP server counts. */
  readonly steps: readonly CallStep[];
  /** The phrase and status with which the call is refused; undefined if it is not. */
  readonly refusal: Refusal | undefined;
  /** The gateways that are passed over. */
  readonly full: ReadonlySet<number>;
}

interface Refusal {
  readonly owner: LimitOwner;
  readonly status: number;
  readonly reason: string;
  readonly isOfMinutes: boolean;
}

/** For whom a call counts, by row id. */
export interface Counted {
  /** The agent that calls. */
  readonly agentId: number | null;
  /** The caller's domain, and that of the called agent. */
  readonly domainIds: readonly number[];
  /** The gateway through which the call comes, or those through which it may leave. */
  readonly gatewayIds: readonly number[];
  /** The number that a call dials which leaves; empty for other calls, which use no minutes. */
  readonly dialed: string;
}

/**
 * Compares the calls in progress with the limits, as route[CALLS_AT_ONCE] does. How many calls have begun in this second is
 * known to the SIP server only. `when` says of which time the calls are; what was used of the minutes then is not known. Runs five
 * SQL statements at most.
 */
export async function limitsOf(
  reader: LimitReader,
  { agentId, domainIds, gatewayIds, dialed }: Counted,
  when: When = 'now',
): Promise<CallLimits> {
  const of = (owner: LimitOwner, rowIds: readonly number[]): Promise<readonly Limited[]> =>
    limitedOf(reader, owner, rowIds, dialed, when);
  const [agents, domains, gateways] = await Promise.all([
    of('Agent', agentId === null ? [] : [agentId]),
    of('Domain', domainIds),
    of('Gateway', gatewayIds),
  ]);
  const spentGateways = new Set(gateways.filter(({ spent }) => spent).map(({ rowId }) => rowId));
  const full = new Set(gateways.filter((each) => each.spent ?? isFull(each)).map(({ rowId }) => rowId));
  const areAll = (ids: ReadonlySet<number>): boolean =>
    gatewayIds.length > 0 && gatewayIds.every((rowId) => ids.has(rowId));
  const isStuck = areAll(full);
  const counted = [...agents, ...domains];
  // The SIP server looks at the minutes when it looks for the gateways, before it counts.
  const spent = counted.find((each) => each.spent) ?? (areAll(spentGateways) ? gateways[0] : undefined);
  const broken =
    spent ?? counted.find(isFull) ?? (isStuck ? gateways.findLast((each) => !each.spent && isFull(each)) : undefined);
  return {
    steps: [...counted, ...gateways].map((limited) =>
      stepOf(limited, isStuck || limited.owner !== 'Gateway' ? 'refused' : 'passed', when),
    ),
    refusal: broken && {
      owner: broken.owner,
      status: broken.owner === 'Agent' ? 486 : 503,
      isOfMinutes: spent !== undefined,
      reason: `Too Many ${spent ? 'Minutes a Day' : 'Calls'} of ${broken.owner}`,
    },
    full,
  };
}

/** What limits do to a call to an outside number that is the target of a number. */
interface ForwardLimits {
  readonly steps: readonly CallStep[];
  /** Whether the number is not called. */
  readonly isPassed: boolean;
  /** The gateways that are passed over. */
  readonly full: ReadonlySet<number>;
}

/** For whom a call to an outside number counts, by row id. */
interface CountedForward {
  /** The domain that calls it. */
  readonly domainId: number | null;
  /** Whether the call counts for this domain already. */
  readonly isCounted: boolean;
  /** The gateways that may carry it. */
  readonly gatewayIds: readonly number[];
  readonly dialed: string;
}

/**
 * Compares the calls in progress with the limits, as route[CALLS_OF_FORWARD] and route[NEXT_FORWARD] do. Runs four SQL statements
 * at most.
 */
export async function forwardLimitsOf(
  reader: LimitReader,
  { domainId, isCounted, gatewayIds, dialed }: CountedForward,
  when: When,
): Promise<ForwardLimits> {
  const [domains, gateways] = await Promise.all([
    limitedOf(reader, 'Domain', domainId === null ? [] : [domainId], dialed, when),
    limitedOf(reader, 'Gateway', gatewayIds, dialed, when),
  ]);
  const counted = domains.flatMap((each): readonly Limited[] => {
    const limits = isCounted ? { ...each.limits, maxCalls: null, maxCallsPerSecond: null } : each.limits;
    return isCounted && each.minutes.length === 0 ? [] : [{ ...each, limits }];
  });
  const full = new Set(gateways.filter((each) => each.spent ?? isFull(each)).map(({ rowId }) => rowId));
  return {
    steps: [...counted, ...gateways].map((limited) => stepOf(limited, 'passed', when)),
    isPassed: counted.some((each) => each.spent ?? isFull(each)),
    full,
  };
}

/** Of these owners, those with a limit that applies. */
async function limitedOf(
  reader: LimitReader,
  owner: LimitOwner,
  rowIds: readonly number[],
  dialed: string,
  when: When,
): Promise<readonly Limited[]> {
  const distinct = [...new Set(rowIds)];
  const found = await reader.of(owner, distinct);
  return distinct.flatMap((rowId) => {
    const limits = found.get(rowId);
    if (!limits) return [];
    const minutes = limits.dailyMinutes.filter(({ prefix }) => isCharged(dialed, prefix));
    const isLimited = (limits.maxCalls ?? limits.maxCallsPerSecond) !== null || minutes.length > 0;
    const spent = when === 'now' ? minutes.find(isSpent) : undefined;
    return isLimited ? [{ owner, rowId, limits, minutes, spent }] : [];
  });
}

/** Of which time calls are. */
type When = 'now' | 'then';

interface Limited {
  readonly owner: LimitOwner;
  readonly rowId: number;
  readonly limits: LiveLimits;
  /** Those that apply to the dialed number, and one of them that is used up. */
  readonly minutes: readonly UsedMinutes[];
  readonly spent: UsedMinutes | undefined;
}

function isSpent({ minutes, usedSeconds }: UsedMinutes): boolean {
  return usedSeconds >= minutes * 60;
}

/** Such as `59 of 60 minutes to +1900 today`. */
function sayUsed({ prefix, minutes, usedSeconds }: UsedMinutes): string {
  return `${String(Math.floor(usedSeconds / 60))} of ${String(minutes)} minutes to ${prefix} today`;
}

function isFull({ limits: { calls, maxCalls } }: Limited): boolean {
  return maxCalls !== null && calls >= maxCalls;
}

/** `fate` says what a limit that is reached does: the call is refused, or the way or the outside number is passed over. */
function stepOf(limited: Limited, fate: 'refused' | 'passed', when: When): CallStep {
  const { owner, rowId, limits, minutes, spent } = limited;
  const { name, calls, maxCalls, maxCallsPerSecond } = limits;
  const who = `${owner.toLowerCase()} ${name}`;
  const of = { of: 'limit', limited: { owner, rowId }, ...(owner === 'Gateway' && { gatewayId: rowId }) } as const;
  const now = `${when} ${String(calls)} of ${String(maxCalls)}`;
  if (spent ?? isFull(limited)) {
    const passed =
      owner === 'Gateway'
        ? `${who} would be passed over: its limit is`
        : `the outside number would be passed over: limit of ${who}`;
    const result = fate === 'passed' ? passed : `would be refused: limit of ${who}`;
    return { ...of, state: 'FORBIDDEN', summary: `${result} reached (${spent ? sayUsed(spent) : now})` };
  }
  const parts = [
    ...(maxCalls === null ? [] : [`${String(maxCalls)} calls at once (${now})`]),
    ...(maxCallsPerSecond === null ? [] : [`${String(maxCallsPerSecond)} new calls a second`]),
    ...minutes.map((each) =>
      when === 'now' ? sayUsed(each) : `${String(each.minutes)} minutes a day to ${each.prefix}`,
    ),
  ];
  return { ...of, state: 'OK', summary: `limit of ${who}: ${parts.join(', ')}` };
}
