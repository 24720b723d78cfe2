import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { Database } from '../database/database';

/** Metrics for Prometheus. No label contains a value from a request. */
export interface Metrics {
  observe(route: string, status: number, seconds: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Creates the metrics: process metrics, request durations, SQL statements and open subscriptions. */
export function createMetrics(database: Database, changes: { readonly size: number }): Metrics {
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
