import { isDeepStrictEqual } from 'node:util';

import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import type { Database } from '../../database/database';
import { batchesOf } from '../../database/batches';
import type { SeekKey } from '../../database/page';
import { DomainError } from '../../errors';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import type { GivenChange } from '../../resources/bulk/change-set';
import { refsByNaturalKey } from '../../resources/bulk/natural-keys';
import { ListMemory } from '../../resources/lists/cached-lists';
import { ResourceReader } from '../../resources/read/resource-reader';
import { wholeOf } from '../../resources/read/selection';
import { inTransaction } from '../../resources/write/transactions';
import { editOf } from '../../resources/write/change';
import { stateOf, updateOf, wholeStateOf, type WholeState } from '../../resources/write/entry-details';
import { merge, newValues, type Values } from '../../resources/write/input';
import { messagesOf, type Wanted } from './documents';

/** What a directory may delete. Without labels and kinds, nothing. */
export interface Scope {
  /** `key=value`; a resource has all of them. */
  readonly labels: readonly string[];
  readonly kinds: readonly Kind[];
}

/** A change that makes the server what the directory says. */
export interface PlannedChange {
  readonly type: GivenChange['type'];
  readonly kind: Kind;
  /** Undefined for a create that leaves it to the server. */
  readonly ref: string | undefined;
  /** The file and the line; undefined for a delete. */
  readonly place: string | undefined;
  /** When the resource was last changed, in milliseconds since the epoch; undefined for a create. */
  readonly modifiedOn: number | undefined;
  /** The fields with their values, without secrets. */
  readonly details: Details;
  /** The new values, with references instead of secrets; null clears a field. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** The difference between a directory and a server. */
export interface Plan {
  /** In an order in which they can be made. */
  readonly changes: readonly PlannedChange[];
  readonly mistakes: readonly string[];
  /** How many documents are of other kinds than those of the scope. */
  readonly skipped: number;
  readonly unchanged: number;
}

const PAGE = 500;

type Edited = PlannedChange & { readonly before?: Values };

/** Compares documents with the database. */
export async function planOf(
  database: Database,
  model: Model,
  actor: Actor,
  wanted: readonly Wanted[],
  scope: Scope,
): Promise<Plan> {
  const mistakes: string[] = [];
  const own = wanted.filter(({ kind }) => scope.kinds.length === 0 || scope.kinds.includes(kind));
  for (const { place, changes } of own) {
    const labels = changes.get('labels');
    const missing = scope.labels.filter((label) => !(Array.isArray(labels) && labels.includes(label)));
    if (missing.length > 0)
      mistakes.push(`${place}: metadata.labels: lacks ${missing.join(', ')}, which --label requires of each document`);
  }
  const edits: Edited[] = [];
  const kept = new Map<Kind, Set<string>>();
  const renamed = new Map<string, string>();
  let unchanged = 0;
  for (const kind of model.inReferenceOrder) {
    const all = own.filter((each) => each.kind === kind);
    const refs = await refsOf(database, kind, all);
    mistakes.push(...repeatsIn(kind, all, refs));
    kept.set(kind, new Set(refs.filter((ref) => ref !== undefined)));
    for (const some of batchesOf(all.map((each, index) => ({ each, ref: refs[index] })))) {
      const reader = new ResourceReader(database, new ListMemory());
      const found = await reader.some(
        kind,
        some.flatMap(({ ref }) => ref ?? []),
        wholeOf(kind),
      );
      const stored = new Map(found.map((resource) => [resource.ref, resource]));
      for (const { each, ref } of some)
        try {
          const resource = stored.get(ref ?? '');
          const edit = resource
            ? changeOf(
                each,
                followRenames(kind, wholeStateOf(kind, resource), renamed),
                editOf(kind, resource, { ...each, actor }).after,
              )
            : creationOf(each);
          if (edit?.before) noteRenamed(edit, edit.before, renamed);
          if (edit) edits.push(edit);
          else unchanged++;
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          mistakes.push(...messagesOf(error).map((message) => `${each.place}: ${message}`));
        }
    }
  }
  const deletes = await deletesOf(database, model, scope, kept);
  return { changes: inOrder(edits, deletes), mistakes, skipped: wanted.length - own.length, unchanged };
}

/** Notes the values by which others refer to a resource, and what the plan makes of them. */
function noteRenamed({ kind, values }: Edited, before: Values, renamed: Map<string, string>): void {
  for (const by of new Set(kind.referrers.map(({ field }) => field.refersTo.by))) {
    const [old, value] = [before.get(by), values.get(by)];
    if (typeof old === 'string' && typeof value === 'string') renamed.set(keyOf(kind, by, old), value);
  }
}

/** A resource after the changes of those that it refers to: what it says of them changes with their values. */
function followRenames(kind: Kind, state: WholeState, renamed: ReadonlyMap<string, string>): WholeState {
  if (renamed.size === 0) return state;
  const values = new Map(state.values);
  for (const { name, refersTo } of kind.references) {
    const follow = (value: unknown): unknown =>
      (typeof value === 'string' ? renamed.get(keyOf(refersTo.target, refersTo.by, value)) : undefined) ?? value;
    const value = values.get(name);
    if (value === undefined) continue;
    values.set(name, (Array.isArray(value) ? value.map(follow) : follow(value)) as typeof value); // of the same type
  }
  return { ...state, values };
}

/** Returns the refs of documents: their own, or those of the resources with the same natural key. */
async function refsOf(
  database: Database,
  kind: Kind,
  wanted: readonly Wanted[],
): Promise<readonly (string | undefined)[]> {
  const without = wanted.filter(({ ref }) => ref === undefined);
  const found = new Map<Wanted, string | undefined>();
  for (const some of batchesOf(without)) {
    const values = some.map(({ changes }) => newValues(changes));
    const refs = await inTransaction(database, (transaction) => refsByNaturalKey(transaction, kind, values), {
      isKept: () => false,
    });
    for (const [index, each] of some.entries()) found.set(each, refs[index]);
  }
  return wanted.map((each) => each.ref ?? found.get(each));
}

/** Says which documents are those of the same resource as an earlier one: by its ref, and by its natural key. */
function repeatsIn(kind: Kind, wanted: readonly Wanted[], refs: readonly (string | undefined)[]): readonly string[] {
  const places = new Map<string, string>();
  return wanted.flatMap(({ place }, index) => {
    const ref = refs[index];
    if (ref === undefined) return [];
    const earlier = places.get(ref);
    places.set(ref, earlier ?? place);
    return earlier === undefined ? [] : [`${place}: is a document of ${kind.name} ${ref}, as ${earlier} is`];
  });
}

function creationOf({ kind, ref, place, changes, references }: Wanted): Edited {
  const values = merge(kind, changes);
  const state: WholeState = { ref: ref ?? '', values, createdOn: 0, modifiedOn: 0, extra: null };
  const planned = new Map<string, unknown>(values);
  for (const [name, reference] of references) planned.set(name, reference);
  const details = { after: stateOf(kind, state) };
  return { type: 'create', kind, ref, place, modifiedOn: undefined, details, values: planned };
}

function changeOf({ kind, place, references }: Wanted, before: WholeState, after: WholeState): Edited | undefined {
  const changed = kind.fields.filter(({ name }) => !isDeepStrictEqual(before.values.get(name), after.values.get(name)));
  if (changed.length === 0) return undefined;
  const values = new Map<string, unknown>(
    changed.map(({ name }) => [name, references.get(name) ?? after.values.get(name) ?? null]),
  );
  const { ref, modifiedOn } = before;
  const details = updateOf(kind, before, after);
  return { type: 'update', kind, ref, place, modifiedOn, details, values, before: before.values };
}

/** Finds the resources in the scope that no document wants. */
async function deletesOf(
  database: Database,
  model: Model,
  { labels, kinds }: Scope,
  kept: ReadonlyMap<Kind, ReadonlySet<string>>,
): Promise<readonly PlannedChange[]> {
  if (labels.length === 0 && kinds.length === 0) return [];
  const reader = new ResourceReader(database, new ListMemory());
  const found: PlannedChange[] = [];
  // A resource is deleted after those that refer to it.
  for (const kind of model.inReferenceOrder.toReversed()) {
    if (kinds.length > 0 && !kinds.includes(kind)) continue;
    for (let after: SeekKey | undefined; ;) {
      const { items, more } = await reader.page(kind, wholeOf(kind), { after, limit: PAGE, backwards: false });
      for (const resource of items) {
        const { ref, modifiedOn } = resource;
        const isInScope = labels.every((label) => resource.labels?.includes(label));
        if (!isInScope || kept.get(kind)?.has(ref)) continue;
        const details = { before: stateOf(kind, wholeStateOf(kind, resource)) };
        found.push({ type: 'delete', kind, ref, place: undefined, modifiedOn, details, values: new Map() });
      }
      const last = items.at(-1);
      if (!more || !last) break;
      after = [last.rowId];
    }
  }
  return found;
}

/**
 * Deletes come first, because they may free what a create needs, such as a number. What an updated resource still refers
 * to is deleted after the update.
 */
function inOrder(edits: readonly Edited[], deletes: readonly PlannedChange[]): readonly PlannedChange[] {
  const needed = new Set(
    edits.flatMap(({ kind, before }) =>
      kind.references.flatMap(({ name, refersTo: { target, by } }) =>
        [before?.get(name) ?? []]
          .flat()
          .map((value) => keyOf(target, by, typeof value === 'string' ? value : JSON.stringify(value))),
      ),
    ),
  );
  const isLate = ({ kind, ref, details: { before = {} } }: PlannedChange): boolean =>
    [...new Set(kind.referrers.map(({ field }) => field.refersTo.by))].some((by) =>
      needed.has(keyOf(kind, by, by === 'ref' ? String(ref) : String(before[by]))),
    );
  const late = new Set(deletes.filter(isLate));
  return [...deletes.filter((each) => !late.has(each)), ...edits.map(({ before: _, ...each }) => each), ...late];
}

function keyOf({ name }: Kind, by: string, value: string): string {
  return JSON.stringify([name, by, value]);
}
