import type { Command } from 'commander';

import { rotateKeys, storedKeys } from '../auth/key-ring';
import type { Config } from '../config/config';
import { NotSupportedError } from '../errors';
import { isoTime } from '../resources/documents/iso-time';
import { answering } from './answer';
import type { Databases } from './databases';

/** Adds the commands `key rotate` and `key list`. */
export function addKeyCommands(key: Command, databases: Databases): void {
  answering(
    key
      .command('rotate')
      .description('create a new signing key; tokens of the old key are accepted until they expire')
      .option('--now', 'revoke the tokens of the old keys, within 5 s: all users must sign in again'),
    ({ now = false }: { readonly now?: boolean }) =>
      databases.openExisting(async (database) => {
        assertStored(databases.config);
        const kid = await rotateKeys(database, databases.actor, now);
        const old = now ? ', and refuse the tokens of the old ones' : '';
        return {
          text: [`The key ${kid} signs new tokens. Running servers switch to it within 5 s${old}.`],
          json: { kid },
        };
      }),
  );
  answering(key.command('list').description('list the current and the previous signing keys'), () =>
    databases.openExisting(async (database) => {
      const { tokenTtl } = assertStored(databases.config);
      const keys = (await storedKeys(database)).map(({ kid, createdOn, retiredOn }) => ({
        kid,
        createdOn: isoTime(createdOn),
        ...(retiredOn !== undefined && { verifiesUntil: isoTime(retiredOn + tokenTtl * 1000) }),
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
    'Tokens are signed with JWT_SECRET: to rotate it, set a new JWT_SECRET, and set JWT_SECRET_PREVIOUS to the old one',
  );
}
