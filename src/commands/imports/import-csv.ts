import { constants } from 'node:fs';
import { access, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';

import { stringify } from 'csv-stringify/sync';

import type { Actor } from '../../changes/actor';
import type { Database } from '../../database/database';
import type { TransactionOptions } from '../../database/driver';
import type { OwnTransaction } from '../../database/sql';
import type { Kind } from '../../model/kind';
import { inImport } from '../../resources/write/transactions';
import { CsvColumns } from '../../resources/bulk/csv-columns';
import { importCsv, type CsvResult } from '../../resources/bulk/csv-import';
import { rowsOf } from '../../resources/bulk/csv-rows';
import { headerOf, importRows, type NumberRow } from '../../resources/bulk/number-import';
import type { Country } from '../../spelling/telephone';
import { CommandError, reasonOf } from '../answer';
import { openPrivateFile } from '../private-file';
import { readText } from './text-file';

/** The number of rows that a dry run shows. The report has all. */
const SHOWN = 100;

// The number of characters that are written at once.
const CHUNK = 64 * 1024;

/** A CSV file that a command writes row by row, such as the result of each row of an import. */
class ReportFile {
  private text = '';

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Creates the file, or empties it. Only its owner can read it. */
  static async create(path: string): Promise<ReportFile> {
    return new ReportFile(path, await openPrivateFile(path));
  }

  /** Adds a row. Throws CommandError if the file cannot be written, for example because the disk is full. */
  async write(row: readonly (string | number)[]): Promise<void> {
    this.text += stringify([[...row]], { escape_formulas: true });
    if (this.text.length >= CHUNK) await this.flush();
  }

  /** Writes the rest of the rows and closes the file. Throws the errors of `write`. */
  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.file.close();
    }
  }

  private async flush(): Promise<void> {
    const { text } = this;
    this.text = '';
    try {
      await this.file.appendFile(text);
    } catch (error) {
      throw new CommandError(`${this.path} cannot be written: ${reasonOf(error)}`);
    }
  }
}

/** The result of a row, of numbers or of any kind. */
export interface ReportedRow {
  readonly line: number;
  readonly result: 'new' | 'updated' | 'unchanged' | 'failed';
  readonly issues: readonly { readonly column?: string; readonly message: string }[];
}

/** The result of an import of rows. If any row failed, nothing was imported, and `created` and `updated` are 0. */
interface RowsReport<Row extends ReportedRow> {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  /** Rows whose resource already existed with the same values. */
  readonly unchanged: number;
  readonly failed: number;
  /** The first rows. */
  readonly first: readonly Row[];
}

/** How to import a file. */
export interface FileOptions {
  readonly kind: Kind;
  readonly actor: Actor;
  /** Where numbers without a country code are from. */
  readonly home: Country | undefined;
  /** The file for the result of each row. */
  readonly report: string;
  readonly dryRun: boolean;
  readonly progress: (rows: number) => void;
}

/** What is wrong with a row, by column. */
export function problemsOf({ issues }: ReportedRow): string {
  return issues.map(({ column, message }) => (column === undefined ? message : `${column}: ${message}`)).join('; ');
}

/**
 * Creates a number for each row of a CSV file, in one transaction. Writes the result of each row to `report`: `new`,
 * `unchanged` or `failed`. New rows are created only if no row failed, and not in a dry run.
 */
export function importNumbers(database: Database, file: string, options: FileOptions): Promise<RowsReport<NumberRow>> {
  const { kind, actor, home } = options;
  return importFile<NumberRow>(database, file, options, {
    columns: { line: (row) => row.line, telUrl: (row) => row.telUrl, result: (row) => row.result, message: problemsOf },
    work: (transaction, report, next) =>
      importRows(transaction, { kind, actor, home }, rowsOf(readText(file), { headerOf }), report, next),
  });
}

/**
 * Creates or updates a resource for each row of a CSV file, in one transaction. Writes the result of each row to
 * `report`: `new`, `updated`, `unchanged` or `failed`. Nothing is written if a row failed, and in a dry run.
 */
export function importResources(
  database: Database,
  file: string,
  options: FileOptions,
): Promise<RowsReport<CsvResult>> {
  const { kind, actor, home } = options;
  return importFile<CsvResult>(database, file, options, {
    columns: { line: (row) => row.line, ref: ({ ref = '' }) => ref, result: (row) => row.result, message: problemsOf },
    // Each statement must see what other transactions committed before it locked a resource.
    how: { seesCommits: true },
    work: (transaction, report, next) => {
      const columns = new CsvColumns(kind, home);
      const rows = rowsOf(readText(file), { headerOf: columns.read, skipsEmpty: true });
      return importCsv(transaction, { kind, actor, columns }, rows, report, next);
    },
  });
}

async function importFile<Row extends ReportedRow>(
  database: Database,
  file: string,
  options: FileOptions,
  {
    columns,
    work,
    how,
  }: {
    /** The columns of the report. */
    readonly columns: Readonly<Record<string, (row: Row) => string | number>>;
    readonly work: (
      transaction: OwnTransaction,
      report: (row: Row) => Promise<void>,
      next: (rows: number) => void,
    ) => Promise<void>;
    readonly how?: TransactionOptions;
  },
): Promise<RowsReport<Row>> {
  if (resolve(options.report) === resolve(file)) throw new CommandError(`The report must not be ${file} itself`);
  await access(file, constants.R_OK);
  // It is read again if the transaction is repeated.
  if (!(await stat(file)).isFile()) throw new CommandError(`${file} is not a regular file`);
  const none = { rows: 0, new: 0, updated: 0, unchanged: 0, failed: 0 };
  let counts = { ...none };
  let first: Row[] = [];
  const attempt = async (transaction: OwnTransaction): Promise<boolean> => {
    counts = { ...none }; // the transaction is retried after a conflict
    first = [];
    const report = await ReportFile.create(options.report);
    try {
      await report.write(Object.keys(columns));
      await work(
        transaction,
        async (row) => {
          counts[row.result]++;
          if (first.length < SHOWN) first.push(row);
          await report.write(Object.values(columns).map((cellOf) => cellOf(row)));
        },
        (rows) => {
          counts.rows = rows;
          options.progress(rows);
        },
      );
    } finally {
      await report.close();
    }
    return counts.failed === 0 && !options.dryRun;
  };
  await inImport(database, attempt, how);
  const { rows, new: created, updated, unchanged, failed } = counts;
  return { rows, ...(failed > 0 ? { created: 0, updated: 0 } : { created, updated }), unchanged, failed, first };
}
