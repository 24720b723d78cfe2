import fastify from 'fastify';
import mercurius from 'mercurius';

import { openPeerDatabase, type Row } from './database';
import { rowAfter } from './documents';
import { MissingError } from './errors';
import * as reads from './reads';
import { addRest } from './rest';
import { restSource } from './rest-source';
import { typeDefs, type Arguments } from './schema';
import { assertSignedIn } from './sign-in';
import { domainsOfAgents, gatewaysById, sql } from './sql';

/** Mercurius on Fastify as its documentation recommends: compiled queries (`jit`), and a loader for each link. */
const { DATABASE_URL = '', HOST = '127.0.0.1', PORT } = process.env;
const database = openPeerDatabase(DATABASE_URL);

const toDid = ([, ref, telUrl, aorLink, gatewayId]: Row) => ({ ref, telUrl, aorLink, gatewayId });
const toGateway = ([id, ref, name, host, port]: Row) => ({ id, ref, name, host, port });

const resolvers = {
  Query: {
    did: async (_: unknown, { ref }: Arguments['did']) => {
      const [row] = await database.rows(sql.didOnly, [ref]);
      if (!row) throw new MissingError(`There is no DID ${ref}`);
      return toDid(row);
    },
    dids: async (_: unknown, { first, after }: Arguments['page']) => {
      const rows = await database.rows(sql.didsOnly, [rowAfter(after), first + 1]);
      return reads.toPage(rows, first, toDid);
    },
    gateways: async (_: unknown, { first, after, where }: Arguments['gateways']) => {
      const host = where?.host?.eq;
      if (host !== undefined) return { nodes: (await database.rows(sql.gatewaysOfHost, [host, first])).map(toGateway) };
      return { nodes: (await database.rows(sql.gateways, [rowAfter(after), first])).map(toGateway) };
    },
    agents: async (_: unknown, { first, after }: Arguments['page']) => {
      const rows = await database.rows(sql.agentsOnly, [rowAfter(after), first]);
      return { nodes: rows.map(([id, ref, name, username]) => ({ id, ref, name, username })) };
    },
  },
  Mutation: {
    createDID: (_: unknown, { input }: Arguments['createDID']) => reads.createDid(database, input),
  },
};

/** The input of a loader: one entry for each parent. */
type Asked<Parent, Parameters = object> = readonly { readonly obj: Parent; readonly params: Parameters }[];
interface WithId {
  readonly id: number;
}
interface DidParent {
  readonly gatewayId?: number;
  readonly gateway?: unknown;
}

const loaders = {
  DID: {
    gateway: async (asked: Asked<DidParent>) => {
      const ids = [...new Set(asked.flatMap(({ obj: { gatewayId } }) => gatewayId ?? []))];
      const rows = ids.length === 0 ? [] : await database.rows(gatewaysById(ids.length), ids);
      const found = new Map(rows.map((row) => [row[0], toGateway(row)]));
      return asked.map(({ obj }) => obj.gateway ?? found.get(obj.gatewayId ?? null));
    },
  },
  Gateway: {
    dids: async (asked: Asked<WithId, Arguments['first']>) => {
      const ids = [...new Set(asked.map(({ obj }) => obj.id))];
      const most = Math.max(...asked.map(({ params }) => params.first));
      const found = await reads.firstDids(database, ids, most, ([, ref, telUrl, aorLink]) => ({
        ref,
        telUrl,
        aorLink,
      }));
      return asked.map(({ obj, params }) => ({ nodes: found.get(obj.id)?.slice(0, params.first) }));
    },
  },
  Agent: {
    domains: async (asked: Asked<WithId>) => {
      const ids = asked.map(({ obj }) => obj.id);
      const found = new Map<unknown, unknown[]>(ids.map((id) => [id, []]));
      for (const [agentId, ref, name, domainUri] of await database.rows(domainsOfAgents(ids.length), ids)) {
        found.get(agentId)?.push({ ref, name, domainUri });
      }
      return ids.map((id) => found.get(id));
    },
  },
};

const app = fastify({ logger: false });
app.addHook('onRequest', (request, _reply, done) => {
  if (request.url !== '/readyz') assertSignedIn(request.headers.authorization);
  done();
});
void app.register(mercurius, { schema: typeDefs, resolvers, loaders, jit: 1 });
addRest(app, restSource(database));
app.listen({ host: HOST, port: Number(PORT) }).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
process.once('SIGTERM', () => process.exit());
