import { InvalidArgumentError, type Command } from 'commander';

import type { Model } from '../../model/model';
import type { Limits } from '../../jobs/pending/figures';
import type { Terms } from '../../jobs/pending/pending-service';
import { answering, count, type Answer } from '../answer';
import type { Databases } from '../databases';
import { pendingServiceOf } from './change-services';

/** The options of `apply` for changes that must be confirmed. */
export interface ConfirmOptions {
  /** Seconds. */
  readonly confirmWithin?: number;
  readonly revertIf?: Limits;
}

/** Adds the options to a command. */
export function withConfirmation(command: Command): Command {
  return command
    .option(
      '--confirm-within <time>',
      'revert the changes unless they are confirmed within this time, such as 10m; a running server does that',
      secondsIn,
    )
    .option(
      '--revert-if <limit>',
      'revert them earlier, from a figure on: numbersStopped=5, gatewaysLost=1, failedCallsPercent=20 or minCalls=50 (can be repeated)',
      limitIn,
    );
}

/** The lines that say how to confirm changes. */
export function confirmationOf(id: string, { seconds }: Terms): readonly string[] {
  return [`They are reverted in ${String(seconds)} seconds, unless you run: sipgraph confirm ${id}`];
}

/** Adds the command `confirm`. */
export function addConfirmCommand(program: Command, databases: Databases, model: Model): void {
  answering(
    program
      .command('confirm')
      .description('keep the changes of apply --confirm-within, or of applyChanges with confirmWithin')
      .argument('<id>', 'id of the changes, which apply prints')
      .option('--revert', 'revert them now instead; changes that are scheduled are cancelled'),
    (id: string, { revert = false }: { readonly revert?: boolean }) =>
      databases.openExisting(async (database): Promise<Answer> => {
        const service = pendingServiceOf(database, databases, model);
        const pending = revert ? await service.cancel(id) : await service.confirm(id);
        const { state, reason } = pending;
        const what = `${count(pending.count, 'change')} ${state.toLowerCase()}`;
        return {
          text: [state === 'REVERTED' && pending.revertedBy === null ? `Nothing was changed: ${reason ?? ''}` : what],
          json: { id, state },
        };
      }),
  );
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

function secondsIn(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const size = UNITS[unit];
  if (size === undefined) throw new InvalidArgumentError('Expected a time such as 90s, 10m or 1h.');
  return Number(amount) * size;
}

const LIMIT = /^(numbersStopped|gatewaysLost|failedCallsPercent|minCalls)=(\d{1,6}(?:\.\d{1,3})?)$/;

function limitIn(text: string, earlier: Limits = {}): Limits {
  const [, name, figure] = LIMIT.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Expected a limit such as numbersStopped=5.');
  return { ...earlier, [name]: Number(figure) };
}
