// Longer than 150 lines, because it has all operations on webhooks.
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

import type { ChangeFeed } from '../changes/change-feed';
import type { ChangeLog } from '../changes/change-log';
import type { Database } from '../database/database';
import { InvalidInputError, NotFoundError, NotSupportedError, quote, type Issue } from '../errors';
import type { AddressPolicy } from '../limits/allowed-addresses';
import type { Model } from '../model/model';
import { deliveriesOf, newId, reopen } from './delivery-store';
import { message, subjectOf } from './messages';
import type { Outcome } from './post';
import { deliver } from './sender';
import { noteState } from './states';
import type { ActiveWebhook, Delivery, Webhook, WebhookEvent } from './webhook';
import { allWebhooks, deleteWebhook, insertWebhook, resumeWebhook, webhookByRef } from './webhook-store';

/** The maximum number of webhooks. */
const MAX_WEBHOOKS = 50;
const MAX_URL = 2000;
const MAX_REFS = 100;
const MAX_AFTER = 86_400;
const DEFAULT_AFTER = 60;
/** The number of deliveries that are listed. */
export const LISTED = 100;
// Pings of this process at the same time.
const MAX_PINGS = 4;

/** The input for a new webhook. */
export interface WebhookInput {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly kinds?: readonly string[] | null;
  readonly refs?: readonly string[] | null;
  /** Seconds. */
  readonly after?: number | null;
  readonly note?: string | null;
}

/** What the service depends on. */
export interface WebhookServiceOptions {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly log: ChangeLog;
  readonly model: Model;
  readonly policy: AddressPolicy;
  /** Called when there is something new to deliver. */
  readonly wake: () => void;
}

/** Creates, lists, tests and deletes webhooks. */
export class WebhookService {
  private pings = 0;

  constructor(private readonly options: WebhookServiceOptions) {}

  list(): Promise<readonly Webhook[]> {
    return allWebhooks(this.options.database);
  }

  /**
   * Creates a webhook for events after now. Returns it with the secret that signs its messages. Throws
   * InvalidInputError, and NotSupportedError if there are too many webhooks.
   */
  async create(input: WebhookInput, madeBy: string): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
    this.assertInput(input);
    const { database, changes, wake } = this.options;
    const { url, events, kinds = null, refs = null, note = null } = input;
    const { id: position } = await changes.now();
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const webhook = await database.transaction(async (transaction) => {
      // Two callers must not create the last one.
      await transaction.run('UPDATE webhook_lease SET holder = holder WHERE id = 1', []);
      if ((await allWebhooks(transaction)).length >= MAX_WEBHOOKS)
        throw new NotSupportedError(`There can be at most ${String(MAX_WEBHOOKS)} webhooks: delete one first`);
      const after = input.after ?? DEFAULT_AFTER;
      const now = Date.now();
      const given = { url, events: [...new Set(events)], kinds, refs, after, note };
      const ref = await insertWebhook(transaction, { ...given, secret, madeBy, createdOn: now, position });
      const made = existing(await webhookByRef(transaction, ref), ref);
      // Gateways that are lost already are no news.
      const lost = await transaction.rows("SELECT gw_ref FROM watched_registrations WHERE state <> 'REGISTERED'", []);
      for (const [gateway] of lost)
        await noteState(transaction, made.rowId, subjectOf('Registration', String(gateway)), 'DOWN', now, 'DOWN');
      return made;
    });
    wake();
    return { webhook, secret };
  }

  /** Deletes a webhook and its deliveries, and returns it. Throws NotFoundError. */
  async delete(ref: string): Promise<Webhook> {
    return this.options.database.transaction(async (transaction) => {
      const webhook = existing(await webhookByRef(transaction, ref), ref);
      await deleteWebhook(transaction, ref);
      return webhook;
    });
  }

  /**
   * Continues a paused webhook where it was. With `skip`, events since then are skipped. Throws NotFoundError, and
   * InvalidInputError if events since then have been deleted, so that they must be skipped.
   */
  async resume(ref: string, skip: boolean): Promise<Webhook> {
    const { database, log, wake } = this.options;
    const { rowId, position } = existing(await webhookByRef(database, ref), ref);
    if (!skip) await log.assertComplete('skipMissed', { id: position, at: undefined });
    const to = skip ? (await log.last()).id : position;
    await database.transaction((transaction) => resumeWebhook(transaction, rowId, to));
    wake();
    return existing(await webhookByRef(database, ref), ref);
  }

  /** The newest messages of a webhook, newest first. Throws NotFoundError. */
  async deliveries(ref: string): Promise<readonly Delivery[]> {
    const { database } = this.options;
    return deliveriesOf(database, existing(await webhookByRef(database, ref), ref).rowId, LISTED);
  }

  /** Sends a message again, with the same id. Throws NotFoundError. */
  async redeliver(id: string): Promise<void> {
    const { database, wake } = this.options;
    if (!(await database.transaction((transaction) => reopen(transaction, id))))
      throw new NotFoundError('Delivery', id, 'id');
    wake();
  }

  /** Sends a message of the type `ping` now, once. Throws NotFoundError, and NotSupportedError if too many are sent. */
  async ping(ref: string): Promise<Outcome> {
    const { database, policy } = this.options;
    const webhook = existing(await webhookByRef(database, ref), ref);
    if (this.pings >= MAX_PINGS) throw new NotSupportedError('Too many pings are being sent; try again later');
    this.pings++;
    try {
      const { payload } = message('', 'ping', Date.now(), { webhook: ref });
      return await deliver(webhook, { ref: newId(), payload }, policy);
    } finally {
      this.pings--;
    }
  }

  private assertInput({ url, events, kinds, refs, after, note }: WebhookInput): void {
    const { model, policy } = this.options;
    const issues: Issue[] = [];
    const check = (field: string, message: string | undefined): void => {
      if (message !== undefined) issues.push({ field, path: field, message });
    };
    check('url', urlMistake(url, policy));
    if (events.length === 0) check('events', 'is empty');
    const unknown = kinds?.find((kind) => model.find(kind) === undefined);
    if (unknown !== undefined) check('kinds', `${quote(unknown)} is not a kind`);
    if (refs?.length === 0 || (refs?.length ?? 0) > MAX_REFS)
      check('refs', `must have 1 to ${String(MAX_REFS)} entries`);
    const long = refs?.find((ref) => ref.length > 255);
    if (long !== undefined) check('refs', `${quote(long)} is longer than 255 characters`);
    if (!refs && events.some((event) => event.startsWith('NUMBER_')))
      check('refs', 'must name the numbers for NUMBER_STOPPED and NUMBER_BACK');
    if (typeof after === 'number' && (after < 0 || after > MAX_AFTER))
      check('after', `${String(after)} is not a number of seconds from 0 to ${String(MAX_AFTER)}`);
    if ((note?.length ?? 0) > 500) check('note', 'is longer than 500 characters');
    if (issues.length > 0) throw new InvalidInputError(issues);
  }
}

function urlMistake(text: string, policy: AddressPolicy): string | undefined {
  // The URL may contain a secret of the receiver, so messages do not repeat it.
  if (text.length > MAX_URL) return `is longer than ${String(MAX_URL)} characters`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not an https or http URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a name and password';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !policy(host))
    return `${quote(host)} is not a public address, and WEBHOOK_ALLOW does not name it`;
  return undefined;
}

function existing(webhook: ActiveWebhook | undefined, ref: string): ActiveWebhook {
  if (!webhook) throw new NotFoundError('Webhook', ref);
  return webhook;
}
