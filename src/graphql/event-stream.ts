import { once } from 'node:events';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, getOperationAST, type ExecutionResult } from 'graphql';
import { createHandler } from 'graphql-sse/lib/use/fastify';

import type { Context } from './context';
import type { OperationRunner } from './operations';
import type { Sessions } from './sessions';
import type { Connection } from './sockets';

/** What event streams need of the graph. */
export interface EventStreamOptions {
  readonly runner: OperationRunner;
  readonly sessions: Sessions;
  readonly tokenOf: (request: FastifyRequest) => string | undefined;
  readonly contextOf: (request: FastifyRequest, connection: Connection) => Promise<Context>;
}

// Bytes that may wait for a client; beyond, nothing more is asked of the subscription, which then notices.
const WAITING = 64 * 1024;

/** Whether the answer is to be a stream of events. */
export function wantsEvents({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/event-stream') === true;
}

/** Answers with server-sent events: the protocol of graphql-sse, a connection for each operation. */
export function eventStreams({
  runner,
  sessions,
  tokenOf,
  contextOf,
}: EventStreamOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const handle = createHandler({
    onSubscribe: async ({ raw, method, context: { reply } }, { query, operationName, variables }) => {
      const token = tokenOf(raw);
      const { ended, leave } = sessions.begin(token ?? '');
      reply.raw.once('close', leave);
      const context = await contextOf(raw, { token, ended, cut: () => raw.raw.destroy() });
      const prepared = runner.prepare({ query, operationName, variables }, context);
      if ('length' in prepared) return only({ errors: prepared });
      const operation = getOperationAST(prepared.document, prepared.operationName)?.operation;
      if (operation === OperationTypeNode.SUBSCRIPTION) {
        const begun = await runner.subscribe(prepared);
        return 'next' in begun ? begun : only(begun);
      }
      if (operation === OperationTypeNode.MUTATION && method === 'GET') {
        return [null, { status: 405, statusText: 'Method Not Allowed', headers: { allow: 'POST' } }];
      }
      return runner.execute(prepared);
    },
    onNext: async (_context, { context: { reply } }) => {
      const { raw } = reply;
      if (raw.writableLength > WAITING) await Promise.race([once(raw, 'drain'), once(raw, 'close')]);
    },
  });
  return async (request, reply) => {
    reply.hijack();
    request.raw.socket.setKeepAlive(true, 30_000);
    await handle(request, reply);
  };
}

/** An event of its own: errors outside a stream would be HTTP's 400, whose body EventSource cannot read. */
async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult, void> {
  yield await Promise.resolve(result);
}
