import type { Actor } from '../../changes/actor';
import type { OwnTransaction, Transaction } from '../../database/sql';
import type { DomainError } from '../../errors';
import type { Kind } from '../../model/kind';
import type { LegacyRefs } from '../documents/legacy-ref';
import { parseDocument } from '../documents/parse';
import { storedText } from '../read/extra';
import { hasSecretNames } from '../read/other-members';
import { REF_ONLY } from '../read/selection';
import { lockResources } from '../write/change';
import { changesOf, merge, newValues, refOf, secretsIn, type Changes } from '../write/input';
import { LaterWrites } from '../write/later-writes';
import { newRef, usedRefs } from '../write/new-ref';
import { resolveReferences } from '../write/references';
import { createOf, runWrite, type Create, type Update } from '../write/write-group';
import { timesOf, type Entry } from './entries';
import { refsByNaturalKey } from './natural-keys';

/** What an import did with an entry. */
export interface Imported {
  readonly ref: string;
  readonly result: 'create' | 'update' | 'unchanged';
  /** Whether the entry sets a secret. */
  readonly hasSecret: boolean;
}

/**
 * Imports resources within a transaction, all or none. Entries may swap unique values and move ranges of numbers in any order. Each
 * statement of the transaction must see what was committed before (`seesCommits`), because a resource is locked after reads of other
 * ones.
 */
export class EntryImporter {
  private readonly later = new LaterWrites();
  private readonly imported = new Map<object, Imported>();

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly actor: Actor,
    private readonly legacyRefs: LegacyRefs,
    /** See `ChangeOptions`. */
    private readonly hidesSecrets = false,
  ) {}

  /**
   * Imports a resource. An entry updates the resource with the same ref, or, if the entry has no ref, the resource with
   * the same natural key. If there is no such resource, the entry creates one. An entry with a new ref whose natural key
   * is in use is a mistake. Throws the errors of a create and an update.
   */
  async import(kind: Kind, value: Entry['value']): Promise<Imported> {
    const { transaction, later } = this;
    const { write, result, hasSecret } = await this.writeOf(kind, value);
    const details = await runWrite(transaction, write, { later, isWhole: false });
    const imported = { ref: write.ref, result: details ? result : 'unchanged', hasSecret } as const;
    if (later.has(write)) this.imported.set(write, imported);
    return imported;
  }

  /**
   * Must be called after the last entry. Passes what `import` has returned of entries whose values others have still to `refuse`.
   * Awaits `pace` between statements.
   */
  async finish(pace: () => Promise<void>, refuse: (imported: Imported, error: DomainError) => void): Promise<void> {
    await this.later.finish(this.transaction, pace, (write, error) => {
      const own = this.imported.get(write);
      if (!own) throw error;
      refuse(own, error);
    });
  }

  private async writeOf(
    kind: Kind,
    value: Entry['value'],
  ): Promise<Pick<Imported, 'hasSecret'> & { readonly write: Create | Update; readonly result: 'create' | 'update' }> {
    const { transaction, actor, legacyRefs, hidesSecrets } = this;
    const { input, extra, issues } = parseDocument(kind, { ...value, kind: kind.name });
    const mistakes = [...issues];
    const given = refOf(input, mistakes);
    // What is read after the lock does not change until the transaction ends.
    if (given !== undefined) await lockResources(transaction, kind, [given]);
    const known = given !== undefined && (await exists(transaction, kind, given)) ? given : undefined;
    const changes = changesOf(kind, input, known === undefined, mistakes);
    const hasSecret = secretsIn(kind, changes).size > 0 || (extra !== null && hasSecretNames(kind, extra));
    const ref = known ?? (given === undefined ? await lockByNaturalKey(transaction, kind, changes) : undefined);
    if (ref !== undefined) {
      const options = { extra, hidesSecrets };
      return {
        write: { type: 'update', kind, ref, changes, actor, options, selection: REF_ONLY },
        result: 'update',
        hasSecret,
      };
    }
    const values = merge(kind, changes);
    const made = given ?? (await freeRef(transaction, kind, legacyRefs.ofResource(kind, values)));
    const resource = { given: made, values, extra: extra && storedText(extra) };
    return { write: { ...createOf(kind, resource, actor), ...timesOf(value) }, result: 'create', hasSecret };
  }
}

/** Locks the resource with the same natural key, and returns its ref. Returns undefined if there is none. */
async function lockByNaturalKey(
  transaction: OwnTransaction,
  kind: Kind,
  changes: Changes,
): Promise<string | undefined> {
  for (let locked: string | undefined; ;) {
    const ref = await refByNaturalKey(transaction, kind, changes);
    if (ref === locked) return ref;
    // Until it is locked, another transaction may give it another key, or the key to another one.
    if (ref !== undefined) await lockResources(transaction, kind, [ref]);
    locked = ref;
  }
}

/** Returns the ref that Routr v1 derives, or a new one if there is none or another resource uses it. */
async function freeRef(transaction: OwnTransaction, kind: Kind, legacy: string | undefined): Promise<string> {
  return legacy === undefined || (await exists(transaction, kind, legacy)) ? newRef(kind) : legacy;
}

async function exists(transaction: OwnTransaction, kind: Kind, ref: string): Promise<boolean> {
  return (await usedRefs(transaction, kind, [ref])).has(ref);
}

/**
 * Returns the ref of the resource with the same natural key as `changes`, if there is one. Throws
 * UnfulfilledDependencyError if the key refers to a resource that does not exist.
 */
async function refByNaturalKey(transaction: Transaction, kind: Kind, changes: Changes): Promise<string | undefined> {
  const values = newValues(changes);
  const columns = kind.unique.flatMap((key) => key.columns);
  const isInKey = kind.references.some(({ column, refersTo }) => !refersTo.through && columns.includes(column));
  if (isInKey) await resolveReferences(transaction, kind, values);
  const [ref] = await refsByNaturalKey(transaction, kind, [values]);
  return ref;
}
