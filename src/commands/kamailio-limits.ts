import { InvalidArgumentError, Option, type Command } from 'commander';

import { LIMIT_DEFAULTS } from '../sip/kamailio/configuration';

/** The values of the options that `withLimits` adds. */
export type LimitOptions = Readonly<typeof LIMIT_DEFAULTS>;

/** Adds the options for Kamailio's limits to a command. */
export function withLimits(command: Command): Command {
  return command
    .addOption(
      option('--workers <number>', 'number of worker processes for UDP, and for TCP', 1, 64, LIMIT_DEFAULTS.workers),
    )
    .addOption(limit('--flood <number>', 'requests per second from one address', LIMIT_DEFAULTS.flood))
    .addOption(
      limit('--address-guesses <number>', 'wrong digests before an address is banned', LIMIT_DEFAULTS.addressGuesses),
    )
    .addOption(
      limit(
        '--user-guesses <number>',
        'wrong digests before a user name is banned at an address',
        LIMIT_DEFAULTS.userGuesses,
      ),
    )
    .addOption(option('--ban-seconds <number>', 'duration of a ban', 1, 86_400, LIMIT_DEFAULTS.banSeconds))
    .addOption(limit('--user-requests <number>', 'requests per second from one user', LIMIT_DEFAULTS.userRequests))
    .addOption(
      limit(
        '--user-subscriptions <number>',
        'new subscriptions per hour from one user',
        LIMIT_DEFAULTS.userSubscriptions,
      ),
    )
    .addOption(limit('--agent-calls <number>', 'concurrent calls of one agent', LIMIT_DEFAULTS.agentCalls))
    .addOption(
      limit('--gateway-calls <number>', 'concurrent calls of one gateway or peer', LIMIT_DEFAULTS.gatewayCalls),
    );
}

function limit(flags: string, about: string, usual: number): Option {
  return option(flags, `${about}; 0 disables the limit`, 0, 100_000, usual);
}

/** An option whose value is an integer within bounds. */
function option(flags: string, about: string, least: number, most: number, usual: number): Option {
  return new Option(flags, about).default(usual).argParser((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be an integer from ${String(least)} to ${String(most)}.`);
    return value;
  });
}
