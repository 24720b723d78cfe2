import { Field, ObjectType, createUnionType } from 'type-graphql';

import type { Facts } from '../../diagnosis/facts';
import type { Explanation } from '../../diagnosis/number-diagnosis';
import { stepsOf, summaryOf } from '../../diagnosis/steps';
import { Did, TelephoneNumber } from '../../model/number';
import { KindEnum } from '../resources/object-types';
import { NumberStateEnum } from './diagnosis-states';
import { ExplanationStep, STEPS } from './explanation-steps';

export const PhoneNumber = createUnionType({
  name: 'PhoneNumber',
  description: 'A DID or a Number.',
  types: () => [Did, TelephoneNumber] as const,
});

/** The GraphQL type of an explanation. */
@ObjectType({ description: 'Explains why a number rings or does not.' })
export class NumberExplanation {
  constructor(
    /** As given in the query. */
    telUrl: string,
    private readonly explanation: Explanation,
  ) {
    this.telUrl = telUrl;
  }

  @Field(() => String, { description: 'The number as given in the query.' })
  readonly telUrl: string;

  @Field(() => String, { description: 'The digits of the number, by which the SIP server routes calls.' })
  get digits(): string {
    return this.explanation.digits;
  }

  @Field(() => NumberStateEnum, { description: 'The verdict: the first broken link.' })
  get state(): string {
    return this.explanation.state;
  }

  @Field(() => Boolean, { description: 'Whether a call reaches a device.' })
  get reachable(): boolean {
    return this.explanation.state === 'REACHABLE';
  }

  @Field(() => String, { description: 'A description of the first broken link, and how to fix it.' })
  get summary(): string {
    return summaryOf(this.explanation.steps);
  }

  @Field(() => [ExplanationStep], {
    description:
      'The links in the path of a call: number, gateway, address of record, domain, target and devices. Links after a broken one are included.',
  })
  get steps(): readonly ExplanationStep[] {
    return this.explanation.steps.map((step) => new STEPS[step.of](step, this.explanation.facts));
  }

  get facts(): Facts | undefined {
    return this.explanation.facts;
  }
}

/** The GraphQL type of the verdict on one number. */
@ObjectType({ description: 'Whether a number rings.' })
export class NumberHealth {
  constructor(readonly facts: Facts) {}

  /** The row id, for the cursor. */
  get rowId(): number {
    return this.facts.rowId;
  }

  @Field(() => NumberStateEnum, { description: 'The verdict: the first broken link.' })
  get state(): string {
    return this.facts.state;
  }

  @Field(() => Boolean, { description: 'Whether a call reaches a device.' })
  get reachable(): boolean {
    return this.facts.state === 'REACHABLE';
  }

  @Field(() => String, {
    description: 'A description of the first broken link. `explainNumber` also suggests corrections.',
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

  @Field(() => String, { description: 'The address of record to which calls to the number are routed.' })
  get aorLink(): string {
    return this.facts.aorLink;
  }
}
