import { createSecretKey } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { verify } from 'jsonwebtoken';

import { documents } from './cases';
import * as answers from './raw-answers';
import { createDid } from './raw-create';
import { openRawDatabase } from './raw-database';
import { sql } from './raw-sql';

/**
 * The server that sipgraph is compared with. It gives the same responses, but is written by hand for exactly these requests,
 * with only node:http and a database driver.
 */
const { DATABASE_URL = '', JWT_SECRET = '', HOST, PORT } = process.env;
const BODY_LIMIT = 256 * 1024;
const API = '/api/v1beta1';

const database = openRawDatabase(DATABASE_URL);
const key = createSecretKey(Buffer.from(JWT_SECRET));
const verified = new Map<string, { readonly sub: string; readonly gen: unknown; readonly exp: number }>();

async function isAllowed(request: IncomingMessage): Promise<boolean> {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const claims = verified.get(token) ?? verifiedClaims(token);
  if (!claims || claims.exp * 1000 <= Date.now()) return false;
  const [user] = await database.rows(sql.user, [claims.sub]);
  return user?.[1] === claims.gen;
}

function verifiedClaims(token: string) {
  try {
    const claims = verify(token, key, { algorithms: ['HS256'] });
    if (typeof claims === 'string' || claims.sub === undefined || claims.exp === undefined) return undefined;
    const known = { sub: claims.sub, gen: claims['gen'] as unknown, exp: claims.exp };
    if (verified.size > 10_000) verified.clear();
    verified.set(token, known);
    return known;
  } catch {
    return undefined;
  }
}

type Body = Readonly<Partial<Record<string, unknown>>>;

/** The resolvers of the documents that the server supports. */
const queries = new Map<unknown, (variables: Body) => Promise<unknown>>([
  [documents.did, async ({ ref }) => ({ did: await answers.didWithGateway(database, String(ref)) })],
  [documents.dids, async () => ({ dids: await answers.didsWithGateways(database) })],
  [documents.gateways, async () => ({ gateways: await answers.gatewaysWithNumbers(database) })],
  [
    documents.createDid,
    async ({ input }) => {
      const { gatewayRef, telUrl, aorLink, geoInfo } = object(input);
      const { city, country, countryISOCode } = object(geoInfo);
      const did = { gatewayRef, telUrl, aorLink, city, country, countryISOCode };
      return { createDID: await createDid(database, did) };
    },
  ],
]);

async function graphql(body: Body): Promise<answers.Answer> {
  const query = queries.get(body['query']);
  if (!query) throw new answers.BadRequestError('The document is not known');
  return { status: 200, body: { data: await query(object(body['variables'])) } };
}

async function postDid(body: Body): Promise<answers.Answer> {
  const [metadata, location] = [object(body['metadata']), object(object(body['spec'])['location'])];
  if (body['kind'] !== 'DID') throw new answers.BadRequestError('kind is not DID');
  const { city, country, countryISOCode } = object(metadata['geoInfo']);
  const { telUrl, aorLink } = location;
  const did = { gatewayRef: metadata['gwRef'], telUrl, aorLink, city, country, countryISOCode };
  const { ref } = await createDid(database, did);
  return { status: 201, body: { status: '201', message: 'Created', result: ref } };
}

async function listGateways(query: string): Promise<answers.Answer> {
  const parameters = new URLSearchParams(query);
  const page = Number(parameters.get('page') ?? 1);
  const itemsPerPage = Number(parameters.get('itemsPerPage') ?? 30);
  if (!(page >= 1 && itemsPerPage >= 1 && itemsPerPage <= 100))
    throw new answers.BadRequestError('There is no such page');
  const { total, documents: data } = await answers.gatewayDocuments(database, page, itemsPerPage);
  const meta = { currentPage: page, totalPages: Math.ceil(total / itemsPerPage), itemsPerPage, totalItems: total };
  return { status: 200, body: { status: '200', message: 'Successful request', data, meta } };
}

async function answer(request: IncomingMessage): Promise<answers.Answer> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  if (path === '/readyz') return { status: 200, body: {} };
  // Read the body first, so that it is consumed whatever the response.
  const body = request.method === 'POST' ? object(JSON.parse(await textOf(request))) : {};
  if (!(await isAllowed(request))) return { status: 401, body: { status: '401' } };
  if (request.method === 'POST' && path === '/graphql') return graphql(body);
  if (request.method === 'POST' && path === `${API}/dids`) return postDid(body);
  if (request.method === 'GET' && path === `${API}/gateways`) return listGateways(query);
  if (request.method === 'GET' && path.startsWith(`${API}/dids/`)) {
    const result = await answers.didDocument(database, decodeURIComponent(path.slice(`${API}/dids/`.length)));
    return { status: 200, body: { status: '200', message: 'Successful request', result } };
  }
  return { status: 404, body: { status: '404' } };
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_LIMIT) reject(new answers.BadRequestError('The body is too long'));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}

function object(value: unknown): Body {
  return typeof value === 'object' && value !== null ? (value as Body) : {};
}

function toAnswer(error: unknown): answers.Answer {
  if (error instanceof answers.BadRequestError || error instanceof SyntaxError)
    return { status: 400, body: { status: '400' } };
  if (error instanceof answers.MissingError) return { status: 404, body: { status: '404' } };
  console.error(error);
  return { status: 500, body: { status: '500' } };
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
