import { ArgsType, Field } from 'type-graphql';

import type { HealthQuery } from '../../sip/diagnosis/number-diagnosis';
import type { NumberState } from '../../sip/diagnosis/facts';
import type { ScopeQuery } from '../../sip/diagnosis/number-scope';
import { NumberStateEnum } from './diagnosis-states';

/** The arguments that say which numbers to examine. */
@ArgsType()
export class ScopeArgs {
  @Field(() => String, { nullable: true, description: 'Examine only numbers of the Gateway with this reference.' })
  gatewayRef?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Examine only numbers that lead to the Agent with this reference, in any of its domains.',
  })
  agentRef?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Examine only numbers that lead to the Peer with this reference.',
  })
  peerRef?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Examine only numbers whose address of record is in the Domain with this reference.',
  })
  domainRef?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Examine only numbers that lead to this address of record, for example `sip:1001@sip.local`.',
  })
  addressOfRecord?: string | null;
}

/** The arguments that say which numbers to list. */
@ArgsType()
export class HealthArgs extends ScopeArgs {
  @Field(() => [NumberStateEnum], { nullable: true, description: 'Return only numbers in one of these states.' })
  states?: readonly NumberState[] | null;
}

/** The numbers that arguments select. An argument that is null selects all. */
export function queryOf({ states, ...scope }: HealthArgs): HealthQuery {
  return { states: states ?? undefined, ...scopeQueryOf(scope) };
}

/** `queryOf` without states. */
export function scopeQueryOf(args: ScopeArgs): ScopeQuery {
  return {
    gatewayRef: args.gatewayRef ?? undefined,
    agentRef: args.agentRef ?? undefined,
    peerRef: args.peerRef ?? undefined,
    domainRef: args.domainRef ?? undefined,
    addressOfRecord: args.addressOfRecord ?? undefined,
  };
}
