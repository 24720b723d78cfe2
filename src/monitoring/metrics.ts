import { setTimeout } from 'node:timers/promises';

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Database } from '../database/database';
import type { Admission } from '../limits/admission';
import { HEALTH_STATES } from '../model/gateway-health';
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
  registerDatabaseMetrics(registry, database);
  registerLiveMetrics(registry, live);
  registerCallMetrics(registry, live);
  registerTransitionMetrics(registry, live);
  new Counter({
    name: 'sipgraph_security_events_total',
    help: 'Sign-ins, and requests refused by sign-in, token, role or budget.',
    labelNames: ['event'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [event, count] of events.totals) this.inc({ event }, count);
    },
  });
  registerLoadMetrics(registry, database, admission);
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
    const begun = performance.now();
    if (shared && begun < until) return shared;
    until = Infinity;
    shared = make().finally(() => {
      const now = performance.now();
      until = now + Math.min(TIMES * (now - begun), longest);
    });
    return shared;
  };
}

/** Adds the metrics of requests and heavy reads: in progress, waiting and refused. */
function registerLoadMetrics(
  registers: Registry,
  database: Pick<Database, 'heavyReads'>,
  { requests, large, counts }: Admission,
): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registers],
      collect() {
        this.set(read());
      },
    });
  };
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers: [registers],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  gauge('sipgraph_requests_in_progress', 'Requests in progress, except large ones.', () => requests.weight);
  gauge('sipgraph_requests_waiting', 'Requests that wait for a place.', () => requests.waiting + large.waiting);
  gauge(
    'sipgraph_large_objects_in_progress',
    'Objects that large requests in progress may return.',
    () => large.weight,
  );
  counter('sipgraph_requests_refused_total', 'Requests refused with 503 for want of a place.', () => counts.refused);
  counter('sipgraph_requests_late_total', 'Requests that exceeded REQUEST_TIMEOUT.', () => counts.late);
  gauge('sipgraph_heavy_reads_in_progress', 'Heavy reads in progress.', () => database.heavyReads.weight);
  gauge('sipgraph_heavy_reads_waiting', 'Heavy reads that wait for a place.', () => database.heavyReads.waiting);
}

/** The part of the database that the metrics read. */
type DatabaseSource = Pick<Database, 'observer' | 'poolUse' | 'host' | 'replicaLags' | 'heavyReads'>;

/** Adds the metrics of the database: statements, failures, and the use of the connections. */
function registerDatabaseMetrics(registry: Registry, database: DatabaseSource): void {
  const registers = [registry];
  new Counter({
    name: 'sipgraph_sql_statements_total',
    help: 'SQL statements that ended, except upkeep, by outcome. `cancelled` includes those that were not sent any more.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(database.observer.statements)) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'sipgraph_sql_failures_total',
    help: 'Reads and transactions that failed in the database, by reason. Each attempt of a transaction counts.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(database.observer.failures)) this.inc({ reason }, count);
    },
  });
  const ofPools = (name: string, help: string, field: 'size' | 'used' | 'waiting'): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const use of database.poolUse()) this.set({ pool: use.pool }, use[field]);
      },
    });
  ofPools('sipgraph_database_connections_max', 'Connections that a pool may have.', 'size');
  ofPools('sipgraph_database_connections_used', 'Connections in use.', 'used');
  ofPools('sipgraph_database_waiting', 'Callers that wait for a connection of a pool.', 'waiting');
  if (database.host) registerHost(registry, database);
  if (database.replicaLags) registerReplicas(registry, database);
}

function registerHost(registry: Registry, database: DatabaseSource): void {
  new Gauge({
    name: 'sipgraph_database_host',
    help: 'The database server in use: 1. None if no server can be used.',
    labelNames: ['host'],
    registers: [registry],
    collect() {
      this.reset();
      const name = database.host?.name;
      if (name !== undefined) this.set({ host: name }, 1);
    },
  });
  new Gauge({
    name: 'sipgraph_database_lag_seconds',
    help: 'Age of the oldest change that another database server had and the one in use does not have.',
    registers: [registry],
    collect() {
      this.set(database.host?.lag ?? NaN);
    },
  });
}

function registerReplicas(registry: Registry, database: DatabaseSource): void {
  new Gauge({
    name: 'sipgraph_replica_lag_seconds',
    help: 'How far a replica is behind the primary. NaN if the replica is not used.',
    labelNames: ['host'],
    registers: [registry],
    collect() {
      for (const { name, lag } of database.replicaLags ?? []) this.set({ host: name }, lag ?? NaN);
    },
  });
}

/** What the metrics of subscriptions and registrations are read from. */
interface LiveSources {
  readonly subscriptions: { size(): number; lag(): Promise<number> };
  readonly live: { read(): Promise<LiveState> };
}

// Milliseconds that a scrape waits for the database, less than the timeout of Prometheus (10 s by default).
const PATIENCE = 2000;

/** Adds the metrics of subscriptions and registrations. A value that the database does not return in time is NaN. */
function registerLiveMetrics(registry: Registry, { subscriptions, live }: LiveSources): void {
  const registers = [registry];
  new Gauge({
    name: 'sipgraph_subscribers',
    help: 'Open subscriptions.',
    registers,
    collect() {
      this.set(subscriptions.size());
    },
  });
  new Gauge({
    name: 'sipgraph_changes_lag_seconds',
    help: 'Age of the oldest change that subscribers cannot receive yet.',
    registers,
    async collect() {
      this.set((await inTime(subscriptions.lag())) ?? NaN);
    },
  });
  new Gauge({
    name: 'sipgraph_contacts',
    help: 'Registered contacts of agents and peers; at most 15 s old.',
    registers,
    async collect() {
      this.set((await inTime(live.read()))?.contacts ?? NaN);
    },
  });
  new Gauge({
    name: 'sipgraph_trunks',
    help: 'Gateways that register at their provider: up while they are registered, else down; at most 15 s old.',
    labelNames: ['state'],
    registers,
    async collect() {
      const state = await inTime(live.read());
      this.set({ state: 'up' }, state?.trunksUp ?? NaN);
      this.set({ state: 'down' }, state?.trunksDown ?? NaN);
    },
  });
  new Gauge({
    name: 'sipgraph_gateways',
    help: "Gateways by health: up while their host responds to the SIP server's OPTIONS, down while it does not, else unknown; at most 15 s old.",
    labelNames: ['health'],
    registers,
    async collect() {
      const state = await inTime(live.read());
      for (const health of HEALTH_STATES)
        this.set({ health: health.toLowerCase() }, state ? (state.health.get(health) ?? 0) : NaN);
    },
  });
}

/** Adds the metrics of calls, which the SIP server records. */
function registerCallMetrics(registry: Registry, { live }: Pick<LiveSources, 'live'>): void {
  const registers = [registry];
  new Gauge({
    name: 'sipgraph_calls_in_progress',
    help: 'Calls in progress, also those that are not answered yet; at most 15 s old.',
    registers,
    async collect() {
      this.set((await inTime(live.read()))?.calls ?? NaN);
    },
  });
  new Counter({
    name: 'sipgraph_calls_total',
    help: 'Calls that the SIP server recorded: begun, answered, and failed, which were never answered.',
    labelNames: ['event'],
    registers,
    async collect() {
      const recorded = (await inTime(live.read()))?.recorded;
      // A counter keeps its value, which must not decrease.
      if (!recorded) return;
      const { begun, answered, failed } = recorded;
      this.reset();
      for (const [event, count] of Object.entries({ begun, answered, failed })) this.inc({ event }, count);
    },
  });
  new Counter({
    name: 'sipgraph_calls_failed_total',
    help: 'Failed calls by the class of the final status: busy (486 and 600), 4xx, 5xx, 6xx, or other (3xx, or none).',
    labelNames: ['class'],
    registers,
    async collect() {
      const recorded = (await inTime(live.read()))?.recorded;
      if (!recorded) return;
      this.reset();
      for (const [name, count] of Object.entries(recorded.failures)) this.inc({ class: name }, count);
    },
  });
  new Counter({
    name: 'sipgraph_calls_lost_events_total',
    help: 'Events of calls that the SIP server could not record, because the database did not respond in time.',
    registers,
    async collect() {
      const recorded = (await inTime(live.read()))?.recorded;
      if (!recorded) return;
      this.reset();
      this.inc(recorded.lost);
    },
  });
}

/** Adds the metrics of transitions of registrations, which the SIP server records. */
function registerTransitionMetrics(registry: Registry, { live }: Pick<LiveSources, 'live'>): void {
  const registers = [registry];
  new Counter({
    name: 'sipgraph_registration_events_total',
    help: 'Registrations of devices and gateways that the SIP server recorded: begun, moved, ended, refused, or lost, which the provider did not answer.',
    labelNames: ['event'],
    registers,
    async collect() {
      const transitions = (await inTime(live.read()))?.transitions;
      // A counter keeps its value, which must not decrease.
      if (!transitions) return;
      this.reset();
      for (const [event, count] of Object.entries(transitions)) if (event !== 'unrecorded') this.inc({ event }, count);
    },
  });
  new Counter({
    name: 'sipgraph_registration_events_lost_total',
    help: 'Events of registrations that the SIP server could not record, because the database did not respond in time.',
    registers,
    async collect() {
      const transitions = (await inTime(live.read()))?.transitions;
      if (!transitions) return;
      this.reset();
      this.inc(transitions.unrecorded);
    },
  });
}

/** The result of `work`; undefined if it fails or takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), setTimeout(PATIENCE, undefined, { ref: false })]);
}
