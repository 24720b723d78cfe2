import { Argument, Option, type Command } from 'commander';

import { newSecret } from '../auth/ensure-admin';
import { ROLES, type Role } from '../auth/role';
import { UserService } from '../auth/user-service';
import type { User } from '../auth/user-store';
import { answering, type Answer } from './answer';
import type { Databases } from './databases';

interface Given {
  readonly secret?: string;
}

/** Adds the commands `user add`, `list`, `secret`, `role` and `delete`. */
export function addUserCommands(user: Command, databases: Databases): void {
  const username = new Argument('<username>', 'name to sign in with');
  const secretOption = (): Option =>
    new Option('--secret <secret>', 'secret to sign in with (default: one is generated and printed)').env(
      'USER_SECRET',
    );
  const log = async (event: Parameters<Databases['logChange']>[0], work: Promise<User>): Promise<User> => {
    const user = await work;
    databases.logChange(event, user);
    return user;
  };
  const onUsers = <T>(work: (users: UserService) => Promise<T>): Promise<T> =>
    databases.openExisting((database) => work(new UserService(database, databases.actor)));

  answering(
    user
      .command('add')
      .description('create a user')
      .addArgument(username)
      .addOption(new Option('--role <role>', 'role of the user').choices(ROLES).default('operator'))
      .addOption(secretOption()),
    (name: string, { role, secret }: Given & { readonly role: Role }) =>
      databases.openPrepared((database) =>
        withSecret(secret, (used) =>
          log(
            'user-created',
            new UserService(database, databases.actor).create({ username: name, role, secret: used }),
          ),
        ),
      ),
  );
  answering(user.command('list').description('list the users'), () =>
    onUsers(async (users) => {
      const items = await allOf(users);
      return {
        text: items.map(({ ref, username: name, role }) => `${ref.padEnd(12)} ${role.padEnd(9)} ${name}`),
        json: { users: items.map(show) },
      };
    }),
  );
  answering(
    user
      .command('secret')
      .description("change a user's secret and revoke the user's tokens; `user secret admin` restores access")
      .addArgument(username)
      .addOption(secretOption()),
    (name: string, { secret }: Given) =>
      onUsers(async (users) => {
        const { ref } = await users.byName(name);
        return withSecret(secret, (used) => log('secret-changed', users.setSecret(ref, used)));
      }),
  );
  answering(
    user
      .command('role')
      .description('change the role of a user, except of the last admin')
      .addArgument(username)
      .addArgument(new Argument('<role>', 'role of the user').choices(ROLES)),
    (name: string, role: Role) =>
      onUsers(async (users) => done(await log('role-changed', users.setRole((await users.byName(name)).ref, role)))),
  );
  answering(
    user.command('delete').description('delete a user, except the last admin').addArgument(username),
    (name: string) =>
      onUsers(async (users) => {
        const found = await users.byName(name);
        await users.delete(found.ref);
        databases.logChange('user-deleted', found);
        return done(found);
      }),
  );
}

/**
 * Calls `work` with the given or a generated secret. The answer contains a generated secret only after it has been
 * stored.
 */
async function withSecret(given: string | undefined, work: (secret: string) => Promise<User>): Promise<Answer> {
  const secret = given ?? newSecret();
  const user = await work(secret);
  if (given !== undefined) return done(user);
  return { text: [`The secret is ${secret}`], json: { ...show(user), secret } };
}

/** Users that are read at once. */
const PAGE = 1000;

async function allOf(users: UserService): Promise<readonly User[]> {
  const all: User[] = [];
  for (;;) {
    const last = all.at(-1);
    const { items, more } = await users.page({ limit: PAGE, backwards: false, after: last && [last.rowId] });
    all.push(...items);
    if (!more) return all;
  }
}

function done(user: User): Answer {
  return { text: [], json: show(user) };
}

function show({ ref, username, role }: User): object {
  return { ref, username, role };
}
