import { once as emitted } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Webhook } from 'standardwebhooks';

import { eventually } from './eventually';

/** A message that a receiver got. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
  /** The text that was signed. */
  readonly body: string;
}

/** Responds to a message. The default is 204. */
export type Respond = (message: Received, response: ServerResponse) => void;

/** A receiver of webhooks on this host. It accepts only messages whose signature is right. */
export interface Receiver {
  readonly url: string;
  /** The messages that were accepted, in the order of arrival. */
  readonly accepted: Received[];
  /** The number of requests, including those that were not accepted. */
  requests(): number;
  /** Sets the secret that verifies the messages. */
  trust(secret: string): void;
  /** Sets how to respond; a message that is not answered with 2xx is not accepted. */
  respond(how: Respond | undefined): void;
  /** Refuses connections until `start`, on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a receiver. `close` it with `stop`. */
export async function startReceiver(): Promise<Receiver> {
  const accepted: Received[] = [];
  let verifier: Webhook | undefined;
  let how: Respond | undefined;
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      try {
        verifier?.verify(body, request.headers as Record<string, string>);
      } catch {
        response.writeHead(401).end();
        return;
      }
      const { type, data } = JSON.parse(body) as Pick<Received, 'type' | 'data'>;
      const message = { id: String(request.headers['webhook-id']), type, data, headers: request.headers, body };
      response.on('finish', () => {
        if (response.statusCode < 300) accepted.push(message);
      });
      if (how) how(message, response);
      else response.writeHead(204).end();
    });
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await emitted(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${String(port)}/hook`,
    accepted,
    requests: () => requests,
    trust: (secret) => (verifier = new Webhook(secret)),
    respond: (next) => (how = next),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
    // A connection of another test may have the port for a while.
    start: () => eventually(30, () => listen(port)),
  };
}

/** The messages without those that were received before, which have the same id. */
export function once(messages: readonly Received[]): readonly Received[] {
  return [...new Map(messages.map((message) => [message.id, message])).values()];
}
