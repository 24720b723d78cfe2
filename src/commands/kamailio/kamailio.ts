import { randomBytes } from 'node:crypto';
import { basename, resolve } from 'node:path';

import { InvalidArgumentError, Option, type Command } from 'commander';

import type { Config } from '../../config/config';
import { addressText } from '../../config/database-url';
import { NotSupportedError } from '../../errors';
import { assertSecret } from '../../sip/kamailio/config-values';
import { kamailioConfiguration, LIMITS, tlsProfiles, type Limit, type Limits } from '../../sip/kamailio/configuration';
import { installKamailio, KAMAILIO_DEFAULTS, uninstallKamailio } from '../../sip/kamailio/install';
import { assertTarget, type KamailioTarget } from '../../sip/kamailio/kamailio-target';
import { answering, CommandError, type Answer } from '../answer';
import { checkCertificate } from './certificate-files';
import type { Databases } from '../databases';
import { replacePrivateFile } from '../private-file';

interface OutputOptions {
  readonly output?: string;
  readonly group?: string;
}

interface ConfigOptions extends KamailioTarget, Limits, OutputOptions {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsCa?: string;
  readonly tls?: string;
  readonly sip: string;
  readonly advertise?: string;
  readonly password?: string;
  readonly rpc?: string;
  readonly rpcToken?: string;
  readonly run: string;
  readonly edgeProxy: readonly string[];
  readonly hep?: string;
}

/** Adds the commands `kamailio install`, `config`, `reload-tls` and `uninstall`. */
export function addKamailioCommands(kamailio: Command, databases: Databases): void {
  const withTarget = (command: Command): Command =>
    command
      .option('--schema <name>', 'schema for the views and tables', KAMAILIO_DEFAULTS.schema)
      .option('--user <name>', "Kamailio's database user", KAMAILIO_DEFAULTS.user)
      .option('--host <host>', 'host from which that user connects', KAMAILIO_DEFAULTS.host);
  const password = (): Option => new Option('--password <password>', 'password of that user').env('KAMAILIO_PASSWORD');

  answering(
    withTarget(
      kamailio
        .command('install')
        .description("create Kamailio's schema, with views and tables, and a database user with access to them only"),
    )
      .addOption(password())
      .option('--instead-of <database>', 'database whose views are replaced, such as that before a restore'),
    (options: KamailioTarget & { readonly password?: string; readonly insteadOf?: string }) =>
      databases.openPrepared(async (database) => {
        const made = await installKamailio(database, targetOf(options), options);
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
    withLimits(
      withTarget(kamailio.command('config').description('print a complete kamailio.cfg, or write it to a file'))
        .addOption(password().makeOptionMandatory())
        .option('--output <file>', 'file to write, which only its owner can read')
        .option('--group <group>', 'group that can read the file, too: by its name or number')
        .option('--sip <address>', 'host:port to listen on for SIP', '127.0.0.1:5060')
        .option(
          '--advertise <address>',
          'public IP address, or address:port, of a NAT in front of --sip and --tls, at which phones and providers reach them',
        )
        .option('--tls-cert <file>', 'chain of certificates for SIP over TLS, in PEM format; off by default')
        .option('--tls-key <file>', 'private key of that certificate, in PEM format')
        .option('--tls-ca <file>', "certificate authorities of gateways, in PEM format; by default, the system's")
        .option(
          '--tls <address>',
          'host:port to listen on for SIP over TLS; by default, the host of --sip and port 5061',
        )
        .option('--rpc <address>', 'host:port to listen on for JSON-RPC; off by default')
        .addOption(new Option('--rpc-token <token>', 'token required for JSON-RPC').env('SIP_RPC_TOKEN'))
        .option('--run <directory>', 'directory of the control socket', '/run/kamailio')
        .option(
          '--edge-proxy <address...>',
          'proxies whose Path in REGISTER is followed, as host:port with an IP address',
          [],
        )
        .option(
          '--hep <address>',
          'host:port, with an IP address, of a collector such as Homer that gets all SIP messages (HEP)',
        ),
    ),
    (options: ConfigOptions) => {
      const { rpc, rpcToken } = options;
      // An empty token would give everyone access.
      const token = rpcToken === undefined || rpcToken === '' ? randomBytes(18).toString('base64url') : rpcToken;
      assertTarget(targetOf(options));
      assertSecret('password', options.password ?? '');
      const tls = tlsOf(options);
      const configuration = kamailioConfiguration({
        ...options,
        // Kamailio changes its working directory.
        run: resolve(options.run),
        edgeProxies: options.edgeProxy,
        databaseUrl: urlFor(databases.config, options),
        records: databases.config.callsKept > 0,
        transitions: databases.config.liveKept > 0,
        rpc: rpc ? { address: rpc, token } : undefined,
        tls,
      });
      return answerWith(configuration, options, tls);
    },
  );
  answering(
    kamailio
      .command('reload-tls')
      .description('make Kamailio read its certificates again, through SIP_RPC_URL; connections and calls go on'),
    async () => {
      const server = databases.sipServer();
      if (!server) throw new NotSupportedError('Set SIP_RPC_URL to the JSON-RPC of Kamailio');
      await server.reloadCertificates();
      return { text: ['Kamailio uses the certificates in its files for new connections.'], json: { reloaded: true } };
    },
  );
  answering(
    withTarget(
      kamailio
        .command('uninstall')
        .description(
          "drop the views, tables and user that install created, and the schema if it is then empty; sipgraph's own tables stay",
        ),
    ),
    (options: KamailioTarget) =>
      databases.openExisting(async (database) => {
        const lines = await uninstallKamailio(database, targetOf(options));
        return { text: lines, json: { ...targetOf(options), lines } };
      }),
  );
}

/** The TLS profiles of a configuration, as the name of their file and its text. */
interface Profiles {
  readonly address: string;
  readonly profiles: string;
  readonly text: string;
}

/** Checks the options and files of TLS. Returns undefined if TLS is off. */
function tlsOf({ sip, tls, tlsCert, tlsKey, tlsCa, output, group }: ConfigOptions): Profiles | undefined {
  if (tlsCert === undefined && tlsKey === undefined && tlsCa === undefined && tls === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) throw new CommandError('TLS needs both --tls-cert and --tls-key');
  if (output === undefined)
    throw new CommandError('TLS needs --output, because Kamailio reads its profiles from a second file beside it');
  return {
    address: tls ?? sip.replace(/:\d+$/, ':5061'),
    profiles: basename(profilesBeside(output)),
    text: tlsProfiles(checkCertificate({ certificate: tlsCert, key: tlsKey, authorities: tlsCa, group })),
  };
}

/** The file of the TLS profiles: `kamailio.tls` for `kamailio.cfg`. */
function profilesBeside(output: string): string {
  return `${output.replace(/\.cfg$/, '')}.tls`;
}

/** Prints a configuration, or writes it to a file, after its TLS profiles. */
async function answerWith(
  configuration: string,
  { output, group }: OutputOptions,
  tls: Profiles | undefined,
): Promise<Answer> {
  if (output === undefined) {
    if (group !== undefined) throw new CommandError('--group needs --output');
    return { text: [configuration.trimEnd()], json: { configuration }, isDocument: true };
  }
  const profiles = tls && profilesBeside(output);
  if (tls && profiles !== undefined) await replacePrivateFile(profiles, tls.text, group);
  const mode = (await replacePrivateFile(output, configuration, group)).toString(8);
  const owner = profiles === undefined ? 'its owner' : 'their owner';
  const readers = group === undefined ? owner : `${owner} and the group ${group}`;
  const written = profiles === undefined ? output : `${output} and ${profiles}`;
  return {
    text: [`Wrote ${written}, which only ${readers} can read.`],
    json: { file: output, ...(profiles !== undefined && { profiles }), mode: `0${mode}` },
  };
}

function targetOf({ schema, user, host }: KamailioTarget): KamailioTarget {
  return { schema, user, host };
}

/** Returns Kamailio's database URL: its own schema and user, on the (preferred) server of DATABASE_URL. */
function urlFor({ database }: Config, { user, schema, password = '' }: ConfigOptions): string {
  if (database.dialect === 'sqlite') throw new NotSupportedError('Kamailio needs MySQL or MariaDB: set DATABASE_URL');
  const [{ host, port }] = database.hosts;
  // MySQL's client library connects to `localhost` through a socket and ignores the port.
  const authority = addressText({ host: host === 'localhost' ? '127.0.0.1' : host, port });
  return `mysql://${user}:${password}@${authority}/${schema}`;
}

/** Adds the options for Kamailio's limits to a command. */
function withLimits(command: Command): Command {
  for (const { flags, about, usual, ...bounds } of Object.values<Limit>(LIMITS))
    command.addOption(new Option(flags, about).default(usual).argParser((text) => integer(text, bounds)));
  return command;
}

function integer(
  text: string,
  { least, most, leastPositive = least }: Pick<Limit, 'least' | 'most' | 'leastPositive'>,
): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new InvalidArgumentError(`It must be an integer from ${String(least)} to ${String(most)}.`);
  if (value > 0 && value < leastPositive)
    throw new InvalidArgumentError(`It must be 0, or an integer from ${String(leastPositive)} to ${String(most)}.`);
  return value;
}
