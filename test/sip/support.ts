import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Kamailio for one test file. */
export interface Kamailio {
  readonly log: () => string;
  /** The directory of its control socket. */
  readonly directory: string;
  readonly stop: () => Promise<void>;
  /** Suspends Kamailio. */
  readonly freeze: () => void;
  readonly goOn: () => void;
  /** Kills all processes at once. */
  readonly crash: () => Promise<void>;
  /**
   * Calls a method at the control socket of sipgraph's configuration, such as `core.shmmem`. Returns what it prints.
   */
  readonly control: (...call: readonly string[]) => string;
}

export interface KamailioOptions {
  /** Shared memory, in MB. */
  readonly memory?: number;
  /** A command that runs Kamailio, such as `unshare`. */
  readonly within?: readonly string[];
  /** Further files beside the configuration, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Changes the configuration, for example to a limit that a test can reach. */
  readonly edit?: (configuration: string) => string;
}

/** Edits a configuration: Kamailio goes on logging what its modules say, also while it serves requests. */
export const withModulesInLog = (configuration: string): string =>
  configuration.replace('"params":["core","debug",-2]', '"params":["core","debug",2]');

/** Starts Kamailio with a configuration, and waits until it accepts requests. */
export async function startKamailio(
  configuration: string,
  sip: string,
  { memory = 64, within = [], files = {}, edit = (text) => text }: KamailioOptions = {},
): Promise<Kamailio> {
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-kamailio-'));
  const file = join(directory, 'kamailio.cfg');
  await writeFile(file, edit(configuration.replaceAll(/\/?@RUN@/g, directory).replaceAll('@SIP@', sip)));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  // Detached, so that a signal reaches all its processes.
  const [command = 'kamailio', ...before] = within.length > 0 ? [...within, 'kamailio'] : [];
  const child = spawn(
    command,
    [...before, '-f', file, '-DD', '-E', '-m', String(memory), '-M', '32', '-Y', directory],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  };
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (log += data.toString()));
  for (let turn = 0; turn < 100 && child.exitCode === null; turn++) {
    if (await answers(sip)) {
      return {
        log: () => log,
        directory,
        stop: () => stop(child),
        freeze: () => signal('SIGSTOP'),
        goOn: () => signal('SIGCONT'),
        crash: async () => {
          const ended = once(child, 'exit');
          signal('SIGKILL');
          await ended;
        },
        control: (...call) =>
          execFileSync('kamcmd', ['-s', `unix:${join(directory, 'sipgraph_kamailio_ctl')}`, ...call], {
            encoding: 'utf8',
          }),
      };
    }
  }
  await stop(child);
  throw new Error(`Kamailio did not start:\n${log.slice(-4000)}`);
}

/** Whether a server responds to OPTIONS at an address within 200 ms. */
async function answers(address: string): Promise<boolean> {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    socket.bind(0, isIPv6(host) ? '::1' : '127.0.0.1');
    await once(socket, 'listening');
    const own = socket.address().port;
    const id = Math.random().toString(36).slice(2);
    const lines = [
      `OPTIONS sip:${address} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${String(own)};branch=z9hG4bK${id}`,
      ...[
        'Max-Forwards: 5',
        `From: <sip:test@test>;tag=${id}`,
        `To: <sip:${address}>`,
        `Call-ID: ${id}`,
        'CSeq: 1 OPTIONS',
      ],
      ...['Content-Length: 0', '', ''],
    ];
    socket.send(lines.join('\r\n'), Number(port), host);
    const answer = once(socket, 'message').then(() => true);
    return await Promise.race([answer, new Promise<false>((resolve) => setTimeout(() => resolve(false), 200))]);
  } finally {
    socket.close();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** A port that is free for UDP and TCP, below the range for outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const [udp, tcp] = [createSocket('udp4'), createServer()];
    try {
      udp.bind(port, '127.0.0.1');
      await once(udp, 'listening');
      tcp.listen(port, '127.0.0.1');
      await once(tcp, 'listening');
      return port;
    } catch {
      // The port is in use: try another one.
    } finally {
      udp.close();
      tcp.close();
    }
  }
}

/** Runs a scenario of sipp once. Returns whether it succeeded. */
export async function sipp(
  scenario: 'register' | 'call' | 'answer' | 'dial' | 'message' | 'receive' | 'provide',
  server: string,
  options: {
    readonly user?: string;
    readonly secret?: string;
    readonly keys?: Readonly<Record<string, string>>;
    readonly tcp?: boolean;
    readonly from?: string;
    readonly port?: number;
    /** The private address of the phone, behind a NAT. */
    readonly inside?: string;
    /** The name in the digest, if it is escaped in the URI. */
    readonly as?: string;
  } = {},
): Promise<boolean> {
  const {
    user = 'service',
    secret = '',
    keys = {},
    tcp = false,
    from = '127.0.0.1',
    port = await freePort(),
    inside = from,
    as = user,
  } = options;
  const directory = await mkdtemp(join(tmpdir(), 'sipgraph-sipp-'));
  const child = spawn(
    'sipp',
    [
      ...['-sf', join(__dirname, 'scenarios', `${scenario}.xml`), '-s', user, '-au', as, '-ap', secret],
      ...Object.entries(keys).flatMap(([name, value]) => ['-key', name, value]),
      ...[
        '-i',
        from,
        '-p',
        String(port),
        '-cp',
        String(await freePort()),
        '-t',
        tcp ? 't1' : 'u1',
        '-key',
        'inside',
        inside,
      ],
      ...['-m', '1', '-timeout', '6', '-timeout_error', '-nostdin', server],
    ],
    { cwd: directory, stdio: 'ignore' },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

/** Sends a raw request from an address. Returns the first line of the response, ignoring 100. */
export async function ask(server: string, from: string, lines: readonly string[]): Promise<string> {
  return (await exchange(server, from, lines)).split('\r\n', 1)[0] ?? '';
}

/** The same, but returns the whole response. */
export async function exchange(server: string, from: string, lines: readonly string[]): Promise<string> {
  const [host = '', port = ''] = server.split(':');
  const socket = createSocket('udp4');
  try {
    socket.bind(0, from);
    await once(socket, 'listening');
    const id = Math.random().toString(36).slice(2);
    const via = `Via: SIP/2.0/UDP ${from}:${String(socket.address().port)};branch=z9hG4bK${id}`;
    const [first = '', ...rest] = lines;
    const text = [first, via, 'Max-Forwards: 70', `Call-ID: ${id}`, ...rest, 'Content-Length: 0', '', ''].join('\r\n');
    socket.send(text, Number(port), host);
    for (;;) {
      const [data] = (await once(socket, 'message', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
      if (!data.toString().startsWith('SIP/2.0 100 ')) return data.toString();
    }
  } finally {
    socket.close();
  }
}

/** The text of a file in this folder. */
export function fixture(name: string): Promise<string> {
  return readFile(join(__dirname, name), 'utf8');
}
