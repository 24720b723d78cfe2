import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';

import type { Resource } from '../../../model/kind';
import { Did, TelephoneNumber } from '../../../model/number';
import type { Facts } from '../../../sip/diagnosis/facts';
import type { Context } from '../../context';
import { unionNamed } from '../../schema/object-types';
import { linkTo } from '../../schema/resource-link';
import { rowField } from '../../schema/row-field';
import { agentOrPeer } from './diagnosis-links';

@ObjectType({ description: 'Whom calls to a number reach.' })
class NumberTarget {
  @Field(() => String, {
    description: 'The address of record, as a SIP URI; or the outside number, as a tel URI.',
  })
  target!: string;

  @Field(() => Int, { description: 'Targets of one order ring together; the first is 1.' })
  order!: number;

  @Field(() => Int, {
    description:
      'For how many seconds those of the order before ring without an answer until it rings; 0 for the first order.',
  })
  seconds!: number;

  readonly agentId!: number | null;
  readonly peerId!: number | null;
}

function targetsOf(facts: Facts): NumberTarget[] {
  const first = { target: facts.aorLink, order: 1, seconds: 0, agentId: facts.agentId, peerId: facts.peerId };
  const targets = [first];
  for (const { target, after, address } of facts.targets) {
    const { order, seconds } = targets.at(-1) ?? first;
    targets.push({
      target,
      order: after === 0 ? order : order + 1,
      seconds: after === 0 ? seconds : after,
      agentId: address?.agentId ?? null,
      peerId: address?.peerId ?? null,
    });
  }
  return targets;
}

/** The link from a number to its targets. */
function targetsLink(type: typeof Did | typeof TelephoneNumber): new () => object {
  const load = rowField(type, 'targets', ({ diagnosis }, rowIds) => diagnosis.verdicts(rowIds));

  @Resolver(() => type)
  class TargetsLink {
    @FieldResolver(() => [NumberTarget], {
      description: 'Whom calls to the number reach, in order: `aorLink`, and then `furtherTargets`.',
    })
    async targets(
      @Root() resource: Resource,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<readonly NumberTarget[]> {
      const facts = await load(resource, context, info);
      return facts ? targetsOf(facts) : [];
    }
  }
  return TargetsLink;
}

/** The resolvers of the targets of numbers. */
export const targetLinks = [
  targetsLink(Did),
  targetsLink(TelephoneNumber),
  linkTo(
    NumberTarget,
    'resource',
    () => unionNamed('Target'),
    { nullable: true, description: 'The agent or peer; null if there is none, or for an outside number.' },
    agentOrPeer,
  ),
];
