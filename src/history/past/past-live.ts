import type { Product } from '../../database/driver';
import { any, list, raw, sql, unionAll, useIndex, type Fragment } from '../../database/fragment';
import { numberOrNull, pad, type Reads, type Row } from '../../database/sql';
import { writeAddressOfRecord } from '../../model/format/address-of-record';
import { destinationsIn } from '../../model/format/destination';
import { partsOfHostPort } from '../../model/format/host';
import type { Value } from '../../model/format/format';
import { responseOf } from '../../sip/calls/call';
import { attemptsBy } from '../../sip/calls/call-attempts';
import { IS_FORWARDED } from '../../sip/calls/limit-reader';
import type { PastDevices, PastRegistration, PastRegistrations } from '../past-registrations';
import type { RegistrationEvent } from '../../sip/past/registration-event';
import type { PastRow } from './past-database';
import { sinceOf, textOf, type Named, type PastResources, type Then } from './past-resources';

/** What was live at a time. */
export interface PastLive {
  readonly rows: readonly PastRow[];
  /** By `user@host`. */
  readonly devices: ReadonlyMap<string, PastDevices>;
  /** Of gateways that register, by ref. */
  readonly registrations: ReadonlyMap<string, PastRegistration>;
  /** What is not known, as text. */
  readonly unknown: readonly string[];
}

/** What a reader of what was live depends on. */
export interface PastLiveOptions {
  readonly product: Product;
  /** For how long calls are kept, in milliseconds; 0 if they are not recorded. */
  readonly callsKept: number;
  /** For how long the health of gateways is kept, in milliseconds; 0 if it is not recorded. */
  readonly liveKept: number;
}

const HOUR = 3_600_000;
// Calls in progress that began earlier are not counted against limits: few calls last as long. No index finds the calls from one
// domain to another, and those to outside numbers that are targets.
const LONGEST = 24 * HOUR;
const LONGEST_UNINDEXED = 4 * HOUR;
const MOST_CALLS = 10_000;
const DAY = 24 * HOUR;
/** The node of devices whose node is not recorded, as in `location.socket`. */
const ANY_NODE = null;

/**
 * Reads devices, registrations, the health of gateways and calls in progress as they were, as rows for the tables in which the SIP
 * server keeps them. What is not known is assumed to have worked, so that what is known to be broken shows. A fixed number of
 * statements.
 */
export class PastLiveReader {
  constructor(
    private readonly reads: Reads,
    private readonly devices: PastRegistrations,
    /** Sees addresses, by which the gateways of calls are found. */
    private readonly gateways: PastRegistrations,
    private readonly options: PastLiveOptions,
  ) {}

  /** At a time, in milliseconds since the epoch. `except` is the row id of a call that does not count. */
  async at(resources: PastResources, users: readonly Named[], at: number, except: number): Promise<PastLive> {
    const all = resources.all.filter(({ kind }) => kind === 'Gateway');
    const registering = all.filter(isRegistering);
    const named = registering.map((each) => ({
      ref: each.ref,
      name: textOf(each.values['name']),
      since: sinceOf(each, resources),
    }));
    const devices = await this.devices.devices(users, at);
    const registrations = await this.gateways.gateways(named, at);
    const health = await this.health(all, resources, at);
    const calls = await this.calls(resources, at, except);
    const withMinutes = resources.all.filter(({ values }) => Array.isArray(values['dailyMinutes']));
    return {
      rows: [
        ...users.flatMap((user) => locations(user, devices.get(`${user.user}@${user.host}`), at)),
        ...registering.map((gateway) => registrationRow(gateway, registrations.get(gateway.ref), at)),
        ...health.rows,
        ...calls.rows,
      ],
      devices,
      registrations,
      unknown: [
        ...health.unknown,
        ...withMinutes.map((each) => `how many of the minutes of ${nameOf(each)} were used is not recorded`),
        ...calls.unknown,
      ],
    };
  }

  /**
   * Whether the hosts and destinations of gateways responded to OPTIONS. Of hosts of which it was not recorded, it follows from the
   * samples of trunks.
   */
  private async health(
    gateways: readonly Then[],
    resources: PastResources,
    at: number,
  ): Promise<{ readonly rows: readonly PastRow[]; readonly unknown: readonly string[] }> {
    if (gateways.length === 0) return { rows: [], unknown: [] };
    const refs = list(
      pad(
        gateways.map(({ ref }) => ref),
        '',
      ),
    );
    const { text, values } = sql`SELECT gw_ref, state, since_on, host, port, transport, is_host FROM health_states
      WHERE gw_ref IN (${refs}) AND until_on > ${at} AND since_on <= ${at}
      UNION ALL SELECT gw_ref, state, since_on, NULL, NULL, NULL, NULL FROM trunk_states
      WHERE gw_ref IN (${refs}) AND until_on > ${at} AND since_on <= ${at} AND state IN ('UP', 'DOWN')`;
    const found = (await this.reads.rows(text, values)).map(([ref, state, since, ...place]) => ({
      gateway: gateways.find((each) => each.ref === ref),
      state: String(state),
      since: Number(since),
      place:
        place[0] === null ? undefined : { host: String(place[0]), port: Number(place[1]), transport: String(place[2]) },
      isHost: place[3] === null || Number(place[3]) === 1,
    }));
    const rows = new Map<string, PastRow>();
    // Of two states of a place, the later one; and of a host, rather what was recorded of it.
    for (const { gateway, state, since, place, isHost } of found.toSorted(
      (one, other) => Number(one.place !== undefined) - Number(other.place !== undefined) || one.since - other.since,
    )) {
      // What was observed of another gateway that had the reference before tells nothing about the host of this one.
      if (!gateway || (place === undefined && since < sinceOf(gateway, resources))) continue;
      const where = place ?? hostOf(gateway);
      const [table, key] = isHost ? ['gateway_health', gateway.ref] : ['destination_health', keyOf(gateway, where)];
      const measured = { state, since, checked_on: at, misses: 0, answers: 0, expires_at: at + HOUR };
      rows.set(key, { table, columns: { gw_ref: gateway.ref, ...where, ...measured } });
    }
    const why = this.noHealth(at);
    const unknown = gateways.flatMap((gateway) =>
      placesOf(gateway)
        .filter((place) => why !== undefined || !rows.has(keyOf(gateway, place)))
        .map(
          ({ host }) =>
            `whether the destination ${host} of ${nameOf(gateway)} responded is not known: ${why ?? 'it was not observed then'}`,
        ),
    );
    return { rows: [...rows.values()], unknown };
  }

  /** Why the health of gateways at a time is not known; undefined if it may be. */
  private noHealth(at: number): string | undefined {
    const { liveKept } = this.options;
    if (liveKept === 0) return 'it is not recorded, because LIVE_DAYS is 0';
    return at < Date.now() - liveKept ? `it is kept for ${String(liveKept / DAY)} days (LIVE_DAYS)` : undefined;
  }

  /** The calls in progress of those who had a limit. */
  private async calls(
    { all }: PastResources,
    at: number,
    except: number,
  ): Promise<{ readonly rows: readonly PastRow[]; readonly unknown: readonly string[] }> {
    const limited = all.filter(({ values }) => typeof values['maxCalls'] === 'number');
    if (limited.length === 0) return { rows: [], unknown: [] };
    const { callsKept, product } = this.options;
    const what = 'how many calls were in progress is not known:';
    if (callsKept === 0) return { rows: [], unknown: [`${what} calls are not recorded, because CALLS_DAYS is 0`] };
    if (at < Date.now() - callsKept)
      return { rows: [], unknown: [`${what} calls are kept for ${String(callsKept / DAY)} days (CALLS_DAYS)`] };
    const since = (longest: number): Fragment =>
      sql`id <> ${except} AND begun > ${at - longest} AND begun <= ${at} AND (ended > ${at} OR (ended IS NULL AND state IN (1, 2, 3)))`;
    const indexed: Readonly<Record<string, (ref: string) => Fragment>> = {
      Agent: (ref) => sql`${useIndex(product, 'calls_caller')} WHERE caller = ${`agent:${ref}`}`,
      Domain: (ref) => sql`${useIndex(product, 'calls_domain')} WHERE domain_ref = ${ref}`,
      Gateway: (ref) => sql`${useIndex(product, 'calls_gateway')} WHERE gateway_ref = ${ref}`,
    };
    const domains = limited.filter(({ kind }) => kind === 'Domain');
    // Records of earlier configurations do not have the domains for which a call counts, or no domain at all.
    const others = domains.map(({ ref, values }) => {
      const host = `@${textOf(values['domainUri'])}`;
      return sql`INSTR(COALESCE(domains, ''), ${ref}) > 0 OR (domains IS NULL AND callee LIKE 'agent:%' AND INSTR(COALESCE(called, ''), ${host}) > 0)
        OR (domain_ref IS NULL AND INSTR(LOWER(COALESCE(from_uri, '')), ${host}) > 0)`;
    });
    const ways = [
      ...limited.flatMap(({ kind, ref }) => {
        const way = indexed[kind]?.(ref);
        return way ? [sql`${way} AND ${since(LONGEST)}`] : [];
      }),
      ...(limited.some(({ kind }) => kind === 'Domain' || kind === 'Gateway')
        ? [
            sql`${useIndex(product, 'calls_begun')} WHERE ${since(LONGEST_UNINDEXED)} AND ${any([sql`(${IS_FORWARDED})`, ...others])}`,
          ]
        : []),
    ];
    const parts = ways.map(
      (way, n) =>
        sql`SELECT * FROM (SELECT ${raw(RECORDED)} FROM calls ${way} LIMIT ${MOST_CALLS}) ${raw(`c${String(n)}`)}`,
    );
    const { text, values } = unionAll(parts);
    const rows = new Map((await this.reads.heavy(text, values)).map((row) => [Number(row[0]), row]));
    return { unknown: [], rows: [...rows.values()].map((row) => callRow(row, at)) };
  }
}

/** What the records of calls say of limits, for `callRow`. */
const RECORDED =
  'id, caller, callee, gateway_ref, from_uri, called, domain_ref, direction, attempts, answered, domains';

/** A call that was in progress, as its record was then. */
function callRow(row: Row, at: number): PastRow {
  const [id, caller, callee, gateway, from, called, domain, direction, attempts, answered, domains] = row;
  const isAnswered = (numberOrNull(answered) ?? Infinity) <= at;
  return {
    table: 'calls',
    columns: {
      ...{
        id: Number(id),
        call_id: String(id),
        from_tag: '',
        dialog: '',
        node: '',
        begun: at,
        state: isAnswered ? 3 : 2,
      },
      ...{ caller: caller ?? null, callee: callee ?? null, gateway_ref: gateway ?? null, domain_ref: domain ?? null },
      ...{ from_uri: from ?? null, called: called ?? null, direction: direction ?? null, domains: domains ?? null },
      attempts: attemptsBy(attempts, at),
    },
  };
}

/** Where requests of a gateway went. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly transport: string;
}

function keyOf({ ref }: Then, { host, port, transport }: Place): string {
  return [ref, host, port, transport].join('|');
}

/** The host of a gateway, or its outbound proxy, as the SIP server checks it. */
function hostOf({ values }: Then): Place {
  const { host, port, transport, outboundProxy } = values;
  const proxy = partsOfHostPort(outboundProxy as Value | undefined);
  return {
    host: proxy?.host ?? textOf(host),
    port: proxy ? Number(proxy.port ?? 0) : Number(port ?? 0),
    transport: textOf(transport).toLowerCase(),
  };
}

/** The destinations of a gateway besides its host, as the SIP server checks them. */
function placesOf({ values }: Then): readonly Place[] {
  const transport = textOf(values['transport']).toLowerCase();
  return destinationsIn(values['destinations'] as Value | undefined) // as a write stored it
    .filter(({ enabled }) => enabled !== false)
    .map((each) => ({ host: each.host, port: each.port ?? 0, transport: each.transport ?? transport }));
}

/** What a resource is called in a sentence. */
function nameOf({ kind, ref, values }: Then): string {
  const name = textOf(values['name']);
  return `${kind.toLowerCase()} ${name === '' ? ref : name}`;
}

/** Whether a gateway registers, as REGISTERS decides it in SQL. */
function isRegistering({ values }: Then): boolean {
  return (
    textOf(values['username']) !== '' &&
    Boolean(values['secret']) &&
    values['sendRegister'] !== false &&
    values['enabled'] !== false
  );
}

function locations({ user, host }: Named, devices: PastDevices | undefined, at: number): readonly PastRow[] {
  const seconds = Math.floor(at / 1000);
  const row = (n: number, expires: number, node: string | null, place?: string): PastRow => ({
    table: 'location',
    columns: {
      ...{ ruid: `${user}@${host} ${String(n)}`, username: user, domain: host, expires },
      contact: writeAddressOfRecord({ user, host: place ?? host }),
      socket: node === null || node === '' ? ANY_NODE : `udp:${node}`,
    },
  });
  if (!devices) return [];
  if (devices.unknown !== undefined) return [row(0, seconds + 3600, ANY_NODE)];
  const { counts, places, expiredOn } = devices;
  const nodes = [...counts].flatMap(([node, many]) => Array.from({ length: many }, () => node));
  if (nodes.length === 0 && expiredOn !== null) return [row(0, Math.floor(expiredOn / 1000), ANY_NODE)];
  return nodes.map((node, n) => row(n, seconds + 3600, node, places[n]));
}

function registrationRow({ ref, values }: Then, past: PastRegistration | undefined, at: number): PastRow {
  // What is not known is assumed to have worked.
  const event = past?.unknown === undefined ? past?.event : undefined;
  const isRegistered = event === undefined || event.event === 'REGISTERED';
  return {
    table: 'gateway_registrations',
    columns: {
      gw_ref: ref,
      username: textOf(values['username']),
      host: textOf(values['host']),
      ip: event?.host ?? '',
      port: event?.port ?? 0,
      transport: 'udp',
      expires: 0,
      registered_on: isRegistered ? (event?.at ?? at) : 0,
      expires_at: isRegistered ? at + HOUR : event.event === 'REFUSED' || event.event === 'LOST' ? 0 : event.at,
      last_response: event ? lastResponse(event) : null,
    },
  };
}

/** The last response, as REGISTERS and `registrationState` of registration-reader.ts read it. */
function lastResponse({ event, status, reason }: RegistrationEvent): string | null {
  const response = responseOf({ status, reason });
  if (event === 'LOST') return response.startsWith('408') ? response : `408 ${reason ?? ''}`.trim();
  return event === 'REFUSED' ? response || 'refused' : null;
}
