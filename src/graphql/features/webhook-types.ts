import { ArgsType, Field, GraphQLISODateTime, ID, InputType, Int, ObjectType } from 'type-graphql';

import type { AttemptInterval } from '../../webhooks/attempt-counts';
import type { FailedCallRule, WebhookEvent } from '../../webhooks/webhook';
import { enumOf } from '../schema/enums';
import { KindEnum } from '../schema/object-types';
import { CallConditions } from './calls/call-types';

const WebhookEventEnum = enumOf<WebhookEvent>('WebhookEvent', 'An event that a webhook can be told about.', {
  RESOURCE_CHANGED: 'A resource was created, updated or deleted.',
  REGISTRATION_CHANGED: 'The state of the registration of a gateway at its provider changed.',
  CONTACTS_CHANGED: 'A device registered for an address of record, or its registration ended.',
  GATEWAY_LOST: 'A gateway has not been registered at its provider for the time `after`.',
  GATEWAY_BACK: 'A gateway that was lost has been registered again for the time `after`.',
  GATEWAY_DOWN:
    'The host of a gateway has not responded to OPTIONS for the time `after`, also of one that does not register.',
  GATEWAY_UP: 'The host of a gateway that was down has responded again for the time `after`.',
  DESTINATION_DOWN: 'A destination of a gateway has not responded to OPTIONS for the time `after`.',
  DESTINATION_UP: 'A destination that was down has responded again for the time `after`.',
  NUMBER_STOPPED: 'A number of `refs` has not rung for the time `after`.',
  NUMBER_BACK: 'A number of `refs` that had stopped has rung again for the time `after`.',
  LIMIT_NEARLY_REACHED:
    'An agent, a peer, a domain or a gateway reaches 80 % of its limit of calls at once, of new calls in a second, or of minutes a day. For calls at once, it is sent again only after they were below 60 %. Once a minute at most.',
  LIMIT_REACHED:
    'A call was refused, or left through another gateway, because of the limit of an agent, a peer, a domain or a gateway. Sent once a minute at most.',
  EMERGENCY_CALL:
    'An agent or a peer called an emergency number, whatever became of the call. At most ten a minute of each.',
  CALL_FAILED: 'Calls failed: those of the rule `failedCalls`.',
  CHANGES_REVERTED: 'Changes that nobody confirmed in time, or after which a limit was reached, were reverted.',
  CHANGES_NOT_REVERTED: 'Changes had to be reverted, and were not, because somebody has built upon them.',
  CHANGES_APPLIED: 'Scheduled changes were made.',
  CHANGES_NOT_APPLIED:
    'Scheduled changes were not made, because they would do something else, or are not possible any more.',
});

const KINDS =
  'The kinds of resources whose changes are sent as RESOURCE_CHANGED, at least one. By default, all. Other events do not depend on it.';
const REFS =
  'The references of resources, gateways and numbers, of what has limits or makes emergency calls, and addresses of record such as `sip:1001@sip.local`, whose events are sent: 1 to 100. By default, all.';
const AFTER =
  'Seconds for which a gateway, destination or number must be in a state before the webhook is told: 0 to 86400, by default 60.';

const FAILED_CALLS =
  'Which failed calls are sent, and how often, for CALL_FAILED. By default, all, in one message a minute at most.';
const RULE = {
  name: 'FailedCallRule',
  description: 'Which failed calls a webhook is told about. All conditions must hold.',
};

/** The rule of a webhook for failed calls. */
@InputType(`${RULE.name}Input`, { description: RULE.description })
@ObjectType(RULE.name, { description: RULE.description })
class FailedCallRuleType extends CallConditions implements FailedCallRule {
  @Field(() => String, { nullable: true, description: 'Digits of the DID or Number that was called, or calls out.' })
  digits?: string | null;

  @Field(() => Int, { nullable: true, description: 'The lowest final status, from 300 to 699, such as 500.' })
  minStatus?: number | null;

  @Field(() => Int, {
    defaultValue: 1,
    description: 'How many calls must fail within `minutes` before a message is sent: 1 to 100,000.',
  })
  count!: number;

  @Field(() => Int, {
    defaultValue: 1,
    description:
      'The minutes within which `count` calls must fail, and the shortest time between two messages: 1 to 1,440.',
  })
  minutes!: number;
}

/** The settings of a webhook that have a default. */
@ArgsType()
abstract class WebhookSettings {
  @Field(() => [KindEnum], { nullable: true, description: KINDS })
  kinds?: readonly string[] | null;

  @Field(() => [String], { nullable: true, description: REFS })
  refs?: readonly string[] | null;

  @Field(() => Int, { nullable: true, description: AFTER })
  after?: number | null;

  @Field(() => FailedCallRuleType, { nullable: true, description: FAILED_CALLS })
  failedCalls?: FailedCallRuleType | null;

  @Field(() => String, { nullable: true, description: 'A note: at most 500 characters.' })
  note?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Check everything, change nothing, and return what the webhook would be.',
  })
  dryRun!: boolean;
}

@ArgsType()
export class CreateWebhookArgs extends WebhookSettings {
  @Field(() => String, { description: 'The https or http URL of the receiver.' })
  url!: string;

  @Field(() => [WebhookEventEnum], { description: 'The events to send.' })
  events!: readonly WebhookEvent[];
}

@ArgsType()
export class UpdateWebhookArgs extends WebhookSettings {
  @Field(() => String, { description: 'Reference of the webhook.' })
  ref!: string;

  @Field(() => String, { nullable: true, description: 'The https or http URL of the receiver.' })
  url?: string | null;

  @Field(() => [WebhookEventEnum], { nullable: true, description: 'The events to send.' })
  events?: readonly WebhookEvent[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to pause the webhook, or to continue with the first message that was not delivered.',
  })
  paused?: boolean | null;
}

@ObjectType('Webhook', { description: 'A receiver of events over HTTP.' })
export class WebhookType {
  @Field(() => String, { description: 'Reference of the webhook.' })
  ref!: string;

  @Field(() => String, { description: 'The URL of the receiver.' })
  url!: string;

  @Field(() => [WebhookEventEnum], { description: 'The events that are sent.' })
  events!: readonly WebhookEvent[];

  @Field(() => [KindEnum], { nullable: true, description: KINDS })
  kinds!: readonly string[] | null;

  @Field(() => [String], { nullable: true, description: REFS })
  refs!: readonly string[] | null;

  @Field(() => Int, { description: AFTER })
  after!: number;

  @Field(() => FailedCallRuleType, { nullable: true, description: FAILED_CALLS })
  failedCalls!: FailedCallRuleType | null;

  @Field(() => String, { nullable: true, description: 'A note about the webhook.' })
  note!: string | null;

  @Field(() => String, { description: 'Name of the user who created the webhook.' })
  madeBy!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the webhook was created.' })
  createdOn!: number;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When the webhook was paused, by a user or because nothing could be delivered for a day; null while it is active.',
  })
  pausedOn!: number | null;

  @Field(() => String, { nullable: true, description: 'Why the webhook was paused; null while it is active.' })
  pausedReason!: string | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Until when messages are also signed with the previous secret; null if they are not.',
  })
  previousSecretUntil!: number | null;
}

export const AttemptIntervalEnum = enumOf<AttemptInterval>(
  'WebhookAttemptInterval',
  'The intervals in which attempts are counted.',
  {
    HOUR: 'The last 24 hours, by hour.',
    DAY: 'The last 30 days, by day. Days begin at midnight UTC.',
  },
);

@ObjectType('WebhookAttempts', {
  description: 'How many attempts to deliver messages to a webhook succeeded and failed in an interval.',
})
export class WebhookAttemptsType {
  @Field(() => GraphQLISODateTime, { description: 'The start of the interval.' })
  from!: number;

  @Field(() => Int, { description: 'Attempts that the receiver accepted.' })
  succeeded!: number;

  @Field(() => Int, { description: 'Attempts that failed. A message is sent again until it is accepted.' })
  failed!: number;
}

@ObjectType('CreatedWebhook', { description: 'A webhook with its new secret.' })
export class CreatedWebhookType {
  @Field(() => String, {
    description:
      'The secret that signs the messages, in the format of Standard Webhooks. It is shown only here. Empty after a dry run.',
  })
  secret!: string;

  @Field(() => WebhookType, { description: 'The webhook.' })
  webhook!: WebhookType;
}

@ObjectType('WebhookDelivery', { description: 'A message to a webhook, and what became of it.' })
export class WebhookDeliveryType {
  @Field(() => ID, { description: 'The `webhook-id` of the message, the same in all attempts.' })
  id!: string;

  @Field(() => String, { description: 'The body: JSON with `type`, `timestamp` and `data`.' })
  payload!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the message was stored.' })
  createdOn!: number;

  @Field(() => Int, { description: 'How often the message was sent.' })
  attempts!: number;

  @Field(() => String, { nullable: true, description: 'The result of the last attempt; null before the first.' })
  outcome!: string | null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When the message was delivered; null until then.' })
  deliveredOn!: number | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the next attempt is due; null if the message was delivered, or is due now.',
  })
  nextAttemptOn!: number | null;
}

@ObjectType('WebhookPing', { description: 'The result of a ping.' })
export class WebhookPingType {
  @Field(() => Boolean, { description: 'Whether the receiver accepted the message with a status from 200 to 299.' })
  delivered!: boolean;

  @Field(() => String, { description: 'The status of the response, or why there is none.' })
  outcome!: string;

  @Field(() => Int, { nullable: true, description: 'The status code of the response; null if there is none.' })
  status!: number | null;

  @Field(() => Int, { description: 'Milliseconds until the end of the response, or until the failure.' })
  roundTrip!: number;

  @Field(() => String, {
    description:
      'The first 500 bytes of the body of the response, on one line. The receiver wrote it: show it as text.',
  })
  body!: string;
}
