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
  readonly userRequests: number;
  readonly userSubscriptions: number;
  readonly agentCalls: number;
  readonly gatewayCalls: number;
}

/** `kamailio install`, `config` and `uninstall`. */
export function addKamailioCommands(kamailio: Command, databases: Databases, config: () => Config): void {
  const withTarget = (command: Command): Command =>
    command
      .option('--schema <name>', 'schema for the views', KAMAILIO_DEFAULTS.schema)
      .option('--user <name>', "Kamailio's database user", KAMAILIO_DEFAULTS.user)
      .option('--host <host>', 'host from which that user connects', KAMAILIO_DEFAULTS.host);
  const password = (): Option => new Option('--password <password>', 'password of that user').env('KAMAILIO_PASSWORD');

  answering(
    withTarget(
      kamailio.command('install').description('create the views, and a database user with access to them only'),
    ).addOption(password()),
    (options: TargetOptions & { readonly password?: string }) =>
      databases.prepared(async (database) => {
        const { password: made } = await installKamailio(database, targetOf(options), options.password);
        const shown = options.password === undefined && made !== undefined ? { password: made } : {};
        return {
          text: [
            `Kamailio can read the model in schema ${options.schema} as user ${options.user}.`,
            ...Object.values(shown).map((text) => `The password is ${text}`),
          ],
          json: { ...targetOf(options), ...shown },
        };
      }),
  );
  answering(
    withTarget(kamailio.command('config').description('print a complete kamailio.cfg'))
      .addOption(password().makeOptionMandatory())
      .option('--sip <address>', 'host:port to listen on for SIP', '127.0.0.1:5060')
      .option('--rpc <address>', 'host:port to listen on for JSON-RPC; off by default')
      .addOption(new Option('--rpc-token <token>', 'token required for JSON-RPC').env('SIP_RPC_TOKEN'))
      .option('--run <directory>', 'directory of the control socket', '/run/kamailio')
      .addOption(
        amount('--workers <number>', 'UDP worker processes, and as many for TCP', 1, 64, LIMIT_DEFAULTS.workers),
      )
      .addOption(
        amount(
          '--flood <number>',
          'requests per second from one address; 0 disables the limit',
          0,
          100_000,
          LIMIT_DEFAULTS.flood,
        ),
      )
      .addOption(
        amount(
          '--address-guesses <number>',
          'wrong digests before an address is banned; 0 disables bans',
          0,
          100_000,
          LIMIT_DEFAULTS.addressGuesses,
        ),
      )
      .addOption(
        amount(
          '--user-guesses <number>',
          'wrong digests before a user name is banned at an address; 0 disables bans',
          0,
          100_000,
          LIMIT_DEFAULTS.userGuesses,
        ),
      )
      .addOption(amount('--ban-seconds <number>', 'duration of a ban', 1, 86_400, LIMIT_DEFAULTS.banSeconds))
      .addOption(limit('--user-requests <number>', 'requests a second from one user', LIMIT_DEFAULTS.userRequests))
      .addOption(
        limit(
          '--user-subscriptions <number>',
          'new subscriptions of one user in an hour',
          LIMIT_DEFAULTS.userSubscriptions,
        ),
      )
      .addOption(limit('--agent-calls <number>', 'calls at once of one agent', LIMIT_DEFAULTS.agentCalls))
      .addOption(
        limit('--gateway-calls <number>', 'calls at once of one gateway or peer', LIMIT_DEFAULTS.gatewayCalls),
      ),
    (options: ConfigOptions) => {
      const { sip, run, rpc, rpcToken, workers, flood, addressGuesses, userGuesses, banSeconds } = options;
      const { userRequests, userSubscriptions, agentCalls, gatewayCalls } = options;
      // An empty token would give everyone access.
      const token = rpcToken === undefined || rpcToken === '' ? randomBytes(18).toString('base64url') : rpcToken;
      assertTarget(targetOf(options));
      assertSecret('password', options.password ?? '');
      const configuration = kamailioConfiguration({
        sip,
        run,
        databaseUrl: urlFor(config(), options),
        workers,
        flood,
        addressGuesses,
        userGuesses,
        banSeconds,
        userRequests,
        userSubscriptions,
        agentCalls,
        gatewayCalls,
        ...(rpc && { rpc: { address: rpc, token } }),
      });
      return { text: [configuration.trimEnd()], json: { configuration } };
    },
  );
  answering(
    withTarget(kamailio.command('uninstall').description('remove the views and the user, but not the model')),
    (options: TargetOptions) =>
      databases.existing(async (database) => {
        const lines = await uninstallKamailio(database, targetOf(options));
        return { text: lines, json: { ...targetOf(options), lines } };
      }),
  );
}

/** A limit that 0 disables. */
function limit(flags: string, about: string, usual: number): Option {
  return amount(flags, `${about}; 0 is no limit`, 0, 100_000, usual);
}

/** An option whose value is an integer within bounds. */
function amount(flags: string, about: string, least: number, most: number, usual: number): Option {
  return new Option(flags, about).default(usual).argParser((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be an integer from ${String(least)} to ${String(most)}.`);
    return value;
  });
}

function targetOf({ schema, user, host }: TargetOptions): KamailioTarget {
  return { schema, user, host };
}

/** The database URL for Kamailio, on the same server as sipgraph's. */
function urlFor({ database }: Config, { user, schema, password = '' }: ConfigOptions): string {
  if (database.dialect === 'sqlite') throw new NotSupportedError('Kamailio needs MySQL or MariaDB: set DATABASE_URL');
  // MySQL's client library connects to `localhost` through a socket and ignores the port.
  const host = database.host === 'localhost' ? '127.0.0.1' : database.host;
  const authority = host.includes(':') ? `[${host}]` : host;
  return `mysql://${user}:${password}@${authority}:${String(database.port)}/${schema}`;
}
