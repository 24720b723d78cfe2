import type { Command } from 'commander';

import { rotateKeys, storedKeys } from '../auth/key-ring';
import type { Config } from '../config';
import { NotSupportedError } from '../errors';
import { say, type WithDatabase } from './say';

/** `key rotate` and `key list`. */
export function addKeyCommands(key: Command, withDatabase: WithDatabase): void {
  key
    .command('rotate')
    .description('make a new key that signs tokens; those of the old one are accepted until they end')
    .option('--now', 'end the tokens of the old keys at once: everybody signs in again')
    .action(({ now = false }: { now?: boolean }) =>
      withDatabase(async (database, config) => {
        assertStored(config);
        const kid = await rotateKeys(database, now);
        say(`The key ${kid} signs tokens; running servers follow within 30 s.`);
      }),
    );
  key
    .command('list')
    .description('list the keys that sign tokens, or have signed them')
    .action(() =>
      withDatabase(async (database, config) => {
        assertStored(config);
        for (const { kid, createdOn, retiredOn } of await storedKeys(database)) {
          const state =
            retiredOn === undefined ? 'signs' : `verifies until ${isoOf(retiredOn + config.tokenTtl * 1000)}`;
          say(`${kid} created ${isoOf(createdOn)}, ${state}`);
        }
      }),
    );
}

function assertStored({ jwtSecret }: Config): void {
  if (jwtSecret === undefined) return;
  throw new NotSupportedError(
    'JWT_SECRET signs tokens: to rotate it, set a new one, and the old one as JWT_SECRET_PREVIOUS',
  );
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
