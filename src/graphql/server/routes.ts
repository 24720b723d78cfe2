import type { IncomingMessage } from 'node:http';

import cors from '@fastify/cors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';

import { DomainError, InvalidInputError } from '../../errors';
import { isAbandoned } from '../../http/compression';
import { bearerToken, consistencyTokenIn, EXPOSED_HEADERS, idempotencyKeyIn, retryHeaders } from '../../http/headers';
import { acceptJson } from '../../http/json-bodies';
import { wantsPage } from '../../http/pages';
import { newRequestId } from '../../http/request-id';
import { cookieToken } from '../../http/session-cookie';
import type { TransportAccess } from '../../session/access';
import { createContext, type Caller } from '../context';
import { admitRequests } from './admission';
import { startApollo } from './apollo';
import { Documents } from './documents';
import { eventStreams, wantsEvents } from './event-stream';
import { httpHandler, typeFor } from './http-handler';
import { presentFailure, presentThrown } from './present-error';
import { acceptSockets } from './sockets';
import { TokenWatch } from './token-watch';

/** The configuration of the GraphQL server. */
export interface GraphqlOptions {
  readonly schema: GraphQLSchema;
  /** The page to which a browser at /graphql is redirected. */
  readonly page: string | undefined;
  /** Origins whose pages may send requests; `*` is any. */
  readonly origins: readonly string[];
  /** Whether the sessions of browsers are accepted. */
  readonly sessions: boolean;
  /** Whether introspection is allowed. */
  readonly discovery: boolean;
  /** Maximum number of bytes of a message over a WebSocket. */
  readonly maxPayload: number;
  /** Returns the caller's address, for requests that Fastify does not handle. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** Serves GraphQL at /graphql: over HTTP, as event streams, and over WebSockets. */
export async function registerGraphql(
  http: FastifyInstance,
  transport: TransportAccess,
  { schema, page, origins, maxPayload, addressOf, discovery, sessions }: GraphqlOptions,
): Promise<void> {
  if (origins.length > 0) {
    const origin = origins.includes('*') ? '*' : [...origins];
    await http.register(cors, { origin, methods: ['GET', 'POST'], exposedHeaders: EXPOSED_HEADERS, maxAge: 600 });
  }
  const log = http.log as Caller['log'];
  const documents = new Documents(schema, discovery);
  const apollo = await startApollo(schema, documents, log);
  // Before the token is checked, because a browser that opens the page has none.
  http.addHook('onRequest', (request, reply, done) => {
    if (page !== undefined && wantsPage(request)) reply.redirect(page);
    else done();
  });
  const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
    bearerToken(headers.authorization) ?? (sessions ? cookieToken(headers) : undefined);
  const admitted = admitRequests(http, (request) => createContext(transport, callerOf(request, tokenOf(request))));
  acceptJson(http, (request, bytes) => admitted(request).chargeBody(bytes));

  const tokens = new TokenWatch(transport.authenticator);
  const socketCaller = (request: IncomingMessage): Caller => ({
    token: undefined,
    address: addressOf(request),
    requestId: newRequestId(),
    channel: 'GRAPHQL',
    userAgent: request.headers['user-agent'],
    log,
  });
  const closeSockets = acceptSockets(http.server, {
    documents,
    tokens,
    maxPayload,
    cookieToken: sessions ? cookieToken : () => undefined,
    contextOf: (request, connection) => createContext(transport, { ...socketCaller(request), ...connection }),
    admit: (request) => transport.access.admit(socketCaller(request)),
    present: (failure) => presentThrown(failure, { requestId: newRequestId(), log }),
  });
  const streams = eventStreams({
    documents,
    tokens,
    tokenOf,
    contextOf: (request, connection) =>
      createContext(transport, { ...callerOf(request, connection.token), ...connection }, admitted(request).permit),
  });
  const answer = httpHandler(documents, apollo, admitted);

  http.addHook('preClose', (done) => {
    closeSockets();
    streams.end();
    done();
  });
  http.addHook('onClose', () => apollo.stop());
  http.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply));
  http.route({
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/graphql',
    handler: (request, reply) =>
      wantsEvents(request) ? streams.answer(request, reply) : answer.call(http, request, reply),
  });
}

/** The sender of an HTTP request with this token. */
export function callerOf(request: FastifyRequest, token: string | undefined): Caller {
  return {
    token,
    address: request.ip,
    requestId: request.id,
    idempotencyKey: idempotencyKeyIn(request),
    consistencyToken: consistencyTokenIn(request),
    channel: 'GRAPHQL',
    userAgent: request.headers['user-agent'],
    span: request.span,
    log: request.log as Caller['log'],
  };
}

/** Responds to a failure before an operation runs, such as a body that is not JSON or an unavailable database. */
export function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isAbandoned(error, request)) return reply.hijack();
  const status = error.statusCode ?? 500;
  const failure = error instanceof DomainError || status >= 500 ? error : InvalidInputError.of('body', error.message);
  const { message, extensions } = presentFailure(failure, callerOf(request, undefined));
  return reply
    .code(error instanceof DomainError ? error.status : Math.min(status, 500))
    .headers(retryHeaders(extensions))
    .header('content-type', typeFor(request))
    .send(JSON.stringify({ errors: [{ message, extensions }] }));
}
