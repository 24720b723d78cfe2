import type { Product } from '../../database/driver';
import { list, raw, sql, unionAll, useIndex, type Fragment } from '../../database/fragment';
import { pad, type Reads } from '../../database/sql';
import { writeAddressOfRecord } from '../../model/format/address-of-record';
import { partsOfHostPort } from '../../model/format/host';
import type { Value } from '../../model/format/format';
import { responseOf } from '../../sip/calls/call';
import type { PastDevices, PastRegistration, PastRegistrations } from '../past-registrations';
import type { RegistrationEvent } from '../../sip/past/registration-event';
import type { PastRow } from './past-database';
import { textOf, type Named, type PastResources, type Then } from './past-resources';

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
}

const HOUR = 3_600_000;
// Calls in progress that began earlier are not counted against limits: few calls last as long. No index finds the calls of a domain.
const LONGEST = 24 * HOUR;
const LONGEST_OF_DOMAIN = 4 * HOUR;
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
    const named = registering.map(({ ref, values }) => ({ ref, name: textOf(values['name']) }));
    const devices = await this.devices.devices(users, at);
    const registrations = await this.gateways.gateways(named, at);
    const health = await this.health(all, at);
    const calls = await this.calls(resources, at, except);
    const withMinutes = resources.all.filter(({ values }) => typeof values['dailyMinutes'] === 'number');
    const hasDestinations = all.filter(({ values }) => Array.isArray(values['destinations']));
    return {
      rows: [
        ...users.flatMap((user) => locations(user, devices.get(`${user.user}@${user.host}`), at)),
        ...registering.map((gateway) => registrationRow(gateway, registrations.get(gateway.ref), at)),
        ...health,
        ...calls.rows,
      ],
      devices,
      registrations,
      unknown: [
        ...hasDestinations.map(
          ({ values }) => `whether the destinations of gateway ${textOf(values['name'])} responded is not recorded`,
        ),
        ...withMinutes.map((each) => `how many of the minutes of ${nameOf(each)} were used is not recorded`),
        ...calls.unknown,
      ],
    };
  }

  /** Whether gateways responded to OPTIONS, from the samples of trunks. */
  private async health(gateways: readonly Then[], at: number): Promise<readonly PastRow[]> {
    if (gateways.length === 0) return [];
    const refs = pad(
      gateways.map(({ ref }) => ref),
      '',
    );
    const { text, values } = sql`SELECT gw_ref, state, since_on FROM trunk_states
      WHERE gw_ref IN (${list(refs)}) AND until_on > ${at} AND since_on <= ${at} AND state IN ('UP', 'DOWN')`;
    const found = await this.reads.rows(text, values);
    return found.flatMap(([ref, state, since]) => {
      const gateway = gateways.find((each) => each.ref === ref);
      if (!gateway) return [];
      const { host, port, transport, outboundProxy } = gateway.values;
      const proxy = partsOfHostPort(outboundProxy as Value | undefined);
      return [
        {
          table: 'gateway_health',
          columns: {
            gw_ref: gateway.ref,
            host: proxy?.host ?? textOf(host),
            port: proxy ? Number(proxy.port ?? 0) : Number(port ?? 0),
            transport: textOf(transport).toLowerCase(),
            state: state ?? '',
            since: since ?? 0,
            checked_on: at,
            misses: 0,
            answers: 0,
            expires_at: at + HOUR,
          },
        },
      ];
    });
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
    const wayOf = ({ kind, ref, values }: Then): Fragment => {
      const host = textOf(values['domainUri']);
      if (kind === 'Agent')
        return sql`${useIndex(product, 'calls_caller')} WHERE caller = ${`agent:${ref}`} AND ${since(LONGEST)}`;
      if (kind === 'Gateway')
        return sql`${useIndex(product, 'calls_gateway')} WHERE gateway_ref = ${ref} AND ${since(LONGEST)}`;
      return sql`${useIndex(product, 'calls_begun')} WHERE ${since(LONGEST_OF_DOMAIN)}
        AND (INSTR(LOWER(COALESCE(from_uri, '')), ${`@${host}`}) > 0 OR INSTR(COALESCE(called, ''), ${`@${host}`}) > 0)`;
    };
    const parts = limited.map(
      (each, n) => sql`SELECT * FROM (SELECT id, caller, callee, gateway_ref, from_uri, called FROM calls ${wayOf(each)}
        LIMIT ${MOST_CALLS}) ${raw(`c${String(n)}`)}`,
    );
    const { text, values } = unionAll(parts);
    const rows = new Map((await this.reads.heavy(text, values)).map((row) => [Number(row[0]), row]));
    return {
      unknown: [],
      rows: [...rows].map(([id, [, caller, callee, gateway, from, called]]) => ({
        table: 'calls',
        columns: {
          ...{ id, call_id: String(id), from_tag: '', dialog: '', node: '', begun: at, state: 3 },
          ...{ caller: caller ?? null, callee: callee ?? null, gateway_ref: gateway ?? null },
          ...{ from_uri: from ?? null, called: called ?? null },
        },
      })),
    };
  }
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

/** The last response, as REGISTERS and `stateOf` of registration-reader.ts read it. */
function lastResponse({ event, status, reason }: RegistrationEvent): string | null {
  const response = responseOf({ status, reason });
  if (event === 'LOST') return response.startsWith('408') ? response : `408 ${reason ?? ''}`.trim();
  return event === 'REFUSED' ? response || 'refused' : null;
}
