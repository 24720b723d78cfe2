import { hasToken } from '../../auth/api-token-store';
import type { Actor } from '../../changes/actor';
import { hasEnded } from '../../changes/lease';
import { jsonOrNull, shapeOf } from '../../database/row-shape';
import { numberOrNull, places, textOrNull, type Sql, type Transaction } from '../../database/sql';
import type { MoveGiven, RevertGiven, Task, TaskResult, TaskState, TaskType } from './task';

const TASK = shapeOf<Task>({
  rowId: ['id', Number],
  ref: ['ref', String],
  userRef: ['user_ref', String],
  type: ['type', (value) => String(value) as TaskType], // as inserted, like the state
  state: ['state', (value) => String(value) as TaskState],
  isOpen: ['is_open', (value) => Number(value) === 1],
  done: ['done', Number],
  total: ['total', numberOrNull],
  written: ['written', Number],
  requestId: ['request_id', textOrNull],
  problem: ['problem', textOrNull],
  result: ['result', (value) => jsonOrNull(value) as TaskResult | null], // as `endTask` stored it
  stored: ['stored_size', Number],
  createdOn: ['created_on', Number],
  finishedOn: ['finished_on', numberOrNull],
});

/** Who runs tasks, on the database's clock. */
export interface Holding {
  readonly holder: string;
  readonly clock: string;
  readonly seconds: number;
}

/** The task of a user; undefined if there is none. */
export async function taskOf(sql: Sql, userRef: string): Promise<Task | undefined> {
  const [row] = await sql.rows(`SELECT ${TASK.columns} FROM tasks WHERE user_ref = ?`, [userRef]);
  return row && TASK.read(row);
}

/** How many users have uploaded something that is kept. */
export async function countUploads(sql: Sql): Promise<number> {
  const [row] = await sql.rows('SELECT COUNT(*) FROM tasks WHERE stored_size > 0', []);
  return Number(row?.[0]);
}

/** Inserts a task that has done nothing. */
export async function insertTask(
  transaction: Transaction,
  { ref, userRef, type, state }: Pick<Task, 'ref' | 'userRef' | 'type' | 'state'>,
): Promise<void> {
  const now = Date.now();
  await transaction.run(
    `INSERT INTO tasks (ref, user_ref, type, state, is_open, actor, done, written, stored_size, created_on, touched_on, holder, until_on)
     VALUES (${places(4)}, 0, '{}', 0, 0, 0, ?, ?, '', 0)`,
    [ref, userRef, type, state, now, now],
  );
}

/** Stores a part of an upload, in the place of an earlier one with the same number, whose length `replaced` is. */
export async function putPart(
  transaction: Transaction,
  { rowId }: Pick<Task, 'rowId'>,
  { number, content, replaced }: { readonly number: number; readonly content: string; readonly replaced: number },
): Promise<void> {
  await transaction.run('DELETE FROM task_parts WHERE task_id = ? AND number = ?', [rowId, number]);
  await transaction.run('INSERT INTO task_parts (task_id, number, content) VALUES (?, ?, ?)', [rowId, number, content]);
  await transaction.run('UPDATE tasks SET stored_size = stored_size + ?, touched_on = ? WHERE id = ?', [
    ...[content.length - replaced, Date.now(), rowId],
  ]);
}

/** The length of a part; 0 if there is none with this number. */
export async function partLength(sql: Sql, { rowId }: Pick<Task, 'rowId'>, number: number): Promise<number> {
  const [row] = await sql.rows('SELECT LENGTH(content) FROM task_parts WHERE task_id = ? AND number = ?', [
    ...[rowId, number],
  ]);
  return Number(row?.[0] ?? 0);
}

/** What was uploaded, in the order of the parts. */
export async function partsOf(sql: Sql, { rowId }: Pick<Task, 'rowId'>): Promise<readonly Buffer[]> {
  const rows = await sql.rows('SELECT content FROM task_parts WHERE task_id = ? ORDER BY number', [rowId]);
  return rows.map(([content]) => Buffer.from(String(content), 'base64'));
}

/** What a task is to do, for whom, and under which id in the history. */
export interface TaskStart {
  readonly state: TaskState;
  readonly given: MoveGiven | RevertGiven;
  readonly actor: Omit<Actor, 'owe'>;
  readonly requestId: string;
}

/** Lets processes take a task. What it has written before stays counted: the history has it under the same id. */
export async function openTask(
  transaction: Transaction,
  { rowId }: Pick<Task, 'rowId'>,
  { state, given, actor, requestId }: TaskStart,
): Promise<void> {
  await transaction.run(
    `UPDATE tasks SET state = ?, is_open = 1, given = ?, actor = ?, api_token_ref = ?, request_id = ?, done = 0, total = NULL,
       problem = NULL, result = NULL, finished_on = NULL, holder = '', until_on = 0, touched_on = ? WHERE id = ?`,
    [state, JSON.stringify(given), JSON.stringify(actor), actor.apiToken ?? null, requestId, Date.now(), rowId],
  );
}

/** A task that a process may run. */
export interface OpenTask extends Task {
  readonly actor: Actor;
  /** As JSON. */
  readonly given: string;
  readonly requestId: string;
}

/** The task that has waited longest for a process. */
export async function nextTask(sql: Sql): Promise<OpenTask | undefined> {
  const [row] = await sql.rows(
    `SELECT ${TASK.columns}, actor, given FROM tasks WHERE is_open = 1 AND holder = '' ORDER BY touched_on LIMIT 1`,
    [],
  );
  if (!row) return undefined;
  const [actor, given] = row.slice(-2);
  const task = TASK.read(row);
  // As `openTask` stored them.
  return {
    ...task,
    actor: JSON.parse(String(actor)) as Actor,
    given: String(given),
    requestId: String(task.requestId),
  };
}

/** Takes a task. Returns false if another process has taken it, or it was cancelled. */
export async function takeTask(
  transaction: Transaction,
  { rowId }: Pick<Task, 'rowId'>,
  { holder, clock, seconds }: Holding,
): Promise<boolean> {
  const { rows } = await transaction.run(
    `UPDATE tasks SET holder = ?, until_on = ${clock} + ? WHERE id = ? AND is_open = 1 AND holder = ''`,
    [holder, seconds, rowId],
  );
  return rows > 0;
}

/** How far a task is. */
export interface TaskStep {
  readonly state: TaskState;
  readonly done: number;
  readonly total: number | null;
  readonly written: number;
}

/**
 * Stores how far a task is, and keeps it for some seconds. Returns false if it was cancelled, if another process has ended it, or if
 * its API token has ended.
 */
export async function storeStep(
  transaction: Transaction,
  { rowId }: Pick<Task, 'rowId'>,
  { holder, clock, seconds }: Holding,
  { state, done, total, written }: TaskStep,
): Promise<boolean> {
  const { rows } = await transaction.run(
    `UPDATE tasks SET state = ?, done = ?, total = ?, written = ?, until_on = ${clock} + ?, touched_on = ?
     WHERE id = ? AND is_open = 1 AND holder = ? AND ${hasToken('tasks')}`,
    [state, done, total, written, seconds, Date.now(), rowId, holder, Date.now()],
  );
  return rows > 0;
}

/** How a task ended. */
export interface TaskEnd {
  readonly state: TaskState;
  readonly problem: string | null;
  readonly result: TaskResult | null;
}

/** Ends a task of a holder, unless it was cancelled. Returns whether it was still open. */
export async function endTask(
  transaction: Transaction,
  { rowId }: Pick<Task, 'rowId'>,
  holder: string,
  { state, problem, result }: TaskEnd,
): Promise<boolean> {
  const now = Date.now();
  const { rows } = await transaction.run(
    `UPDATE tasks SET state = ?, is_open = 0, problem = ?, result = ?, finished_on = ?, touched_on = ?
     WHERE id = ? AND is_open = 1 AND holder = ?`,
    [state, problem?.slice(0, 500) ?? null, result && JSON.stringify(result), now, now, rowId, holder],
  );
  return rows > 0;
}

/** Tasks of processes that have ended without a word. */
export async function abandonedTasks(
  sql: Sql,
  { clock, seconds }: Pick<Holding, 'clock' | 'seconds'>,
): Promise<readonly (Pick<Task, 'rowId'> & { readonly holder: string })[]> {
  const rows = await sql.rows(
    `SELECT id, holder FROM tasks WHERE is_open = 1 AND holder <> '' AND ${hasEnded(clock, seconds)} LIMIT 100`,
    [],
  );
  return rows.map(([id, holder]) => ({ rowId: Number(id), holder: String(holder) }));
}

/** Cancels a task. One that is done stays so. */
export async function cancelTask(transaction: Transaction, { rowId }: Pick<Task, 'rowId'>): Promise<void> {
  const now = Date.now();
  await transaction.run(
    "UPDATE tasks SET state = 'CANCELLED', is_open = 0, finished_on = ?, touched_on = ? WHERE id = ? AND state <> 'DONE'",
    [now, now, rowId],
  );
}

/** Deletes what was uploaded for a task. */
export async function deleteParts(transaction: Transaction, { rowId }: Pick<Task, 'rowId'>): Promise<void> {
  await transaction.run('DELETE FROM task_parts WHERE task_id = ?', [rowId]);
  await transaction.run('UPDATE tasks SET stored_size = 0 WHERE id = ?', [rowId]);
}

/** Deletes a task, with what was uploaded for it. */
export async function deleteTask(transaction: Transaction, { rowId }: Pick<Task, 'rowId'>): Promise<void> {
  await transaction.run('DELETE FROM task_parts WHERE task_id = ?', [rowId]);
  await transaction.run('DELETE FROM tasks WHERE id = ?', [rowId]);
}

/** Tasks that do not run, and that nobody has used since a time. */
export async function oldTasks(sql: Sql, before: number): Promise<readonly Pick<Task, 'rowId'>[]> {
  const rows = await sql.rows('SELECT id FROM tasks WHERE is_open = 0 AND touched_on < ? LIMIT 100', [before]);
  return rows.map(([id]) => ({ rowId: Number(id) }));
}
