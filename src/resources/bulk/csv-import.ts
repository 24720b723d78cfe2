import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import type { OwnTransaction } from '../../database/sql';
import { DomainError, InvalidInputError, type Issue } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import type { Kind } from '../../model/kind';
import { valuesOf } from '../read/row';
import { REF_ONLY } from '../read/selection';
import { ownErrorOf } from '../write/transactions';
import { lockResources, storedByRef } from '../write/change';
import { changesOf, merge, newValues, refOf, secretsIn, type Values } from '../write/input';
import { freeRefs, usedRefs } from '../write/new-ref';
import { LaterWrites } from '../write/later-writes';
import { createOf, runWrites, type Create, type Update, type Write } from '../write/write-group';
import type { CellIssue, CsvColumns } from './csv-columns';
import { inBatches, type CsvRow, type RowImporter } from './csv-rows';
import { linkNames, type LinkNames } from './link-names';
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
interface CsvTarget {
  readonly kind: Kind;
  readonly actor: Actor;
  readonly columns: CsvColumns;
  /** See `ChangeOptions`. */
  readonly hidesSecrets?: boolean;
}

/** A row, with what identifies its resource. */
interface Parsed extends CsvRow {
  /** The ref in the row. */
  readonly given: string | undefined;
  /** What is wrong with it. */
  readonly issues: readonly Issue[];
}

/** A row whose links are found. */
interface Linked extends Parsed {
  readonly resolve: LinkNames;
  /** The valid values of the natural keys. */
  readonly keys: Values;
}

/** Rows between two turns of the event loop, because SQLite's statements block the process: two inserts of 16 rows. */
const TURN = 32;
const RESULTS = { create: 'new', update: 'updated' } as const;

type Result = Omit<CsvResult, 'line'>;

/** A row to write. */
interface Prepared {
  /** The position in the batch. */
  readonly index: number;
  readonly row: Linked;
  readonly write: Create | Update;
  readonly hasSecret: boolean;
}

/**
 * Creates or updates a resource for each row of a CSV file, within a transaction whose statements see what was committed
 * before (`seesCommits`). A row updates the resource with its ref, or, without a ref, with its natural key. An empty cell
 * clears a field, except a secret. Rows may swap unique values and move ranges in any order. Reports the result of each row by line, and
 * calls `next` after each batch, with the number of rows that were read. The caller must roll the transaction back if a row failed.
 */
export async function importCsv(
  transaction: OwnTransaction,
  target: CsvTarget,
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  report: (row: CsvResult) => Promise<void> | void,
  next: (rows: number) => Promise<void> | void,
): Promise<void> {
  const importer = new CsvImporter(transaction, target, report);
  await inBatches(rows, importer, next);
  await importer.finish();
}

class CsvImporter implements RowImporter<Parsed> {
  private readonly kind: Kind;
  private readonly keyFields: ReadonlySet<string>;
  /** The lines of the rows whose resources are known, by ref. */
  private readonly lines = new Map<string, number>();
  private readonly later = new LaterWrites();
  /** The rows whose unique values or ranges other resources have, by their writes. */
  private readonly waiting = new Map<unknown, { readonly row: Parsed; readonly result: Result }>();

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly target: CsvTarget,
    private readonly report: (row: CsvResult) => Promise<void> | void,
  ) {
    this.kind = target.kind;
    this.keyFields = keyFieldsOf(target.kind);
  }

  read(row: CsvRow): Parsed {
    const { columns } = this.target;
    const issues: Issue[] = [];
    const given = refOf({ ref: columns.refIn(row.record) }, issues);
    return { ...row, given, issues };
  }

  async write(rows: readonly Parsed[]): Promise<void> {
    if (rows.length === 0) return;
    const batch = await this.resolveLinks(rows);
    const known = await this.lockKnown(batch);
    const unnamed = batch.filter(({ given }, index) => (known[index] ?? given) === undefined);
    const refs = [...(await freeRefs(this.transaction, this.kind, unnamed.length))];
    const results = new Map<number, Result>();
    const prepared: Prepared[] = [];
    const lines = new Map<string, number>();
    for (const [index, row] of batch.entries()) {
      try {
        this.assertFirst(row, known[index], lines);
        prepared.push({ index, row, ...this.prepare(row, known[index], refs) });
      } catch (error) {
        results.set(index, this.failureOf(row, error, known[index] === undefined ? row.given : undefined));
      }
      if (index % TURN === TURN - 1) await endOfTurn();
    }
    const writable = await this.withoutEmptyLists(prepared);
    await this.run(writable, results);
    await storeNoted(this.transaction);
    const writes = new Map(writable.map(({ index, write }) => [index, write]));
    for (const [index, row] of batch.entries()) {
      const [result, write] = [results.get(index), writes.get(index)];
      if (!result) continue;
      if (write && this.later.has(write)) this.waiting.set(write, { row, result });
      else await this.report({ line: row.line, ...result });
    }
  }

  /** Writes the unique values that had to wait for others, checks the ranges that had to, and reports these rows. */
  async finish(): Promise<void> {
    const failed = new Map<unknown, Result>();
    await this.later.finish(this.transaction, endOfTurn, (write, error) => {
      const own = this.waiting.get(write);
      if (!own) throw error;
      if (!failed.has(write)) failed.set(write, this.failureOf(own.row, error));
    });
    for (const [write, { row, result }] of this.waiting) {
      await this.report({ line: row.line, ...(failed.get(write) ?? result) });
    }
  }

  /** The rows, with what their links name. */
  private async resolveLinks(rows: readonly Parsed[]): Promise<readonly Linked[]> {
    const { columns } = this.target;
    const inputs = rows.map(({ record }) => columns.inputOf(record, { clears: false }));
    const resolve = await linkNames(this.transaction, this.kind, inputs, columns.home);
    return rows.map((row) => ({ ...row, resolve, keys: this.validIn(row, resolve) }));
  }

  /** The values of the natural keys, as far as they are valid. */
  private validIn({ record }: CsvRow, resolve: LinkNames): Values {
    try {
      const input = this.target.columns.inputOf(record, { clears: false, only: this.keyFields });
      return newValues(changesOf(this.kind, resolve(input, []), false));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return new Map();
    }
  }

  /** Returns the ref of the stored resource of each row, if there is one, and locks these resources. */
  private async lockKnown(batch: readonly Linked[]): Promise<readonly (string | undefined)[]> {
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
      await lockResources(transaction, kind, [...others]);
      for (const ref of others) locked.add(ref);
    }
  }

  /**
   * Throws InvalidInputError if an earlier row is about the same resource. `batch` has its lines by natural
   * key, because the database does not have their resources yet.
   */
  private assertFirst({ line, given, keys }: Linked, known: string | undefined, batch: Map<string, number>): void {
    const ref = known ?? given;
    const [names, lines] = ref === undefined ? [keyTextsOf(this.kind, keys), batch] : [[ref], this.lines];
    const earlier = names.map((name) => lines.get(name)).find((each) => each !== undefined);
    const [field = 'ref'] = given === undefined ? [...this.keyFields].filter((name) => keys.has(name)) : [];
    if (earlier !== undefined) throw InvalidInputError.of(field, `duplicates line ${String(earlier)}`);
    for (const name of names) lines.set(name, line);
  }

  /** Returns the write of a row. `refs` are free; a row without a ref takes one. */
  private prepare(
    { record, given, issues, resolve }: Linked,
    known: string | undefined,
    refs: string[],
  ): Pick<Prepared, 'write' | 'hasSecret'> {
    const { kind } = this;
    const { columns, actor, hidesSecrets = false } = this.target;
    const isNew = known === undefined;
    const found = [...issues];
    const input = resolve(columns.inputOf(record, { clears: !isNew }), found);
    const changes = changesOf(kind, input, isNew, found);
    const hasSecret = secretsIn(kind, changes).size > 0;
    const options = { hidesSecrets };
    if (!isNew)
      return { write: { type: 'update', kind, ref: known, changes, actor, options, selection: REF_ONLY }, hasSecret };
    const resource = { given, values: merge(kind, changes), extra: null };
    return { write: createOf(kind, resource, actor, { ref: given ?? refs.pop() }), hasSecret };
  }

  /** Runs the writes, creates first, and adds the results. */
  private async run(prepared: readonly Prepared[], results: Map<number, Result>): Promise<void> {
    const { transaction, kind, lines } = this;
    const ordered = ['create', 'update'].flatMap((type) => prepared.filter(({ write }) => write.type === type));
    for (let start = 0; start < ordered.length; start += TURN) {
      const chunk = ordered.slice(start, start + TURN);
      const writes = chunk.map(({ write }) => write);
      const changed = new Set<Write>();
      const report = (write: Write, details: unknown): void => {
        if (details !== undefined) changed.add(write);
      };
      // What an update has written before it finds a value in use must be undone, to write it without the value.
      const done = await runWrites(transaction, [kind], writes, { report, isWhole: false, later: this.later });
      for (const [position, { index, row, write, hasSecret }] of chunk.entries()) {
        lines.set(write.ref, row.line);
        const outcome = done[position];
        const result = changed.has(write) ? RESULTS[write.type] : 'unchanged';
        if (outcome?.status === 'rejected') results.set(index, this.failureOf(row, outcome.reason));
        else results.set(index, { result, ref: write.ref, hasSecret, issues: [] });
      }
      await endOfTurn();
    }
  }

  /** The writes, without changes that clear an empty list: an empty cell is how an export shows both. */
  private async withoutEmptyLists(prepared: readonly Prepared[]): Promise<readonly Prepared[]> {
    const { transaction, kind } = this;
    const lists = kind.fields.filter(({ format }) => format.schema.type === 'array').map(({ name }) => name);
    const clearing = prepared.filter(
      ({ write }) => write.type === 'update' && lists.some((name) => write.changes.get(name) === null),
    );
    if (clearing.length === 0) return prepared;
    const refs = clearing.map(({ write }) => write.ref);
    const stored = await storedByRef(transaction, kind, refs);
    return prepared.map((each) => {
      const resource = stored.get(each.write.ref);
      if (each.write.type !== 'update' || !resource) return each;
      const values = valuesOf(kind, resource);
      const isEmpty = (name: string): boolean => {
        const value = values.get(name);
        return typeof value === 'object' && value.length === 0;
      };
      const changes = new Map([...each.write.changes].filter(([name, value]) => value !== null || !isEmpty(name)));
      return { ...each, write: { ...each.write, changes } };
    });
  }

  /**
   * The result of a row that failed. `newRef` is its ref if no resource has that: where columns miss that a new one requires, the row
   * was probably meant to update one. Throws an error that the row did not cause.
   */
  private failureOf({ record }: CsvRow, error: unknown, newRef?: string): Result {
    const { issues, message } = ownErrorOf(error);
    const isUpdate = newRef !== undefined && issues.some(({ field }) => record[field] === undefined);
    const all = isUpdate ? [{ field: 'ref', message: `no ${this.kind.name} has it` }, ...issues] : issues;
    const found = all.map((each) => this.target.columns.issueOf(record, each.field, each.message));
    return { result: 'failed', hasSecret: false, issues: found.length > 0 ? found : [{ message }] };
  }
}
