import type { ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, OperationTypeNode, getOperationAST, type ExecutionResult } from 'graphql';

import type { Context } from '../context';
import type { OperationRunner, Request } from './operations';
import { failureError } from './present-error';
import type { Sessions } from './sessions';
import type { Connection } from './sockets';

/** What event streams need of the graph. */
export interface EventStreamOptions {
  readonly runner: OperationRunner;
  readonly sessions: Sessions;
  readonly tokenOf: (request: FastifyRequest) => string | undefined;
  readonly contextOf: (request: FastifyRequest, connection: Connection) => Promise<Context>;
}

// Milliseconds: proxies end a connection on which nothing happens.
const PING = 12_000;
// Milliseconds in which a stream that ends may still be read.
const LAST_WORDS = 1000;

/** Whether the answer is to be a stream of events: some clients take it for everything, and JSON as well. */
export function wantsEvents(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '';
  if (!accept.includes('text/event-stream')) return false;
  return !accept.includes('json') || /\bsubscription\b/.test(requestOf(request)?.query ?? '');
}

/** Answers with event streams, and ends those that would not end by themselves. */
export interface EventStreams {
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Breaks subscriptions off: one that was told to be complete would not come back. */
  readonly end: () => void;
}

/**
 * Answers with server-sent events: the protocol of graphql-sse, a connection for each operation. That library's own server
 * keeps what a client does not take; here the next event is asked for when the last one was taken.
 */
export function eventStreams(options: EventStreamOptions): EventStreams {
  const subscribed = new Set<ServerResponse>();
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>), // what hooks have set
      ...{ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store, no-transform' },
      ...{ connection: 'keep-alive', 'x-accel-buffering': 'no' },
    });
    raw.write(':\n\n');
    const ping = setInterval(() => raw.writableNeedDrain || raw.write(':\n\n'), PING).unref();
    const { ended, leave } = options.sessions.begin(options.tokenOf(request) ?? '');
    // One who takes nothing would not take what is said last, either.
    ended.addEventListener('abort', () => setTimeout(() => raw.destroy(), LAST_WORDS).unref());
    raw.once('close', () => {
      clearInterval(ping);
      subscribed.delete(raw);
      leave();
    });
    for await (const result of resultsOf(request, raw, ended, subscribed, options)) {
      if (!raw.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`)) await taken(raw);
    }
    raw.end('event: complete\ndata:\n\n');
  };
  return {
    answer,
    end: () => {
      for (const raw of subscribed) raw.destroy();
    },
  };
}

/** Waits until the reader has taken what was written, or has left. */
function taken(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off('drain', done).off('close', done);
      resolve();
    };
    if (raw.destroyed) resolve();
    else raw.on('drain', done).on('close', done);
  });
}

async function* resultsOf(
  request: FastifyRequest,
  raw: ServerResponse,
  ended: AbortSignal,
  subscribed: Set<ServerResponse>,
  { runner, tokenOf, contextOf }: EventStreamOptions,
): AsyncGenerator<ExecutionResult, void> {
  try {
    const connection = { token: tokenOf(request), ended, cut: () => raw.destroy() };
    const asked = requestOf(request);
    const prepared = asked
      ? runner.prepare(asked, held(await contextOf(request, connection), raw))
      : [badRequest('query: has to be a text, and variables an object')];
    if ('length' in prepared) {
      yield { errors: prepared };
      return;
    }
    const operation = getOperationAST(prepared.document, prepared.operationName)?.operation;
    if (operation === OperationTypeNode.MUTATION && request.method === 'GET') {
      yield { errors: [badRequest('A mutation has to be sent with POST')] };
      return;
    }
    const isSubscription = operation === OperationTypeNode.SUBSCRIPTION;
    const begun = await (isSubscription ? runner.subscribe(prepared) : runner.execute(prepared));
    if (!('next' in begun)) {
      yield begun;
      return;
    }
    // A generator's own end would wait for an event that may never come.
    raw.once('close', () => void begun.return?.());
    // Whoever left meanwhile has been closed already.
    if (raw.destroyed) await begun.return?.();
    else subscribed.add(raw);
    yield* begun;
  } catch (error) {
    yield { errors: [failureError(error, request.id, request.log as never)] };
  }
}

/** A stream counts among its user's connections until it is closed; throws RateLimitedError. */
function held(context: Context, raw: ServerResponse): Context {
  if (!context.isSignedIn) return context;
  const leave = context.session.hold('connections');
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return context;
}

/** Of a body, or of a query string (GraphQL over HTTP, `GET`). */
function requestOf({ method, body, query: search }: FastifyRequest): Request | undefined {
  const { query, operationName, variables } = (method === 'GET' ? search : (body ?? {})) as Record<string, unknown>;
  if (typeof query !== 'string') return undefined;
  const values = typeof variables === 'string' ? parsed(variables) : (variables ?? {});
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined;
  return {
    query,
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: values as Record<string, unknown>,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', status: 400 } });
}
