import { ArgsType, Field, GraphQLISODateTime, Int, ObjectType, registerEnumType } from 'type-graphql';

import { TRUNK_STATES, type TrunkState } from '../../sip/live/trunk-reader';
import { Gateway } from '../../model/gateway';
import { PageArgs } from '../schema/connection';
import { RegistrationType } from './live-types';

export const TrunkStateEnum = Object.fromEntries(TRUNK_STATES.map((state) => [state, state]));
registerEnumType(TrunkStateEnum, {
  name: 'TrunkState',
  description: 'The state of a gateway that registers at its provider.',
  valuesConfig: {
    REGISTERED: { description: 'The provider granted a registration that has not expired.' },
    REFUSED: { description: 'The provider refused the last attempt.' },
    UNREACHABLE: { description: 'The provider did not respond to the last attempt.' },
    EXPIRED: { description: 'The registration has expired and was not renewed.' },
    UNKNOWN: { description: 'No attempt is recorded.' },
  } satisfies Record<TrunkState, { description: string }>,
});

/** The GraphQL type of a trunk. */
@ObjectType('Trunk', {
  simpleResolvers: true,
  description: 'A gateway that registers at its provider. A gateway without credentials is identified by its address.',
})
export class TrunkType {
  @Field(() => Gateway, { description: 'The gateway.' })
  gateway!: Gateway;

  @Field(() => TrunkStateEnum, { description: 'The state of the registration.' })
  state!: string;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When the registration was last granted or, for a trunk that is not registered, when its last registration ended; null if it was never granted.',
  })
  since!: number | null;

  @Field(() => RegistrationType, {
    nullable: true,
    description: 'The registration at the provider, or the result of the last attempt; null if no attempt is recorded.',
  })
  registration!: RegistrationType | null;
}

/** The number of trunks in a state. */
@ObjectType('TrunkCount', { simpleResolvers: true, description: 'The number of trunks in a state.' })
export class TrunkCount {
  @Field(() => TrunkStateEnum, { description: 'The state.' })
  state!: TrunkState;

  @Field(() => Int, { description: 'The number of trunks.' })
  count!: number;
}

@ArgsType()
export class TrunkArgs extends PageArgs {
  @Field(() => [TrunkStateEnum], { nullable: true, description: 'Return only trunks in one of these states.' })
  states?: readonly TrunkState[] | null;

  @Field(() => String, {
    nullable: true,
    description: "Return only trunks with this text in the gateway's name, host or user name, ignoring case.",
  })
  search?: string | null;
}
