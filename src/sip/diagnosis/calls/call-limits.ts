import type { LimitOwner, LimitReader, LiveLimits } from '../../calls/limit-reader';
import type { CallStep } from './call-steps';

/** What limits of calls do to a call that would ring or leave. */
export interface CallLimits {
  /** A step for each agent, domain and gateway with a limit, in the order in which the SIP server counts. */
  readonly steps: readonly CallStep[];
  /** The phrase and status with which the call is refused; undefined if it is not. */
  readonly refusal: { readonly status: number; readonly reason: string } | undefined;
  /** The gateways that are passed over. */
  readonly full: ReadonlySet<number>;
}

/** For whom a call counts, by row id. */
export interface Counted {
  /** The agent that calls. */
  readonly agentId: number | null;
  /** The caller's domain, and that of the called agent. */
  readonly domainIds: readonly number[];
  /** The gateway through which the call comes, or those through which it may leave. */
  readonly gatewayIds: readonly number[];
}

/**
 * Compares the calls in progress with the limits, as route[CALLS_AT_ONCE] does. How many calls have begun in this second is
 * known to the SIP server only. `when` says of which time the calls are. Runs three SQL statements at most.
 */
export async function limitsOf(
  reader: LimitReader,
  { agentId, domainIds, gatewayIds }: Counted,
  when: 'now' | 'then' = 'now',
): Promise<CallLimits> {
  const of = async (owner: LimitOwner, rowIds: readonly number[]): Promise<readonly Limited[]> => {
    const distinct = [...new Set(rowIds)];
    const found = await reader.of(owner, distinct);
    return distinct.flatMap((rowId) => {
      const limits = found.get(rowId);
      return limits && (limits.maxCalls ?? limits.maxCallsPerSecond) !== null ? [{ owner, rowId, limits }] : [];
    });
  };
  const [agents, domains, gateways] = await Promise.all([
    of('Agent', agentId === null ? [] : [agentId]),
    of('Domain', domainIds),
    of('Gateway', gatewayIds),
  ]);
  const full = new Set(gateways.filter(isFull).map(({ rowId }) => rowId));
  const isStuck = gatewayIds.length > 0 && gatewayIds.every((rowId) => full.has(rowId));
  const broken = [...agents, ...domains].find(isFull) ?? (isStuck ? gateways.findLast(isFull) : undefined);
  return {
    steps: [...agents, ...domains, ...gateways].map((limited) => stepOf(limited, isStuck, when)),
    refusal: broken && {
      status: broken.owner === 'Agent' ? 486 : 503,
      reason: `Too Many Calls of ${broken.owner}`,
    },
    full,
  };
}

interface Limited {
  readonly owner: LimitOwner;
  readonly rowId: number;
  readonly limits: LiveLimits;
}

function isFull({ limits: { calls, maxCalls } }: Limited): boolean {
  return maxCalls !== null && calls >= maxCalls;
}

function stepOf(limited: Limited, isStuck: boolean, when: 'now' | 'then'): CallStep {
  const { owner, rowId, limits } = limited;
  const { name, calls, maxCalls, maxCallsPerSecond } = limits;
  const who = `${owner.toLowerCase()} ${name}`;
  const of = { of: 'limit', limited: { owner, rowId }, ...(owner === 'Gateway' && { gatewayId: rowId }) } as const;
  const now = `${when} ${String(calls)} of ${String(maxCalls)}`;
  if (isFull(limited)) {
    const result =
      owner === 'Gateway' && !isStuck
        ? `${who} would be passed over: its limit is`
        : `would be refused: limit of ${who}`;
    return { ...of, state: 'FORBIDDEN', summary: `${result} reached (${now})` };
  }
  const parts = [
    ...(maxCalls === null ? [] : [`${String(maxCalls)} calls at once (${now})`]),
    ...(maxCallsPerSecond === null ? [] : [`${String(maxCallsPerSecond)} new calls a second`]),
  ];
  return { ...of, state: 'OK', summary: `limit of ${who}: ${parts.join(', ')}` };
}
