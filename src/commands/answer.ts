import type { Command } from 'commander';

/** What a command did: lines for people, and a value that `--json` prints in their place. */
export interface Answer {
  readonly text: readonly string[];
  readonly json: object;
}

/** A command failed; `details` are printed before the message, a line each. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly details: readonly string[] = [],
  ) {
    super(message);
  }
}

const EXIT_CODES = `
Exit codes:
  0  done
  1  failed; the reason is on standard error
  2  wrong usage: an unknown command or option, or an argument that is missing or not valid`;

/** Says in the help of every command how it ends. */
export function addExitCodes(program: Command): Command {
  return program.addHelpText('afterAll', EXIT_CODES);
}

/** Has the command do `work` with its arguments and options, and print the answer: as lines, or with `--json` as JSON. */
export function answering(
  command: Command,
  // Commander hands over what the command declares, its arguments and then its options: `work` says their types.
  work: (...given: never[]) => Answer | Promise<Answer>,
): Command {
  return command
    .option('--json', 'print the result, or the error, as one JSON document')
    .action(async (...given: unknown[]) => {
      const { text, json } = await work(...(given as never[]));
      const lines = command.opts()['json'] === true ? [JSON.stringify(json)] : text;
      process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    });
}

/** Tells the operator what does not keep a command from succeeding. */
export function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A number of things: `1 row`, `2 rows`. */
export function count(many: number, what: string): string {
  return `${String(many)} ${what}${many === 1 ? '' : 's'}`;
}
