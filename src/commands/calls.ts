import { Option, type Command } from 'commander';

import { NotFoundError } from '../errors';
import type { Model } from '../model/model';
import {
  CALL_DIRECTIONS,
  CALL_STATES,
  findCallRowId,
  LIVE_STATES,
  responseOf,
  type Call,
  type CallDirection,
  type CallState,
} from '../sip/calls/call';
import { answering, limitIn, listOf, time } from './answer';
import type { Databases } from './databases';
import { pastCallExplanation } from './explain';
import { timeIn } from './history';
import { markOf, table } from './table';

interface CallConditions {
  readonly live?: boolean;
  readonly state?: CallState;
  readonly direction?: CallDirection;
  readonly gateway?: string;
  readonly agent?: string;
  readonly peer?: string;
  readonly domain?: string;
  readonly route?: string;
  readonly search?: string;
  readonly since?: number;
  readonly limit: number;
}

/** Adds the commands `calls` and `call`. */
export function addCallCommands(program: Command, databases: Databases, model: Model): void {
  addCalls(program, databases);
  addCall(program, databases, model);
}

function addCalls(program: Command, databases: Databases): void {
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
      .option('--domain <ref>', 'only calls of this domain: that of the caller, or else the called one')
      .option('--route <ref>', 'only calls that left by this route')
      .option('--search <text>', 'only calls with this text in the addresses or numbers')
      .option('--since <time>', 'only later calls: a time such as 2026-03-01T10:15Z, or an age such as 24h', timeIn)
      .option('--limit <number>', 'number of calls', limitIn, 50),
    ({ live, state, direction, gateway, agent, peer, domain, route, search, since, limit }: CallConditions) =>
      databases.openToRead(async ({ calls }) => {
        const states = live === true ? LIVE_STATES : state && [state];
        const query = {
          states,
          direction,
          search,
          gatewayRef: gateway,
          agentRef: agent,
          peerRef: peer,
          domainRef: domain,
          routeRef: route,
          from: since,
        };
        const { items, more } = await calls.page({ limit, backwards: false }, query);
        const rows = items.map(toRecordedCall);
        return listOf(
          'calls',
          rows,
          {
            state: (row) => row.state,
            begun: (row) => row.begunOn,
            from: (row) => row.from,
            to: (row) => row.called ?? row.to,
            ended: (row) => row.endedOn,
            response: responseOf,
            gateway: (row) => row.gatewayRef,
          },
          { more, limit },
          markOf,
        );
      }),
  );
}

function addCall(program: Command, databases: Databases, model: Model): void {
  answering(
    program
      .command('call')
      .description('print what the SIP server recorded of a call, with the gateways that were tried')
      .argument('<id>', 'the id of the call, as `calls --json` prints it, or its Call-ID, for the last call with it')
      .option('--explain', 'also say why, from what was configured and registered when it began, and who changed that'),
    (id: string, { explain = false }: { readonly explain?: boolean }) =>
      databases.openToRead(async ({ calls, pastDiagnosis }) => {
        const rowId = findCallRowId(id);
        const found =
          rowId === undefined
            ? (await calls.page({ limit: 1, backwards: false }, { callId: id })).items[0]
            : await calls.one(rowId);
        if (!found) throw new NotFoundError('call', id, 'id');
        const attempts = (await calls.attempts([found.rowId])).get(found.rowId) ?? [];
        const why = explain
          ? pastCallExplanation(await pastDiagnosis.explainRecorded(model, found, attempts), {})
          : undefined;
        const call = toRecordedCall(found);
        const made = attempts.map((attempt) => ({ ...attempt, at: time(attempt.at) }));
        return {
          text: [
            ...table(
              Object.entries(call).flatMap(([name, value]) => {
                if (value === null || name === 'id') return [];
                return [{ name, value: typeof value === 'object' ? `${value.kind} ${value.ref}` : value }];
              }),
              { field: (row) => row.name, value: (row) => row.value },
            ),
            ...table(made, {
              gateway: (row) => row.gatewayRef,
              destination: (row) => row.destination,
              at: (row) => row.at,
              response: responseOf,
              reason: (row) => row.reasonHeader,
              after: (row) => (row.duration === null ? null : `${String(row.duration)} ms`),
            }),
            ...(why?.text ?? []),
          ],
          json: { ...call, attempts: made, ...(why && { explanation: why.json }) },
        };
      }),
  );
}

/** A call without what only the program needs, and with times as texts. */
function toRecordedCall({ rowId: _row, seekKey: _key, number: _number, ...call }: Call) {
  return {
    ...call,
    begunOn: time(call.begunOn),
    ringingOn: time(call.ringingOn),
    answeredOn: time(call.answeredOn),
    endedOn: time(call.endedOn),
  };
}
