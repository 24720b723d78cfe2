import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import { destinations, type Destination } from '../../../model/format/destination';
import { Gateway } from '../../../model/gateway';
import { NOT_CHECKED, type GatewayHealth } from '../../../sip/live/health-reader';
import type { Context } from '../../context';
import { loadByKey } from '../../schema/loader';
import { entryTypeOf } from '../../schema/object-types';
import { GatewayHealthType } from '../live-types';

const { entries } = destinations;
if (!entries) throw new Error('destinations are no list of entries');
const DestinationType = entryTypeOf(entries);

/** A destination, with the gateway that has it. */
interface DestinationOf extends Destination {
  readonly gatewayId: number;
}

/** The destinations of a gateway, which know their gateway. */
@Resolver(() => Gateway)
export class DestinationsResolver {
  @FieldResolver()
  destinations(@Root() { rowId, destinations: stored }: Gateway): readonly DestinationOf[] | null {
    return stored?.map((each) => ({ ...each, gatewayId: rowId })) ?? null;
  }
}

/** The link from a destination to its health. */
@Resolver(() => DestinationType)
export class DestinationHealthResolver {
  @FieldResolver(() => GatewayHealthType, {
    description: 'Whether the destination responds to the OPTIONS that the SIP server sends.',
  })
  async health(
    @Root() destination: DestinationOf,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<GatewayHealth> {
    const { health } = context.session.read;
    const healthOf = await loadByKey(context, info, destination.gatewayId, (ids) => health.ofDestinations(ids));
    return healthOf?.(destination) ?? NOT_CHECKED;
  }
}
