import { Field, GraphQLISODateTime, ID, Int, InterfaceType, ObjectType } from 'type-graphql';

import { writeCursor, type Change, type ResourceEvent } from '../../changes/change';
import type { Stored } from '../../history/identities';
import { globalId } from '../../model/global-id';
import { destinationIdIn } from '../../sip/live/watched-destinations';
import { enumOf, nullable, objectOf } from '../schema/type-tables';
import { KindEnum } from '../schema/object-types';
import { HealthStateEnum } from '../schema/health-state';
import { RegistrationStateEnum } from './live-types';

const ResourceEventEnum = enumOf<ResourceEvent>('ResourceEvent', 'What happened to a resource.', {
  CREATED: 'The resource was created.',
  UPDATED: 'The resource was updated.',
  DELETED: 'The resource was deleted.',
});

const ContactEventEnum = enumOf(
  'ContactEvent',
  'What happened to a device of an address of record. A refresh is not an event.',
  {
    REGISTERED: 'A device registered.',
    ENDED: 'A registration expired, the device unregistered, or the registration was ended through the API.',
  },
);

/** The fields of every event. */
@InterfaceType('Change', { description: 'An event in the stream of changes.' })
export abstract class ChangeType {
  constructor(protected readonly told: Change) {}

  @Field(() => String, {
    description:
      'The position of the event in the stream of changes. Pass it as `since` to any subscription to continue after it.',
  })
  get cursor(): string {
    return writeCursor(this.told);
  }

  @Field(() => GraphQLISODateTime, { description: 'When the event was recorded.' })
  get at(): number {
    return this.told.at;
  }

  /** A reference that the event has. Changes of the live tables are numbered as entries of the history are. */
  protected storedAs(kind: string, ref: string): Stored {
    return { kind, ref, at: this.at, entry: this.told.id };
  }
}

/** A change of a resource in GraphQL. */
@ObjectType('ResourceChange', { implements: ChangeType, description: 'A resource was created, updated or deleted.' })
export class ResourceChange extends ChangeType {
  @Field(() => ResourceEventEnum, { description: 'What happened to the resource.' })
  get event(): string {
    return this.told.event;
  }

  @Field(() => KindEnum, { description: 'The kind of the resource.' })
  get kind(): string {
    return this.told.kind;
  }

  @Field(() => String, { description: "The resource's reference." })
  get ref(): string {
    return this.told.ref;
  }

  @Field(() => ID, { description: "The resource's id, also after it was deleted." })
  get resourceId(): string {
    return globalId(this.told.kind, this.told.ref);
  }

  @Field(() => ID, {
    description: "The resource's id.",
    deprecationReason: 'Since 2026-11-29: use resourceId. Caches take this one for the id of the change.',
  })
  get id(): string {
    return this.resourceId;
  }

  get stored(): Stored {
    return this.storedAs(this.kind, this.ref);
  }
}

/** An event of a gateway. */
@ObjectType()
abstract class GatewayChangeType extends ChangeType {
  @Field(() => String, { description: "The gateway's reference." })
  get gatewayRef(): string {
    return this.told.ref;
  }

  get stored(): Stored {
    return this.storedAs('Gateway', this.gatewayRef);
  }
}

/** A change of a gateway's registration in GraphQL. */
@ObjectType('RegistrationChange', {
  implements: ChangeType,
  description: 'The state of the registration of a gateway at its provider changed. A refresh is not an event.',
})
export class RegistrationChange extends GatewayChangeType {
  @Field(() => RegistrationStateEnum, {
    nullable: true,
    description: 'The new state; null if the gateway no longer has a registration.',
  })
  get state(): string | null {
    return this.told.event === 'GONE' ? null : this.told.event;
  }
}

/** A change of a gateway's health in GraphQL. */
@ObjectType('GatewayHealthChange', {
  implements: ChangeType,
  description:
    "A gateway's host stopped responding to OPTIONS, or responds again. A check that finds the same is not an event.",
})
export class HealthChange extends GatewayChangeType {
  @Field(() => HealthStateEnum, { description: 'The new state.' })
  get state(): string {
    return this.told.event;
  }
}

/** A change of the health of a destination in GraphQL. */
@ObjectType('DestinationHealthChange', {
  implements: ChangeType,
  description:
    'A destination of a gateway stopped responding to OPTIONS, or responds again. A check that finds the same is not an event.',
})
export class DestinationHealthChange extends GatewayChangeType {
  override get gatewayRef(): string {
    return destinationIdIn(this.told.ref).gatewayRef;
  }

  /** The row id of the destination. */
  get destinationId(): number {
    return destinationIdIn(this.told.ref).id;
  }

  @Field(() => HealthStateEnum, { description: 'The new state.' })
  get state(): string {
    return this.told.event;
  }
}

/** A destination whose health changed, in GraphQL. */
export const ChangedDestinationType = objectOf(
  'ChangedDestination',
  'A destination of a gateway, and its health now.',
  {
    host: [String, 'Host name or address of the destination.'],
    port: [nullable(Int), 'Its port; null for that of the transport.'],
    transport: [String, 'Transport to the destination, such as udp.'],
    state: [HealthStateEnum, 'Whether it responds.'],
    since: [nullable(GraphQLISODateTime), 'When the state began; null if it is UNKNOWN.'],
    lastStatus: [nullable(Int), 'The status code of the response after which the state began; null if there was none.'],
  },
);

/** A change of the devices of an address of record in GraphQL. */
@ObjectType('ContactsChange', {
  implements: ChangeType,
  description: 'A device registered for an address of record, or its registration ended.',
})
export class ContactsChange extends ChangeType {
  @Field(() => ContactEventEnum, { description: 'What happened.' })
  get event(): string {
    return this.told.event;
  }

  @Field(() => String, { description: 'The address of record, as a SIP URI.' })
  get addressOfRecord(): string {
    return this.told.ref;
  }
}
