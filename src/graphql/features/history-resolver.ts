import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, ID, Info, Int, Mutation, Query, Resolver } from 'type-graphql';

import { mayAct } from '../../auth/role';
import type { Page } from '../../database/page';
import type { Depth } from '../../history/entry-reads';
import type { HistoryEntry } from '../../history/history-entry';
import type { Stored } from '../../history/identities';
import type { HistoryQuery } from '../../history/history-query';
import { ADMIN_KINDS, LIVE_KINDS, OTHER_KINDS } from '../../history/kinds';
import type { Reverted } from '../../history/revert';
import { entryNumber, type RevertOptions, type RevertService } from '../../history/revert-service';
import { HEAVY_READ } from '../../limits/budgets';
import type { Kind } from '../../model/kind';
import { withoutNulls } from '../../resources/documents/members';
import type { Session } from '../../session/session';
import type { Context } from '../context';
import {
  connectionFrom,
  connectionOf,
  DEFAULT_PAGE,
  MAX_PAGE,
  PAGE,
  rangeOf,
  readConnection,
  type Connection,
} from '../schema/connection';
import { CREATION_CURSORS } from '../schema/cursors';
import { formerOf } from '../schema/former-resource';
import { asksNodesFor } from '../schema/look-ahead';
import { ResourceInterface } from '../schema/object-types';
import { linkTo } from '../schema/resource-link';
import {
  HistoryEntryType,
  HistoryPartType,
  HistoryRequestPage,
  HistoryWhere,
  RevertedChange,
  RevertSecretInput,
  toHistoryEntry,
  toHistoryRequest,
  toRevertedChange,
} from './history-types';
import { WaitArgs, waitOf, writeOrWait } from './pending/wait-args';
import { argsOf, nullable, withDefault } from '../schema/type-tables';

const NEWEST = 'newest first';
const entries = connectionOf('HistoryEntry', HistoryEntryType);

const HistoryArgs = argsOf({
  ...PAGE,
  where: [nullable(HistoryWhere), 'Return only entries that meet these conditions.'],
});
type HistoryArgs = InstanceType<typeof HistoryArgs>;

const RequestArgs = argsOf({
  first: [
    nullable(Int),
    `Return the first requests: 1 to ${String(MAX_PAGE)}. The default is ${String(DEFAULT_PAGE)}.`,
  ],
  after: [nullable(String), 'Return only requests after this cursor.'],
  where: [
    nullable(HistoryWhere),
    'Return only requests with an entry that meets these conditions. Of the kinds that are selected, all of their entries are summarized.',
  ],
});
type RequestArgs = InstanceType<typeof RequestArgs>;

const RevertArgs = argsOf({
  secrets: [nullable([RevertSecretInput]), 'Secrets that the revert needs.'],
  dryRun: [withDefault(Boolean, false), 'Change nothing, and return what would change.'],
});
type RevertArgs = InstanceType<typeof RevertArgs>;

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
    const query = historyQueryOf(args.where ?? {}, session);
    const { history } = session.read;
    const page = history.page(query, range, depthOf(info)).then((found) => show(found, session));
    return readConnection(info, range, page, () => history.count(query));
  }

  @Query(() => HistoryRequestPage, {
    description: `What requests did, ${NEWEST}: \`history\`, summarized by request. A page can have fewer requests than were asked for, or none, although \`hasNextPage\` is true: continue after \`endCursor\`.`,
  })
  async historyRequests(
    @Args(() => RequestArgs) { first = null, after = null, where }: RequestArgs,
    @Ctx() { session }: Context,
  ): Promise<HistoryRequestPage> {
    const { limit, after: [below] = [] } = rangeOf({ first, after });
    const query = historyQueryOf(where ?? {}, session);
    const isForViewer = !mayAct(session.viewer.role, 'operator');
    const page = await session.read.requests.page(query, limit, below === undefined ? undefined : Number(below));
    return {
      nodes: page.items.map((request) => toHistoryRequest(request, isForViewer)),
      hasNextPage: page.more,
      endCursor: page.end === undefined ? null : CREATION_CURSORS.write({ rowId: page.end }),
    };
  }

  @Mutation(() => [RevertedChange], {
    description:
      'Reverts a change. Fails with CONFLICT if a later change would be lost. Returns an empty list if there is nothing to undo.',
  })
  async revert(
    @Arg('entry', () => ID, { description: 'Number of the entry.' }) entry: string,
    @Args(() => RevertArgs) args: RevertArgs,
    @Args(() => WaitArgs) waiting: WaitArgs,
    @Ctx() { session }: Context,
  ): Promise<readonly RevertedChange[]> {
    session.assertWriter();
    const number = entryNumber(entry);
    return reverting(session, args, waiting, (reverts, options) => reverts.entry(number, options));
  }

  @Mutation(() => [RevertedChange], {
    description: 'Reverts all that a request or an import changed, or nothing, newest first.',
  })
  async revertRequest(
    @Arg('id', () => String, { description: 'The id of the request or of the run of a command.' }) id: string,
    @Args(() => RevertArgs) args: RevertArgs,
    @Args(() => WaitArgs) waiting: WaitArgs,
    @Ctx() { session }: Context,
  ): Promise<readonly RevertedChange[]> {
    session.assertWriter();
    session.spend(HEAVY_READ);
    return reverting(session, args, waiting, (reverts, options) => reverts.request(id, options));
  }
}

/** Reverts at once, or so that the revert waits, which `pendingChanges` lists. */
async function reverting(
  session: Session,
  args: RevertArgs,
  waiting: WaitArgs,
  work: (reverts: RevertService, options: RevertOptions) => Promise<readonly Reverted[]>,
): Promise<readonly RevertedChange[]> {
  const options = revertOptionsOf(args, session);
  const how = { dryRun: args.dryRun, rehearser: undefined, key: undefined };
  const { result } = await writeOrWait(session, waitOf(waiting), how, async ({ reverts }, { dryRun, rehearser }) => ({
    reverted: await work(reverts, { ...options, dryRun, rehearser }),
    requestId: undefined,
  }));
  return result.reverted.map(toRevertedChange);
}

/** The options of a revert on behalf of a user. */
export function revertOptionsOf(
  { secrets, dryRun }: RevertArgs,
  { permit, viewer, chargeRows }: Session,
): RevertOptions {
  const hidden = viewer.role === 'admin' ? [] : Object.keys(ADMIN_KINDS);
  // Charged before, because a revert that fails at its last entry has cost as much.
  return { secrets: secrets ?? [], dryRun, hidden, request: permit, charge: chargeRows };
}

/** The links from an entry and from a part of a request to the resource. */
export const historyLinks = [
  ...linksOf(HistoryEntryType, 'the resource'),
  ...linksOf(HistoryPartType, 'that resource'),
];

/** The links from what an entry of the history tells to the resource. */
function linksOf(type: typeof HistoryEntryType | typeof HistoryPartType, what: string): readonly (new () => object)[] {
  const storedOf = ({ kind, ref, at, rowId: entry }: HistoryEntryType | HistoryPartType): Stored => ({
    kind,
    ref,
    at,
    entry,
  });
  return [
    formerOf(
      type,
      'What was changed, if it is a resource that no longer exists, also if another one has its reference since; null if it exists, and for entries on other things.',
      storedOf,
    ),
    linkTo(
      type,
      'resource',
      () => ResourceInterface,
      `The current state of ${what}; null if it does not exist, also if another one has its reference since, and for entries on other things.`,
      storedOf,
    ),
  ];
}

/** Creates the resolver for the history of the resources of a kind. */
export function createHistoryResolver(kind: Kind): new () => object {
  return connectionFrom(
    kind,
    'history',
    { type: entries, description: `Who changed the ${kind.name}, ${NEWEST}.` },
    ({ ref }) => ref,
    (args, { session }, info) => {
      const { history } = session.read;
      const range = rangeOf(args);
      return {
        range,
        pagesOf: async (refs) => {
          const pages = await history.ofResources(kind, refs, range, depthOf(info));
          return new Map([...pages].map(([each, page]) => [each, show(page, session)]));
        },
        countsOf: async (refs, pages) => {
          // Reading the pages gives the newest entries their numbers, without which they are not counted.
          await pages;
          return history.countsOf(kind, refs);
        },
      };
    },
  );
}

// The fields of an entry that need its details.
const IN_DETAILS = ['changes', 'reverts', 'count', 'reason'];

function depthOf(info: GraphQLResolveInfo): Depth {
  return asksNodesFor(IN_DETAILS, info) ? 'fields' : 'nothing';
}

function show({ items, more }: Page<HistoryEntry>, { viewer }: Session): Page<HistoryEntryType> {
  const isForViewer = !mayAct(viewer.role, 'operator');
  return { items: items.map((entry) => toHistoryEntry(entry, isForViewer)), more };
}

/** Converts the conditions. Throws ForbiddenError for a kind that only admins see. */
export function historyQueryOf(
  { kind, kinds, ref, user, way: channel, event, request, from, to }: HistoryWhere,
  session: Session,
): HistoryQuery {
  const { model } = session.shared;
  const isAdmin = session.viewer.role === 'admin';
  const all = [...model.kinds.map(({ name }) => name), ...Object.keys(isAdmin ? OTHER_KINDS : LIVE_KINDS)];
  const asked = [...(kinds ?? []), ...(typeof kind === 'string' ? [kind] : [])];
  if (asked.some((each) => !all.includes(each))) session.assertAdmin();
  return {
    kinds: all.filter(
      (each) => (typeof kind !== 'string' || each === kind) && (!Array.isArray(kinds) || kinds.includes(each)),
    ),
    ...withoutNulls({ ref, username: user, channel, event, requestId: request }),
    from: from?.getTime(),
    to: to?.getTime(),
  };
}
