import { Field, InterfaceType, ObjectType } from 'type-graphql';

import type { Facts } from '../../diagnosis/facts';
import type { Step } from '../../diagnosis/steps';
import { StepStateEnum } from './diagnosis-states';

/** The GraphQL interface of a link in the path of a call. */
@InterfaceType('ExplanationStep', { description: 'A link in the path of a call.' })
export abstract class ExplanationStep {
  @Field(() => StepStateEnum, { description: 'The state of the link.' })
  readonly state: string;

  @Field(() => String, { description: 'A description of the state.' })
  readonly summary: string;

  constructor(
    { state, summary }: Step,
    /** Undefined if the number does not exist. */
    readonly facts: Facts | undefined,
  ) {
    this.state = state;
    this.summary = summary;
  }
}

@ObjectType({ implements: ExplanationStep, description: 'The called number.' })
export class NumberStep extends ExplanationStep {}

@ObjectType({ implements: ExplanationStep, description: 'The gateway through which calls to the number arrive.' })
export class GatewayStep extends ExplanationStep {}

@ObjectType({
  implements: ExplanationStep,
  description: 'The address of record to which calls to the number are routed.',
})
export class AorStep extends ExplanationStep {
  @Field(() => String, { description: 'The address of record, as a SIP URI.' })
  get aorLink(): string {
    return this.facts?.aorLink ?? '';
  }
}

@ObjectType({ implements: ExplanationStep, description: 'The domain of the address of record.' })
export class DomainStep extends ExplanationStep {}

@ObjectType({ implements: ExplanationStep, description: 'The agent or peer that the address of record names.' })
export class TargetStep extends ExplanationStep {}

@ObjectType({ implements: ExplanationStep, description: 'The devices that ring.' })
export class ContactsStep extends ExplanationStep {}

/** The type of each step. */
export const STEPS = {
  number: NumberStep,
  gateway: GatewayStep,
  aor: AorStep,
  domain: DomainStep,
  target: TargetStep,
  contacts: ContactsStep,
};
