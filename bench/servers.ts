import { execFileSync, type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { descendants } from './processes';

/** A measured server, in its own processes. */
export interface BenchServer {
  readonly name: string;
  readonly url: string;
  /** CPU time since its start, over all its processes and their threads, in microseconds. */
  cpu(): Promise<number>;
  /** Resident memory (RSS) of all its processes, in bytes. */
  resident(): Promise<number>;
  /** The peak of the resident memory (RSS) of its first process, in bytes. */
  peak(): Promise<number>;
  /** Memory usage of its first process after a garbage collection, in bytes. */
  memory(): Promise<NodeJS.MemoryUsage>;
  stop(): Promise<void>;
}

const ROOT = resolve(__dirname, '..');
const PEERS = 'node_modules/.cache/sipgraph-bench/bench/peers';
const START_SECONDS = 60;

/** Compiles sipgraph and its peers. */
export function build(): void {
  const stdio: StdioOptions = ['ignore', process.stderr, process.stderr];
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio });
  execFileSync('npx', ['tsc', '-p', 'bench/tsconfig.peers.json'], { cwd: ROOT, stdio });
}

/** Starts sipgraph as in production. */
export function startSipgraph(
  environment: Readonly<Record<string, string>>,
  name = 'sipgraph',
  directory = ROOT,
): Promise<BenchServer> {
  return start(name, [join(directory, 'dist/main.js')], {
    ...environment,
    SAMPLE_DATA: 'false',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
  });
}

/** Starts another version of sipgraph: a checkout with its build. Its name is the directory as it was given. */
export function startVersion(directory: string, environment: Readonly<Record<string, string>>): Promise<BenchServer> {
  return startSipgraph(environment, directory, resolve(directory));
}

/** The peer that is sipgraph itself, with traces of 1 % of its requests. */
export const TRACED = 'traced';

async function startTraced(environment: Readonly<Record<string, string>>): Promise<BenchServer> {
  const collector = createHttpServer((request, response) => {
    request.resume().once('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo; // because it listens on a port
  const traces = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${String(port)}/v1/traces`,
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  };
  const server = await startSipgraph({ ...environment, ...traces }, TRACED);
  return {
    ...server,
    stop: async () => {
      await server.stop();
      collector.closeAllConnections();
      collector.close();
    },
  };
}

/** Starts a server of bench/peers, compiled, so that no compiler counts as its memory, or `traced`. */
export function startPeer(name: string, environment: Readonly<Record<string, string>>): Promise<BenchServer> {
  if (name === TRACED) return startTraced(environment);
  return start(name, [`${PEERS}/${name}.js`], environment);
}

/** Starts a server that answers every request with 503. */
export function startRefuser(): Promise<BenchServer> {
  return start('refuser', ['bench/modes/refuser.js'], {});
}

/** Signs in as the admin with this secret. */
export async function tokenOf({ url }: BenchServer, secret: string): Promise<string> {
  const authorization = `Basic ${Buffer.from(`admin:${secret}`).toString('base64')}`;
  const response = await fetch(`${url}/api/v1beta1/token`, { headers: { authorization } });
  const { data } = (await response.json()) as { readonly data?: string }; // docs/rest-contract.md, section 5
  if (data === undefined) throw new Error(`GET /token failed with status ${response.status}`);
  return data;
}

async function start(
  name: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<BenchServer> {
  const port = await freePort();
  const child = spawn(process.execPath, ['-r', './bench/probe.js', ...command], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-4000)));
  }
  const url = `http://127.0.0.1:${port}`;
  try {
    await ready(child, url);
  } catch (error) {
    await stop(child);
    throw new Error(`The ${name} server did not start:\n${output}`, { cause: error });
  }
  return {
    name,
    url,
    cpu: async () => {
      const answer = once(child, 'message') as Promise<[NodeJS.CpuUsage]>; // sent by the probe
      child.send('cpu');
      const [{ user, system }] = await answer;
      return (await descendants(child.pid)).reduce((sum, { cpu }) => sum + cpu, user + system);
    },
    resident: async () => {
      const answer = once(child, 'message') as Promise<[number]>; // sent by the probe
      child.send('resident');
      const [own] = await answer;
      return (await descendants(child.pid)).reduce((sum, { resident }) => sum + resident, own);
    },
    peak: async () => {
      const answer = once(child, 'message') as Promise<[number]>; // sent by the probe
      child.send('peak');
      return (await answer)[0];
    },
    memory: async () => {
      const answer = once(child, 'message') as Promise<[NodeJS.MemoryUsage]>; // sent by the probe
      child.send('memory');
      return (await answer)[0];
    },
    stop: () => stop(child),
  };
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const end = Date.now() + START_SECONDS * 1000;
  while (Date.now() < end && child.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await pause(50);
  }
  throw new Error(`${url}/readyz did not return 200 within ${String(START_SECONDS)} s`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(late);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
