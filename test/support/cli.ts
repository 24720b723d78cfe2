import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { build } from './process';

const ROOT = resolve(__dirname, '../..');

/** The result of a command. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The arguments with which Node runs the command line that `build` made: it starts in a tenth of the time of the sources. */
export const CLI = [join(ROOT, 'dist/cli.js')];

/** Creates `bin/npx` in the directory, which runs `npx sipgraph` as it is built. */
export async function writeNpx(directory: string): Promise<void> {
  build();
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
    ...env,
  };
}

/** Runs `sipgraph` in a separate process, as an operator does, and waits for its end. */
export function sipgraph(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = ROOT,
): Promise<Ended> {
  build();
  return new Promise((done) => {
    execFile(process.execPath, [...CLI, ...args], { cwd, env: cliEnvironment(env) }, (error, out, err) => {
      done({ code: error ? Number(error.code ?? -1) : 0, out, err });
    });
  });
}
