// A server that only refuses: what `--overload` can measure at best, with the same client on the same machine.
const { createServer } = require('node:http');

const { HOST, PORT } = process.env;
const BACKLOG = 4096;
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(request.url === '/readyz' ? 200 : 503, { 'retry-after': '1', 'content-length': '0' }).end();
  });
}).listen({ port: Number(PORT), host: HOST, backlog: BACKLOG });
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.exit();
});
