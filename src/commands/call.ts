import type { Command } from 'commander';

import { NotFoundError } from '../errors';
import { findCallRowId, responseOf, type Call } from '../sip/calls/call';
import type { ReadServices } from '../session/services';
import type { RecordedAttempt } from '../sip/calls/call-attempts';
import { answering, type Answer } from './answer';
import type { Databases } from './databases';
import { table } from './table';

/** Prints why a call ended as it did. */
type Explain = (read: ReadServices, call: Call, attempts: readonly RecordedAttempt[]) => Promise<Answer>;

/** Adds the command `call`. */
export function addCallCommand(program: Command, databases: Databases, explain: Explain): void {
  answering(
    program
      .command('call')
      .description('print what the SIP server recorded of a call, with the gateways that were tried')
      .argument('<id>', 'the id of the call, as `calls --json` prints it, or its Call-ID, for the last call with it')
      .option('--explain', 'also say why, from what was configured and registered when it began, and who changed that'),
    (id: string, { explain: isExplained }: { readonly explain?: boolean }) =>
      databases.openToRead(async (read) => {
        const { calls } = read;
        const rowId = findCallRowId(id);
        const found =
          rowId === undefined
            ? (await calls.page({ limit: 1, backwards: false }, { callId: id })).items[0]
            : await calls.one(rowId);
        if (!found) throw new NotFoundError('call', id, 'id');
        const attempts = (await calls.attempts([found.rowId])).get(found.rowId) ?? [];
        const why = isExplained ? await explain(read, found, attempts) : undefined;
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
export function toRecordedCall({ rowId: _row, seekKey: _key, number: _number, ...call }: Call) {
  return {
    ...call,
    begunOn: time(call.begunOn),
    ringingOn: time(call.ringingOn),
    answeredOn: time(call.answeredOn),
    endedOn: time(call.endedOn),
  };
}

export function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
