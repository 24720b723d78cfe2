import type { Actor } from '../changes/actor';
import type { Database } from '../database/database';
import { readsWithin, type OwnTransaction } from '../database/sql';
import { inEntry, InvalidInputError, NotFoundError, NotSupportedError } from '../errors';
import { endOfTurn } from '../limits/event-loop';
import type { Model } from '../model/model';
import type { BulkOptions } from '../resources/bulk/bulk-options';
import { limitPace } from '../resources/bulk/pace';
import { inTransaction } from '../resources/write/transactions';
import { extraChargeOf } from '../resources/write/input-size';
import { lockTargets } from '../resources/write/write-group';
import { startOf } from './boundaries';
import { Creations } from './creations';
import type { HistoryEntry } from './history-entry';
import type { HistoryQuery } from './history-query';
import type { HistoryReader } from './history-reader';
import { OTHER_KINDS } from './kinds';
import { kindOf, Reverter, type GivenSecret, type Reverted } from './revert';

/** How to revert. */
export interface RevertOptions
  extends Pick<BulkOptions, 'dryRun' | 'rehearser'>, Partial<Pick<BulkOptions, 'request'>> {
  readonly secrets: readonly GivenSecret[];
  /** The kinds of entries that the user does not see: to the user, they do not exist. */
  readonly hidden?: readonly string[];
  /**
   * Charges the user for rows, before the entries are reverted: one each, and more for long ones. Throws
   * RateLimitedError.
   */
  readonly charge?: (rows: number) => void;
  /** Runs in the transaction, after the entries are reverted. An error rolls the revert back. */
  readonly after?: (transaction: OwnTransaction, reverted: readonly Reverted[]) => Promise<void>;
  /** The argument that an error names if a rehearsal with `dryRun` takes too long: by default `at`. */
  readonly field?: string;
}

/** The entries of a request that can be reverted through the API: an import of 20,000 numbers. A command has no limit. */
export const MAX_ENTRIES = 25_000;
// Entries per page, and the characters that make the next page smaller.
const PAGE = 500;
const FIRST_PAGE = 50;
const PAGE_SIZE = 1_000_000;
// Entries of a piece: a fifth of a second, for which others wait at most.
const PIECE = 200;
// Entries between two turns of the event loop, and their characters.
const TURN = 20;
const TURN_SIZE = 32_000;
// Milliseconds between two entries of a request: an import has a next part within an hour, and a part takes some minutes at most.
const MOST_APART = 2 * 3_600_000;
// For a dry run that takes too long.
const ADVICE = 'revert without dryRun, or use the command sipgraph revert';
// For a simulation that takes too long.
const FEWER = 'revert fewer entries';

/** Reverts entries of the history, all or none. Each revert is a change with an entry of its own. */
export class RevertService {
  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly history: HistoryReader,
    private readonly actor: Actor,
  ) {}

  /** Reverts an entry. Throws NotFoundError, and the errors of `Reverter.revert`. */
  async entry(number: number, options: RevertOptions): Promise<readonly Reverted[]> {
    const entry = await this.history.entry(number);
    if (!entry || options.hidden?.includes(entry.kind)) throw new NotFoundError('Entry', String(number), 'entry');
    options.charge?.(chargeOf([entry]));
    return this.all(() => once([entry]), options);
  }

  /**
   * Reverts all that a request or a run of a command did, newest first. Throws NotFoundError, NotSupportedError if
   * there are more than `limit` entries, and the errors of `Reverter.revert`, with the number of the entry.
   */
  async request(requestId: string, options: RevertOptions, limit = MAX_ENTRIES): Promise<readonly Reverted[]> {
    const pages = (): AsyncIterable<readonly HistoryEntry[]> => this.pagesOf(requestId);
    let count = 0;
    for await (const page of pages()) {
      count += page.length;
      if (count > limit)
        throw new NotSupportedError(
          `The request has more than ${String(limit)} entries: revert it in the background (startRevert), or with the command sipgraph revert`,
        );
      options.charge?.(chargeOf(page));
    }
    if (count === 0) throw new NotFoundError('Request', requestId, 'id');
    await this.assertOnlyResources(requestId);
    await this.assertKept(requestId);
    return this.all(pages, options, requestId);
  }

  /**
   * Returns how many entries a request has, to revert it in pieces. Throws NotFoundError if there are none, and NotSupportedError if it
   * did not only change resources, or entries of it may have been deleted.
   */
  async countOf(requestId: string): Promise<number> {
    // First, because a page waits until all that was committed has numbers.
    const { items } = await this.history.page(this.queryOf(requestId), { limit: 1, backwards: false }, 'nothing');
    if (items.length === 0) throw new NotFoundError('Request', requestId, 'request');
    await this.assertOnlyResources(requestId);
    await this.assertKept(requestId);
    return this.history.count(this.queryOf(requestId));
  }

  /**
   * Reverts some entries of a request, those after `after` with the newest first, in a transaction of their own: all or none of them.
   * Returns how many entries that were, and the last one, after which the next piece begins; undefined if there are no more. Throws
   * the errors of `request`.
   */
  async piece(
    requestId: string,
    after: number | undefined,
    options: RevertOptions,
  ): Promise<{ readonly entries: number; readonly last: number } | undefined> {
    const range = { limit: PIECE, backwards: false, after: after === undefined ? undefined : [after] };
    const { items } = await this.history.page(this.queryOf(requestId), range);
    const last = items.at(-1);
    if (!last) {
      await this.assertKept(requestId);
      return undefined;
    }
    options.charge?.(chargeOf(items));
    await this.all(() => once(items), options, requestId);
    return { entries: items.length, last: last.rowId };
  }

  private queryOf(requestId: string): HistoryQuery {
    return { kinds: this.model.kinds.map(({ name }) => name), requestId };
  }

  /** A request is reverted as a whole or not at all. */
  private async assertOnlyResources(requestId: string): Promise<void> {
    const others = { kinds: Object.keys(OTHER_KINDS), requestId };
    const { items } = await this.history.page(others, { limit: 1, backwards: false, after: undefined });
    if (items.length === 0) return;
    throw new NotSupportedError('The request did not only change resources: revert its entries one by one');
  }

  /**
   * Throws NotSupportedError if the history may be kept of a part of a request only, which would be reverted alone: the request began
   * before the last deleted entry, as its id says, and its first kept entry follows soon. A scheduled request has an id from long
   * before, and one of 0.2.0 has an id without a time.
   */
  private async assertKept(requestId: string): Promise<void> {
    const begunAt = timeOf(requestId);
    const start = await startOf(this.database);
    if (begunAt !== undefined && begunAt > start) return;
    const { items } = await this.history.page(this.queryOf(requestId), { limit: 1, backwards: true }, 'nothing');
    if (items[0] && items[0].at > start + MOST_APART) return;
    throw new NotSupportedError(
      'The first entries of the request may have been deleted (HISTORY_DAYS): revert the others one by one',
    );
  }

  /** `requestId` is that of all entries; undefined for a single entry. */
  private all(
    pages: () => AsyncIterable<readonly HistoryEntry[]>,
    { secrets, dryRun, request, charge = () => undefined, after, rehearser, field = 'at' }: RevertOptions,
    requestId?: string,
  ): Promise<readonly Reverted[]> {
    const work = async (transaction: OwnTransaction): Promise<readonly Reverted[]> => {
      const pace =
        dryRun && rehearser
          ? limitPace(transaction, request, FEWER, { field, isSimulation: true })
          : limitPace(transaction, request, dryRun ? ADVICE : undefined);
      const within = <T>(entry: number, run: () => Promise<T>): Promise<T> =>
        requestId !== undefined ? inEntry(`entry ${String(entry)}`, run) : run();
      // All locks come first, because the first read determines what the transaction sees.
      for await (const page of pages()) {
        const targets = page.map((entry) => ({ kind: kindOf(this.model, entry), ref: entry.ref }));
        await lockTargets(transaction, this.model.inReferenceOrder, targets);
        await pace();
      }
      // It may run again, and what an earlier run found does not count.
      const write = async (): Promise<readonly Reverted[]> => {
        const reverted: Reverted[] = [];
        let [count, size] = [0, 0];
        const { product } = this.database;
        const creations = new Creations(readsWithin(transaction), product, charge);
        const reverter = new Reverter(transaction, product, this.model, this.actor, secrets, charge, creations);
        for await (const page of pages()) {
          await creations.read(page);
          for (const entry of page) {
            const done = await within(entry.rowId, () => reverter.revert(entry));
            if (done) reverted.push(done);
            count++;
            size += entry.size;
            if (count < TURN && size < TURN_SIZE) continue;
            [count, size] = [0, 0];
            await pace();
          }
        }
        await reverter.finish(within, pace);
        // Entries may have been deleted meanwhile.
        if (requestId !== undefined) await this.assertKept(requestId);
        await after?.(transaction, reverted);
        return reverted;
      };
      return rehearser ? rehearser.rehearse(transaction, write, pace) : write();
    };
    return inTransaction(this.database, work, {
      isKept: () => !dryRun,
      isRehearsal: dryRun && rehearser !== undefined,
      scope: request,
    });
  }

  private async *pagesOf(requestId: string): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
    let after: readonly [number] | undefined;
    let limit = FIRST_PAGE;
    for (;;) {
      const page = await this.history.page(this.queryOf(requestId), { limit, backwards: false, after });
      if (page.items.length > 0) yield page.items;
      await endOfTurn();
      const last = page.items.at(-1);
      if (!page.more || !last) return;
      after = [last.rowId];
      const size = page.items.reduce((sum, each) => sum + each.size, 0);
      limit = size > PAGE_SIZE ? Math.max(1, Math.floor((limit * PAGE_SIZE) / size)) : Math.min(2 * limit, PAGE);
    }
  }
}

/** The time in a UUID of version 7, in milliseconds since the epoch; undefined for another id. */
function timeOf(requestId: string): number | undefined {
  const [, high = '', low = ''] = /^([\da-f]{8})-([\da-f]{4})-7/.exec(requestId) ?? [];
  return high === '' ? undefined : parseInt(high + low, 16);
}

/** The cost of reverting entries, in rows. */
function chargeOf(entries: readonly HistoryEntry[]): number {
  return entries.reduce((sum, { size }) => sum + 1 + extraChargeOf(size), 0);
}

async function* once<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield await Promise.resolve(value);
}

/** Reads the number of an entry from the argument `entry`. Throws InvalidInputError. */
export function entryNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw InvalidInputError.of('entry', `${JSON.stringify(text.slice(0, 40))} is not the number of an entry`);
}
