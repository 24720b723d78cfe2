import { InvalidInputError, shorten } from '../../errors';
import type { EntryField } from '../../model/format/format';
import type { Field, Kind } from '../../model/kind';
import { unmarked } from '../../spelling/csv';
import { valueFor, type Country } from '../../spelling/telephone';
import { setAt } from '../documents/members';
import type { Input } from '../write/input';

/** Maximum number of wrong columns that an error names, and of bytes of each name. */
const MAX_NAMED = 3;
const MAX_HEADING = 40;
/** Maximum number of bytes of a cell in an error. */
const MAX_CELL = 100;

const REF = 'ref';
/** What an export may contain although no import can set it. */
const READ_ONLY = ['id', 'kind', 'apiVersion', 'createdOn', 'modifiedOn'];

const WORDS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ true: true, yes: true, 1: true, false: false, no: false, 0: false }),
);
/** The start of a list as JSON, the form in which entries may contain spaces. No host or network starts like this. */
const JSON_LIST = /^\[\s*"/;
/** What separates the entries of a list. */
const BETWEEN_ENTRIES = /[\s,;]+/;

/** What is wrong with a cell, or with a row as a whole. */
export interface CellIssue {
  /** The heading of the column, or the name of the field if the file has no column for it. */
  readonly column?: string;
  /** The cell; undefined for a secret. */
  readonly value?: string;
  readonly message: string;
}

type Cells = Readonly<Record<string, string>>;

/**
 * The columns of a CSV file of a kind: `ref`, and the fields by their names in GraphQL, such as `egressPolicy.rule`, by
 * their paths in documents, or by the last parts of either, such as `rule` and `gwRef`.
 */
export class CsvColumns {
  /** The headings in the file, by field. */
  private readonly headings = new Map<string, string>();

  constructor(
    private readonly kind: Kind,
    /** Where numbers without a country code are from. */
    readonly home: Country | undefined,
  ) {}

  /**
   * Reads the header row. Returns the field of each column, and undefined for one that is read-only. Throws
   * InvalidInputError for unknown and repeated columns.
   */
  readonly read = (headings: readonly string[]): readonly (string | undefined)[] => {
    this.headings.clear();
    if (headings.some((each) => each.includes('\0')))
      throw InvalidInputError.of('header', 'has zero bytes; save the file as CSV in UTF-8');
    const known = fieldsByHeading(this.kind);
    const unknown: string[] = [];
    const repeated: string[] = [];
    const fields = headings.map((heading) => {
      const field = known.get(heading.toLowerCase());
      if (field === undefined) unknown.push(heading);
      else if (field !== null && this.headings.has(field)) repeated.push(heading);
      else if (field !== null) this.headings.set(field, heading);
      return field ?? undefined;
    });
    const problems = [...columnProblems('unknown', unknown), ...columnProblems('repeated', repeated)];
    const expected = [REF, ...this.kind.fields.map(({ name }) => name)].join(', ');
    if (problems.length > 0) throw InvalidInputError.of('header', `${problems.join(', ')}; expected ${expected}`);
    return fields;
  };

  /**
   * Converts a row to GraphQL input. Numbers and addresses may be as people write them. With `clears`, empty cells are
   * null, except those of secrets; otherwise, they are omitted. Where a field may be an empty text, an empty cell is that
   * text. `only` selects fields.
   */
  inputOf(cells: Cells, { clears, only }: { readonly clears: boolean; readonly only?: ReadonlySet<string> }): Input {
    const input: Record<string, unknown> = {};
    for (const field of this.kind.fields) {
      const cell = cells[field.name];
      if (cell === undefined || only?.has(field.name) === false) continue;
      const isText = cell !== '' || field.format.schema.minLength === 0;
      if (!isText && (!clears || field.secret === true)) continue;
      const value = isText ? this.valueIn(cell, field) : null;
      setAt(input, field.keys, value);
    }
    return input;
  }

  /** Returns the ref in a row; undefined if it is empty or missing. */
  refIn(cells: Cells): string | undefined {
    const ref = cells[REF];
    return ref === undefined || ref === '' ? undefined : unmarked(ref);
  }

  /** Returns what is wrong with the cell of a field. */
  issueOf(cells: Cells, name: string, message: string): CellIssue {
    const isSecret = this.kind.fields.some((field) => field.name === name && field.secret === true);
    const value = cells[name];
    return {
      column: this.headings.get(name) ?? name,
      ...(value !== undefined && !isSecret && { value: shorten(value, MAX_CELL) }),
      message,
    };
  }

  /** The value in a cell that is not empty. What has no form of the field stays a text, which validation refuses. */
  private valueIn(cell: string, { name, format }: Field): unknown {
    const { entries } = format;
    const text = format.isSecret ? cell : unmarked(cell);
    const { type, enum: choices } = format.schema;
    if (entries) return jsonIn(text)?.map((entry) => withChoices(entry, entries.fields)) ?? text;
    if (type === 'array') return entriesIn(text);
    if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    if (type === 'boolean') return WORDS.get(text.toLowerCase()) ?? text;
    if (choices) return choiceIn(text, choices);
    return valueFor(name, text, this.home);
  }
}

/** The choice that a text is in any case, as the graph has choices in capitals; the text if it is none. */
function choiceIn(text: string, choices: readonly string[]): string {
  return choices.find((each) => each.toLowerCase() === text.toLowerCase()) ?? text;
}

/** An entry of a list, whose choices may be in any case. */
function withChoices(entry: unknown, fields: readonly EntryField[]): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]: [string, unknown]) => {
      const choices = fields.find((field) => field.name === name)?.format.schema.enum;
      return [name, choices && typeof value === 'string' ? choiceIn(value, choices) : value];
    }),
  );
}

/** The number of entries in the lists of a row, each of which is written as a row of its own. */
export function listEntriesIn({ references }: Kind, cells: Cells): number {
  const lists = references.filter(({ refersTo }) => refersTo.through);
  return lists.reduce((sum, { name }) => sum + entriesIn(cells[name] ?? '').length, 0);
}

/** The entries of a list: separated by spaces, commas or semicolons, or as JSON. */
function entriesIn(text: string): readonly unknown[] {
  // What is not JSON has parts, which validation refuses.
  return (
    (JSON_LIST.test(text) ? jsonIn(text) : undefined) ?? text.split(BETWEEN_ENTRIES).filter((entry) => entry !== '')
  );
}

/** The entries of a list as JSON; undefined if the text is none. */
function jsonIn(text: string): readonly unknown[] | undefined {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with the columns of these headings, the first few by name: `unknown column x`. */
export function columnProblems(what: string, headings: readonly string[]): readonly string[] {
  const more = headings.length - MAX_NAMED;
  return [
    ...headings.slice(0, MAX_NAMED).map((heading) => `${what} column ${shorten(heading, MAX_HEADING)}`),
    ...(more > 0 ? [`${String(more)} more ${what} columns`] : []),
  ];
}

/** The field that each heading names, in lower case; null for what an import ignores. */
function fieldsByHeading({ fields }: Kind): ReadonlyMap<string, string | null> {
  const known = new Map<string, string | null>();
  const add = (heading: string, field: string | null): void => {
    const name = heading.toLowerCase();
    if (!known.has(name)) known.set(name, field);
  };
  add(REF, REF);
  for (const { name } of fields) add(name, name);
  for (const name of READ_ONLY) add(name, null);
  for (const { name, secret } of fields) if (secret) add(`${name}Set`, null);
  const parts = fields.flatMap(({ name, keys, pathKeys }) =>
    [keys, pathKeys].flatMap((path) => path.map((_, from) => [path.slice(from).join('.'), name] as const)),
  );
  for (const [part, name] of parts)
    if (parts.every(([other, field]) => field === name || other.toLowerCase() !== part.toLowerCase())) add(part, name);
  add('metadata.ref', REF);
  return known;
}
