import { setTimeout } from 'node:timers/promises';

import { Gauge, type Registry } from 'prom-client';

import type { LiveState } from '../sip/live/live-counts';

/** What the metrics of subscriptions and registrations are read from. */
export interface LiveSources {
  readonly changes: { readonly size: number; lag(): Promise<number> };
  readonly live: { read(): Promise<LiveState> };
}

// Milliseconds that a scrape waits for the database, less than the timeout of Prometheus (10 s by default).
const PATIENCE = 2000;

/** Adds the metrics of subscriptions and registrations. A value that the database does not return in time is NaN. */
export function registerLiveMetrics(registry: Registry, { changes, live }: LiveSources): void {
  const registers = [registry];
  new Gauge({
    name: 'sipgraph_subscribers',
    help: 'Open subscriptions.',
    registers,
    collect() {
      this.set(changes.size);
    },
  });
  new Gauge({
    name: 'sipgraph_changes_lag_seconds',
    help: 'Age of the oldest change that subscribers cannot receive yet.',
    registers,
    async collect() {
      this.set((await inTime(changes.lag())) ?? NaN);
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
}

/** The result of `work`; undefined if it fails or takes too long. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), setTimeout(PATIENCE, undefined, { ref: false })]);
}
