import { Counter, Gauge, type Registry } from 'prom-client';

import type { Database } from '../database/database';
import type { Admission } from '../limits/admission';

/** Adds the metrics of requests and heavy reads: in progress, waiting and refused. */
export function registerLoadMetrics(
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
