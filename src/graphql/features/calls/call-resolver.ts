import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';

import { InvalidInputError, quote } from '../../../errors';
import { storedKey, type Stored } from '../../../history/identities';
import { mentionKey } from '../../../history/mentions';
import { Domain } from '../../../model/domain';
import { Gateway } from '../../../model/gateway';
import type { Kind, Resource } from '../../../model/kind';
import type { Model } from '../../../model/model';
import { Route } from '../../../model/route';
import { withoutNulls } from '../../../resources/documents/members';
import type { ReadServices } from '../../../session/services';
import { callRowId, traceUrlOf, type Call } from '../../../sip/calls/call';
import type { RecordedAttempt } from '../../../sip/calls/call-attempts';
import { digitsOfNumber, type CallQuery } from '../../../sip/calls/call-query';
import { numberKey, callOrder, type CallMessage, type CallOrder, type CallOwner } from '../../../sip/calls/call-reader';
import type { Context } from '../../context';
import {
  type Connection,
  connectionFrom,
  connectionOf,
  DEFAULT_PAGE,
  rangeOf,
  readConnection,
} from '../../schema/connection';
import { sortedCursors, type Cursors } from '../../schema/cursors';
import { FormerResource, readFormer } from '../../schema/former-resource';
import { loadByKey } from '../../schema/loader';
import { asksFor } from '../../schema/look-ahead';
import { unionNamed } from '../../schema/object-types';
import { linkTo } from '../../schema/resource-link';
import { numbers } from '../diagnosis/diagnosis-links';
import { PhoneNumber } from '../diagnosis/diagnosis-types';
import {
  CallArgs,
  RecordedAttemptType,
  CallCountArgs,
  CallCountType,
  CallMessageType,
  CallType,
  type CallWhere,
} from './call-types';

const callConnection = connectionOf('Call', CallType);
const DAY = 86_400_000;

/** Queries for calls. */
@Resolver()
export class CallResolver {
  @Query(() => callConnection, { description: 'The calls that the SIP server recorded, in progress or not.' })
  async calls(
    @Args(() => CallArgs) args: CallArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Call>> {
    const order = args.orderBy ?? 'NEWEST';
    const cursors = cursorsOf(order);
    const range = rangeOf(args, cursors);
    const query = callQueryOf(args.where ?? {});
    const { calls } = session.read;
    return readConnection(info, range, calls.page(range, query, order), () => calls.count(query), cursors);
  }

  @Query(() => CallType, { nullable: true, description: 'A call; null if it is no longer kept.' })
  call(
    @Arg('id', () => ID, { description: 'The id of the call.' }) id: string,
    @Ctx() { session }: Context,
  ): Promise<Call | undefined> {
    return session.read.calls.one(callRowId(id));
  }

  @Query(() => [CallCountType], {
    description:
      'Counts the calls that began in a time of at most 31 days. Hours come in order, other groups by the number of calls.',
  })
  async callCounts(
    @Args(() => CallCountArgs) { by, from, to, first }: CallCountArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly CallCountType[]> {
    const end = to?.getTime() ?? Date.now();
    const start = from?.getTime() ?? end - DAY;
    const counts = await session.read.calls.counts(by, first ?? DEFAULT_PAGE, {
      from: start,
      to: end,
      percentiles: asksFor('postDialDelayP50', info) || asksFor('postDialDelayP95', info),
    });
    return counts.map((count) => ({
      ...count,
      begunOn: start,
      answerSeizureRatio: count.answered / count.calls,
      averageDuration: seconds(count.averageDuration),
      averagePostDialDelay: seconds(count.averageRingDelay),
      postDialDelayP50: seconds(count.medianRingDelay ?? null),
      postDialDelayP95: seconds(count.slowRingDelay ?? null),
    }));
  }
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds) / 1000;
}

/** The resources of calls that no longer exist, each with what it was called when the call began. */
async function formerOf(
  calls: readonly Call[],
  read: ReadServices,
  model: Model,
): Promise<ReadonlyMap<Call, readonly FormerResource[]>> {
  const attempts = await read.calls.attempts(calls.map(({ rowId }) => rowId));
  const stored = calls.map((call) => [call, storedIn(call, attempts.get(call.rowId) ?? [])] as const);
  const former = await readFormer(
    stored.flatMap(([, of]) => of),
    read,
    model,
  );
  return new Map(stored.map(([call, of]) => [call, of.flatMap((each) => former.get(storedKey(each)) ?? [])]));
}

/** The references in a call. */
function storedIn(
  { caller, callee, gatewayRef, domainRef, routeRef, begunOn: at }: Call,
  attempts: readonly RecordedAttempt[],
): readonly Stored[] {
  const parties = [caller, callee].filter((party) => party !== null);
  const others = [
    ...[gatewayRef, ...attempts.map((attempt) => attempt.gatewayRef)].map((ref) => ({ kind: 'Gateway', ref })),
    { kind: 'Domain', ref: domainRef },
    { kind: 'Route', ref: routeRef },
  ];
  const all = [...parties, ...others].flatMap(({ kind, ref }) => (ref === null ? [] : [{ kind, ref, at }]));
  return [...new Map(all.map((each) => [mentionKey(each), each])).values()];
}

/** The fields of a call that are read only if they are selected. */
@Resolver(() => CallType)
class CallFields {
  @FieldResolver(() => [RecordedAttemptType], {
    description: 'The gateways that were tried, in order, or else the devices that responded; at most 8.',
  })
  async attempts(
    @Root() { rowId, begunOn }: Call,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly (RecordedAttempt & Pick<Call, 'begunOn'>)[]> {
    const attempts = await loadByKey(context, info, rowId, (rowIds) => context.session.read.calls.attempts(rowIds));
    return (attempts ?? []).map((attempt) => ({ ...attempt, begunOn }));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Reference of the agent or peer that called, also if it no longer exists; null for callers outside.',
  })
  callerRef(@Root() { caller }: Call): string | null {
    return caller?.ref ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Reference of the agent or peer that was called, also if it no longer exists; null for those outside.',
  })
  calleeRef(@Root() { callee }: Call): string | null {
    return callee?.ref ?? null;
  }

  @FieldResolver(() => [CallMessageType], {
    description:
      'The SIP messages of the last hour, in order, at most 60. Empty without `HEP_LISTEN`, and for viewers who see shortened numbers.',
  })
  async messages(
    @Root() { callId }: Call,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly CallMessage[]> {
    const { calls } = context.session.read;
    return (await loadByKey(context, info, callId, (callIds) => calls.messages(callIds))) ?? [];
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The URL of the trace of the call, as `TRACE_URL` says; null without that setting, and for viewers who see shortened numbers.',
  })
  traceUrl(@Root() call: Call, @Ctx() { session }: Context): string | null {
    const { traceUrl } = session.shared;
    return traceUrl === undefined || session.read.calls.isShortened ? null : traceUrlOf(traceUrl, call);
  }

  @FieldResolver(() => PhoneNumber, {
    nullable: true,
    description: 'The DID or Number that was called, or from which the call left.',
  })
  async number(
    @Root() { number, begunOn: at }: Call,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    if (number === null) return undefined;
    const found = await loadByKey(context, info, numberKey(number), async (keys) => {
      const known = await context.session.read.calls.numbers(keys);
      const rowIds = [...new Set([...known.values()].map(({ rowId }) => rowId))];
      const resources = await numbers(context, info, rowIds);
      return new Map(
        [...known].flatMap(([key, { kind, ref, rowId }]) => {
          const resource = resources.get(rowId);
          return resource ? [[key, { kind, ref, resource }] as const] : [];
        }),
      );
    });
    const isSame = found && (await context.session.read.identities.isSame({ kind: found.kind, ref: found.ref, at }));
    return isSame === true ? found.resource : undefined;
  }

  @FieldResolver(() => [FormerResource], {
    description:
      'Of the agents, peers, gateways, domain and route of the call: those that no longer exist, also if another one has the reference since. Links do not lead to that one.',
  })
  async former(
    @Root() call: Call,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly FormerResource[]> {
    const { read, shared } = context.session;
    const found = await loadByKey(context, info, call, (calls) => formerOf(calls, read, shared.model));
    return found ?? [];
  }
}

/** The links from calls, attempts and counts. They are null for what no longer exists, also if another one has the reference since. */
export const callLinks = [
  CallFields,
  linkTo(
    CallType,
    'caller',
    () => unionNamed('Target'),
    'The agent or peer that called; null for callers outside.',
    ({ caller, begunOn: at }: Call) => caller && { ...caller, at },
  ),
  linkTo(
    CallType,
    'callee',
    () => unionNamed('Target'),
    'The agent or peer that was called; null for those outside.',
    ({ callee, begunOn: at }: Call) => callee && { ...callee, at },
  ),
  linkTo(
    CallType,
    'gateway',
    () => Gateway,
    'The gateway through which the call came or left; the last one, if several were tried.',
    gatewayOf,
  ),
  linkTo(
    CallType,
    'domain',
    () => Domain,
    'The domain of the caller, or else the called one; null if it does not exist.',
    ({ domainRef: ref, begunOn: at }: Call) => ({ kind: 'Domain', ref, at }),
  ),
  linkTo(
    CallType,
    'route',
    () => Route,
    'The route by which the call left; null if it does not exist.',
    ({ routeRef: ref, begunOn: at }: Call) => ({ kind: 'Route', ref, at }),
  ),
  linkTo(
    RecordedAttemptType,
    'gateway',
    () => Gateway,
    'The gateway; null for a device, and if it does not exist.',
    gatewayOf,
  ),
  linkTo(
    CallCountType,
    'gateway',
    () => Gateway,
    'The gateway; null if it does not exist, or if another one had the reference in this time.',
    gatewayOf,
  ),
];

function gatewayOf({ gatewayRef: ref, begunOn: at }: Pick<Call, 'gatewayRef'> & Partial<Pick<Call, 'begunOn'>>) {
  return { kind: 'Gateway', ref, at };
}

/** Creates the resolver for the calls of a kind. */
export function createCallsResolver(kind: Kind, owner: CallOwner): new () => object {
  return connectionFrom(
    kind,
    'calls',
    { type: callConnection, description: `The calls of the ${kind.name}, newest first.` },
    ({ rowId }) => rowId,
    (args, { session }) => {
      const { calls } = session.read;
      const cursors = cursorsOf('NEWEST');
      const range = rangeOf(args, cursors);
      return {
        range,
        cursors,
        pagesOf: (rowIds) => calls.of(owner, rowIds, range),
        countsOf: (rowIds) => calls.countsOf(owner, rowIds),
      };
    },
  );
}

function cursorsOf(order: CallOrder): Cursors {
  return sortedCursors([{ field: 'begunOn', descending: order === 'NEWEST' }], callOrder(order));
}

function digitsIn(text: string): string {
  const digits = digitsOfNumber(text);
  if (digits === undefined) throw InvalidInputError.of('digits', `${quote(text)} is not a telephone number`);
  return digits;
}

/** Converts the conditions. Throws InvalidInputError for `digits` that are no number. */
export function callQueryOf({ state, states, digits, from, to, ...where }: CallWhere): CallQuery {
  const chosen = state ? (states ?? [state]).filter((each) => each === state) : states;
  return {
    ...withoutNulls(where),
    states: chosen ? [...new Set(chosen)] : undefined,
    digits: typeof digits === 'string' ? digitsIn(digits) : undefined,
    from: from?.getTime(),
    to: to?.getTime(),
  };
}
