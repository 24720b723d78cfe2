/** A webhook, as the graph tells it. */
export interface Webhook {
  readonly ref: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly kinds: readonly string[] | null;
  readonly refs: readonly string[] | null;
  readonly after: number;
  readonly failedCalls: FailedCalls | null;
  readonly note: string | null;
  readonly madeBy: string;
  readonly pausedOn: string | null;
  readonly pausedReason: string | null;
  readonly previousSecretUntil: string | null;
  /** Those of the last 24 hours, by hour. */
  readonly attempts: readonly Attempts[];
}

/** Which failed calls a webhook is told about. */
export interface FailedCalls {
  readonly gatewayRef: string | null;
  readonly agentRef: string | null;
  readonly peerRef: string | null;
  readonly domainRef: string | null;
  readonly routeRef: string | null;
  readonly digits: string | null;
  readonly direction: string | null;
  readonly minStatus: number | null;
  readonly reason: string | null;
  readonly count: number;
  readonly minutes: number;
}

/** How many attempts to deliver messages succeeded and failed in an interval that begins at a time. */
export interface Attempts {
  readonly from: string;
  readonly succeeded: number;
  readonly failed: number;
}

/** What the receiver responded to a ping. */
export interface Ping {
  readonly delivered: boolean;
  readonly outcome: string;
  readonly roundTrip: number;
  readonly body: string;
}

/** Reads all webhooks. */
export const WEBHOOKS = `{ webhooks {
  ref url events kinds refs after note failedCalls {
    gatewayRef agentRef peerRef domainRef routeRef digits direction minStatus reason count minutes
  } madeBy pausedOn pausedReason previousSecretUntil
  attempts(by: HOUR) { from succeeded failed }
} }`;

const VALUES = `$url: String!, $events: [WebhookEvent!]!, $kinds: [ResourceKind!], $refs: [String!], $after: Int, $failed: FailedCallRuleInput, $note: String`;
const GIVEN =
  'url: $url, events: $events, kinds: $kinds, refs: $refs, after: $after, failedCalls: $failed, note: $note';

export const CREATE = `mutation CreateWebhook(${VALUES}) { made: createWebhook(${GIVEN}) { secret } }`;
export const UPDATE = `mutation UpdateWebhook($ref: String!, ${VALUES}) { updateWebhook(ref: $ref, ${GIVEN}) { ref } }`;
export const PAUSE = `mutation PauseWebhook($ref: String!) { updateWebhook(ref: $ref, paused: true) { ref } }`;
export const CONTINUE = `mutation ResumeWebhook($ref: String!, $skip: Boolean!) {
  resumeWebhook(ref: $ref, skipMissed: $skip) { ref }
}`;
export const PING =
  'mutation PingWebhook($ref: String!) { pingWebhook(ref: $ref) { delivered outcome roundTrip body } }';
export const ROTATE = `mutation RotateWebhookSecret($ref: String!, $overlap: Int!) {
  made: rotateWebhookSecret(ref: $ref, overlap: $overlap) { secret }
}`;
export const DELETE = 'mutation DeleteWebhook($ref: String!) { deleteWebhook(ref: $ref) }';

/** The result of CREATE and ROTATE. */
export interface Made {
  readonly made: { readonly secret: string };
}
