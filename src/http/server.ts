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

/** The options of the Fastify instance. */
export function httpOptions(config: Config, log: Logger): FastifyServerOptions & { loggerInstance: FastifyBaseLogger } {
  return {
    loggerInstance: log,
    // `registerCommon` logs one line per request, without tokens.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy ?? false,
    bodyLimit: config.bodyLimit,
    ...TIMEOUTS,
    // Requests during shutdown are still served; `registerCommon` closes their connections with a header.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
  };
}

// Milliseconds: 10 s for the headers, 30 s for the whole request. Node checks for late requests once per interval, so a
// request can take one interval longer than its timeout.
const INTERVAL = 1000;
const TIMEOUTS = {
  requestTimeout: 30_000 - INTERVAL,
  http: { headersTimeout: 10_000 - INTERVAL, connectionsCheckingInterval: INTERVAL },
};

// Milliseconds between the start of a shutdown and closing the server, during which every response closes its connection.
const DRAIN = 200;

/** Adds what every request needs: a request id, a log line, metrics, an error handler and graceful shutdown. */
export function registerCommon(http: FastifyInstance, config: Config, metrics: Metrics): void {
  http.server.maxConnections = config.maxConnections;
  // At the connection limit, idle connections make room for new ones.
  http.server.on('drop', () => http.server.closeIdleConnections());
  leaveBodiesUnread(http);
  let closing = false;
  http.addHook('preClose', async () => {
    closing = true;
    // Clients may have sent requests that are not read yet. Their connections look idle and would be reset.
    await setTimeout(DRAIN);
  });
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  // On send, so that responses to requests in flight close their connections, too.
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
  // For errors outside GraphQL and REST. Fastify's default handler would reveal the message of an unexpected error.
  http.setErrorHandler((error: FastifyError, request, reply) => {
    if ((error.statusCode ?? 500) < 500) return reply.send(error);
    request.log.error({ err: error }, 'request failed unexpectedly');
    return reply.code(500).type('text/plain; charset=utf-8').send('Internal server error\n');
  });
  const logsRequests = config.logLevel === 'debug' || config.logLevel === 'trace';
  http.addHook('onResponse', (request, reply, done) => {
    // The duration of an event stream says nothing about performance.
    const isStream = request.headers.accept?.includes('text/event-stream') === true;
    if (!isStream) metrics.observe(request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000);
    if (logsRequests) {
      const { method, url } = request;
      const [status, ms] = [reply.statusCode, Math.round(reply.elapsedTime)];
      request.log.debug({ method, url: withoutSecrets(url), status, ms }, 'request completed');
    }
    done();
  });
}
