import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';

import type { Actor } from '../changes/actor';
import type { ChangeFeed } from '../changes/change-feed';
import type { ChangeLog } from '../changes/change-log';
import type { ReadsAndWrites } from '../database/database';
import { places, type OwnTransaction } from '../database/sql';
import {
  ConflictError,
  InvalidInputError,
  NotFoundError,
  LimitReachedError,
  NotSupportedError,
  quote,
  type Issue,
} from '../errors';
import type { AddressPolicy } from '../limits/addresses';
import type { Model } from '../model/model';
import { inTransaction, type WriteOptions } from '../resources/write/transactions';
import type { LiveWatch } from '../sip/live/live-watch';
import { attemptCounts, type AttemptInterval, type Attempts } from './attempt-counts';
import { deliveriesOf, newId, reopen } from './delivery-store';
import { restartFailures } from './failed-calls';
import { message } from './messages';
import type { Outcome } from './post';
import { deliver } from './sender';
import { noteGateways, restartStates, scopeOf, watchesLive } from './states';
import type { ActiveWebhook, Delivery, FailedCallRule, Webhook, WebhookEvent } from './webhook';
import { noteWebhook } from './webhook-entries';
import {
  allWebhooks,
  deleteWebhook,
  insertWebhook,
  lockWebhook,
  pauseWebhook,
  replaceSecret,
  resumeWebhook,
  updateWebhook,
  webhookByRef,
} from './webhook-store';

/** The maximum number of webhooks. */
const MAX_WEBHOOKS = 50;
const MAX_URL = 2000;
const MAX_REFS = 100;
const MAX_AFTER = 86_400;
const DEFAULT_AFTER = 60;
// Characters of a condition on failed calls. All of a rule must fit in its column.
const MAX_CONDITION = 64;
// Seconds for which a previous secret stays valid.
const MAX_OVERLAP = 7 * 86_400;
/** The number of deliveries that are listed. */
const LISTED = 100;
// Pings of this process at the same time.
const MAX_PINGS = 4;

/** The input for a new webhook. */
interface WebhookInput {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly kinds?: readonly string[] | null;
  readonly refs?: readonly string[] | null;
  /** Seconds. */
  readonly after?: number | null;
  readonly failedCalls?: FailedCallRule | null;
  readonly note?: string | null;
}

/** New settings. Those that are undefined stay as they are; null clears a setting. */
type WebhookChange = { readonly [Name in keyof WebhookInput]?: WebhookInput[Name] | null | undefined } & {
  /** Whether to pause the webhook, or to continue where it was. */
  readonly paused?: boolean | null | undefined;
};

/** A webhook with its new secret, which is shown only once. It is empty after a dry run. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** The result of a ping. */
export interface Ping extends Outcome {
  /** Milliseconds until the end of the exchange. */
  readonly roundTrip: number;
}

/** What the service depends on. */
export interface WebhookServiceOptions {
  readonly database: ReadsAndWrites;
  readonly changes: ChangeFeed;
  readonly log: ChangeLog;
  readonly watch: LiveWatch;
  readonly model: Model;
  readonly policy: AddressPolicy;
  /** Called when there is something new to deliver. */
  readonly wake: () => void;
  /** The pings that are being sent, by all callers. */
  readonly pings: Set<object>;
}

/** Creates, lists, changes, tests and deletes webhooks. */
export class WebhookService {
  constructor(
    private readonly options: WebhookServiceOptions,
    /** Who makes the changes, for the history. */
    private readonly actor: Actor,
  ) {}

  list(): Promise<readonly Webhook[]> {
    return allWebhooks(this.options.database);
  }

  /**
   * Creates a webhook for events after now. Returns it with the secret that signs its messages. Throws
   * InvalidInputError, and LimitReachedError if there are too many webhooks.
   */
  async create(input: WebhookInput, { dryRun = false }: WriteOptions = {}): Promise<WebhookWithSecret> {
    this.assertInput(input);
    const { database, changes, wake } = this.options;
    const { url, events, kinds = null, refs = null, failedCalls = null, note = null } = input;
    const { id: changeId } = await changes.now();
    const secret = newSecret();
    const work = async (transaction: OwnTransaction): Promise<Webhook> => {
      // Two callers must not create the last one.
      await transaction.run('UPDATE webhook_lease SET holder = holder WHERE id = 1', []);
      if ((await allWebhooks(transaction)).length >= MAX_WEBHOOKS)
        throw new LimitReachedError(`There can be at most ${String(MAX_WEBHOOKS)} webhooks: delete one first`);
      const after = input.after ?? DEFAULT_AFTER;
      const given = { url, events: [...new Set(events)], kinds, refs, after, failedCalls, note };
      await assertNumbers(transaction, given);
      const by = { madeBy: this.actor.username, createdOn: Date.now() };
      const ref = await insertWebhook(transaction, { ...given, ...by, secret, changeId });
      const made = existing(await webhookByRef(transaction, ref), ref);
      await restartStates(transaction, made);
      await restartFailures(transaction, made);
      noteWebhook(transaction, this.actor, undefined, made);
      return made;
    };
    const webhook = await inTransaction(database, work, { isKept: () => !dryRun });
    // The database may give the id of a row that was not kept to another one.
    if (dryRun) return { webhook: { ...webhook, rowId: 0 }, secret: '' };
    wake();
    return { webhook, secret };
  }

  /**
   * Changes settings of a webhook. Messages that wait go to the new URL. Throws NotFoundError and InvalidInputError,
   * also if the webhook cannot continue because events have been deleted.
   */
  async update(ref: string, { paused, ...change }: WebhookChange, options: WriteOptions = {}): Promise<Webhook> {
    if (paused === false) await this.assertCanContinue(ref, 'paused');
    // Looks which gateways are lost already.
    await this.options.changes.now();
    const work = async (transaction: OwnTransaction, webhook: ActiveWebhook): Promise<void> => {
      const settings = this.merge(webhook, change);
      if (change.refs) await assertNumbers(transaction, settings);
      await updateWebhook(transaction, webhook.rowId, settings);
      await restartStates(transaction, { ...webhook, ...settings }, webhook);
      await restartFailures(transaction, { ...webhook, ...settings }, webhook);
      if (paused === true) await pauseWebhook(transaction, webhook.rowId, `paused by ${this.actor.username}`);
      if (paused === false && webhook.pausedOn !== null)
        await resumeWebhook(transaction, webhook.rowId, webhook.changeId);
    };
    return this.changing(ref, work, options);
  }

  /**
   * Makes a new secret and returns it. For `overlap` seconds, messages are also signed with the previous one. Throws
   * NotFoundError, InvalidInputError, and ConflictError while an earlier secret is still valid, unless `overlap` is 0.
   */
  async rotateSecret(ref: string, overlap: number, options: WriteOptions = {}): Promise<WebhookWithSecret> {
    if (overlap < 0 || overlap > MAX_OVERLAP)
      throw InvalidInputError.of(
        'overlap',
        `${String(overlap)} is not a number of seconds from 0 to ${String(MAX_OVERLAP)}`,
      );
    const secret = newSecret();
    const work = async (transaction: OwnTransaction, found: ActiveWebhook): Promise<void> => {
      if (overlap > 0) assertNoOverlap(found);
      await replaceSecret(transaction, found, secret, overlap === 0 ? null : Date.now() + overlap * 1000);
    };
    const webhook = await this.changing(ref, work, options);
    return { webhook, secret: options.dryRun === true ? '' : secret };
  }

  /** Deletes a webhook and its deliveries, and returns it. Throws NotFoundError. */
  async delete(ref: string, { dryRun = false }: WriteOptions = {}): Promise<Webhook> {
    const work = async (transaction: OwnTransaction): Promise<Webhook> => {
      await lockWebhook(transaction, ref);
      const webhook = existing(await webhookByRef(transaction, ref), ref);
      await deleteWebhook(transaction, ref);
      noteWebhook(transaction, this.actor, webhook, undefined);
      return webhook;
    };
    return inTransaction(this.options.database, work, { isKept: () => !dryRun });
  }

  /**
   * Continues a paused webhook where it was. With `skip`, events since then are skipped, and states are told as they are
   * now. Throws NotFoundError, and InvalidInputError if events since then have been deleted, so that they must be skipped.
   */
  async resume(ref: string, skip: boolean, options: WriteOptions = {}): Promise<Webhook> {
    // Perhaps nobody has looked at the live tables since then: what happened there must not be taken for later events.
    const { id: last } = await this.options.changes.now();
    if (!skip) await this.assertCanContinue(ref, 'skipMissed');
    const work = async (transaction: OwnTransaction, webhook: ActiveWebhook): Promise<void> => {
      const { rowId, changeId } = webhook;
      await resumeWebhook(transaction, rowId, skip ? Math.max(last, changeId) : changeId);
      if (!skip) return;
      await noteGateways(transaction, webhook);
      await restartFailures(transaction, webhook);
    };
    return this.changing(ref, work, options);
  }

  /** The newest messages of a webhook, newest first. Throws NotFoundError. */
  async deliveries(ref: string): Promise<readonly Delivery[]> {
    const { database } = this.options;
    return deliveriesOf(database, existing(await webhookByRef(database, ref), ref).rowId, LISTED);
  }

  /** How many attempts to deliver messages succeeded and failed, by row id of the webhook. */
  attempts(
    webhookIds: readonly number[],
    interval: AttemptInterval,
  ): Promise<ReadonlyMap<number, readonly Attempts[]>> {
    return attemptCounts(this.options.database, webhookIds, interval);
  }

  /** Sends a message again, with the same id. Throws NotFoundError. */
  async redeliver(id: string, { dryRun = false }: WriteOptions = {}): Promise<void> {
    const { database, wake } = this.options;
    const isKept = (): boolean => !dryRun;
    if (!(await inTransaction(database, (transaction) => reopen(transaction, id), { isKept })))
      throw new NotFoundError('Delivery', id, 'id');
    if (!dryRun) wake();
  }

  /**
   * Sends a message of the type `ping` now, once; none in a dry run. Throws NotFoundError, and NotSupportedError if too many are sent.
   */
  async ping(ref: string, { dryRun = false }: WriteOptions = {}): Promise<Ping> {
    const { database, policy, pings } = this.options;
    const webhook = existing(await webhookByRef(database, ref), ref);
    if (pings.size >= MAX_PINGS) throw new NotSupportedError('Too many pings are being sent; try again later');
    if (dryRun)
      return { isDelivered: false, text: 'Nothing was sent: it was a dry run', status: null, roundTrip: 0, body: '' };
    const ping = {};
    pings.add(ping);
    try {
      const { payload } = message('', 'ping', Date.now(), { webhook: ref });
      const begun = performance.now();
      const outcome = await deliver(webhook, { ref: newId(), payload }, policy);
      return { ...outcome, roundTrip: Math.round(performance.now() - begun) };
    } finally {
      pings.delete(ping);
    }
  }

  /** Changes a webhook that no other caller changes meanwhile. Returns what it is then. */
  private async changing(
    ref: string,
    work: (transaction: OwnTransaction, webhook: ActiveWebhook) => Promise<unknown>,
    { dryRun = false }: WriteOptions,
  ): Promise<ActiveWebhook> {
    const { database, wake } = this.options;
    const attempt = async (transaction: OwnTransaction): Promise<ActiveWebhook> => {
      await lockWebhook(transaction, ref);
      const before = existing(await webhookByRef(transaction, ref), ref);
      await work(transaction, before);
      const after = existing(await webhookByRef(transaction, ref), ref);
      noteWebhook(transaction, this.actor, before, after);
      return after;
    };
    const changed = await inTransaction(database, attempt, { isKept: () => !dryRun });
    if (!dryRun) wake();
    return changed;
  }

  /** Throws NotFoundError, and InvalidInputError if events that the webhook has not seen have been deleted. */
  private async assertCanContinue(ref: string, argument: string): Promise<void> {
    const { database, log, watch } = this.options;
    const webhook = existing(await webhookByRef(database, ref), ref);
    await log.assertComplete(argument, { id: webhook.changeId, at: undefined }, scopeOf(webhook));
    if (watchesLive(webhook)) await watch.assertComplete(argument, webhook.changeId);
  }

  /** The settings after a change. Throws InvalidInputError. */
  private merge(webhook: Webhook, change: Omit<WebhookChange, 'paused'>): Required<WebhookInput> & { after: number } {
    const missing = (['url', 'events'] as const).filter((name) => change[name] === null);
    if (missing.length > 0)
      throw new InvalidInputError(missing.map((field) => ({ field, path: field, message: 'is required' })));
    const { url, events, kinds, refs, after, failedCalls, note } = change;
    const settings = {
      url: url ?? webhook.url,
      events: [...new Set(events ?? webhook.events)],
      kinds: kinds === undefined ? webhook.kinds : kinds,
      refs: refs === undefined ? webhook.refs : refs,
      after: after === undefined ? webhook.after : (after ?? DEFAULT_AFTER),
      failedCalls: failedCalls === undefined ? webhook.failedCalls : failedCalls,
      note: note === undefined ? webhook.note : note,
    };
    this.assertInput(settings, change);
    return settings;
  }

  /** Checks settings, of which `given` are new. */
  private assertInput(settings: WebhookInput, given: Pick<WebhookChange, 'kinds' | 'failedCalls'> = settings): void {
    const { url, events, kinds, refs, after, failedCalls, note } = settings;
    const { model, policy } = this.options;
    const issues: Issue[] = [];
    const check = (field: string, message: string | undefined): void => {
      if (message !== undefined) issues.push({ field, path: field, message });
    };
    check('url', urlMistake(url, policy));
    if (events.length === 0) check('events', 'is empty');
    if (given.kinds?.length === 0) check('kinds', 'is empty: null stands for all kinds');
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
    if (given.failedCalls && !events.includes('CALL_FAILED'))
      check('failedCalls', 'applies to the event CALL_FAILED only');
    for (const [field, message] of failedCalls ? mistakesIn(failedCalls) : []) check(`failedCalls.${field}`, message);
    if ((note?.length ?? 0) > 500) check('note', 'is longer than 500 characters');
    if (issues.length > 0) throw new InvalidInputError(issues);
  }
}

/** Throws InvalidInputError if all events are about numbers, and one of the references is not that of a number. */
async function assertNumbers(
  transaction: OwnTransaction,
  { events, refs }: Pick<WebhookInput, 'events' | 'refs'>,
): Promise<void> {
  if (!refs || !events.every((event) => event.startsWith('NUMBER_'))) return;
  const rows = await transaction.rows(`SELECT ref FROM numbers WHERE ref IN (${places(refs.length)})`, refs);
  const known = new Set(rows.map(([ref]) => ref));
  const unknown = refs.find((ref) => !known.has(ref));
  if (unknown !== undefined) throw InvalidInputError.of('refs', `${quote(unknown)} is neither a DID nor a Number`);
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** A third secret would end the one that the receiver may still have. Throws ConflictError. */
function assertNoOverlap({ previousSecretUntil }: Webhook): void {
  if (previousSecretUntil === null) return;
  const until = new Date(previousSecretUntil).toISOString();
  const message = `the secret before the last rotation is valid until ${until}: rotate after that, or with 0`;
  throw new ConflictError(`overlap: ${message}`, [{ field: 'overlap', path: 'overlap', message }]);
}

function urlMistake(text: string, policy: AddressPolicy): string | undefined {
  // The URL may contain a secret of the receiver, so messages do not repeat it.
  if (text.length > MAX_URL) return `is longer than ${String(MAX_URL)} characters`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not an https or http URL';
  if (url.port === '0') return 'has the port 0, to which nothing can be sent';
  if (url.username !== '' || url.password !== '') return 'must not contain a name and password';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !policy(host))
    return `${quote(host)} is not a public address, and WEBHOOK_ALLOW does not name it`;
  return undefined;
}

/** What is wrong with a rule, by its members. */
function* mistakesIn(rule: FailedCallRule): Generator<readonly [string, string]> {
  const { count, minutes, minStatus } = rule;
  const within = (value: number, least: number, most: number): string | undefined =>
    value >= least && value <= most ? undefined : `${String(value)} is not from ${String(least)} to ${String(most)}`;
  const bounded = {
    count: within(count, 1, 100_000),
    minutes: within(minutes, 1, 1440),
    minStatus: typeof minStatus === 'number' ? within(minStatus, 300, 699) : undefined,
  };
  for (const [field, message] of Object.entries(bounded)) if (message !== undefined) yield [field, message];
  for (const field of ['gatewayRef', 'agentRef', 'peerRef', 'domainRef', 'routeRef', 'digits', 'reason'] as const) {
    const value = rule[field];
    if (typeof value === 'string' && (value === '' || value.length > MAX_CONDITION))
      yield [field, `${quote(value)} is not a text of 1 to ${String(MAX_CONDITION)} characters`];
  }
}

function existing(webhook: ActiveWebhook | undefined, ref: string): ActiveWebhook {
  if (!webhook) throw new NotFoundError('Webhook', ref);
  return webhook;
}
