import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { documents } from '../operations';
import { openPeerDatabase } from './database';
import { rowAfter } from './documents';
import { BadRequestError, MissingError, UnauthorizedError } from './errors';
import { object, type DidInput } from './new-did';
import * as reads from './reads';
import { API, create, get, list } from './rest';
import { restSource } from './rest-source';
import { assertSignedIn } from './sign-in';

/** The baseline: a hand-written server for exactly these requests, with only node:http and a database driver. */
const { DATABASE_URL = '', HOST, PORT } = process.env;
const BODY_LIMIT = 256 * 1024;

const database = openPeerDatabase(DATABASE_URL);
const source = restSource(database);

/** The resolvers of the documents that the server supports. */
const queries = new Map<unknown, (variables: DidInput) => Promise<unknown>>([
  [documents.did, async ({ ref }) => ({ did: await reads.didWithGateway(database, String(ref)) })],
  [
    documents.dids,
    async ({ after }) => ({ dids: { nodes: (await reads.didsWithGateways(database, 30, rowAfter(after))).nodes } }),
  ],
  [
    documents.gateways,
    async ({ after }) => ({ gateways: await reads.gatewaysWithDids(database, 10, rowAfter(after), 10) }),
  ],
  [documents.agents, async ({ after }) => ({ agents: await reads.agentsWithDomains(database, 30, rowAfter(after)) })],
  [documents.host, async ({ host }) => ({ gateways: await reads.gatewaysOfHost(database, String(host), 30) })],
  [documents.page, async ({ after }) => ({ dids: await reads.didsWithGateways(database, 30, rowAfter(after)) })],
  [documents.createDid, async ({ input }) => ({ createDID: await reads.createDid(database, object(input)) })],
]);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function graphql(body: DidInput): Promise<Answer> {
  const query = queries.get(body['query']);
  if (!query) throw new BadRequestError('The document is not known');
  return { status: 200, body: { data: await query(object(body['variables'])) } };
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method, headers, url = '' } = request;
  const [path = '', search = ''] = url.split('?', 2);
  if (path === '/readyz') return { status: 200, body: {} };
  // Read the body first, so that it is always consumed.
  const body = method === 'POST' ? object(JSON.parse(await textOf(request))) : {};
  assertSignedIn(headers.authorization);
  if (method === 'POST') {
    if (path === '/graphql') return graphql(body);
    if (path === `${API}/dids`) return { status: 201, body: await create(source, body) };
  } else {
    const query = () => Object.fromEntries(new URLSearchParams(search));
    if (path === `${API}/gateways`) return { status: 200, body: await list((part) => source.gateways(part), query()) };
    if (path === `${API}/agents`) return { status: 200, body: await list((part) => source.agents(part), query()) };
    if (path.startsWith(`${API}/dids/`)) {
      return { status: 200, body: await get(source, decodeURIComponent(path.slice(`${API}/dids/`.length))) };
    }
  }
  throw new MissingError(path);
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_LIMIT) reject(new BadRequestError('The body is too long'));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

function toAnswer(error: unknown): Answer {
  const status = statusOf(error);
  if (status === 500) console.error(error);
  return { status, body: { status: String(status) } };
}

function statusOf(error: unknown): number {
  if (error instanceof SyntaxError) return 400;
  const known = [BadRequestError, MissingError, UnauthorizedError].some((type) => error instanceof type);
  return known ? (error as BadRequestError).statusCode : 500;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(request).catch(toAnswer);
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const server = createServer((request, response) => void handle(request, response));
server.listen(Number(PORT), HOST);
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.exit();
});
