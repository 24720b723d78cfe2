import type { Command } from 'commander';

import { rotateKeys, storedKeys } from '../auth/key-ring';
import type { Config } from '../config/config';
import { NotSupportedError } from '../errors';
import { answering } from './answer';
import type { Databases } from './databases';

/** `key rotate` and `key list`. */
export function addKeyCommands(key: Command, databases: Databases, config: () => Config): void {
  answering(
    key
      .command('rotate')
      .description('make a new key that signs tokens; those of the old one are accepted until they end')
      .option('--now', 'end the tokens of the old keys at once: everybody signs in again'),
    ({ now = false }: { readonly now?: boolean }) =>
      databases.existing(async (database) => {
        assertStored(config());
        const kid = await rotateKeys(database, now);
        return { text: [`The key ${kid} signs tokens; running servers follow within 30 s.`], json: { kid } };
      }),
  );
  answering(key.command('list').description('list the keys that sign tokens, or have signed them'), () =>
    databases.existing(async (database) => {
      const { tokenTtl } = assertStored(config());
      const keys = (await storedKeys(database)).map(({ kid, createdOn, retiredOn }) => ({
        ...{ kid, createdOn: isoOf(createdOn) },
        ...(retiredOn !== undefined && { verifiesUntil: isoOf(retiredOn + tokenTtl * 1000) }),
      }));
      const text = keys.map(({ kid, createdOn, verifiesUntil }) => {
        const state = verifiesUntil === undefined ? 'signs' : `verifies until ${verifiesUntil}`;
        return `${kid} created ${createdOn}, ${state}`;
      });
      return { text, json: { keys } };
    }),
  );
}

function assertStored(config: Config): Config {
  if (config.jwtSecret === undefined) return config;
  throw new NotSupportedError(
    'JWT_SECRET signs tokens: to rotate it, set a new one, and the old one as JWT_SECRET_PREVIOUS',
  );
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
