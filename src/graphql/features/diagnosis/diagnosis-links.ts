import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import { Domain } from '../../../model/domain';
import { writeAddressOfRecord } from '../../../model/format/address-of-record';
import { Gateway } from '../../../model/gateway';
import type { Resource } from '../../../model/kind';
import { TelephoneNumber } from '../../../model/number';
import { Route } from '../../../model/route';
import type { PastNumber } from '../../../history/past/past-diagnosis';
import { hasSome, NUMBERS, type Then } from '../../../history/past/past-resources';
import type { AddressFacts, Facts } from '../../../sip/diagnosis/facts';
import type { Contact } from '../../../sip/live/contact';
import type { Registration } from '../../../sip/live/registration-reader';
import type { Context } from '../../context';
import { loadByKey } from '../../schema/loader';
import { selectionOf } from '../../schema/look-ahead';
import { unionNamed } from '../../schema/object-types';
import { linkTo, resourceOfThen, type ResourceKey } from '../../schema/resource-link';
import { CallAttempt, CallExplanationType } from './call-types';
import {
  NumberExplanationType,
  NumberFlowType,
  NumberHealthType,
  NumberHealthCauseType,
  PhoneNumber,
} from './diagnosis-types';
import { STEPS, type ExplanationStep } from './explanation-steps';
import { pastFields, type PastOf } from './past-fields';
import { ContactType, RegistrationType } from '../live-types';

const MOST_OTHERS = 10;

/** Returns the DIDs and Numbers with these row ids, by row id. */
export async function numbers(
  { session }: Context,
  info: GraphQLResolveInfo,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, Resource>> {
  const found = await Promise.all(
    ['DID', 'Number']
      .map((name) => session.shared.model.kindOf(name))
      .map((kind) => session.read.resources.byRowIds(kind, rowIds, selectionOf(kind, info))),
  );
  return new Map(found.flatMap((some) => [...some]));
}

/** The agent or peer with one of these row ids. */
export function agentOrPeer({ agentId, peerId }: Pick<AddressFacts, 'agentId' | 'peerId'>): ResourceKey {
  return agentId === null ? { kind: 'Peer', rowId: peerId } : { kind: 'Agent', rowId: agentId };
}

@Resolver(() => STEPS.gateway)
class GatewayStepResolver {
  @FieldResolver(() => RegistrationType, {
    nullable: true,
    description:
      'The registration of the gateway at its provider; null if no attempt is recorded, and for an earlier time, of which `event` tells.',
  })
  async registration(
    @Root() { gatewayId, past }: ExplanationStep,
    @Ctx() { session }: Context,
  ): Promise<Registration | undefined> {
    return gatewayId === undefined || past
      ? undefined
      : (await session.read.registrations.of([gatewayId])).get(gatewayId);
  }
}

@Resolver(() => STEPS.contacts)
class ContactsStepResolver {
  @FieldResolver(() => [ContactType], { description: 'The devices that are currently registered.' })
  async contacts(@Root() { address }: ExplanationStep, @Ctx() { session }: Context): Promise<readonly Contact[]> {
    return address ? session.read.contacts.at(writeAddressOfRecord(address)) : [];
  }
}

/** The resolvers of the links from the steps of an explanation. */
const stepLinks = [
  GatewayStepResolver,
  ...[STEPS.domain, STEPS.access, STEPS.route].map((type) =>
    linkTo(
      type,
      'domain',
      () => Domain,
      'The domain; null if there is none.',
      ({ address, past }: ExplanationStep) => ({ kind: 'Domain', rowId: address?.domainId, past }),
    ),
  ),
  ...[STEPS.target, STEPS.caller].map((type) =>
    linkTo(
      type,
      'target',
      () => unionNamed('Target'),
      'The agent or peer; null if there is none.',
      ({ address, past }: ExplanationStep) => address && { ...agentOrPeer(address), past },
    ),
  ),
  linkTo(
    STEPS.route,
    'route',
    () => Route,
    'The route; null if the egress policy decides, or if the call does not leave.',
    ({ routeId: rowId, past }: ExplanationStep) => ({ kind: 'Route', rowId, past }),
  ),
  ContactsStepResolver,
];

/** What concerns a number, if it exists. */
interface OfNumber {
  readonly facts: Facts | undefined;
  readonly past?: readonly Then[] | undefined;
}

/** The link from a verdict to its number. */
function numberLink(type: new (...args: never[]) => object, nullable: boolean): new () => object {
  return linkTo(
    type,
    'number',
    () => PhoneNumber,
    'The DID or Number.',
    ({ facts, past }: OfNumber) => facts && { kind: facts.kind, rowId: facts.rowId, past },
    nullable,
  );
}

/** A verdict on a number, maybe of an earlier time. */
interface ExplainedNumber {
  readonly facts: Facts | undefined;
  readonly past?: PastOf<PastNumber> | undefined;
}

/** The other numbers that had the same digits. */
function othersThen(
  { kind, rowId, digits }: Facts,
  past: readonly Then[],
  context: Context,
  info: GraphQLResolveInfo,
): readonly Resource[] {
  return past
    .filter((each) => NUMBERS.includes(each.kind) && hasSome(each.values, [digits]))
    .filter((each) => each.kind !== kind || each.rowId !== rowId)
    .slice(0, MOST_OTHERS)
    .flatMap((each) => resourceOfThen(each, past, context, info) ?? []);
}

/** The link from a verdict to other numbers with the same digits. */
function otherLinks(type: new (...args: never[]) => object): new () => object {
  @Resolver(() => type)
  class OtherLinks {
    @FieldResolver(() => [PhoneNumber], { description: 'Other DIDs and Numbers with the same digits, at most ten.' })
    async others(
      @Root() { facts, past }: ExplainedNumber,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<readonly Resource[]> {
      if (!facts) return [];
      if (past) return othersThen(facts, past.explanation.resources, context, info);
      const found = await loadByKey(context, info, facts.rowId, async (ids) => {
        const others = await context.session.read.diagnosis.others(ids);
        const resources = await numbers(context, info, [...new Set([...others.values()].flat())]);
        const present = (id: number): readonly Resource[] => {
          const resource = resources.get(id);
          return resource ? [resource] : [];
        };
        return new Map([...others].map(([id, them]) => [id, them.flatMap(present)]));
      });
      return found ?? [];
    }
  }
  return OtherLinks;
}

/** The links of a flow, which lead to nothing if those that fewer numbers have are summed up. */
const flowLinks = [
  linkTo(
    NumberFlowType,
    'gateway',
    () => Gateway,
    'The gateway; null if those that fewer numbers have are summed up.',
    ({ flow }: NumberFlowType) => ({ kind: 'Gateway', rowId: flow.gatewayId }),
  ),
  linkTo(
    NumberFlowType,
    'domain',
    () => Domain,
    'The domain with this host; null if there is none.',
    ({ flow }: NumberFlowType) => ({ kind: 'Domain', rowId: flow.domainId }),
  ),
  linkTo(
    NumberFlowType,
    'target',
    () => unionNamed('Target'),
    'The agent or peer; null if there is none, or the end of the flow is a domain.',
    ({ flow }: NumberFlowType) => agentOrPeer(flow),
  ),
];

/** The resolvers of the links from verdicts to resources. */
export const diagnosisLinks = [
  ...stepLinks,
  ...flowLinks,
  linkTo(
    NumberHealthCauseType,
    'domain',
    () => Domain,
    'The domain, if none of its numbers has a registered device and they lead to several addresses of record; otherwise null.',
    ({ domainId }: NumberHealthCauseType) => ({ kind: 'Domain', rowId: domainId }),
  ),
  numberLink(STEPS.number, true),
  numberLink(NumberHealthType, false),
  otherLinks(NumberExplanationType),
  otherLinks(NumberHealthType),
  ...[STEPS.gateway, STEPS.source, CallAttempt].map((type) =>
    linkTo(
      type,
      'gateway',
      () => Gateway,
      'The gateway.',
      ({ gatewayId: rowId, past }: ExplanationStep | CallAttempt) => ({ kind: 'Gateway', rowId, past }),
    ),
  ),
  linkTo(
    NumberHealthType,
    'gateway',
    () => Gateway,
    'The gateway.',
    ({ facts }: NumberHealthType) => ({ kind: 'Gateway', rowId: facts.gatewayId }),
    false,
  ),
  linkTo(
    CallAttempt,
    'number',
    () => TelephoneNumber,
    'The number that is the caller; null for a call that rings.',
    ({ numberId, past }: CallAttempt) => ({ kind: 'Number', rowId: numberId, past }),
  ),
  pastFields(NumberExplanationType),
  pastFields(CallExplanationType),
];
