import type { CallDirection } from '../sip/calls/call';

/** The events that a webhook can be told about. */
export type WebhookEvent =
  | 'RESOURCE_CHANGED'
  | 'REGISTRATION_CHANGED'
  | 'CONTACTS_CHANGED'
  | 'GATEWAY_LOST'
  | 'GATEWAY_BACK'
  | 'GATEWAY_DOWN'
  | 'GATEWAY_UP'
  | 'DESTINATION_DOWN'
  | 'DESTINATION_UP'
  | 'NUMBER_STOPPED'
  | 'NUMBER_BACK'
  | 'LIMIT_NEARLY_REACHED'
  | 'LIMIT_REACHED'
  | 'EMERGENCY_CALL'
  | 'CALL_FAILED'
  | 'CHANGES_REVERTED'
  | 'CHANGES_NOT_REVERTED'
  | 'CHANGES_APPLIED'
  | 'CHANGES_NOT_APPLIED';

/** Which failed calls a webhook is told about, and how often. A condition that is absent or null does not apply. */
export interface FailedCallRule {
  readonly gatewayRef?: string | null;
  /** The caller or the callee. */
  readonly agentRef?: string | null;
  readonly peerRef?: string | null;
  /** The domain of the caller, or else the called one. */
  readonly domainRef?: string | null;
  readonly routeRef?: string | null;
  /** The digits of one of our numbers. */
  readonly digits?: string | null;
  readonly direction?: CallDirection | null;
  readonly minStatus?: number | null;
  /** Part of the reason phrase or of the header Reason, ignoring case. */
  readonly reason?: string | null;
  /** How many calls must fail within `minutes`. */
  readonly count: number;
  /** Also the shortest time between two messages. */
  readonly minutes: number;
}

/** All failed calls, and a message a minute at most. */
export const EVERY_FAILED_CALL: FailedCallRule = { count: 1, minutes: 1 };

/** An address to which events are sent. */
export interface Webhook {
  readonly rowId: number;
  readonly ref: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** The kinds of resources whose changes are sent; null for all. */
  readonly kinds: readonly string[] | null;
  /** The refs of resources, gateways and numbers, of what has limits of calls, and addresses of record, whose events are sent; null for all. */
  readonly refs: readonly string[] | null;
  /** Seconds for which a gateway, destination or number must be in a state before the webhook is told. */
  readonly after: number;
  /** Null for EVERY_FAILED_CALL. */
  readonly failedCalls: FailedCallRule | null;
  readonly note: string | null;
  /** The name of the user who created it. */
  readonly madeBy: string;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  /** When the webhook was paused, in milliseconds since the epoch; null while it is active. */
  readonly pausedOn: number | null;
  readonly pausedReason: string | null;
  /**
   * Until when messages are also signed with the previous secret, in milliseconds since the epoch; null if they are
   * not.
   */
  readonly previousSecretUntil: number | null;
}

/** What the delivery needs to know about a webhook. `secret` must not leave the folder. */
export interface ActiveWebhook extends Webhook {
  readonly secret: string;
  /** The secret before the last rotation, while `previousSecretUntil` has not passed. It must not leave the folder. */
  readonly previousSecret: string | null;
  /** The number of the last change that was turned into deliveries. */
  readonly changeId: number;
}

/** A message for a webhook. It is sent until it is delivered. */
export interface Message {
  /** Messages with the same subject are delivered in order. */
  readonly subject: string;
  /** The body: JSON. */
  readonly payload: string;
}

/** A message to a webhook and what became of it. */
export interface Delivery {
  readonly rowId: number;
  /** The `webhook-id` of the message. */
  readonly ref: string;
  readonly webhookId: number;
  readonly subject: string;
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly createdOn: number;
  readonly attempts: number;
  /** When the next attempt is due, in milliseconds since the epoch. */
  readonly nextOn: number;
  /** The first failed attempt since the last success, in milliseconds since the epoch. */
  readonly failingSince: number | null;
  readonly deliveredOn: number | null;
  /** The result of the last attempt. */
  readonly outcome: string | null;
}
