import { Field, InterfaceType, ObjectType, registerEnumType } from 'type-graphql';

import type { AddressFacts, Facts } from '../../sip/diagnosis/facts';
import type { Step, StepState } from '../../sip/diagnosis/steps';

const STEP_STATES: Readonly<Record<StepState, { readonly description: string }>> = {
  OK: { description: 'The link works.' },
  MISSING: { description: 'The resource does not exist.' },
  NOT_REGISTERED: { description: 'The device or gateway exists but is not registered.' },
  EXPIRED: { description: 'The registration has expired.' },
  FORBIDDEN: { description: 'The registration is rejected, or the agent does not belong to the domain.' },
  AMBIGUOUS: { description: 'Several numbers match.' },
  NOT_NEEDED: { description: 'The resource does not exist, but the call does not need it.' },
};
/** The GraphQL enum of the states of links. */
const StepStateEnum = Object.fromEntries(Object.keys(STEP_STATES).map((state) => [state, state]));
registerEnumType(StepStateEnum, {
  name: 'StepState',
  description: 'The state of a link in the path of a call.',
  valuesConfig: STEP_STATES,
});

/** The GraphQL interface of a link in the path of a call. */
@InterfaceType('ExplanationStep', { description: 'A link in the path of a call.' })
export abstract class ExplanationStep {
  @Field(() => StepStateEnum, { description: 'The state of the link.' })
  readonly state: string;

  @Field(() => String, { description: 'A description of the state.' })
  readonly summary: string;

  @Field(() => String, {
    nullable: true,
    description:
      'If the number, domain or user name does not exist: an existing one that differs by one character; null if there is none.',
  })
  readonly suggestion: string | null;

  constructor({ state, summary, suggestion }: Step) {
    this.state = state;
    this.summary = summary;
    this.suggestion = suggestion ?? null;
  }
}

/** A link that only the path of a call to a number has. */
abstract class StepOfNumber extends ExplanationStep {
  constructor(
    step: Step,
    /** Undefined if the number does not exist. */
    readonly facts: Facts | undefined,
  ) {
    super(step);
  }
}

/** A link that the path of a call to an address of record has, too. */
abstract class StepOfAddress extends ExplanationStep {
  constructor(
    step: Step,
    readonly facts: AddressFacts,
  ) {
    super(step);
  }
}

@ObjectType({ implements: ExplanationStep, description: 'The called number.' })
export class NumberStep extends StepOfNumber {}

@ObjectType({ implements: ExplanationStep, description: 'The gateway through which calls to the number arrive.' })
export class GatewayStep extends StepOfNumber {}

@ObjectType({
  implements: ExplanationStep,
  description: 'The address of record to which calls to the number are routed.',
})
export class AorStep extends StepOfAddress {
  @Field(() => String, { description: 'The address of record, as a SIP URI.' })
  get aorLink(): string {
    return this.facts.aorLink;
  }
}

@ObjectType({ implements: ExplanationStep, description: 'The domain of the address of record.' })
export class DomainStep extends StepOfAddress {}

@ObjectType({ implements: ExplanationStep, description: 'The agent or peer that the address of record names.' })
export class TargetStep extends StepOfAddress {}

@ObjectType({ implements: ExplanationStep, description: 'The devices that ring.' })
export class ContactsStep extends StepOfAddress {}

const STEPS_OF_NUMBER = { number: NumberStep, gateway: GatewayStep };
const STEPS_OF_ADDRESS = { aor: AorStep, domain: DomainStep, target: TargetStep, contacts: ContactsStep };

/** The links in the path of a call to a number. */
export function numberSteps(steps: readonly Step[], facts: Facts | undefined): readonly ExplanationStep[] {
  return steps.flatMap((step) => {
    if (step.of === 'number' || step.of === 'gateway') return [new STEPS_OF_NUMBER[step.of](step, facts)];
    // Only a number that exists has further links.
    return facts ? addressSteps([step], facts) : [];
  });
}

/** The links in the path of a call to an address of record. */
export function addressSteps(steps: readonly Step[], facts: AddressFacts): readonly ExplanationStep[] {
  return steps.flatMap((step) =>
    step.of === 'number' || step.of === 'gateway' ? [] : [new STEPS_OF_ADDRESS[step.of](step, facts)],
  );
}
