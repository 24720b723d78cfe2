import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Query, Resolver } from 'type-graphql';

import { InvalidInputError } from '../../../errors';
import { Gateway } from '../../../model/gateway';
import type { Kind } from '../../../model/kind';
import type { RegistrationEvent, RegistrationOwner } from '../../../sip/past/registration-event';
import { EVENT_ORDER, type RegistrationEventQuery } from '../../../sip/past/registration-event-reader';
import type { Context } from '../../context';
import { type Connection, connectionFrom, connectionOf, rangeOf, readConnection } from '../../schema/connection';
import { sortedCursors } from '../../schema/cursors';
import { unionNamed } from '../../schema/object-types';
import { linkTo } from '../../schema/resource-link';
import { RegistrationEventArgs, RegistrationEventType, type RegistrationEventWhere } from './registration-event-types';

const eventConnection = connectionOf('RegistrationEvent', RegistrationEventType);
const CURSORS = sortedCursors([{ field: 'at', descending: true }], EVENT_ORDER);

/** The query for transitions of registrations. */
@Resolver()
export class RegistrationEventResolver {
  @Query(() => eventConnection, {
    description: 'Registrations of devices and gateways that began, moved, ended or were refused, newest first.',
  })
  async registrationEvents(
    @Args(() => RegistrationEventArgs) args: RegistrationEventArgs,
    @Ctx() { session }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<RegistrationEvent>> {
    const range = rangeOf(args, CURSORS);
    const query = queryOf(args.where ?? {});
    const { registrationEvents } = session.read;
    return readConnection(
      info,
      range,
      registrationEvents.page(range, query),
      () => registrationEvents.count(query),
      CURSORS,
    );
  }
}

/** The links from a transition. They are null for what no longer exists. */
export const registrationEventLinks = [
  linkTo(
    RegistrationEventType,
    'target',
    () => unionNamed('Target'),
    'The agent or peer of the device; null if there was none, or if it no longer exists.',
    ({ owner, at }: RegistrationEvent) => (owner?.kind === 'Gateway' ? null : owner && { ...owner, at }),
  ),
  linkTo(
    RegistrationEventType,
    'gateway',
    () => Gateway,
    'The gateway that registers at its provider; null for devices, and if it no longer exists.',
    ({ owner, at }: RegistrationEvent) => (owner?.kind === 'Gateway' ? { ...owner, at } : null),
  ),
];

/** Creates the resolver for the transitions of the registrations of a kind. */
export function createRegistrationEventsResolver(kind: Kind, owner: RegistrationOwner['kind']): new () => object {
  const description =
    owner === 'Gateway'
      ? 'When the provider granted or refused the registration, or did not respond; newest first.'
      : `When devices of the ${kind.name} registered, moved, ended or were refused; newest first.`;
  return connectionFrom(
    kind,
    'registrationEvents',
    { type: eventConnection, description },
    ({ rowId }) => rowId,
    (args, { session }) => {
      const { registrationEvents } = session.read;
      const range = rangeOf(args, CURSORS);
      return {
        range,
        cursors: CURSORS,
        pagesOf: (rowIds) => registrationEvents.of(owner, rowIds, range),
        countsOf: (rowIds) => registrationEvents.countsOf(owner, rowIds),
      };
    },
  );
}

/** Converts the conditions. Throws InvalidInputError for several owners. */
function queryOf(where: RegistrationEventWhere): RegistrationEventQuery {
  const { addressOfRecord, event, events, agentRef, peerRef, gatewayRef, from, to } = where;
  const owners = [
    typeof agentRef === 'string' ? [{ kind: 'Agent', ref: agentRef } as const] : [],
    typeof peerRef === 'string' ? [{ kind: 'Peer', ref: peerRef } as const] : [],
    typeof gatewayRef === 'string' ? [{ kind: 'Gateway', ref: gatewayRef } as const] : [],
  ].flat();
  if (owners.length > 1)
    throw InvalidInputError.of('where', 'give one of agentRef, peerRef and gatewayRef: an event has one of them');
  const chosen = event ? (events ?? [event]).filter((each) => each === event) : events;
  return {
    addressOfRecord: addressOfRecord ?? undefined,
    owner: owners[0],
    events: chosen ? [...new Set(chosen)] : undefined,
    from: from?.getTime(),
    to: to?.getTime(),
  };
}
