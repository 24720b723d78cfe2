import { Field, InterfaceType, ObjectType, createUnionType, registerEnumType } from 'type-graphql';

import { NUMBER_STATES, type Facts, type NumberState } from '../../diagnosis/facts';
import type { Explanation } from '../../diagnosis/number-diagnosis';
import { stepsOf, summaryOf, type Step, type StepState } from '../../diagnosis/steps';
import { Did, TelephoneNumber } from '../../model/number';
import { KindEnum } from '../resources/object-types';

const NumberStateEnum = Object.fromEntries(NUMBER_STATES.map((state) => [state, state]));
registerEnumType(NumberStateEnum, {
  name: 'NumberState',
  description: 'What happens to a call to a number: the first broken link of its chain.',
  valuesConfig: {
    MISSING: { description: 'There is no such number.' },
    AMBIGUOUS: { description: 'Several numbers have the same digits, but other targets or spellings.' },
    GATEWAY_NOT_REGISTERED: {
      description: 'The gateway is not registered: its provider did not answer, or was not asked.',
    },
    GATEWAY_EXPIRED: { description: "The gateway's registration has ended, and was not renewed." },
    GATEWAY_REFUSED: { description: "The provider refuses the gateway's registration." },
    DOMAIN_MISSING: { description: 'There is no domain of the host that aorLink names.' },
    TARGET_FORBIDDEN: { description: 'The agent that aorLink names is not in that domain, but in another one.' },
    TARGET_MISSING: { description: 'There is neither an agent nor a peer of the name in aorLink.' },
    NOT_REGISTERED: { description: 'The agent or peer has no device registered.' },
    EXPIRED: { description: "The registrations of the agent's or peer's devices have ended." },
    REACHABLE: { description: 'A call rings at least one device.' },
  } satisfies Record<NumberState, { description: string }>,
});

const STEP_STATES: Readonly<Record<StepState, { readonly description: string }>> = {
  OK: { description: 'The link holds.' },
  MISSING: { description: 'It does not exist.' },
  NOT_REGISTERED: { description: 'It exists and is not registered.' },
  EXPIRED: { description: 'Its registration has ended.' },
  FORBIDDEN: { description: 'It is refused, or not allowed here.' },
  AMBIGUOUS: { description: 'There is more than one.' },
  NOT_NEEDED: { description: 'It does not exist and is not needed.' },
};
const StepStateEnum = Object.fromEntries(Object.keys(STEP_STATES).map((state) => [state, state]));
registerEnumType(StepStateEnum, {
  name: 'StepState',
  description: 'How a link of the chain is.',
  valuesConfig: STEP_STATES,
});

export const PhoneNumber = createUnionType({
  name: 'PhoneNumber',
  description: 'A DID or a Number.',
  types: () => [Did, TelephoneNumber] as const,
});

/** A link of the chain in the graph. */
@InterfaceType('ExplanationStep', { description: 'A link of the chain that a call takes.' })
export abstract class ExplanationStep {
  @Field(() => StepStateEnum, { description: 'How the link is.' })
  readonly state: string;

  @Field(() => String, { description: 'The same in words.' })
  readonly summary: string;

  constructor(
    { state, summary }: Step,
    /** Undefined where there is no such number. */
    readonly facts: Facts | undefined,
  ) {
    this.state = state;
    this.summary = summary;
  }
}

@ObjectType({ implements: ExplanationStep, description: 'The number that is called.' })
export class NumberStep extends ExplanationStep {}

@ObjectType({ implements: ExplanationStep, description: 'The gateway that calls to the number come through.' })
export class GatewayStep extends ExplanationStep {}

@ObjectType({ implements: ExplanationStep, description: 'Where calls to the number go.' })
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

const STEPS = {
  ...{ number: NumberStep, gateway: GatewayStep, aor: AorStep },
  ...{ domain: DomainStep, target: TargetStep, contacts: ContactsStep },
};

/** An explanation in the graph. */
@ObjectType({ description: 'Why a number rings, or does not.' })
export class NumberExplanation {
  constructor(
    /** As it was asked for. */
    telUrl: string,
    private readonly explanation: Explanation,
  ) {
    this.telUrl = telUrl;
  }

  @Field(() => String, { description: 'The number as it was asked for.' })
  readonly telUrl: string;

  @Field(() => String, { description: 'Its digits, by which a SIP server finds it.' })
  get digits(): string {
    return this.explanation.digits;
  }

  @Field(() => NumberStateEnum, { description: 'The verdict: the first link that is broken.' })
  get state(): string {
    return this.explanation.state;
  }

  @Field(() => Boolean, { description: 'Whether a call reaches a device.' })
  get reachable(): boolean {
    return this.explanation.state === 'REACHABLE';
  }

  @Field(() => String, { description: 'The first broken link, in words to act on.' })
  get summary(): string {
    return summaryOf(this.explanation.steps);
  }

  @Field(() => [ExplanationStep], {
    description:
      'The chain of a call: number, gateway, address of record, domain, target, devices, including the links after a broken one.',
  })
  get steps(): readonly ExplanationStep[] {
    return this.explanation.steps.map((step) => new STEPS[step.of](step, this.explanation.facts));
  }

  get facts(): Facts | undefined {
    return this.explanation.facts;
  }
}

/** The verdict on one number in the graph. */
@ObjectType({ description: 'Whether a number rings.' })
export class NumberHealth {
  constructor(readonly facts: Facts) {}

  /** For the cursor. */
  get rowId(): number {
    return this.facts.rowId;
  }

  @Field(() => NumberStateEnum, { description: 'The verdict: the first link of the chain that is broken.' })
  get state(): string {
    return this.facts.state;
  }

  @Field(() => Boolean, { description: 'Whether a call reaches a device.' })
  get reachable(): boolean {
    return this.facts.state === 'REACHABLE';
  }

  @Field(() => String, {
    description: 'The first broken link, in words. explainNumber also suggests what may have been meant.',
  })
  get summary(): string {
    return summaryOf(stepsOf(this.facts));
  }

  @Field(() => KindEnum, { description: 'Whether it is a DID or a Number.' })
  get kind(): string {
    return this.facts.kind;
  }

  @Field(() => String, { description: "The number's reference." })
  get ref(): string {
    return this.facts.ref;
  }

  @Field(() => String, { description: 'The number, as a tel URI.' })
  get telUrl(): string {
    return this.facts.telUrl;
  }

  @Field(() => String, { description: 'The address of record that calls to the number go to.' })
  get aorLink(): string {
    return this.facts.aorLink;
  }
}

export { NumberStateEnum };
