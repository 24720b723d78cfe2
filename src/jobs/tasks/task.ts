import type { Role } from '../../auth/role';
import type { MovedValid, System } from '../../resources/moving/moving-sources';

/** What a task does: it moves in another system, or takes back a request with many entries. */
export type TaskType = 'MOVE' | 'REVERT';

export type TaskState = 'UPLOADING' | 'CHECKING' | 'CHECKED' | 'WRITING' | 'DONE' | 'FAILED' | 'CANCELLED';

/** For how long a task, and what was uploaded for it, is kept after its last step, in milliseconds. */
export const TASK_KEPT = 3_600_000;

/** The role that a task requires, as the same change in one request does. */
export const ROLE_OF: Readonly<Record<TaskType, Role>> = { MOVE: 'admin', REVERT: 'operator' };

/** What a task has found or done of a move. */
export type TaskResult = Omit<MovedValid, 'failed' | 'causes' | 'newSecrets'> & { readonly failed: number };

/** What every task is started with. */
interface Given {
  /** The generation of the sign-ins of its user; undefined if an API token started it. */
  readonly generation?: number | undefined;
}

/** How to move what was uploaded. */
export interface MoveGiven extends Given {
  readonly system: System;
  readonly gateway: string | undefined;
  readonly newSecrets: boolean;
  readonly skipInvalid: boolean;
  readonly dryRun: boolean;
}

/** Which request to take back. */
export interface RevertGiven extends Given {
  readonly request: string;
}

/** A change that is made in the background, a piece at a time. Times are milliseconds since the epoch. */
export interface Task {
  readonly rowId: number;
  readonly ref: string;
  readonly userRef: string;
  readonly type: TaskType;
  readonly state: TaskState;
  /** Whether it runs, or waits to run. */
  readonly isOpen: boolean;
  /** Records or entries that were processed in this state, and how many there are; null if that is not known. */
  readonly done: number;
  readonly total: number | null;
  /** Records or entries that have changed something, in the pieces that were committed, also before it was started again. */
  readonly written: number;
  /** The id under which the history has what it wrote. */
  readonly requestId: string | null;
  readonly problem: string | null;
  readonly result: TaskResult | null;
  /** Characters of the parts that were uploaded. */
  readonly stored: number;
  readonly createdOn: number;
  readonly finishedOn: number | null;
}
