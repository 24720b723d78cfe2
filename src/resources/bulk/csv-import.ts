import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import type { OwnTransaction } from '../../database/sql';
import { DomainError, InvalidInputError, type Issue } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import type { Kind } from '../../model/kind';
import { valuesOf } from '../read/row';
import { lockResources, prepareChanges, storedByRef } from '../write/change';
import { RefTakenError } from '../write/conflict';
import { insertAll, type Creation } from '../write/creation';
import { changesOf, merge, newValues, refOf, secretsIn, type Changes, type Values } from '../write/input';
import { freeRefs, usedRefs } from '../write/new-ref';
import type { CellIssue, CsvColumns } from './csv-columns';
import { inBatches, type CsvRow, type RowImporter } from './csv-rows';
import { keyFieldsOf, keyTextsOf, refsByNaturalKey } from './natural-keys';

/** The result of a row. */
export interface CsvResult {
  readonly line: number;
  readonly result: 'new' | 'updated' | 'unchanged' | 'failed';
  /** The resource; undefined if the row failed. */
  readonly ref?: string;
  /** Whether the row sets a secret. */
  readonly hasSecret: boolean;
  readonly issues: readonly CellIssue[];
}

/** What an import of CSV writes, and for whom. */
export interface CsvTarget {
  readonly kind: Kind;
  readonly actor: Actor;
  readonly columns: CsvColumns;
}

/** A row, with what identifies its resource. */
interface Parsed extends CsvRow {
  /** The ref in the row. */
  readonly given: string | undefined;
  /** What is wrong with it. */
  readonly issues: readonly Issue[];
  /** The valid values of the natural keys. */
  readonly keys: Values;
}

/** Rows between two turns of the event loop, because SQLite's statements block the process: two inserts of 16 rows. */
const TURN = 32;

type Result = Omit<CsvResult, 'line'>;

/** A row to write: the changes of the resource with the ref, or a creation. */
type Write =
  | { readonly index: number; readonly ref: string; readonly changes: Changes; readonly hasSecret: boolean }
  | { readonly index: number; readonly creation: Creation; readonly hasSecret: boolean };

/**
 * Creates or updates a resource for each row of a CSV file, within a transaction whose statements see what was committed
 * before (`seesCommits`). A row updates the resource with its ref, or, without a ref, with its natural key. An empty cell
 * clears a field, except a secret. Reports the result of each row by line, and calls `next` after each batch, with the
 * number of rows that were read. The caller must roll the transaction back if a row failed.
 */
export async function importCsv(
  transaction: OwnTransaction,
  target: CsvTarget,
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  report: (row: CsvResult) => Promise<void> | void,
  next: (rows: number) => Promise<void> | void,
): Promise<void> {
  await inBatches(rows, new CsvImporter(transaction, target, report), next);
}

class CsvImporter implements RowImporter<Parsed> {
  private readonly kind: Kind;
  private readonly keyFields: ReadonlySet<string>;
  /** The lines of the rows whose resources are known, by ref. */
  private readonly lines = new Map<string, number>();

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly target: CsvTarget,
    private readonly report: (row: CsvResult) => Promise<void> | void,
  ) {
    this.kind = target.kind;
    this.keyFields = keyFieldsOf(target.kind);
  }

  read(row: CsvRow): Promise<Parsed> {
    const { columns } = this.target;
    const issues: Issue[] = [];
    const given = refOf({ ref: columns.refIn(row.record) }, issues);
    const keys = this.validIn(row);
    return Promise.resolve({ ...row, given, issues, keys });
  }

  async write(batch: readonly Parsed[]): Promise<void> {
    if (batch.length === 0) return;
    const known = await this.lockKnown(batch);
    const results = new Map<number, Result>();
    const writes: Write[] = [];
    const lines = new Map<string, number>();
    for (const [index, row] of batch.entries()) {
      const failure = await this.inRow(row, () => {
        this.assertFirst(row, known[index], lines);
        writes.push(this.prepare(row, index, known[index]));
      });
      if (failure) results.set(index, failure);
      if (index % TURN === TURN - 1) await endOfTurn();
    }
    await this.create(batch, writes, results);
    await this.update(batch, writes, results);
    await storeNoted(this.transaction);
    for (const [index, { line }] of batch.entries()) {
      const result = results.get(index);
      if (result) await this.report({ line, ...result });
    }
  }

  /** The values of the natural keys, as far as they are valid. */
  private validIn({ record }: CsvRow): Values {
    try {
      const input = this.target.columns.inputOf(record, { clears: false, only: this.keyFields });
      return newValues(changesOf(this.kind, input, false));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return new Map();
    }
  }

  /** Returns the ref of the stored resource of each row, if there is one, and locks these resources. */
  private async lockKnown(batch: readonly Parsed[]): Promise<readonly (string | undefined)[]> {
    const { transaction, kind } = this;
    const locked = new Set<string>();
    for (;;) {
      const used = await usedRefs(transaction, kind, [...new Set(batch.flatMap(({ given }) => given ?? []))]);
      const named = batch.filter(({ given, issues }) => given === undefined && issues.length === 0);
      const keys = named.map((row) => row.keys);
      const found = await refsByNaturalKey(transaction, kind, keys);
      const byRow = new Map(named.map((row, index) => [row, found[index]]));
      const known = batch.map((row) =>
        row.given === undefined ? byRow.get(row) : used.has(row.given) ? row.given : undefined,
      );
      const others = new Set(known.flatMap((ref) => (ref === undefined || locked.has(ref) ? [] : [ref])));
      if (others.size === 0 || transaction.isSerial) return known;
      // Until they are locked, another transaction may give them other keys, or delete them.
      await lockResources(transaction, kind, [...others].sort());
      for (const ref of others) locked.add(ref);
    }
  }

  /**
   * Throws InvalidInputError if an earlier row is about the same resource. `batch` has its lines by natural
   * key, because the database does not have their resources yet.
   */
  private assertFirst({ line, given, keys }: Parsed, known: string | undefined, batch: Map<string, number>): void {
    const ref = known ?? given;
    const [names, lines] = ref === undefined ? [keyTextsOf(this.kind, keys), batch] : [[ref], this.lines];
    const earlier = names.map((name) => lines.get(name)).find((each) => each !== undefined);
    const [field = 'ref'] = given === undefined ? [...this.keyFields].filter((name) => keys.has(name)) : [];
    if (earlier !== undefined) throw InvalidInputError.of(field, `duplicates line ${String(earlier)}`);
    for (const name of names) lines.set(name, line);
  }

  private prepare({ record, given, issues }: Parsed, index: number, known: string | undefined): Write {
    const { kind } = this;
    const { columns, actor } = this.target;
    const isNew = known === undefined;
    const changes = changesOf(kind, columns.inputOf(record, { clears: !isNew }), isNew, issues);
    const hasSecret = secretsIn(kind, changes).size > 0;
    if (!isNew) return { index, ref: known, changes, hasSecret };
    const values = merge(kind, changes);
    const now = Date.now();
    const ref = given ?? '';
    const creation = {
      ref,
      values,
      extra: null,
      createdOn: now,
      modifiedOn: now,
      actor,
      hasNewRef: given === undefined,
    };
    return { index, creation, hasSecret };
  }

  private async create(
    batch: readonly Parsed[],
    writes: readonly Write[],
    results: Map<number, Result>,
  ): Promise<void> {
    const { transaction, kind, lines } = this;
    const news = writes.flatMap((write) => ('creation' in write ? [write] : []));
    const refs = [...(await freeRefs(transaction, kind, news.filter(({ creation }) => creation.hasNewRef).length))];
    const creations = news.map(({ creation }) => ({ ...creation, ref: creation.ref || (refs.pop() ?? '') }));
    const failures = new Map<Creation, unknown>();
    for (let start = 0; start < creations.length; start += TURN) {
      const created = await insertAll(transaction, kind, creations.slice(start, start + TURN));
      for (const [creation, error] of created.failures) failures.set(creation, error);
      await endOfTurn();
    }
    for (const [position, { index, hasSecret }] of news.entries()) {
      const row = batch[index];
      const creation = creations[position];
      if (!row || !creation) continue;
      lines.set(creation.ref, row.line);
      const failure = await this.inRow(row, () => {
        if (failures.has(creation)) throw failures.get(creation);
      });
      results.set(index, failure ?? { result: 'new', ref: creation.ref, hasSecret, issues: [] });
    }
  }

  private async update(
    batch: readonly Parsed[],
    writes: readonly Write[],
    results: Map<number, Result>,
  ): Promise<void> {
    const { transaction, kind } = this;
    const { actor } = this.target;
    const known = writes.flatMap((write) => ('ref' in write ? [write] : []));
    if (known.length === 0) return;
    const changes = await this.withoutEmptyLists(known);
    const changed = await prepareChanges(
      transaction,
      kind,
      known.map(({ ref }, position) => ({ ref, changes: changes[position] ?? new Map(), actor })),
    );
    for (const [position, { index, ref, hasSecret }] of known.entries()) {
      const row = batch[index];
      if (!row) continue;
      const failure = await this.inRow(row, async () => {
        const details = (await changed[position]?.())?.details;
        results.set(index, { result: details ? 'updated' : 'unchanged', ref, hasSecret, issues: [] });
      });
      if (failure) results.set(index, failure);
      if (position % TURN === TURN - 1) await endOfTurn();
    }
  }

  /** The changes without those that clear an empty list: an empty cell is how an export shows both. */
  private async withoutEmptyLists(
    known: readonly { readonly ref: string; readonly changes: Changes }[],
  ): Promise<readonly Changes[]> {
    const { transaction, kind } = this;
    const lists = kind.fields.filter(({ format }) => format.schema.type === 'array').map(({ name }) => name);
    if (!known.some(({ changes }) => lists.some((name) => changes.get(name) === null)))
      return known.map(({ changes }) => changes);
    const refs = known.map(({ ref }) => ref);
    const stored = await storedByRef(transaction, kind, refs);
    return known.map(({ ref, changes }) => {
      const resource = stored.get(ref);
      const values: Values = resource ? valuesOf(kind, resource) : new Map();
      const isEmpty = (name: string): boolean => {
        const value = values.get(name);
        return typeof value === 'object' && value.length === 0;
      };
      return new Map([...changes].filter(([name, value]) => value !== null || !isEmpty(name)));
    });
  }

  /** Runs `work` for a row. Returns the result of the row if `work` throws an error that the row caused. */
  private async inRow({ record }: CsvRow, work: () => Promise<void> | void): Promise<Result | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      // Another attempt generates other refs.
      const mayPass =
        error instanceof RefTakenError || (error instanceof DomainError && error.retryAfter !== undefined);
      if (!(error instanceof DomainError) || mayPass) throw error;
      const { issues, message } = error;
      const found = issues.map((each) => this.target.columns.issueOf(record, each.field, each.message));
      return { result: 'failed', hasSecret: false, issues: found.length > 0 ? found : [{ message }] };
    }
  }
}
