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

/** Adds the REST paths to a Fastify server. */
export function addRest(app: FastifyInstance, source: Source): void {
  type Query = Record<string, string | undefined>;
  app.get('/readyz', () => ({}));
  app.get<{ Querystring: Query }>(`${API}/gateways`, ({ query }) => list((part) => source.gateways(part), query));
  app.get<{ Querystring: Query }>(`${API}/agents`, ({ query }) => list((part) => source.agents(part), query));
  app.get<{ Params: { ref: string } }>(`${API}/dids/:ref`, ({ params }) => get(source, params.ref));
  app.post(`${API}/dids`, ({ body }, reply) => {
    reply.code(201);
    return create(source, body);
  });
}
