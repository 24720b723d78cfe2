import { readFileSync } from 'node:fs';

import { Argument, InvalidArgumentError, Option, type Command } from 'commander';

import { ApiTokenService } from '../auth/api-token-service';
import { apiTokensOf, type ApiToken } from '../auth/api-token-store';
import { ROLES, type Role } from '../auth/role';
import { UserService } from '../auth/user-service';
import { InvalidInputError, quote } from '../errors';
import { trustedDocuments } from '../graphql/features/contract/fitting-documents';
import { isoTime } from '../resources/documents/iso-time';
import { answering, count } from './answer';
import type { Databases } from './databases';

interface Given {
  readonly name: string;
  readonly role: Role;
  readonly expires?: number;
  readonly note?: string;
  readonly documents?: readonly string[];
}

const MAX_LISTED = 10_000;

/** Adds the commands `token create`, `list` and `delete`. */
export function addApiTokenCommands(token: Command, databases: Databases): void {
  answering(
    token
      .command('create')
      .description('create an API token of a user, and print it; it cannot be printed again')
      .addArgument(new Argument('<username>', 'name of the user'))
      .requiredOption('--name <name>', 'name of the token')
      .addOption(new Option('--role <role>', "role of the token, at most the user's").choices(ROLES).default('viewer'))
      .option(
        '--expires <date>',
        'date or time at which the token expires, such as 2027-12-31 (default: never)',
        toTime,
      )
      .option('--note <note>', 'note about the token')
      .option(
        '--documents <file...>',
        'files with the only GraphQL documents that the token may send, one each (default: any)',
      ),
    (username: string, { expires, documents, ...input }: Given) =>
      databases.openExisting(async (database) => {
        const { ref } = await new UserService(database, databases.actor).byName(username);
        const issued = await new ApiTokenService(database, databases.actor).createFor(ref, {
          ...input,
          expiresOn: expires ?? null,
          documents: documents && trustedDocuments(documents.map(read), input.role),
        });
        databases.logChange('api-token-created', { username, role: input.role, token: issued.apiToken.ref });
        return { text: [issued.token], json: { token: issued.token, apiToken: show(issued.apiToken) } };
      }),
  );
  answering(
    token
      .command('list')
      .description('list the API tokens, without the tokens themselves')
      .option('--user <username>', 'only the tokens of this user'),
    ({ user }: { readonly user?: string }) =>
      databases.openExisting(async (database) => {
        const tokens =
          user === undefined
            ? await new ApiTokenService(database, databases.actor).all(MAX_LISTED)
            : await apiTokensOf(database, (await new UserService(database, databases.actor).byName(user)).ref);
        return { text: tokens.map(lineOf), json: { tokens: tokens.map(show) } };
      }),
  );
  answering(
    token
      .command('delete')
      .description('delete an API token, which is rejected from then on')
      .addArgument(new Argument('<ref>', 'reference of the token, as `token list` prints it')),
    (ref: string) =>
      databases.openExisting(async (database) => {
        const deleted = await new ApiTokenService(database, databases.actor).delete(undefined, ref);
        const { username, role } = deleted;
        databases.logChange('api-token-deleted', { username, role, token: ref });
        return { text: [], json: show(deleted) };
      }),
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw InvalidInputError.of('documents', `cannot read ${quote(file)}`);
  }
}

function toTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T.*)?$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It is not a date such as 2027-12-31.');
  return time;
}

function lineOf({ ref, username, name, role, expiresOn, lastUsedOn, lastUsedFrom, documents }: ApiToken): string {
  const expires = expiresOn === null ? 'does not expire' : `expires ${isoTime(expiresOn)}`;
  const used =
    lastUsedOn === null ? 'never used' : `last used ${isoTime(lastUsedOn).slice(0, 10)} from ${lastUsedFrom ?? '?'}`;
  return `${ref.padEnd(12)} ${role.padEnd(9)} ${username}: ${name} (${expires}, ${used}${documents > 0 ? `, only ${count(documents, 'document')}` : ''})`;
}

function show({ createdOn, expiresOn, lastUsedOn, ...token }: ApiToken): object {
  return {
    ...token,
    createdOn: isoTime(createdOn),
    expiresOn: expiresOn === null ? null : isoTime(expiresOn),
    lastUsedOn: lastUsedOn === null ? null : isoTime(lastUsedOn),
  };
}
