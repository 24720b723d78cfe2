import { randomBytes } from 'node:crypto';

import { InvalidArgumentError, Option, type Command } from 'commander';

import type { Config } from '../config/config';
import { NotSupportedError } from '../errors';
import { LIMIT_DEFAULTS, kamailioConfiguration } from '../kamailio/configuration';
import { KAMAILIO_DEFAULTS, installKamailio, uninstallKamailio } from '../kamailio/install';
import { assertSecret } from '../kamailio/config-values';
import { assertTarget, type KamailioTarget } from '../kamailio/target';
import { answering } from './answer';
import type { Databases } from './databases';

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
  readonly workers: number;
  readonly flood: number;
  readonly addressGuesses: number;
  readonly userGuesses: number;
  readonly banSeconds: number;
}

/** `kamailio install`, `config` and `uninstall`. */
export function addKamailioCommands(kamailio: Command, databases: Databases, config: () => Config): void {
  const withTarget = (command: Command): Command =>
    command
      .option('--schema <name>', 'the schema of the views', KAMAILIO_DEFAULTS.schema)
      .option('--user <name>', "Kamailio's database user", KAMAILIO_DEFAULTS.user)
      .option('--host <host>', 'where that user comes from', KAMAILIO_DEFAULTS.host);
  const password = (): Option => new Option('--password <password>', "that user's password").env('KAMAILIO_PASSWORD');

  answering(
    withTarget(
      kamailio.command('install').description('make the views, and a database user who may see them alone'),
    ).addOption(password()),
    (options: TargetOptions & { readonly password?: string }) =>
      databases.prepared(async (database) => {
        const { password: made } = await installKamailio(database, targetOf(options), options.password);
        const shown = options.password === undefined && made !== undefined ? { password: made } : {};
        return {
          text: [
            `Kamailio finds the model in the schema ${options.schema}, as ${options.user}.`,
            ...Object.values(shown).map((text) => `The password is ${text}`),
          ],
          json: { ...targetOf(options), ...shown },
        };
      }),
  );
  answering(
    withTarget(kamailio.command('config').description('print a complete kamailio.cfg'))
      .addOption(password().makeOptionMandatory())
      .option('--sip <address>', 'where SIP is spoken, host:port', '127.0.0.1:5060')
      .option('--rpc <address>', 'where JSON-RPC is spoken, host:port; off by default')
      .addOption(new Option('--rpc-token <token>', 'what its callers have to know').env('SIP_RPC_TOKEN'))
      .option('--run <directory>', 'for the control socket', '/run/kamailio')
      .addOption(amount('--workers <number>', 'processes for UDP, and as many for TCP', 1, 64, LIMIT_DEFAULTS.workers))
      .addOption(
        amount(
          '--flood <number>',
          'requests a second from one address; 0 is no limit',
          0,
          100_000,
          LIMIT_DEFAULTS.flood,
        ),
      )
      .addOption(
        amount(
          '--address-guesses <number>',
          'wrong digests until an address is banned; 0 is never',
          0,
          100_000,
          LIMIT_DEFAULTS.addressGuesses,
        ),
      )
      .addOption(
        amount(
          '--user-guesses <number>',
          'wrong digests until a user name is refused at an address; 0 is never',
          0,
          100_000,
          LIMIT_DEFAULTS.userGuesses,
        ),
      )
      .addOption(amount('--ban-seconds <number>', 'how long that lasts', 1, 86_400, LIMIT_DEFAULTS.banSeconds)),
    (options: ConfigOptions) => {
      const { sip, run, rpc, rpcToken, workers, flood, addressGuesses, userGuesses, banSeconds } = options;
      // An empty one would let anybody in.
      const token = rpcToken === undefined || rpcToken === '' ? randomBytes(18).toString('base64url') : rpcToken;
      assertTarget(targetOf(options));
      assertSecret('password', options.password ?? '');
      const configuration = kamailioConfiguration({
        sip,
        run,
        databaseUrl: urlFor(config(), options),
        ...{ workers, flood, addressGuesses, userGuesses, banSeconds },
        ...(rpc && { rpc: { address: rpc, token } }),
      });
      return { text: [configuration.trimEnd()], json: { configuration } };
    },
  );
  answering(
    withTarget(kamailio.command('uninstall').description('take views and user away; the model stays')),
    (options: TargetOptions) =>
      databases.existing(async (database) => {
        const lines = await uninstallKamailio(database, targetOf(options));
        return { text: lines, json: { ...targetOf(options), lines } };
      }),
  );
}

/** An option that is a whole number within bounds. */
function amount(flags: string, about: string, least: number, most: number, usual: number): Option {
  return new Option(flags, about).default(usual).argParser((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It is a whole number from ${String(least)} to ${String(most)}.`);
    return value;
  });
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
