import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

import { OverloadedError } from '../errors';

// Milliseconds between samples.
const SAMPLE = 2000;
// Consecutive samples under pressure that count as overload; startup or a single long event loop turn does not.
const SAMPLES = 3;
// Seconds.
const RETRY_AFTER = 3;
// The share of the available memory that may be used.
const MAX_MEMORY = 0.9;
// Monitoring is served even while overloaded.
const ALWAYS = ['/healthz', '/readyz', '/metrics'];

/**
 * Refuses requests with 503 while the process is overloaded, instead of letting them wait. `delay` is the event loop delay in
 * milliseconds and `memory` the resident memory in bytes above which the process counts as overloaded; 0 disables a limit.
 */
export async function refuseOverload(
  http: FastifyInstance,
  { delay, memory }: { readonly delay: number; readonly memory: number | undefined },
): Promise<void> {
  let samples = 0;
  const sampling = setInterval(() => (samples = http.isUnderPressure() ? samples + 1 : 0), SAMPLE).unref();
  http.addHook('onClose', (_http, done) => {
    clearInterval(sampling);
    done();
  });
  const available = process.constrainedMemory();
  await http.register(underPressure, {
    sampleInterval: SAMPLE,
    maxEventLoopDelay: delay,
    maxRssBytes: memory ?? MAX_MEMORY * Math.min(available > 0 ? available : Infinity, totalmem()),
    maxHeapUsedBytes: memory === 0 ? 0 : MAX_MEMORY * getHeapStatistics().heap_size_limit,
    pressureHandler: ({ routeOptions }) =>
      samples < SAMPLES || ALWAYS.includes(routeOptions.url ?? '')
        ? undefined
        : Promise.reject(new OverloadedError(RETRY_AFTER)),
  });
}
