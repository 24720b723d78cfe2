import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';

import type { Contact } from '../../sip/live/contact';
import { Gateway } from '../../model/gateway';
import type { Resource } from '../../model/kind';
import type { Context } from '../context';
import { selectionOf } from '../schema/look-ahead';
import { ResourceInterface } from '../schema/object-types';
import { ContactsChange, RegistrationChange, ResourceChange } from './change-types';
import { ContactType } from './live-types';

/** The resource of a change. */
@Resolver(() => ResourceChange)
export class ChangedResourceResolver {
  @FieldResolver(() => ResourceInterface, {
    nullable: true,
    description: 'The current state of the resource; null if it has been deleted.',
  })
  resource(
    @Root() { kind, ref }: ResourceChange,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return oneOf(kind, ref, context, info);
  }
}

/** The gateway of a changed registration. */
@Resolver(() => RegistrationChange)
export class ChangedGatewayResolver {
  @FieldResolver(() => Gateway, {
    nullable: true,
    description: 'The current state of the gateway; null if it has been deleted.',
  })
  gateway(
    @Root() { gatewayRef }: RegistrationChange,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Resource | undefined> {
    return oneOf('Gateway', gatewayRef, context, info);
  }
}

/** The devices of a changed address of record. */
@Resolver(() => ContactsChange)
export class ChangedContactsResolver {
  @FieldResolver(() => [ContactType], {
    description: 'All devices that are currently registered for the address of record.',
  })
  contacts(@Root() { addressOfRecord }: ContactsChange, @Ctx() { session }: Context): Promise<readonly Contact[]> {
    return session.read.contacts.at(addressOfRecord);
  }
}

async function oneOf(
  name: string,
  ref: string,
  { session }: Context,
  info: GraphQLResolveInfo,
): Promise<Resource | undefined> {
  const kind = session.read.model.kindOf(name);
  const [found] = await session.read.resources.some(kind, [ref], selectionOf(kind, info));
  return found;
}
