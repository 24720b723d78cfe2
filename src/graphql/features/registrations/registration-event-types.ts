import { GraphQLISODateTime, ID, Int } from 'type-graphql';

import type { RegistrationEventKind } from '../../../sip/past/registration-event';
import { PAGE } from '../../schema/connection';
import { argsOf, enumOf, inputOf, nullable, objectOf } from '../../schema/type-tables';

const EventEnum = enumOf<RegistrationEventKind>(
  'RegistrationTransition',
  'What happened to a registration. Refreshes are not recorded.',
  {
    REGISTERED: 'A device registered, or a provider granted the registration of a gateway.',
    MOVED: 'A registered device sent another contact address, or registered from another address.',
    UNREGISTERED: 'The device or the gateway ended its registration.',
    EXPIRED: 'The registration was not refreshed in time, or its connection was closed.',
    REFUSED: 'The SIP server refused a device, or a provider a gateway: see `status` and `reason`.',
    LOST: 'A provider did not respond to a gateway.',
    UNRECORDED: 'There were so many events that those of the next hours are not recorded.',
  },
);

/** The GraphQL type of a transition of a registration. */
export const RegistrationEventType = objectOf(
  'RegistrationEvent',
  'A registration that began, moved, ended or was refused: of a device, or of a gateway at its provider. What is not known, or does not apply, is null.',
  {
    id: [ID, 'Opaque and globally unique, for caches.'],
    at: [GraphQLISODateTime, 'When it happened.'],
    event: [EventEnum, 'What happened.'],
    addressOfRecord: [nullable(String), 'The address of record of the device, as a SIP URI.'],
    host: [nullable(String), 'The address of the device or the provider. Viewers do not see it.'],
    port: [nullable(Int), 'Its port. Viewers do not see it.'],
    transport: [nullable(String), 'Transport, such as udp.'],
    userAgent: [nullable(String), 'The User-Agent header of the device.'],
    node: [nullable(String), 'The node of the SIP server, as host:port.'],
    devices: [nullable(Int), 'How many devices were registered at the node for the address of record afterwards.'],
    status: [nullable(Int), 'The status code of the response, such as 401.'],
    reason: [nullable(String), 'Why, such as `Wrong secret` or `Connection closed`.'],
  },
);

export const RegistrationEventWhere = inputOf(
  'RegistrationEventWhere',
  'Conditions on a transition of a registration; all must hold.',
  {
    addressOfRecord: [nullable(String), 'The address of record, such as `sip:1001@sip.local`.'],
    event: [nullable(EventEnum), 'What happened.'],
    events: [nullable([EventEnum]), 'One of these happened.'],
    agentRef: [nullable(String), 'Reference of the agent.'],
    peerRef: [nullable(String), 'Reference of the peer.'],
    gatewayRef: [nullable(String), 'Reference of the gateway.'],
    from: [nullable(GraphQLISODateTime), 'At this time or later.'],
    to: [nullable(GraphQLISODateTime), 'At this time or earlier.'],
  },
);
export type RegistrationEventWhere = InstanceType<typeof RegistrationEventWhere>;

export const RegistrationEventArgs = argsOf({
  ...PAGE,
  where: [nullable(RegistrationEventWhere), 'Return only events that meet these conditions.'],
});
export type RegistrationEventArgs = InstanceType<typeof RegistrationEventArgs>;
