import type { Actor } from '../changes/actor';
import { isFingerprint, newFingerprint, type Details, type State, type StoredValue } from '../changes/details';
import { storeNoted } from '../changes/outbox';
import type { Product } from '../database/driver';
import { readsWithin, type OwnTransaction } from '../database/sql';
import { ConflictError, InvalidInputError, NotSupportedError, quote, type Issue } from '../errors';
import { FormatError, type Value } from '../model/format/format';
import type { Field, Kind, Resource } from '../model/kind';
import type { Model } from '../model/model';
import type { Extra } from '../resources/read/extra';
import { ResourceReader } from '../resources/read/resource-reader';
import { REF_ONLY, wholeOf } from '../resources/read/selection';
import { deleteAll } from '../resources/write/delete';
import { shownExtra, stateOf, wholeStateOf } from '../resources/write/entry-details';
import { issue, merge, newValues } from '../resources/write/input';
import { LaterWrites } from '../resources/write/later-writes';
import { createOf, runWrite } from '../resources/write/write-group';
import type { Creations } from './creations';
import { isSame, namesIn, type HistoryEntry } from './history-entry';
import { sinceEntry } from './secret-changes';

/** The value of a secret that a revert needs, because old secrets are not kept. */
export interface GivenSecret {
  readonly field: string;
  readonly value: string;
  /** The resource. Undefined for every resource that needs a secret in this field. */
  readonly ref?: string | null | undefined;
}

/** What a revert changed, or would change. */
export interface Reverted {
  /** The number of the entry that was reverted. */
  readonly entry: number;
  readonly kind: string;
  readonly ref: string;
  readonly event: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly before: State;
  readonly after: State;
}

/** Reverts entries within a transaction, on behalf of an actor. */
export class Reverter {
  /** Resources may swap unique values, and ranges may have moved with the numbers inside. */
  private readonly later = new LaterWrites();

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly product: Product,
    private readonly model: Model,
    private readonly actor: Actor,
    private readonly secrets: readonly GivenSecret[],
    /** Charges the user for long entries that are read, in rows. Throws RateLimitedError. */
    private readonly charge: (rows: number) => void,
    /** The later creations of the resources. They must be read before the entries are reverted. */
    private readonly creations: Creations,
  ) {}

  /**
   * Reverts what an entry did. Returns undefined if it is reverted already. Throws ConflictError if a later change
   * would be lost, InvalidInputError if a secret is missing, NotSupportedError if the entry cannot be reverted, and the
   * errors of creates, updates and deletes.
   */
  async revert(entry: HistoryEntry): Promise<Reverted | undefined> {
    const { rowId, ref } = entry;
    const kind = kindOf(this.model, entry);
    const { before, after } = detailsOf(kind, entry);
    await this.later.values.finish({ kind, ref });
    await this.later.values.finishNamed(kind, [new Map(Object.entries(before)), new Map(Object.entries(after))]);
    const reader = new ResourceReader(readsWithin(this.transaction));
    const [stored] = await reader.some(kind, [ref], wholeOf(kind));
    if (stored) this.later.values.rename(kind, [stored]);
    await storeNoted(this.transaction);
    const now = stored && (await this.stateOf(kind, stored, entry));
    const of = { entry: rowId, kind: kind.name, ref };
    if (entry.event === 'CREATED') {
      if (!stored || !now) return undefined;
      this.assertSame(kind, entry);
      assertUnchanged(kind, ref, namesIn(now, after), now, after);
      // Members that may be secrets are not compared, because entries do not have them.
      if (
        now['extra'] !== undefined &&
        (await sinceEntry(this.transaction, this.product, entry, 'extra', this.charge)) === 'changed'
      )
        throw conflict(kind, ref, [{ field: 'extra', path: 'metadata', message: 'was changed later' }]);
      await deleteAll(this.transaction, kind, [stored], { actor: this.actor, undoes: rowId });
      return { ...of, event: 'DELETED', before: now, after: {} };
    }
    if (entry.event === 'DELETED') {
      if (stored && !this.creations.isAnother(entry)) return undefined;
      if (stored) throw conflict(kind, ref, [{ field: 'ref', path: 'metadata.ref', message: 'exists again' }]);
      await this.restore(kind, entry, before);
      this.creations.noteRestored(entry);
      return { ...of, event: 'CREATED', before: {}, after: before };
    }
    if (!now) throw conflict(kind, ref, [{ field: 'ref', path: 'metadata.ref', message: 'was deleted later' }]);
    this.assertSame(kind, entry);
    const names = namesIn(before, after).filter((name) => !isSame(now[name], before[name]));
    if (names.length === 0) return undefined;
    assertUnchanged(kind, ref, names, now, after);
    await this.changeBack(kind, entry, names, before);
    return { ...of, event: 'UPDATED', before: only(names, now), after: only(names, before) };
  }

  /**
   * Must be called after the last entry. Throws ConflictError if others have the values of a resource that was reverted. `within`
   * runs what remains of an entry, by its number. Awaits `pace` between statements.
   */
  async finish(
    within: (entry: number, work: () => Promise<void>) => Promise<void>,
    pace: () => Promise<void>,
  ): Promise<void> {
    for (const { undoes = 0, finish } of this.later.values.rest()) await within(undoes, finish); // set by `restore` and `changeBack`
    await this.later.ranges.finish(this.transaction, pace);
  }

  /** Throws ConflictError if the resource is a later one with the reference of the entry's. */
  private assertSame(kind: Kind, entry: HistoryEntry): void {
    if (!this.creations.isAnother(entry)) return;
    throw conflict(kind, entry.ref, [{ field: 'ref', path: 'metadata.ref', message: 'was created again later' }]);
  }

  private async restore(kind: Kind, entry: HistoryEntry, before: State): Promise<void> {
    const { ref: given, rowId: undoes } = entry;
    const values = merge(kind, newValues(this.valuesIn(kind, given, kind.fields, before)));
    const extra = typeof before['extra'] === 'string' ? before['extra'] : null;
    const create = createOf(kind, { given, values, extra }, this.actor);
    const { transaction, later } = this;
    const whole = { ...create, createdOn: Number(before['createdOn']), undoes };
    await runWrite(transaction, whole, { later });
  }

  private async changeBack(kind: Kind, entry: HistoryEntry, names: readonly string[], before: State): Promise<void> {
    const { ref, rowId } = entry;
    const fields = kind.fields.filter(({ name }) => names.includes(name));
    const changes = this.valuesIn(kind, ref, fields, before);
    const extra = before['extra'];
    const others = names.includes('extra') && {
      replacesExtra: true,
      extra: typeof extra === 'string' ? (JSON.parse(extra) as Extra) : null, // as `storedText` wrote it
    };
    const options = { undoes: rowId, hidesSecrets: true, ...others };
    const { transaction, actor, later } = this;
    const update = { type: 'update', kind, ref, changes, actor, options, selection: REF_ONLY } as const;
    await runWrite(transaction, update, { later });
  }

  /**
   * The values of fields in a state, with the given secrets. Throws InvalidInputError for missing or invalid secrets.
   */
  private valuesIn(kind: Kind, ref: string, fields: readonly Field[], state: State): ReadonlyMap<string, Value | null> {
    const issues: Issue[] = [];
    const values = new Map(
      fields.map((field): [string, Value | null] => {
        const value = state[field.name];
        if (!isFingerprint(value)) return [field.name, (value ?? null) as Value | null]; // as the resource had it
        return [field.name, this.secretOf(kind, ref, field, issues)];
      }),
    );
    if (issues.length > 0) throw new InvalidInputError(issues);
    return values;
  }

  private secretOf(kind: Kind, ref: string, field: Field, issues: Issue[]): Value | null {
    const given = this.secrets.find((each) => each.field === field.name && (each.ref ?? ref) === ref);
    if (!given) {
      issues.push(
        issue(
          field,
          `of ${kind.name} ${ref} is required, because old secrets are not kept: pass it in secrets (command: --secret ${ref}:${field.name}=…)`,
        ),
      );
      return null;
    }
    try {
      return field.format.parse(given.value);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      issues.push(issue(field, error.message));
      return null;
    }
  }

  /**
   * The state of a resource, to compare with an entry. Its secrets are those of the entry unless they changed later.
   */
  private async stateOf(kind: Kind, stored: Resource, entry: HistoryEntry): Promise<State> {
    const { before = {}, after = {} } = entry.details ?? {};
    const state: Record<string, StoredValue> = { ...stateOf(kind, wholeStateOf(kind, stored)) };
    for (const { name, secret } of kind.fields) {
      if (!secret || !(name in state || name in before || name in after)) continue;
      await storeNoted(this.transaction, 1);
      const since = await sinceEntry(this.transaction, this.product, entry, name, this.charge);
      if (since === 'nothing') state[name] = after[name];
      else state[name] = since === 'reverted' ? before[name] : newFingerprint();
    }
    return state;
  }
}

/** The kind of an entry's resource. Throws NotSupportedError for an entry that is not about a resource. */
export function kindOf(model: Model, { kind: name, rowId, event }: HistoryEntry): Kind {
  const kind = model.find(name);
  if (!kind || !['CREATED', 'UPDATED', 'DELETED'].includes(event))
    throw new NotSupportedError(`Entry ${String(rowId)} is not a change of a resource, so it cannot be reverted`);
  return kind;
}

function detailsOf(kind: Kind, { rowId, event, details }: HistoryEntry): Required<Pick<Details, 'before' | 'after'>> {
  // Entries of earlier versions contain the secrets among the other members.
  const show = (state: State = {}): State =>
    typeof state['extra'] === 'string' ? { ...state, extra: shownExtra(kind, state['extra']) } : state;
  const [before, after] = [show(details?.before), show(details?.after)];
  const needed = event === 'CREATED' ? after : before;
  if (Object.keys(needed).length > 0) return { before, after };
  throw new NotSupportedError(`Entry ${String(rowId)} does not say what it changed, so it cannot be reverted`);
}

/** Throws ConflictError if a field has another value than the entry gave it, because that value would be lost. */
function assertUnchanged(kind: Kind, ref: string, names: readonly string[], now: State, after: State): void {
  const issues = names
    .filter((name) => !isSame(now[name], after[name]))
    .map((name): Issue => {
      const path = kind.fields.find((field) => field.name === name)?.path ?? name;
      return { field: name, path, message: 'was changed later' };
    });
  if (issues.length > 0) throw conflict(kind, ref, issues);
}

function conflict({ name }: Kind, ref: string, issues: readonly Issue[]): ConflictError {
  const reasons = issues.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ConflictError(`${name} ${quote(ref)}: ${reasons}`, issues);
}

function only(names: readonly string[], state: State): State {
  return Object.fromEntries(names.filter((name) => state[name] !== undefined).map((name) => [name, state[name]]));
}
