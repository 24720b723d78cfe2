import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import { Domain } from '../../../model/domain';
import { writeAddressOfRecord } from '../../../model/format/address-of-record';
import { Gateway } from '../../../model/gateway';
import type { Resource } from '../../../model/kind';
import { TelephoneNumber } from '../../../model/number';
import { Route } from '../../../model/route';
import type { AddressFacts, Facts } from '../../../sip/diagnosis/facts';
import type { Contact } from '../../../sip/live/contact';
import type { Registration } from '../../../sip/live/registration-reader';
import type { Context } from '../../context';
import { loadByKey } from '../../schema/loader';
import { selectionOf } from '../../schema/look-ahead';
import { unionNamed } from '../../schema/object-types';
import { CallAttempt, CallExplanationType } from './call-types';
import { NumberExplanation, NumberFlowType, NumberHealth, NumberHealthCause, PhoneNumber } from './diagnosis-types';
import {
  AccessStep,
  CallerStep,
  ContactsStep,
  DomainStep,
  GatewayStep,
  NumberStep,
  RouteStep,
  SourceStep,
  TargetStep,
} from './explanation-steps';
import { pastFields } from './past-fields';
import { ContactType, RegistrationType } from '../live-types';

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

/** Returns the resource of a kind with this row id; undefined for null. Calls for the objects of a list are batched. */
export function one(
  name: string,
  rowId: number | null,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  if (rowId === null) return Promise.resolve(undefined);
  const { shared, read } = context.session;
  const kind = shared.model.kindOf(name);
  return loadByKey(context, info, rowId, (ids) => read.resources.byRowIds(kind, ids, selectionOf(kind, info)));
}

/** Returns the agent or peer with one of these row ids; undefined for neither. Calls for the objects of a list are batched. */
export function agentOrPeer(
  { agentId, peerId }: { readonly agentId: number | null; readonly peerId: number | null },
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  if (agentId === null && peerId === null) return Promise.resolve(undefined);
  // One loader for both kinds, because it is made once for each field of the document.
  return loadByKey(context, info, agentId ?? -Number(peerId), async (keys) => {
    const { shared, read } = context.session;
    const ofKind = async (name: 'Agent' | 'Peer', sign: 1 | -1): Promise<readonly [number, Resource][]> => {
      const kind = shared.model.kindOf(name);
      const ids = keys.map((key) => key * sign).filter((id) => id > 0);
      const found = await read.resources.byRowIds(kind, ids, selectionOf(kind, info));
      return [...found].map(([id, resource]) => [id * sign, resource]);
    };
    return new Map((await Promise.all([ofKind('Agent', 1), ofKind('Peer', -1)])).flat());
  });
}

@Resolver(() => GatewayStep)
class GatewayStepResolver {
  @FieldResolver(() => RegistrationType, {
    nullable: true,
    description: 'The registration of the gateway at its provider; null if no attempt is recorded.',
  })
  async registration(
    @Root() { gatewayId }: GatewayStep,
    @Ctx() { session }: Context,
  ): Promise<Registration | undefined> {
    return gatewayId === undefined ? undefined : (await session.read.registrations.of([gatewayId])).get(gatewayId);
  }
}

/** A step of an explanation about an address of record. */
interface StepOfAddress {
  readonly address: AddressFacts | undefined;
}

/** The link from a step to its domain. */
function domainLink(type: new (...args: never[]) => StepOfAddress): new () => object {
  @Resolver(() => type)
  class DomainLink {
    @FieldResolver(() => Domain, { nullable: true, description: 'The domain; null if there is none.' })
    domain(
      @Root() { address }: StepOfAddress,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      return one('Domain', address?.domainId ?? null, context, info);
    }
  }
  return DomainLink;
}

/** The link from a step to its agent or peer. */
function targetLink(type: new (...args: never[]) => StepOfAddress): new () => object {
  @Resolver(() => type)
  class TargetLink {
    @FieldResolver(() => unionNamed('Target'), {
      nullable: true,
      description: 'The agent or peer; null if there is none.',
    })
    target(
      @Root() { address }: StepOfAddress,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      const { agentId = null, peerId = null } = address ?? {};
      return agentId === null ? one('Peer', peerId, context, info) : one('Agent', agentId, context, info);
    }
  }
  return TargetLink;
}

@Resolver(() => RouteStep)
class RouteStepResolver {
  @FieldResolver(() => Route, {
    nullable: true,
    description: 'The route; null if the egress policy decides, or if the call does not leave.',
  })
  route(
    @Root() { routeId }: RouteStep,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Route', routeId ?? null, context, info);
  }
}

@Resolver(() => ContactsStep)
class ContactsStepResolver {
  @FieldResolver(() => [ContactType], { description: 'The devices that are currently registered.' })
  async contacts(@Root() { address }: ContactsStep, @Ctx() { session }: Context): Promise<readonly Contact[]> {
    return address ? session.read.contacts.at(writeAddressOfRecord(address)) : [];
  }
}

/** The resolvers of the links from the steps of an explanation. */
const stepLinks = [
  GatewayStepResolver,
  ...[DomainStep, AccessStep, RouteStep].map(domainLink),
  ...[TargetStep, CallerStep].map(targetLink),
  RouteStepResolver,
  ContactsStepResolver,
];

/** The link from a verdict to its number. */
function numberLinks(
  type: new (...args: never[]) => { readonly facts: Facts | undefined },
  nullable: boolean,
): new () => object {
  @Resolver(() => type)
  class NumberLinks {
    @FieldResolver(() => PhoneNumber, { nullable, description: 'The DID or Number.' })
    number(
      @Root() { facts }: { readonly facts: Facts | undefined },
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      return facts
        ? loadByKey(context, info, facts.rowId, (ids) => numbers(context, info, ids))
        : Promise.resolve(undefined);
    }
  }
  return NumberLinks;
}

/** The link from an attempt to the number through which the call leaves. */
@Resolver(() => CallAttempt)
class CallNumberLink {
  @FieldResolver(() => TelephoneNumber, {
    nullable: true,
    description: 'The number that is the caller; null for a call that rings.',
  })
  number(
    @Root() { attempt }: CallAttempt,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Number', attempt.numberId, context, info);
  }
}

/** The link from a verdict to other numbers with the same digits. */
function otherLinks(type: new (...args: never[]) => { readonly facts: Facts | undefined }): new () => object {
  @Resolver(() => type)
  class OtherLinks {
    @FieldResolver(() => [PhoneNumber], { description: 'Other DIDs and Numbers with the same digits, at most ten.' })
    async others(
      @Root() { facts }: { readonly facts: Facts | undefined },
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<readonly Resource[]> {
      if (!facts) return [];
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

/** The link to the gateway, from a step of the path or from a verdict. */
function gatewayLink<T>(
  type: new (...args: never[]) => T,
  rowIdOf: (of: T) => number | null | undefined,
  nullable = false,
): new () => object {
  @Resolver(() => type as never)
  class GatewayLink {
    @FieldResolver(() => Gateway, { nullable, description: 'The gateway.' })
    gateway(
      @Root() root: object,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      return one('Gateway', rowIdOf(root as T) ?? null, context, info);
    }
  }
  return GatewayLink;
}

/** The links of a flow, which lead to nothing if those that fewer numbers have are summed up. */
@Resolver(() => NumberFlowType)
class FlowLinks {
  @FieldResolver(() => Gateway, {
    nullable: true,
    description: 'The gateway; null if those that fewer numbers have are summed up.',
  })
  gateway(
    @Root() { flow }: NumberFlowType,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Gateway', flow.gatewayId, context, info);
  }

  @FieldResolver(() => Domain, { nullable: true, description: 'The domain with this host; null if there is none.' })
  domain(
    @Root() { flow }: NumberFlowType,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Domain', flow.domainId, context, info);
  }

  @FieldResolver(() => unionNamed('Target'), {
    nullable: true,
    description: 'The agent or peer; null if there is none, or the end of the flow is a domain.',
  })
  target(
    @Root() { flow }: NumberFlowType,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return agentOrPeer(flow, context, info);
  }
}

@Resolver(() => NumberHealthCause)
class CauseLinks {
  @FieldResolver(() => Domain, {
    nullable: true,
    description:
      'The domain, if none of its numbers has a registered device and they lead to several addresses of record; otherwise null.',
  })
  domain(
    @Root() { domainId }: NumberHealthCause,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Domain', domainId, context, info);
  }
}

/** The resolvers of the links from verdicts to resources. */
export const diagnosisLinks = [
  ...stepLinks,
  FlowLinks,
  CauseLinks,
  numberLinks(NumberStep, true),
  numberLinks(NumberHealth, false),
  otherLinks(NumberExplanation),
  otherLinks(NumberHealth),
  gatewayLink(GatewayStep, ({ gatewayId }) => gatewayId, true),
  gatewayLink(SourceStep, ({ gatewayId }) => gatewayId, true),
  gatewayLink(NumberHealth, ({ facts }) => facts.gatewayId),
  gatewayLink(CallAttempt, ({ attempt }) => attempt.gatewayId, true),
  CallNumberLink,
  pastFields(NumberExplanation),
  pastFields(CallExplanationType),
];
