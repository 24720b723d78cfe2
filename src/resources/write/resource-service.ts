import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import { CommitQueue } from '../../database/commit-queue';
import type { Database } from '../../database/database';
import type { RequestScope } from '../../database/sql';
import { ConflictError, inEntry, type Issue } from '../../errors';
import type { Kind, Resource } from '../../model/kind';
import type { Model } from '../../model/model';
import { storedText } from '../read/extra';
import { ResourceReader } from '../read/resource-reader';
import { REF_ONLY, type Selection } from '../read/selection';
import { again } from './again';
import type { ChangeOptions } from './change';
import { insert, type Times } from './creation';
import { idempotencyKeyOf, type GivenKey, type IdempotencyKey } from './idempotency-key';
import { storeKey } from './idempotency-store';
import { changesOf, merge, refOf, type Input } from './input';
import { KeyTurns } from './key-turns';
import { newRef } from './new-ref';
import { runWrites } from './write-group';
import type { Write } from './write-runs';

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
    const { given, values, extra } = newResource(kind, input, options);
    const key = keyOf(kind, [{ input, ...options }]);
    const create = (): Promise<Resource> =>
      again(
        this.database,
        () => {
          const creation = { ref: given ?? newRef(kind), values, extra, ...now(), actor: this.actor };
          return this.queue.add({ type: 'create', kind, ref: creation.ref, creation, selection, key }, this.request);
        },
        // A generated ref may already exist by chance, and another one is generated. A given ref that exists is a
        // conflict.
        (error) => given === undefined && error instanceof ConflictError && error.issues[0]?.field === 'ref',
      );
    if (!key) return create();
    return this.keys.once(key, create, ([ref = '']) =>
      selection === REF_ONLY
        ? Promise.resolve(Object.assign(new kind.class(), { ref }))
        : new ResourceReader(this.database).get(kind, ref, selection),
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
    const made = entries.map(({ input, ...options }, index) =>
      inEntry(nameOf(index), () => newResource(kind, input, options)),
    );
    const key = keyOf(kind, entries, givenKey);
    const create = (): Promise<readonly string[]> =>
      again(this.database, () =>
        this.database.transaction(
          async (transaction) => {
            const creations = made.map(({ given, values, extra }) => ({
              ref: given ?? newRef(kind),
              values,
              extra,
              ...now(),
              actor: this.actor,
            }));
            const refs = creations.map(({ ref }) => ref);
            if (key) await storeKey(transaction, key, refs);
            for (const [index, creation] of creations.entries()) {
              await inEntry(nameOf(index), () => insert(transaction, kind, creation));
              await storeNoted(transaction);
            }
            return refs;
          },
          { scope: this.request },
        ),
      );
    return key ? this.keys.once(key, create, (refs) => Promise.resolve(refs)) : create();
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
}

/** Data that a transport passes in addition to the input. */
interface WriteOptions extends ChangeOptions {
  /** The key that the caller sent to make a retry of the create safe. */
  readonly key?: GivenKey | undefined;
  /** Errors found while the document was parsed. They are reported together with those of the input. */
  readonly issues?: readonly Issue[];
}

/** Validates the input of a create. `given` is the ref in the input, if there is one. Throws InvalidInputError. */
function newResource(kind: Kind, input: Input, { extra = null, issues = [] }: WriteOptions) {
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

/** The times of a new resource. */
function now(): Times {
  const createdOn = Date.now();
  return { createdOn, modifiedOn: createdOn };
}
