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

/** What REST adds to an input. */
export interface WriteOptions extends ChangeOptions {
  /** Mistakes that were found before the fields could be read; they are reported with the others. */
  readonly issues?: readonly Issue[];
}

/** What a write answers: read in the write's transaction, so that it is what was written, whatever others do next. */
export type Answer<T> = (resources: ResourceReader, ref: string) => Promise<T>;

const ATTEMPTS = 4;

/** Creates, updates and deletes resources of every kind, for both protocols. */
export class ResourceService {
  constructor(private readonly database: Database) {}

  /** Creates a resource; throws InvalidInput, UnfulfilledDependency and Conflict errors, in this order. */
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
      // A generated ref may exist by chance; a given one is a conflict.
      (error) => given === undefined && error instanceof ConflictError && error.issues[0]?.field === 'ref',
    );
  }

  /** Creates all of them or none; returns their refs. An error names the entry, as `nameOf` does. Throws as `create` does. */
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

  /** Changes the fields that the input has: null clears, undefined keeps. Throws as `create` does, and NotFoundError. */
  async update<T>(kind: Kind, ref: string, input: Input, answer: Answer<T>, options: WriteOptions = {}): Promise<T> {
    const changes = changesOf(kind, input, false, options.issues);
    return this.again(() =>
      this.database.transaction(async (transaction) => {
        await change(transaction, kind, ref, changes, options);
        return answer(readerWithin(transaction), ref);
      }),
    );
  }

  /** Deletes a resource. Throws NotFoundError, and DependentObjectsError while others refer to it. */
  async delete(kind: Kind, ref: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await deleteRow(transaction, kind, await lock(transaction, kind, ref), ref);
    });
  }

  /** Deletes these resources, or none where one is in use; returns how many still existed. Throws DependentObjectsError. */
  async deleteAll(kind: Kind, identities: readonly Identity[]): Promise<number> {
    return this.database.transaction(async (transaction) => {
      let deleted = 0;
      for (const { rowId, ref } of identities) if (await deleteRow(transaction, kind, rowId, ref)) deleted++;
      return deleted;
    });
  }

  /** A referenced resource may be deleted between the lookup and the write: the next attempt reports which one. */
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

/** The ref alone. */
export const refOnly: Answer<string> = (_resources, ref) => Promise.resolve(ref);

function readerWithin(transaction: OwnTransaction): ResourceReader {
  return new ResourceReader(readsWithin(transaction));
}

/** Generates a ref. */
export function newRef({ prefix }: Kind): string {
  return prefix + randomUUID().slice(0, 8);
}
