import { randomBytes } from 'node:crypto';

import { SingleBar } from 'cli-progress';
import { Argument, Command, Option } from 'commander';

import { ROLES, type Role } from '../auth/role';
import { UserService } from '../auth/user-service';
import { loadConfig, type Config } from '../config';
import type { Database } from '../database/database';
import { openDatabase, withStartLock } from '../database/open';
import { createLogger } from '../log';
import { entitiesFor } from '../resources/entities';
import { serve } from '../serve';
import { migrate } from '../start';
import { exportTo } from './export';
import { addKamailioCommands } from './kamailio';
import { addKeyCommands } from './keys';
import { complain, say, type WithDatabase } from './say';
import { importFiles, type Outcome } from './import';
import { importNumbers } from './import-numbers';

/** The command line: what an operator does beside the server, on the same configuration. */
export function createProgram(env: NodeJS.ProcessEnv): Command {
  const program = new Command('sipgraph')
    .description(
      'The management plane of a SIP server. The configuration comes from the environment, as for the server.',
    )
    .version(loadVersion(), '-v, --version');
  const withDatabase = <T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> =>
    onDatabase(env, work);

  program
    .command('serve')
    .description('serve GraphQL and REST')
    .action(() => serve(env));
  program
    .command('migrate')
    .description('make the tables of this version, or bring them up to it')
    .action(async () => {
      await withDatabase(() => Promise.resolve());
      say('The tables are those of this version.');
    });
  addUserCommands(program.command('user').description('keep the users'), withDatabase);
  program
    .command('import')
    .description("bring in Routr v1's YAML files (or JSON): all that is in them, or nothing")
    .argument('<path...>', 'files, or directories of them')
    .option('--dry-run', 'tell what would be done, and do nothing')
    .action((paths: string[], { dryRun = false }: { dryRun?: boolean }) =>
      withDatabase(async (database) => {
        const { outcomes, mistakes, notices } = await importFiles(database, paths, !dryRun);
        for (const notice of notices) complain(notice);
        for (const { did, kind, ref, place } of outcomes) if (dryRun) say(`${did.padEnd(9)} ${kind} ${ref} (${place})`);
        for (const { warning, place } of outcomes) if (warning !== undefined) complain(`${place}: warning: ${warning}`);
        for (const mistake of mistakes) complain(mistake);
        if (mistakes.length > 0) throw new Error(`${count(mistakes.length, 'mistake')}; nothing was imported`);
        say(summary(outcomes, dryRun));
      }),
    );
  program
    .command('export')
    .description("write everything, secrets included, into Routr v1's files, which import takes")
    .argument('<directory>', 'where to')
    .action((directory: string) =>
      withDatabase(async (database) => {
        const counts = await exportTo(database, directory);
        say([...counts].map(([name, many]) => `${String(many)} ${name}`).join(', '));
      }),
    );
  addNumbersCommand(program, withDatabase);
  addKeyCommands(program.command('key').description('keep the keys that sign tokens'), withDatabase);
  addKamailioCommands(
    program.command('kamailio').description('have Kamailio read the model and write who is registered'),
    withDatabase,
    () => loadConfig(env),
  );
  return program;
}

function addNumbersCommand(program: Command, withDatabase: WithDatabase): void {
  program
    .command('import-numbers')
    .description(
      'make a Number of every row of a CSV file, all or none; columns telUrl, aorLink, gwRef, and of geoInfo',
    )
    .argument('<file>', 'CSV file with a header')
    .addOption(new Option('--kind <kind>', 'what to make').choices(['Number', 'DID']).default('Number'))
    .option('--report <file>', 'what became of each row, as CSV (default: <file>.report.csv)')
    .action((file: string, { kind, report = `${file}.report.csv` }: { kind: 'Number' | 'DID'; report?: string }) =>
      withDatabase(async (database) => {
        const bar = new SingleBar({
          format: '{value} rows, {duration_formatted}',
          noTTYOutput: false,
          clearOnComplete: true,
        });
        bar.start(0, 0);
        const counts = await importNumbers(database, file, {
          kind,
          report,
          progress: (rows) => bar.update(rows),
        }).finally(() => bar.stop());
        const { rows, created, unchanged, failed } = counts;
        if (failed > 0)
          throw new Error(`${String(failed)} of ${String(rows)} rows failed; nothing was imported: see ${report}`);
        say(`${count(rows, 'row')}: ${String(created)} created, ${String(unchanged)} unchanged; see ${report}`);
      }),
    );
}

function addUserCommands(user: Command, withDatabase: WithDatabase): void {
  const username = new Argument('<username>', 'name to sign in with');
  const secretOption = new Option(
    '--secret <secret>',
    'secret to sign in with; one is made and shown if there is none',
  ).env('USER_SECRET');
  const onUsers = (work: (users: UserService) => Promise<void>): Promise<void> =>
    withDatabase((database) => work(new UserService(database)));

  user
    .command('add')
    .description('make a user')
    .addArgument(username)
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).default('operator'))
    .addOption(secretOption)
    .action((name: string, { role, secret }: { role: Role; secret?: string }) =>
      onUsers(async (users) => {
        await users.create({ username: name, role, secret: secret ?? made() });
      }),
    );
  user
    .command('list')
    .description('list the users')
    .action(() =>
      onUsers(async (users) => {
        const { items } = await users.page({ limit: 10_000, backwards: false });
        for (const { ref, username: name, role } of items) say(`${ref.padEnd(12)} ${role.padEnd(9)} ${name}`);
      }),
    );
  user
    .command('secret')
    .description("change a user's secret, which ends the user's tokens")
    .addArgument(username)
    .addOption(secretOption)
    .action((name: string, { secret }: { secret?: string }) =>
      onUsers(async (users) => {
        await users.setSecret((await users.named(name)).ref, secret ?? made());
      }),
    );
  user
    .command('role')
    .description('change what a user may do')
    .addArgument(username)
    .addArgument(new Argument('<role>', 'what the user may do from now on').choices(ROLES))
    .action((name: string, role: Role) =>
      onUsers(async (users) => {
        await users.setRole((await users.named(name)).ref, role);
      }),
    );
  user
    .command('delete')
    .description('delete a user, but not the last admin')
    .addArgument(username)
    .action((name: string) => onUsers(async (users) => users.delete((await users.named(name)).ref)));
}

/** Opens the database of the configuration, with the tables of this version. */
async function onDatabase<T>(
  env: NodeJS.ProcessEnv,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env);
  const database = await openDatabase(config.database, entitiesFor(config.database.dialect), createLogger(config));
  try {
    await withStartLock(database, () => migrate(database));
    return await work(database, config);
  } finally {
    await database.close();
  }
}

function loadVersion(): string {
  return loadConfig({}).version;
}

function made(): string {
  const secret = randomBytes(15).toString('base64url');
  say(`The secret is ${secret}`);
  return secret;
}

function summary(outcomes: readonly Outcome[], dryRun: boolean): string {
  const of = (did: Outcome['did']): string => String(outcomes.filter((each) => each.did === did).length);
  return dryRun
    ? `${of('create')} to create, ${of('update')} to update, ${of('unchanged')} unchanged; nothing was imported`
    : `${of('create')} created, ${of('update')} updated, ${of('unchanged')} unchanged`;
}

function count(many: number, what: string): string {
  return `${String(many)} ${what}${many === 1 ? '' : 's'}`;
}
