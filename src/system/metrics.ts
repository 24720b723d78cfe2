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
  return {
    observe: (route, status, seconds) => {
      duration.observe({ route, status }, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
