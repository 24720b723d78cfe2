import { pino, stdSerializers, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

import type { Config } from './config/config';

/** The log: JSON lines, on standard output unless another destination is given, without tokens and secrets. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, to?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level: logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: errorWithoutValues },
  };
  return to ? pino(options, to) : pino(options);
}

const SHOWN = ['filter', 'page', 'itemsPerPage'];

/** A URL as it may be logged: tokens of legacy clients, documents and variables of GraphQL are taken out of the query. */
export function withoutSecrets(url: string): string {
  return url.replace(/([?&][^=&#]*=)[^&#]*/g, (whole, name: string) =>
    SHOWN.includes(name.slice(1, -1)) ? whole : `${name}***`,
  );
}

/** Drivers' errors carry the statement's values, which may be secrets: the statement and the stack are enough. */
function errorWithoutValues(error: Error): object {
  const { type, message, stack } = stdSerializers.err(error);
  const { code } = error as { readonly code?: unknown };
  return { type, message, stack, ...(typeof code === 'string' && { code }) };
}
