import { Option, type Command } from 'commander';

import { CALL_DIRECTIONS, CALL_STATES, LIVE_STATES, type CallDirection, type CallState } from '../sip/calls/call';
import { answering, limitIn, moreOf } from './answer';
import type { Databases } from './databases';
import { timeIn } from './history';
import { table, type Mark } from './table';

interface Conditions {
  readonly live?: boolean;
  readonly state?: CallState;
  readonly direction?: CallDirection;
  readonly gateway?: string;
  readonly agent?: string;
  readonly peer?: string;
  readonly search?: string;
  readonly since?: number;
  readonly limit: number;
}

/** Adds the command `calls`. */
export function addCallCommand(program: Command, databases: Databases): void {
  answering(
    program
      .command('calls')
      .description('list the calls that the SIP server recorded, newest first')
      .option('--live', 'only calls in progress')
      .addOption(new Option('--state <state>', 'only calls in this state').choices(CALL_STATES).conflicts('live'))
      .addOption(new Option('--direction <direction>', 'only calls in this direction').choices(CALL_DIRECTIONS))
      .option('--gateway <ref>', 'only calls through this gateway')
      .option('--agent <ref>', 'only calls from or to this agent')
      .option('--peer <ref>', 'only calls from or to this peer')
      .option('--search <text>', 'only calls with this text in the addresses or numbers')
      .option('--since <time>', 'only later calls: a time such as 2026-03-01T10:15Z, or an age such as 24h', timeIn)
      .option('--limit <number>', 'number of calls', limitIn, 50),
    ({ live, state, direction, gateway, agent, peer, search, since, limit }: Conditions) =>
      databases.reading(async ({ calls }) => {
        const states = live === true ? LIVE_STATES : state && [state];
        const query = {
          states,
          direction,
          search,
          gatewayRef: gateway,
          agentRef: agent,
          peerRef: peer,
          from: since,
        };
        const { items, more } = await calls.page({ limit, backwards: false }, query);
        const rows = items.map(({ rowId: _row, seekKey: _key, number: _number, ...call }) => ({
          ...call,
          begunOn: time(call.begunOn),
          ringingOn: time(call.ringingOn),
          answeredOn: time(call.answeredOn),
          endedOn: time(call.endedOn),
        }));
        return {
          text: [
            ...table(
              rows,
              {
                state: (row) => row.state,
                begun: (row) => row.begunOn,
                from: (row) => row.from,
                to: (row) => row.called ?? row.to,
                ended: (row) => row.endedOn,
                response: (row) => [row.status, row.reason].filter((part) => part !== null).join(' '),
                gateway: (row) => row.gatewayRef,
              },
              markOf,
            ),
            ...moreOf('calls', more, limit),
          ],
          json: { calls: rows, more },
        };
      }),
  );
}

function markOf({ state }: { readonly state: CallState }): Mark {
  return state === 'FAILED' || state === 'LOST' ? 'bad' : 'good';
}

function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
