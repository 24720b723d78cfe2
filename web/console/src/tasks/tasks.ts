import { GraphError } from '../graph/graph-error';
import { request } from '../graph/request';
import { pause, readPatiently } from '../graph/retries';
import { words } from './texts';

/** A change that the server makes in the background, in pieces. */
export interface Task {
  readonly ref: string;
  readonly type: 'MOVE' | 'REVERT';
  readonly state: 'UPLOADING' | 'CHECKING' | 'CHECKED' | 'WRITING' | 'DONE' | 'FAILED' | 'CANCELLED';
  readonly done: number;
  readonly total: number | null;
  /** Records or entries that were changed. */
  readonly written: number;
  /** The request of the history that has what was written; null if that is nothing. */
  readonly request: string | null;
  readonly problem: string | null;
}

/** The fields of a Task in a document. */
export const TASK = 'ref type state done total written request problem';
const OWN = `{ task { ${TASK} } }`;
const START_REVERT = `mutation StartRevert($request: String!) { task: startRevert(request: $request) { ${TASK} } }`;
const CANCEL = `mutation CancelTask($ref: String!) { task: cancelTask(ref: $ref) { ${TASK} } }`;

// Milliseconds between two reads while a task runs.
const REFRESH = 500;

/** The user's task; null if there is none. Throws a GraphError. */
export async function ownTask(signal: AbortSignal): Promise<Task | null> {
  return (await request<{ task: Task | null }>(OWN, {}, { signal })).task;
}

export async function startRevert(of: string): Promise<Task> {
  return (await request<{ task: Task }>(START_REVERT, { request: of })).task;
}

export async function cancelTask({ ref }: Task): Promise<void> {
  await request(CANCEL, { ref });
}

/** Whether the server works on a task, or will. */
export function isRunning({ state }: Task): boolean {
  return state === 'CHECKING' || state === 'WRITING';
}

/** Returns a task once it has ended. Calls `onStep` meanwhile. Throws a GraphError, or an Error if the task does not exist any more. */
export async function followed(task: Task, onStep: (task: Task) => void, signal: AbortSignal): Promise<Task> {
  for (let last = task; ;) {
    onStep(last);
    if (!isRunning(last) || signal.aborted) return last;
    await pause(REFRESH, signal);
    const own = await readPatiently(async () => ownTask(signal), signal);
    if (own?.ref !== task.ref) throw new Error(words.gone);
    last = own;
  }
}

/** Whether a request had a larger body than the server accepts. */
export function isTooLarge(error: unknown): error is GraphError {
  return error instanceof GraphError && error.fields.includes('body');
}
