import { setTimeout } from 'node:timers/promises';

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Database } from '../database/database';
import type { Admission } from '../limits/admission';
import { HEALTH_STATES, type HealthState } from '../model/gateway-health';
import type { LiveState } from '../sip/live/live-counts';

/** Metrics for Prometheus. No label contains a value from a request. */
export interface Metrics {
  observe(route: string, status: number, seconds: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** What the metrics are read from on each scrape. */
interface MetricSources extends LiveSources {
  readonly database: DatabaseSource;
  readonly admission: Admission;
  readonly events: { readonly totals: ReadonlyMap<string, number> };
  /** For how many milliseconds a text is shared at most. */
  readonly shared?: number | undefined;
}

/**
 * Creates the metrics: process metrics, request durations, the database, subscriptions, what is registered, and
 * security events.
 */
export function createMetrics({ database, events, admission, shared, ...live }: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'sipgraph_http_request_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const register = registerIn(registry);
  registerDatabaseMetrics(register, database);
  registerLiveMetrics(register, live);
  register(
    [Counter, 'security_events_total', 'event'],
    'Sign-ins, and requests refused by sign-in, token, role or budget.',
    () => Object.fromEntries(events.totals),
  );
  registerLoadMetrics(register, database, admission);
  return {
    observe: (route, status, seconds) => {
      duration.observe({ route, status }, seconds);
    },
    text: sharedText(() => registry.metrics(), shared),
    contentType: registry.contentType,
  };
}

// For how long a text is shared: for this many times as long as it took to make it, and at most for some milliseconds.
const TIMES = 20;
const LONGEST = 1000;

/**
 * Returns a function that returns the text of the metrics. Making it takes as long as several requests, and every user
 * may ask for it. So concurrent readers share one text, and making texts takes at most a twentieth of the time.
 */
function sharedText(make: () => Promise<string>, longest = LONGEST): () => Promise<string> {
  let shared: Promise<string> | undefined;
  let until = Infinity;
  return () => {
    const startedAt = performance.now();
    if (shared && startedAt < until) return shared;
    until = Infinity;
    shared = make().finally(() => {
      const now = performance.now();
      until = now + Math.min(TIMES * (now - startedAt), longest);
    });
    return shared;
  };
}

/** A value, or one for each value of the label. */
type Figures = number | Readonly<Record<string, number>>;

/** Returns the figures on each scrape. Undefined leaves the metric as it is. */
type Read = () => Figures | undefined | Promise<Figures | undefined>;

/** Adds a metric that is read on each scrape. A counter must not decrease. */
type Register = (
  metric: readonly [type: typeof Gauge | typeof Counter, name: string, label?: string],
  help: string,
  read: Read,
) => void;

function registerIn(registry: Registry): Register {
  return ([type, name, label], help, read) => {
    const metric: Gauge | Counter = new type({
      name: `sipgraph_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      collect: async () => {
        const figures = await read();
        if (figures === undefined) return;
        metric.reset();
        if (typeof figures === 'number') metric.inc(figures);
        else for (const [each, value] of Object.entries(figures)) metric.inc({ [label ?? '']: each }, value);
      },
    });
  };
}

/** Adds the metrics of requests and heavy reads: in progress, waiting and refused. */
function registerLoadMetrics(
  register: Register,
  database: Pick<Database, 'heavyReads'>,
  { requests, large, counts }: Admission,
): void {
  const gauge = (name: string, help: string, read: () => number): void => register([Gauge, name], help, read);
  gauge('requests_in_progress', 'Requests in progress, except large ones.', () => requests.weight);
  gauge('requests_waiting', 'Requests that wait for a place.', () => requests.waiting + large.waiting);
  gauge('large_objects_in_progress', 'Objects that large requests in progress may return.', () => large.weight);
  const counter = (name: string, help: string, read: () => number): void => register([Counter, name], help, read);
  counter('requests_refused_total', 'Requests refused with 503 for want of a place.', () => counts.refused);
  counter('requests_late_total', 'Requests that exceeded REQUEST_TIMEOUT.', () => counts.late);
  gauge('heavy_reads_in_progress', 'Heavy reads in progress.', () => database.heavyReads.weight);
  gauge('heavy_reads_waiting', 'Heavy reads that wait for a place.', () => database.heavyReads.waiting);
}

/** The part of the database that the metrics read. */
type DatabaseSource = Pick<Database, 'observer' | 'poolUse' | 'host' | 'replicaLags' | 'heavyReads'>;

/** Adds the metrics of the database: statements, failures, and the use of the connections. */
function registerDatabaseMetrics(register: Register, database: DatabaseSource): void {
  register(
    [Counter, 'sql_statements_total', 'outcome'],
    'SQL statements that ended, except upkeep, by outcome. `cancelled` includes those that were not sent any more.',
    () => database.observer.statements,
  );
  register(
    [Counter, 'sql_failures_total', 'reason'],
    'Reads and transactions that failed in the database, by reason. Each attempt of a transaction counts.',
    () => database.observer.failures,
  );
  const ofPools = (name: string, help: string, field: 'size' | 'used' | 'waiting'): void =>
    register([Gauge, name, 'pool'], help, () =>
      Object.fromEntries(database.poolUse().map((use) => [use.pool, use[field]])),
    );
  ofPools('database_connections_max', 'Connections that a pool may have.', 'size');
  ofPools('database_connections_used', 'Connections in use.', 'used');
  ofPools('database_waiting', 'Callers that wait for a connection of a pool.', 'waiting');
  if (database.host) {
    register([Gauge, 'database_host', 'host'], 'The database server in use: 1. None if no server can be used.', () =>
      database.host?.name === undefined ? {} : { [database.host.name]: 1 },
    );
    register(
      [Gauge, 'database_lag_seconds'],
      'Age of the oldest change that another database server had and the one in use does not have.',
      () => database.host?.lag ?? NaN,
    );
  }
  if (database.replicaLags)
    register(
      [Gauge, 'replica_lag_seconds', 'host'],
      'How far a replica is behind the primary. NaN if the replica is not used.',
      () => Object.fromEntries((database.replicaLags ?? []).map(({ name, lag }) => [name, lag ?? NaN])),
    );
}

/** What the metrics of subscriptions and registrations are read from. */
interface LiveSources {
  readonly subscriptions: { size(): number; lag(): Promise<number> };
  readonly live: { read(): Promise<LiveState> };
  /** Undefined if `SIP_RPC_URL` is not set. */
  readonly sipServer: { state(): Promise<{ readonly reachable: boolean }> } | undefined;
}

// Milliseconds that a scrape waits for the database, less than the timeout of Prometheus (10 s by default).
const PATIENCE = 2000;

/**
 * Adds the metrics of subscriptions, and of the calls and registrations that the SIP server records. A gauge that the
 * database does not return in time is NaN; a counter keeps its value.
 */
function registerLiveMetrics(register: Register, { subscriptions, live, sipServer }: LiveSources): void {
  const ofLive =
    <T>(read: (state: LiveState) => T) =>
    async (): Promise<T | undefined> => {
      const state = await inTime(live.read());
      return state && read(state);
    };
  register([Gauge, 'subscribers'], 'Open subscriptions.', () => subscriptions.size());
  if (sipServer)
    register([Gauge, 'sip_server_up'], 'Whether the SIP server responds to JSON-RPC: 1 or 0.', async () =>
      Number((await sipServer.state()).reachable),
    );
  register(
    [Gauge, 'changes_lag_seconds'],
    'Age of the oldest change that subscribers cannot receive yet.',
    async () => (await inTime(subscriptions.lag())) ?? NaN,
  );
  register(
    [Gauge, 'contacts'],
    'Registered contacts of agents and peers; at most 15 s old.',
    async () => (await inTime(live.read()))?.contacts ?? NaN,
  );
  register(
    [Gauge, 'trunks', 'state'],
    'Gateways that register at their provider: up while they are registered, else down; at most 15 s old.',
    async () => {
      const { trunksUp: up = NaN, trunksDown: down = NaN } = (await inTime(live.read())) ?? {};
      return { up, down };
    },
  );
  register(
    [Gauge, 'gateways', 'health'],
    "Gateways by health: up while their host responds to the SIP server's OPTIONS, down while it does not, else unknown; at most 15 s old.",
    async () => {
      const state = await inTime(live.read());
      const countOf = (health: HealthState): number => (state ? (state.health.get(health) ?? 0) : NaN);
      return Object.fromEntries(HEALTH_STATES.map((health) => [health.toLowerCase(), countOf(health)]));
    },
  );
  register(
    [Gauge, 'calls_in_progress'],
    'Calls in progress, also those that are not answered yet; at most 15 s old.',
    async () => (await inTime(live.read()))?.calls ?? NaN,
  );
  register(
    [Counter, 'calls_total', 'event'],
    'Calls that the SIP server recorded: begun, answered, and failed, which were never answered.',
    ofLive(({ recorded: { begun, answered, failed } }) => ({ begun, answered, failed })),
  );
  register(
    [Counter, 'calls_failed_total', 'class'],
    'Failed calls by the class of the final status: busy (486 and 600), 4xx, 5xx, 6xx, or other (3xx, or none).',
    ofLive(({ recorded }) => recorded.failures),
  );
  register(
    [Counter, 'calls_lost_events_total'],
    'Events of calls that the SIP server could not record, because the database did not respond in time.',
    ofLive(({ recorded }) => recorded.lost),
  );
  register(
    [Counter, 'registration_events_total', 'event'],
    'Registrations of devices and gateways that the SIP server recorded: begun, moved, ended, refused, or lost, which the provider did not answer.',
    ofLive(({ transitions: { unrecorded: _unrecorded, ...events } }) => events),
  );
  register(
    [Counter, 'registration_events_lost_total'],
    'Events of registrations that the SIP server could not record, because the database did not respond in time.',
    ofLive(({ transitions }) => transitions.unrecorded),
  );
}

/** The result of `work`; undefined if it fails or takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), setTimeout(PATIENCE, undefined, { ref: false })]);
}
