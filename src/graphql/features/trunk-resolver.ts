import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  Float,
  GraphQLISODateTime,
  Info,
  Int,
  Query,
  Resolver,
  Root,
} from 'type-graphql';

import { Gateway } from '../../model/gateway';
import type { Registration } from '../../sip/live/registration-reader';
import type { RefusedCaller, RefusedSource } from '../../sip/live/refused-callers';
import { TRUNK_STATES, type Trunk, type TrunkState } from '../../sip/live/trunk-reader';
import type { Context } from '../context';
import { type Connection, connectionOf, PAGE, rangeOf, readConnection } from '../schema/connection';
import { argsOf, enumOf, nullable, objectOf } from '../schema/type-tables';
import { loadByKey } from '../schema/loader';
import { linkTo } from '../schema/resource-link';
import { RegistrationType } from './live-types';

/** The GraphQL type of the state of a trunk. */
export const TrunkStateEnum = enumOf<TrunkState>(
  'TrunkState',
  'The state of a gateway that registers at its provider or, if it does not register, its health.',
  {
    REGISTERED: 'The provider granted a registration that has not expired.',
    REFUSED: 'The provider refused the last attempt.',
    UNREACHABLE: 'The provider did not respond to the last attempt.',
    EXPIRED: 'The registration has expired and was not renewed.',
    UNKNOWN: 'No attempt is recorded.',
    UP: 'The gateway does not register, and its host responds to OPTIONS.',
    DOWN: 'The gateway does not register, and its host does not respond to OPTIONS.',
  },
);

const TrunkType = objectOf(
  'Trunk',
  'A gateway that registers at its provider, or whose host is checked with OPTIONS.',
  {
    state: [TrunkStateEnum, 'The state of the registration, or of the host of a gateway that does not register.'],
    since: [
      nullable(GraphQLISODateTime),
      'When the registration was last granted or, for a trunk that is not registered, when its last registration ended; null if it was never granted. For a gateway that does not register, when its state began.',
    ],
  },
);

const TrunkCount = objectOf('TrunkCount', 'The number of trunks in a state.', {
  state: [TrunkStateEnum, 'The state.'],
  count: [Int, 'The number of trunks.'],
  silent: [
    Int,
    'How many of them have a host that does not respond to OPTIONS. A registered trunk can be one of them.',
  ],
});
type TrunkCount = InstanceType<typeof TrunkCount>;

/** From where calls were refused, how many, and when. */
const REFUSALS = {
  ip: [nullable(String), 'The IP address of the caller; null for viewers.'],
  calls: [
    Float,
    'How many calls were refused. It may have been more, because the SIP server notes at most ten new addresses a second.',
  ],
  firstOn: [GraphQLISODateTime, 'When the first call was refused.'],
  lastOn: [GraphQLISODateTime, 'When the last call was refused.'],
} as const;

const RefusedCallerType = objectOf(
  'RefusedCaller',
  "An address from which calls to a gateway's numbers were refused, because it is neither the gateway's host nor one of its sources. The provider may have a network that is missing in `sources`.",
  {
    ...REFUSALS,
    digits: [String, 'The digits of the number that was called last.'],
  },
);

const RefusedSourceType = objectOf(
  'RefusedSource',
  'An address from which calls were refused, because it is that of no gateway, peer or registered user.',
  {
    ...REFUSALS,
    digits: [
      nullable(String),
      'The digits of the number that was called last; null if it is the number of no gateway.',
    ],
  },
);

const TrunkArgs = argsOf({
  ...PAGE,
  states: [nullable([TrunkStateEnum]), 'Return only trunks in one of these states.'],
  search: [
    nullable(String),
    "Return only trunks with this text in the gateway's name, host or user name, ignoring case.",
  ],
});
type TrunkArgs = InstanceType<typeof TrunkArgs>;

const trunkConnection = connectionOf('Trunk', TrunkType);

/** Queries for the gateways that register at their providers. */
@Resolver()
export class TrunkResolver {
  @Query(() => trunkConnection, {
    description:
      'The gateways that register at their providers, and those whose hosts are checked with OPTIONS, in any state, in creation order.',
  })
  async trunks(
    @Args(() => TrunkArgs) args: TrunkArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Trunk>> {
    const { trunks } = session.read;
    const range = rangeOf(args);
    const query = { states: args.states ?? undefined, search: args.search ?? undefined };
    return readConnection(info, range, trunks.page(range, query), () => trunks.count(query));
  }

  @Query(() => [RefusedCallerType], {
    description:
      'The addresses from which calls to numbers were refused in the last 30 days, newest first, at most 100. An address that is added to the sources of the gateway is no longer listed.',
  })
  refusedCallers(
    @Ctx() { session }: Context,
    @Arg('gatewayRef', () => String, { nullable: true, description: 'Return only those of this gateway.' })
    gatewayRef?: string | null,
  ): Promise<readonly RefusedCaller[]> {
    return session.read.refusedCallers.latest(gatewayRef ?? undefined);
  }

  @Query(() => [RefusedSourceType], {
    description:
      'Addresses that belong to no gateway, peer or user, and whose calls were refused in the last 30 days, newest first, at most 100. An address that is added to the sources of a gateway or a peer is no longer listed. An address that called numbers of several gateways is listed for each.',
  })
  refusedSources(@Ctx() { session }: Context): Promise<readonly RefusedSource[]> {
    return session.read.refusedCallers.sources();
  }

  @Query(() => [TrunkCount], { description: 'The number of trunks in each state.' })
  async trunkCounts(@Ctx() { session }: Context): Promise<readonly TrunkCount[]> {
    const counts = new Map((await session.read.trunks.counts()).map((each) => [each.state, each]));
    return TRUNK_STATES.map((state) => counts.get(state) ?? { state, count: 0, silent: 0 });
  }
}

/** The registration of a trunk. */
@Resolver(() => TrunkType)
class TrunkRegistration {
  @FieldResolver(() => RegistrationType, {
    nullable: true,
    description: 'The registration at the provider, or the result of the last attempt; null if no attempt is recorded.',
  })
  registration(
    @Root() { rowId }: Trunk,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Registration | undefined> {
    return loadByKey(context, info, rowId, (rowIds) => context.session.read.registrations.of(rowIds));
  }
}

/** The links from trunks and refused callers. */
export const trunkLinks = [
  TrunkRegistration,
  linkTo(
    TrunkType,
    'gateway',
    () => Gateway,
    'The gateway.',
    ({ rowId }: Trunk) => ({ kind: 'Gateway', rowId }),
    false,
  ),
  linkTo(
    RefusedCallerType,
    'gateway',
    () => Gateway,
    'The gateway whose number was called.',
    ({ rowId }: RefusedCaller) => ({ kind: 'Gateway', rowId }),
    false,
  ),
  linkTo(
    RefusedSourceType,
    'gateway',
    () => Gateway,
    'The gateway whose number was called; null if no gateway has it.',
    ({ rowId }: RefusedSource) => (rowId === null ? undefined : { kind: 'Gateway', rowId }),
  ),
];
