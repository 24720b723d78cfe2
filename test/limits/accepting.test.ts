import { once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection, type AddressInfo } from 'node:net';

import { acceptFirst, BACKLOG } from '../../src/http/accept-first';

const CLIENTS = 150;

test('New clients are accepted while others keep the server busy, and as many requests are handled meanwhile', async () => {
  let [handled, accepted, behind] = [0, 0, 0];
  const server = createServer().on('connection', () => {
    accepted++;
    behind = Math.max(behind, accepted - handled);
  });
  const handle = acceptFirst(server, (_request, response) => {
    handled++;
    const end = performance.now() + 1;
    while (performance.now() < end);
    response.end('ok');
  });
  server.on('request', handle).listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: CLIENTS }, () => createConnection(port, '127.0.0.1'));
  const first = sockets.map((socket) => {
    const send = (): unknown => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.on('data', send).on('error', () => undefined);
    send();
    return once(socket, 'data');
  });
  await Promise.all(first);
  // One connection in each turn, with the requests of all clients before it, would make over 11,000.
  expect(handled).toBeLessThan(CLIENTS * 3);
  expect(behind).toBeLessThan(CLIENTS / 2);
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});
