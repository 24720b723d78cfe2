import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import type { OwnTransaction } from '../../database/sql';
import { ConflictError, DomainError, quote, type Issue } from '../../errors';
import type { Kind, ReferenceField, Resource } from '../../model/kind';
import { valuesOf } from '../read/row';
import { storedByRef } from './change';
import { issue, type Values } from './input';
import { assertStillFree } from './number-ranges';
import { ownErrorOf } from './transactions';

// Resources that are checked together.
const BATCH = 200;

/** The resource that a write is about. */
export interface Target {
  readonly kind: Kind;
  readonly ref: string;
}

/** A create or an update whose unique values are not written yet, because other resources have them. */
export interface Later {
  readonly write: Target;
  /** The values of the resource, and the text that is stored in place of the unique ones. */
  readonly values: Values;
  readonly parked: string;
  /** The number of the history entry that the write reverts. */
  readonly undoes?: number | undefined;
  /** Called before another resource refers to the one that is created. */
  readonly onReference?: () => void;
  /** Writes them. Throws ConflictError if others have them. */
  readonly finish: () => Promise<void>;
}

/**
 * Creates and updates whose unique values later writes may make free. The caller calls `finish` for those that are left after the last write,
 * and rolls all writes back if one fails.
 */
class LaterValues {
  private readonly byTarget = new Map<string, Later>();
  // By what references call the resource, and by what is stored in place of it.
  private readonly byName = new Map<string, Later[]>();

  add(later: Later): void {
    const { write, values, parked } = later;
    this.byTarget.set(keyOf(write), later);
    for (const by of new Set(write.kind.referrers.map(({ field }) => field.refersTo.by)))
      for (const name of by === 'ref' ? [] : [values.get(by), parked]) {
        const key = nameKey(write.kind.name, by, name);
        this.byName.set(key, [...(this.byName.get(key) ?? []), later]);
      }
  }

  /** Whether a write is left. */
  has(write: Target): boolean {
    return this.byTarget.get(keyOf(write))?.write === write;
  }

  /** The writes that are left. */
  rest(): Iterable<Later> {
    return this.byTarget.values();
  }

  /** Writes the values of a resource that is changed again. Throws ConflictError if others have them. */
  async finish(target: Target): Promise<void> {
    const open = this.byTarget.get(keyOf(target));
    if (!open) return;
    this.byTarget.delete(keyOf(target));
    await open.finish();
  }

  /**
   * Writes the values by which states of a kind's resources refer to others: before that, two resources have the same name. A resource
   * that they refer to by its ref keeps waiting for its values. Throws ConflictError if others have them still.
   */
  async finishNamed(kind: Kind, states: readonly ReadonlyMap<string, unknown>[]): Promise<void> {
    if (this.byTarget.size === 0) return;
    const issues: Issue[] = [];
    const namesIn = ({ name }: ReferenceField): ReadonlySet<unknown> =>
      new Set(states.flatMap((state) => [state.get(name) ?? []].flat()));
    for (const field of kind.references)
      for (const ref of field.refersTo.by === 'ref' ? namesIn(field) : [])
        this.byTarget.get(`${field.refersTo.kind} ${String(ref)}`)?.onReference?.();
    for (const field of byValue(kind))
      for (const name of namesIn(field))
        for (const later of this.findNamed(field, name)) {
          try {
            await later.finish();
            this.byTarget.delete(keyOf(later.write));
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error;
            const { kind: target, ref } = later.write;
            const message = `${quote(name)} is taken over by ${target.name} ${ref} from another ${target.name}, which still has it: give that one its new ${field.refersTo.by} before this change`;
            issues.push(issue(field, message));
          }
        }
    if (issues.length > 0)
      throw new ConflictError(issues.map(({ field, message }) => `${field} ${message}`).join('; '), issues);
  }

  /** Replaces what is stored in place of names in resources that were read. */
  rename(kind: Kind, resources: Iterable<Resource>): void {
    if (this.byTarget.size === 0) return;
    for (const field of byValue(kind))
      for (const resource of resources) {
        const stored: unknown = valuesOf(kind, resource).get(field.name);
        const [key = '', inner] = field.keys;
        const nameOf = (name: unknown): unknown =>
          this.findNamed(field, name)[0]?.values.get(field.refersTo.by) ?? name;
        const value = Array.isArray(stored) ? stored.map(nameOf) : nameOf(stored);
        if (stored === undefined) continue;
        const owner = inner === undefined ? resource : (resource as unknown as Record<string, object>)[key]; // a group
        if (owner) Object.assign(owner, { [inner ?? key]: value });
      }
  }

  private findNamed({ refersTo: { kind, by } }: ReferenceField, name: unknown): readonly Later[] {
    const found = this.byName.get(nameKey(kind, by, name)) ?? [];
    return found.filter((each) => this.byTarget.get(keyOf(each.write)) === each);
  }
}

/** The references of a kind by another value than the ref. */
function byValue({ references }: Kind): readonly ReferenceField[] {
  return references.filter(({ refersTo }) => refersTo.by !== 'ref');
}

function keyOf({ kind, ref }: Target): string {
  return `${kind.name} ${ref}`;
}

function nameKey(kind: string, by: string, name: unknown): string {
  return `${kind} ${by} ${String(name)}`;
}

/** A write whose ranges are checked later. */
interface Checked extends Target {
  readonly actor: Actor;
}

/**
 * The writes of a set whose ranges are checked once all are made, because in the middle, a range may be with one gateway and
 * the numbers inside with another. The first write that is in the way of others begins it. Those after it are checked again, too,
 * because a check among ranges that overlap does not find all of them.
 */
class LaterRanges {
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

/** What the writes of a set leave for later: unique values, and checks of ranges. The caller calls `finish` after the last write. */
export class LaterWrites {
  readonly values = new LaterValues();
  readonly ranges = new LaterRanges();

  /** Whether a part of a write is left. */
  has(write: Checked): boolean {
    return this.values.has(write) || this.ranges.has(write);
  }

  /** Completes the writes. Passes those that fail to `refuse`. Awaits `pace` between parts of them. */
  async finish(
    transaction: OwnTransaction,
    pace: () => Promise<void>,
    refuse: (write: Target, error: DomainError) => void,
  ): Promise<void> {
    for (const { write, finish } of this.values.rest()) {
      await finish().catch((error: unknown) => refuse(write, ownErrorOf(error)));
      await pace();
    }
    await this.ranges.finish(transaction, pace, refuse);
    await storeNoted(transaction);
  }
}
