import cors from '@fastify/cors';
import type { FastifyError, FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';

import type { Caller } from '../auth/caller';
import { NotSupportedError, UnauthenticatedError } from '../errors';
import {
  bearerToken,
  consistencyTokenIn,
  EXPOSED_HEADERS,
  idempotencyKeyIn,
  restCaller,
  sendConsistencyToken,
} from '../http/headers';
import { closeWithResponse } from '../http/request-permit';
import { withoutBody } from '../http/unread-bodies';
import { LARGE } from '../limits/admission';
import { CHARACTERS_PER_OBJECT } from '../limits/budgets';
import type { TransportAccess } from '../session/access';
import type { Session } from '../session/session';
import { acceptBodies } from './bodies';
import { success, type Payload } from './envelope';
import { answerNotFound, send, sendFailure } from './failures';
import type { Operation } from './operation';
import { operations } from './operations';
import type { RestOptions } from './options';
import type { FailureContext } from './profile';
import { first, type Query } from './query-parameters';

declare module 'fastify' {
  /** The options on which the envelope of a route depends. */
  interface FastifyContextConfig {
    readonly numericStatus?: FailureContext['numericStatus'];
    readonly bare?: FailureContext['bare'];
    readonly document?: FailureContext['document'];
  }

  interface FastifyRequest {
    /** The session of a REST request with a valid token. */
    session: Session | undefined;
  }
}

/** Paths of Routr v1 that are not supported: 405 (docs/legacy-clients.md, "System"). */
const UNSUPPORTED = ['/system/status/:status'];

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Serves the legacy API below the prefix of the instance. Pages of `origins` may send the Authorization header. */
export async function registerRest(
  http: FastifyInstance,
  transport: TransportAccess,
  options: RestOptions,
  origins: readonly string[],
): Promise<void> {
  const all = operations(options);
  http.decorateRequest('session', undefined);
  acceptBodies(http, ({ session }, objects) => session?.spend(objects));
  await allowOrigins(http, origins);
  // Responses contain tokens and secrets.
  http.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
  http.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string') request.session?.owe(Math.floor(payload.length / CHARACTERS_PER_OBJECT));
    done(null, payload);
  });
  for (const operation of all) {
    http.route({
      method: operation.method,
      url: operation.path,
      config: {
        numericStatus: operation.numericStatus,
        bare: operation.access === 'basic' && operation.bare === true,
        document: operation.body !== undefined,
      },
      // Runs before the body is read.
      onRequest: async (request, reply) => {
        if (operation.access !== 'token') return;
        const session = await transport.access.enter(callerOf(request));
        closeWithResponse(session.permit, request, reply);
        // Rejects callers who may not write, before their body is read.
        if (operation.method !== 'GET') session.assertWriter();
        request.session = session;
      },
      handler: async (request, reply) => {
        if (operation.access === 'basic' && operation.bare) {
          const { data } = operation.handle(await signIn(transport, request));
          return reply.type('text/plain; charset=utf-8').send(data);
        }
        const work = (): Promise<Payload> => perform(operation, transport, request, options);
        const name = `${operation.method} ${operation.path}`;
        const payload = await (request.span?.operation(name, work) ?? work());
        sendConsistencyToken(reply, request.session?.read.consistency);
        return send(reply, success(payload, operation.numericStatus));
      },
    });
  }
  const refused = UNSUPPORTED.map((path) => [path, true, []] as const);
  for (const [url, numericStatus, allowed] of [...paths(all), ...refused]) {
    http.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url,
      config: { numericStatus },
      ...withoutBody(async (request, reply) => {
        const open = all.some(({ path, access }) => path === url && access !== 'token');
        if (!open) await transport.access.open(callerOf(request));
        reply.header('allow', [...allowed, 'OPTIONS'].join(', '));
        throw new NotSupportedError(`${request.method} is not supported here`);
      }),
    });
  }
  http.setNotFoundHandler(answerNotFound(options));
  http.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerNotFound(options)(request, reply);
    else done();
  });
  http.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply, options));
}

async function perform(
  operation: Operation,
  transport: TransportAccess,
  request: FastifyRequest,
  { maxItemsPerPage }: RestOptions,
): Promise<Payload> {
  if (operation.access === 'open') return operation.handle();
  if (operation.access === 'basic') return operation.handle(await signIn(transport, request));
  const { session } = request;
  if (!session) throw new UnauthenticatedError();
  const { permit } = session;
  await session.resume();
  const query = request.query as Query;
  const items = Number(first(query, 'itemsPerPage'));
  if (items >= LARGE) await permit.enlarge(Math.min(items, maxItemsPerPage));
  const params = request.params as Record<string, string>;
  const call = { params, query, body: request.body, idempotencyKey: idempotencyKeyIn(request) };
  const { consistency } = session.read;
  const isRead = operation.method === 'GET';
  return permit.within(async () => {
    if (consistency) await (isRead ? consistency.beforeReads(consistencyTokenIn(request)) : consistency.beforeWrites());
    return operation.handle(call, session);
  });
}

/** The sender, with the token in the query, where legacy clients send it, or in the Authorization header. */
function callerOf(request: FastifyRequest): Caller {
  return restCaller(request, first(request.query as Query, 'token') || bearerToken(request.headers.authorization));
}

/** Signs in with Basic credentials (RFC 7617). The secret may contain colons, but the name may not. */
function signIn({ access, authenticator }: TransportAccess, request: FastifyRequest) {
  access.admit(callerOf(request));
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const [, username, secret] = /^([^:]*):([^]*)$/.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (username === undefined || secret === undefined) throw new UnauthenticatedError();
  return authenticator.signIn(username, secret, callerOf(request));
}

function paths(all: readonly Operation[]): readonly (readonly [string, boolean, readonly string[]])[] {
  return [...new Set(all.map(({ path }) => path))].map((path) => {
    const here = all.filter((operation) => operation.path === path);
    const methods = here.map(({ method }) => method);
    const numericStatus = here.some((operation) => operation.numericStatus);
    return [path, numericStatus, methods.includes('GET') ? ['GET', 'HEAD', ...methods.slice(1)] : methods] as const;
  });
}

/**
 * Lets pages of any origin use the API with a token in the query, as legacy consoles do (docs/legacy-clients.md,
 * "Requests"). Only pages of the listed origins may send the Authorization header; `*` is any origin.
 */
async function allowOrigins(http: FastifyInstance, origins: readonly string[]): Promise<void> {
  const isListed = ({ headers }: FastifyRequest): boolean =>
    origins.includes('*') || origins.includes(headers.origin ?? '');

  const mayAnswer = (request: FastifyRequest): boolean =>
    request.headers.authorization === undefined || isListed(request);

  // The plugin merges its options for each request, so it handles only preflights. Other responses need only the
  // headers that are set here.
  http.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') {
      reply.header('vary', 'Origin');
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
      if (mayAnswer(request)) reply.header('access-control-allow-origin', '*');
    }
    done();
  });
  await http.register(async (preflights) => {
    await preflights.register(cors, {
      delegator: (request, callback) => {
        const { 'access-control-request-method': method = '', 'access-control-request-headers': headers = '' } =
          request.headers;
        callback(null, {
          origin: mayAnswer(request) ? '*' : false,
          methods: method,
          allowedHeaders: headers
            .split(',')
            .filter((name) => isListed(request) || !/^\s*authorization\s*$/i.test(name))
            .join(','),
          maxAge: 600,
          strictPreflight: false,
        });
      },
    });
  });
}
