import type { Actor } from '../../changes/actor';
import type { OwnTransaction } from '../../database/sql';
import { DomainError, type Issue } from '../../errors';
import type { Kind } from '../../model/kind';
import { changesOf, merge, type Values } from '../write/input';
import { BulkWriter, type BulkOutcome } from './bulk-writer';
import { columnOf, inputOf, type CsvRow } from './numbers-csv';

/** What is wrong with a column of a row. */
export interface ColumnIssue {
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

interface Valid {
  readonly line: number;
  readonly values: Values;
}

/** Receives the result of each row. */
type Report = (row: NumberRow) => Promise<void> | void;

// Rows per batch. The number of statements of a batch is fixed.
const BATCH = 200;

/**
 * Creates a resource for each row of a CSV file, within a transaction. `next` runs after each batch, with the number of
 * rows that were read. The caller must roll the transaction back if a row failed.
 */
export async function importRows(
  transaction: OwnTransaction,
  kind: Kind,
  actor: Actor,
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  report: Report,
  next: (rows: number) => Promise<void> | void,
): Promise<void> {
  const importer = new NumberImporter(new BulkWriter(transaction, kind, actor), kind, report);
  let batch: Valid[] = [];
  let count = 0;
  for await (const row of rows) {
    count++;
    const valid = await importer.read(row);
    if (valid) batch.push(valid);
    if (count % BATCH !== 0) continue;
    await importer.write(batch);
    batch = [];
    await next(count);
  }
  await importer.write(batch);
  await next(count);
}

/** Validates and inserts the rows of a file, and reports the result of each. */
class NumberImporter {
  constructor(
    private readonly writer: BulkWriter,
    private readonly kind: Kind,
    private readonly report: Report,
  ) {}

  /** Validates a row. If it is invalid, reports that and returns undefined. */
  async read({ record, line }: CsvRow): Promise<Valid | undefined> {
    try {
      return { line, values: merge(this.kind, changesOf(this.kind, inputOf(record), true)) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.report({ line, telUrl: record['telUrl'] ?? '', result: 'failed', issues: issuesOf(error.issues) });
      return undefined;
    }
  }

  async write(batch: readonly Valid[]): Promise<void> {
    if (batch.length === 0) return;
    const outcomes = await this.writer.write(batch.map(({ values }) => values));
    for (const [index, { line, values }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome) await this.report({ line, telUrl: String(values.get('telUrl')), ...resultOf(outcome) });
    }
  }
}

function resultOf(outcome: BulkOutcome): Pick<NumberRow, 'result' | 'ref' | 'issues'> {
  const failed = (message: string): ReturnType<typeof resultOf> => ({
    result: 'failed',
    issues: [{ column: 'telUrl', message }],
  });
  switch (outcome.type) {
    case 'created':
      return { result: 'new', ref: outcome.ref, issues: [] };
    case 'unresolved':
      return { result: 'failed', issues: issuesOf(outcome.issues) };
    case 'repeated':
      return failed('duplicates an earlier row');
    case 'exists':
      return outcome.differs.some((name) => name === 'gatewayRef' || name === 'aorLink')
        ? failed('already exists with another gateway or aorLink')
        : { result: 'unchanged', ref: outcome.ref, issues: [] };
  }
}

/** The issues, with the names of columns instead of fields. */
function issuesOf(issues: readonly Issue[]): readonly ColumnIssue[] {
  return issues.map(({ field, message }) => ({ column: columnOf(field), message }));
}
