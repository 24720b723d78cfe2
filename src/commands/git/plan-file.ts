import { InvalidInputError, quote, type Issue } from '../../errors';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import type { GivenChange } from '../../resources/bulk/change-set';
import { MAX_CHANGES } from '../../resources/bulk/change-set-service';
import { isoTime } from '../../resources/documents/iso-time';
import { isMembers, setAt, type Members } from '../../resources/documents/members';
import type { Input } from '../../resources/write/input';
import { CommandError, count } from '../answer';
import { printable } from '../table';
import { referencesIn, withSecrets } from './documents';
import { foreseenCalls, foreseenIn } from './foreseen';
import type { PlannedChange } from './plan';
import { MAX_TESTS, testIn, type RoutingTest } from './routing-tests';
import type { SecretReferences } from './secret-references';
import { jsonOfTests, type Trial } from './trial';

/** The newest entry of the history when a plan was made. */
export interface Origin {
  readonly entry: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const FORMAT = 'sipgraph plan 1';
const INLINE = 'is a secret, and a plan only names secrets';

/**
 * Returns the text of a plan file: the changes, as `applyChanges` takes them, the state that they are made from, the calls that go
 * differently, and the routing tests with their results, if there are any.
 */
export function planText(
  changes: readonly PlannedChange[],
  origin: Origin | undefined,
  { simulated, routed = [] }: Partial<Trial> = {},
): string {
  const madeFrom = origin ? { entry: origin.entry, at: isoTime(origin.at) } : null;
  const calls = simulated && { calls: foreseenCalls(simulated) };
  const tests = routed.length > 0 && { tests: jsonOfTests(routed) };
  const plan = { format: FORMAT, madeFrom, ...calls, ...tests, changes: changes.map(inputOf) };
  return `${JSON.stringify(plan, undefined, 2)}\n`;
}

function inputOf({ type, kind, ref, modifiedOn, values }: PlannedChange): object {
  const ifUnchangedSince = modifiedOn === undefined ? undefined : isoTime(modifiedOn);
  if (type === 'delete') return { delete: { kind: kind.name, ref, ifUnchangedSince } };
  const input: Members = type === 'create' && ref !== undefined ? { ref } : {};
  for (const { name, keys } of kind.fields) {
    if (!values.has(name)) continue;
    setAt(input, keys, values.get(name));
  }
  return type === 'create'
    ? { create: { [kind.singular]: input } }
    : { update: { ref, ifUnchangedSince, [kind.singular]: input } };
}

/** A plan, as a file has it. */
interface ReadPlan {
  readonly origin: Origin | undefined;
  readonly changes: readonly GivenChange[];
  /** The calls that go differently; undefined if the plan does not say. */
  readonly calls: readonly string[] | undefined;
  readonly tests: readonly RoutingTest[];
}

/** Reads a plan file, and the secrets that it names. Throws CommandError for a file that is no plan. */
export async function readPlan(model: Model, text: string, secrets: SecretReferences): Promise<ReadPlan> {
  const plan = parseJson(text);
  if (!isMembers(plan) || plan['format'] !== FORMAT || !Array.isArray(plan['changes']))
    throw new CommandError('The file is not a plan of this version of sipgraph: make one with sipgraph plan --out');
  const { madeFrom, changes } = plan;
  const given = changes as readonly unknown[];
  if (given.length > MAX_CHANGES) throw tooMany(given.length);
  const issues: Issue[] = [];
  const read: GivenChange[] = [];
  for (const [index, change] of given.entries()) {
    const found = await changeOf(model, change, `changes[${String(index)}]`, secrets, issues);
    if (found) read.push(found);
  }
  if (issues.length > 0) throw new InvalidInputError(issues);
  return {
    origin: originOf(madeFrom),
    changes: read,
    calls: foreseenIn(plan['calls']),
    tests: testsIn(plan['tests']),
  };
}

/** Reads the routing tests of a plan file. Throws CommandError for those that are none. */
function testsIn(value: unknown): readonly RoutingTest[] {
  const mistakes: string[] = [];
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  if (value !== undefined && !Array.isArray(value)) mistakes.push(`tests: ${quote(value)} is not a list`);
  if (given.length > MAX_TESTS) mistakes.push(`tests: has more than ${String(MAX_TESTS)} tests`);
  const tests = given.flatMap((each, index) => {
    const { place, difference: _, ...test } = isMembers(each) ? each : {};
    return testIn(test, typeof place === 'string' ? place : `tests[${String(index)}]`, mistakes) ?? [];
  });
  if (mistakes.length > 0)
    throw new CommandError(`${count(mistakes.length, 'error')} in the tests of the plan`, mistakes.map(printable));
  return tests;
}

/** The error of a plan that one request cannot make. */
export function tooMany(changes: number): CommandError {
  return new CommandError(
    `The plan has ${String(changes)} changes, and one request makes at most ${String(MAX_CHANGES)}: plan parts, such as one kind each with --kind`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function originOf(value: unknown): Origin | undefined {
  if (!isMembers(value)) return undefined;
  const [entry, at] = [Number(value['entry']), new Date(String(value['at'])).getTime()];
  return Number.isSafeInteger(entry) && !Number.isNaN(at) ? { entry, at } : undefined;
}

async function changeOf(
  model: Model,
  change: unknown,
  at: string,
  secrets: SecretReferences,
  issues: Issue[],
): Promise<GivenChange | undefined> {
  const wrong = (path: string, message: string): GivenChange | undefined => {
    issues.push({ field: path, path, message });
    return undefined;
  };
  const type = (['create', 'update', 'delete'] as const).find((name) => isMembers(change) && isMembers(change[name]));
  if (!type || !isMembers(change)) return wrong(at, 'is not a create, an update or a delete');
  const place = `${at}.${type}`;
  const part = change[type] as Members; // by the search above
  const since = sinceOf(part['ifUnchangedSince']);
  const ref = typeof part['ref'] === 'string' ? part['ref'] : undefined;
  if (type !== 'create' && ref === undefined) return wrong(`${place}.ref`, 'is required');
  // Without it, a change of somebody else would be overwritten.
  if (type !== 'create' && since === undefined) return wrong(`${place}.ifUnchangedSince`, 'is not a time');
  if (type === 'delete') {
    const kind = model.find(String(part['kind']));
    if (!kind) return wrong(`${place}.kind`, `${quote(part['kind'])} is not a kind`);
    return { type, place, kind, ref: ref ?? '', ifUnchangedSince: since };
  }
  const [kind, ...more] = model.kinds.filter(({ singular }) => isMembers(part[singular]));
  if (!kind || more.length > 0)
    return wrong(place, `must have exactly one of ${model.kinds.map(({ singular }) => singular).join(', ')}`);
  const input = await resolvedInput(kind, part[kind.singular] as Members, place, secrets, issues);
  return type === 'create'
    ? { type, place, kind, input }
    : { type, place, kind, ref: ref ?? '', input, ifUnchangedSince: since };
}

async function resolvedInput(
  kind: Kind,
  input: Input,
  place: string,
  secrets: SecretReferences,
  issues: Issue[],
): Promise<Input> {
  const own: Issue[] = [];
  const known = new Set(['ref', ...kind.fields.map(({ keys }) => keys[0])]);
  for (const name of Object.keys(input))
    if (!known.has(name)) own.push({ field: name, path: name, message: `is not a field of ${kind.name}` });
  const references = referencesIn(kind, input, INLINE, own);
  const resolved = await withSecrets(kind, input, references, secrets, own);
  for (const { field, message } of own) {
    const path = `${place}.${kind.singular}.${field}`;
    issues.push({ field: path, path, message });
  }
  return resolved;
}

function sinceOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? new Date(value).getTime() : NaN;
  return Number.isNaN(time) ? undefined : time;
}
