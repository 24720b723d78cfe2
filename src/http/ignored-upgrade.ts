import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { isOccupied } from './pipelining';

/**
 * A request that decides whether Node detaches its connection from the HTTP server and emits `upgrade`: Node reads the
 * property `upgrade` once it has read the headers.
 *
 * A server may ignore an Upgrade header (RFC 9110, 7.8). This one ignores it if the request has a body or is behind
 * another one on its connection, because such a request cannot be handed on whole. Its response closes the connection,
 * because Node discards the rest of what it has received after such a request.
 */
export class UpgradableRequest extends IncomingMessage {
  private asksUpgrade?: boolean | null;
  private isWhole?: boolean;

  /** Whether Node handles this request as an ordinary one although it asks for an upgrade. */
  get isUpgradeIgnored(): boolean {
    return this.asksUpgrade === true && !this.upgrade;
  }

  get upgrade(): boolean {
    if (this.asksUpgrade !== true) return false;
    const { 'content-length': length, 'transfer-encoding': encoding } = this.headers;
    this.isWhole ??= length === undefined && encoding === undefined && !isOccupied(this.socket);
    return this.isWhole || this.method === 'CONNECT';
  }

  /** Node sets this before it has read the headers. */
  set upgrade(asks: boolean | null) {
    this.asksUpgrade = asks;
  }
}

/** Announces that the connection will be closed, in the response to a request whose upgrade was ignored. */
export function closeAfterIgnoredUpgrade(request: UpgradableRequest, response: ServerResponse): void {
  if (request.isUpgradeIgnored) response.shouldKeepAlive = false;
}

/**
 * Handles a request without a body as if it had no Upgrade header: writes the request back to its connection without
 * the header, and hands the connection to the HTTP server again.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, connection: Duplex, head: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (/^(?:upgrade|http2-settings)$/i.test(name)) continue;
    // Without a space, so that the headers do not become longer than the server accepts.
    lines.push(`${name}:${/^connection$/i.test(name) ? withoutUpgrade(value) : value}`);
  }
  connection.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', connection);
}

function withoutUpgrade(options: string): string {
  return options
    .split(',')
    .filter((option) => !/^\s*(?:upgrade|http2-settings)\s*$/i.test(option))
    .join(',');
}
