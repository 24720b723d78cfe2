import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { InvalidInputError, type DomainError, type Issue } from '../../errors';
import { textOf, type Value } from '../../model/format/format';
import type { Kind } from '../../model/kind';
import { memberAt } from '../documents/members';
import { REF_ONLY } from '../read/selection';
import { changesOf, type Input } from '../write/input';
import { newResource } from '../write/creation';
import { newRef } from '../write/new-ref';
import { createOf, type Write } from '../write/write-group';
import type { FailedChange } from './change-set-error';
import { LocalRefs } from './local-refs';

/** A change of a set, as a caller sends it. */
export type GivenChange = GivenCreate | GivenUpdate | GivenDelete;

interface Given {
  /** Where the change is in the input, such as `changes[3].update`. */
  readonly place: string;
  readonly kind: Kind;
}

interface GivenCreate extends Given {
  readonly type: 'create';
  readonly input: Input;
  /** The name of the resource within the set. */
  readonly localRef?: string | undefined;
}

interface GivenUpdate extends Given {
  readonly type: 'update';
  readonly ref: string;
  readonly input: Input;
  readonly ifUnchangedSince?: number | undefined;
}

interface GivenDelete extends Given {
  readonly type: 'delete';
  readonly ref: string;
  readonly ifUnchangedSince?: number | undefined;
}

/** How a set is applied, as far as it concerns each change. */
export interface ChangeSetOptions {
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. No resource that the set updates or deletes may have been changed later. */
  readonly ifUnchangedSince?: number | undefined;
  /** See `ChangeOptions`. By default, of a dry run. */
  readonly hidesSecrets?: boolean;
}

/** A change of a set: the write, or what is wrong with the input. */
export interface PreparedChange {
  readonly given: GivenChange;
  readonly write: Write | undefined;
  error: DomainError | undefined;
  /** The resources that the change needs, as `Gateway ref gw1`. */
  readonly needs: readonly string[];
  /** What others may need of the resource that the change creates. */
  readonly creates: readonly string[];
  details?: Details | undefined;
}

/** Validates the changes of a set, and replaces local names by refs. */
export function prepareChangeSet(
  changes: readonly GivenChange[],
  actor: Actor,
  options: ChangeSetOptions,
): readonly PreparedChange[] {
  const locals = new LocalRefs();
  const touched = new Set<string>();
  return changes.map((given) => {
    const prepared = prepare(given, locals, touched, actor, options);
    for (const name of [
      ...prepared.creates,
      ...(prepared.write ? [nameOf(given.kind, 'ref', prepared.write.ref)] : []),
    ])
      touched.add(name);
    return prepared;
  });
}

/**
 * Returns the changes that failed, without those that failed only because an earlier one did not create what they need: what is
 * wrong with an input is wrong whatever becomes of others.
 */
export function failuresIn(prepared: readonly PreparedChange[]): readonly FailedChange[] {
  const missing = new Set<string>();
  return prepared.flatMap(({ given, write, error, needs, creates }) => {
    if (!error) return [];
    for (const name of creates) missing.add(name);
    if (write && needs.some((name) => missing.has(name) && !creates.includes(name))) return [];
    const { place, type, kind } = given;
    const own = type === 'create' ? ['localRef'] : ['ref', 'ifUnchangedSince'];
    const placeOf = (field: string): string =>
      type === 'delete' || own.includes(field) ? `${place}.${field}` : `${place}.${kind.singular}.${field}`;
    return [{ place, placeOf, error }];
  });
}

function prepare(
  given: GivenChange,
  locals: LocalRefs,
  touched: ReadonlySet<string>,
  actor: Actor,
  { dryRun, ifUnchangedSince, hidesSecrets = dryRun }: ChangeSetOptions,
): PreparedChange {
  const { kind } = given;
  const issues: Issue[] = [];
  if (given.type === 'create') {
    const input = locals.inputOf(kind, given.input, issues);
    const ref = typeof input['ref'] === 'string' ? input['ref'] : newRef(kind);
    if (given.localRef !== undefined) locals.add(given.localRef, kind, ref, given.place, issues);
    const made = attempt((): Write => createOf(kind, newResource(kind, input, { issues }), actor, { ref }));
    const creates = [nameOf(kind, 'ref', ref), ...textsIn(kind, input, made.write)];
    return { given, ...made, needs: needsOf(kind, input, made.write), creates };
  }
  let ref = given.ref;
  const made = attempt((): Write => {
    ref = locals.refOf(kind, given.ref);
    // Earlier changes of the set are no reason to refuse a later one.
    const since = touched.has(nameOf(kind, 'ref', ref)) ? undefined : (given.ifUnchangedSince ?? ifUnchangedSince);
    if (given.type === 'delete') return { type: 'delete', kind, ref, actor, options: { ifUnchangedSince: since } };
    const changes = changesOf(kind, locals.inputOf(kind, given.input, issues), false, issues);
    const options = { ifUnchangedSince: since, hidesSecrets };
    return { type: 'update', kind, ref, changes, actor, options, selection: REF_ONLY };
  });
  const input = given.type === 'update' ? locals.inputOf(kind, given.input, []) : {};
  return { given, ...made, needs: [nameOf(kind, 'ref', ref), ...needsOf(kind, input, made.write)], creates: [] };
}

function attempt(make: () => Write): Pick<PreparedChange, 'write' | 'error'> {
  try {
    return { write: make(), error: undefined };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { write: undefined, error };
  }
}

/** The resources that an input refers to, as the write spells them, which an invalid input does not have. */
function needsOf(kind: Kind, input: Input, write: Write | undefined): readonly string[] {
  const values = write && valuesIn(write);
  return kind.references.flatMap(({ name, keys, refersTo: { target, by } }) =>
    [(values ? values.get(name) : memberAt(input, keys)) ?? []].flat().map((each) => nameOf(target, by, each as Value)),
  );
}

/** What the input of a create says about the resource, by which others may refer to it. */
function textsIn(kind: Kind, input: Input, write: Write | undefined): readonly string[] {
  const values = write && valuesIn(write);
  const fields = kind.referrers.map(({ field }) => field.refersTo.by).filter((by) => by !== 'ref');
  return [...new Set(fields)].flatMap((by) => {
    const text = values ? values.get(by) : input[by];
    return typeof text === 'string' ? [nameOf(kind, by, text)] : [];
  });
}

function valuesIn(write: Write): ReadonlyMap<string, unknown> {
  return write.type === 'create' ? write.values : write.type === 'update' ? write.changes : new Map();
}

function nameOf({ name }: Kind, field: string, value: Value): string {
  return `${name} ${field} ${textOf(value)}`;
}
