import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

import type { Admission } from '../limits/admission';
import { type DatabaseSource, registerDatabaseMetrics } from './database-metrics';
import { type LiveSources, registerLiveMetrics } from './live-metrics';
import { registerLoadMetrics } from './load-metrics';

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

// For how long a text is shared: for this many times as long as it took to make it, and at most for some milliseconds.
const TIMES = 20;
const LONGEST = 1000;

/**
 * Returns a function that returns the text of the metrics. Making it takes as long as several requests, and every user
 * may ask for it. So concurrent readers share one text, and making texts takes at most a twentieth of the time.
 */
function sharedText(make: () => Promise<string>): () => Promise<string> {
  let shared: Promise<string> | undefined;
  let until = Infinity;
  return () => {
    const begun = performance.now();
    if (shared && begun < until) return shared;
    until = Infinity;
    shared = make().finally(() => {
      const now = performance.now();
      until = now + Math.min(TIMES * (now - begun), LONGEST);
    });
    return shared;
  };
}
