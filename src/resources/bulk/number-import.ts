import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import { pad, places, type OwnTransaction, type SqlValue } from '../../database/sql';
import { DomainError, InvalidInputError, type Issue } from '../../errors';
import { textOf } from '../../model/format/format';
import type { Kind } from '../../model/kind';
import { valueFor, type Country } from '../../spelling/telephone';
import { setAt } from '../documents/members';
import { columnsOf } from '../read/row';
import { insertRows, rowOf, type NewRow } from '../write/creation';
import { changesOf, merge, type Input, type Values } from '../write/input';
import { freeRefs } from '../write/new-ref';
import { insideOthers } from '../write/number-ranges';
import { resolveAll } from '../write/references';
import { columnProblems } from './csv-columns';
import { inBatches, type CsvRow, type RowImporter } from './csv-rows';
import { linkNames } from './link-names';

/** What is wrong with a column of a row. */
interface ColumnIssue {
  readonly column: string;
  readonly message: string;
}

/** The result of a row: it was created, it existed already, or it failed. */
export interface NumberRow {
  readonly line: number;
  readonly telUrl: string;
  readonly result: 'new' | 'unchanged' | 'failed';
  /** The resource; undefined if the row failed. */
  readonly ref?: string;
  readonly issues: readonly ColumnIssue[];
}

type Result = Omit<NumberRow, 'line' | 'telUrl'>;

/** A row whose cells are read. */
interface Read {
  readonly line: number;
  readonly telUrl: string;
  readonly input: Input;
}

interface Valid {
  readonly line: number;
  readonly telUrl: string;
  readonly values: Values;
}

/** A stored number. */
interface Stored {
  readonly ref: string;
  /** Whether this import has created it. */
  readonly isOurs: boolean;
  readonly columns: Readonly<Record<string, SqlValue>>;
}

/** What an import of numbers creates, and for whom. */
interface ImportTarget {
  readonly kind: Kind;
  readonly actor: Actor;
  /** Where numbers without a country code are from. */
  readonly home: Country | undefined;
}

/** Receives the result of each row. */
type Report = (row: NumberRow) => Promise<void> | void;

/** The columns of a CSV file of numbers, and the GraphQL fields that they set. */
const COLUMNS: Readonly<Record<string, string>> = {
  telUrl: 'telUrl',
  aorLink: 'aorLink',
  gwRef: 'gatewayRef',
  city: 'geoInfo.city',
  country: 'geoInfo.country',
  countryISOCode: 'geoInfo.countryISOCode',
};

// The fields that a stored number must share with a row of the same number.
const COMPARED = ['gatewayRef', 'aorLink'];

/**
 * Creates a resource for each row of a CSV file, within a transaction. `next` runs after each batch, with the number of
 * rows that were read. The caller must roll the transaction back if a row failed.
 */
export async function importRows(
  transaction: OwnTransaction,
  { kind, actor, home }: ImportTarget,
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  report: Report,
  next: (rows: number) => Promise<void> | void,
): Promise<void> {
  await inBatches(rows, new NumberImporter(transaction, kind, actor, home, report), next);
}

/** Validates and inserts the rows of a file, and reports the result of each. */
class NumberImporter implements RowImporter<Read> {
  /** The highest row id before the first batch. Rows with higher ids were created by this import. */
  private last: number | undefined;

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly kind: Kind,
    private readonly actor: Actor,
    private readonly home: Country | undefined,
    private readonly report: Report,
  ) {}

  read({ record, line }: CsvRow): Read {
    return { line, telUrl: record['telUrl'] ?? '', input: inputOf(record, this.home) };
  }

  async write(rows: readonly Read[]): Promise<void> {
    const { valid, wrong } = await this.validate(rows);
    const done = valid.length === 0 ? [] : await this.insert(valid);
    for (const row of [...wrong, ...done].sort((one, other) => one.line - other.line)) await this.report(row);
  }

  /** Inserts rows, unless their numbers exist. Returns the result of each. */
  private async insert(batch: readonly Valid[]): Promise<readonly NumberRow[]> {
    const { transaction, kind, actor } = this;
    const all = batch.map(({ values }) => values);
    const resolved = await resolveAll(transaction, kind, all);
    const stored = await this.readStored(batch.map(({ telUrl }) => telUrl));
    const seen = new Set<string>();
    const results = batch.map(({ telUrl, values }, index): Result | undefined => {
      const { ids = new Map(), issues = [] } = resolved[index] ?? {};
      if (issues.length > 0) return failedResult(issues);
      const known = stored.get(telUrl);
      if (known?.isOurs || seen.has(telUrl)) return failedNumber('duplicates an earlier row');
      if (known) return resultOfKnown(kind, known, values, columnsOf(kind, values, ids));
      seen.add(telUrl);
      return undefined;
    });
    const candidates = all.flatMap((values, index) =>
      results[index] ? [] : [{ index, values, targets: resolved[index]?.ids ?? new Map<string, readonly number[]>() }],
    );
    const inside = await insideOthers(
      transaction,
      kind,
      candidates.map(({ values, targets }) => ({ values, gatewayId: targets.get('gatewayRef')?.[0] ?? null })),
    );
    const fresh = candidates.filter(({ index }, place) => {
      const message = inside.get(place);
      if (message !== undefined) results[index] = failedNumber(message);
      return message === undefined;
    });
    const refs = await freeRefs(transaction, kind, fresh.length);
    const now = Date.now();
    const rows = fresh.map(({ values, targets, index }, position): NewRow => {
      const ref = refs[position] ?? '';
      results[index] = { result: 'new', ref, issues: [] };
      return rowOf(kind, { ref, values, extra: null, createdOn: now, modifiedOn: now, actor }, targets);
    });
    await insertRows(transaction, kind, rows);
    await storeNoted(transaction);
    return batch.flatMap(({ line, telUrl }, index) => {
      const result = results[index];
      return result ? [{ line, telUrl, ...result }] : [];
    });
  }

  /** Returns the rows that are valid, and the results of the others. */
  private async validate(rows: readonly Read[]): Promise<{ valid: readonly Valid[]; wrong: readonly NumberRow[] }> {
    const { kind, home } = this;
    const inputs = rows.map(({ input }) => input);
    const resolve = await linkNames(this.transaction, kind, inputs, home);
    const [valid, wrong] = [new Array<Valid>(), new Array<NumberRow>()];
    for (const { line, telUrl, input } of rows) {
      try {
        const issues: Issue[] = [];
        const resolved = resolve(input, issues);
        const values = merge(kind, changesOf(kind, resolved, true, issues));
        valid.push({ line, telUrl: textOf(values.get('telUrl')), values });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        wrong.push({ line, telUrl, ...failedResult(error.issues) });
      }
    }
    return { valid, wrong };
  }

  /** Returns the stored numbers among these, by number. */
  private async readStored(telUrls: readonly string[]): Promise<ReadonlyMap<string, Stored>> {
    const { transaction, kind } = this;
    const { table } = kind;
    if (this.last === undefined) {
      const [row] = await transaction.rows(`SELECT MAX(id) FROM ${table}`, []);
      this.last = Number(row?.[0] ?? 0);
    }
    const last = this.last;
    const columns = comparedFields(kind).map(({ column }) => column);
    const keys = pad(telUrls, '');
    const rows = await transaction.rows(
      `SELECT id, ref, tel_url, ${columns.join(', ')} FROM ${table} WHERE tel_url IN (${places(keys.length)}) AND kind = ?`,
      [...keys, kind.name],
    );
    return new Map(
      rows.map(([id, ref, telUrl, ...row]) => {
        const own = Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));
        return [String(telUrl), { ref: String(ref), isOurs: Number(id) > last, columns: own }];
      }),
    );
  }
}

function comparedFields({ fields }: Kind): Kind['fields'] {
  return fields.filter(({ name }) => COMPARED.includes(name));
}

/** The result of a row whose number is stored. */
function resultOfKnown(kind: Kind, { ref, columns }: Stored, values: Values, given: Stored['columns']): Result {
  const differs = comparedFields(kind).some(
    ({ name, column }) => values.has(name) && String(given[column]) !== String(columns[column]),
  );
  if (differs) return failedNumber('already exists with another gateway or aorLink');
  return { result: 'unchanged', ref, issues: [] };
}

function failedNumber(message: string): Result {
  return { result: 'failed', issues: [{ column: 'telUrl', message }] };
}

/** The result of a row with issues, which name fields instead of columns. */
function failedResult(issues: readonly Issue[]): Result {
  return { result: 'failed', issues: issues.map(({ field, message }) => ({ column: columnOf(field), message })) };
}

/**
 * Returns the names of the columns in a header row, with their usual case. Throws InvalidInputError for unknown and
 * missing columns.
 */
export function headerOf(names: readonly string[]): string[] {
  const known = names.map((name) => Object.keys(COLUMNS).find((each) => each.toLowerCase() === name.toLowerCase()));
  const unknown = names.filter((_, index) => known[index] === undefined);
  const missing = ['telUrl', 'aorLink', 'gwRef'].filter((name) => !known.includes(name));
  if (unknown.length === 0 && missing.length === 0) return known as string[]; // all are known
  const problems = [...columnProblems('unknown', unknown), ...missing.map((name) => `missing column ${name}`)];
  throw InvalidInputError.of('header', `${problems.join(', ')}; expected ${Object.keys(COLUMNS).join(', ')}`);
}

/** Returns the column that sets a GraphQL field, or the name of the field if there is none. */
function columnOf(field: string): string {
  return Object.keys(COLUMNS).find((name) => COLUMNS[name] === field) ?? field;
}

/** Converts a row to GraphQL input. Empty cells are omitted. Numbers and addresses may be as people write them. */
function inputOf(record: Readonly<Record<string, string>>, home: Country | undefined): Input {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === '') continue;
    const keys = COLUMNS[name]?.split('.') ?? [];
    setAt(input, keys, keys.length > 1 ? value : valueFor(keys[0] ?? '', value, home));
  }
  return input;
}
