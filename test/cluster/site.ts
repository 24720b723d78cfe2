import { fetchToken } from '../support/app';
import { query } from '../support/databases/servers';
import { listening, start, type Run } from '../support/process';
import type { Cluster } from './node';

/** The result of an operation: what it selected, or the code of its error. `UNKNOWN` if there was no response. */
export interface Reply {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly code?: string;
  readonly message?: string;
}

/** A process of sipgraph that writes to a database server. */
export interface Site {
  readonly url: () => string;
  readonly token: () => string;
  /** The URL of the database on this server. */
  readonly database: string;
  /** Runs an operation for the admin, or for the user of another token. */
  readonly graphql: (query: string, variables?: object, token?: string) => Promise<Reply>;
  /** Sends a request below /api/v1beta1. */
  readonly rest: (method: string, path: string, body?: object) => Promise<Reply>;
  readonly kill: () => void;
  readonly start: () => Promise<void>;
  /** The errors in the logs of its processes. */
  readonly errors: () => readonly string[];
}

const SECRET = 'the secret of the cluster';
/** The name of the database. */
export const DATABASE = 'sipgraph';
// Milliseconds. sipgraph itself responds earlier if the database does not.
const PATIENCE = 25_000;

/** Creates a database, and starts a process for each node, all at the same time. */
export async function startSites({ nodes }: Cluster): Promise<readonly [Site, Site, Site]> {
  const [one, two, three] = nodes;
  await query(one.url, `CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  const sites = [
    createSite(`${one.url}${DATABASE}`),
    createSite(`${two.url}${DATABASE}`),
    createSite(`${three.url}${DATABASE}`),
  ] as const;
  await Promise.all(sites.map((site) => site.start()));
  return sites;
}

/** A site that does not run yet. `settings`: further environment variables of its process. */
export function createSite(database: string, settings: Readonly<Record<string, string>> = {}): Site {
  const runs: Run[] = [];
  let [url, token] = ['', ''];
  /** Without a body if there was no response. */
  const send = async (
    path: string,
    method: string,
    body?: object,
    as = token,
  ): Promise<{ status: number; body?: NonNullable<Reply['data']> }> => {
    try {
      const response = await fetch(`${url}/${path}`, {
        method,
        headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE),
      });
      return { status: response.status, body: (await response.json()) as NonNullable<Reply['data']> };
    } catch {
      return { status: 0 };
    }
  };
  return {
    database,
    url: () => url,
    token: () => token,
    kill: () => void runs.at(-1)?.child.kill('SIGKILL'),
    start: async () => {
      const environment = { ADMIN_SECRET: SECRET, SAMPLE_DATA: 'false', PLAYGROUND: 'false', RATE_LIMIT: 'off' };
      const run = start({ DATABASE_URL: database, ...environment, ...settings });
      runs.push(run);
      url = await listening(run);
      token = await fetchToken(url, 'admin', SECRET);
    },
    errors: () =>
      runs.flatMap((run) =>
        run
          .output()
          .split('\n')
          .filter((line) => line.includes('"level":"error"')),
      ),
    graphql: async (document, variables = {}, as = token) => {
      const { body } = await send('graphql', 'POST', { query: document, variables }, as);
      if (!body) return { code: 'UNKNOWN' };
      const { data, errors } = body as {
        data: NonNullable<Reply['data']>;
        errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
      };
      const [error] = errors ?? [];
      return error ? { code: error.extensions.code, message: error.message } : { data };
    },
    rest: async (method, path, sent) => {
      const { status, body } = await send(`api/v1beta1/${path}`, method, sent);
      if (!body) return { code: 'UNKNOWN' };
      if (status < 300) return { data: body };
      return { code: status === 503 ? 'UNAVAILABLE' : String(status), message: JSON.stringify(body) };
    },
  };
}
