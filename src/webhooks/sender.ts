import { Webhook as Signature } from 'standardwebhooks';

import type { Lease } from '../changes/lease';
import type { Database } from '../database/database';
import type { AddressPolicy } from '../limits/addresses';
import { countAttempt } from './attempt-counts';
import { heads, noteAttempt } from './delivery-store';
import { post, type Outcome } from './post';
import type { ActiveWebhook, Delivery } from './webhook';
import { pauseBySystem } from './webhook-entries';

// Messages of a webhook that are sent at the same time. All of them have different subjects.
const MAX_IN_FLIGHT = 4;
const SECOND = 1000;
// The longest pause between attempts for one message, and for a webhook whose last attempts all failed.
const LONGEST = 3600 * SECOND;
const LONGEST_OF_ALL = 60 * SECOND;
// After this time without success for one message, the webhook is paused.
const PATIENCE = 24 * 3600 * SECOND;

/** What a sender depends on. */
export interface SenderOptions {
  readonly database: Database;
  readonly policy: AddressPolicy;
  readonly lease: Lease;
  /** Aborted when the process shuts down. */
  readonly stopped: AbortSignal;
  /** Called after each attempt, when other messages may be due. */
  readonly finished: () => void;
  /** Called when a webhook is paused. */
  readonly paused: (ref: string, reason: string) => void;
}

/** Sends the messages of one webhook: those with the same subject in order, and a few at a time. */
export class Sender {
  private readonly inFlight = new Map<string, Promise<void>>();
  /** Failed attempts since the last success. While there are any, one message at a time is sent. */
  private failures = 0;
  /** A time of the monotonic clock, before which nothing is sent. */
  private waitUntil = -Infinity;

  constructor(private readonly options: SenderOptions) {}

  /** Starts to send what is due. */
  async send(webhook: ActiveWebhook): Promise<void> {
    const { database, lease } = this.options;
    const free = (this.failures > 0 ? 1 : MAX_IN_FLIGHT) - this.inFlight.size;
    if (free <= 0 || performance.now() < this.waitUntil) return;
    const now = Date.now();
    const latest = now + LONGEST;
    const found = await heads(database.maintenance, webhook.rowId, { limit: this.inFlight.size + free, latest });
    const due = found.filter(({ subject, nextOn }) => nextOn <= now && !this.inFlight.has(subject));
    for (const delivery of due.slice(0, free)) {
      // Another process may have taken over while this one was paused.
      if (!lease.isHeld) return;
      const attempt = this.attempt(webhook, delivery).finally(() => {
        this.inFlight.delete(delivery.subject);
        this.options.finished();
      });
      this.inFlight.set(delivery.subject, attempt);
    }
  }

  /** Forgets failures, while the webhook gets no more messages. Returns whether none is in flight. */
  rest(): boolean {
    [this.failures, this.waitUntil] = [0, -Infinity];
    return this.inFlight.size === 0;
  }

  async settle(): Promise<void> {
    await Promise.all(this.inFlight.values());
  }

  private async attempt(webhook: ActiveWebhook, delivery: Delivery): Promise<void> {
    const { database, policy, stopped, paused } = this.options;
    const outcome = await deliver(webhook, delivery, policy, stopped).catch((): Outcome => ({
      isDelivered: false,
      text: 'the message could not be sent',
      status: null,
      body: '',
    }));
    // The attempt is repeated after a restart.
    if (stopped.aborted && !outcome.isDelivered) return;
    const now = Date.now();
    const nextOn = outcome.isDelivered ? undefined : now + backOff(delivery.attempts, LONGEST);
    this.failures = outcome.isDelivered ? 0 : this.failures + 1;
    this.waitUntil = outcome.isDelivered ? -Infinity : performance.now() + backOff(this.failures - 1, LONGEST_OF_ALL);
    const isHopeless = !outcome.isDelivered && now - (delivery.failingSince ?? now) >= PATIENCE;
    const reason = `the message ${delivery.ref} has failed for 24 hours; the last attempt: ${outcome.text}`;
    try {
      await database.maintenance.transaction(async (transaction) => {
        await noteAttempt(transaction, delivery, outcome.text, nextOn);
        await countAttempt(transaction, webhook.rowId, outcome.isDelivered);
        if (isHopeless) await pauseBySystem(transaction, database, webhook, reason);
      });
      if (isHopeless) paused(webhook.ref, reason);
    } catch {
      // The database is unavailable: the message is sent again.
      this.waitUntil = performance.now() + SECOND;
    }
  }
}

/** Signs and sends a message (https://www.standardwebhooks.com), after a rotation with both secrets. */
export async function deliver(
  { url, secret, previousSecret }: Pick<ActiveWebhook, 'url' | 'secret' | 'previousSecret'>,
  { ref, payload }: Pick<Delivery, 'ref' | 'payload'>,
  policy: AddressPolicy,
  stopped?: AbortSignal,
): Promise<Outcome> {
  const now = new Date();
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': ref,
    'webhook-timestamp': String(Math.floor(now.getTime() / SECOND)),
    'webhook-signature': secrets.map((each) => new Signature(each).sign(ref, now, payload)).join(' '),
  };
  return post(url, headers, payload, { policy, stopped });
}

/** 1, 2, 4, 8... seconds, at most `longest` milliseconds. */
function backOff(attempts: number, longest: number): number {
  return Math.min(SECOND * 2 ** Math.min(attempts, 30), longest);
}
