import { lineOfCells } from '../../../../src/spelling/csv';
import { parseCsv } from '../data/csv';
import { CALLS, type Calls } from '../effects/calls';
import { request } from '../graph/request';
import { readPatiently } from '../graph/retries';
import { NO_WAIT, type Wait, WAIT_DECLARED, WAIT_PASSED, type Waiting, WAITING, waitVariables } from '../pending/wait';
import { words } from './texts';

/** The systems to move from. */
export type System = keyof typeof words.systems;

/** What is moved, and how. */
export interface Move {
  readonly system: System;
  /** The dump, compressed. */
  readonly source: string;
  readonly gateway: string;
  readonly newSecrets: boolean;
  readonly skipInvalid: boolean;
}

/** Records with something in common. */
export interface Counted {
  readonly what: string;
  readonly count: number;
  readonly first: string;
}

/** A record that cannot be imported. */
export interface Failure {
  readonly place: string;
  readonly kind: string;
  readonly message: string;
}

/** What a move did, or would do. */
export interface Moved {
  readonly moved: boolean;
  readonly request: string | null;
  readonly kinds: readonly (Readonly<Record<'created' | 'updated' | 'unchanged' | 'failed', number>> & {
    readonly kind: string;
  })[];
  readonly missing: readonly Counted[];
  readonly checks: readonly Counted[];
  readonly failures: readonly Failure[];
  readonly failed: number;
  readonly skipped: readonly Failure[];
  readonly skippedCount: number;
  readonly pending: Waiting;
}

const DECLARED =
  '$system: MovingSystem!, $source: String!, $gateway: String, $newSecrets: Boolean!, $skipInvalid: Boolean!';
const PASSED =
  'system: $system, source: $source, gateway: $gateway, newSecrets: $newSecrets, skipInvalid: $skipInvalid';
const FAILURE = '{ place kind message }';
const MOVE = `mutation Move(${DECLARED}, $dryRun: Boolean!, ${WAIT_DECLARED}) {
  result: importFrom(${PASSED}, dryRun: $dryRun, ${WAIT_PASSED}) {
    moved request kinds { kind created updated unchanged failed } missing { what count first } checks { what count first }
    failures ${FAILURE} failed skipped ${FAILURE} skippedCount ${WAITING}
  }
}`;
const CALLS_OF_MOVE = `mutation CallsOfMove(${DECLARED}) { result: importFrom(${PASSED}, dryRun: true) { ${CALLS} } }`;

/** Moves, or reports what a move would do. Throws a GraphError. */
export async function runMove(move: Move, dryRun: boolean, wait: Wait = NO_WAIT): Promise<Moved> {
  const variables = { ...given(move), dryRun, ...waitVariables(wait) };
  return (await request<{ result: Moved }>(MOVE, variables)).result;
}

/** Returns the calls that would go differently after a move whose dry run has succeeded. Throws a GraphError. */
export async function callsOfMove(move: Move, signal: AbortSignal): Promise<Calls | null> {
  return (await request<{ result: { calls: Calls | null } }>(CALLS_OF_MOVE, given(move), { signal })).result.calls;
}

function given({ gateway, ...others }: Move): Readonly<Record<string, unknown>> {
  return { ...others, gateway: gateway.trim() === '' ? null : gateway.trim() };
}

/** Compresses a file with gzip, in base64: a dump becomes a small part of itself. */
export async function packed(file: Blob): Promise<string> {
  const stream = file.stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}

const STEP = 8192;

/** Equal calls that go in another way. */
export interface Difference {
  readonly count: number;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly source: string | null;
  readonly was: string;
  readonly now: string;
}

const TOTALS = ['calls', 'same', 'later', 'differ', 'unknown', 'ignored', 'invalid'] as const;

/** How recorded calls would go now. */
export type Replayed = Readonly<Record<(typeof TOTALS)[number], number>> & {
  readonly invalidRecord: string | null;
  readonly differences: readonly Difference[];
};

const REPLAY = `query Replay($csv: String!) {
  result: replayCalls(csv: $csv) { ${TOTALS.join(' ')} invalidRecord differences { count line from to source was now } }
}`;
// The largest part: rows, and characters of the 256 KiB that a server accepts by default.
const MAX_ROWS = 500;
const MAX_CHARACTERS = 64 * 1024;

/** Compares the calls in a CSV text, a part at a time. Calls `onProgress` meanwhile. Throws a GraphError. */
export async function replayCalls(
  text: string,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Replayed> {
  const [header, ...rows] = parseCsv(text);
  if (!header || rows.length === 0) throw new Error(words.noRecords);
  // Each row of a part is one line.
  const lineOf = (cells: readonly string[]): string => lineOfCells(cells.map((cell) => cell.replace(/[\r\n]+/g, ' ')));
  const heading = lineOf(header.cells);
  const found = new Map<string, Difference>();
  const sums = Object.fromEntries(TOTALS.map((name) => [name, 0])) as Record<(typeof TOTALS)[number], number>;
  let invalidRecord: string | null = null;
  for (let start = 0; start < rows.length && !signal.aborted;) {
    let [csv, end] = [heading, start];
    for (; end < rows.length && end - start < MAX_ROWS; end++) {
      const line = lineOf(rows[end]?.cells ?? []);
      if (end > start && csv.length + line.length > MAX_CHARACTERS) break;
      csv += line;
    }
    const first = start;
    const inFile = (line: number): number => rows[first + line - 2]?.line ?? line;
    const read = async (): Promise<Replayed> =>
      (await request<{ result: Replayed }>(REPLAY, { csv }, { signal })).result;
    const part = await readPatiently(read, signal);
    for (const name of TOTALS) sums[name] += part[name];
    invalidRecord ??=
      part.invalidRecord?.replace(/^line (\d+)/, (_, line: string) => `line ${inFile(Number(line))}`) ?? null;
    for (const each of part.differences) {
      const key = JSON.stringify([each.from, each.to, each.source, each.was]);
      const known = found.get(key);
      found.set(key, known ? { ...known, count: known.count + each.count } : { ...each, line: inFile(each.line) });
    }
    start = end;
    onProgress(end, rows.length);
  }
  const differences = [...found.values()].toSorted((one, other) => other.count - one.count);
  return { ...sums, invalidRecord, differences };
}
