import type { Command } from 'commander';

import { NotFoundError } from '../errors';
import { findCallRowId, type Call } from '../sip/calls/call';
import { answering } from './answer';
import type { Databases } from './databases';
import { table } from './table';

/** Adds the command `call`. */
export function addCallCommand(program: Command, databases: Databases): void {
  answering(
    program
      .command('call')
      .description('print what the SIP server recorded of a call, with the gateways that were tried')
      .argument('<id>', 'the id of the call, as `calls --json` prints it, or its Call-ID, for the last call with it'),
    (id: string) =>
      databases.reading(async ({ calls }) => {
        const rowId = findCallRowId(id);
        const found =
          rowId === undefined
            ? (await calls.page({ limit: 1, backwards: false }, { callId: id })).items[0]
            : await calls.one(rowId);
        if (!found) throw new NotFoundError('call', id, 'id');
        const attempts = (await calls.attempts([found.rowId])).get(found.rowId) ?? [];
        const call = recorded(found);
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
              response: (row) => [row.status, row.reason].filter((part) => part !== null).join(' '),
              reason: (row) => row.reasonHeader,
              after: (row) => (row.duration === null ? null : `${String(row.duration)} ms`),
            }),
          ],
          json: { ...call, attempts: made },
        };
      }),
  );
}

/** A call without what only the program needs, and with times as texts. */
export function recorded({ rowId: _row, seekKey: _key, number: _number, ...call }: Call) {
  return {
    ...call,
    begunOn: time(call.begunOn),
    ringingOn: time(call.ringingOn),
    answeredOn: time(call.answeredOn),
    endedOn: time(call.endedOn),
  };
}

function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
