import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql';

import { DESTINATION, readCursor, writeCursor, type Change } from '../../changes/change';
import type { Wanted } from '../../changes/backlog';
import { InvalidInputError, quote } from '../../errors';
import type { Stored } from '../../history/identities';
import { memoized } from '../../limits/memoized';
import {
  isSameAddressOfRecord,
  parseAddressOfRecord,
  readAddressOfRecord,
  type AddressOfRecord,
} from '../../model/format/address-of-record';
import { Gateway } from '../../model/gateway';
import type { Contact } from '../../sip/live/contact';
import type { WatchedDestination } from '../../sip/live/watched-destinations';
import type { Context } from '../context';
import { formerOf } from '../schema/former-resource';
import { KindEnum, ResourceInterface } from '../schema/object-types';
import { linkTo } from '../schema/resource-link';
import {
  ChangedDestinationType,
  ContactsChange,
  DestinationHealthChange,
  HealthChange,
  RegistrationChange,
  ResourceChange,
} from './change-types';
import { ContactType } from './live-types';
import { argsOf, nullable } from '../schema/type-tables';

/** The description of the argument `since`. */
export const SINCE =
  'The cursor of the last received event. The subscription first delivers the events after it, in order. Without a cursor, the subscription starts now.';

const ResourceChangesArgs = argsOf({
  kinds: [nullable([KindEnum]), 'Return only events of resources of these kinds.'],
  refs: [nullable([String]), 'Return only events of resources with these references.'],
  since: [nullable(String), SINCE],
});
type ResourceChangesArgs = InstanceType<typeof ResourceChangesArgs>;

/** The argument of a TypeGraphQL `subscribe` function. */
interface Subscribing<T> {
  readonly args: T;
  readonly context: Context;
}

/** Subscriptions to changes. */
@Resolver()
export class ChangeResolver {
  @Query(() => String, {
    description:
      'The current position in the stream of changes. To miss no change, read it, then read the data, and then subscribe with it as `since`.',
  })
  async changeCursor(@Ctx() { session }: Context): Promise<string> {
    return writeCursor(await session.shared.changes.now());
  }

  @Subscription(() => ResourceChange, {
    description: 'An event for each resource that is created, updated or deleted, by any user, over GraphQL or REST.',
    subscribe: ({ args: { kinds: names, refs, since }, context }: Subscribing<ResourceChangesArgs>) => {
      const { model } = context.session.shared;
      const among = names ? new Set(names) : undefined;
      const only = refs ? new Set(refs) : undefined;
      const isMeant = (kind: string): boolean => (among ? among.has(kind) : model.find(kind) !== undefined);
      return listen(context, since, false, ({ kind, ref }) => isMeant(kind) && only?.has(ref) !== false);
    },
  })
  resourceChanged(@Root() change: Change, @Args(() => ResourceChangesArgs) _args: ResourceChangesArgs): ResourceChange {
    return new ResourceChange(change);
  }

  @Subscription(() => RegistrationChange, {
    description: "An event for each change of a gateway's registration at its provider.",
    subscribe: liveChanges('Registration'),
  })
  registrationsChanged(
    @Root() change: Change,
    @Arg('since', () => String, { nullable: true, description: SINCE }) _since?: string | null,
  ): RegistrationChange {
    return new RegistrationChange(change);
  }

  @Subscription(() => HealthChange, {
    description:
      "An event for each change of a gateway's health: its host stopped responding to OPTIONS, or responds again.",
    subscribe: liveChanges('Health'),
  })
  gatewayHealthChanged(
    @Root() change: Change,
    @Arg('since', () => String, { nullable: true, description: SINCE }) _since?: string | null,
  ): HealthChange {
    return new HealthChange(change);
  }

  @Subscription(() => DestinationHealthChange, {
    description:
      'An event for each change of the health of a destination of a gateway: it stopped responding to OPTIONS, or responds again.',
    subscribe: liveChanges(DESTINATION),
  })
  destinationHealthChanged(
    @Root() change: Change,
    @Arg('since', () => String, { nullable: true, description: SINCE }) _since?: string | null,
  ): DestinationHealthChange {
    return new DestinationHealthChange(change);
  }

  @Subscription(() => ContactsChange, {
    description: 'An event for each device that registers, and for each registration that ends.',
    subscribe: ({ args: { aor, since }, context }: Subscribing<{ aor?: string | null; since?: string | null }>) => {
      const only = typeof aor === 'string' ? addressIn(aor) : undefined;
      const isMeant = (change: Change): boolean => !only || isSameAddressOfRecord(only, addressOf(change));
      return listen(context, since, true, (change) => change.kind === 'Contact' && isMeant(change));
    },
  })
  contactsChanged(
    @Root() change: Change,
    @Arg('aor', () => String, {
      nullable: true,
      description: 'Return only events of this address of record, for example `sip:1001@sip.local`.',
    })
    _aor?: string | null,
    @Arg('since', () => String, { nullable: true, description: SINCE }) _since?: string | null,
  ): ContactsChange {
    return new ContactsChange(change);
  }
}

/** Returns the `subscribe` function of a subscription to the changes of a kind of the live tables. */
export function liveChanges(kind: string) {
  return ({ args: { since }, context }: Subscribing<{ readonly since?: string | null }>) =>
    listen(context, since, true, (change) => change.kind === kind);
}

/** Starts a subscription to the changes that are wanted; to those of the live tables, too, if it is `live`. */
async function listen(
  { session, caller }: Context,
  since: string | null | undefined,
  live: boolean,
  wanted: Wanted,
): Promise<AsyncIterable<Change>> {
  return session.subscription((left) =>
    session.shared.changes.listen({
      wanted,
      live,
      user: session.viewer.ref,
      spend: session.spend,
      left,
      ...(typeof since === 'string' && { since: readCursor('since', since) }),
      ...(caller.ended && { ended: caller.ended }),
      ...(caller.cut && { cut: caller.cut }),
    }),
  );
}

/** The address of record of a change, which is read once for all subscribers. */
const addressOf = memoized(({ ref }: Change) => readAddressOfRecord(ref));

/** Parses the address of record in the arguments. Throws InvalidInputError. */
function addressIn(text: string): AddressOfRecord {
  const aor = parseAddressOfRecord(text);
  if (!aor) throw InvalidInputError.of('aor', `${quote(text)} is not a SIP URI such as sip:1001@sip.local`);
  return aor;
}

/** The devices of a changed address of record. */
@Resolver(() => ContactsChange)
class ChangedContactsResolver {
  @FieldResolver(() => [ContactType], {
    description: 'All devices that are currently registered for the address of record.',
  })
  contacts(@Root() { addressOfRecord }: ContactsChange, @Ctx() { session }: Context): Promise<readonly Contact[]> {
    return session.read.contacts.at(addressOfRecord);
  }
}

/** The destination whose health changed. */
@Resolver(() => DestinationHealthChange)
class ChangedDestinationResolver {
  @FieldResolver(() => ChangedDestinationType, {
    nullable: true,
    description: 'The destination now; null if its gateway was deleted long ago.',
  })
  async destination(
    @Root() { destinationId }: DestinationHealthChange,
    @Ctx() { session }: Context,
  ): Promise<WatchedDestination | undefined> {
    return (await session.read.watchedDestinations([destinationId])).get(destinationId);
  }
}

/** The links from changes. They are null for what no longer exists, also if another one has the reference since. */
export const changeLinks = [
  ChangedContactsResolver,
  ChangedDestinationResolver,
  ...resourceOf(ResourceChange, 'resource', () => ResourceInterface),
  ...[RegistrationChange, HealthChange, DestinationHealthChange].flatMap((type) =>
    resourceOf(type, 'gateway', () => Gateway),
  ),
];

/** The link from a change to the resource that it is about, and what that was, if it no longer exists. */
function resourceOf(
  type: typeof ResourceChange | typeof RegistrationChange | typeof HealthChange | typeof DestinationHealthChange,
  name: 'resource' | 'gateway',
  to: () => object,
): readonly (new () => object)[] {
  const storedOf = ({ stored }: { readonly stored: Stored }): Stored => stored;
  return [
    formerOf(
      type,
      `The ${name}, if it no longer exists, also if another one has its reference since; null if it exists.`,
      storedOf,
    ),
    linkTo(
      type,
      name,
      to,
      `The current state of the ${name}; null if it does not exist, also if another one has its reference since.`,
      storedOf,
    ),
  ];
}
