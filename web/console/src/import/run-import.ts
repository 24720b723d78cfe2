import { lineOfCells } from '../../../../src/spelling/csv';
import { GraphError } from '../graph/graph-error';
import { withNames } from '../graph/names';
import { request, randomId } from '../graph/request';
import { readPatiently } from '../graph/retries';
import { subscribe } from '../graph/subscribe';
import { type Calls, CALLS, joinedCalls } from '../effects/calls';
import {
  isWaiting,
  NO_WAIT,
  type Wait,
  WAIT_DECLARED,
  WAIT_PASSED,
  type Waiting,
  WAITING,
  waitVariables,
} from '../pending/wait';
import { repeatedRows } from './repeated-rows';
import type { Sheet } from './sheet';
import { importTexts } from './texts';

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
  /** Whether all parts were imported. */
  readonly imported: boolean;
  /** The requests of the history that changed something: one, or several for a very large file. */
  readonly requests: readonly string[];
  /** The number of parts. */
  readonly parts: number;
  readonly total: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** The first rows with each outcome, in the order of the file. */
  readonly rows: readonly Row[];
  /** Why numbers will not ring, of a dry run: first what concerns the most. */
  readonly warnings: readonly Warning[];
  /** How the import waits. */
  readonly pending: Waiting;
}

/** Numbers that will not ring for the same reason; `line` is that of the first one. */
export interface Warning {
  readonly count: number;
  readonly line: number;
  readonly summary: string;
}

/** What to import: rows of a kind, or documents as YAML or JSON. */
export type Source =
  | { readonly format: 'csv'; readonly kind: string; readonly sheet: Sheet }
  | { readonly format: 'documents'; readonly text: string };

/** How many rows were processed. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The rows of a request, and the line in the file of each line in the request. */
interface Part {
  readonly csv: string;
  readonly rows: number;
  readonly lines: ReadonlyMap<number, number>;
}

type Returned = Omit<ImportResult, 'counts' | 'rows' | 'requests' | 'parts'> & { readonly request: string | null };
type Counted = Returned & Readonly<Record<Outcome, number> & Record<`rows${Outcome}`, readonly Row[]>>;

const ROW = '{ line outcome kind ref errors { field message } }';
const FIELDS = `imported request ${WAITING} warnings { count line summary } total: count ${OUTCOMES.map(
  (outcome) => `${outcome}: count(outcome: ${outcome}) rows${outcome}: rows(outcomes: [${outcome}]) ${ROW}`,
).join(' ')}`;
const CSV = `mutation Csv($csv: String!, $kind: ResourceKind!, $dryRun: Boolean!, $id: ID, $partOf: ID, ${WAIT_DECLARED}) {
  result: importCsv(csv: $csv, kind: $kind, dryRun: $dryRun, progressId: $id, partOf: $partOf, ${WAIT_PASSED}) { ${FIELDS} }
}`;
const DOCUMENTS = `mutation Documents($text: String!, $dryRun: Boolean!, $id: ID, ${WAIT_DECLARED}) {
  result: importDocuments(text: $text, dryRun: $dryRun, progressId: $id, ${WAIT_PASSED}) { ${FIELDS} }
}`;
const CALLS_OF_CSV = `mutation CallsOfCsv($csv: String!, $kind: ResourceKind!) {
  result: importCsv(csv: $csv, kind: $kind, dryRun: true) { ${CALLS} }
}`;
const CALLS_OF_DOCUMENTS = `mutation CallsOfDocuments($text: String!) {
  result: importDocuments(text: $text, dryRun: true) { ${CALLS} }
}`;
const PROGRESS = 'subscription Progress($id: ID!) { importProgress(progressId: $id) { phase done total } }';
/** Milliseconds after which an import starts, although its progress cannot be followed. */
const PATIENCE = 2000;
/** The largest part: bytes, of the 256 KiB that a server accepts by default, and rows. */
const MAX_BYTES = 192 * 1024;
const MAX_ROWS = 5000;
/** The most entries of a request of the history that can be reverted at once (docs/history.md). */
export const MAX_ENTRIES = 25_000;
/** The bytes of the largest part that the server is known to accept. */
let largest = MAX_BYTES;
/** What the server says of a row that repeats the resource of an earlier one. */
const DUPLICATES = /^duplicates line (\d+)$/;
/** Megabytes of the largest file. It is read at once, and 500,000 rows take the page some seconds. */
const MAX_FILE = 16;

/**
 * Imports, or reports what an import would do; a large sheet in parts, the next only if none of its rows failed or in a
 * dry run. Calls `onProgress` meanwhile. Throws a GraphError.
 */
export async function runImport(
  source: Source,
  dryRun: boolean,
  onProgress: (progress: Progress) => void,
  wait: Wait = NO_WAIT,
): Promise<ImportResult> {
  if (source.format === 'documents')
    return joined([await followed(DOCUMENTS, { text: source.text, dryRun, ...waitVariables(wait) }, onProgress)]);
  const { kind, sheet } = source;
  if (sheet.fields.every((path) => path === '')) throw new Error(importTexts.nothing);
  for (; ; largest /= 2) {
    const all = partsOf(sheet, largest);
    // The server finds those of one part. It is not asked about these, because it would say what they do after an import.
    const repeated = dryRun && all.length > 1 ? repeatedRows(kind, sheet) : new Map<number, Row>();
    const parts = repeated.size === 0 ? all : partsOf(without(sheet, repeated), largest);
    try {
      return withFailed(await runParts(kind, parts, dryRun, onProgress, wait), [...repeated.values()]);
    } catch (error) {
      // The server accepts less in a request, as the dry run finds out.
      const isTooLarge = error instanceof GraphError && error.fields.includes('body');
      if (!isTooLarge || parts.every(({ rows }) => rows === 1)) throw error;
    }
  }
}

/** Returns the calls that would go differently after an import whose dry run has succeeded. Throws a GraphError. */
export async function callsOfImport(source: Source, signal: AbortSignal): Promise<Calls | null> {
  const read = async (document: string, variables: Readonly<Record<string, unknown>>): Promise<Calls | null> =>
    (await request<{ result: { calls: Calls | null } }>(document, variables, { signal })).result.calls;
  if (source.format === 'documents') return read(CALLS_OF_DOCUMENTS, { text: source.text });
  const found: Calls[] = [];
  for (const { csv } of partsOf(source.sheet, largest)) {
    const calls = await read(CALLS_OF_CSV, { csv, kind: source.kind });
    if (calls) found.push(calls);
  }
  return joinedCalls(found);
}

async function runParts(
  kind: string,
  parts: readonly Part[],
  dryRun: boolean,
  onProgress: (progress: Progress) => void,
  wait: Wait,
): Promise<ImportResult> {
  const total = parts.reduce((sum, { rows }) => sum + rows, 0);
  if (isWaiting(wait) && !mayWait(parts.length, total)) throw new Error(importTexts.noWaiting(MAX_ENTRIES));
  // Parts come back as one, but each is made when it is sent.
  if (parts.length > 1 && wait.at !== null) throw new Error(importTexts.noLater(parts.length));
  const results: ImportResult[] = [];
  let done = 0;
  // The request in the history, which the parts share, and its rows.
  let shared: { readonly request: string; readonly rows: number } | undefined;
  for (const { csv, rows, lines } of parts) {
    const hasRoom = shared !== undefined && shared.rows + rows <= MAX_ENTRIES;
    const how = hasRoom ? { partOf: shared?.request } : waitVariables(wait);
    const variables = { csv, kind, dryRun, ...how };
    // A part that was imported although its response was lost is unchanged when it is sent again.
    const result =
      parts.length === 1
        ? await followed(CSV, variables, onProgress)
        : await readPatiently(async () => send(CSV, variables), new AbortController().signal);
    const lineInFile = (line: number): number => lines.get(line) ?? line;
    const inFile = <Placed extends { readonly line: number }>(placed: Placed): Placed => ({
      ...placed,
      line: lineInFile(placed.line),
    });
    const found = result.rows.map((row) => ({
      ...inFile(row),
      errors: row.errors.map((error) => ({
        ...error,
        message: error.message.replace(DUPLICATES, (_, line: string) => importTexts.repeats(lineInFile(Number(line)))),
      })),
    }));
    results.push({ ...result, rows: found, warnings: result.warnings.map(inFile) });
    const [made] = result.requests;
    if (made !== undefined) shared = { request: made, rows: rows + (hasRoom ? (shared?.rows ?? 0) : 0) };
    done += rows;
    onProgress({ done, total });
    if (!dryRun && !result.imported) break;
  }
  return { ...joined(results), imported: results.length === parts.length && results.every((each) => each.imported) };
}

/** Whether parts can wait for a confirmation together: if they are one request of the history. */
export function mayWait(parts: number, rows: number): boolean {
  return parts === 1 || rows <= MAX_ENTRIES;
}

function without({ rows, ...others }: Sheet, left: ReadonlyMap<number, unknown>): Sheet {
  return { ...others, rows: rows.filter(({ line }) => !left.has(line)) };
}

/** A result with further rows that failed. */
function withFailed(result: ImportResult, failed: readonly Row[]): ImportResult {
  if (failed.length === 0) return result;
  const { total, counts, rows } = result;
  return {
    ...result,
    total: total + failed.length,
    counts: { ...counts, FAILED: counts.FAILED + failed.length },
    rows: [...rows, ...failed].toSorted((one, other) => one.line - other.line),
  };
}

/** Splits the rows of a sheet into CSV texts of a limited size. */
function partsOf({ fields, rows }: Sheet, most: number): readonly Part[] {
  const columns = fields.flatMap((path, index) => (path === '' ? [] : [{ path, index }]));
  const header = lineOfCells(columns.map(({ path }) => path));
  const parts: { texts: string[]; lines: Map<number, number>; next: number; bytes: number }[] = [];
  const bytesOf = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length;
  for (const { line, cells } of rows) {
    const own = columns.map(({ index }) => cells[index] ?? '');
    if (own.every((cell) => cell === '')) continue;
    const text = lineOfCells(own);
    const bytes = bytesOf(text);
    let part = parts.at(-1);
    if (!part || part.bytes + bytes > most || part.texts.length > MAX_ROWS) {
      part = { texts: [header], lines: new Map(), next: 2, bytes: bytesOf(header) };
      parts.push(part);
    }
    part.texts.push(text);
    part.bytes += bytes;
    // The server reports the line on which a row begins.
    part.lines.set(part.next, line);
    part.next += text.split(/\r\n?|\n/).length - 1;
  }
  return parts.map(({ texts, lines }) => ({ csv: texts.join(''), rows: texts.length - 1, lines }));
}

/** Sends a request, and calls `onProgress` while the server processes it. */
async function followed(
  document: string,
  variables: object,
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
    return await send(document, { ...variables, id });
  } finally {
    stop();
  }
}

async function send(document: string, variables: object): Promise<ImportResult> {
  const { result } = await request<{ result: Counted }>(document, { ...variables });
  const { imported, request: made, total, warnings, pending } = result;
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, result[outcome]])) as ImportResult['counts'];
  const found = OUTCOMES.flatMap((outcome) => result[`rows${outcome}`]);
  const rows = (await namedRows(found)).toSorted((one, other) => one.line - other.line);
  return { imported, requests: made === null ? [] : [made], parts: 1, total, counts, rows, warnings, pending };
}

/** The rows with names instead of references in their errors. */
async function namedRows(rows: readonly Row[]): Promise<readonly Row[]> {
  // Many rows can have the same error: its names are read once.
  const messages = [...new Set(rows.flatMap(({ errors }) => errors.map(({ message }) => message)))];
  const named = (await withNames(messages.join('\0'))).split('\0');
  const known = new Map(messages.map((message, index) => [message, named[index] ?? message]));
  return rows.map((row) => ({
    ...row,
    errors: row.errors.map((error) => ({ ...error, message: known.get(error.message) ?? error.message })),
  }));
}

/** The result of all parts. */
function joined(results: readonly ImportResult[]): ImportResult {
  const sum = (of: (result: ImportResult) => number): number => results.reduce((all, each) => all + of(each), 0);
  return {
    imported: results.every(({ imported }) => imported),
    requests: [...new Set(results.flatMap(({ requests }) => requests))],
    parts: results.length,
    total: sum(({ total }) => total),
    counts: Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, sum(({ counts }) => counts[outcome])]),
    ) as ImportResult['counts'],
    rows: results.flatMap(({ rows }) => rows),
    warnings: joinedWarnings(results.flatMap(({ warnings }) => warnings)),
    // Parts that change something wait together.
    pending: results.findLast(({ pending }) => pending !== null)?.pending ?? null,
  };
}

function joinedWarnings(all: readonly Warning[]): readonly Warning[] {
  const found = new Map<string, Warning>();
  for (const { count, line, summary } of all) {
    const known = found.get(summary);
    found.set(summary, known ? { ...known, count: known.count + count } : { count, line, summary });
  }
  return [...found.values()].toSorted((one, other) => other.count - one.count);
}

/** The text of a file. Throws if it is too large, or has another encoding than UTF-8, or UTF-16 with a byte order mark. */
export async function textIn(file: Blob): Promise<string> {
  if (file.size > MAX_FILE * 1_000_000) throw new Error(importTexts.tooBig(MAX_FILE));
  const bytes = await file.arrayBuffer();
  const [first = 0, second = 0] = new Uint8Array(bytes.slice(0, 2));
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Reported below.
  }
  throw new Error(importTexts.unreadable);
}

/** Whether a text is CSV, by the name of its file or else by its start. */
export function isCsv(name: string, text: string): boolean {
  if (/\.[ct]sv$/i.test(name)) return true;
  return !/\.(ya?ml|json)$/i.test(name) && !/^\s*([{[#]|-{3}|- |\w+:(\s|$))/.test(text);
}
