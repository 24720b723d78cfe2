import type { Actor } from '../../changes/actor';
import type { Details, State, StoredValue } from '../../changes/details';
import { storeNoted } from '../../changes/outbox';
import { batchesBySize } from '../../database/batches';
import { pad, places, type OwnTransaction } from '../../database/sql';
import { endOfTurn } from '../../limits/event-loop';
import type { Kind, Resource } from '../../model/kind';
import { extraOf } from '../read/extra';
import type { Identity } from '../read/resource-reader';
import { valuesOf } from '../read/row';
import { changeAll, lockResources, storedByRef } from '../write/change';
import { deleteAll } from '../write/delete';
import type { IdempotencyKey, KeyTurns } from '../write/idempotency-key';
import { changesOf, newValues, type Input, type Values } from '../write/input';
import { extraChargeOf, inputSizeOf } from '../write/input-size';
import { assertStillFree, mayOverlap } from '../write/number-ranges';
import { resolveReferences } from '../write/references';
import { hidesSecrets, type BulkOptions } from './bulk-options';
import { limitPace } from './pace';
import { assertExpected } from './selected';

// The size of a part. Writing it takes some tens of milliseconds.
const MAX_SIZE = 64 * 1024;
// The size of a list entry, which may be a row of its own, in characters.
const ENTRY = 32;

/** A resource that a change of many changed, and how. */
interface Sampled {
  readonly ref: string;
  readonly details: Details;
}

/** How to change many resources. */
export interface ManyOptions extends Omit<BulkOptions, 'charge'> {
  /** The number of resources that the caller expects to be selected. Undefined if any number will do. */
  readonly expected?: number | undefined;
  /** Makes a retry safe: it returns what the first request with the key returned. */
  readonly key?: IdempotencyKey | undefined;
  /** Charges the user for rows, while they are changed. Throws RateLimitedError. */
  readonly charge: (rows: number) => void;
}

/** What a change of many changed, or would change. */
export interface ManyResult {
  /** The number of selected resources. */
  readonly count: number;
  /** The number of those that the change gave other values. A dry run that sets a secret counts all. */
  readonly changed: number;
  /** The first resources that changed, without the text of secrets. */
  readonly sample: readonly Sampled[];
  /** The id under which the history has the changes. Undefined if nothing was changed. */
  readonly requestId: string | undefined;
}

/** A changed resource, with the values that decide on its place among ranges of numbers. */
interface Ranged {
  readonly rowId: number;
  readonly values: Values;
}

/** Changes a batch of resources, which are locked and were read as a whole. */
type Step = (stored: readonly Resource[]) => Promise<readonly (Sampled & Partial<Ranged>)[]>;

/** How to change the batches. */
interface Plan {
  readonly prepare: (transaction: OwnTransaction) => Promise<Step>;
  /** Checks resources after all were changed. */
  readonly finish?: ((transaction: OwnTransaction, changed: readonly Ranged[]) => Promise<void>) | undefined;
  /** Write and lock nothing. */
  readonly isPreview: boolean;
  /** The size of what is written for each resource, in characters. */
  readonly size: number;
}

// Resources per batch. The number of statements of a batch is fixed, and each is short, because SQLite's statements
// block the process.
const BATCH = 200;
const FIRST_BATCH = 25;
const SAMPLE = 10;
// For a dry run that takes too long.
const ADVICE = 'choose fewer';

/** Updates or deletes many resources of a kind on behalf of an actor, all or none. */
export class ManyService {
  constructor(
    private readonly keys: KeyTurns,
    private readonly actor: Actor,
  ) {}

  /**
   * Makes the changes in the input to each of the resources. Throws ConflictError if another number than expected is
   * selected, and the errors of an update, with the refs of the first resources at fault.
   */
  async update(kind: Kind, chosen: readonly Identity[], input: Input, options: ManyOptions): Promise<ManyResult> {
    const changes = changesOf(kind, input, false);
    const hasRanges = mayOverlap(kind, changes);
    const change = {
      changes,
      actor: this.actor,
      options: { hidesSecrets: hidesSecrets(options), checksRangesLater: hasRanges },
    };
    // Only the database finds all conflicts between natural keys, and between ranges.
    const setsKey = kind.unique.some(({ fields }) => fields.some((name) => changes.has(name)));
    const isPreview = isRead(options) && !setsKey && !hasRanges;
    const prepare = async (transaction: OwnTransaction): Promise<Step> => {
      const targets = await resolveReferences(transaction, kind, newValues(changes));
      return (stored) => changeAll(transaction, kind, stored, change, targets, isPreview);
    };
    // In the middle of a move, a range may be with one gateway and the numbers inside with another.
    const finish = hasRanges
      ? (transaction: OwnTransaction, changed: readonly Ranged[]) =>
          assertStillFree(transaction, kind, changed, this.actor)
      : undefined;
    return this.run(kind, chosen, { prepare, finish, isPreview, size: sizeOf(changes) }, options);
  }

  /**
   * Deletes the resources. Throws ConflictError if another number than expected is selected, and DependentObjectsError
   * with the first of those that others refer to.
   */
  async delete(kind: Kind, chosen: readonly Identity[], options: ManyOptions): Promise<ManyResult> {
    const isPreview = isRead(options);
    const prepare = (transaction: OwnTransaction): Promise<Step> =>
      Promise.resolve((stored) => deleteAll(transaction, kind, stored, { actor: this.actor, isPreview }));
    return this.run(kind, chosen, { prepare, isPreview, size: 0 }, options);
  }

  private run(kind: Kind, chosen: readonly Identity[], plan: Plan, options: ManyOptions): Promise<ManyResult> {
    const { expected, dryRun, key, request: scope, rehearser } = options;
    const work = async (transaction: OwnTransaction): Promise<ManyResult> => {
      const selected = await selectAgain(transaction, kind, chosen, !plan.isPreview);
      if (expected !== undefined) assertExpected(kind, { expected, chosen: chosen.length, left: selected.length });
      const write = (): ReturnType<ManyService['inBatches']> =>
        this.inBatches(transaction, kind, selected, plan, options);
      const pace = limitPace(transaction, scope, dryRun ? ADVICE : undefined);
      const sampled = await (rehearser ? rehearser.rehearse(transaction, write, pace) : write());
      const requestId = dryRun || sampled.changed === 0 ? undefined : this.actor.requestId;
      return { count: selected.length, ...sampled, requestId };
    };
    return this.keys.whole(work, { dryRun, isRehearsal: dryRun && rehearser !== undefined, key, scope });
  }

  private async inBatches(
    transaction: OwnTransaction,
    kind: Kind,
    selected: readonly Identity[],
    { prepare, finish, isPreview, size }: Plan,
    { request, charge, dryRun }: ManyOptions,
  ): Promise<Pick<ManyResult, 'changed' | 'sample'>> {
    const pace = limitPace(transaction, request, dryRun && !isPreview ? ADVICE : undefined);
    const step = await prepare(transaction);
    const sample: Sampled[] = [];
    const ranged: Ranged[] = [];
    let changed = 0;
    let most = FIRST_BATCH;
    for (let start = 0; start < selected.length;) {
      const refs = selected.slice(start, start + most).map(({ ref }) => ref);
      start += refs.length;
      const stored = [...(await storedByRef(transaction, kind, refs)).values()].sort((a, b) => a.rowId - b.rowId);
      const sizes = new Map(stored.map((each) => [each, storedSize(kind, each)]));
      charge([...sizes.values()].reduce((sum, each) => sum + extraChargeOf(each), 0));
      const parts = batchesBySize(stored, (each) => size + (sizes.get(each) ?? 0), MAX_SIZE);
      for (const part of parts) {
        const done = await step(part);
        changed += done.length;
        if (finish)
          for (const { rowId, values } of done)
            if (rowId !== undefined && values) ranged.push({ rowId, values: placeOf(kind, values) });
        sample.push(...done.slice(0, SAMPLE - sample.length).map(sampledOf));
        await storeNoted(transaction, 1);
        await pace();
      }
      most = parts.length > 1 ? Math.ceil(refs.length / parts.length) : Math.min(2 * most, BATCH);
    }
    for (let start = 0; finish && start < ranged.length; start += BATCH) {
      await finish(transaction, ranged.slice(start, start + BATCH));
      await pace();
    }
    return { changed, sample };
  }
}

/** Whether a change is only previewed, which reads what it would do. */
function isRead({ dryRun, rehearser }: ManyOptions): boolean {
  return dryRun && !rehearser;
}

/** The few values on which ranges depend. */
function placeOf({ ranges }: Kind, values: Values): Values {
  return new Map([...values].filter(([name]) => ranges?.fields.includes(name)));
}

/** The size of values in characters, with an allowance for each list entry. */
function sizeOf(values: ReadonlyMap<string, unknown>): number {
  const { entries, characters } = inputSizeOf(Object.fromEntries(values));
  return characters + ENTRY * entries;
}

/** The size of what is stored for a resource, with the members that only REST returns. */
function storedSize(kind: Kind, stored: Resource): number {
  return sizeOf(valuesOf(kind, stored)) + (extraOf(stored)?.length ?? 0);
}

/**
 * Returns the resources that were not changed or deleted since they were selected, because the others may no longer
 * meet the conditions. With `locks`, locks all of them first.
 */
async function selectAgain(
  transaction: OwnTransaction,
  kind: Kind,
  chosen: readonly Identity[],
  locks: boolean,
): Promise<readonly Identity[]> {
  const refs = chosen.map(({ ref }) => ref);
  // All locks come first, because the first read determines what the transaction sees.
  if (locks) await lockResources(transaction, kind, refs);
  const found: Identity[] = [];
  for (let start = 0; start < chosen.length; start += BATCH) {
    const batch = chosen.slice(start, start + BATCH);
    const keys = pad(
      batch.map(({ rowId }) => rowId),
      0,
    );
    const rows = await transaction.rows(
      `SELECT id, modified_on FROM ${kind.table} WHERE id IN (${places(keys.length)})`,
      keys,
    );
    await endOfTurn();
    const times = new Map(rows.map(([id, modifiedOn]) => [Number(id), Number(modifiedOn)]));
    found.push(...batch.filter(({ rowId, modifiedOn }) => times.get(rowId) === modifiedOn));
  }
  return found;
}

// What is kept of a long value: characters of a text, and entries of a list.
const MAX_TEXT = 256;
const MAX_LIST = 5;

/** A sample with short values, because it is stored with the key of its request. */
function sampledOf({ ref, details: { before, after } }: Sampled): Sampled {
  return { ref, details: { ...(before && { before: shorten(before) }), ...(after && { after: shorten(after) }) } };
}

function shorten(state: State): State {
  return Object.fromEntries(Object.entries(state).map(([name, value]) => [name, shortOf(value)]));
}

function shortOf(value: StoredValue): StoredValue {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (!Array.isArray(value)) return value;
  const kept: readonly StoredValue[] = value.slice(0, MAX_LIST).map(shortOf);
  return value.length > MAX_LIST ? [...kept, `… ${String(value.length - MAX_LIST)} more`] : kept;
}
