import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startApp, type TestApp } from '../support/app';
import { runCommand as runSipgraph } from '../support/command-line';
import type { DatabaseKind } from '../support/databases/databases';
import { createDomain } from '../support/factories';
import { freePort, sipp, startKamailio, type Kamailio, type KamailioOptions } from './support';

/** The options of a registration. */
export interface Registering {
  readonly seconds?: number;
  readonly tcp?: boolean;
  readonly contact?: string;
  /** The source port. */
  readonly port?: number;
  /** The name in the digest, if it is escaped in the URI. */
  readonly as?: string;
}

/** sipgraph, its database, and a Kamailio with the printed configuration. The domains are one.test and two.test. */
export interface Stack {
  readonly app: TestApp;
  /** The database of sipgraph. */
  readonly url: string;
  /** The SIP address of Kamailio, as host:port. */
  readonly sip: string;
  /** The schema of the views, and Kamailio's user. */
  readonly schema: string;
  readonly kamailio: Kamailio;
  /** Stops Kamailio, and starts it again at the same address. */
  readonly stopKamailio: () => Promise<void>;
  readonly startKamailio: () => Promise<void>;
  /** Writes the configuration anew, with further options of `kamailio config`; the next start uses it. */
  readonly configure: (...options: readonly string[]) => Promise<void>;
  /** Calls JSON-RPC, by default with the right token, and with additional members in the request. */
  readonly rpc: (method: string, params?: readonly string[], token?: string, more?: object) => Promise<Response>;
  /** The URL of JSON-RPC. */
  readonly rpcUrl: string;
  /** Whether Kamailio has a binding of an address of record, such as `1001@one.test`, in its memory. */
  readonly isBound: (addressOfRecord: string) => Promise<boolean>;
  /** Whether a phone's REGISTER was accepted. */
  readonly register: (user: string, domain: string, secret: string, options?: Registering) => Promise<boolean>;
  /** The response to GET /location. */
  readonly addresses: () => Promise<readonly { readonly addressOfRecord: string; readonly contactInfo: string }[]>;
  readonly run: (...args: readonly string[]) => Promise<string>;
  /** Runs `kamailio reload-tls`. */
  readonly reload: () => Promise<string>;
  readonly close: () => Promise<void>;
}

const PASSWORD = 'kamailio-secret';
const TOKEN = 'rpc-token';
let count = 0;

export interface StackOptions extends KamailioOptions {
  /** The host at which Kamailio listens. */
  readonly host?: string;
  /** Further options of `kamailio config`. */
  readonly config?: readonly string[];
  /** Further settings of sipgraph. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the database, sipgraph and Kamailio. */
export async function startStack(
  { createDatabase }: Pick<DatabaseKind, 'createDatabase'>,
  { host = '127.0.0.1', config = [], env = {}, ...options }: StackOptions = {},
): Promise<Stack> {
  const { url, drop } = await createDatabase();
  const schema = `kamailio_${String(process.pid)}_${String(++count)}`;
  const target = ['--schema', schema, '--user', schema, '--password', PASSWORD];
  const sip = `${host}:${String(await freePort())}`;
  const rpc = `127.0.0.1:${String(await freePort())}`;
  const app = await startApp({ DATABASE_URL: url, SIP_RPC_URL: `http://${rpc}/RPC`, SIP_RPC_TOKEN: TOKEN, ...env });
  for (const domainUri of ['one.test', 'two.test']) await createDomain(app, { domainUri });
  const run = (...args: readonly string[]): Promise<string> => runCommand(url, args, env);
  await run('kamailio', 'install', ...target);
  const places = ['--sip', sip, '--rpc', rpc, '--rpc-token', TOKEN, '--run', '/@RUN@'];
  // Providers of other tests hear no OPTIONS that they do not expect, and phones of tests send as fast as they can.
  const defaults = ['--health-interval', '0', '--user-requests', '0'];
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-config-'));
  const output = ['--output', join(directory, 'kamailio.cfg')];
  const configure = async (...more: readonly string[]): Promise<void> => {
    await run('kamailio', 'config', ...target, ...places, ...defaults, ...config, ...more, ...output);
  };
  await configure();
  const start = async (): Promise<Kamailio> => {
    const written = await Promise.all(
      (await readdir(directory)).map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const),
    );
    const { 'kamailio.cfg': configuration = '', ...files } = Object.fromEntries(written);
    return startKamailio(configuration, sip, { ...options, files });
  };
  let kamailio = await start();
  const stop = (): Promise<void> => kamailio.stop();

  const call: Stack['rpc'] = (method, params = [], token = TOKEN, more = {}) =>
    fetch(`http://${rpc}/RPC`, {
      method: 'POST',
      headers: { 'x-rpc-token': token },
      body: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1, ...more }),
    });
  return {
    app,
    url,
    sip,
    schema,
    run,
    rpc: call,
    reload: () =>
      runCommand(url, ['kamailio', 'reload-tls'], { SIP_RPC_URL: `http://${rpc}/RPC`, SIP_RPC_TOKEN: TOKEN }),
    rpcUrl: `http://${rpc}/RPC`,
    get kamailio() {
      return kamailio;
    },
    stopKamailio: stop,
    startKamailio: async () => {
      kamailio = await start();
    },
    configure,
    isBound: async (addressOfRecord) =>
      'result' in ((await (await call('ul.lookup', ['location', addressOfRecord])).json()) as object),
    register: (user, domain, secret, registering = {}) => {
      const { seconds = 600, tcp = false, contact = `sip:${user}@127.0.0.1:5999`, port, as = user } = registering;
      const keys = { domain, contact, seconds: String(seconds) };
      return sipp('register', sip, { user, as, secret, tcp, keys, ...(port !== undefined && { port }) });
    },
    addresses: async () => {
      const { body } = await app.rest<Awaited<ReturnType<Stack['addresses']>>>('GET', '/location?itemsPerPage=100');
      return body.data;
    },
    close: async () => {
      await stop();
      await run('kamailio', 'uninstall', '--schema', schema, '--user', schema);
      await app.close();
      await drop();
    },
  };
}

/** Runs the command line and returns its output. Throws if it fails. */
export async function runCommand(
  url: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { out, err, code } = await runSipgraph({ DATABASE_URL: url, ...env }, ...args);
  if (code !== 0) throw new Error(err.trimEnd());
  return out;
}
