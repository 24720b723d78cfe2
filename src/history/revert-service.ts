import type { Actor } from '../changes/actor';
import type { Database } from '../database/database';
import type { OwnTransaction } from '../database/sql';
import { inEntry, InvalidInputError, NotFoundError, NotSupportedError } from '../errors';
import type { Model } from '../model/model';
import { lockResources } from '../resources/change';
import type { HistoryEntry } from './history-entry';
import type { HistoryReader } from './history-reader';
import { Reverter, type GivenSecret, type Reverted } from './revert';

/** How to revert. */
export interface RevertOptions {
  readonly secrets: readonly GivenSecret[];
  /** Change nothing, and return what would change. */
  readonly dryRun: boolean;
}

/** The entries of a request that can be reverted through the API. A command has no limit. */
export const MAX_ENTRIES = 1000;
// Entries per page.
const PAGE = 500;

/** Thrown to roll back the transaction. */
class Undone extends Error {}

/** Reverts entries of the journal, all or none. Each revert is a change with an entry of its own. */
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
    if (!entry) throw new NotFoundError('Entry', String(number), 'entry');
    return this.all(() => once([entry]), options, false);
  }

  /**
   * Reverts all that a request or a run of a command did, newest first. Throws NotFoundError, NotSupportedError if there
   * are more than `limit` entries, and the errors of `Reverter.revert`, with the number of the entry.
   */
  async request(requestId: string, options: RevertOptions, limit = MAX_ENTRIES): Promise<readonly Reverted[]> {
    const pages = (): AsyncIterable<readonly HistoryEntry[]> => this.pagesOf(requestId);
    let count = 0;
    for await (const page of pages()) {
      count += page.length;
      if (count > limit)
        throw new NotSupportedError(
          `The request has more than ${String(limit)} entries: revert it with the command sipgraph revert`,
        );
    }
    if (count === 0) throw new NotFoundError('Request', requestId, 'id');
    return this.all(pages, options, true);
  }

  private async all(
    pages: () => AsyncIterable<readonly HistoryEntry[]>,
    { secrets, dryRun }: RevertOptions,
    isNamed: boolean,
  ): Promise<readonly Reverted[]> {
    let reverted: Reverted[] = [];
    try {
      await this.database.transaction(async (transaction) => {
        reverted = [];
        const reverter = new Reverter(transaction, this.model, this.actor, secrets);
        // All locks come first, because the first read determines what the transaction sees.
        for await (const page of pages()) await this.lock(transaction, reverter, page);
        for await (const page of pages())
          for (const entry of page) {
            const work = (): ReturnType<Reverter['revert']> => reverter.revert(entry);
            const done = await (isNamed ? inEntry(`entry ${String(entry.rowId)}`, work) : work());
            if (done) reverted.push(done);
          }
        if (dryRun) throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
    return reverted;
  }

  private async lock(transaction: OwnTransaction, reverter: Reverter, page: readonly HistoryEntry[]): Promise<void> {
    const kinds = new Set(page.map((entry) => reverter.kindOf(entry)));
    for (const kind of kinds) {
      const refs = page.filter((entry) => entry.kind === kind.name).map(({ ref }) => ref);
      await lockResources(transaction, kind, [...new Set(refs)]);
    }
  }

  private async *pagesOf(requestId: string): AsyncGenerator<readonly HistoryEntry[], void, undefined> {
    const kinds = this.model.kinds.map(({ name }) => name);
    let after: readonly [number] | undefined;
    for (;;) {
      const page = await this.history.page({ kinds, requestId }, { limit: PAGE, backwards: false, after });
      if (page.items.length > 0) yield page.items;
      const last = page.items.at(-1);
      if (!page.more || !last) return;
      after = [last.rowId];
    }
  }
}

async function* once<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield await Promise.resolve(value);
}

/** Reads the number of an entry from an argument. Throws InvalidInputError. */
export function entryNumber(argument: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw InvalidInputError.of(argument, `${JSON.stringify(text.slice(0, 40))} is not the number of an entry`);
}
