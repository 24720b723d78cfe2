import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import { CommitQueue } from '../../database/commit-queue';
import type { Database } from '../../database/database';
import type { OwnTransaction, RequestScope } from '../../database/sql';
import { inEntry, type Issue } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import type { Model } from '../../model/model';
import { storedText } from '../read/extra';
import { ResourceReader } from '../read/resource-reader';
import { REF_ONLY, type Selection } from '../read/selection';
import { again } from './attempts';
import type { ChangeOptions } from './change';
import { insertAll, MAX_ROWS, type Creation } from './creation';
import { idempotencyKeyOf, KeyTurns, storeKey, type GivenKey, type IdempotencyKey } from './idempotency-key';
import { changesOf, merge, refOf, type Input } from './input';
import { newRef } from './new-ref';
import { runWrites, type Write } from './write-group';

/** Returns the function that creates the service for an actor. The services of all actors share transactions. */
export function resourceServices(
  database: Database,
  model: Model,
): (actor: Actor, request: RequestScope | undefined) => ResourceService {
  const queue = new CommitQueue<Write, Resource>(database, (transaction, writes) =>
    runWrites(transaction, model.inReferenceOrder, writes),
  );
  const keys = new KeyTurns();
  return (actor, request) => new ResourceService(database, queue, keys, actor, request);
}

/**
 * Creates, updates and deletes resources of every kind on behalf of an actor, for both protocols. What is not committed
 * when the request is over is rolled back.
 */
export class ResourceService {
  constructor(
    private readonly database: Database,
    private readonly queue: CommitQueue<Write, Resource>,
    private readonly keys: KeyTurns,
    private readonly actor: Actor,
    /** Undefined for a command. */
    private readonly request: RequestScope | undefined,
  ) {}

  /**
   * Creates a resource and returns the selected part of it. Throws InvalidInputError, UnfulfilledDependencyError or
   * ConflictError, checked in this order.
   */
  async create(kind: Kind, input: Input, selection: Selection, options: WriteOptions = {}): Promise<Resource> {
    const resource = newResource(kind, input, options);
    const key = keyOf(kind, [{ input, ...options }]);
    const attempt = (): Promise<Resource> => {
      const creation = this.creationOf(kind, resource);
      return this.queue.add({ type: 'create', kind, ref: creation.ref, creation, selection, key }, this.request);
    };
    return this.keys.once(
      key,
      () => again(this.database, attempt),
      ([ref = '']) => this.created(kind, ref, selection),
    );
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
      const creations = resources.map((each) => this.creationOf(kind, each));
      const refs = creations.map(({ ref }) => ref);
      if (key) await storeKey(transaction, key, refs);
      for (let start = 0; start < creations.length; start += MAX_ROWS) {
        const some = creations.slice(start, start + MAX_ROWS);
        const { failures } = await insertAll(transaction, kind, some);
        for (const [index, creation] of some.entries())
          inEntry(nameOf(start + index), () => {
            if (failures.has(creation)) throw failures.get(creation);
          });
        await storeNoted(transaction);
      }
      return refs;
    };
    const attempt = () => this.database.transaction(work, { scope: this.request });
    return this.keys.once(
      key,
      () => again(this.database, attempt),
      (refs) => refs,
    );
  }

  /**
   * Changes the fields in the input, and returns the selected part of the resource: null clears a field, undefined
   * keeps it. Throws NotFoundError and the same errors as `create`.
   */
  async update(
    kind: Kind,
    ref: string,
    input: Input,
    selection: Selection,
    options: WriteOptions = {},
  ): Promise<Resource> {
    const changes = changesOf(kind, input, false, options.issues);
    return again(this.database, () =>
      this.queue.add({ type: 'update', kind, ref, changes, actor: this.actor, options, selection }, this.request),
    );
  }

  /** Deletes a resource. Throws NotFoundError, or DependentObjectsError if others refer to it. */
  async delete(kind: Kind, ref: string): Promise<void> {
    await again(this.database, () => this.queue.add({ type: 'delete', kind, ref, actor: this.actor }, this.request));
  }

  private creationOf(kind: Kind, { given, values, extra }: NewResource): Creation {
    const createdOn = Date.now();
    const ref = given ?? newRef(kind);
    return { ref, values, extra, createdOn, modifiedOn: createdOn, actor: this.actor, hasNewRef: given === undefined };
  }

  /** Reads a resource that an earlier request has created. */
  private created(kind: Kind, ref: string, selection: Selection): Promise<Resource> | Resource {
    if (selection === REF_ONLY) return Object.assign(new kind.class(), { ref });
    return new ResourceReader(this.database).get(kind, ref, selection);
  }
}

/** Data that a transport passes in addition to the input. */
interface WriteOptions extends ChangeOptions {
  /** The key that the caller sent to make a retry of the create safe. */
  readonly key?: GivenKey | undefined;
  /** Errors found while the document was parsed. They are reported together with those of the input. */
  readonly issues?: readonly Issue[];
}

/** The validated input of a create. */
interface NewResource extends Pick<Creation, 'values' | 'extra'> {
  /** The ref in the input, if there is one. */
  readonly given: string | undefined;
}

/** Validates the input of a create. Throws InvalidInputError. */
function newResource(kind: Kind, input: Input, { extra = null, issues = [] }: WriteOptions): NewResource {
  const mistakes = [...issues];
  const given = refOf(input, mistakes);
  const values = merge(kind, changesOf(kind, input, true, mistakes));
  return { given, values, extra: extra && storedText(extra) };
}

/** Returns the key of a create of these entries; undefined without one. */
function keyOf(
  kind: Kind,
  entries: readonly (WriteOptions & { readonly input: Input })[],
  given = entries[0]?.key,
): IdempotencyKey | undefined {
  return given && idempotencyKeyOf(given, kind.name, ...entries.map(({ input, extra = null }) => [input, extra]));
}
