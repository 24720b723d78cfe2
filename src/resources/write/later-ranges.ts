import type { Actor } from '../../changes/actor';
import { DomainError } from '../../errors';
import type { Kind } from '../../model/kind';
import { valuesOf } from '../read/row';
import type { OwnTransaction } from '../../database/sql';
import { storedByRef } from './change';
import { assertStillFree } from './number-ranges';

// Resources that are checked together.
const BATCH = 200;

/** What the caller of a write knows it by. */
interface Checked {
  readonly kind: Kind;
  readonly ref: string;
  readonly actor: Actor;
}

/**
 * The writes of a set whose ranges are checked once all are made, because in the middle, a range may be with one gateway and
 * the numbers inside with another. The first write that is in the way of others begins it. Those after it are checked again, too,
 * because a check among ranges that overlap does not find all of them.
 */
export class LaterRanges {
  private readonly writes = new Map<string, Checked>();

  get hasBegun(): boolean {
    return this.writes.size > 0;
  }

  add(write: Checked): void {
    this.writes.set(keyOf(write), write);
  }

  /** Whether a write is checked later. */
  has(write: Checked): boolean {
    return this.writes.get(keyOf(write)) === write;
  }

  /**
   * Checks the resources that still exist. Passes those at fault to `refuse`, which by default throws the error: a RangeTakenError.
   * Awaits `pace` between parts of them.
   */
  async finish(
    transaction: OwnTransaction,
    pace: () => Promise<void>,
    refuse: (write: Checked, error: DomainError) => void = (_, error) => {
      throw error;
    },
  ): Promise<void> {
    for (const kind of new Set([...this.writes.values()].map((write) => write.kind))) {
      const writes = [...this.writes.values()].filter((write) => write.kind === kind);
      for (let start = 0; start < writes.length; start += BATCH) {
        await checkEach(transaction, kind, writes.slice(start, start + BATCH), refuse);
        await pace();
      }
    }
    this.writes.clear();
  }
}

function keyOf({ kind, ref }: Checked): string {
  return `${kind.name} ${ref}`;
}

/** Checks writes with shared statements, and one by one only if one is at fault. */
async function checkEach(
  transaction: OwnTransaction,
  kind: Kind,
  writes: readonly Checked[],
  refuse: (write: Checked, error: DomainError) => void,
): Promise<void> {
  const [first] = writes;
  if (!first) return;
  const refs = writes.map(({ ref }) => ref);
  const stored = await storedByRef(transaction, kind, refs);
  const changed = [...stored.values()].map((each) => ({ rowId: each.rowId, values: valuesOf(kind, each) }));
  try {
    await assertStillFree(transaction, kind, changed, first.actor);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (writes.length === 1) {
      refuse(first, error);
      return;
    }
    const middle = Math.ceil(writes.length / 2);
    await checkEach(transaction, kind, writes.slice(0, middle), refuse);
    await checkEach(transaction, kind, writes.slice(middle), refuse);
  }
}
