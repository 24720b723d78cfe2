import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';

import { Domain } from '../../model/domain';
import { Gateway } from '../../model/gateway';
import type { Kind, Resource } from '../../model/kind';
import { withoutNulls } from '../../resources/documents/members';
import type { Contact } from '../../sip/live/contact';
import { NOT_CHECKED } from '../../sip/live/health-reader';
import type { DestinationTest } from '../../sip/live/gateway-tests';
import type { GatewayTest } from '../../sip/live/sip-server';
import type { Registration } from '../../sip/live/registration-reader';
import type { Context } from '../context';
import { type Connection, connectionOf, PAGE, PageArgs, rangeOf, readConnection } from '../schema/connection';
import { DryRun } from '../schema/dry-run';
import { loadByKey } from '../schema/loader';
import { asksFor, selectionOf } from '../schema/look-ahead';
import { unionNamed } from '../schema/object-types';
import { linkTo } from '../schema/resource-link';
import { rowField } from '../schema/row-field';
import { ContactType, ContactWhere, GatewayHealthType, GatewayTestType, RegistrationType } from './live-types';
import { argsOf, nullable } from '../schema/type-tables';

const ContactArgs = argsOf({
  ...PAGE,
  where: [nullable(ContactWhere), 'Return only devices that meet these conditions.'],
});
type ContactArgs = InstanceType<typeof ContactArgs>;

const contactConnection = connectionOf('Contact', ContactType);
const registrationConnection = connectionOf('Registration', RegistrationType);

/** Queries for current registrations. */
@Resolver()
export class LiveResolver {
  @Query(() => contactConnection, {
    description: 'The devices that are currently registered, in the order of registration.',
  })
  async contacts(
    @Args(() => ContactArgs) args: ContactArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Contact>> {
    const { contacts } = session.read;
    const range = rangeOf(args);
    const query = withoutNulls(args.where ?? {});
    return readConnection(info, range, contacts.page(range, query), () => contacts.count(query));
  }

  @Query(() => registrationConnection, {
    description: 'The gateways that are currently registered at their providers.',
  })
  async registrations(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Registration>> {
    const { registrations } = session.read;
    const range = rangeOf(args);
    return readConnection(info, range, registrations.page(range), () => registrations.count());
  }
}

/** Mutations that end registrations. */
@Resolver()
export class EvictionResolver {
  @Mutation(() => Int, {
    description: 'Ends the registrations of all devices of an address of record, and returns their number.',
  })
  evictContact(
    @Arg('addressOfRecord', () => String, {
      description: 'The address of record as a SIP URI, for example `sip:1001@sip.local`.',
    })
    addressOfRecord: string,
    @DryRun('Return how many registrations would end.') dryRun: boolean,
    @Ctx() { session }: Context,
  ): Promise<number> {
    return session.write.bindings.evict(addressOfRecord, { dryRun });
  }
}

/** The cost of a test in objects: it makes the SIP server send a request. A dry run asks the SIP server, too. */
const TEST = 500;

/** The mutation that tests a gateway. */
@Resolver()
export class GatewayTestResolver {
  @Mutation(() => GatewayTestType, {
    description:
      "Sends OPTIONS to a gateway's host, and if `destinations` is selected, to its destinations, through the SIP server now, and returns what came back within 2 seconds. It does not change the health. A host can be tested once in 2 seconds.",
  })
  async testGateway(
    @Arg('ref', () => String, { description: 'Reference of the gateway.' }) ref: string,
    @DryRun('Nothing is sent to the provider: each `outcome` is `DRY_RUN`, if the SIP server supports the transport.')
    dryRun: boolean,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<GatewayTest & { readonly destinations: readonly DestinationTest[] }> {
    const { gatewayTests } = session.write;
    const spend = (tests: number): void => session.spend(tests * TEST);
    spend(1);
    const [test, destinations] = await Promise.all([
      gatewayTests.test(ref, { dryRun }),
      asksFor('destinations', info) ? gatewayTests.testDestinations(ref, spend, { dryRun }) : [],
    ]);
    return { ...test, destinations };
  }
}

/** Creates the link from a device to the resource of one of these kinds that its address of record names. */
function contactLink(
  name: string,
  to: () => object,
  description: string,
  kinds: readonly ('Agent' | 'Peer' | 'Domain')[],
): new () => object {
  @Resolver(() => ContactType)
  class ContactLink {
    @FieldResolver(() => to() as new () => object, { nullable: true, description })
    [name](
      @Root() { rowId }: Contact,
      @Ctx() context: Context,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Resource | undefined> {
      const { read, shared } = context.session;
      return loadByKey(context, info, rowId, async (rowIds) => {
        const named = await read.contacts.named(rowIds);
        const found = new Map<number, Resource>();
        for (const kind of kinds) {
          const ids = [...named.values()].flatMap((each) => each[kind] ?? []);
          if (ids.length === 0) continue;
          const of = shared.model.kindOf(kind);
          const resources = await read.resources.byRowIds(of, [...new Set(ids)], selectionOf(of, info));
          for (const [id, each] of named) {
            const resource = resources.get(each[kind] ?? 0);
            if (resource) found.set(id, resource);
          }
        }
        return found;
      });
    }
  }
  return ContactLink;
}

/** The links from a device. */
export const contactLinks = [
  contactLink(
    'target',
    () => unionNamed('Target'),
    'The agent or peer that the address of record names; null if there is none, or if the registration has ended.',
    ['Agent', 'Peer'],
  ),
  contactLink(
    'domain',
    () => Domain,
    'The domain of the address of record; null if there is none, or if the registration has ended.',
    ['Domain'],
  ),
];

/** The link from a registration to its gateway. */
export const registrationLink = linkTo(
  RegistrationType,
  'gateway',
  () => Gateway,
  'The gateway.',
  ({ rowId }: Registration) => ({ kind: 'Gateway', rowId }),
  false,
);

/** The links from a gateway to its registration and its health. */
export const gatewayLinks = [
  rowField(
    Gateway,
    'registration',
    {
      type: () => RegistrationType,
      nullable: true,
      description:
        'The registration at the provider, or the result of the last attempt; null if no attempt is recorded.',
    },
    ({ registrations }, rowIds) => registrations.of(rowIds),
  ),
  rowField(
    Gateway,
    'health',
    {
      type: () => GatewayHealthType,
      description: 'Whether the host responds to the OPTIONS that the SIP server sends.',
    },
    ({ health }, rowIds) => health.of(rowIds),
    (health = NOT_CHECKED) => health,
  ),
];

/** Creates the resolver of the link from an agent, a peer or a number to the registered devices. */
export function createContactsResolver(kind: Kind, owner: 'Agent' | 'Peer' | 'Number'): new () => object {
  return rowField(
    kind.class,
    'contacts',
    { type: () => [ContactType], description: `The devices that are currently registered for this ${kind.name}.` },
    ({ contacts }, rowIds) => contacts.of(owner, rowIds),
    (contacts = []) => contacts,
  );
}
