import { GraphQLISODateTime, ID, Int } from 'type-graphql';

import type { RegistrationState } from '../../sip/live/registration-reader';
import type { TestOutcome } from '../../sip/live/sip-server';
import { enumOf, inputOf, nullable, objectOf } from '../schema/type-tables';
import { HealthStateEnum } from '../schema/health-state';

/** The GraphQL type of a live contact. */
export const ContactType = objectOf(
  'Contact',
  'A currently registered device, at which an address of record can be reached (RFC 3261, 10).',
  {
    id: [ID, 'Opaque and globally unique, for caches. It does not change until the registration ends.'],
    addressOfRecord: [String, 'The address of record, as a SIP URI.'],
    uri: [String, 'The contact URI, without its parameters.'],
    transport: [String, 'Transport to the device, such as udp.'],
    nat: [Boolean, 'Whether the device is behind a NAT.'],
    expires: [Int, 'Lifetime of the registration that the device requested, in seconds.'],
    expiresOn: [GraphQLISODateTime, 'When the registration ends, unless it is refreshed.'],
    userAgent: [nullable(String), 'The User-Agent header of the device.'],
    node: [
      nullable(String),
      'The node of the SIP server at which the device is registered, as host:port. Other nodes cannot call the device.',
    ],
  },
);

export const ContactWhere = inputOf('ContactWhere', 'Conditions on a device; all must hold. Comparisons ignore case.', {
  search: [
    nullable(String),
    'Part of the address of record, the contact URI, the address behind a NAT or the user agent.',
  ],
  domain: [nullable(String), 'The host of the address of record.'],
  transport: [nullable(String), 'Transport to the device, such as udp.'],
  nat: [nullable(Boolean), 'Whether the device is behind a NAT.'],
});

export const RegistrationStateEnum = enumOf<RegistrationState>(
  'RegistrationState',
  'The state of the registration of a gateway at its provider.',
  {
    REGISTERED: 'The provider granted a registration that has not expired.',
    REFUSED: 'The provider refused the last attempt.',
    UNREACHABLE: 'The provider did not respond to the last attempt.',
    EXPIRED: 'The registration has expired and was not renewed.',
  },
);

/** The GraphQL type of a gateway's registration. */
export const RegistrationType = objectOf(
  'Registration',
  'The registration of a gateway at its provider (RFC 3261, 10), or the reason why the gateway is not registered.',
  {
    id: [ID, 'Opaque and globally unique, for caches. It does not change while the gateway exists.'],
    gatewayRef: [String, 'Reference of the gateway.'],
    username: [String, 'User name at the provider.'],
    host: [String, "The provider's host."],
    ip: [String, "The provider's IP address; empty if the provider never responded."],
    port: [Int, "The provider's port; 0 if the provider never responded."],
    transport: [String, 'Transport to the provider, such as udp; empty if the provider never responded.'],
    expires: [Int, 'Lifetime of the registration that the provider granted, in seconds.'],
    registeredOn: [nullable(GraphQLISODateTime), 'When the registration was last granted; null if it never was.'],
    expiresOn: [
      nullable(GraphQLISODateTime),
      'When the registration ends, unless it is refreshed, or when it ended; null if it was never granted.',
    ],
    state: [RegistrationStateEnum, 'The state of the registration.'],
    lastResponse: [
      nullable(String),
      "The provider's last response, such as 403 Forbidden; 408 if there was none; null if it is unknown.",
    ],
    nextAttemptAt: [nullable(GraphQLISODateTime), 'When the SIP server retries after a failed attempt.'],
  },
);

/** The GraphQL type of a gateway's health. */
export const GatewayHealthType = objectOf(
  'GatewayHealth',
  "What the SIP server found when it checked a gateway's host with OPTIONS (RFC 3261, 11), also of gateways that do not register.",
  {
    state: [HealthStateEnum, 'Whether the host responds.'],
    since: [nullable(GraphQLISODateTime), 'When the state began; null if it is UNKNOWN.'],
    roundTrip: [nullable(Int), 'Milliseconds until the response to the last check; null if there was none.'],
    lastStatus: [
      nullable(Int),
      'The status code of the response to the last check, such as 200 or 404, which both show that the host responds; null if there was none.',
    ],
    checkedOn: [nullable(GraphQLISODateTime), 'When the last check ended; null if the present host was not checked.'],
  },
);

const TestOutcomeEnum = enumOf<TestOutcome>('GatewayTestOutcome', 'What came back when a gateway was tested.', {
  ANSWERED: 'A response, whatever its status: the host responds.',
  SILENT: 'No response within 2 seconds.',
  NO_ADDRESS: 'Nothing was sent: the host has no address in DNS.',
  NOT_SENT: 'Nothing was sent: the SIP server cannot reach the address.',
  DRY_RUN: 'Nothing was sent: it was a dry run.',
});

/** What the tests of gateways and of destinations have in common. */
const TEST = {
  address: [nullable(String), 'The address and port to which the request was sent; null if the host has none.'],
  status: [nullable(Int), 'The status code of the response; null if there was none.'],
  reason: [nullable(String), 'The reason phrase of the response, such as OK; null if there was none.'],
  roundTrip: [nullable(Int), 'Milliseconds until the response; null if there was none.'],
} as const;

const DestinationTestType = objectOf(
  'GatewayDestinationTest',
  'The result of an OPTIONS request (RFC 3261, 11) that the SIP server sent to a destination of a gateway.',
  {
    ...TEST,
    host: [String, 'Host name or address of the destination.'],
    port: [nullable(Int), 'Its port; null for that of the transport.'],
    transport: [String, 'Transport to the destination, such as udp.'],
    outcome: [
      nullable(TestOutcomeEnum),
      'What came back; null if nothing was sent, because it was tested less than 2 seconds ago, or the SIP server does not support the transport.',
    ],
  },
);

/** The GraphQL type of the test of a gateway. */
export const GatewayTestType = objectOf(
  'GatewayTest',
  'The result of an OPTIONS request (RFC 3261, 11) that the SIP server sent to the host of a gateway.',
  {
    ...TEST,
    outcome: [TestOutcomeEnum, 'What came back.'],
    destinations: [
      [DestinationTestType],
      'The results for the destinations that are enabled, in their order. If selected, they are tested.',
    ],
  },
);
