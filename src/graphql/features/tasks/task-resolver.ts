import { Arg, Args, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';

import { HEAVY_READ } from '../../../limits/budgets';
import type { Task } from '../../../jobs/tasks/task';
import { MOST_UPLOADED } from '../../../jobs/tasks/task-service';
import type { Context } from '../../context';
import { DryRun } from '../../schema/dry-run';
import { MOVE_OPTIONS, systemOf } from '../moving/moving-types';
import { TaskObject } from './task-types';
import { argsOf } from '../../schema/type-tables';

const OWN = 'A user has one task at a time.';

const StartMoveArgs = argsOf({
  ...MOVE_OPTIONS,
  task: [ID, 'Reference of the task of the upload.'],
});
type StartMoveArgs = InstanceType<typeof StartMoveArgs>;

/** Changes that are too large for one request. */
@Resolver()
export class TaskResolver {
  @Query(() => TaskObject, {
    nullable: true,
    description: `The caller's task of the last hour; null without one. ${OWN}`,
  })
  async task(@Ctx() { session }: Context): Promise<TaskObject | null> {
    const task = await session.tasks.own();
    return task ? toTaskObject(task) : null;
  }

  @Mutation(() => TaskObject, {
    description: `Uploads a part of a dump of another system, for \`startMove\`: the dump is compressed with gzip, then cut into parts, each of which is sent in base64. All parts together have at most ${String(MOST_UPLOADED)} characters. The first part begins a task, in the place of an earlier one. ${OWN} Requires the role of an admin.`,
  })
  async uploadDump(
    @Arg('task', () => ID, { nullable: true, description: 'Reference of the task; null for the first part.' })
    ref: string | null | undefined,
    @Arg('number', () => Int, {
      description: 'The number of the part, from 0. A part that is sent again replaces the earlier one.',
    })
    number: number,
    @Arg('part', () => String, { description: 'The bytes of the part, in base64.' }) part: string,
    @DryRun('Return what the task would be.') dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<TaskObject> {
    session.assertAdmin();
    const tasks = session.tasksForWriting;
    return toTaskObject(await tasks.upload({ ref: ref ?? undefined, number, content: part }, { dryRun }));
  }

  @Mutation(() => TaskObject, {
    description:
      'Starts to move in what was uploaded, in the background and in pieces, at most 100000 records. All records are checked first; if one is wrong, nothing is changed. `task` tells how far it is. The history has all pieces as one request, which `startRevert` takes back. Requires the role of an admin.',
  })
  async startMove(@Args(() => StartMoveArgs) args: StartMoveArgs, @Ctx() { session }: Context): Promise<TaskObject> {
    const { task, gateway, system, ...others } = args;
    session.assertAdmin();
    const tasks = session.tasksForWriting;
    session.spend(HEAVY_READ);
    const given = { ...others, gateway: gateway ?? undefined, system: systemOf(system) };
    return toTaskObject(await tasks.startMove(task, given));
  }

  @Mutation(() => TaskObject, {
    description:
      'Starts to revert all changes of a request, newest first, in the background and in pieces, however many there are: `revertRequest` reverts at most 25000. If a change cannot be reverted, the task ends there, and what it has reverted stays so: started again, it leaves that alone.',
  })
  async startRevert(
    @Arg('request', () => String, { description: 'The id of the request or of the run of a command.' }) request: string,
    @DryRun('Return what the task would be.') dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<TaskObject> {
    const tasks = session.tasksForWriting;
    session.spend(HEAVY_READ);
    return toTaskObject(await tasks.startRevert(request, { dryRun }));
  }

  @Mutation(() => TaskObject, {
    description: 'Stops a task of the caller, and deletes what was uploaded for it. What it has written stays.',
  })
  async cancelTask(
    @Arg('ref', () => String, { description: 'Reference of the task.' }) ref: string,
    @DryRun() dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<TaskObject> {
    return toTaskObject(await session.tasksForWriting.cancel(ref, { dryRun }));
  }
}

function toTaskObject(task: Task): TaskObject {
  const { result } = task;
  const request = task.written > 0 ? task.requestId : null;
  const move = result && {
    ...result,
    moved: task.state === 'DONE',
    ...{ request: request ?? undefined, skippedCount: result.skippedPlaces, pending: undefined, calls: null },
  };
  return { ...task, request, move };
}
