import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import type { Contact } from '../../sip/live/contact';
import type { Registration } from '../../sip/live/registration-reader';
import { Domain } from '../../model/domain';
import { writeAddressOfRecord } from '../../model/format/address-of-record';
import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { unionNamed } from '../schema/object-types';
import { ContactsStep, DomainStep, GatewayStep, TargetStep } from './explanation-steps';
import { ContactType, RegistrationType } from './live-types';
import { one } from './verdict-loaders';

@Resolver(() => GatewayStep)
class GatewayStepResolver {
  @FieldResolver(() => RegistrationType, {
    nullable: true,
    description: 'The registration of the gateway at its provider; null if no attempt is recorded.',
  })
  async registration(@Root() { facts }: GatewayStep, @Ctx() { session }: Context): Promise<Registration | undefined> {
    return facts && (await session.read.registrations.of([facts.gatewayId])).get(facts.gatewayId);
  }
}

@Resolver(() => DomainStep)
class DomainStepResolver {
  @FieldResolver(() => Domain, { nullable: true, description: 'The domain; null if there is none.' })
  domain(
    @Root() { facts }: DomainStep,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return one('Domain', facts.domainId, context, info);
  }
}

@Resolver(() => TargetStep)
class TargetStepResolver {
  @FieldResolver(() => unionNamed('Target'), {
    nullable: true,
    description: 'The agent or peer; null if there is none.',
  })
  target(
    @Root() { facts }: TargetStep,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    const { agentId, peerId } = facts;
    return agentId === null ? one('Peer', peerId, context, info) : one('Agent', agentId, context, info);
  }
}

@Resolver(() => ContactsStep)
class ContactsStepResolver {
  @FieldResolver(() => [ContactType], { description: 'The devices that are currently registered.' })
  contacts(@Root() { facts }: ContactsStep, @Ctx() { session }: Context): Promise<readonly Contact[]> {
    return session.read.contacts.at(writeAddressOfRecord(facts));
  }
}

/** The resolvers of the links from the steps of an explanation. */
export const stepLinks = [GatewayStepResolver, DomainStepResolver, TargetStepResolver, ContactsStepResolver];
