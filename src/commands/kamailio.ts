import { createHash, randomBytes } from 'node:crypto';

import { Option, type Command } from 'commander';

import type { Config } from '../config';
import { NotSupportedError } from '../errors';
import { kamailioConfiguration } from '../kamailio/configuration';
import { KAMAILIO_DEFAULTS, installKamailio, uninstallKamailio } from '../kamailio/install';
import { assertSecret } from '../kamailio/printable';
import { assertTarget, type KamailioTarget } from '../kamailio/target';
import { say, type WithDatabase } from './say';

interface TargetOptions {
  readonly schema: string;
  readonly user: string;
  readonly host: string;
}

interface ConfigOptions extends TargetOptions {
  readonly sip: string;
  readonly password?: string;
  readonly rpc?: string;
  readonly rpcToken?: string;
  readonly run: string;
}

/** `kamailio install`, `config` and `uninstall`. */
export function addKamailioCommands(kamailio: Command, withDatabase: WithDatabase, config: () => Config): void {
  const withTarget = (command: Command): Command =>
    command
      .option('--schema <name>', 'the schema of the views', KAMAILIO_DEFAULTS.schema)
      .option('--user <name>', "Kamailio's database user", KAMAILIO_DEFAULTS.user)
      .option('--host <host>', 'where that user comes from', KAMAILIO_DEFAULTS.host);
  const password = (): Option => new Option('--password <password>', "that user's password").env('KAMAILIO_PASSWORD');

  withTarget(kamailio.command('install').description('make the views, and a database user who may see them alone'))
    .addOption(password())
    .action((options: TargetOptions & { readonly password?: string }) =>
      withDatabase(async (database) => {
        const { password: made } = await installKamailio(database, targetOf(options), options.password);
        say(`Kamailio finds the model in the schema ${options.schema}, as ${options.user}.`);
        if (made !== undefined && options.password === undefined) say(`The password is ${made}`);
      }),
    );
  withTarget(kamailio.command('config').description('print a complete kamailio.cfg'))
    .addOption(password().makeOptionMandatory())
    .option('--sip <address>', 'where SIP is spoken, host:port', '127.0.0.1:5060')
    .option('--rpc <address>', 'where JSON-RPC is spoken, host:port; off by default')
    .addOption(new Option('--rpc-token <token>', 'what its callers have to know').env('SIP_RPC_TOKEN'))
    .option('--run <directory>', 'for the control socket', '/run/kamailio')
    .action((options: ConfigOptions) => {
      const { sip, run, rpc, rpcToken } = options;
      // An empty one would let anybody in.
      const token = rpcToken === undefined || rpcToken === '' ? randomBytes(18).toString('base64url') : rpcToken;
      assertTarget(targetOf(options));
      assertSecret('password', options.password ?? '');
      process.stdout.write(
        kamailioConfiguration({
          sip,
          run,
          databaseUrl: urlFor(config(), options),
          key: createHash('sha256')
            .update(`dialogs ${options.password ?? ''}`)
            .digest('hex'),
          ...(rpc && { rpc: { address: rpc, token } }),
        }),
      );
    });
  withTarget(kamailio.command('uninstall').description('take views and user away; the model stays')).action(
    (options: TargetOptions) =>
      withDatabase(async (database) => {
        for (const line of await uninstallKamailio(database, targetOf(options))) say(line);
      }),
  );
}

function targetOf({ schema, user, host }: TargetOptions): KamailioTarget {
  return { schema, user, host };
}

/** The same server as sipgraph's. */
function urlFor({ database }: Config, { user, schema, password = '' }: ConfigOptions): string {
  if (database.dialect === 'sqlite') throw new NotSupportedError('Kamailio needs MySQL or MariaDB: set DATABASE_URL');
  // To MySQL's own client library `localhost` is a socket, whatever the port.
  const host = database.host === 'localhost' ? '127.0.0.1' : database.host;
  const authority = host.includes(':') ? `[${host}]` : host;
  return `mysql://${user}:${password}@${authority}:${String(database.port)}/${schema}`;
}
