import { createProgram } from '../../src/commands/program';

/** What a command printed, and why it failed, if it did. */
export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly failure: string | undefined;
}

/** Runs a command of the command line in this process. */
export async function runCommand(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const write = (to: string[]) => (chunk: unknown) => to.push(String(chunk)) > 0;
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(write(out)),
    jest.spyOn(process.stderr, 'write').mockImplementation(write(err)),
  ];
  let failure: string | undefined;
  try {
    await createProgram({ LOG_LEVEL: 'silent', ...env })
      .exitOverride()
      .parseAsync([...args], { from: 'user' });
  } catch (error) {
    failure = (error as Error).message;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { out: out.join(''), err: err.join(''), failure };
}
