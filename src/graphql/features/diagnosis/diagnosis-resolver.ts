import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, GraphQLISODateTime, ID, Info, Int, Query, Resolver, Root } from 'type-graphql';

import { mayAct } from '../../../auth/role';
import type { Range } from '../../../database/page';
import { ForbiddenError, InvalidInputError, NotFoundError } from '../../../errors';
import type { PastCall, PastNumber } from '../../../history/past/past-diagnosis';
import { withoutNulls } from '../../../resources/documents/members';
import { callRowId } from '../../../sip/calls/call';
import type { CallReader } from '../../../sip/calls/call-reader';
import type { HealthPage } from '../../../sip/diagnosis/number-diagnosis';
import type { Context } from '../../context';
import {
  Connection,
  connectionOf,
  DEFAULT_PAGE,
  MAX_PAGE,
  PageArgs,
  rangeOf,
  type PageInfo,
} from '../../schema/connection';
import { CREATION_CURSORS, rowIdIn } from '../../schema/cursors';
import { asksFor } from '../../schema/look-ahead';
import { CallExplanationType, toCallExplanation, toPastCallExplanation } from './call-types';
import type { PastOf } from './past-fields';
import {
  AddressExplanationType,
  FlowEndEnum,
  NumberExplanationType,
  NumberFlowsType,
  NumberHealthCauseType,
  NumberHealthCountsType,
  NumberHealthType,
  NumberStateEnum,
  toAddressExplanation,
  toHealthCounts,
  toNumberExplanation,
  toNumberFlows,
  toNumberHealth,
  toNumberHealthCause,
  toPastNumberExplanation,
} from './diagnosis-types';
import { argsOf, nullable } from '../../schema/type-tables';

/** The arguments that say which numbers to examine. */
const SCOPE = {
  gatewayRef: [nullable(String), 'Examine only numbers of the Gateway with this reference.'],
  agentRef: [
    nullable(String),
    'Examine only numbers that lead to the Agent with this reference, in any of its domains.',
  ],
  peerRef: [nullable(String), 'Examine only numbers that lead to the Peer with this reference.'],
  domainRef: [nullable(String), 'Examine only numbers whose address of record is in the Domain with this reference.'],
  addressOfRecord: [
    nullable(String),
    'Examine only numbers that lead to this address of record, for example `sip:1001@sip.local`.',
  ],
} as const;

const ScopeArgs = argsOf(SCOPE);
type ScopeArgs = InstanceType<typeof ScopeArgs>;

/** The arguments that say which numbers to list. */
const HEALTH = {
  ...SCOPE,
  states: [nullable([NumberStateEnum]), 'Return only numbers in one of these states.'],
} as const;

const HealthArgs = argsOf(HEALTH);
type HealthArgs = InstanceType<typeof HealthArgs>;

// A response has at most the square of it, for each state.
const MAX_ENDS = 30;
const DEFAULT_ENDS = 15;

/** The arguments that say which flows to return. */
const FlowArgs = argsOf({
  ...HEALTH,
  by: [
    nullable(FlowEndEnum),
    'What the flows lead to. The default is TARGET, or DOMAIN if there are several domains and more than `first` addresses of record.',
  ],
  first: [
    nullable(Int),
    `How many gateways, and how many domains or addresses of record, have flows of their own: 1 to ${String(MAX_ENDS)}. The default is ${String(DEFAULT_ENDS)}.`,
  ],
  after: [nullable(String), 'Examine only numbers after this cursor.'],
});
type FlowArgs = InstanceType<typeof FlowArgs>;

/** The arguments that say which call to explain. */
const CallEndsArgs = argsOf({
  from: [
    nullable(String),
    'The caller: the address of record of an agent or a peer, such as `1001@sip.local`, or a number or any name for a call from outside.',
  ],
  to: [nullable(String), 'What is called: a number in any spelling, a user name or an address of record.'],
  sourceAddress: [
    nullable(String),
    'The IP address from which the call comes: of a gateway, or of a phone. Without it, access control lists are not considered, and a call from outside belongs to no gateway.',
  ],
  at: [
    nullable(GraphQLISODateTime),
    'Explain the call as it would have been at this time, and who changed what. What is no longer known is in `unknown`. The default is now.',
  ],
  call: [
    nullable(ID),
    'The id of a call on record, to explain as it was when it began, with what became of its attempts. Viewers cannot ask for it while CALLS_PRIVACY is on.',
  ],
});
type CallEndsArgs = InstanceType<typeof CallEndsArgs>;

/** A call on record, with its attempts. Throws NotFoundError, InvalidInputError and ForbiddenError. */
async function recordedCall(id: string, calls: CallReader) {
  const rowId = callRowId(id, 'call');
  if (calls.isShortened)
    throw new ForbiddenError('call: viewers cannot have calls explained while CALLS_PRIVACY is on');
  const call = await calls.one(rowId);
  if (!call) throw new NotFoundError('call', id, 'call');
  return { call, attempts: (await calls.attempts([call.rowId])).get(call.rowId) ?? [] };
}

function pastOf<T extends PastNumber | PastCall>(explanation: T, { viewer }: Context['session']): PastOf<T> {
  return { explanation, isForViewer: !mayAct(viewer.role, 'operator') };
}

const healthConnection = connectionOf('NumberHealth', NumberHealthType);

/** Queries that explain why numbers ring or do not. */
@Resolver()
export class DiagnosisResolver {
  @Query(() => NumberExplanationType, {
    description:
      'Explains whether a call to a number succeeds: the links of its path, and the first broken one. `tel:+1 706 604-1487`, `0017066041487` and `17066041487` are the same number; so is `(706) 604-1487` if HOME_COUNTRY is `US`.',
  })
  async explainNumber(
    @Arg('telUrl', () => String, { description: 'The number, as people write it or as a tel URI.' }) telUrl: string,
    @Arg('at', () => GraphQLISODateTime, {
      nullable: true,
      description:
        'Explain what became of a call at this time, and who changed what. What is no longer known is UNKNOWN. The default is now.',
    })
    at: Date | null | undefined,
    @Ctx() context: Context,
  ): Promise<NumberExplanationType> {
    const { session } = context;
    const { pastDiagnosis, diagnosis } = session.read;
    if (at) {
      const { model } = session.shared;
      const past = await context.explain(() => pastDiagnosis.number(model, telUrl, at.getTime()));
      return toPastNumberExplanation(telUrl, pastOf(past, session));
    }
    return toNumberExplanation(telUrl, await context.explain(() => diagnosis.explain(telUrl)));
  }

  @Query(() => AddressExplanationType, {
    description:
      'Explains whether a call to an address of record succeeds. `numberHealth(addressOfRecord)` returns the numbers that lead to it.',
  })
  async explainAddress(
    @Arg('addressOfRecord', () => String, {
      description: 'The address of record, for example `sip:1001@sip.local` or `1001@sip.local`.',
    })
    addressOfRecord: string,
    @Ctx() context: Context,
  ): Promise<AddressExplanationType> {
    const { addresses } = context.session.read;
    return toAddressExplanation(await context.explain(() => addresses.explain(addressOfRecord)));
  }

  @Query(() => CallExplanationType, {
    description:
      'Explains what becomes of a call: whether it rings, leaves through a gateway or is refused, in the order in which the SIP server decides, and the INVITEs that it sends. Either `from` and `to` are given, or a `call` on record. Limits of requests are not considered.',
  })
  async explainCall(
    @Args(() => CallEndsArgs) args: CallEndsArgs,
    @Ctx() context: Context,
  ): Promise<CallExplanationType> {
    const { session } = context;
    const { from, to, at } = args;
    const source = args.sourceAddress ?? undefined;
    const { callDiagnosis, pastDiagnosis, calls } = session.read;
    const { model } = session.shared;
    if (typeof args.call === 'string') {
      const other = (['from', 'to', 'sourceAddress', 'at'] as const).find(
        (name) => (args[name] ?? undefined) !== undefined,
      );
      if (other !== undefined) throw InvalidInputError.of(other, 'does not go together with call');
      const { call, attempts } = await recordedCall(args.call, calls);
      const explained = await context.explain(() => pastDiagnosis.explainRecorded(model, call, attempts));
      return toPastCallExplanation(pastOf(explained, session));
    }
    if (typeof from !== 'string') throw InvalidInputError.of('from', 'is missing, and so is call');
    if (typeof to !== 'string') throw InvalidInputError.of('to', 'is missing');
    if (!at) return toCallExplanation(await context.explain(() => callDiagnosis.explain(from, to, source)));
    const past = await context.explain(() => pastDiagnosis.call(model, { from, to, source }, at.getTime()));
    return toPastCallExplanation(pastOf(past, session));
  }

  @Query(() => NumberHealthCountsType, {
    description:
      'Counts DIDs and Numbers by the verdict of explainNumber, in creation order. Examines at most 20,000 numbers; to count all, continue after `endCursor` while `hasNextPage` is true.',
  })
  async numberHealthCounts(
    @Arg('after', () => String, { nullable: true, description: 'Examine only numbers after this cursor.' })
    after: string | null | undefined,
    @Args(() => ScopeArgs) scope: ScopeArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NumberHealthCountsType> {
    const most = asksFor('causes', info) ? MAX_PAGE : 0;
    return toHealthCounts(await session.read.diagnosis.counts(rowIdIn(after), withoutNulls(scope), most));
  }

  @Query(() => NumberFlowsType, {
    description:
      'Sums up DIDs and Numbers by their gateway, what they lead to, and the verdict of explainNumber, in creation order. Examines at most 20,000 numbers; for others, continue after `endCursor` while `hasNextPage` is true.',
  })
  async numberFlows(
    @Args(() => FlowArgs) { after, first, by, ...args }: FlowArgs,
    @Ctx() { session }: Context,
  ): Promise<NumberFlowsType> {
    const most = first ?? DEFAULT_ENDS;
    if (most < 1 || most > MAX_ENDS)
      throw InvalidInputError.of('first', `${String(most)} is not a number from 1 to ${String(MAX_ENDS)}`);
    const query = { ...withoutNulls(args), most, by: by ?? undefined };
    return toNumberFlows(await session.read.diagnosis.flows(rowIdIn(after), query));
  }

  @Query(() => healthConnection, {
    description:
      'The verdict of explainNumber on all DIDs and Numbers, in creation order. A DID and a Number with the same digits at two gateways have a verdict each, on calls from their gateway; explainNumber explains one of them, an enabled one before a disabled one. With `states`, a page examines at most 2,000 numbers. It can then have fewer items than requested, or none, although `hasNextPage` is true: continue after `endCursor`. `totalCount` then examines all numbers.',
  })
  async numberHealth(
    @Args(() => PageArgs) pageArgs: PageArgs,
    @Args(() => HealthArgs) args: HealthArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<NumberHealthType>> {
    const { diagnosis } = session.read;
    const range = rangeOf(pageArgs);
    const query = withoutNulls(args);
    const [page, count] = await Promise.all([
      diagnosis.page(range, query),
      asksFor('totalCount', info) ? diagnosis.count(query) : undefined,
    ]);
    return new HealthConnection(page, range, count);
  }
}

/** The causes among numbers that were counted. */
@Resolver(() => NumberHealthCountsType)
export class CausesResolver {
  @FieldResolver(() => [NumberHealthCauseType], {
    description:
      'Why the examined numbers do not ring, by what has to be mended: first what concerns the most numbers. To sum up several parts, add those with the same state, and the same domain, or else the same gateway, address of record, host or digits of `first`.',
  })
  async causes(
    @Root() { causes: found }: NumberHealthCountsType,
    @Arg('first', () => Int, {
      nullable: true,
      description: `Return the first causes: 1 to ${String(MAX_PAGE)}. The default is ${String(DEFAULT_PAGE)}.`,
    })
    first: number | null | undefined,
    @Ctx() { session }: Context,
  ): Promise<readonly NumberHealthCauseType[]> {
    const causes = found.slice(0, rangeOf({ first: first ?? null }).limit);
    const verdicts = await session.read.diagnosis.verdicts(causes.map((cause) => cause.first));
    // A number may have been deleted meanwhile.
    return causes.flatMap((cause) => {
      const facts = verdicts.get(cause.first);
      return facts ? [toNumberHealthCause(cause, facts)] : [];
    });
  }
}

/**
 * A page of verdicts. A search by state may stop before the page is full. The cursor from which paging continues is
 * then the position where the search stopped.
 */
class HealthConnection extends Connection<NumberHealthType> {
  constructor(
    private readonly looked: HealthPage,
    range: Range,
    count: number | undefined,
  ) {
    super({ items: looked.items.map(toNumberHealth), more: looked.more }, range, count);
  }

  override get pageInfo(): PageInfo {
    const page = super.pageInfo;
    if (this.looked.end === undefined) return page;
    const end = CREATION_CURSORS.write({ rowId: this.looked.end });
    return Object.assign(page, { [this.range.backwards ? 'startCursor' : 'endCursor']: end });
  }
}
