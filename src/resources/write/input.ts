import { InvalidInputError, type Issue } from '../../errors';
import { FormatError, text, textOf, type Value } from '../../model/format/format';
import type { Field, Kind } from '../../model/kind';
import { notAnObject } from '../../model/secret-name';

/**
 * A resource as a caller sends it, with the field names of the GraphQL schema: undefined keeps a value, null clears it.
 */
export type Input = Readonly<Record<string, unknown>>;

/** Normalised values, by field name. */
export type Values = ReadonlyMap<string, Value>;

/** The new value of each field in an input. Null clears the field. */
export type Changes = ReadonlyMap<string, Value | null>;

const REF_PATTERN = /^[A-Za-z0-9_-]{1,24}$/;
const REF = text(24, { pattern: REF_PATTERN, expected: '1 to 24 letters, digits, _ or -' });

/**
 * Whether a text can be a ref. Callers check it before a lookup, so that a malformed ref is never sent to the database.
 */
export function isRef(text: string): boolean {
  return REF_PATTERN.test(text);
}

/** Returns the ref in the input of a create, if there is one. Adds an issue if the ref is malformed. */
export function refOf(input: Input, issues: Issue[]): string | undefined {
  if (input['ref'] === undefined || input['ref'] === null) return undefined;
  try {
    return textOf(REF.parse(input['ref']));
  } catch (error) {
    issues.push({ field: 'ref', path: 'metadata.ref', message: messageOf(error) });
    return undefined;
  }
}

/**
 * Validates every field in an input. Throws InvalidInputError with all errors, including those in `further`. For a
 * create (`made`), the errors also include missing fields.
 */
export function changesOf(kind: Kind, input: Input, made: boolean, further: readonly Issue[] = []): Changes {
  const changes = new Map<string, Value | null>();
  const issues = [...further];
  for (const field of kind.fields) {
    const value = valueAt(input, field, issues);
    if (value === undefined) continue;
    try {
      changes.set(field.name, value === null ? null : field.format.parse(value));
    } catch (error) {
      issues.push(issue(placeOf(field, error), messageOf(error)));
      // Present but invalid, so it is not also reported as missing.
      changes.set(field.name, null);
    }
  }
  if (issues.length > 0) throw new InvalidInputError([...issues, ...(made ? missing(kind, changes, issues) : [])]);
  return changes;
}

/** The values that changes set. */
export function newValues(changes: Changes): Values {
  return new Map([...changes].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}

/**
 * Applies changes to `stored`: null removes a value. Throws InvalidInputError if a required field is missing, if a new
 * value cannot be used, or if a rule is broken.
 */
export function merge(kind: Kind, changes: Changes, stored: Values = new Map()): Values {
  const values = new Map(stored);
  for (const [name, value] of changes) {
    if (value === null) values.delete(name);
    else values.set(name, value);
  }
  const issues = [...missing(kind, values), ...unusable(kind, changes, stored), ...brokenRules(kind, values)];
  if (issues.length > 0) throw new InvalidInputError(issues);
  return values;
}

function unusable(kind: Kind, changes: Changes, stored: Values): readonly Issue[] {
  const issues: Issue[] = [];
  for (const field of kind.fields) {
    const value = changes.get(field.name) ?? null;
    if (value === null || value === stored.get(field.name)) continue;
    const reason = field.format.unusable?.(value);
    if (reason !== undefined) issues.push(issue(field, reason));
  }
  return issues;
}

function brokenRules({ rules = [], fields }: Kind, values: Values): readonly Issue[] {
  const broken = rules.filter((rule) => rule.isBroken(values));
  if (broken.length === 0) return [];
  const reasons = new Map(broken.map((rule) => [rule.field, rule.message]));
  return fields.flatMap((field) => {
    const reason = reasons.get(field.name);
    return reason === undefined ? [] : [issue(field, reason)];
  });
}

function missing(kind: Kind, values: ReadonlyMap<string, unknown>, known: readonly Issue[] = []): readonly Issue[] {
  const issues: Issue[] = [];
  for (const field of kind.fields) {
    if (values.has(field.name) || known.some((each) => each.field === field.name)) continue;
    const present = field.required ? [] : companyOf(kind, field).filter((name) => values.has(name));
    if (field.required) issues.push(issue(field, 'is required'));
    else if (present.length > 0) issues.push(issue(field, `is required with ${present.join(', ')}`));
  }
  return issues;
}

/** Returns the names of the fields that require `field` if they are set. */
function companyOf(kind: Kind, field: Field): readonly string[] {
  if (field.requiredInGroup) {
    return kind.groups.find(({ name }) => name === field.keys[0])?.fields.map(({ name }) => name) ?? [];
  }
  return kind.together?.find((names) => names.includes(field.name)) ?? [];
}

function valueAt(input: Input, field: Field, issues: Issue[]): unknown {
  const [first = '', second] = field.keys;
  const value = input[first];
  if (second === undefined || value === undefined || value === null) return value;
  if (typeof value === 'object' && !Array.isArray(value)) return (value as Input)[second];
  if (!issues.some((each) => each.field === first)) {
    const path = field.pathKeys.slice(0, -1).join('.');
    issues.push({ field: first, path, message: notAnObject(path, value) });
  }
  return undefined;
}

/**
 * The secrets that the changes set. Whether one of them equals the stored secret must not be visible in what changes
 * nothing, because that would confirm a guess without a trace.
 */
export function secretsIn(kind: Kind, changes: Changes): ReadonlySet<string> {
  const names = kind.fields.filter(({ secret }) => secret).map(({ name }) => name);
  return new Set(names.filter((name) => (changes.get(name) ?? null) !== null));
}

/** An issue with a field. */
export function issue({ name, path }: Pick<Field, 'name' | 'path'>, message: string): Issue {
  return { field: name, path, message };
}

/** The field, or the place in its value that an error is about. */
function placeOf({ name, path }: Field, error: unknown): Pick<Field, 'name' | 'path'> {
  const at = error instanceof FormatError ? error.at : '';
  return { name: name + at, path: path + at };
}

function messageOf(error: unknown): string {
  if (error instanceof FormatError) return error.message;
  throw error;
}
