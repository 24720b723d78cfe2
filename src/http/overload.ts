import { totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

import type { FastifyInstance } from 'fastify';

import { OverloadedError } from '../errors';

// Milliseconds between samples.
const SAMPLE = 2000;
// Milliseconds: the interval of the timer that measures the event loop delay.
const RESOLUTION = 10;
// Consecutive samples over a limit that count as overload. Startup, or one long turn of the event loop, is shorter.
const SAMPLES = 3;
// Seconds.
const RETRY_AFTER = 3;
// The share of the available memory that may be used.
const MAX_MEMORY = 0.9;
// The routes for monitoring, which are served even during overload.
const ALWAYS = ['/healthz', '/readyz', '/metrics'];

interface OverloadSettings {
  readonly delay: number;
  readonly memory: number | undefined;
}

/**
 * Refuses requests with 503 while the process is overloaded, instead of letting them wait. The process counts as
 * overloaded above an event loop delay of `delay` milliseconds, above a resident memory of `memory` bytes, by default
 * 90 % of the available memory, or above 90 % of the heap limit. A `delay` of 0 disables the first limit, a `memory` of
 * 0 the other two.
 */
export function refuseOverload(http: FastifyInstance, { delay, memory }: OverloadSettings): void {
  const eventLoop = monitorEventLoopDelay({ resolution: RESOLUTION });
  eventLoop.enable();
  const isDelayed = (): boolean => {
    const mean = eventLoop.mean / 1e6 - RESOLUTION;
    eventLoop.reset();
    // NaN without a measurement: the event loop was blocked all the time.
    return delay > 0 && !(mean <= delay);
  };
  const available = process.constrainedMemory();
  const limit = memory ?? MAX_MEMORY * Math.min(available > 0 ? available : Infinity, totalmem());
  let samples = 0;
  const sampling = setInterval(() => {
    const isUnderPressure = isDelayed() || (limit > 0 && isMemoryAbove(limit));
    samples = isUnderPressure ? samples + 1 : 0;
  }, SAMPLE).unref();
  http.addHook('onClose', (_http, done) => {
    clearInterval(sampling);
    eventLoop.disable();
    done();
  });
  http.addHook('onRequest', (request, _reply, done) => {
    const isRefused = samples >= SAMPLES && !ALWAYS.includes(request.routeOptions.url ?? '');
    done(isRefused ? new OverloadedError(RETRY_AFTER) : undefined);
  });
}

function isMemoryAbove(limit: number): boolean {
  const { used_heap_size: heap, heap_size_limit: heapLimit } = getHeapStatistics();
  if (heap > MAX_MEMORY * heapLimit) return true;
  try {
    return process.memoryUsage.rss() > limit;
  } catch {
    // On Linux, Node reads the memory use from a file. If the process has no file descriptor left to open it, that is
    // overload, too.
    return true;
  }
}
