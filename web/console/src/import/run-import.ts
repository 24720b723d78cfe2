import { request, randomId } from '../graph/request';
import { subscribe } from '../graph/subscribe';
import { texts } from '../texts';

/** What an import did with a row, or would do. */
export type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED';
export const OUTCOMES: readonly Outcome[] = ['CREATED', 'UPDATED', 'UNCHANGED', 'FAILED'];

/** The result of a row of CSV, or of a document. */
export interface Row {
  readonly line: number;
  readonly outcome: Outcome;
  readonly kind: string | null;
  readonly ref: string | null;
  readonly errors: readonly { readonly field: string | null; readonly message: string }[];
}

/** The result of an import. */
export interface ImportResult {
  readonly imported: boolean;
  readonly request: string | null;
  readonly total: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** The first rows with each outcome, in the order of the file. */
  readonly rows: readonly Row[];
}

/** What to import: numbers as CSV, or documents as YAML or JSON. */
export type Source =
  | { readonly format: 'csv'; readonly text: string; readonly kind: string }
  | { readonly format: 'documents'; readonly text: string };

/** How many rows were processed. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

type Counted = Omit<ImportResult, 'counts' | 'rows'> &
  Readonly<Record<Outcome, number> & Record<`rows${Outcome}`, readonly Row[]>>;

const ROW = '{ line outcome kind ref errors { field message } }';
const FIELDS = `imported request total: count ${OUTCOMES.map(
  (outcome) => `${outcome}: count(outcome: ${outcome}) rows${outcome}: rows(outcomes: [${outcome}]) ${ROW}`,
).join(' ')}`;
const NUMBERS = `mutation Numbers($text: String!, $kind: NumberKind!, $dryRun: Boolean!, $id: ID) {
  result: importNumbers(csv: $text, kind: $kind, dryRun: $dryRun, progressId: $id) { ${FIELDS} }
}`;
const DOCUMENTS = `mutation Documents($text: String!, $dryRun: Boolean!, $id: ID) {
  result: importDocuments(text: $text, dryRun: $dryRun, progressId: $id) { ${FIELDS} }
}`;
const PROGRESS = 'subscription Progress($id: ID!) { importProgress(progressId: $id) { phase done total } }';
/** Milliseconds after which an import starts, although its progress cannot be followed. */
const PATIENCE = 2000;

/** Imports, or reports what an import would do. Calls `onProgress` meanwhile. Throws a GraphError. */
export async function runImport(
  source: Source,
  dryRun: boolean,
  onProgress: (progress: Progress) => void,
): Promise<ImportResult> {
  const id = randomId();
  let stop = (): void => undefined;
  // The first event tells that the server reports the progress.
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    stop = subscribe<{ importProgress: Progress }>(PROGRESS, { id }, ({ importProgress }) => {
      clearTimeout(timer);
      resolve();
      if (importProgress.total > 0) onProgress(importProgress);
    });
  });
  try {
    const { format, ...variables } = source;
    const { result } = await request<{ result: Counted }>(format === 'csv' ? NUMBERS : DOCUMENTS, {
      ...variables,
      dryRun,
      id,
    });
    const { imported, request: made, total } = result;
    const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, result[outcome]])) as ImportResult['counts'];
    const rows = OUTCOMES.flatMap((outcome) => result[`rows${outcome}`]).toSorted(
      (one, other) => one.line - other.line,
    );
    return { imported, request: made, total, counts, rows };
  } finally {
    stop();
  }
}

/** The text of a file. Throws if it has another encoding than UTF-8: its letters would be imported as others. */
export function textIn(bytes: ArrayBuffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new Error(texts.imports.unreadable);
}

const FIRST_COLUMN = /^\uFEFF?\s*"?(telUrl|aorLink|gwRef|city|country|countryISOCode)"?\s*(,|$)/im;

/** Whether a file is CSV, by its name or else by its header row. */
export function isCsv(name: string, text: string): boolean {
  if (/\.csv$/i.test(name)) return true;
  return !/\.(ya?ml|json)$/i.test(name) && FIRST_COLUMN.test(text.slice(0, text.indexOf('\n') + 1 || undefined));
}
