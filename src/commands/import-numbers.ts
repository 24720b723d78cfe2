import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Actor } from '../changes/actor';
import type { Database } from '../database/database';
import type { OwnTransaction } from '../database/sql';
import { DomainError, type Issue } from '../errors';
import { changesOf, merged, type Values } from '../resources/input';
import type { Kind } from '../model/kind';
import { BulkWriter, type BulkOutcome } from '../resources/bulk-writer';
import { CommandError } from './answer';
import { columnOf, inputOf, rowsOf } from './numbers-csv';
import { ReportFile } from './report-file';

/** The result of an import of numbers. If any row failed, nothing was imported, and `created` is 0. */
export interface NumbersReport {
  readonly rows: number;
  readonly created: number;
  /** Rows whose number already existed with the same gateway and address of record. */
  readonly unchanged: number;
  readonly failed: number;
}

interface Row {
  readonly line: number;
  readonly values: Values;
}

const BATCH = 500;

/** Thrown to roll back the transaction. */
class Undone extends Error {}

/**
 * Creates a resource for each row of a CSV file, in one transaction. Writes the result of each row to `report`: `new`,
 * `unchanged` or `failed`. New rows are created only if no row failed.
 */
export async function importNumbers(
  database: Database,
  file: string,
  options: {
    readonly kind: Kind;
    readonly actor: Actor;
    readonly report: string;
    readonly progress: (rows: number) => void;
  },
): Promise<NumbersReport> {
  const { kind, actor } = options;
  if (resolve(options.report) === resolve(file)) throw new CommandError(`The report must not be ${file} itself`);
  await access(file, constants.R_OK);
  let counts = { rows: 0, created: 0, unchanged: 0, failed: 0 };
  const attempt = async (transaction: OwnTransaction): Promise<void> => {
    counts = { rows: 0, created: 0, unchanged: 0, failed: 0 }; // the transaction is retried after a deadlock
    const report = await ReportFile.create(options.report);
    try {
      await report.write(['line', 'telUrl', 'result', 'message']);
      const importer = new NumberImporter(new BulkWriter(transaction, kind, actor), kind, report, counts);
      let batch: Row[] = [];
      for await (const { record, line } of rowsOf(file)) {
        counts.rows++;
        const row = await importer.read(record, line);
        if (row) batch.push(row);
        if (batch.length === BATCH) {
          await importer.write(batch);
          batch = [];
        }
        if (counts.rows % BATCH === 0) options.progress(counts.rows);
      }
      await importer.write(batch);
      options.progress(counts.rows);
    } finally {
      await report.close();
    }
    if (counts.failed > 0) throw new Undone();
  };
  try {
    await database.transaction(attempt);
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return counts.failed > 0 ? { ...counts, created: 0 } : counts;
}

/** Validates and inserts the rows of a file, and reports the result of each. */
class NumberImporter {
  constructor(
    private readonly writer: BulkWriter,
    private readonly kind: Kind,
    private readonly report: ReportFile,
    private readonly counts: { created: number; unchanged: number; failed: number },
  ) {}

  /** Validates a row. If it is invalid, reports that and returns undefined. */
  async read(record: Readonly<Record<string, string>>, line: number): Promise<Row | undefined> {
    try {
      return { line, values: merged(this.kind, changesOf(this.kind, inputOf(record), true)) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.fail(line, record['telUrl'] ?? '', reasonsIn(error.issues));
      return undefined;
    }
  }

  async write(batch: readonly Row[]): Promise<void> {
    if (batch.length === 0) return;
    const outcomes = await this.writer.write(batch.map(({ values }) => values));
    for (const [index, { line, values }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome) await this.record(line, String(values.get('telUrl')), outcome);
    }
  }

  private async record(line: number, telUrl: string, outcome: BulkOutcome): Promise<void> {
    switch (outcome.type) {
      case 'created':
        this.counts.created++;
        return this.report.write([line, telUrl, 'new', '']);
      case 'unresolved':
        return this.fail(line, telUrl, reasonsIn(outcome.issues));
      case 'repeated':
        return this.fail(line, telUrl, 'telUrl: duplicates an earlier row');
      case 'exists':
        if (outcome.differs.some((name) => name === 'gatewayRef' || name === 'aorLink'))
          return this.fail(line, telUrl, 'telUrl: already exists with another gateway or aorLink');
        this.counts.unchanged++;
        return this.report.write([line, telUrl, 'unchanged', '']);
    }
  }

  private async fail(line: number, telUrl: string, message: string): Promise<void> {
    this.counts.failed++;
    await this.report.write([line, telUrl, 'failed', message]);
  }
}

/** Joins the messages of the issues, with the names of columns instead of fields. */
function reasonsIn(issues: readonly Issue[]): string {
  return issues.map(({ field, message }) => `${columnOf(field)}: ${message}`).join('; ');
}
