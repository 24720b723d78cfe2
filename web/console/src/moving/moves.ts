import { lineOfCells } from '../../../../src/spelling/csv';
import { CALLS, type Calls } from '../effects/calls';
import { GraphError } from '../graph/graph-error';
import { request } from '../graph/request';
import { readPatiently } from '../graph/retries';
import { parseCsv } from '../import/csv';
import { NO_WAIT, type Wait, WAIT_DECLARED, WAIT_PASSED, type Waiting, WAITING, waitVariables } from '../pending/wait';
import { isTooLarge, type Task, TASK } from '../tasks/tasks';
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
const MOVED = `moved request kinds { kind created updated unchanged failed } missing { what count first } checks { what count first }
    failures ${FAILURE} failed skipped ${FAILURE} skippedCount`;
const MOVE = `mutation Move(${DECLARED}, $dryRun: Boolean!, ${WAIT_DECLARED}) {
  result: importFrom(${PASSED}, dryRun: $dryRun, ${WAIT_PASSED}) {
    ${MOVED} ${WAITING}
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

function given({ gateway, ...others }: Omit<Move, 'source'>): Readonly<Record<string, unknown>> {
  return { ...others, gateway: gateway.trim() === '' ? null : gateway.trim() };
}

const UPLOAD = `mutation UploadDump($task: ID, $number: Int!, $part: String!) {
  task: uploadDump(task: $task, number: $number, part: $part) { ${TASK} }
}`;
const START = `mutation StartMove($task: ID!, $system: MovingSystem!, $gateway: String, $newSecrets: Boolean!, $skipInvalid: Boolean!, $dryRun: Boolean!) {
  task: startMove(task: $task, system: $system, gateway: $gateway, newSecrets: $newSecrets, skipInvalid: $skipInvalid, dryRun: $dryRun) { ${TASK} }
}`;
const RESULT = `{ task { ref move { ${MOVED} } } }`;
// Characters of the first part, and of the smallest; multiples of four, so that each part can be decoded.
const PART = { first: 128 * 1024, smallest: 1024 };
/** Characters of a dump that is tried in one request. */
const MOST_AT_ONCE = 192 * 1024;

/** Whether a dump may be moved in one request. */
export function isSmall({ source }: Move): boolean {
  return source.length <= MOST_AT_ONCE;
}

/** Whether a dump was refused that may be moved in pieces: more is accepted there. */
export function mayBeLarge(error: unknown): boolean {
  return isTooLarge(error) || (error instanceof GraphError && error.fields.includes('source'));
}

/** Uploads a dump in parts, and returns its task. Calls `onProgress` with the share that was sent. Throws a GraphError. */
export async function uploadDump(
  { source }: Move,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Task> {
  let size = PART.first;
  let task: Task | undefined;
  for (let [at, number] = [0, 0]; at < source.length;) {
    const variables = { task: task?.ref ?? null, number, part: source.slice(at, at + size) };
    const send = async (): Promise<Task> => (await request<{ task: Task }>(UPLOAD, variables, { signal })).task;
    try {
      task = await readPatiently(send, signal);
      at += size;
      number++;
      onProgress(Math.min(1, at / source.length));
    } catch (error) {
      // The server accepts less in a request.
      if (!isTooLarge(error) || size === PART.smallest) throw error;
      size /= 2;
    }
  }
  if (!task) throw new Error(words.empty);
  return task;
}

/** Starts to move in a dump that was uploaded, or to check that. Throws a GraphError. */
export async function startMove({ source: _, ...move }: Move, { ref }: Task, dryRun: boolean): Promise<Task> {
  return (await request<{ task: Task }>(START, { ...given(move), task: ref, dryRun })).task;
}

/** What a move did that has ended, or would do; undefined if it does not say. Throws a GraphError. */
export async function resultOf({ ref }: Task): Promise<Moved | undefined> {
  const { task } = await request<{ task: { ref: string; move: Omit<Moved, 'pending'> | null } | null }>(RESULT, {});
  return task?.ref === ref && task.move ? { ...task.move, pending: null } : undefined;
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
