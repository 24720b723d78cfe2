import { GraphQLISODateTime, ID, Int } from 'type-graphql';

import type { AttemptInterval } from '../../webhooks/attempt-counts';
import type { WebhookEvent } from '../../webhooks/webhook';
import { argsOf, enumOf, inputOf, nullable, objectOf, withDefault } from '../schema/type-tables';
import { KindEnum } from '../schema/object-types';
import { CALL_CONDITIONS } from './calls/call-types';

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

/** The rule of a webhook for failed calls. */
const RULE = {
  ...CALL_CONDITIONS,
  digits: [nullable(String), 'Digits of the DID or Number that was called, or calls out.'],
  minStatus: [nullable(Int), 'The lowest final status, from 300 to 699, such as 500.'],
  count: [withDefault(Int, 1), 'How many calls must fail within `minutes` before a message is sent: 1 to 100,000.'],
  minutes: [
    withDefault(Int, 1),
    'The minutes within which `count` calls must fail, and the shortest time between two messages: 1 to 1,440.',
  ],
} as const;
const RULE_ABOUT = 'Which failed calls a webhook is told about. All conditions must hold.';
const FailedCallRuleType = objectOf('FailedCallRule', RULE_ABOUT, RULE);
const FailedCallRuleInput = inputOf('FailedCallRuleInput', RULE_ABOUT, RULE);

/** The settings of a webhook that have a default. */
const WEBHOOK_SETTINGS = {
  kinds: [nullable([KindEnum]), KINDS],
  refs: [nullable([String]), REFS],
  after: [nullable(Int), AFTER],
  failedCalls: [nullable(FailedCallRuleInput), FAILED_CALLS],
  note: [nullable(String), 'A note: at most 500 characters.'],
  dryRun: [withDefault(Boolean, false), 'Check everything, change nothing, and return what the webhook would be.'],
} as const;

export const CreateWebhookArgs = argsOf({
  ...WEBHOOK_SETTINGS,
  url: [String, 'The https or http URL of the receiver.'],
  events: [[WebhookEventEnum], 'The events to send.'],
});
export type CreateWebhookArgs = InstanceType<typeof CreateWebhookArgs>;

export const UpdateWebhookArgs = argsOf({
  ...WEBHOOK_SETTINGS,
  ref: [String, 'Reference of the webhook.'],
  url: [nullable(String), 'The https or http URL of the receiver.'],
  events: [nullable([WebhookEventEnum]), 'The events to send.'],
  paused: [
    nullable(Boolean),
    'Whether to pause the webhook, or to continue with the first message that was not delivered.',
  ],
});
export type UpdateWebhookArgs = InstanceType<typeof UpdateWebhookArgs>;

export const WebhookType = objectOf('Webhook', 'A receiver of events over HTTP.', {
  ref: [String, 'Reference of the webhook.'],
  url: [String, 'The URL of the receiver.'],
  events: [[WebhookEventEnum], 'The events that are sent.'],
  kinds: [nullable([KindEnum]), KINDS],
  refs: [nullable([String]), REFS],
  after: [Int, AFTER],
  failedCalls: [nullable(FailedCallRuleType), FAILED_CALLS],
  note: [nullable(String), 'A note about the webhook.'],
  madeBy: [String, 'Name of the user who created the webhook.'],
  createdOn: [GraphQLISODateTime, 'When the webhook was created.'],
  pausedOn: [
    nullable(GraphQLISODateTime),
    'When the webhook was paused, by a user or because nothing could be delivered for a day; null while it is active.',
  ],
  pausedReason: [nullable(String), 'Why the webhook was paused; null while it is active.'],
  previousSecretUntil: [
    nullable(GraphQLISODateTime),
    'Until when messages are also signed with the previous secret; null if they are not.',
  ],
});

export const AttemptIntervalEnum = enumOf<AttemptInterval>(
  'WebhookAttemptInterval',
  'The intervals in which attempts are counted.',
  {
    HOUR: 'The last 24 hours, by hour.',
    DAY: 'The last 30 days, by day. Days begin at midnight UTC.',
  },
);

export const WebhookAttemptsType = objectOf(
  'WebhookAttempts',
  'How many attempts to deliver messages to a webhook succeeded and failed in an interval.',
  {
    from: [GraphQLISODateTime, 'The start of the interval.'],
    succeeded: [Int, 'Attempts that the receiver accepted.'],
    failed: [Int, 'Attempts that failed. A message is sent again until it is accepted.'],
  },
);

export const CreatedWebhookType = objectOf('CreatedWebhook', 'A webhook with its new secret.', {
  secret: [
    String,
    'The secret that signs the messages, in the format of Standard Webhooks. It is shown only here. Empty after a dry run.',
  ],
  webhook: [WebhookType, 'The webhook.'],
});

export const WebhookDeliveryType = objectOf('WebhookDelivery', 'A message to a webhook, and what became of it.', {
  id: [ID, 'The `webhook-id` of the message, the same in all attempts.'],
  payload: [String, 'The body: JSON with `type`, `timestamp` and `data`.'],
  createdOn: [GraphQLISODateTime, 'When the message was stored.'],
  attempts: [Int, 'How often the message was sent.'],
  outcome: [nullable(String), 'The result of the last attempt; null before the first.'],
  deliveredOn: [nullable(GraphQLISODateTime), 'When the message was delivered; null until then.'],
  nextAttemptOn: [
    nullable(GraphQLISODateTime),
    'When the next attempt is due; null if the message was delivered, or is due now.',
  ],
});
export type WebhookDeliveryType = InstanceType<typeof WebhookDeliveryType>;

export const WebhookPingType = objectOf('WebhookPing', 'The result of a ping.', {
  delivered: [Boolean, 'Whether the receiver accepted the message with a status from 200 to 299.'],
  outcome: [String, 'The status of the response, or why there is none.'],
  status: [nullable(Int), 'The status code of the response; null if there is none.'],
  roundTrip: [Int, 'Milliseconds until the end of the response, or until the failure.'],
  body: [
    String,
    'The first 500 bytes of the body of the response, on one line. The receiver wrote it: show it as text.',
  ],
});
export type WebhookPingType = InstanceType<typeof WebhookPingType>;
