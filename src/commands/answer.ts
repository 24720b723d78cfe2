import { types } from 'node:util';

import { InvalidArgumentError, type Command } from 'commander';

import { operatorMessage } from '../database/errors';
import { table, visible, visibleJson, type Mark } from './table';

/** The output of a command: lines of text, and the value that `--json` prints instead. */
export interface Answer {
  readonly text: readonly string[];
  readonly json: object;
  /** Whether the text is a document or a configuration, which stays as it is in a file or a pipe. */
  readonly isDocument?: boolean;
  /** The exit code; by default 0. */
  readonly code?: number;
  /** Whether the command goes on if the answer cannot be printed. */
  readonly goesOn?: boolean;
}

/** A command has printed its answer, whose exit code is not 0. */
export class CommandEnd extends Error {
  constructor(readonly code: number) {
    super(`exit code ${String(code)}`);
  }
}

/** A command failed. `details` are printed before the message, one per line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly details: readonly string[] = [],
    /** The exit code. */
    readonly code = 1,
  ) {
    super(message);
  }
}

/** The exit codes, for the help of every command. */
export const EXIT_CODES = `
Exit codes:
  0  success
  1  failure; the reason is printed to standard error
  2  incorrect usage: an unknown command or option, or a missing or invalid argument;
     of plan also: there are changes
  3  of drift: the server differs from the files; of replay: a call goes another way
  4  of plan and apply: a routing test fails`;

/**
 * Makes the command call `work` with its arguments and options, and print the result as text or, with `--json`, as
 * JSON.
 */
export function answering(
  command: Command,
  // Commander passes the arguments of the command and then its options. `work` declares their types.
  work: (...given: never[]) => Answer | Promise<Answer>,
): Command {
  return command
    .option('--json', 'print the result, or the error, as one JSON document')
    .action(async (...given: unknown[]) => {
      // With its parents, because a command with subcommands takes their options, too.
      const { text, json, code = 0, isDocument = false, goesOn = false } = await work(...(given as never[]));
      const shown = isDocument && !process.stdout.isTTY ? text : text.map(visible);
      const lines = command.optsWithGlobals()['json'] === true ? [visibleJson(json)] : shown;
      await print(lines).catch((error: unknown) => {
        if (!goesOn) throw error;
        warn(reasonOf(error));
      });
      if (code !== 0) throw new CommandEnd(code);
    });
}

/** Prints lines. Throws CommandError if standard output does not take them, for example because the disk is full. */
async function print(lines: readonly string[]): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(lines.map((line) => `${line}\n`).join(''), (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw new CommandError(`the answer cannot be printed: ${reasonOf(error)}`);
  }
}

/** The message of an error, of Node's system errors without the code: `ENOENT: no such file or directory, open 'a.csv'`. */
export function reasonOf(error: unknown): string {
  // The errors of better-sqlite3 are not native.
  if (!types.isNativeError(error) && !(error instanceof Error)) return String(error);
  return operatorMessage(error)
    .replace(/^[A-Z]+: (.*), \w+ '([^']*)'$/, '$2: $1')
    .replace(/^[A-Z]+: (.*), \w+$/, '$1');
}

const MOST = 10_000;

/** Parses the option `--limit`. */
export function limitIn(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST) throw new InvalidArgumentError(`Expected a number from 1 to ${String(MOST)}.`);
  return limit;
}

/** The line that says that a list has more items than `--limit` allows; nothing if it has not. */
export function moreOf(items: string, more: boolean, limit: number): readonly string[] {
  if (!more) return [];
  return [`(more ${items} follow${limit < MOST ? `: --limit ${String(Math.min(2 * limit, MOST))}` : ''})`];
}

/** A part of a list, as a table. */
export function listOf<T extends object>(
  items: string,
  rows: readonly T[],
  columns: Readonly<Record<string, (row: T) => unknown>>,
  { more, limit }: { readonly more: boolean; readonly limit: number },
  mark?: (row: T) => Mark,
): Answer {
  return { text: [...table(rows, columns, mark), ...moreOf(items, more, limit)], json: { [items]: rows, more } };
}

/** Prints a warning to standard error. */
export function warn(line: string): void {
  process.stderr.write(`${visible(line)}\n`);
}

/** A count with its noun: `1 row`, `2 rows`. */
export function count(many: number, what: string): string {
  return `${String(many)} ${what}${many === 1 ? '' : 's'}`;
}

/** A time in milliseconds since the epoch, as ISO 8601. */
export function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
