import 'reflect-metadata';

import { ApolloServer } from '@apollo/server';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import DataLoader from 'dataloader';
import fastify from 'fastify';
import { DataSource, In, MoreThan } from 'typeorm';

import { betterSqlite3 } from '../../src/database/sqlite/better-sqlite3';
import { CONNECTIONS } from './database';
import { agentDocument, cursorOf, didDocument, gatewayDocument, rowAfter } from './documents';
import { Agent, Domain, Gateway, Membership, PhoneNumber } from './entities';
import { MissingError } from './errors';
import { newDid, type DidInput } from './new-did';
import { addRest, type Source } from './rest';
import { typeDefs, type Arguments } from './schema';
import { assertSignedIn } from './sign-in';

/**
 * A typical server with Apollo and TypeORM: repositories, relations, and a DataLoader each for the gateway of a DID and
 * the domains of an agent.
 */
const { DATABASE_URL = '', HOST = '127.0.0.1', PORT } = process.env;
const entities = [Gateway, PhoneNumber, Agent, Domain, Membership];
const data = DATABASE_URL.startsWith('sqlite:')
  ? new DataSource({
      type: 'better-sqlite3',
      driver: betterSqlite3(),
      database: DATABASE_URL.slice('sqlite:'.length),
      enableWAL: true,
      entities,
    })
  : new DataSource({ type: 'mysql', url: DATABASE_URL, entities, poolSize: CONNECTIONS, charset: 'utf8mb4_bin' });
const gateways = data.getRepository(Gateway);
const numbers = data.getRepository(PhoneNumber);
const agents = data.getRepository(Agent);
const IN_ORDER = { order: { id: 'ASC' } } as const;

/** The loaders of a request. */
interface Context {
  readonly gateway: DataLoader<number, Gateway | undefined>;
  readonly domains: DataLoader<number, readonly Domain[]>;
}

function context(): Promise<Context> {
  return Promise.resolve({
    gateway: new DataLoader(async (ids) => {
      const found = new Map((await gateways.findBy({ id: In(ids) })).map((gateway) => [gateway.id, gateway]));
      return ids.map((id) => found.get(id));
    }),
    domains: new DataLoader(async (ids) => {
      const memberships = await data.getRepository(Membership).find({
        where: { agentId: In(ids) },
        relations: { domain: true },
        order: { position: 'ASC' },
      });
      return ids.map((id) => memberships.filter(({ agentId }) => agentId === id).map(({ domain }) => domain));
    }),
  });
}

async function createDid(input: DidInput): Promise<PhoneNumber> {
  const { gatewayRef, ...did } = newDid(input);
  const gateway = await gateways.findOneBy({ ref: gatewayRef });
  if (!gateway) throw new MissingError(`There is no Gateway ${gatewayRef}`);
  // save() would start a transaction. On SQLite, all requests share one connection, on which concurrent transactions
  // fail.
  return numbers.save(numbers.create({ ...did, kind: 'DID', gateway, gatewayId: gateway.id }), { transaction: false });
}

const resolvers = {
  Query: {
    did: (_: unknown, { ref }: Arguments['did']) => numbers.findOneByOrFail({ kind: 'DID', ref }),
    dids: async (_: unknown, { first, after }: Arguments['page']) => {
      const where = { kind: 'DID', id: MoreThan(rowAfter(after)) };
      const found = await numbers.find({ where, ...IN_ORDER, take: first + 1 });
      const nodes = found.slice(0, first);
      const last = nodes.at(-1);
      return { nodes, pageInfo: { hasNextPage: found.length > first, endCursor: last ? cursorOf(last.id) : null } };
    },
    gateways: async (_: unknown, { first, after, where }: Arguments['gateways']) => {
      const host = where?.host?.eq;
      const range = { id: MoreThan(rowAfter(after)), ...(host !== undefined && { host }) };
      return { nodes: await gateways.find({ where: range, ...IN_ORDER, take: first }) };
    },
    agents: async (_: unknown, { first, after }: Arguments['page']) => ({
      nodes: await agents.find({ where: { id: MoreThan(rowAfter(after)) }, ...IN_ORDER, take: first }),
    }),
  },
  Mutation: {
    createDID: (_: unknown, { input }: Arguments['createDID']) => createDid(input),
  },
  DID: {
    gateway: ({ gatewayId }: PhoneNumber, _: unknown, { gateway }: Context) => gateway.load(gatewayId),
  },
  Gateway: {
    dids: async ({ id }: Gateway, { first }: Arguments['first']) => ({
      nodes: await numbers.find({ where: { kind: 'DID', gatewayId: id }, ...IN_ORDER, take: first }),
    }),
  },
  Agent: {
    domains: ({ id }: Agent, _: unknown, { domains }: Context) => domains.load(id),
  },
};

const source: Source = {
  gateways: async ({ page, size }) => {
    const [found, total] = await gateways.findAndCount({ ...IN_ORDER, take: size, skip: (page - 1) * size });
    return { total, data: found.map(gatewayDocument) };
  },
  agents: async ({ page, size, username }) => {
    const [found, total] = await agents.findAndCount({
      ...(username !== undefined && { where: { username } }),
      relations: { memberships: { domain: true } },
      ...IN_ORDER,
      take: size,
      skip: (page - 1) * size,
    });
    // Sorted here: if the query sorted by the relation, TypeORM would count and limit the joined rows instead of the
    // agents.
    const domainsOf = ({ memberships }: Agent) =>
      memberships.sort((one, other) => one.position - other.position).map(({ domain }) => domain.domainUri);
    return { total, data: found.map((agent) => agentDocument(agent, domainsOf(agent))) };
  },
  did: async (ref) => {
    const did = await numbers.findOne({ where: { kind: 'DID', ref }, relations: { gateway: true } });
    if (!did) throw new MissingError(`There is no DID ${ref}`);
    return didDocument(did, did.gateway.ref);
  },
  create: async (input) => (await createDid(input)).ref,
};

async function main(): Promise<void> {
  await data.initialize();
  const app = fastify({ logger: false });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url !== '/readyz') assertSignedIn(request.headers.authorization);
    done();
  });
  const apollo = new ApolloServer<Context>({ typeDefs, resolvers, plugins: [fastifyApolloDrainPlugin(app)] });
  await apollo.start();
  await app.register(fastifyApollo(apollo), { context });
  addRest(app, source);
  await app.listen({ host: HOST, port: Number(PORT) });
  process.once('SIGTERM', () => process.exit());
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
