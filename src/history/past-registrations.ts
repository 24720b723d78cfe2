import { isIPv6 } from 'node:net';

import { raw, sql, statementsOf, unionAll, type Fragment } from '../database/fragment';
import { groupBy, type Reads, type Row } from '../database/sql';
import { isOfNode, nodeOf } from '../sip/live/contact';

import { EVENT_COLUMNS, ownerKey, toRegistrationEvent, type RegistrationEvent } from '../sip/past/registration-event';

/** The devices of an address of record at an earlier time. */
export interface PastDevices {
  /** Why it is not known how many there were; undefined if it is known. */
  readonly unknown: string | undefined;
  /** By node; the node is empty if it is not recorded. */
  readonly counts: ReadonlyMap<string, number>;
  /** The addresses from which devices registered, as host:port, the newest first. */
  readonly places: readonly string[];
  /** When the last registration expired, in milliseconds since the epoch. */
  readonly expiredOn: number | null;
  /** The newest event by then that says why there was none. */
  readonly event: RegistrationEvent | undefined;
  /** When a device last registered, in milliseconds since the epoch. */
  readonly registeredOn: number | undefined;
}

/** The registration of a gateway at an earlier time. */
export interface PastRegistration {
  /** Why it is not known; undefined if it is known. */
  readonly unknown: string | undefined;
  readonly event: RegistrationEvent | undefined;
}

/** What a reader of past registrations depends on. */
export interface PastRegistrationOptions {
  /** For how long transitions are kept, in milliseconds; 0 if they are not recorded. */
  readonly liveKept: number;
  /** Whether the reader sees no addresses. */
  readonly isHidden: boolean;
}

// Transitions that are read before and after a time: as many as a node records in a day.
const READ = 200;

/** Reads who was registered at an earlier time, from the transitions before and after it, and from what is registered now. */
export class PastRegistrations {
  constructor(
    private readonly reads: Reads,
    private readonly options: PastRegistrationOptions,
  ) {}

  /** The devices of addresses of record at a time, in milliseconds since the epoch, by `user@host`. A fixed number of statements. */
  async devices(
    addresses: readonly { readonly user: string; readonly host: string }[],
    at: number,
  ): Promise<ReadonlyMap<string, PastDevices>> {
    if (addresses.length === 0) return new Map();
    const now = Date.now();
    const selects = addresses.flatMap(({ user, host }, index) => {
      const of = sql`username = ${user} AND domain = ${host}`;
      // Anybody can be refused, so refusals must not push the others out.
      const parts = [
        sql`${of} AND event <> 'REFUSED' AND at <= ${at} ORDER BY at DESC, id DESC`,
        sql`${of} AND event <> 'REFUSED' AND at > ${at} ORDER BY at, id`,
        sql`${of} AND event = 'REFUSED' AND at <= ${at} ORDER BY at DESC, id DESC`,
      ];
      return parts.map((part, n) => eventsWhere(part, `${String(index)} ${String(n)}`));
    });
    const events = await this.events(selects);
    const { text, values } = unionAll(
      addresses.map(
        ({ user, host }, index) => sql`SELECT ${index} AS who, socket, COUNT(*) AS many FROM location
          WHERE username = ${user} AND domain = ${host} AND expires > ${Math.floor(now / 1000)} GROUP BY socket`,
      ),
    );
    const current = await this.reads.rows(text, values);
    const unknown = await this.whyUnknown(at, now);
    return new Map(
      addresses.map(({ user, host }, index) => {
        const of = (n: number): readonly RegistrationEvent[] => events.get(`${String(index)} ${String(n)}`) ?? [];
        const registered = current.flatMap(([who, socket, many]): [string, number][] =>
          Number(who) === index ? [[String(socket ?? ''), Number(many)]] : [],
        );
        const found = { before: of(0), after: of(1).toReversed(), refusals: of(2), registered };
        return [`${user}@${host}`, this.devicesIn(`${user}@${host}`, found, unknown)];
      }),
    );
  }

  /** Before: the newest first. After: the oldest first. Registered: how many are now, by socket. */
  private devicesIn(
    name: string,
    {
      before,
      after,
      refusals,
      registered,
    }: Readonly<Record<'before' | 'after' | 'refusals', readonly RegistrationEvent[]>> & {
      readonly registered: readonly (readonly [string, number])[];
    },
    why: string | undefined,
  ): PastDevices {
    const hasCount = ({ devices }: RegistrationEvent): boolean => devices !== null;
    const recorded = new Set([...before, ...after].filter(hasCount).map(({ node }) => node ?? ''));
    const current = new Map<string, number>();
    for (const [socket, many] of registered) {
      const node = [...recorded].find((one) => isOfNode(socket, one)) ?? nodeOf(socket) ?? '';
      current.set(node, (current.get(node) ?? 0) + many);
    }
    const nodes = new Set([...current.keys(), ...recorded]);
    let unknown = why;
    const counts = new Map<string, number>();
    for (const node of nodes) {
      const isOf = (event: RegistrationEvent): boolean => hasCount(event) && (event.node ?? '') === node;
      const [last, next] = [before.find(isOf), after.find(isOf)];
      if (last?.event === 'UNRECORDED')
        unknown ??= `the registrations of ${name} are not known: there were too many in a day to record`;
      counts.set(node, last?.devices ?? (next ? devicesBefore(next) : (current.get(node) ?? 0)));
    }
    const transitions = before.filter(({ event }) => event !== 'UNRECORDED');
    const [last] = transitions;
    const refused = refusals.find(({ at: time }) => time >= (last?.at ?? 0));
    const registrations = transitions.filter(({ event }) => event === 'REGISTERED' || event === 'MOVED');
    const places = registrations.flatMap(({ host, port }) => (host === null ? [] : [placeOf(host, port)]));
    return {
      unknown,
      counts,
      places: [...new Set(places)],
      expiredOn: last?.event === 'EXPIRED' ? last.at : null,
      event: refused ?? last,
      registeredOn: registrations[0]?.at,
    };
  }

  /** The registrations of gateways at a time, in milliseconds since the epoch, by ref. A fixed number of statements. */
  async gateways(
    gateways: readonly {
      readonly ref: string;
      readonly name: string;
      /** Since when it had this reference; earlier transitions are those of another one. */
      readonly since: number;
    }[],
    at: number,
  ): Promise<ReadonlyMap<string, PastRegistration>> {
    if (gateways.length === 0) return new Map();
    const selects = gateways.map(({ ref, since }) => {
      const own = sql`owner = ${ownerKey({ kind: 'Gateway', ref })} AND at >= ${since} AND at <= ${at}`;
      return eventsWhere(sql`${own} ORDER BY at DESC, id DESC`, ref, 1);
    });
    const events = await this.events(selects);
    const unknown = await this.whyUnknown(at, Date.now());
    return new Map(
      gateways.map(({ ref, name }) => {
        const [event] = events.get(ref) ?? [];
        const isKnown = event !== undefined && event.event !== 'UNRECORDED';
        const why =
          unknown ??
          `whether gateway ${name} was registered is not known: no transition before that time is kept (LIVE_DAYS)`;
        return [ref, { unknown: isKnown ? undefined : why, event }];
      }),
    );
  }

  /** Why transitions at a time are not known; undefined if they are. */
  private async whyUnknown(at: number, now: number): Promise<string | undefined> {
    const { liveKept } = this.options;
    const what = 'what was registered is not known:';
    if (liveKept === 0) return `${what} registrations are not recorded, because LIVE_DAYS is 0`;
    if (at < now - liveKept)
      return `${what} registrations are kept for ${String(liveKept / 86_400_000)} days (LIVE_DAYS)`;
    const [row] = await this.reads.rows('SELECT MIN(since) FROM registration_nodes', []);
    const since = row?.[0] ?? null;
    if (since === null)
      return `${what} the SIP server records no registrations; print its configuration again (sipgraph kamailio config)`;
    return at < Number(since)
      ? `${what} registrations are on record since ${new Date(Number(since)).toISOString()} (LIVE_DAYS)`
      : undefined;
  }

  /** The events that SELECTs find, by their names, each the newest first. */
  private async events(selects: readonly Fragment[]): Promise<ReadonlyMap<string, readonly RegistrationEvent[]>> {
    const rows: Row[] = [];
    for (const { text, values } of statementsOf(selects)) rows.push(...(await this.reads.rows(text, values)));
    const eventsIn = (own: readonly Row[]): readonly RegistrationEvent[] =>
      own
        .map(([, ...row]) => toRegistrationEvent(row, this.options.isHidden))
        .sort((a, b) => b.at - a.at || b.rowId - a.rowId);
    return new Map([...groupBy(rows, ([name]) => String(name))].map(([name, own]) => [name, eventsIn(own)]));
  }
}

/** Selects events with the name of the SELECT. */
function eventsWhere(rest: Fragment, name: string, most = READ): Fragment {
  return sql`SELECT ${name} AS part, ${raw(EVENT_COLUMNS)} FROM registration_events WHERE ${rest} LIMIT ${most}`;
}

function placeOf(host: string, port: number | null): string {
  const name = isIPv6(host) ? `[${host}]` : host;
  return port === null || port === 0 ? name : `${name}:${String(port)}`;
}

/** How many devices there were before an event. */
function devicesBefore({ event, devices }: RegistrationEvent): number {
  const after = devices ?? 0;
  if (event === 'REGISTERED') return Math.max(0, after - 1);
  return event === 'EXPIRED' || event === 'UNREGISTERED' ? after + 1 : after;
}
