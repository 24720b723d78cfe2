import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** The result of a command. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The arguments with which Node runs the command line from its sources. */
export const CLI = ['-r', require.resolve('@swc-node/register'), join(ROOT, 'src/cli.ts')];

/** Creates `bin/npx` in the directory, which runs `npx sipgraph` from the sources. */
export async function writeNpx(directory: string): Promise<void> {
  await mkdir(join(directory, 'bin'));
  const command = [process.execPath, ...CLI].map((part) => `'${part}'`).join(' ');
  await writeFile(join(directory, 'bin/npx'), `#!/bin/sh\nshift\nexec ${command} "$@"\n`, { mode: 0o755 });
}

/** The environment of a command, without the variables of the test. */
export function cliEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    LOG_LEVEL: 'silent',
    DRAIN: '200ms',
    SWC_NODE_PROJECT: join(ROOT, 'tsconfig.json'),
    ...env,
  };
}

/** Runs `sipgraph` in a separate process, as an operator does, and waits for its end. */
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
