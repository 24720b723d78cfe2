import { pino, stdSerializers, type Logger } from 'pino';

import type { Config } from './config';

/** The log: JSON lines on standard output, without tokens and secrets. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: errorWithoutValues },
  });
}

/** A URL as it may be logged: legacy clients put their token into it. */
export function withoutToken(url: string): string {
  return url.replace(/([?&]token=)[^&#]*/gi, '$1***');
}

/** Drivers' errors carry the statement's values, which may be secrets: the statement and the stack are enough. */
function errorWithoutValues(error: Error): object {
  const { type, message, stack } = stdSerializers.err(error);
  const { code } = error as { readonly code?: unknown };
  return { type, message, stack, ...(typeof code === 'string' && { code }) };
}
