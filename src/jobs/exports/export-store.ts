import { gunzip as unzip, gzip as zip } from 'node:zlib';
import { promisify } from 'node:util';

import { hasToken } from '../../auth/api-token-store';
import { toRole } from '../../auth/role';
import { hasEnded } from '../../changes/lease';
import { jsonOrNull, shapeOf } from '../../database/row-shape';
import { numberOrNull, places, textOrNull, type Sql, type Transaction } from '../../database/sql';
import type { Exported, ExportFormat, ExportJob, ExportState } from './export-job';

const [gzip, gunzip] = [promisify(zip), promisify(unzip)];

const JOB = shapeOf<ExportJob>({
  rowId: ['id', Number],
  ref: ['ref', String],
  userRef: ['user_ref', String],
  role: ['role', toRole],
  source: ['source', String],
  format: ['format', (value) => String(value) as ExportFormat], // as insertJob stored it, like the state
  asked: ['asked', String],
  state: ['state', (value) => String(value) as ExportState],
  rows: ['written', Number],
  total: ['expected', numberOrNull],
  size: ['size', Number],
  last: ['seek_key', (value) => jsonOrNull(value) as ExportJob['last']],
  problem: ['problem', textOrNull],
  createdOn: ['created_on', Number],
  finishedOn: ['finished_on', numberOrNull],
  apiTokenRef: ['api_token_ref', textOrNull],
});

/** A leaked API token leaves no file behind. */
const HAS_TOKEN = hasToken('export_jobs');

/** Bytes of a chunk at most: as base64 of what cannot be compressed, it is below the packet size of the servers. */
const MOST_CHUNK = 4 * 1024 * 1024;

/** A part of a file: the first byte, and the bytes as they are stored. */
interface Chunk {
  readonly start: number;
  readonly size: number;
  readonly content: string;
}

/** The bytes that chunks take in the database. */
export function storedSize(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { content }) => sum + content.length, 0);
}

/** Inserts a job that has written nothing, with the API token that started it. */
export async function insertJob(
  transaction: Transaction,
  { ref, userRef, role, source, format, asked }: Exported & Pick<ExportJob, 'ref' | 'userRef'>,
  apiTokenRef: string | null,
): Promise<void> {
  const now = Date.now();
  await transaction.run(
    `INSERT INTO export_jobs (ref, user_ref, role, source, format, asked, api_token_ref, state, is_open, written, size, kept_bytes,
       created_on, touched_on, holder, until_on) VALUES (${places(7)}, 'RUNNING', 1, 0, 0, 0, ?, ?, '', 0)`,
    [ref, userRef, role, source, format, asked, apiTokenRef, now, now],
  );
}

/** The jobs of a user, newest first, without those of API tokens that have ended. */
export async function jobsOf(sql: Sql, userRef: string): Promise<readonly ExportJob[]> {
  const rows = await sql.rows(
    `SELECT ${JOB.columns} FROM export_jobs WHERE user_ref = ? AND ${HAS_TOKEN} ORDER BY id DESC`,
    [userRef, Date.now()],
  );
  return rows.map(JOB.read);
}

/** The job with this ref. Undefined if there is none, or its API token has ended. */
export async function jobByRef(sql: Sql, ref: string): Promise<ExportJob | undefined> {
  const [row] = await sql.rows(`SELECT ${JOB.columns} FROM export_jobs WHERE ref = ? AND ${HAS_TOKEN}`, [
    ref,
    Date.now(),
  ]);
  return row && JOB.read(row);
}

/** The number of jobs that were not cancelled or still have chunks, and the bytes that all files take in the database. */
export async function jobTotals(sql: Sql): Promise<{ readonly jobs: number; readonly stored: number }> {
  const [row] = await sql.rows(
    "SELECT COUNT(*), SUM(kept_bytes) FROM export_jobs WHERE state <> 'CANCELLED' OR kept_bytes > 0",
    [],
  );
  return { jobs: Number(row?.[0]), stored: Number(row?.[1] ?? 0) };
}

/** Who takes a job, and for how many seconds of the database's clock. */
interface Taking {
  readonly holder: string;
  readonly clock: string;
  readonly seconds: number;
}

/** The open job that has waited longest, of this holder or without one. */
export async function nextJob(sql: Sql, { holder, clock, seconds }: Taking): Promise<ExportJob | undefined> {
  const [row] = await sql.rows(
    `SELECT ${JOB.columns} FROM export_jobs WHERE is_open = 1 AND (holder = ? OR ${hasEnded(clock, seconds)}) AND ${HAS_TOKEN}
     ORDER BY touched_on LIMIT 1`,
    [holder, Date.now()],
  );
  return row && JOB.read(row);
}

/** Takes a job. Returns false if another process has it, or it has ended. */
export async function takeJob(
  transaction: Transaction,
  { rowId }: ExportJob,
  { holder, clock, seconds }: Taking,
): Promise<boolean> {
  const { rows } = await transaction.run(
    `UPDATE export_jobs SET holder = ?, until_on = ${clock} + ?, touched_on = ?
     WHERE id = ? AND is_open = 1 AND (holder = ? OR ${hasEnded(clock, seconds)})`,
    [holder, seconds, Date.now(), rowId, holder],
  );
  return rows > 0;
}

/** Gives the jobs of a holder to other processes. */
export async function leaveJobs(transaction: Transaction, holder: string): Promise<void> {
  await transaction.run('UPDATE export_jobs SET until_on = 0 WHERE is_open = 1 AND holder = ?', [holder]);
}

/** What a job has done in a step. */
export interface Progress {
  readonly rows: number;
  readonly size: number;
  readonly last: ExportJob['last'];
  readonly total: number | null;
  readonly chunks: readonly Chunk[];
  readonly isDone: boolean;
}

/** Stores a step of a job. Returns false, and stores nothing, if the job was cancelled, or another process has it. */
export async function storeProgress(
  transaction: Transaction,
  job: ExportJob,
  holder: string,
  { rows, size, last, total, chunks, isDone }: Progress,
): Promise<boolean> {
  const now = Date.now();
  const changed = await transaction.run(
    `UPDATE export_jobs SET written = ?, size = ?, kept_bytes = kept_bytes + ?, seek_key = ?, expected = ?, touched_on = ?, state = ?,
       is_open = ?, finished_on = ? WHERE id = ? AND is_open = 1 AND holder = ? AND size = ? AND written = ?`,
    [
      ...[rows, size, storedSize(chunks), last && JSON.stringify(last), total, now, isDone ? 'DONE' : 'RUNNING'],
      ...[isDone ? 0 : 1, isDone ? now : null, job.rowId, holder, job.size, job.rows],
    ],
  );
  if (changed.rows === 0) return false;
  for (const { start, size: bytes, content } of chunks)
    await transaction.run('INSERT INTO export_chunks (job_id, start, size, content) VALUES (?, ?, ?, ?)', [
      ...[job.rowId, start, bytes, content],
    ]);
  return true;
}

/** Ends a job because of a problem, unless it was cancelled, or another process has it. */
export async function failJob(
  transaction: Transaction,
  { rowId }: Pick<ExportJob, 'rowId'>,
  holder: string,
  problem: string,
): Promise<void> {
  const now = Date.now();
  await transaction.run(
    `UPDATE export_jobs SET state = 'FAILED', is_open = 0, problem = ?, finished_on = ?, touched_on = ?
     WHERE id = ? AND is_open = 1 AND holder = ?`,
    [problem.slice(0, 500), now, now, rowId, holder],
  );
}

/** The ids of jobs whose API tokens have ended, and that are not cancelled. */
export async function jobsWithoutToken(sql: Sql): Promise<readonly number[]> {
  const rows = await sql.rows(`SELECT id FROM export_jobs WHERE state <> 'CANCELLED' AND NOT ${HAS_TOKEN} LIMIT 100`, [
    Date.now(),
  ]);
  return rows.map(([id]) => Number(id));
}

/** Cancels jobs, also those that have ended, whose files are then deleted. */
export async function cancelJobs(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await transaction.run(
    `UPDATE export_jobs SET state = 'CANCELLED', is_open = 0 WHERE id IN (${places(ids.length)})`,
    ids,
  );
}

/** The ids of jobs that ended before a time, or were cancelled. */
export async function jobsToForget(sql: Sql, before: number): Promise<readonly number[]> {
  const rows = await sql.rows(
    "SELECT id FROM export_jobs WHERE is_open = 0 AND (touched_on < ? OR state = 'CANCELLED') LIMIT 100",
    [before],
  );
  return rows.map(([id]) => Number(id));
}

/** Deletes some chunks of a job. Returns whether there may be more. */
export async function deleteChunks(transaction: Transaction, jobId: number): Promise<boolean> {
  const rows = await transaction.rows('SELECT id FROM export_chunks WHERE job_id = ? ORDER BY start LIMIT 20', [jobId]);
  const ids = rows.map(([id]) => Number(id));
  if (ids.length === 0) return false;
  await transaction.run(`DELETE FROM export_chunks WHERE id IN (${places(ids.length)})`, ids);
  return true;
}

/** The ids of jobs that failed, and still have the beginning of a file, which is of no use. */
export async function jobsToEmpty(sql: Sql): Promise<readonly number[]> {
  const rows = await sql.rows(
    "SELECT id FROM export_jobs WHERE is_open = 0 AND state = 'FAILED' AND kept_bytes > 0 LIMIT 100",
    [],
  );
  return rows.map(([id]) => Number(id));
}

/** Notes that a job has no chunks any more. */
export async function emptyJob(transaction: Transaction, rowId: number): Promise<void> {
  await transaction.run('UPDATE export_jobs SET kept_bytes = 0 WHERE id = ? AND is_open = 0', [rowId]);
}

export async function deleteJob(transaction: Transaction, rowId: number): Promise<void> {
  await transaction.run('DELETE FROM export_jobs WHERE id = ? AND is_open = 0', [rowId]);
}

/** The chunks for bytes of a file, the first of which is `start`. */
export async function chunksOf(start: number, bytes: Buffer): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; at += MOST_CHUNK) {
    const part = bytes.subarray(at, at + MOST_CHUNK);
    chunks.push({ start: start + at, size: part.length, content: (await gzip(part)).toString('base64') });
  }
  return chunks;
}

/** The bytes of a file from a position to the end of their chunk. Undefined if the file has been deleted. */
export async function bytesAt(sql: Sql, jobId: number, position: number): Promise<Buffer | undefined> {
  const [row] = await sql.rows(
    'SELECT start, size, content FROM export_chunks WHERE job_id = ? AND start <= ? ORDER BY start DESC LIMIT 1',
    [jobId, position],
  );
  if (!row) return undefined;
  const from = position - Number(row[0]);
  if (from >= Number(row[1])) return undefined;
  return (await gunzip(Buffer.from(String(row[2]), 'base64'))).subarray(from);
}
