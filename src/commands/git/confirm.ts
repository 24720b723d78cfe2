import { InvalidArgumentError, type Command } from 'commander';

import { ChangeLog } from '../../changes/change-log';
import type { Database } from '../../database/database';
import { differencesOf } from '../../history/differences';
import { HistoryReader } from '../../history/history-reader';
import { RevertService } from '../../history/revert-service';
import { newRequestId } from '../../http/request-id';
import type { Model } from '../../model/model';
import type { Limits } from '../../pending/limits';
import { PendingService, termsOf, type Terms } from '../../pending/pending-service';
import { ChangeSetService } from '../../resources/bulk/change-set-service';
import { KeyTurns } from '../../resources/write/idempotency-key';
import type { FindDifferences } from '../../resources/write/unchanged';
import { answering, type Answer } from '../answer';
import type { Databases } from '../databases';

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

/** The terms that the options give. Throws InvalidInputError. */
export function termsIn({ confirmWithin, revertIf }: ConfirmOptions): Terms | undefined {
  return termsOf(confirmWithin, revertIf);
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
      .option('--revert', 'revert them now instead'),
    (id: string, { revert = false }: { readonly revert?: boolean }) =>
      databases.existing(async (database): Promise<Answer> => {
        const service = pendingServiceOf(database, databases, model);
        const { state, count } = revert ? await service.cancel(id) : await service.confirm(id);
        const what = `${String(count)} change${count === 1 ? '' : 's'}`;
        return { text: [`${what} ${revert ? 'reverted' : 'confirmed'}`], json: { id, state } };
      }),
  );
}

/** The service for changes that must be confirmed, on behalf of who runs the command. */
export function pendingServiceOf(database: Database, databases: Databases, model: Model): PendingService {
  const history = new HistoryReader(database, database.product, () => new ChangeLog(database, Infinity).settle());
  const find: FindDifferences = (kind, changed) => differencesOf(() => history, kind, changed);
  const keys = new KeyTurns(database);
  const node = databases.sipNode();
  return new PendingService(
    {
      database,
      keys,
      newId: newRequestId,
      changeSetsOf: (actor) => new ChangeSetService(model, keys, actor, find, node),
      revertsOf: (actor) => new RevertService(database, model, history, actor),
    },
    databases.actor,
    () => undefined, // a server looks for itself
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
