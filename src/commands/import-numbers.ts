import { constants, createReadStream } from 'node:fs';
import { access, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { types } from 'node:util';

import { stringify } from 'csv-stringify/sync';

import type { Actor } from '../changes/actor';
import type { Database } from '../database/database';
import type { OwnTransaction } from '../database/sql';
import type { Kind } from '../model/kind';
import { inImport } from '../resources/write/attempts';
import { importRows, type NumberRow } from '../resources/bulk/number-import';
import { rowsOf } from '../resources/bulk/numbers-csv';
import type { Country } from '../spelling/telephone';
import { CommandError } from './answer';
import { openPrivateFile } from './private-file';

/** The number of rows that a dry run shows. The report has all. */
export const SHOWN = 100;

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
      // Node's message: `ENOSPC: no space left on device, write`.
      const reason = types.isNativeError(error) ? error.message.replace(/^[A-Z]+: |, \w+$/g, '') : String(error);
      throw new CommandError(`${this.path} cannot be written: ${reason}`);
    }
  }
}

/** The result of an import of numbers. If any row failed, nothing was imported, and `created` is 0. */
export interface NumbersReport {
  readonly rows: number;
  readonly created: number;
  /** Rows whose number already existed with the same gateway and address of record. */
  readonly unchanged: number;
  readonly failed: number;
  /** The first rows. */
  readonly first: readonly NumberRow[];
}

/** What is wrong with a row, by column. */
export function messageOf({ issues }: NumberRow): string {
  return issues.map((each) => `${each.column}: ${each.message}`).join('; ');
}

/**
 * Creates a resource for each row of a CSV file, in one transaction. Writes the result of each row to `report`: `new`,
 * `unchanged` or `failed`. New rows are created only if no row failed, and not in a dry run.
 */
export async function importNumbers(
  database: Database,
  file: string,
  options: {
    readonly kind: Kind;
    readonly actor: Actor;
    /** Where numbers without a country code are from. */
    readonly home: Country | undefined;
    readonly report: string;
    readonly dryRun: boolean;
    readonly progress: (rows: number) => void;
  },
): Promise<NumbersReport> {
  const { kind, actor, home } = options;
  if (resolve(options.report) === resolve(file)) throw new CommandError(`The report must not be ${file} itself`);
  await access(file, constants.R_OK);
  const none = { rows: 0, new: 0, unchanged: 0, failed: 0 };
  let counts = { ...none };
  let first: NumberRow[] = [];
  const attempt = async (transaction: OwnTransaction): Promise<boolean> => {
    counts = { ...none }; // the transaction is retried after a conflict
    first = [];
    const report = await ReportFile.create(options.report);
    try {
      await report.write(['line', 'telUrl', 'result', 'message']);
      await importRows(
        transaction,
        { kind, actor, home },
        rowsOf(createReadStream(file)),
        async (row) => {
          const { line, telUrl, result } = row;
          counts[result]++;
          if (first.length < SHOWN) first.push(row);
          await report.write([line, telUrl, result, messageOf(row)]);
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
  await inImport(database, attempt);
  const { rows, new: created, unchanged, failed } = counts;
  return { rows, created: failed > 0 ? 0 : created, unchanged, failed, first };
}
