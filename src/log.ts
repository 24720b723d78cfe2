import fs from 'node:fs';

import {
  pino,
  stdSerializers,
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  type SerializedError,
} from 'pino';

import type { Config } from './config/config';
import { DeniedError, shorten } from './errors';
import { escapeInvisible } from './spelling/invisible';

/** Creates the logger. It writes JSON lines without tokens and secrets to `to`, or to standard output. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, to?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: errorWithoutValues },
    // A name that somebody signs in with could otherwise hide lines from whoever reads the log in a terminal.
    hooks: { streamWrite: (line) => `${escapeInvisible(line.slice(0, -1))}\n` },
  };
  return pino(options, to ?? (standard ??= standardOutput()));
}

/** Logs a failure that may pass as a warning, and one that an operator must mend as an error. */
export function logFailure(
  log: Pick<Logger, 'warn' | 'error'>,
  error: unknown,
  message: string,
  logged: Readonly<Record<string, unknown>> = {},
): void {
  log[error instanceof DeniedError ? 'error' : 'warn']({ err: error, ...logged }, message);
}

let standard: DestinationStream | undefined;
/** Characters that wait for standard output at most. */
const MOST_WAITING = 4 * 1024 * 1024;

/** Milliseconds at the end of the process in which a pipe that is full may be read. */
const LAST_WAIT = 1000;

/** Standard output. Lines that it does not take, for example because the disk is full, wait, and are lost at the end. */
function standardOutput(): DestinationStream {
  const to = pino.destination({ dest: 1, maxLength: MOST_WAITING });
  to.on('error', () => undefined);
  // At the end of the process, the destination writes the lines that wait, and would try for ever if that fails.
  process.prependListener('exit', giveUpWriting);
  return to;
}

/** Lets writes that fail count as done. Those to a pipe that is full are tried again for a while. */
function giveUpWriting(): void {
  const { writeSync } = fs;
  const until = Date.now() + LAST_WAIT;
  const write = (fd: number, text: string, ...rest: [number?, BufferEncoding?]): number => {
    for (;;) {
      try {
        return writeSync(fd, text, ...rest);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() > until) return Buffer.byteLength(text);
      }
    }
  };
  fs.writeSync = write as typeof writeSync;
}

// auth/api-token.ts makes them.
const API_TOKEN = /sg_\w{20,}/g;
const MAX_STACK = 8000;
const SHOWN = ['filter', 'page', 'itemsPerPage'];

/**
 * Masks the query parameters of a URL for the log, except for filters and pages, because the others can contain the
 * token of a legacy client, or a GraphQL document with variables. Masks API tokens anywhere.
 */
export function withoutSecrets(url: string): string {
  return url
    .replace(API_TOKEN, '***')
    .replace(/([?&][^=?&#]*=)[^&#]*/g, (whole, name: string) =>
      SHOWN.includes(name.slice(1, -1)) ? whole : `${name}***`,
    );
}

/**
 * Returns only the properties to log, because errors of database drivers also contain the values of a statement, such
 * as secrets.
 */
function errorWithoutValues(error: unknown): object {
  const thrown = Object(error) as Error & { readonly code?: unknown };
  const { code } = thrown;
  // A thrown value that is not an error is returned as it is.
  const { type, message, stack } = stdSerializers.err(thrown) as Partial<SerializedError>;
  return {
    type,
    message: shorten(message ?? String(error)),
    stack: shorten(stack ?? '', MAX_STACK),
    ...(typeof code === 'string' && { code }),
  };
}
