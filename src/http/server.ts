import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyServerOptions,
} from 'fastify';
import type { Logger } from 'pino';

import type { Config } from '../config/config';
import { withoutSecrets } from '../log';
import type { Metrics } from '../system/metrics';
import { leaveBodiesUnread } from './unread-bodies';

/** Fastify as this service uses it. */
export function httpOptions(config: Config, log: Logger): FastifyServerOptions & { loggerInstance: FastifyBaseLogger } {
  return {
    loggerInstance: log,
    // One line a request is written below, with its token taken out.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy ?? false,
    bodyLimit: config.bodyLimit,
    ...TIMEOUTS,
    // Requests that come while it closes are still answered; the header below ends their connections.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  };
}

// Milliseconds. Node looks for requests that are late at each interval, so it is part of both: 10 s for headers, 30 s in all.
const INTERVAL = 1000;
const TIMEOUTS = {
  requestTimeout: 30_000 - INTERVAL,
  http: { headersTimeout: 10_000 - INTERVAL, connectionsCheckingInterval: INTERVAL },
};

// Milliseconds between the wish to close and the closing, in which every answer ends its connection.
const DRAIN = 200;

/** What holds for every request: an id, a log line, a measurement, and an end to connections once the server closes. */
export function registerCommon(http: FastifyInstance, config: Config, metrics: Metrics): void {
  http.server.maxConnections = config.maxConnections;
  // A new connection is worth more than one that waits for its next request.
  http.server.on('drop', () => http.server.closeIdleConnections());
  leaveBodiesUnread(http);
  let closing = false;
  http.addHook('preClose', async () => {
    closing = true;
    // Requests that were sent before the sender could know: what has arrived unread would look idle, and be reset.
    await setTimeout(DRAIN);
  });
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  // When the answer is sent, and not before: a request that was in flight must end its connection, too.
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
  // For what neither protocol answers; Fastify's own answer to an unexpected failure would tell its message.
  http.setErrorHandler((error: FastifyError, request, reply) => {
    if ((error.statusCode ?? 500) < 500) return reply.send(error);
    request.log.error({ err: error }, 'a request failed unexpectedly');
    return reply.code(500).type('text/plain; charset=utf-8').send('Internal server error\n');
  });
  const logsRequests = config.logLevel === 'debug' || config.logLevel === 'trace';
  http.addHook('onResponse', (request, reply, done) => {
    // A stream of events lasts as long as its reader likes.
    const isStream = request.headers.accept?.includes('text/event-stream') === true;
    if (!isStream) metrics.observe(request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000);
    if (logsRequests) {
      const { method, url } = request;
      const [status, ms] = [reply.statusCode, Math.round(reply.elapsedTime)];
      request.log.debug({ method, url: withoutSecrets(url), status, ms }, 'answered');
    }
    done();
  });
}
