import { pad, places, type Transaction } from '../../database/sql';
import { quote, type Issue } from '../../errors';
import { FormatError, textOf } from '../../model/format/format';
import type { Kind, ReferenceField } from '../../model/kind';
import { valueFor, type Country } from '../../spelling/telephone';
import { isMembers } from '../documents/members';
import { isRef, issue, type Input } from '../write/input';

/** A field of the target of a link: what it is called, and its column. */
interface Name {
  readonly column: string;
  /** Returns a text as the column has it; undefined if the column cannot have it. */
  readonly valueOf: (text: string) => string | undefined;
}

/** What a text names. */
interface Found {
  readonly count: number;
  /** What the link has of the first of them, such as a ref. */
  readonly value: string;
}

/** Returns an input with refs instead of names. Adds an issue for each text that names none or several. */
export type LinkNames = (input: Input, issues: Issue[]) => Input;

/**
 * Finds what the links of inputs name: by what the link has, such as a ref or the URI of a domain, or else by the ref, a
 * unique field such as the number, or the name of a resource. The number of statements does not depend on that of the inputs.
 */
export async function linkNames(
  transaction: Transaction,
  kind: Kind,
  inputs: readonly Input[],
  home: Country | undefined,
): Promise<LinkNames> {
  const found = new Map<ReferenceField, ReadonlyMap<string, Found>>();
  for (const field of kind.references) {
    const texts = new Set<string>();
    for (const input of inputs) mapLink(field, input, (text) => void texts.add(text));
    found.set(field, await targetsOf(transaction, field, texts, home));
  }
  return (input, issues) => {
    let resolved = input;
    for (const field of kind.references) {
      const resolve = (text: string): string | undefined => {
        const { count, value } = found.get(field)?.get(text) ?? { count: 0, value: text };
        const problem = problemWith(kind, field, text, count);
        if (problem !== undefined) issues.push(issue(field, problem));
        return problem === undefined ? value : undefined;
      };
      resolved = mapLink(field, resolved, resolve);
    }
    return resolved;
  };
}

/** Returns an input with other texts in a link. A link of which a text becomes undefined is left out. */
export function mapLink(field: ReferenceField, input: Input, map: (text: string) => unknown): Input {
  const [first = '', second] = field.keys;
  const at = (value: unknown): unknown => (typeof value === 'string' ? map(value) : value);
  const all = (value: unknown): unknown => {
    if (!Array.isArray(value)) return at(value);
    const mapped = value.map(at);
    return mapped.includes(undefined) ? undefined : mapped;
  };
  const value = input[first];
  if (second === undefined) return { ...input, [first]: all(value) };
  return isMembers(value) ? { ...input, [first]: { ...value, [second]: all(value[second]) } } : input;
}

/** What is wrong with a text that names so many; undefined if nothing is. */
function problemWith(
  kind: Kind,
  { refersTo: { by, target } }: ReferenceField,
  text: string,
  count: number,
): string | undefined {
  if (count > 1) return `${quote(text)} is the name of ${String(count)} ${target.collection}: use the ${by} of one`;
  // An earlier row may create a resource of the same kind, so whether there is one is known when the link is written.
  return count === 1 || target === kind ? undefined : `${target.name} ${quote(text)} does not exist`;
}

/** What each text names as the target of a link. */
async function targetsOf(
  transaction: Transaction,
  { refersTo: { target, targetColumn } }: ReferenceField,
  texts: ReadonlySet<string>,
  home: Country | undefined,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  const names = namesOf(target, home).toSorted(
    (one, other) => Number(other.column === targetColumn) - Number(one.column === targetColumn),
  );
  for (const { column, valueOf } of names) {
    const wanted = [...texts].flatMap((text) => {
      const value = found.has(text) ? undefined : valueOf(text);
      return value === undefined ? [] : [{ text, value }];
    });
    const keys = pad([...new Set(wanted.map(({ value }) => value))], '');
    if (wanted.length === 0) continue;
    const rows = await transaction.rows(
      `SELECT ${column}, COUNT(*), MIN(${targetColumn}) FROM ${target.table}
       WHERE ${column} IN (${places(keys.length)})${target.shared ? ' AND kind = ?' : ''} GROUP BY ${column}`,
      [...keys, ...(target.shared ? [target.name] : [])],
    );
    const named = new Map(
      rows.map(([value, count, first]) => [String(value), { count: Number(count), value: String(first) }]),
    );
    for (const { text, value } of wanted) {
      const one = named.get(value);
      if (one) found.set(text, one);
    }
  }
  return found;
}

/** What resources of a kind are found by: the ref, unique fields, and the name if it has an index. */
function namesOf({ fields, unique, indices }: Kind, home: Country | undefined): readonly Name[] {
  const columns = [...unique.map((rule) => rule.columns), ...Object.values(indices ?? {})];
  const found = fields.filter(({ name, column }) => {
    const isName = name === 'name' || unique.some((rule) => rule.fields.length === 1 && rule.fields[0] === name);
    return isName && columns.some(([first]) => first === column);
  });
  const others = found.map(({ name, column, format }) => ({
    column,
    valueOf: (text: string): string | undefined => {
      try {
        return textOf(format.parse(valueFor(name, text, home)));
      } catch (error) {
        if (error instanceof FormatError) return undefined;
        throw error;
      }
    },
  }));
  const names = others.toSorted((one, other) => Number(one.column === 'name') - Number(other.column === 'name'));
  return [{ column: 'ref', valueOf: (text) => (isRef(text) ? text : undefined) }, ...names];
}
