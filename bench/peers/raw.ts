import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { documents } from '../operations';
import { openPeerDatabase, type Done, type Row, type Statement, type Value } from './database';
import { rowAfter } from './documents';
import { BadRequestError, MissingError, UnauthorizedError } from './errors';
import { inputOf, newDid, object, type DidInput, type NewDid } from './new-did';
import { quoted } from './raw/json';
import { statements } from './raw/statements';
import * as texts from './raw/texts';
import { Total } from './raw/total';
import { API } from './rest';
import { assertSignedIn } from './sign-in';

/**
 * The baseline: a server for exactly these requests, written by hand for speed with only node:http and a database
 * driver. A statement for each request, rows as arrays, and JSON text that is joined from them.
 */
const { DATABASE_URL = '', HOST, PORT } = process.env;
const BODY_LIMIT = 256 * 1024;
const GATEWAYS = `${API}/gateways`;
const AGENTS = `${API}/agents`;
const DIDS = `${API}/dids`;
const FILTER = /^@\.spec\.credentials\.username=='([\w.-]+)'$/;
const TYPE = ['content-type', 'application/json; charset=utf-8', 'content-length'] as const;
/** What the database says when a DID has no gateway. */
const NO_GATEWAY = new Set(['ER_BAD_NULL_ERROR', 'SQLITE_CONSTRAINT_NOTNULL']);

const database = openPeerDatabase(DATABASE_URL);
const did = database.statement(statements.did);
const dids = database.statement(statements.dids);
const page = database.statement(statements.page);
const gateways = database.statement(statements.gateways);
const agents = database.statement(statements.agents);
const gatewaysOfHost = database.statement(statements.gatewaysOfHost);
const didDocument = database.statement(statements.didDocument);
const insertDid = database.statement(statements.insertDid);
const insertDidOnly = database.statement(statements.insertDidOnly);
const countAgentsOfUser = database.statement(statements.countAgentsOfUser);
const gatewayTotal = new Total(database.statement(statements.countGateways));
const agentTotal = new Total(database.statement(statements.countAgents));
const gatewayDocuments = paged(statements.gatewayDocuments);
const agentDocuments = paged(statements.agentDocuments);
const agentDocumentsOfUser = paged(statements.agentDocumentsOfUser);

/** Returns the statements of pages by the number of items, from 1 to 100. */
function paged(text: (limit: number) => string): (size: number) => Statement {
  const known = new Map<number, Statement>();
  return (size) => {
    let statement = known.get(size);
    if (!statement) {
      statement = database.statement(text(size));
      known.set(size, statement);
    }
    return statement;
  };
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, [...TYPE, String(Buffer.byteLength(text))]);
  response.end(text);
}

function fail(response: ServerResponse, error: unknown): void {
  const status = statusOf(error);
  if (status === 500) console.error(error);
  send(response, status, `{"status":"${String(status)}"}`);
}

function statusOf(error: unknown): number {
  if (error instanceof SyntaxError) return 400;
  if (NO_GATEWAY.has(String((error as { readonly code?: unknown }).code))) return 404;
  const known = [BadRequestError, MissingError, UnauthorizedError].some((type) => error instanceof type);
  return known ? (error as BadRequestError).statusCode : 500;
}

/** Sends what `text` makes of the rows, or 404 if there is nothing. */
function sender(response: ServerResponse, text: (rows: readonly Row[]) => string | undefined): Done {
  return (error, rows) => {
    const body = error ? undefined : text(rows);
    if (body === undefined) fail(response, error ?? new MissingError('There is no such resource'));
    else send(response, 200, body);
  };
}

const didAnswer = ([row]: readonly Row[]) => row && `{"data":{"did":${texts.didText(row, 0)}}}`;
const didsAnswer = (rows: readonly Row[]) => `{"data":{"dids":{"nodes":[${texts.didTexts(rows, 30)}]}}}`;
const pageAnswer = (rows: readonly Row[]) =>
  `{"data":{"dids":{"nodes":[${texts.didTexts(rows, 30)}],"pageInfo":${texts.pageInfoText(rows, 30)}}}}`;
const gatewaysAnswer = (rows: readonly Row[]) => `{"data":{"gateways":{"nodes":[${texts.gatewayTexts(rows)}]}}}`;
const agentsAnswer = (rows: readonly Row[]) => `{"data":{"agents":{"nodes":[${texts.agentTexts(rows)}]}}}`;
const hostAnswer = (rows: readonly Row[]) => `{"data":{"gateways":{"nodes":[${texts.gatewayOnlyTexts(rows)}]}}}`;
const documentAnswer = ([row]: readonly Row[]) =>
  row && `{"status":"200","message":"Successful request","result":${texts.didDocument(row)}}`;

type Answerer = (response: ServerResponse, variables: DidInput) => void;

/** How the documents that the server supports are answered. */
const queries = new Map<unknown, Answerer>([
  [documents.did, (response, { ref }) => did([String(ref)], sender(response, didAnswer))],
  [documents.dids, (response, { after }) => dids([rowAfter(after)], sender(response, didsAnswer))],
  [documents.page, (response, { after }) => page([rowAfter(after)], sender(response, pageAnswer))],
  [documents.gateways, (response, { after }) => gateways([rowAfter(after)], sender(response, gatewaysAnswer))],
  [documents.agents, (response, { after }) => agents([rowAfter(after)], sender(response, agentsAnswer))],
  [documents.host, (response, { host }) => gatewaysOfHost([String(host)], sender(response, hostAnswer))],
  [documents.createDid, (response, { input }) => createDid(response, newDid(object(input)))],
]);

function valuesOf(made: NewDid): Value[] {
  const { ref, createdOn, gatewayRef, city, country, countryISOCode, telUrl, aorLink } = made;
  const { telDigits, digitsKey, aorUser, aorHost } = made;
  return [ref, createdOn, createdOn, gatewayRef, city, country, countryISOCode, telUrl, aorLink].concat([
    telDigits,
    digitsKey,
    aorUser,
    aorHost,
  ]);
}

function createDid(response: ServerResponse, made: NewDid): void {
  insertDid(
    valuesOf(made),
    sender(response, ([gateway]) => {
      const row = [made.ref, made.telUrl, made.aorLink, ...(gateway as Row)]; // because the gateway exists
      return `{"data":{"createDID":${texts.didText(row, 0)}}}`;
    }),
  );
}

function createDocument(response: ServerResponse, made: NewDid): void {
  insertDidOnly(valuesOf(made), (error) => {
    if (error) fail(response, error);
    else send(response, 201, `{"status":"201","message":"Created","result":${quoted(made.ref)}}`);
  });
}

/** The parameters of a list. */
interface Listed {
  readonly page: number;
  readonly size: number;
  readonly username: string | undefined;
}

function listedIn(search: string): Listed {
  let [number, size] = [1, 30];
  let username: string | undefined;
  for (let from = 0; from < search.length;) {
    const next = search.indexOf('&', from);
    const end = next < 0 ? search.length : next;
    const equals = search.indexOf('=', from);
    const name = search.slice(from, equals);
    const value = search.slice(equals + 1, end);
    if (name === 'page') number = Number(value);
    else if (name === 'itemsPerPage') size = Number(value);
    else if (name === 'filter') {
      username = FILTER.exec(decodeURIComponent(value))?.[1];
      if (username === undefined) throw new BadRequestError(`${value} is not a filter`);
    }
    from = end + 1;
  }
  if (!(Number.isInteger(number) && Number.isInteger(size) && number >= 1 && size >= 1 && size <= 100)) {
    throw new BadRequestError('There is no such page');
  }
  return { page: number, size, username };
}

function sendList(response: ServerResponse, data: string, { page: number, size }: Listed, total: number): void {
  const meta = `{"currentPage":${number},"totalPages":${Math.ceil(total / size)},"itemsPerPage":${size},"totalItems":${total}}`;
  send(response, 200, `{"status":"200","message":"Successful request","data":[${data}],"meta":${meta}}`);
}

/** Sends a page of a whole list, whose length is kept. */
function listAll(
  response: ServerResponse,
  listed: Listed,
  length: Total,
  statementOf: (size: number) => Statement,
  text: (rows: readonly Row[]) => string,
): void {
  length.get((failed, total) => {
    if (failed) {
      fail(response, failed);
      return;
    }
    statementOf(listed.size)([(listed.page - 1) * listed.size], (error, rows) => {
      if (error) fail(response, error);
      else sendList(response, text(rows), listed, total);
    });
  });
}

const agentTexts = (rows: readonly Row[]): string => texts.agentDocuments(rows).text;

function listAgentsOfUser(response: ServerResponse, listed: Listed, username: string): void {
  const { page: number, size } = listed;
  const skip = (number - 1) * size;
  agentDocumentsOfUser(size)([username, skip], (error, rows) => {
    if (error) {
      fail(response, error);
      return;
    }
    const { text, count } = texts.agentDocuments(rows);
    // The last page, unless it is empty, tells how many there are.
    if (count < size && (count > 0 || skip === 0)) sendList(response, text, listed, skip + count);
    else {
      countAgentsOfUser([username], (uncounted, [row]) => {
        if (uncounted) fail(response, uncounted);
        else sendList(response, text, listed, Number(row?.[0]));
      });
    }
  });
}

function get(response: ServerResponse, url: string): void {
  if (url.startsWith(DIDS) && url[DIDS.length] === '/') {
    didDocument([decodeURIComponent(url.slice(DIDS.length + 1))], sender(response, documentAnswer));
    return;
  }
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  if (path !== GATEWAYS && path !== AGENTS) throw new MissingError(path);
  const listed = listedIn(question < 0 ? '' : url.slice(question + 1));
  if (path === GATEWAYS) listAll(response, listed, gatewayTotal, gatewayDocuments, texts.gatewayDocuments);
  else if (listed.username === undefined) listAll(response, listed, agentTotal, agentDocuments, agentTexts);
  else listAgentsOfUser(response, listed, listed.username);
}

function post(response: ServerResponse, url: string, text: string): void {
  const body = object(JSON.parse(text));
  if (url === '/graphql') {
    const query = queries.get(body['query']);
    if (!query) throw new BadRequestError('The document is not known');
    query(response, object(body['variables']));
  } else if (url === DIDS) createDocument(response, newDid(inputOf(body)));
  else throw new MissingError(url);
}

/** Reads the body, which is rarely more than one piece. */
function whole(request: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
  });
  request.on('end', () => {
    const [first] = chunks;
    done(size > BODY_LIMIT ? '' : first && chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString());
  });
}

/** The Authorization header, without an object of all headers. */
function authorizationOf({ rawHeaders }: IncomingMessage): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') return rawHeaders[index + 1];
  }
  return undefined;
}

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  try {
    if (url === '/readyz') {
      send(response, 200, '{}');
      return;
    }
    assertSignedIn(authorizationOf(request));
    if (method === 'GET') get(response, url);
    else if (method === 'POST') {
      whole(request, (text) => {
        try {
          post(response, url, text);
        } catch (error) {
          fail(response, error);
        }
      });
    } else throw new MissingError(url);
  } catch (error) {
    fail(response, error);
  }
});
server.listen(Number(PORT), HOST);
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.exit();
});
