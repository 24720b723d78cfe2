import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

import { limitConnections } from '../../src/http/server';
import { trustedProxies } from '../../src/limits/addresses';
import { eventually } from '../support/eventually';

const LIMIT = 3;
const opened: Socket[] = [];
const servers: { close: () => unknown }[] = [];

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

function limited(): Server {
  const server = createHttpServer((_request, response) => response.end('ok'));
  const trustProxy = trustedProxies('192.0.2.0/24');
  limitConnections(server, { total: 100, perNetwork: LIMIT, trustProxy });
  return server;
}

/** Opens connections that appear to come from an address; returns how many of them are served. */
async function served(server: Server, address: string, count: number): Promise<number> {
  const gate = createServer((socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    server.emit('connection', socket);
  }).listen(0, '127.0.0.1');
  servers.push(gate);
  await once(gate, 'listening');
  const { port } = gate.address() as AddressInfo;
  const answers = Array.from({ length: count }, async () => {
    const socket = createConnection(port, '127.0.0.1').on('error', () => undefined);
    opened.push(socket);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return new Promise<number>((resolve) => socket.once('data', () => resolve(1)).once('close', () => resolve(0)));
  });
  return (await Promise.all(answers)).reduce<number>((sum, each) => sum + each, 0);
}

test.each([
  ['an IPv4 address', '198.51.100.7', LIMIT],
  ['an IPv4 address that is mapped into IPv6', '::ffff:198.51.100.7', LIMIT],
  ['an IPv6 address', '2001:db8::7', LIMIT],
  ['this host', '127.0.0.1', 10],
  ['this host over IPv6', '::1', 10],
  ['this host, mapped into IPv6', '::ffff:127.0.0.1', 10],
  ['a trusted proxy', '192.0.2.1', 10],
])('Of 10 connections from %s (%s), %i are served', async (_what, address, expected) => {
  expect(await served(limited(), address, 10)).toBe(expected);
});

test('One network at its limit does not affect others, and can connect again once its connections are closed', async () => {
  const server = limited();
  expect(await served(server, '198.51.100.7', 5)).toBe(LIMIT);
  expect(await served(server, '198.51.100.8', 5)).toBe(LIMIT);
  expect(await served(server, '198.51.100.7', 1)).toBe(0);
  for (const socket of opened) socket.destroy();
  await eventually(5, async () => expect(await served(server, '198.51.100.7', 1)).toBe(1));
});

test('Addresses of one IPv6 network share its limit', async () => {
  const server = limited();
  expect(await served(server, '2001:db8::1', 2)).toBe(2);
  expect(await served(server, '2001:db8::2', 2)).toBe(1);
  expect(await served(server, '2001:db8:0:1::1', 2)).toBe(2);
});
