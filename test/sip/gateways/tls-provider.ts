import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';

import { pemOf, type Certified } from '../certificates';
import { headersOf, lineOf, Phone } from '../phone';

/** A provider that waits for connections with TLS, and answers OPTIONS and REGISTER. It challenges each REGISTER once. */
export class TlsProvider {
  /** The first lines of all other requests, and of all requests with credentials. */
  readonly heard: string[] = [];
  /** All requests but OPTIONS. */
  readonly requests: string[] = [];
  /** The names that clients asked for (RFC 6066, 3). */
  readonly serverNames: unknown[] = [];
  readonly sockets: TLSSocket[] = [];
  /** Handles INVITE and requests within calls; by default, a call is answered. */
  phone: Phone | undefined;

  private constructor(private readonly server: Server) {
    server.on('tlsClientError', () => undefined);
    server.on('secureConnection', (socket) => {
      this.sockets.push(socket);
      this.serverNames.push(socket.servername);
      const line = lineOf(socket);
      const phone = new Phone(line);
      this.phone = phone;
      phone.handle((message) => {
        this.hear(phone, message);
      });
    });
  }

  static async open(certified: Certified, host: string): Promise<TlsProvider> {
    const server = createServer(pemOf(certified)).listen(0, host);
    await once(server, 'listening');
    return new TlsProvider(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends all connections. */
  hangUp(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }

  close(): void {
    this.hangUp();
    this.server.close();
  }

  private hear(phone: Phone, message: string): void {
    const [first = ''] = message.split('\r\n', 1);
    if (first.startsWith('SIP/2.0')) return;
    if (first.startsWith('OPTIONS')) {
      phone.answers(message, '200 OK', 'p');
      return;
    }
    this.requests.push(message);
    const hasDigest = /^(Proxy-)?Authorization:/im.test(message);
    this.heard.push(hasDigest ? `${first} with a digest` : first);
    if (first.startsWith('REGISTER'))
      phone.answers(message, hasDigest ? '200 OK' : '401 Unauthorized', 'p', hasDigest ? contacts(message) : CHALLENGE);
    else if (first.startsWith('INVITE') && !hasDigest) phone.answers(message, '401 Unauthorized', 'p', CHALLENGE);
    else if (!first.startsWith('ACK'))
      phone.answers(message, '200 OK', 'p', [
        `Contact: <sip:provider@${phone.host}:${String(this.port)};transport=tls>`,
      ]);
  }
}

const CHALLENGE = ['WWW-Authenticate: Digest realm="provider.test", nonce="n1", qop="auth"'];

function contacts(message: string): readonly string[] {
  return headersOf(message, 'Contact').map((line) => `${line};expires=600`);
}
