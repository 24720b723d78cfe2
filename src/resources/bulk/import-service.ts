import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import type { Database } from '../../database/database';
import type { TransactionOptions } from '../../database/driver';
import type { OwnTransaction } from '../../database/sql';
import { InvalidInputError, quote, type DomainError } from '../../errors';
import { ROW_WRITTEN } from '../../limits/budgets';
import { endOfTurn } from '../../limits/event-loop';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { FAILED } from '../../sip/simulation/simulation';
import type { Country } from '../../spelling/telephone';
import { createLegacyRefs } from '../documents/legacy-ref';
import { marksIn } from '../documents/yaml';
import { hidesSecrets, type BulkOptions } from './bulk-options';
import { entriesOf } from './entries';
import { EntryImporter, type Imported } from './import-entry';
import type { ImportProgress } from './import-progress';
import { warningsOf, type ImportWarning } from './import-warnings';
import { inImport, ownErrorOf } from '../write/transactions';
import { CsvColumns, listEntriesIn } from './csv-columns';
import { importCsv } from './csv-import';
import { partsOf, rowsOf, type CsvRow, type RowOptions } from './csv-rows';
import { headerOf, importRows } from './number-import';

/** What an import did, or would do, with a row of CSV or a document. */
export type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED';

/** The result of a row of CSV or of a document. */
export interface ImportedRow {
  readonly line: number;
  readonly outcome: Outcome;
  /** The name of the kind; undefined if it is not known. */
  readonly kind?: string | undefined;
  readonly ref?: string | undefined;
  /** Whether the row or document sets a secret. */
  readonly hasSecret?: boolean;
  /** What is wrong, with the column and its cell, or the member of the document. */
  readonly errors: readonly {
    readonly field?: string | undefined;
    readonly value?: string | undefined;
    readonly message: string;
  }[];
}

/** The result of an import. */
export interface ImportResult {
  /** Whether the import was kept. Otherwise nothing was changed: a row failed, or it was a dry run. */
  readonly imported: boolean;
  /** By line. */
  readonly rows: readonly ImportedRow[];
  /** The id under which the history has the changes. Undefined if nothing was changed. */
  readonly requestId: string | undefined;
  /** Of a dry run: why numbers of the import will not ring. */
  readonly warnings: readonly ImportWarning[];
}

/** How to import. */
export interface ImportOptions extends BulkOptions {
  /** The id for the progress, chosen by the user. */
  readonly progressId?: string | undefined;
  /** The request of an earlier part of the import, under which the history has the changes; by default, an own one. */
  readonly partOf?: string | undefined;
  /** How many entries that request may still have, so that it can be reverted as a whole. Required with `partOf`. */
  readonly room?: number | undefined;
}

/**
 * Imports the rows within a transaction: adds the result of each, and calls `next` with the number that was processed.
 */
type Work = (transaction: OwnTransaction, rows: ImportedRow[], next: (done: number) => Promise<void>) => Promise<void>;

/** The cost in objects of writing a row of CSV, which shares its statements, and a document, which has its own. */
const COST = { row: ROW_WRITTEN, document: 5 * ROW_WRITTEN };
/** The rows of CSV that one request can write, as many as the resources that it can change otherwise. */
const MAX_ROWS = 10_000;
/** The characters that cost as much as one object to parse. */
const CHARACTERS = { csv: 16, yaml: 4 };
const MAX_DOCUMENTS = 1000;
// Documents between two turns of the event loop.
const TURN = 20;
// Changes per statement of the history.
const NOTED = 200;
const OUTCOMES = { new: 'CREATED', updated: 'UPDATED', unchanged: 'UNCHANGED', failed: 'FAILED' } as const;
const RESULTS = { create: 'CREATED', update: 'UPDATED', unchanged: 'UNCHANGED' } as const;

/** Imports what a user sends, as the commands import files: all or nothing, in one transaction. */
export class ImportService {
  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly progress: ImportProgress,
    private readonly actor: Actor,
    /** Where numbers without a country code are from. */
    private readonly home: Country | undefined,
    /** The node of the SIP server where calls arrive; undefined if there is only one. */
    private readonly node?: string,
  ) {}

  /** Creates a resource of the kind for each row of CSV. Throws InvalidInputError if the text is not CSV of numbers. */
  async numbers(kind: Kind, csv: string, options: ImportOptions): Promise<ImportResult> {
    const given = await rowsIn(csv, { headerOf }, options);
    assertRoom(given.length, options);
    options.charge(COST.row * given.length);
    return this.run(given.length, options, async (transaction, rows, next) => {
      await importRows(
        transaction,
        { kind, actor: this.actorOf(options), home: this.home },
        given,
        ({ line, result, ref, issues }) => {
          const errors = issues.map(({ column, message }) => ({ field: column, message }));
          rows.push({ line, outcome: OUTCOMES[result], kind: kind.name, ref, errors });
        },
        next,
      );
    });
  }

  /**
   * Creates or updates a resource of the kind for each row of CSV (see `importCsv`). Throws InvalidInputError if the text
   * is not CSV of the kind, or has too many rows.
   */
  async csv(kind: Kind, csv: string, options: ImportOptions): Promise<ImportResult> {
    const columns = new CsvColumns(kind, this.home);
    const given = await rowsIn(csv, { headerOf: columns.read, skipsEmpty: true, max: MAX_ROWS }, options);
    assertRoom(given.length, options);
    const entries = given.reduce((sum, { record }) => sum + listEntriesIn(kind, record), 0);
    options.charge(COST.row * (given.length + entries));
    const work: Work = (transaction, rows, next) =>
      importCsv(
        transaction,
        { kind, actor: this.actorOf(options), columns, hidesSecrets: hidesSecrets(options) },
        given,
        ({ line, result, ref, hasSecret, issues }) => {
          const errors = issues.map(({ column, value, message }) => ({ field: column, value, message }));
          rows.push({ line, outcome: OUTCOMES[result], kind: kind.name, ref, hasSecret, errors });
        },
        next,
      );
    return this.run(given.length, options, work, { seesCommits: true });
  }

  /** Imports the documents of a YAML or JSON text in Routr v1's format. */
  async documents(text: string, options: ImportOptions): Promise<ImportResult> {
    options.charge(Math.ceil(text.length / CHARACTERS.yaml));
    const { entries, mistakes } = entriesOf(text, this.model, {
      users: false,
      max: MAX_DOCUMENTS,
      marks: marksIn(text),
    });
    options.charge(COST.document * (entries.length + mistakes.length));
    // A resource is imported after those that it refers to.
    const ordered = this.model.inReferenceOrder.flatMap((kind) =>
      entries.flatMap(({ line, value, kind: own }) => (own === kind ? [{ line, value, kind }] : [])),
    );
    const legacyRefs = await createLegacyRefs();
    const actor = this.actorOf(options);
    const work: Work = async (transaction, rows, next) => {
      for (const { line, path: field, message } of mistakes)
        rows.push({ line, outcome: 'FAILED', errors: [{ field, message }] });
      const importer = new EntryImporter(transaction, actor, legacyRefs, hidesSecrets(options));
      const places = new Map<Imported, number>();
      for (const [index, { line, kind, value }] of ordered.entries()) {
        try {
          const imported = await importer.import(kind, value);
          const { ref, result, hasSecret } = imported;
          places.set(imported, rows.length);
          rows.push({ line, outcome: RESULTS[result], kind: kind.name, ref, hasSecret, errors: [] });
        } catch (error) {
          rows.push(failedRow({ line, kind: kind.name }, ownErrorOf(error)));
        }
        if (index % TURN === TURN - 1) await next(index + 1);
      }
      await importer.finish(endOfTurn, (imported, error) => {
        const place = places.get(imported) ?? 0;
        const row = rows[place];
        if (row) rows[place] = failedRow(row, error);
      });
      await next(ordered.length);
    };
    return this.run(ordered.length, options, work, { seesCommits: true });
  }

  /** Who imports, for the history. */
  private actorOf({ partOf }: ImportOptions): Actor {
    return { ...this.actor, channel: 'IMPORT', ...(partOf !== undefined && { requestId: partOf }) };
  }

  private async run(
    total: number,
    options: ImportOptions,
    work: Work,
    how?: TransactionOptions,
  ): Promise<ImportResult> {
    const { dryRun, progressId, request, charge, rehearser } = options;
    // The verdicts of a dry run.
    if (dryRun) charge(total);
    const { userRef = '', requestId } = this.actorOf(options);
    const report = progressId === undefined ? undefined : this.progress.start(userRef, progressId, total);
    let rows: ImportedRow[] = [];
    let warnings: readonly ImportWarning[] = [];
    let imported = false;
    let done = 0;
    const attempt = async (transaction: OwnTransaction): Promise<boolean> => {
      const write = async (): Promise<typeof FAILED | undefined> => {
        rows = []; // it may run again, and the transaction is retried after a conflict
        await work(transaction, rows, async (count) => {
          done = Math.max(done, count); // it may run twice
          report?.({ phase: 'RUNNING', done });
          await storeNoted(transaction, NOTED);
          await endOfTurn();
        });
        // What is imported is in the transaction only.
        if (dryRun) warnings = await warningsOf(transaction, rows, this.node);
        return isWhole(rows) ? undefined : FAILED;
      };
      const written = await (rehearser ? rehearser.rehearse(transaction, write, endOfTurn) : write());
      return !dryRun && written !== FAILED;
    };
    try {
      imported = await inImport(this.database, attempt, {
        ...how,
        isRehearsal: dryRun && rehearser !== undefined,
        scope: request,
      });
    } finally {
      const isDone = imported || (dryRun && isWhole(rows));
      report?.({ phase: isDone ? 'DONE' : 'FAILED', done });
    }
    const shown = imported ? rows : rows.map(withoutComparison);
    const hasChanged = imported && rows.some(({ outcome }) => outcome !== 'UNCHANGED');
    return {
      imported,
      rows: shown.sort((a, b) => a.line - b.line),
      requestId: hasChanged ? requestId : undefined,
      warnings,
    };
  }
}

/** Whether nothing is wrong with what an import read. */
export function isWhole(rows: readonly Pick<ImportedRow, 'outcome'>[]): boolean {
  return rows.every(({ outcome }) => outcome !== 'FAILED');
}

/** Reads the rows of CSV, and charges for the text. Throws InvalidInputError if there are more than `max`. */
async function rowsIn(
  csv: string,
  { max = Infinity, ...how }: RowOptions & { readonly max?: number },
  { charge }: ImportOptions,
): Promise<readonly CsvRow[]> {
  charge(Math.ceil(csv.length / CHARACTERS.csv));
  const rows: CsvRow[] = [];
  for await (const row of rowsOf(partsOf(csv), how)) {
    if (rows.length === max) throw InvalidInputError.of('csv', `has more than ${String(max)} rows; send fewer at once`);
    rows.push(row);
  }
  return rows;
}

/** Throws InvalidInputError if the request of an earlier part may not have as many more entries. */
function assertRoom(rows: number, { partOf, room = Infinity }: ImportOptions): void {
  if (partOf === undefined || rows <= room) return;
  throw InvalidInputError.of(
    'partOf',
    `${quote(partOf)} can have ${String(room)} more entries, and this part has ${String(rows)} rows`,
  );
}

/** The result of a row or document in an import that was not kept: it does not tell whether a secret is the stored one. */
function withoutComparison(row: ImportedRow): ImportedRow {
  return row.hasSecret && row.outcome === 'UNCHANGED' ? { ...row, outcome: 'UPDATED' } : row;
}

/** The result of a document that failed. */
function failedRow({ line, kind }: Pick<ImportedRow, 'line' | 'kind'>, { issues, message }: DomainError): ImportedRow {
  const found = issues.map((each) => ({ field: each.path, message: each.message }));
  return { line, outcome: 'FAILED', kind, errors: found.length > 0 ? found : [{ message }] };
}
