import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { Database } from '../database/database';
import type { Admission } from '../limits/admission';

/** Metrics for Prometheus. No label contains a value from a request. */
export interface Metrics {
  observe(route: string, status: number, seconds: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Creates the metrics: process metrics, requests, SQL statements and open subscriptions. */
export function createMetrics(database: Database, changes: { readonly size: number }, admission: Admission): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'sipgraph_http_request_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  new Counter({
    name: 'sipgraph_sql_statements_total',
    help: 'SQL statements sent to the database.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(database.statements);
    },
  });
  new Gauge({
    name: 'sipgraph_subscribers',
    help: 'Open subscriptions.',
    registers: [registry],
    collect() {
      this.set(changes.size);
    },
  });
  if (database.host) registerHost(registry, database);
  measureLoad(registry, database, admission);
  return {
    observe: (route, status, seconds) => {
      duration.observe({ route, status }, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function registerHost(registry: Registry, database: Database): void {
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

/** Adds the metrics of requests and heavy reads: in progress, waiting and refused. */
function measureLoad(registers: Registry, database: Database, { requests, large, counts }: Admission): void {
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
