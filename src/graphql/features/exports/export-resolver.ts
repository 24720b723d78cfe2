import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';

import { InvalidInputError } from '../../../errors';
import { endOf } from '../../../jobs/exports/export-job';
import type { ShownExport } from '../../../jobs/exports/export-service';
import { HEAVY_READ } from '../../../limits/budgets';
import type { Kind } from '../../../model/kind';
import type { Session } from '../../../session/session';
import type { Context } from '../../context';
import { DryRun } from '../../schema/dry-run';
import { conditionOf } from '../../schema/list-args';
import { callQueryOf } from '../calls/call-resolver';
import { historyQueryOf } from '../history-resolver';
import { ExportArgs, exportOf, ExportType } from './export-types';

type Members = Readonly<Record<string, object | null | undefined>>;

/** Creates the resolver of exports of calls, the history and these kinds. */
export function createExportResolver(kinds: readonly Kind[]): new () => object {
  const of = exportOf(kinds);

  @Resolver()
  class ExportResolver {
    @Query(() => [ExportType], { description: "The caller's exports, newest first." })
    async exports(@Ctx() { session }: Context): Promise<readonly ExportType[]> {
      return (await session.exports.list()).map(toExportType);
    }

    @Mutation(() => ExportType, {
      description:
        'Starts to write a file in the background, with what the caller may read. A user can have 5 exports at a time, which are deleted an hour after their end.',
    })
    async startExport(
      @Arg('of', () => of, { description: 'What to export.' }) given: Members,
      @Args(() => ExportArgs) { format, filter }: ExportArgs,
      @DryRun('Return what the export would be.') dryRun: boolean,
      @Ctx() { session }: Context,
    ): Promise<ExportType> {
      const exports = session.exportsForWriting;
      const [source, asked] = askedIn(given, filter ?? null, kinds, session);
      if (!dryRun) session.spend(HEAVY_READ);
      return toExportType(await exports.start({ source, format, asked: JSON.stringify(asked) }, { dryRun }));
    }

    @Mutation(() => ID, {
      description: 'Cancels an export of the caller, or deletes its file, and returns its reference.',
    })
    async cancelExport(
      @Arg('ref', () => String, { description: 'Reference of the export.' }) ref: string,
      @DryRun() dryRun: boolean,
      @Ctx() { session }: Context,
    ): Promise<string> {
      await session.exportsForWriting.cancel(ref, { dryRun });
      return ref;
    }
  }
  return ExportResolver;
}

/**
 * What is exported, and its conditions, which are checked. Throws InvalidInputError, and ForbiddenError for conditions that
 * the caller may not use.
 */
function askedIn(
  given: Members,
  filter: string | null,
  kinds: readonly Kind[],
  session: Session,
): readonly [string, object] {
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  const [[source, where] = ['', null]] = members;
  if (members.length !== 1 || !where) {
    const names = members.map(([name]) => name).join(', ');
    throw InvalidInputError.of('of', `needs exactly one member; it has ${names === '' ? 'none' : names}`);
  }
  const { calls, filters } = session.read;
  const kind = kinds.find(({ collection }) => collection === source);
  if (!kind && filter !== null) throw InvalidInputError.of('filter', `does not apply to ${source}`);
  if (kind) {
    conditionOf(kind, { where: { ...where }, filter }, filters);
    return [source, { where, filter }];
  }
  if (source === 'history') return [source, historyQueryOf(where, session)];
  const query = callQueryOf(where);
  calls.assertMayAsk(query);
  return [source, query];
}

function toExportType(job: ShownExport): ExportType {
  return { ...job, expiresOn: endOf(job) };
}
