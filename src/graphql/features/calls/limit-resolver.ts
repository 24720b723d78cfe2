import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';

import type { Kind, Resource } from '../../../model/kind';
import type { LimitOwner, LiveLimits, UsedMinutes } from '../../../sip/calls/limit-reader';
import type { Context } from '../../context';
import { rowField } from '../../schema/row-field';

@ObjectType('UsedMinutes', { description: 'Minutes a day (UTC) to numbers that begin with a prefix.' })
class UsedMinutesType implements UsedMinutes {
  @Field(() => String, { description: 'What the dialed number begins with.' })
  prefix!: string;

  @Field(() => Int, { description: 'How many minutes may be used in a day.' })
  minutes!: number;

  @Field(() => Int, { description: "How many seconds of today's are used by calls that have ended." })
  usedSeconds!: number;
}

@ObjectType('CallLimits', { description: 'How many calls are in progress, beside how many may be.' })
class CallLimitsType {
  @Field(() => Int, {
    description: 'The recorded calls in progress that count, of all nodes of the SIP server, including ringing calls.',
  })
  calls!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'How many may be; null for no limit of its own: that of the SIP server applies, if there is one.',
  })
  maxCalls!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many may begin in each second; null for no limit.',
  })
  maxCallsPerSecond!: number | null;

  @Field(() => [UsedMinutesType], { description: 'Minutes a day by prefix; empty for no limit.' })
  dailyMinutes!: readonly UsedMinutes[];
}

/** Creates the resolver for the limits of a kind. */
export function createLimitsResolver(kind: Kind, owner: LimitOwner): new () => object {
  const load = rowField(kind.class, 'limits', ({ limits }, rowIds) => limits.of(owner, rowIds));

  @Resolver(() => kind.class)
  class LimitsResolver {
    @FieldResolver(() => CallLimitsType, {
      nullable: true,
      description: `The calls in progress that count for the limits of the ${kind.name}; null if it was deleted meanwhile.`,
    })
    limits(
      @Root() resource: Resource,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<LiveLimits | undefined> {
      return load(resource, context, info);
    }
  }
  return LimitsResolver;
}
