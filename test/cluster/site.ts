import { fetchToken } from '../support/app';
import { query } from '../support/servers';
import { listening, start, type Run } from '../support/process';
import type { Cluster, Node } from './node';

/** The result of an operation: what it selected, or the code of its error. `UNKNOWN` if there was no response. */
export interface Reply {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly code?: string;
  readonly message?: string;
}

/** A node of a cluster, and the process of sipgraph that writes to it. */
export interface Site {
  readonly node: Node;
  readonly url: () => string;
  readonly token: () => string;
  /** The URL of the database on this node. */
  readonly database: string;
  readonly graphql: (query: string, variables?: object) => Promise<Reply>;
  readonly kill: () => void;
  readonly start: () => Promise<void>;
}

const SECRET = 'the secret of the cluster';
const DATABASE = 'sipgraph';
// Milliseconds. sipgraph itself responds earlier if the database does not.
const PATIENCE = 25_000;

/** Creates a database, and starts a process for each node, all at the same time. */
export async function startSites({ nodes }: Cluster): Promise<readonly [Site, Site, Site]> {
  const [one, two, three] = nodes;
  await query(one.url, `CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  const sites = [siteOf(one), siteOf(two), siteOf(three)] as const;
  await Promise.all(sites.map((site) => site.start()));
  return sites;
}

function siteOf(node: Node): Site {
  const database = `${node.url}${DATABASE}`;
  let run: Run;
  let [url, token] = ['', ''];
  return {
    node,
    database,
    url: () => url,
    token: () => token,
    kill: () => void run.child.kill('SIGKILL'),
    start: async () => {
      const environment = { ADMIN_SECRET: SECRET, SAMPLE_DATA: 'false', PLAYGROUND: 'false', RATE_LIMIT: 'off' };
      run = start({ DATABASE_URL: database, ...environment });
      url = await listening(run);
      token = await fetchToken(url, 'admin', SECRET);
    },
    graphql: async (document, variables = {}) => {
      try {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ query: document, variables }),
          signal: AbortSignal.timeout(PATIENCE),
        });
        const { data, errors } = (await response.json()) as {
          data: NonNullable<Reply['data']>;
          errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
        };
        const [error] = errors ?? [];
        return error ? { code: error.extensions.code, message: error.message } : { data };
      } catch {
        return { code: 'UNKNOWN' };
      }
    },
  };
}
