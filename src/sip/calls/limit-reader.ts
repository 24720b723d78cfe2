import type { Product } from '../../database/driver';
import { list, raw, sql, useIndex, type Fragment } from '../../database/fragment';
import { groupBy, numberOrNull, pad, textOrNull, type Reads, type Row, type SqlValue } from '../../database/sql';
import { dailyMinutesIn, type DailyMinutes } from '../../model/format/daily-minutes';
import { storedTexts } from '../live/stored';
import { ownersOf } from '../past/ways';
import { attemptsIn, type RecordedAttempt } from './call-attempts';

/** What has limits of calls. */
export type LimitOwner = 'Agent' | 'Domain' | 'Gateway';

/** The calls in progress of an agent, a domain or a gateway, and its limits; null for those that are not set. */
export interface LiveLimits {
  readonly ref: string;
  readonly name: string;
  readonly calls: number;
  readonly maxCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  readonly dailyMinutes: readonly UsedMinutes[];
}

/** Minutes a day to a prefix, and how many seconds of today's (UTC) are used by calls that have ended. */
export interface UsedMinutes extends DailyMinutes {
  readonly usedSeconds: number;
}

/** The day of UTC of a time in milliseconds since the epoch, as the SIP server stores it. */
export function dayOf(time: number): number {
  return Math.floor(time / 86_400_000);
}

const ANSWERED = 3;
const LIVE = `state IN (1, 2, ${String(ANSWERED)})`;

/**
 * Reads how many calls are in progress, from the records of the SIP server, beside the limits of their number. Calls in
 * progress are few, and found by their state.
 */
export class LimitReader {
  constructor(
    private readonly sql: Reads,
    private readonly product: Product,
  ) {}

  /** By row id, in two statements at most. */
  async of(owner: LimitOwner, rowIds: readonly number[]): Promise<ReadonlyMap<number, LiveLimits>> {
    if (rowIds.length === 0) return new Map();
    const live = useIndex(this.product, 'calls_state');
    // Several rows for an owner with several prefixes.
    const { text, values } =
      sql`SELECT o.id, o.ref, o.name, COALESCE(c.many, 0), o.max_calls, o.max_calls_per_second, o.daily_minutes, u.prefix, u.seconds,
        ${raw(owner === 'Domain' ? 'o.domain_uri' : 'NULL')}
      FROM ${raw(ownersOf(owner).from)} LEFT JOIN (SELECT owner, COUNT(*) AS many FROM (${COUNTED[owner](live)}) l GROUP BY owner) c
      ON c.owner = o.ref
      LEFT JOIN used_minutes u ON u.day = ${dayOf(Date.now())} AND u.kind = ${owner} AND u.ref = o.ref AND o.daily_minutes IS NOT NULL
      WHERE o.id IN (${list(pad(rowIds, 0))})`;
    const [rows, forwards] = await Promise.all([
      this.sql.rows(text, values),
      owner === 'Agent' ? [] : this.forwards(owner, live),
    ]);
    const found = groupBy(rows, ([rowId]) => Number(rowId));
    return new Map([...found].map(([rowId, own]) => [rowId, toLimits(own, forwards)]));
  }

  /**
   * The gateway or the domain that carries a call to an outside number which is a target, once for each such call in progress. The
   * domain that the call counts for already is left out.
   */
  private async forwards(owner: LimitOwner, live: Fragment): Promise<readonly Forwarder[]> {
    const { text, values } =
      sql`SELECT state, attempts, called, caller, callee, from_uri, domain_ref, domains FROM calls ${live}
      WHERE ${raw(LIVE)} AND ${IS_FORWARDED}`;
    const rows = await this.sql.rows(text, values);
    return rows.flatMap(([state, attempts, called, caller, callee, from, domainRef, domains]): readonly Forwarder[] => {
      const gatewayRef = carrierOf(Number(state), attemptsIn(attempts, false));
      if (gatewayRef === undefined) return [];
      if (owner === 'Gateway') return [{ ref: gatewayRef, host: null, counted: [] }];
      const host = hostIn(called);
      const counted = textOrNull(domains)?.split(',');
      const isCounted = String(callee).startsWith('agent:') || (caller !== null && hostIn(from) === host);
      if (counted === undefined && isCounted) return [];
      // Of a call from outside, the record has the called domain.
      return [{ ref: caller === null ? textOrNull(domainRef) : null, host, counted: counted ?? [] }];
    });
  }
}

/** SQL for whether a gateway was tried for an outside number that is a target. Of devices, the attempts have no gateway. */
export const IS_FORWARDED = raw(`direction <> 'OUT' AND attempts LIKE '%["%'`);

/** Who carries a call to an outside number: a gateway, or a domain, which only its name tells if the call does not have it. */
interface Forwarder {
  readonly ref: string | null;
  readonly host: string | null;
  /** The domains for which the call counts already. */
  readonly counted: readonly string[];
}

/** SQL for the calls in progress with the column `owner`: for whom they count, as in templates/concurrent-calls.cfg. */
const COUNTED: Readonly<Record<LimitOwner, (live: Fragment) => Fragment>> = {
  Agent: (live) =>
    sql`SELECT SUBSTR(caller, 7) AS owner FROM calls ${live} WHERE ${raw(LIVE)} AND caller LIKE 'agent:%'`,
  Gateway: (live) => sql`SELECT gateway_ref AS owner FROM calls ${live} WHERE ${raw(LIVE)} AND gateway_ref IS NOT NULL`,
  // The record has the domains for which a call counts, each once.
  Domain: (live) => sql`SELECT id, SUBSTR(domains, 1, INSTR(CONCAT(domains, ','), ',') - 1) AS owner FROM calls ${live}
      WHERE ${raw(LIVE)} AND domains IS NOT NULL
    UNION SELECT id, SUBSTR(domains, INSTR(domains, ',') + 1) AS owner FROM calls ${live} WHERE ${raw(LIVE)} AND domains IS NOT NULL
    UNION ${countedBefore(live)}`,
};

/**
 * SQL for the same in records of an earlier configuration of the SIP server, without these domains. They have the domain of an agent
 * that calls, and that of a call from outside. A peer's is that of From, and the one of an agent that is called from another domain
 * that of the called address.
 */
function countedBefore(live: Fragment): Fragment {
  const recorded = raw(`${LIVE} AND domains IS NULL`);
  return sql`SELECT f.id, COALESCE(f.domain_ref, d.ref) AS owner FROM
      (SELECT id, domain_ref, LOWER(SUBSTR(h, 1, INSTR(CONCAT(h, ':'), ':') - 1)) AS host FROM
        (SELECT id, domain_ref, SUBSTR(h, 1, INSTR(CONCAT(h, ';'), ';') - 1) AS h FROM
          (SELECT id, CASE WHEN caller LIKE 'agent:%' THEN domain_ref END AS domain_ref,
            SUBSTR(from_uri, INSTR(from_uri, '@') + 1) AS h FROM calls ${live} WHERE ${recorded} AND caller IS NOT NULL) u) p) f
      LEFT JOIN domains d ON d.domain_uri = f.host
    UNION SELECT t.id, COALESCE(t.domain_ref, d.ref) AS owner FROM
      (SELECT id, CASE WHEN caller IS NULL THEN domain_ref END AS domain_ref, SUBSTR(called, INSTR(called, '@') + 1) AS host
        FROM calls ${live} WHERE ${recorded} AND callee LIKE 'agent:%') t
      LEFT JOIN domains d ON d.domain_uri = t.host`;
}

/** The gateway that carries a call to an outside number: it answered, or it is called now. */
function carrierOf(state: number, attempts: readonly RecordedAttempt[]): string | undefined {
  const carries =
    state === ANSWERED
      ? ({ status }: RecordedAttempt): boolean => status !== null && status >= 200 && status < 300
      : ({ duration }: RecordedAttempt): boolean => duration === null;
  return attempts.findLast((attempt) => attempt.gatewayRef !== null && carries(attempt))?.gatewayRef ?? undefined;
}

/** The host of a SIP URI, in lower case and without a port. */
function hostIn(uri: SqlValue | undefined): string {
  return /@([^;:]*)/.exec(String(uri))?.[1]?.toLowerCase() ?? '';
}

/** The limits of an owner, from its rows, which differ in what is used, and the further calls that `forwards` has. */
function toLimits(rows: readonly Row[], forwards: readonly Forwarder[]): LiveLimits {
  const [, ref, name, counted, most, rate, minutes, , , uri] = rows[0] ?? [];
  const isCarrier = (each: Forwarder): boolean => (each.ref === null ? each.host === uri : each.ref === ref);
  const carried = forwards.filter((each) => isCarrier(each) && !each.counted.includes(String(ref)));
  const calls = Number(counted) + carried.length;
  const used = new Map(rows.map((row) => [row[7], Number(row[8] ?? 0)]));
  return {
    ref: String(ref),
    name: String(name),
    calls,
    maxCalls: numberOrNull(most),
    maxCallsPerSecond: numberOrNull(rate),
    dailyMinutes: dailyMinutesIn(storedTexts(minutes)).map((limit) => ({
      ...limit,
      usedSeconds: used.get(limit.prefix) ?? 0,
    })),
  };
}
