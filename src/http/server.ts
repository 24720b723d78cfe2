import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyServerOptions,
} from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';

import type { Config } from '../config/config';
import { DomainError, InvalidInputError, shorten } from '../errors';
import { networkOf, type TrustedProxies } from '../limits/addresses';
import { withoutSecrets } from '../log';
import type { Metrics } from '../monitoring/metrics';
import { acceptFirst } from './accept-first';
import { retryHeaders, retryOf } from './headers';
import { closeAfterIgnoredUpgrade } from './ignored-upgrade';
import { closeIdle, oneAfterAnother } from './pipelining';
import { newRequestId } from './request-id';
import { BoundedRequest } from './short-pieces';
import { leaveBodiesUnread } from './unread-bodies';

/** Files reserved for the database, the log and reader processes. */
const RESERVE = 200;
/** Files per connection: its socket, and the file that it downloads, if any. */
const PER_CONNECTION = 2;

/**
 * How many connections the process's soft limit of open files allows (proc_pid_limits(5)); Infinity if the system does not report the
 * limit.
 */
function affordableConnections(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity;
    return Math.max(1, Math.floor((Number(limit) - RESERVE) / PER_CONNECTION));
  } catch {
    return Infinity;
  }
}

const TEXT = 'text/plain; charset=utf-8';

/** The options of the Fastify instance. */
export function httpOptions(config: Config, log: Logger): FastifyServerOptions & { loggerInstance: FastifyBaseLogger } {
  return {
    loggerInstance: log,
    // `registerCommon` logs one line per request, without tokens.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => newRequestId(),
    trustProxy: config.trustProxy ?? false,
    bodyLimit: config.bodyLimit,
    serverFactory: (handle) => {
      const server = createServer({ ...CHECKS, IncomingMessage: BoundedRequest });
      server.on('request', closeAfterIgnoredUpgrade);
      server.on('request', closeAfterOldChunks);
      server.on('request', oneAfterAnother(server, acceptFirst(server, handle)));
      return Object.assign(server, TIMEOUTS, HEADERS);
    },
    // Requests during shutdown are still served (drain.ts).
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 200 },
  };
}

// Node checks for late requests once per interval (milliseconds), so a request can take one interval longer than its
// timeout.
const INTERVAL = 1000;
const CHECKS = { connectionsCheckingInterval: INTERVAL };
// Milliseconds for receiving the headers, receiving the whole request, and waiting for the next request on an idle
// connection. `timeout` closes a connection without traffic, such as that of a client that does not read its response.
const TIMEOUTS = {
  headersTimeout: 10_000 - INTERVAL,
  requestTimeout: 30_000 - INTERVAL,
  keepAliveTimeout: 72_000,
  timeout: 60_000,
};

// No limit but the size of all headers, 16 KiB by default: Node drops headers beyond the count without an error, and
// what is left no longer says how long the body is.
const HEADERS = { maxHeadersCount: 0 };

function connectionLimits({ maxConnections, maxConnectionsPerNetwork, trustProxy }: Config, log: FastifyBaseLogger) {
  const affordable = affordableConnections();
  const total = Math.min(maxConnections, affordable);
  if (affordable < maxConnections) {
    log.warn(
      { maxConnections, lowered: total },
      'MAX_CONNECTIONS is lowered: the limit of open files is too low for it',
    );
  }
  return { total, perNetwork: maxConnectionsPerNetwork ?? Math.ceil(total / 2), trustProxy };
}

/** Adds what all routes need: connection limits, request ids, log lines, metrics and an error handler. */
export function registerCommon(http: FastifyInstance, config: Config, metrics: Metrics): void {
  limitConnections(http.server, connectionLimits(config, http.log));
  leaveBodiesUnread(http);
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done(faultOfHost(request.raw));
  });
  // For errors outside GraphQL and REST. Fastify's default handler would reveal the message of an unexpected error.
  http.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof DomainError) {
      const { status, message } = error;
      return reply
        .code(status)
        .headers(retryHeaders(retryOf(error)))
        .type(TEXT)
        .send(`${message}\n`);
    }
    if ((error.statusCode ?? 500) < 500) return reply.send(error);
    request.log.error({ err: error }, 'request failed unexpectedly');
    return reply.code(500).type(TEXT).send('Internal server error\n');
  });
  const logsRequests = config.logLevel === 'debug' || config.logLevel === 'trace';
  http.addHook('onResponse', (request, reply, done) => {
    // The duration of an event stream says nothing about performance.
    const isStream = request.headers.accept?.includes('text/event-stream') === true;
    if (!isStream) metrics.observe(request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000);
    if (logsRequests) {
      const { method, url } = request;
      const [status, ms] = [reply.statusCode, Math.round(reply.elapsedTime)];
      request.log.debug({ method, url: shorten(withoutSecrets(url)), status, ms }, 'request completed');
    }
    done();
  });
}

/** The limits of open connections. */
interface ConnectionLimits {
  readonly total: number;
  /** The limit for one network, as `networkOf` defines it. */
  readonly perNetwork: number;
  /** Trusted proxies. Their connections serve many clients, so only `total` applies to them. */
  readonly trustProxy: TrustedProxies | undefined;
}

/**
 * Closes each new connection that exceeds a limit. Connections from this host and from trusted proxies count only
 * towards `total`.
 */
export function limitConnections(server: Server, { total, perNetwork, trustProxy }: ConnectionLimits): void {
  server.maxConnections = total;
  // At the limit, closes idle connections to make room for new ones.
  server.on('drop', () => closeIdle(server));
  const open = new Map<string, number>();
  const counted = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || counted.has(socket) || isLoopback(address) || trustProxy?.(address, 0)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= perNetwork) {
      socket.destroy();
      return;
    }
    counted.add(socket);
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/**
 * Announces that the connection will be closed, in the response to a request of HTTP/1.0 in chunks: a proxy that does not know them
 * may have taken its body for another length, and what follows for the body of another request (RFC 9112, section 6.1).
 */
function closeAfterOldChunks({ httpVersion, headers }: IncomingMessage, response: ServerResponse): void {
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) response.shouldKeepAlive = false;
}

/** A host and a port (RFC 9110, section 7.2); both may be missing. */
const HOST = /^(?:\[[\w:.~%-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** Why a request is refused because of its host, if it is (RFC 9112, section 3.2). */
function faultOfHost(request: IncomingMessage): InvalidInputError | undefined {
  if (hasTwoHosts(request)) return InvalidInputError.of('Host', 'is sent more than once');
  return HOST.test(request.headers.host ?? '') ? undefined : InvalidInputError.of('Host', 'is not a host');
}

/** Such a request is refused: a proxy may have routed it by the other host. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return hosts > 1;
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
