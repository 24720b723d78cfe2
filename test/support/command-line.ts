import { runCommandLine } from '../../src/commands/run';

/** The output of a command, and the exit code of the process. */
export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs a command of the command line in this process. */
export async function runCommand(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const write = (to: string[]) => (chunk: unknown, done?: unknown) => {
    if (typeof done === 'function') process.nextTick(done);
    return to.push(String(chunk)) > 0;
  };
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(write(out)),
    jest.spyOn(process.stderr, 'write').mockImplementation(write(err)),
  ];
  try {
    const code = await runCommandLine({ LOG_LEVEL: 'silent', ...env }, args);
    return { out: out.join(''), err: err.join(''), code };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
