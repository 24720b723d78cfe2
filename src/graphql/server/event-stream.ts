import type { ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, getOperationAST, type ExecutionResult } from 'graphql';

import { UnavailableError } from '../../errors';
import type { ClientConnection, Context } from '../context';
import type { Documents } from './documents';
import { documentIn, operationIn } from './operation-request';
import { presentThrown, refusal } from './present-error';
import { chargeResponse } from './response-size';
import type { TokenWatch } from './token-watch';

/** The dependencies of event streams. */
export interface EventStreamOptions {
  readonly documents: Documents;
  readonly tokens: TokenWatch;
  readonly tokenOf: (request: FastifyRequest) => string | undefined;
  readonly contextOf: (request: FastifyRequest, connection: ClientConnection) => Promise<Context>;
}

/** Milliseconds between comments, which keep proxies from closing an idle connection. */
const PING = 12_000;
/** Milliseconds that a client has for reading the end of a stream. */
const CLOSING = 1000;

/**
 * Whether the response is an event stream. Some clients accept JSON as well, and use a stream only for subscriptions.
 */
export function wantsEvents(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '';
  if (!accept.includes('text/event-stream')) return false;
  return !accept.includes('json') || /\bsubscription\b/.test(documentIn(request));
}

/** Responds with event streams. */
export interface EventStreams {
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Terminates the connections of subscriptions. Clients then reconnect, unlike after a `complete` event. */
  readonly end: () => void;
}

/**
 * Server-sent events with the protocol of graphql-sse, in its "distinct connections" mode. The server of that library
 * buffers events that a client does not read. This server requests the next event only after the client has read the
 * last one.
 */
export function eventStreams(options: EventStreamOptions): EventStreams {
  const subscribed = new Set<ServerResponse>();
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack();
    const { raw } = reply;
    // The client left while its token was checked: there will be no other `close`.
    if (raw.destroyed) return;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>), // set by hooks
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    raw.write(':\n\n');
    const ping = setInterval(() => raw.writableNeedDrain || raw.write(':\n\n'), PING).unref();
    const { ended, use, leave } = options.tokens.begin(options.tokenOf(request) ?? '');
    ended.addEventListener('abort', () => {
      // Without a database, the client should connect to another process, which it does only without a `complete`
      // event.
      if (ended.reason instanceof UnavailableError) raw.destroy();
      // A client that does not read would otherwise keep the connection open.
      else setTimeout(() => raw.destroy(), CLOSING).unref();
    });
    // What is written to a connection that has just broken.
    raw.on('error', () => raw.destroy());
    raw.once('close', () => {
      clearInterval(ping);
      subscribed.delete(raw);
      leave();
    });
    let payer: Context | undefined;
    const contextOf: EventStreamOptions['contextOf'] = async (...args) => {
      payer = await options.contextOf(...args);
      if (payer.isSignedIn) use(payer.session.viewer.role);
      return payer;
    };
    for await (const result of resultsOf(request, raw, ended, subscribed, { ...options, contextOf })) {
      const text = JSON.stringify(result);
      if (!raw.write(`event: next\ndata: ${chargeResponse(text, payer) ?? text}\n\n`)) await drain(raw);
    }
    // The response closes only when the client has read it.
    clearInterval(ping);
    raw.end('event: complete\ndata:\n\n');
  };
  return {
    answer,
    end: () => {
      for (const raw of subscribed) raw.destroy();
    },
  };
}

/** Waits until the client has read what was written, or has disconnected. */
function drain(raw: ServerResponse): Promise<void> {
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
  { documents, tokenOf, contextOf }: EventStreamOptions,
): AsyncGenerator<ExecutionResult, void> {
  try {
    const connection = { token: tokenOf(request), ended, cut: () => raw.destroy() };
    const operation = operationIn(request);
    if (!operation) throw refusal('query must be a string, and variables an object', 'BAD_USER_INPUT');
    const prepared = documents.prepare(operation, count(await contextOf(request, connection), raw));
    if ('errors' in prepared) {
      yield prepared;
      return;
    }
    const type = getOperationAST(prepared.document, prepared.operationName)?.operation;
    if (type === OperationTypeNode.MUTATION && request.method !== 'POST')
      throw refusal('A mutation must be sent with POST', 'BAD_USER_INPUT');
    const isSubscription = type === OperationTypeNode.SUBSCRIPTION;
    const results = await (isSubscription ? documents.subscribe(prepared) : documents.execute(prepared));
    if (!('next' in results)) {
      yield results;
      return;
    }
    // The generator's own `return` would wait for a pending event, which may never come.
    raw.once('close', () => void results.return?.());
    // The client may have disconnected in the meantime.
    if (raw.destroyed) await results.return?.();
    else subscribed.add(raw);
    yield* results;
  } catch (error) {
    yield { errors: [presentThrown(error, { requestId: request.id, log: request.log as never })] };
  }
}

/** Counts a stream as one of its user's connections until it is closed. Throws RateLimitedError. */
function count(context: Context, raw: ServerResponse): Context {
  if (!context.isSignedIn) return context;
  const leave = context.session.hold('connections');
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return context;
}
