import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database';
import { failureOf } from '../database/errors';
import { readsWithin, type OwnTransaction } from '../database/sql';
import { ConflictError, inEntry, type Issue } from '../errors';
import type { Kind } from '../model/kind';
import { deleteRow } from './delete';
import { changesOf, merged, refOf, type Input } from './input';
import { ResourceReader, type Identity } from './resource-reader';
import { change, insert, lock, type ChangeOptions } from './write';

/** Data that REST passes in addition to the input. */
export interface WriteOptions extends ChangeOptions {
  /** Errors found while the document was parsed; they are reported with the others. */
  readonly issues?: readonly Issue[];
}

/** Reads the result of a write in its transaction, so that later writes do not affect it. */
export type Answer<T> = (resources: ResourceReader, ref: string) => Promise<T>;

const ATTEMPTS = 4;

/** Creates, updates and deletes resources of every kind, for both protocols. */
export class ResourceService {
  constructor(private readonly database: Database) {}

  /** Creates a resource. Throws InvalidInputError, UnfulfilledDependencyError or ConflictError, checked in this order. */
  async create<T>(
    kind: Kind,
    input: Input,
    answer: Answer<T>,
    { extra = null, issues = [] }: WriteOptions = {},
  ): Promise<T> {
    const mistakes = [...issues];
    const given = refOf(input, mistakes);
    const values = merged(kind, changesOf(kind, input, true, mistakes));
    return this.again(
      () => {
        const ref = given ?? newRef(kind);
        return this.database.transaction(async (transaction) =>
          answer(readerWithin(transaction), await insert(transaction, kind, ref, values, extra)),
        );
      },
      // A generated ref may exist by chance and is generated again; a given ref that exists is a conflict.
      (error) => given === undefined && error instanceof ConflictError && error.issues[0]?.field === 'ref',
    );
  }

  /** Creates all resources or none. Returns their refs. Throws the same errors as `create`, with the name of the entry from `nameOf`. */
  async createAll(
    kind: Kind,
    entries: readonly (WriteOptions & { readonly input: Input })[],
    nameOf: (index: number) => string,
  ): Promise<readonly string[]> {
    const made = entries.map(({ input, extra = null, issues = [] }, index) =>
      inEntry(nameOf(index), () => {
        const mistakes = [...issues];
        const given = refOf(input, mistakes);
        return { given, values: merged(kind, changesOf(kind, input, true, mistakes)), extra };
      }),
    );
    return this.again(() =>
      this.database.transaction(async (transaction) => {
        const refs: string[] = [];
        for (const [index, { given, values, extra }] of made.entries()) {
          const ref = given ?? newRef(kind);
          refs.push(await inEntry(nameOf(index), () => insert(transaction, kind, ref, values, extra)));
        }
        return refs;
      }),
    );
  }

  /** Changes the fields in the input: null clears a field, undefined keeps it. Throws NotFoundError and the same errors as `create`. */
  async update<T>(kind: Kind, ref: string, input: Input, answer: Answer<T>, options: WriteOptions = {}): Promise<T> {
    const changes = changesOf(kind, input, false, options.issues);
    return this.again(() =>
      this.database.transaction(async (transaction) => {
        await change(transaction, kind, ref, changes, options);
        return answer(readerWithin(transaction), ref);
      }),
    );
  }

  /** Deletes a resource. Throws NotFoundError, or DependentObjectsError if others refer to it. */
  async delete(kind: Kind, ref: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await deleteRow(transaction, kind, await lock(transaction, kind, ref), ref);
    });
  }

  /** Deletes all these resources, or none if one is in use. Returns how many still existed. Throws DependentObjectsError. */
  async deleteAll(kind: Kind, identities: readonly Identity[]): Promise<number> {
    return this.database.transaction(async (transaction) => {
      let deleted = 0;
      for (const { rowId, ref } of identities) if (await deleteRow(transaction, kind, rowId, ref)) deleted++;
      return deleted;
    });
  }

  /** Retries if a referenced resource is deleted between the lookup and the write: the next attempt reports which one. */
  private async again<T>(work: () => Promise<T>, also: (error: unknown) => boolean = () => false): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const worth = failureOf(error).type === 'missing-reference' || also(error);
        if (!worth || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** Returns only the ref. */
export const refOnly: Answer<string> = (_resources, ref) => Promise.resolve(ref);

function readerWithin(transaction: OwnTransaction): ResourceReader {
  return new ResourceReader(readsWithin(transaction));
}

/** Generates a ref. */
export function newRef({ prefix }: Kind): string {
  return prefix + randomUUID().slice(0, 8);
}
