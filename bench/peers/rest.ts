import type { FastifyInstance } from 'fastify';

import { BadRequestError } from './errors';
import { inputOf, type DidInput } from './new-did';

/** The part of a list that is requested. */
export interface Part {
  readonly page: number;
  readonly size: number;
  /** The user name that the filter of a list of agents selects. */
  readonly username: string | undefined;
}

/** The documents of a page, and the size of the whole list. */
export interface Listed {
  readonly total: number;
  readonly data: readonly unknown[];
}

/** The data access of a peer's REST layer. */
export interface Source {
  gateways(part: Part): Promise<Listed>;
  agents(part: Part): Promise<Listed>;
  did(ref: string): Promise<unknown>;
  /** Returns the ref of the new DID. */
  create(input: DidInput): Promise<string>;
}

export const API = '/api/v1beta1';
const FILTER = /^@\.spec\.credentials\.username=='([\w.-]+)'$/;

/** The body of a list response (docs/rest-contract.md, section 2.2). */
export async function list(read: Source['gateways'], query: Readonly<Record<string, string | undefined>>) {
  const [page, size] = [Number(query['page'] ?? 1), Number(query['itemsPerPage'] ?? 30)];
  if (!(page >= 1 && size >= 1 && size <= 100)) throw new BadRequestError('There is no such page');
  const { filter } = query;
  const username = filter === undefined ? undefined : FILTER.exec(filter)?.[1];
  if (filter !== undefined && username === undefined) throw new BadRequestError(`${filter} is not a filter`);
  const { total, data } = await read({ page, size, username });
  const meta = { currentPage: page, totalPages: Math.ceil(total / size), itemsPerPage: size, totalItems: total };
  return { status: '200', message: 'Successful request', data, meta };
}

/** The body of a response that has a DID. */
export async function get(source: Source, ref: string) {
  return { status: '200', message: 'Successful request', result: await source.did(ref) };
}

/** The body of the response to a create. */
export async function create(source: Source, document: unknown) {
  return { status: '201', message: 'Created', result: await source.create(inputOf(document)) };
}

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const texts = { type: 'array', items: text } as const;
const credentials = objectOf({ username: text, secret: text });
const dates = { createdOn: text, modifiedOn: text };
const envelope = { status: text, message: text };

function objectOf(properties: Readonly<Record<string, unknown>>) {
  return { type: 'object', properties } as const;
}

function documentOf(metadata: Readonly<Record<string, unknown>>, spec: Readonly<Record<string, unknown>>) {
  return objectOf({
    apiVersion: text,
    kind: text,
    metadata: objectOf({ ...metadata, ...dates }),
    spec: objectOf(spec),
  });
}

const gateway = documentOf(
  { name: text, ref: text },
  {
    host: text,
    credentials,
    transport: text,
    port: integer,
    expires: integer,
    sendRegister: { type: 'boolean' },
    registries: texts,
  },
);
const agent = documentOf(
  { name: text, ref: text },
  { credentials, domains: texts, privacy: text, ex_maxContact: integer },
);
const did = documentOf(
  { ref: text, gwRef: text, geoInfo: objectOf({ city: text, country: text, countryISOCode: text }) },
  { location: objectOf({ telUrl: text, aorLink: text }) },
);

function listOf(document: unknown) {
  const meta = objectOf({ currentPage: integer, totalPages: integer, itemsPerPage: integer, totalItems: integer });
  return { response: { 200: objectOf({ ...envelope, data: { type: 'array', items: document }, meta }) } };
}

/** The schemas from which Fastify compiles how it writes the responses (fast-json-stringify). */
const schemas = {
  gateways: listOf(gateway),
  agents: listOf(agent),
  did: { response: { 200: objectOf({ ...envelope, result: did }) } },
  created: { response: { 201: objectOf({ ...envelope, result: text }) } },
};

/** Adds the REST paths to a Fastify server. */
export function addRest(app: FastifyInstance, source: Source): void {
  type Query = Record<string, string | undefined>;
  app.get('/readyz', () => ({}));
  app.get<{ Querystring: Query }>(`${API}/gateways`, { schema: schemas.gateways }, ({ query }) =>
    list((part) => source.gateways(part), query),
  );
  app.get<{ Querystring: Query }>(`${API}/agents`, { schema: schemas.agents }, ({ query }) =>
    list((part) => source.agents(part), query),
  );
  app.get<{ Params: { ref: string } }>(`${API}/dids/:ref`, { schema: schemas.did }, ({ params }) =>
    get(source, params.ref),
  );
  app.post(`${API}/dids`, { schema: schemas.created }, ({ body }, reply) => {
    reply.code(201);
    return create(source, body);
  });
}
