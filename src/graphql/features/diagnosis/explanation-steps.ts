import { Field, InterfaceType, ObjectType } from 'type-graphql';

import type { PastCall } from '../../../history/past/past-diagnosis';
import type { Then } from '../../../history/past/past-resources';
import type { CallStep } from '../../../sip/diagnosis/calls/call-steps';
import type { AddressFacts, Facts } from '../../../sip/diagnosis/facts';
import { brokenOf, type Step, type StepState } from '../../../sip/diagnosis/steps';
import { enumOf } from '../../schema/type-tables';

const StepStateEnum = enumOf<StepState>('StepState', 'The state of a link in the path of a call.', {
  OK: 'The link works.',
  MISSING: 'The resource does not exist.',
  DISABLED: 'The resource is disabled.',
  DRAINING: 'The gateway takes no new calls.',
  NOT_REGISTERED: 'The device or gateway exists but is not registered.',
  EXPIRED: 'The registration has expired.',
  FORBIDDEN:
    'The registration is rejected, the agent does not belong to the domain, or the SIP server does not accept the call.',
  AMBIGUOUS: 'Several numbers match.',
  UNKNOWN:
    'Only the SIP server knows, because it depends on the address of a host name. For an earlier time: also if it is not known what was then.',
  NOT_NEEDED: 'The resource does not exist, but the call does not need it.',
});

/** The GraphQL interface of a link in the path of a call, with the rows of its resources; undefined if there are none. */
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

  @Field(() => Boolean, { description: 'Whether this is the first link that does not work.' })
  readonly broken: boolean;

  readonly facts: Facts | undefined;
  readonly address: AddressFacts | undefined;
  readonly gatewayId: number | undefined;
  readonly routeId: number | undefined;

  constructor(
    protected readonly step: Omit<CallStep, 'of'>,
    broken: boolean,
    /** The resources as they were; undefined for the present. */
    readonly past?: readonly Then[],
  ) {
    this.state = step.state;
    this.summary = step.summary;
    this.suggestion = step.suggestion ?? null;
    this.broken = broken;
    this.facts = step.facts;
    this.address = step.address;
    this.gatewayId = step.gatewayId;
    this.routeId = step.routeId;
  }
}

type StepType = new (...given: ConstructorParameters<typeof ExplanationStep>) => ExplanationStep;

/** Declares the type of a link that has only the fields of the interface. */
function stepOf(name: string, description: string): StepType {
  const type = class extends ExplanationStep {};
  ObjectType(name, { implements: ExplanationStep, description })(type);
  return type;
}

@ObjectType({
  implements: ExplanationStep,
  description: 'The address of record to which calls to the number are routed.',
})
class AorStep extends ExplanationStep {
  @Field(() => String, {
    description:
      'The address of record, as a SIP URI; or an outside number, as a tel URI, if a target of the number is one.',
  })
  get aorLink(): string {
    return this.step.aorLink ?? this.address?.aorLink ?? '';
  }
}

/** The GraphQL types of the links. */
export const STEPS = {
  source: stepOf('SourceStep', 'Where a call from outside comes from.'),
  caller: stepOf('CallerStep', 'The agent or peer that calls.'),
  access: stepOf('AccessStep', "The access control list of the caller's or the called user's domain."),
  route: stepOf('RouteStep', "What the caller's domain does with calls that nobody here answers."),
  limit: stepOf(
    'LimitStep',
    'The limits of calls of an agent, a domain or a gateway, with the calls in progress at that time.',
  ),
  number: stepOf('NumberStep', 'The called number.'),
  gateway: stepOf(
    'GatewayStep',
    'The gateway through which calls to the number arrive, or through which the call leaves.',
  ),
  aor: AorStep,
  domain: stepOf('DomainStep', 'The domain of the address of record.'),
  target: stepOf('TargetStep', 'The agent or peer that the address of record names.'),
  contacts: stepOf('ContactsStep', 'The devices that ring.'),
} satisfies Record<CallStep['of'], StepType>;

/** The links in the path of a call. */
export function explanationSteps(
  steps: readonly CallStep[],
  broken: CallStep | undefined = brokenOf(steps),
  past?: readonly Then[],
): readonly ExplanationStep[] {
  return steps.map((step) => new STEPS[step.of](step, step === broken, past));
}

/** The links in the path of a call to a number. Only a number that exists has further links. */
export function numberSteps(steps: readonly CallStep[], facts: Facts | undefined): readonly ExplanationStep[] {
  return explanationSteps(steps.map((step) => ofNumber(step, facts)));
}

/** The links in the path of a call to a number at an earlier time. */
export function pastNumberSteps(
  steps: readonly CallStep[],
  facts: Facts | undefined,
  { broken, resources }: { readonly broken: CallStep | undefined; readonly resources: readonly Then[] },
): readonly ExplanationStep[] {
  const all = steps.map((step) => ofNumber(step, facts));
  return pastCallSteps({ steps: all, broken: broken && all[steps.indexOf(broken)], resources });
}

/** A link with the rows of a number: those of the first target, unless it is about a further one. */
function ofNumber(step: CallStep, facts: Facts | undefined): CallStep {
  return { ...step, facts, address: step.address ?? facts, gatewayId: step.gatewayId ?? facts?.gatewayId };
}

/** The links in the path of a call at an earlier time. The devices that are registered now do not belong to it. */
export function pastCallSteps({
  steps,
  broken,
  resources,
}: Pick<PastCall, 'broken' | 'resources'> & { readonly steps: readonly CallStep[] }): readonly ExplanationStep[] {
  const all = steps.map((step) => (step.of === 'contacts' ? { ...step, address: undefined } : step));
  return explanationSteps(all, broken && all[steps.indexOf(broken)], resources);
}

/** The links in the path of a call to an address of record. */
export function addressSteps(steps: readonly Step[], address: AddressFacts): readonly ExplanationStep[] {
  return explanationSteps(steps.map((step) => ({ ...step, address })));
}
