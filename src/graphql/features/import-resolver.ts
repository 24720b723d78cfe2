import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Resolver, Root, Subscription } from 'type-graphql';

import type { ProgressState } from '../../resources/bulk/import-progress';
import type { ImportOptions } from '../../resources/bulk/import-service';
import { InvalidInputError } from '../../errors';
import type { Context } from '../context';
import {
  ImportArgs,
  ImportOutcome,
  ImportProgressType,
  ImportResultType,
  ImportRow,
  ImportRowsArgs,
  NumberKind,
} from './import-types';

const ALL_OR_NOTHING =
  'All or nothing: if one is wrong, nothing is imported, and the result says what is wrong with each.';
/** The largest page of rows. */
const MAX_ROWS = 10_000;

/** Imports, and their progress. */
@Resolver()
export class ImportResolver {
  @Mutation(() => ImportResultType, {
    description: `Creates a Number or DID for each row of CSV. ${ALL_OR_NOTHING} A number that exists with the same gateway and address of record is left unchanged.`,
  })
  async importNumbers(
    @Arg('csv', () => String, {
      description:
        'CSV with a header row. The columns are telUrl, aorLink and gwRef, and optionally city, country and countryISOCode.',
    })
    csv: string,
    @Arg('kind', () => NumberKind, { defaultValue: NumberKind.Number, description: 'The kind to create.' })
    kind: NumberKind,
    @Args(() => ImportArgs) args: ImportArgs,
    @Ctx() { session }: Context,
  ): Promise<ImportResultType> {
    const { imports } = session.write;
    const { model } = session.read;
    return new ImportResultType(await imports.numbers(model.kindOf(kind), csv, optionsOf(args, session)));
  }

  @Mutation(() => ImportResultType, {
    description: `Imports documents in Routr v1's format. ${ALL_OR_NOTHING} A document updates the resource with its ref or, without a ref, with its natural key, and creates the resource if there is none. Users cannot be imported.`,
  })
  async importDocuments(
    @Arg('text', () => String, { description: 'At most 1000 YAML documents or items of lists, or JSON.' }) text: string,
    @Args(() => ImportArgs) args: ImportArgs,
    @Ctx() { session }: Context,
  ): Promise<ImportResultType> {
    return new ImportResultType(await session.write.imports.documents(text, optionsOf(args, session)));
  }

  @Subscription(() => ImportProgressType, {
    description:
      'The progress of your import with this `progressId`. The first event comes immediately: then start the import. With several processes behind a load balancer, send both over one WebSocket, because only the process that imports knows the progress.',
    subscribe: ({ args: { progressId }, context }: { args: { progressId: string }; context: Context }) => {
      const { session, caller } = context;
      const left = session.hold('subscriptions');
      try {
        return session.read.importProgress.watch(session.viewer.ref, progressId, { ended: caller.ended, left });
      } catch (error) {
        left();
        throw error;
      }
    },
  })
  importProgress(
    @Root() state: ProgressState,
    @Arg('progressId', () => ID, { description: 'The id that you pass to the import.' }) _id: string,
  ): ImportProgressType {
    return state;
  }
}

/** The fields of a result that depend on arguments. */
@Resolver(() => ImportResultType)
export class ImportResultResolver {
  @FieldResolver(() => Int, { description: 'The number of rows or documents with this outcome, or of all.' })
  count(
    @Root() result: ImportResultType,
    @Arg('outcome', () => ImportOutcome, { nullable: true, description: 'The outcome.' })
    outcome: ImportOutcome | null | undefined,
  ): number {
    return result.count(outcome ?? undefined);
  }

  @FieldResolver(() => [ImportRow], { description: 'The result of each row or document, by line.' })
  rows(@Root() result: ImportResultType, @Args(() => ImportRowsArgs) args: ImportRowsArgs): readonly ImportRow[] {
    if (args.first < 0 || args.first > MAX_ROWS)
      throw InvalidInputError.of('first', `${String(args.first)} is not between 0 and ${String(MAX_ROWS)}`);
    return result.some(args);
  }
}

function optionsOf({ dryRun, progressId }: ImportArgs, { permit, spend }: Context['session']): ImportOptions {
  return { dryRun, progressId: progressId ?? undefined, request: permit, charge: spend };
}
