import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import { CommitQueue } from '../../database/commit-queue';
import type { Database } from '../../database/database';
import { readsWithin, type OwnTransaction, type Reads, type RequestScope } from '../../database/sql';
import { inEntry, type Issue } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import type { Model } from '../../model/model';
import { ResourceReader } from '../read/resource-reader';
import { REF_ONLY, type Selection } from '../read/selection';
import { retry, inTransaction } from './transactions';
import type { ChangeOptions } from './change';
import { MAX_ROWS, newResource } from './creation';
import { idempotencyKeyOf, KeyTurns, storeKey, type GivenKey, type IdempotencyKey } from './idempotency-key';
import { changesOf, type Input } from './input';
import { withDifferences, type FindDifferences } from './unchanged';
import { createOf, lockTargets, runWrites, type Write } from './write-group';

/**
 * Returns the function that creates the service for an actor. The services of all actors share transactions. `find`
 * reads what was changed, for errors.
 */
export function resourceServices(
  database: Database,
  model: Model,
  find: FindDifferences = () => Promise.resolve(new Map()),
): (actor: Actor, request: RequestScope | undefined) => ResourceService {
  const kinds = model.inReferenceOrder;
  const work: Writer = async (transaction, writes) => {
    const locked = writes.filter(({ type }) => type !== 'create');
    if (locked.length > 0) await lockTargets(transaction, kinds, locked);
    return runWrites(transaction, kinds, writes);
  };
  const writers = { queue: new CommitQueue(database, work), work, keys: new KeyTurns(database), find };
  return (actor, request) => new ResourceService(database, writers, actor, request);
}

type Writer = (
  transaction: OwnTransaction,
  writes: readonly Write[],
) => Promise<readonly PromiseSettledResult<Resource>[]>;

/** What the services of all actors share. */
interface Writers {
  readonly queue: CommitQueue<Write, Resource>;
  readonly work: Writer;
  readonly keys: KeyTurns;
  readonly find: FindDifferences;
}

/**
 * Creates, updates and deletes resources of every kind on behalf of an actor, for both protocols. What is not committed
 * when the request is over is rolled back.
 */
export class ResourceService {
  constructor(
    private readonly database: Database,
    private readonly writers: Writers,
    private readonly actor: Actor,
    /** Undefined for a command. */
    private readonly request: RequestScope | undefined,
  ) {}

  /**
   * Creates a resource and returns the selected part of it. Throws InvalidInputError, UnfulfilledDependencyError or
   * ConflictError, checked in this order. A dry run does not store the key.
   */
  async create(kind: Kind, input: Input, selection: Selection, options: WriteOptions = {}): Promise<Resource> {
    const resource = newResource(kind, input, options);
    const key = options.dryRun ? undefined : keyOf(kind, [{ input, ...options }]);
    const attempt = () => this.write(createOf(kind, resource, this.actor, { selection, key }), options);
    return this.writers.keys.once(key, attempt, ([ref = '']) => this.readCreated(kind, ref, selection));
  }

  /**
   * Creates all resources or none. Returns their refs. Throws the same errors as `create`, with the name of the entry
   * from `nameOf`.
   */
  async createAll(
    kind: Kind,
    entries: readonly (WriteOptions & { readonly input: Input })[],
    nameOf: (index: number) => string,
    givenKey?: GivenKey,
  ): Promise<readonly string[]> {
    const resources = entries.map(({ input, ...options }, index) =>
      inEntry(nameOf(index), () => newResource(kind, input, options)),
    );
    const key = keyOf(kind, entries, givenKey);
    const work = async (transaction: OwnTransaction): Promise<readonly string[]> => {
      const writes = resources.map((each) => createOf(kind, each, this.actor));
      const refs = writes.map(({ ref }) => ref);
      if (key) await storeKey(transaction, key, refs);
      for (let start = 0; start < writes.length; start += MAX_ROWS) {
        const results = await runWrites(transaction, [kind], writes.slice(start, start + MAX_ROWS));
        for (const [index, result] of results.entries()) inEntry(nameOf(start + index), () => valueOf(result));
        await storeNoted(transaction);
      }
      return refs;
    };
    const attempt = () => this.database.transaction(work, { scope: this.request });
    return this.writers.keys.once(key, attempt, (refs) => refs);
  }

  /**
   * Changes the fields in the input, and returns the selected part of the resource: null clears a field, undefined
   * keeps it. Throws NotFoundError, ChangedSinceError and the same errors as `create`.
   */
  async update(
    kind: Kind,
    ref: string,
    input: Input,
    selection: Selection,
    given: WriteOptions = {},
  ): Promise<Resource> {
    const changes = changesOf(kind, input, false, given.issues);
    const options = given.dryRun ? { ...given, hidesSecrets: true } : given;
    return this.change({ type: 'update', kind, ref, changes, actor: this.actor, options, selection }, options);
  }

  /**
   * Deletes a resource. Throws NotFoundError, ChangedSinceError, or DependentObjectsError if others refer to it.
   */
  async delete(
    kind: Kind,
    ref: string,
    options: Pick<WriteOptions, 'dryRun' | 'ifUnchangedSince'> = {},
  ): Promise<void> {
    await this.change({ type: 'delete', kind, ref, actor: this.actor, options }, options);
  }

  /** Runs an update or a delete. The error of a resource that was changed since it was read says what was changed. */
  private async change(write: Write, options: DryRunOptions): Promise<Resource> {
    try {
      return await retry(this.database, () => this.write(write, options));
    } catch (error) {
      throw await withDifferences(error, this.writers.find);
    }
  }

  private write(write: Write, { dryRun = false, readAhead }: DryRunOptions): Promise<Resource> {
    return dryRun ? this.preview(write, readAhead) : this.writers.queue.add(write, this.request);
  }

  /** Returns what a write would return, in a transaction that is rolled back. */
  private preview(write: Write, readAhead: DryRunOptions['readAhead']): Promise<Resource> {
    const attempt = async (transaction: OwnTransaction): Promise<Resource> => {
      const [result] = await this.writers.work(transaction, [write]);
      const value = valueOf(result);
      await readAhead?.(readsWithin(transaction), value);
      // The database may give the id of a row that was not kept to another one.
      return write.type === 'create' ? Object.assign(value, { rowId: 0 }) : value;
    };
    return inTransaction(this.database, attempt, { isKept: () => false, isShort: true, scope: this.request });
  }

  /** Reads a resource that an earlier request has created. */
  private readCreated(kind: Kind, ref: string, selection: Selection): Promise<Resource> | Resource {
    if (selection === REF_ONLY) return Object.assign(new kind.class(), { ref });
    return new ResourceReader(this.database).get(kind, ref, selection);
  }
}

interface DryRunOptions {
  /** Change nothing, and return what the resource would be. */
  readonly dryRun?: boolean | undefined;
  /** Reads what belongs to the resource before a dry run is undone. */
  readonly readAhead?: (reads: Reads, resource: Resource) => Promise<void>;
}

/** Data that a transport passes in addition to the input. */
interface WriteOptions extends ChangeOptions, DryRunOptions {
  /** The key that the caller sent to make a retry of the create safe. */
  readonly key?: GivenKey | undefined;
  /** Errors found while the document was parsed. They are reported together with those of the input. */
  readonly issues?: readonly Issue[];
}

/** The resource that a write returned. Throws the error of a write that failed. */
function valueOf(result: PromiseSettledResult<Resource> | undefined): Resource {
  if (result?.status !== 'fulfilled') throw result?.reason;
  return result.value;
}

/** Returns the key of a create of these entries; undefined without one. */
function keyOf(
  kind: Kind,
  entries: readonly (WriteOptions & { readonly input: Input })[],
  given = entries[0]?.key,
): IdempotencyKey | undefined {
  return given && idempotencyKeyOf(given, kind.name, ...entries.map(({ input, extra = null }) => [input, extra]));
}
