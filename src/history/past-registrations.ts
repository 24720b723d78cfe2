import type { Reads } from '../database/sql';
import { nodeOf } from '../sip/live/contact';
import type { PastDevices, PastRegistration } from '../sip/diagnosis/past-facts';
import { EVENT_COLUMNS, ownerKey, toRegistrationEvent, type RegistrationEvent } from '../sip/past/registration-event';

/** What a reader of past registrations depends on. */
export interface PastRegistrationOptions {
  /** The node of the SIP server where calls arrive; undefined if there is only one. */
  readonly node: string | undefined;
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

  /** The devices of an address of record at a time, in milliseconds since the epoch. */
  async devices(user: string, host: string, at: number): Promise<PastDevices> {
    const now = Date.now();
    const of = 'username = ? AND domain = ?';
    // Anybody can be refused, so refusals must not push the others out.
    const stored = `${of} AND event <> 'REFUSED'`;
    const before = await this.events(`${stored} AND at <= ? ORDER BY at DESC, id DESC`, [user, host, at]);
    const after = await this.events(`${stored} AND at > ? ORDER BY at, id`, [user, host, at]);
    const refusals = await this.events(`${of} AND event = 'REFUSED' AND at <= ? ORDER BY at DESC, id DESC`, [
      user,
      host,
      at,
    ]);
    const current = await this.reads.rows(
      'SELECT socket, COUNT(*) FROM location WHERE username = ? AND domain = ? AND expires > ? GROUP BY socket',
      [user, host, Math.floor(now / 1000)],
    );
    const registered = new Map(current.map(([socket, many]) => [nodeOf(String(socket ?? '')) ?? '', Number(many)]));
    const counted = ({ devices }: RegistrationEvent): boolean => devices !== null;
    const nodes = new Set([
      ...registered.keys(),
      ...[...before, ...after].filter(counted).map(({ node }) => node ?? ''),
    ]);
    let unknown = await this.unknown(at, now);
    const counts = new Map<string, number>();
    for (const node of nodes) {
      const isOf = (event: RegistrationEvent): boolean => counted(event) && (event.node ?? '') === node;
      const [last, next] = [before.find(isOf), after.find(isOf)];
      if (last?.event === 'UNRECORDED')
        unknown ??= `the registrations of ${user}@${host} are not known: there were too many in a day to record`;
      counts.set(node, last?.devices ?? (next ? devicesBefore(next) : (registered.get(node) ?? 0)));
    }
    const { node } = this.options;
    const isHere = (each: string): boolean => node === undefined || each === node || each === '';
    const there = [...counts].filter(([, many]) => many > 0);
    const transitions = before.filter(({ event }) => event !== 'UNRECORDED');
    const [last] = transitions;
    const refused = refusals.find(({ at: time }) => time >= (last?.at ?? 0));
    return {
      unknown,
      count: there.reduce((sum, [each, many]) => sum + (isHere(each) ? many : 0), 0),
      node: there[0]?.[0] ?? null,
      expiredOn: last?.event === 'EXPIRED' ? last.at : null,
      event: refused ?? last,
      registeredOn: transitions.find(({ event }) => event === 'REGISTERED' || event === 'MOVED')?.at,
    };
  }

  /** The registration of a gateway at a time, in milliseconds since the epoch. */
  async gateway(ref: string, name: string, at: number): Promise<PastRegistration> {
    const [event] = await this.events('owner = ? AND at <= ? ORDER BY at DESC, id DESC', [
      ownerKey({ kind: 'Gateway', ref }),
      at,
    ]);
    if (event && event.event !== 'UNRECORDED') return { unknown: undefined, event };
    return {
      unknown:
        (await this.unknown(at, Date.now())) ??
        `whether gateway ${name} was registered is not known: no transition before that time is kept (LIVE_DAYS)`,
      event,
    };
  }

  /** Why transitions at a time are not known; undefined if they are. */
  private async unknown(at: number, now: number): Promise<string | undefined> {
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
      ? `${what} registrations are recorded since ${new Date(Number(since)).toISOString()}`
      : undefined;
  }

  private async events(rest: string, values: readonly (string | number)[]): Promise<readonly RegistrationEvent[]> {
    const rows = await this.reads.rows(
      `SELECT ${EVENT_COLUMNS} FROM registration_events WHERE ${rest} LIMIT ${String(READ)}`,
      values,
    );
    return rows.map((row) => toRegistrationEvent(row, this.options.isHidden));
  }
}

/** How many devices there were before an event. */
function devicesBefore({ event, devices }: RegistrationEvent): number {
  const after = devices ?? 0;
  if (event === 'REGISTERED') return Math.max(0, after - 1);
  return event === 'EXPIRED' || event === 'UNREGISTERED' ? after + 1 : after;
}
