import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Handles a request as if it had no Upgrade header, which a server may ignore (RFC 9110, 7.8). For every such request,
 * Node detaches the connection from its HTTP server. So this function writes the request back to the connection without
 * the header, and hands the connection to the HTTP server again.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, connection: Duplex, head: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (/^(?:upgrade|http2-settings)$/i.test(name)) continue;
    lines.push(`${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}`);
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
