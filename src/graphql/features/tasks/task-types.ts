import { Float, GraphQLISODateTime } from 'type-graphql';

import type { TaskState, TaskType } from '../../../jobs/tasks/task';
import { enumOf, nullable, objectOf } from '../../schema/type-tables';
import { MoveResultType } from '../moving/moving-types';

const TaskTypeEnum = enumOf<TaskType>('TaskType', 'What a task does.', {
  MOVE: 'It moves in another system, of which a dump was uploaded.',
  REVERT: 'It reverts a request of the history.',
});

const TaskStateEnum = enumOf<TaskState>('TaskState', 'The state of a task.', {
  UPLOADING: 'It waits for parts of the dump, and to be started.',
  CHECKING: 'It waits for its turn, or checks what it would do, and changes nothing.',
  CHECKED: 'It has checked everything: see `move`. The check changed nothing, and the task can be started again.',
  WRITING: 'It waits for its turn, or makes the changes.',
  DONE: 'All changes are made.',
  FAILED: 'It ended earlier: see `problem`. What it had written stays: see `written`.',
  CANCELLED: 'It was cancelled. What it had written stays: see `written`.',
});

/** A task in GraphQL. */
export const TaskObject = objectOf(
  'Task',
  'A change that is made in the background, in pieces, because it is too large for one request. Others can write between two pieces.',
  {
    ref: [String, 'Reference of the task.'],
    type: [TaskTypeEnum, 'What it does.'],
    state: [TaskStateEnum, 'The state.'],
    done: [Float, 'Records or entries that were processed in this state.'],
    total: [nullable(Float), 'Records or entries that there are; null while that is not known.'],
    written: [
      Float,
      'Records that were created or updated, or entries that were reverted, also before it ended early and was started again.',
    ],
    request: [
      nullable(String),
      'The id of the request in the history that has all that was written, to revert it as a whole; null if nothing was written.',
    ],
    problem: [nullable(String), 'Why it failed; null otherwise.'],
    move: [nullable(MoveResultType), 'What a move did, or would do; null until it has ended.'],
    createdOn: [GraphQLISODateTime, 'When it was created.'],
    finishedOn: [
      nullable(GraphQLISODateTime),
      'When it ended; null until then. An hour after its last step, it is deleted with what was uploaded for it.',
    ],
  },
);
export type TaskObject = InstanceType<typeof TaskObject>;
