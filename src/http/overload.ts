import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

import { OverloadedError } from '../errors';

// Milliseconds between looks, and how many in a row make an overload: a start or one long turn of the event loop is none.
const SAMPLE = 2000;
const LOOKS = 3;
const RETRY_AFTER = 3;
// Of the memory that there is.
const MOST = 0.9;
// Those who run the service are answered as long as anything is.
const ALWAYS = ['/healthz', '/readyz', '/metrics'];

/** Answers 503 in each protocol's own form while the process cannot keep up, instead of letting requests wait. */
export async function refuseOverload(
  http: FastifyInstance,
  { delay, memory }: { readonly delay: number; readonly memory: number | undefined },
): Promise<void> {
  let looks = 0;
  const looking = setInterval(() => (looks = http.isUnderPressure() ? looks + 1 : 0), SAMPLE).unref();
  http.addHook('onClose', (_http, done) => {
    clearInterval(looking);
    done();
  });
  const available = process.constrainedMemory();
  await http.register(underPressure, {
    sampleInterval: SAMPLE,
    maxEventLoopDelay: delay,
    maxRssBytes: memory ?? MOST * Math.min(available > 0 ? available : Infinity, totalmem()),
    maxHeapUsedBytes: memory === 0 ? 0 : MOST * getHeapStatistics().heap_size_limit,
    pressureHandler: ({ routeOptions }) =>
      looks < LOOKS || ALWAYS.includes(routeOptions.url ?? '')
        ? undefined
        : Promise.reject(new OverloadedError(RETRY_AFTER)),
  });
}
