import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The arguments with which Node runs the command line from its sources. */
export const CLI = ['-r', require.resolve('@swc-node/register'), join(ROOT, 'src/cli.ts')];

/** The environment that it needs; nothing of the test's own goes in. */
export function cliEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LOG_LEVEL: 'silent',
    SWC_NODE_PROJECT: join(ROOT, 'tsconfig.json'),
    ...env,
  };
}

/** Runs `sipgraph` in a process of its own, as an operator does, to its end. */
export function sipgraph(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = ROOT,
): Promise<Ended> {
  return new Promise((done) => {
    execFile(process.execPath, [...CLI, ...args], { cwd, env: cliEnvironment(env) }, (error, out, err) => {
      done({ code: error ? Number(error.code ?? -1) : 0, out, err });
    });
  });
}
