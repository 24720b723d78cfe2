import { Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from 'type-graphql';

import { Gateway } from '../../model/gateway';

/** A live contact in the graph. */
@ObjectType('Contact', {
  simpleResolvers: true,
  description: 'A device that is registered now: where an address of record can be reached (RFC 3261, 10).',
})
export class ContactType {
  @Field(() => ID, {
    description: 'Opaque and unique in the whole graph, for caches; the same until the registration ends.',
  })
  id!: string;

  @Field(() => String, { description: 'The address of record, as a SIP URI.' })
  addressOfRecord!: string;

  @Field(() => String, { description: 'The contact URI, without its parameters.' })
  uri!: string;

  @Field(() => String, { description: 'Transport to the device, such as udp.' })
  transport!: string;

  @Field(() => Boolean, { description: 'Whether the device is behind a NAT.' })
  nat!: boolean;

  @Field(() => Int, { description: 'Seconds that the device asked the registration to last.' })
  expires!: number;

  @Field(() => GraphQLISODateTime, { description: 'When the registration ends unless it is refreshed.' })
  expiresOn!: number;

  @Field(() => String, { nullable: true, description: 'The User-Agent header of the device.' })
  userAgent!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The node of the SIP server that the device is registered at, as host:port: other nodes cannot call it.',
  })
  node!: string | null;
}

export enum RegistrationState {
  REGISTERED = 'REGISTERED',
  REFUSED = 'REFUSED',
  UNREACHABLE = 'UNREACHABLE',
  EXPIRED = 'EXPIRED',
}
registerEnumType(RegistrationState, {
  name: 'RegistrationState',
  description: 'The state of the registration of a gateway at its provider.',
  valuesConfig: {
    REGISTERED: { description: 'The provider granted a registration that has not ended.' },
    REFUSED: { description: 'The provider refused the last attempt.' },
    UNREACHABLE: { description: 'The provider did not answer the last attempt.' },
    EXPIRED: { description: 'What the provider granted has ended, and was not renewed.' },
  },
});

/** A gateway's registration in the graph. */
@ObjectType('Registration', {
  simpleResolvers: true,
  description:
    'The registration of a gateway at its provider (RFC 3261, 10): whether it is registered now, and why not.',
})
export class RegistrationType {
  @Field(() => ID, { description: 'Opaque and unique in the whole graph, for caches; one for each gateway.' })
  id!: string;

  @Field(() => String, { description: 'Reference of the gateway.' })
  gatewayRef!: string;

  @Field(() => Gateway, { description: 'The gateway.' })
  gateway!: Gateway;

  @Field(() => String, { description: 'User name at the provider.' })
  username!: string;

  @Field(() => String, { description: "The provider's host." })
  host!: string;

  @Field(() => String, { description: "The provider's IP address; empty where it never answered." })
  ip!: string;

  @Field(() => Int, { description: "The provider's port; 0 where it never answered." })
  port!: number;

  @Field(() => String, { description: 'Transport to the provider, such as udp; empty where it never answered.' })
  transport!: string;

  @Field(() => Int, { description: 'Seconds that the provider granted.' })
  expires!: number;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the registration was last granted; null where it never was.',
  })
  registeredOn!: number | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the registration ends unless it is refreshed, or ended; null where it never was granted.',
  })
  expiresOn!: number | null;

  @Field(() => RegistrationState, { description: 'Whether the provider grants it.' })
  state!: RegistrationState;

  @Field(() => String, {
    nullable: true,
    description: "The provider's last answer, as 403 Forbidden; 408 where it gave none; null where it is not known.",
  })
  lastResponse!: string | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the SIP server tries again after an attempt that failed.',
  })
  nextAttemptAt!: number | null;
}
