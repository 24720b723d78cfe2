import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import cors from '@fastify/cors';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLSchema } from 'graphql';

import { DomainError, InvalidInputError } from '../../errors';
import { bearerToken } from '../../http/bearer-token';
import { wantsPage } from '../../http/pages';
import { retryHeaders } from '../../http/retry-headers';
import type { Entrance } from '../../services';
import { admitRequests, documentIn } from './admission';
import { startApollo } from './apollo';
import { createContext, type Caller, type Context } from '../context';
import { eventStreams, wantsEvents } from './event-stream';
import { parseAtCost } from './document-work';
import { DocumentExecutor } from './executor';
import { SchemaAnswers } from './introspection';
import { KnownDocuments } from './known-documents';
import { OperationRunner } from './operations';
import { failureError, lateStatus, presentFailure } from './present-error';
import { Sessions } from './sessions';
import { acceptSockets } from './sockets';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What a deployment decides about the graph. */
export interface GraphqlOptions {
  readonly schema: GraphQLSchema;
  /** What a browser that comes to /graphql is shown. */
  readonly page: string | undefined;
  /** Origins whose pages may use the graph; `*` is any. */
  readonly origins: readonly string[];
  /** Whether documents may ask for the schema. */
  readonly discovery: boolean;
  /** Bytes of a message over a socket. */
  readonly maxPayload: number;
  /** Tells the caller's address of a request that Fastify does not see. */
  readonly addressOf: (request: IncomingMessage) => string;
}

/** Serves the graph at /graphql. */
export async function registerGraphql(
  http: FastifyInstance,
  entrance: Entrance,
  { schema, page, origins, maxPayload, addressOf, discovery }: GraphqlOptions,
): Promise<void> {
  if (origins.length > 0) {
    await http.register(cors, { origin: origins.includes('*') ? '*' : [...origins], methods: ['GET', 'POST'] });
  }
  const executor = new DocumentExecutor(schema);
  const documents = new KnownDocuments();
  const answers = new SchemaAnswers();
  const apollo = await startApollo(schema, executor, documents, discovery, http.log as Caller['log']);
  const contextOf = (request: FastifyRequest): Promise<Context> => createContext(entrance, callerOf(request));
  // A browser that comes for the page has no token.
  http.addHook('onRequest', async (request, reply) => {
    if (page !== undefined && wantsPage(request)) await reply.redirect(page);
  });
  const admitted = admitRequests(http, contextOf);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('application/json', { parseAs: 'string' }, http.getDefaultJsonParser('error', 'error'));
  const throughApollo = fastifyApolloHandler(apollo, { context: (request) => Promise.resolve(admitted(request)) });

  const runner = new OperationRunner(schema, executor, discovery);
  const sessions = new Sessions(entrance.authenticator);
  const log = http.log as Caller['log'];
  const endSockets = acceptSockets(http.server, {
    ...{ runner, sessions, maxPayload },
    contextOf: (request, connection) =>
      createContext(entrance, { ...connection, address: addressOf(request), requestId: randomUUID(), log }),
    admit: (request) =>
      entrance.access.admit({ token: undefined, address: addressOf(request), requestId: randomUUID() }),
    present: (failure) => failureError(failure, randomUUID(), log),
  });
  const streams = eventStreams({
    ...{ runner, sessions },
    tokenOf: ({ headers }) => bearerToken(headers.authorization),
    contextOf: (request, connection) => createContext(entrance, { ...callerOf(request), ...connection }),
  });

  http.addHook('preClose', (done) => {
    endSockets();
    streams.end();
    done();
  });
  http.addHook('onClose', () => apollo.stop());
  http.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply));
  http.route({
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/graphql',
    handler: async (request, reply) => {
      if (wantsEvents(request)) return streams.answer(request, reply);
      reply.header('cache-control', 'no-store');
      const known = knownRequest(request);
      const schemaKey = known && answers.keyOf(known);
      const answer = schemaKey === undefined ? undefined : answers.find(schemaKey, request, reply);
      if (answer) return reply.header('content-type', JSON_TYPE).send(answer);
      const result =
        known && (await executor.executeKnown(known.query, known.operationName, known.variables, admitted(request)));
      if (!result) {
        const refused = refusedAtCost(documentIn(request), documents, admitted(request));
        if (refused)
          return reply
            .code(400)
            .header('content-type', JSON_TYPE)
            .send(JSON.stringify({ errors: [refused] }));
        const body: unknown = await throughApollo.call(http, request, reply);
        if (schemaKey !== undefined && typeof body === 'string' && reply.statusCode === 200)
          await answers.keep(schemaKey, body);
        return typeof body === 'string' ? send(request, reply, body) : body;
      }
      const late = lateStatus(result.errors);
      if (late) reply.code(late.status).headers(late.headers);
      return send(request, reply.header('content-type', JSON_TYPE), JSON.stringify(result));
    },
  });
}

/** Charges for a document that has to be validated; gives the error of one that takes too long. Throws RateLimitedError. */
function refusedAtCost(text: string, documents: KnownDocuments, context: Context): GraphQLError | undefined {
  if (text === '' || documents.has(text)) return undefined;
  try {
    parseAtCost(text, (work) => context.spend(work));
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    // What does not parse is told by Apollo.
    return error.extensions['code'] === undefined ? undefined : error;
  }
  return undefined;
}

/** Compresses all but the answers of mutations, which may hold a token (see http/compression.ts). */
function send({ method, body }: FastifyRequest, reply: FastifyReply, answer: string): FastifyReply {
  // Mutations are refused over GET.
  const query: unknown = isRecord(body) ? body['query'] : undefined;
  const holdsNoSecret = method === 'GET' || (typeof query === 'string' && !/\bmutation\b/.test(query));
  if (!holdsNoSecret) return reply.send(answer);
  reply.compress(answer);
  return reply;
}

interface KnownRequest {
  readonly query: string;
  readonly operationName: string | null | undefined;
  readonly variables: Record<string, unknown>;
}

/** A plain request, as nearly all are; whatever is unusual about one is left to Apollo. */
function knownRequest({ method, headers, body }: FastifyRequest): KnownRequest | undefined {
  const accepts = headers.accept ?? '*/*';
  if (method !== 'POST' || !(accepts.startsWith('*/*') || accepts.startsWith('application/json'))) return undefined;
  if (!isRecord(body) || 'extensions' in body) return undefined;
  const { query, operationName, variables = {} } = body;
  if (typeof query !== 'string' || !isRecord(variables)) return undefined;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined;
  return { query, operationName, variables };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function callerOf(request: FastifyRequest): Caller {
  return {
    token: bearerToken(request.headers.authorization),
    address: request.ip,
    requestId: request.id,
    log: request.log as Caller['log'],
  };
}

/** A failure before a document ran: a body that is not JSON, or the database away. */
function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error.statusCode ?? 500;
  const failure = error instanceof DomainError || status >= 500 ? error : InvalidInputError.of('body', error.message);
  const { message, extensions } = presentFailure(failure, request.id, request.log as Caller['log']);
  return reply
    .code(error instanceof DomainError ? error.status : Math.min(status, 500))
    .headers(retryHeaders(extensions))
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify({ errors: [{ message, extensions }] }));
}
