import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

import type { Admission } from '../limits/admission';
import { registerDatabaseMetrics, type DatabaseSource } from './database-metrics';
import { registerLoadMetrics } from './load-metrics';
import { sharedText } from './metrics-text';
import { registerLiveMetrics, type LiveSources } from './live-metrics';

/** Metrics for Prometheus. No label contains a value from a request. */
export interface Metrics {
  observe(route: string, status: number, seconds: number): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** What the metrics are read from on each scrape. */
export interface MetricSources extends LiveSources {
  readonly database: DatabaseSource;
  readonly admission: Admission;
  readonly events: { readonly totals: ReadonlyMap<string, number> };
}

/**
 * Creates the metrics: process metrics, request durations, the database, subscriptions, what is registered, and
 * security events.
 */
export function createMetrics({ database, events, admission, ...live }: MetricSources): Metrics {
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
    text: sharedText(() => registry.metrics()),
    contentType: registry.contentType,
  };
}
