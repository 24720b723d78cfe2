import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';

import { InvalidInputError, quote } from '../../../errors';
import { Gateway } from '../../../model/gateway';
import type { Kind, Resource } from '../../../model/kind';
import { callRowId, traceUrlOf, type Call } from '../../../sip/calls/call';
import type { RecordedAttempt } from '../../../sip/calls/call-attempts';
import { digitsOfNumber, type CallQuery } from '../../../sip/calls/call-query';
import {
  numberKey,
  orderOf,
  type CallCount,
  type CallMessage,
  type CallOrder,
  type CallOwner,
} from '../../../sip/calls/call-reader';
import type { Context } from '../../context';
import {
  type Connection,
  connectionAt,
  connectionOf,
  DEFAULT_PAGE,
  PageArgs,
  rangeOf,
  readConnection,
} from '../../schema/connection';
import { sortedCursors, type Cursors } from '../../schema/cursors';
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
    const query = queryOf(args.where ?? {});
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
  ): Promise<readonly CallCountShown[]> {
    const end = to?.getTime() ?? Date.now();
    const counts = await session.read.calls.counts(by, first ?? DEFAULT_PAGE, {
      from: from?.getTime() ?? end - DAY,
      to: end,
      percentiles: asksFor('postDialDelayP50', info) || asksFor('postDialDelayP95', info),
    });
    return counts.map((count) => ({
      ...count,
      answerSeizureRatio: count.answered / count.calls,
      averageDuration: seconds(count.averageDuration),
      averagePostDialDelay: seconds(count.averageRingDelay),
      postDialDelayP50: seconds(count.medianRingDelay ?? null),
      postDialDelayP95: seconds(count.slowRingDelay ?? null),
    }));
  }
}

interface CallCountShown extends CallCount {
  readonly answerSeizureRatio: number;
  readonly averagePostDialDelay: number | null;
  readonly postDialDelayP50: number | null;
  readonly postDialDelayP95: number | null;
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds) / 1000;
}

/** The fields of a call that are read only if they are selected. */
@Resolver(() => CallType)
class CallFields {
  @FieldResolver(() => [RecordedAttemptType], {
    description: 'The gateways that were tried, in order, or else the devices that responded; at most 8.',
  })
  async attempts(
    @Root() { rowId }: Call,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly RecordedAttempt[]> {
    const attempts = await loadByKey(context, info, rowId, (rowIds) => context.session.read.calls.attempts(rowIds));
    return attempts ?? [];
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
  number(
    @Root() { number }: Call,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    if (number === null) return Promise.resolve(undefined);
    return loadByKey(context, info, numberKey(number), async (keys) => {
      const rowIds = await context.session.read.calls.numbers(keys);
      const found = await numbers(context, info, [...new Set(rowIds.values())]);
      const entries = [...rowIds].map(([key, rowId]): [string, Resource | undefined] => [key, found.get(rowId)]);
      return new Map(entries.filter((entry): entry is [string, Resource] => entry[1] !== undefined));
    });
  }
}

/** The links from calls, attempts and counts. They are null for what no longer exists. */
export const callLinks = [
  CallFields,
  linkTo(
    CallType,
    'caller',
    () => unionNamed('Target'),
    { nullable: true, description: 'The agent or peer that called; null for callers outside.' },
    ({ caller }: Call) => caller,
  ),
  linkTo(
    CallType,
    'callee',
    () => unionNamed('Target'),
    { nullable: true, description: 'The agent or peer that was called; null for those outside.' },
    ({ callee }: Call) => callee,
  ),
  linkTo(
    CallType,
    'gateway',
    () => Gateway,
    {
      nullable: true,
      description: 'The gateway through which the call came or left; the last one, if several were tried.',
    },
    gatewayOf,
  ),
  linkTo(
    RecordedAttemptType,
    'gateway',
    () => Gateway,
    { nullable: true, description: 'The gateway; null for a device, and if it does not exist.' },
    gatewayOf,
  ),
  linkTo(
    CallCountType,
    'gateway',
    () => Gateway,
    { nullable: true, description: 'The gateway; null if it does not exist.' },
    gatewayOf,
  ),
];

function gatewayOf({ gatewayRef: ref }: Pick<Call | RecordedAttempt | CallCount, 'gatewayRef'>) {
  return { kind: 'Gateway', ref };
}

/** Creates the resolver for the calls of a kind. */
export function createCallsResolver(kind: Kind, owner: CallOwner): new () => object {
  @Resolver(() => kind.class)
  class ResourceCallsResolver {
    @FieldResolver(() => callConnection, { description: `The calls of the ${kind.name}, newest first.` })
    async calls(
      @Root() { rowId }: Resource,
      @Args(() => PageArgs) args: PageArgs,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<Call>> {
      const cursors = cursorsOf('NEWEST');
      const range = rangeOf(args, cursors);
      const { calls } = context.session.read;
      return connectionAt(
        [context, info],
        rowId,
        range,
        (rowIds) => calls.of(owner, rowIds, range),
        (rowIds) => calls.countsOf(owner, rowIds),
        cursors,
      );
    }
  }
  return ResourceCallsResolver;
}

function cursorsOf(order: CallOrder): Cursors {
  return sortedCursors([{ field: 'begunOn', descending: order === 'NEWEST' }], orderOf(order));
}

function digitsIn(text: string): string {
  const digits = digitsOfNumber(text);
  if (digits === undefined) throw InvalidInputError.of('digits', `${quote(text)} is not a telephone number`);
  return digits;
}

/** Converts the conditions. Throws InvalidInputError for `digits` that are no number. */
export function queryOf({ state, states, from, to, ...where }: CallWhere): CallQuery {
  const { direction, callId, agentRef, peerRef, gatewayRef, digits, status, minStatus, reason, search } = where;
  const chosen = state ? (states ?? [state]).filter((each) => each === state) : states;
  return {
    states: chosen ? [...new Set(chosen)] : undefined,
    direction: direction ?? undefined,
    callId: callId ?? undefined,
    agentRef: agentRef ?? undefined,
    peerRef: peerRef ?? undefined,
    gatewayRef: gatewayRef ?? undefined,
    digits: typeof digits === 'string' ? digitsIn(digits) : undefined,
    status: status ?? undefined,
    minStatus: minStatus ?? undefined,
    reason: reason ?? undefined,
    search: search ?? undefined,
    from: from?.getTime(),
    to: to?.getTime(),
  };
}
