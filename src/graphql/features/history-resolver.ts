import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';

import { mayAct } from '../../auth/role';
import { toPage, type Page } from '../../database/page';
import type { Depth } from '../../history/entry-reads';
import type { HistoryEntry } from '../../history/history-entry';
import type { HistoryQuery } from '../../history/history-reader';
import { ADMIN_KINDS, LIVE_KINDS, OTHER_KINDS } from '../../history/kinds';
import { entryNumber, type RevertOptions } from '../../history/revert-service';
import { HEAVY_READ, ROW_WRITTEN } from '../../limits/budgets';
import type { Kind, Resource } from '../../model/kind';
import type { Session } from '../../session/session';
import type { Context } from '../context';
import { Connection, PageArgs, connectionOf, rangeOf } from '../schema/connection';
import { loadByKey } from '../schema/loader';
import { asksFor, asksNodesFor } from '../schema/look-ahead';
import { ResourceInterface } from '../schema/object-types';
import { currentState, HistoryEntryType, HistoryWhere, RevertedChange, RevertSecretInput } from './history-types';

const NEWEST = 'newest first';
const entries = connectionOf('HistoryEntry', HistoryEntryType);

@ArgsType()
class HistoryArgs extends PageArgs {
  @Field(() => HistoryWhere, { nullable: true, description: 'Return only entries that meet these conditions.' })
  where?: HistoryWhere | null;
}

@ArgsType()
class RevertArgs {
  @Field(() => [RevertSecretInput], { nullable: true, description: 'Secrets that the revert needs.' })
  secrets?: readonly RevertSecretInput[] | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Change nothing, and return what would change.' })
  dryRun!: boolean;
}

/** The history of all resources, and reverts. */
@Resolver()
export class HistoryResolver {
  @Query(() => entries, {
    description: `Who changed what, ${NEWEST}. Changes of users, tokens and keys, and sign-ins are for admins only.`,
  })
  async history(
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<HistoryEntryType>> {
    const range = rangeOf(args);
    const query = queryOf(args.where ?? {}, session);
    const { history } = session.read;
    const [page, count] = await Promise.all([
      history.page(query, range, depthOf(info)),
      asksFor('totalCount', info) ? history.count(query) : undefined,
    ]);
    return new Connection(show(page, session), range, count);
  }

  @Mutation(() => [RevertedChange], {
    description:
      'Reverts a change. Fails with CONFLICT if a later change would be lost. Returns an empty list if there is nothing to undo.',
  })
  async revert(
    @Arg('entry', () => ID, { description: 'Number of the entry.' }) entry: string,
    @Args(() => RevertArgs) args: RevertArgs,
    @Ctx() { session }: Context,
  ): Promise<readonly RevertedChange[]> {
    const reverted = await session.write.reverts.entry(entryNumber('entry', entry), optionsOf(args, session));
    return reverted.map((each) => new RevertedChange(each));
  }

  @Mutation(() => [RevertedChange], {
    description: 'Reverts all that a request or an import changed, or nothing, newest first.',
  })
  async revertRequest(
    @Arg('id', () => String, { description: 'The id of the request or of the run of a command.' }) id: string,
    @Args(() => RevertArgs) args: RevertArgs,
    @Ctx() { session }: Context,
  ): Promise<readonly RevertedChange[]> {
    const { reverts } = session.write;
    session.spend(HEAVY_READ);
    const reverted = await reverts.request(id, optionsOf(args, session));
    return reverted.map((each) => new RevertedChange(each));
  }
}

function optionsOf({ secrets, dryRun }: RevertArgs, { spend, permit, viewer }: Session): RevertOptions {
  const hidden = viewer.role === 'admin' ? [] : Object.keys(ADMIN_KINDS);
  // Charged before, because a revert that fails at its last entry has cost as much.
  const charge = (rows: number): void => spend(ROW_WRITTEN * rows);
  return { secrets: secrets ?? [], dryRun, hidden, request: permit, charge };
}

/** The resource of an entry. */
@Resolver(() => HistoryEntryType)
export class HistoryResourceResolver {
  @FieldResolver(() => ResourceInterface, {
    nullable: true,
    description: 'The current state of the resource; null if it does not exist, and for entries on other things.',
  })
  resource(
    @Root() { kind, ref }: HistoryEntryType,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return currentState(kind, ref, context, info);
  }
}

/** Creates the resolver for the history of the resources of a kind. */
export function createHistoryResolver(kind: Kind): new () => object {
  @Resolver(() => kind.class)
  class ResourceHistoryResolver {
    @FieldResolver(() => entries, { description: `Who changed the ${kind.name}, ${NEWEST}.` })
    async history(
      @Root() { ref }: Resource,
      @Args(() => PageArgs) args: PageArgs,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<HistoryEntryType>> {
      const { session } = context;
      const range = rangeOf(args);
      const found = await loadByKey(context, info, ref, async (refs) => {
        const { history } = session.read;
        const pages = await history.ofResources(kind, refs, range, depthOf(info));
        const counts = asksFor('totalCount', info) ? await history.countsOf(kind, refs) : undefined;
        const connection = (each: string): Connection<HistoryEntryType> =>
          new Connection(show(pages.get(each) ?? NONE, session), range, counts && (counts.get(each) ?? 0));
        return new Map(refs.map((each) => [each, connection(each)]));
      });
      return found ?? new Connection(show(NONE, session), range, 0);
    }
  }
  return ResourceHistoryResolver;
}

const NONE: Page<HistoryEntry> = toPage([], { limit: 1, backwards: false });

// The fields of an entry that need its details.
const IN_DETAILS = ['changes', 'reverts', 'count'];

function depthOf(info: GraphQLResolveInfo): Depth {
  return asksNodesFor(IN_DETAILS, info) ? 'fields' : 'nothing';
}

function show({ items, more }: Page<HistoryEntry>, { viewer }: Session): Page<HistoryEntryType> {
  const isForViewer = !mayAct(viewer.role, 'operator');
  return { items: items.map((entry) => new HistoryEntryType(entry, isForViewer)), more };
}

/** Throws ForbiddenError if the user is no admin. */
function assertAdmin(session: Session): Session['admin'] {
  return session.admin;
}

/** Converts the conditions. Throws ForbiddenError for a kind that only admins see. */
function queryOf(
  { kind, ref, user, way: channel, event, request, from, to }: HistoryWhere,
  session: Session,
): HistoryQuery {
  const { model } = session.shared;
  const isAdmin = session.viewer.role === 'admin';
  const all = [...model.kinds.map(({ name }) => name), ...Object.keys(isAdmin ? OTHER_KINDS : LIVE_KINDS)];
  if (typeof kind === 'string' && !all.includes(kind)) assertAdmin(session);
  return {
    kinds: typeof kind === 'string' ? [kind] : all,
    ref: ref ?? undefined,
    username: user ?? undefined,
    channel: channel ?? undefined,
    event: event ?? undefined,
    requestId: request ?? undefined,
    from: from?.getTime(),
    to: to?.getTime(),
  };
}
