import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
/** The file of a build that is written last. */
const LAST_WRITTEN = join(ROOT, 'dist/third-party-licenses.txt');

/** sipgraph in a separate process. */
export interface Run {
  readonly child: ChildProcess;
  /** The output so far. */
  output(): string;
  /** Waits until the output matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for the end of the process, and returns the exit code. */
  ended(): Promise<number | null>;
}

const runs: Run[] = [];

/** Starts the built server, optionally with a limit of open files, or of another directory with `dist`. */
export function start(env: Readonly<Record<string, string>>, openFiles?: number, directory = ROOT): Run {
  const limit = openFiles === undefined ? '' : `ulimit -n ${String(openFiles)};`;
  const child = spawn('sh', ['-c', `${limit} exec "$0" dist/main.js`, process.execPath], {
    cwd: directory,
    env: { PATH: process.env['PATH'], PORT: '0', DRAIN: '200ms', ...env },
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString();
      for (const listener of listeners) listener();
    });
  }
  const run: Run = {
    child,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        child.once('exit', () => {
          reject(new Error(`It ended before it printed ${String(pattern)}:\n${output}`));
        });
        look();
      }),
    ended: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
  runs.push(run);
  return run;
}

/** Bundles the server for `start`. Does nothing if the sources are older than the build. */
export function build(): void {
  const built = statSync(LAST_WRITTEN, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (newestSource() < built) return;
  execFileSync(process.execPath, ['tools/build-server.mjs'], { cwd: ROOT });
}

/** When the sources of the server last changed, in milliseconds since 1970. A deleted file changes its directory. */
function newestSource(): number {
  const sources = readdirSync(join(ROOT, 'src'), { encoding: 'utf8', recursive: true }).map((name) =>
    join('src', name),
  );
  const others = ['src', 'package.json', 'package-lock.json', 'tools'];
  return Math.max(...[...sources, ...others].map((name) => statSync(join(ROOT, name)).mtimeMs));
}

/** Waits until the server listens, and returns its URL. */
export async function listening(run: Run): Promise<string> {
  return (await run.printed(/GraphQL +(http\S+)\/graphql/))[1] ?? '';
}

/** Kills all processes that were started. */
export function killAll(): void {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL');
}
