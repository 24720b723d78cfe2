import { setMaxListeners } from 'node:events';

import type { Logger } from 'pino';

import type { ChangeLog } from '../changes/change-log';
import { Lease } from '../changes/lease';
import { RepeatedTask } from '../changes/repeated-task';
import type { Database } from '../database/database';
import { list, sql } from '../database/fragment';
import { pad } from '../database/sql';
import type { AddressPolicy } from '../limits/addresses';
import type { Model } from '../model/model';
import { factsOf, toFacts } from '../sip/diagnosis/facts-query';
import type { LiveWatch } from '../sip/live/live-watch';
import { logFailure } from '../log';
import { trimAttempts } from './attempt-counts';
import { trimDeliveries } from './delivery-store';
import { lookAtFailures, watchesFailures } from './failed-calls';
import { fill } from './fill';
import { subjectOf } from './messages';
import { Sender } from './sender';
import {
  dueStates,
  noteState,
  statesOf,
  tellState,
  watchesGateways,
  watchesLive,
  watchesNumbers,
  type WatchedState,
} from './states';
import type { ActiveWebhook } from './webhook';
import { activeWebhooks, forgetSecrets } from './webhook-store';

const INTERVAL = 500;
// Milliseconds between looks for webhooks while there are none, and while another process delivers.
const IDLE = 5000;
const STANDBY = 1000;
const WATCH_TIMINGS: WatchTimings = { numbersEvery: 10_000, failedCallsEvery: 5000 };
const TRIM_INTERVAL = 60_000;
// Delivered messages of a webhook that are kept for `webhookDeliveries`.
const KEPT = 200;

/** Milliseconds between looks at what webhooks watch. */
export interface WatchTimings {
  readonly numbersEvery: number;
  readonly failedCallsEvery: number;
}

/** What the dispatcher depends on. */
export interface DispatcherOptions {
  readonly database: Database;
  readonly log: ChangeLog;
  readonly watch: LiveWatch;
  readonly model: Model;
  readonly policy: AddressPolicy;
  /** The node of the SIP server where calls arrive. */
  readonly node: string | undefined;
  readonly logger: Logger;
  readonly timings?: Partial<WatchTimings> | undefined;
}

/** Delivers events to webhooks, in one process at a time. */
export class WebhookDispatcher {
  private readonly timings: WatchTimings;
  private readonly lease: Lease;
  private readonly senders = new Map<number, Sender>();
  private readonly poller: RepeatedTask;
  private readonly stopping = new AbortController();
  // Times of the monotonic clock, so that nothing waits for longer after the system's clock is set back.
  private idleUntil = -Infinity;
  private numbersAt = -Infinity;
  private failuresAt = -Infinity;
  private thoroughAt = -Infinity;
  private trimmedAt = -Infinity;

  constructor(private readonly options: DispatcherOptions) {
    const { database, logger } = options;
    this.timings = { ...WATCH_TIMINGS, ...options.timings };
    this.lease = new Lease(database, { table: 'webhook_lease', duration: 5 });
    const onFailure = (error: unknown): void => logFailure(logger, error, 'cannot deliver to webhooks');
    // Each message that is being sent listens.
    setMaxListeners(0, this.stopping.signal);
    this.poller = new RepeatedTask(() => this.dispatch(), INTERVAL, onFailure).start();
  }

  /** Looks for webhooks and for what is due now. */
  wake(): void {
    this.idleUntil = -Infinity;
    this.poller.wake();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.poller.close();
    await Promise.all([...this.senders.values()].map((sender) => sender.settle()));
    // If the database is unavailable, the lease ends by itself.
    await this.lease.release().catch(() => undefined);
  }

  private async dispatch(): Promise<void> {
    if (performance.now() < this.idleUntil) return;
    const { database, log, watch } = this.options;
    const webhooks = await activeWebhooks(database.maintenance);
    const isInCharge = webhooks.length > 0 && (await this.lease.take());
    this.keepSenders(isInCharge ? webhooks : []);
    if (!isInCharge) {
      this.idleUntil = performance.now() + (webhooks.length === 0 ? IDLE : STANDBY);
      return;
    }
    if (webhooks.some((webhook) => watchesLive(webhook) || watchesGateways(webhook))) await watch.look();
    const { id: last } = await log.last();
    const now = performance.now();
    const looksAtNumbers = now - this.numbersAt >= this.timings.numbersEvery;
    if (looksAtNumbers) this.numbersAt = now;
    const trims = now - this.trimmedAt >= TRIM_INTERVAL;
    if (trims) {
      this.trimmedAt = now;
      await database.maintenance.transaction(forgetSecrets);
    }
    await this.lookAtFailures(webhooks, now);
    const failures: unknown[] = [];
    for (const webhook of webhooks) {
      if (!(await this.lease.take())) return;
      // An event that cannot be read stops its own webhook alone. Without a database, the lease cannot be taken again.
      await this.serve(webhook, last, { looksAtNumbers, trims }).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async lookAtFailures(webhooks: readonly ActiveWebhook[], now: number): Promise<void> {
    const watching = webhooks.filter(watchesFailures);
    if (watching.length === 0 || now - this.failuresAt < this.timings.failedCallsEvery) return;
    const isThorough = now - this.thoroughAt >= TRIM_INTERVAL;
    this.failuresAt = now;
    if (isThorough) this.thoroughAt = now;
    try {
      await lookAtFailures(this.options.database, watching, isThorough);
    } catch (error) {
      // The next look finds the same calls. Meanwhile, the other webhooks are served.
      logFailure(this.options.logger, error, 'cannot look for failed calls');
    }
  }

  private async serve(
    webhook: ActiveWebhook,
    last: number,
    { looksAtNumbers, trims }: { readonly looksAtNumbers: boolean; readonly trims: boolean },
  ): Promise<void> {
    const { database, node } = this.options;
    const { maintenance } = database;
    const isUpToDate = await fill(this.options, webhook, last);
    // What is known of the numbers of a webhook that begins or continues may be old.
    const isNew = !this.senders.has(webhook.rowId);
    if (watchesNumbers(webhook) && (looksAtNumbers || isNew)) await noteNumbers(database, webhook, node);
    // Before that, a state may be over already.
    if (isUpToDate && (watchesGateways(webhook) || watchesNumbers(webhook))) {
      for (const id of await dueStates(maintenance, webhook))
        await maintenance.transaction((transaction) => tellState(transaction, webhook, id));
    }
    if (trims)
      await maintenance.transaction(async (transaction) => {
        await trimDeliveries(transaction, webhook.rowId, KEPT);
        await trimAttempts(transaction, webhook.rowId);
      });
    await this.senderOf(webhook).send(webhook);
  }

  /** Drops the senders of other webhooks, except those with messages in flight, which count when they send again. */
  private keepSenders(webhooks: readonly ActiveWebhook[]): void {
    for (const [id, sender] of this.senders)
      if (!webhooks.some(({ rowId }) => rowId === id) && sender.rest()) this.senders.delete(id);
  }

  private senderOf({ rowId }: ActiveWebhook): Sender {
    const known = this.senders.get(rowId);
    if (known) return known;
    const { database, policy, logger } = this.options;
    const sender = new Sender({
      database,
      policy,
      lease: this.lease,
      stopped: this.stopping.signal,
      finished: () => this.poller.wake(),
      paused: (webhook, reason) => logger.warn({ webhook, reason }, 'webhook paused'),
    });
    this.senders.set(rowId, sender);
    return sender;
  }
}

/**
 * Stores which of a webhook's numbers can be reached, in one statement if nothing has changed. `node` is the node of
 * the SIP server where calls arrive.
 */
async function noteNumbers(database: Database, webhook: ActiveWebhook, node: string | undefined): Promise<void> {
  const { rowId, refs } = webhook;
  if (!refs || refs.length === 0) return;
  const now = Date.now();
  const numbers = sql`SELECT n.id FROM numbers n WHERE n.ref IN (${list(pad(refs, ''))})`;
  const { text, values } = factsOf(numbers, undefined, { now, node });
  const found = (await database.maintenance.rows(text, values)).map((row) => toFacts(row, node));
  const known = await statesOf(database.maintenance, rowId);
  const changed = found.flatMap(({ kind, ref, state }): readonly (readonly [string, WatchedState])[] => {
    const [subject, current] = [subjectOf(kind, ref), state === 'REACHABLE' ? ('UP' as const) : ('DOWN' as const)];
    return known.get(subject) === current ? [] : [[subject, current]];
  });
  if (changed.length === 0) return;
  await database.maintenance.transaction(async (transaction) => {
    // The webhook is told of changes only, not of the state at its creation.
    for (const [subject, state] of changed) await noteState(transaction, rowId, subject, state, now, state);
  });
}
