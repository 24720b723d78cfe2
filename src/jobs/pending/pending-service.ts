import type { Actor } from '../../changes/actor';
import { isFingerprint } from '../../changes/details';
import { noteChange } from '../../changes/outbox';
import type { Product } from '../../database/driver';
import type { Cancellable, OwnTransaction, Sql } from '../../database/sql';
import {
  ConflictError,
  DomainError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  LimitReachedError,
  type Issue,
} from '../../errors';
import type { RevertOptions, RevertService } from '../../history/revert-service';
import type { GivenChange } from '../../resources/bulk/change-set';
import {
  withoutDetails,
  type Alongside,
  type AppliedChange,
  type ApplyOptions,
  type ChangeSetResult,
  type ChangeSetService,
} from '../../resources/bulk/change-set-service';
import type { Model } from '../../model/model';
import { inTransaction, type WriteOptions } from '../../resources/write/transactions';
import type { IdempotencyKey, KeyTurns } from '../../resources/write/idempotency-key';
import type { Rehearser } from '../../sip/simulation/simulation';
import { confirmation } from './confirmation';
import { assertNotBuiltUpon } from './built-upon';
import { limitsOf, watchedBy, type Limits } from './figures';
import { endingOf, type Pending } from './pending';
import { beginConfirmation, countIn, endPending, insertPending, PendingReader } from './pending-store';
import { Recorder } from './recorder';
import { differenceOf, fieldsOf, foreseenOf, MOST_DAYS, toPlanned, type Foreseen, type fromPlanned } from './schedule';

/**
 * The most sets of changes that wait at a time, and the argument by which they do. Those that wait for a confirmation are measured every
 * two seconds.
 */
const ROOM = {
  UNCONFIRMED: { most: 10, argument: 'confirmWithin' },
  SCHEDULED: { most: 100, argument: 'at' },
} as const;
/** Seconds within which changes can be confirmed. */
export const SECONDS = { min: 10, max: 86_400 } as const;

/** What must happen for changes to be kept. */
export interface Terms {
  /** Seconds within which they must be confirmed. */
  readonly seconds: number;
  readonly limits: Limits;
}

/** Checks terms as a caller sends them; undefined if the changes need no confirmation. Throws InvalidInputError. */
export function termsOf(
  seconds: number | null | undefined,
  limits: Parameters<typeof limitsOf>[0] | null | undefined,
): Terms | undefined {
  if (seconds === null || seconds === undefined) {
    if (limits) throw InvalidInputError.of('revertIf', 'requires confirmWithin');
    return undefined;
  }
  if (seconds < SECONDS.min || seconds > SECONDS.max)
    throw InvalidInputError.of(
      'confirmWithin',
      `${String(seconds)} is not a number of seconds from ${String(SECONDS.min)} to ${String(SECONDS.max)}`,
    );
  return { seconds, limits: limitsOf(limits ?? {}) };
}

/** What changes did, or will do. */
export interface PendingResult extends ChangeSetResult {
  /** Undefined if the changes wait for nothing, because nothing was changed. */
  readonly pendingId?: string | undefined;
}

/** When what a service writes is made, and what must happen for it to be kept. At least one of both is given. */
export interface Wait {
  /** Milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly terms: Terms | undefined;
  /** The set of changes that waits for a confirmation, of which the write is a part. Then nothing else is given. */
  readonly partOf?: string | undefined;
}

/** How a service writes what waits. */
export interface WaitingWrite {
  readonly dryRun: boolean;
  readonly rehearser: Rehearser | undefined;
  readonly key: IdempotencyKey | undefined;
}

/** How to run a service whose writes wait. */
export interface WaitOptions<T> extends WaitingWrite {
  readonly request: Cancellable;
  /** Charges the user for long resources, in rows. Throws RateLimitedError. */
  readonly charge: (rows: number) => void;
  /** Whether a dry run succeeded as a whole; otherwise nothing is scheduled. By default, it did, because failures are thrown. */
  readonly isWhole?: (result: T) => boolean;
}

/** What the service and the guard depend on. */
export interface PendingOptions {
  readonly database: {
    readonly product: Product;
    transaction<T>(work: (transaction: OwnTransaction) => Promise<T>): Promise<T>;
  } & Sql;
  readonly changeSetsOf: (actor: Actor) => ChangeSetService;
  readonly revertsOf: (actor: Actor) => RevertService;
  readonly keys: KeyTurns;
  readonly model: Model;
  /** Returns an id for a request. */
  readonly newId: () => string;
}

/** Makes changes that must be confirmed, or are made later, on behalf of an actor, and confirms and cancels them. */
export class PendingService {
  constructor(
    private readonly options: PendingOptions,
    private readonly actor: Actor,
    /** Called when something may be due. */
    private readonly wake: () => void,
  ) {}

  /**
   * Applies changes that are reverted unless somebody confirms them. They have an id of their own in the history, so that nothing
   * else is reverted with them. Throws the errors of `ChangeSetService.apply`, and InvalidInputError for changes that could not be
   * reverted.
   */
  async apply(changes: readonly GivenChange[], options: ApplyOptions, terms: Terms): Promise<PendingResult> {
    const { newId, changeSetsOf } = this.options;
    const id = newId();
    const service = changeSetsOf({ ...this.actor, requestId: id });
    if (options.dryRun) {
      const result = await service.apply(changes, options);
      assertRevertible(changes, result.changes);
      return result;
    }
    const alongside: Alongside = async (transaction, rehearsal, rehearsed) => {
      const after = await options.alongside?.(transaction, rehearsal, rehearsed);
      await assertRoom(transaction, 'UNCONFIRMED');
      const watched = await watchedBy(transaction, rehearsal);
      return async (applied) => {
        await after?.(applied);
        assertRevertible(changes, applied);
        if (applied.every(({ outcome }) => outcome === 'UNCHANGED')) return;
        const row = { ...this.rowOf(id, terms), count: changes.length, watched };
        await insertPending(transaction, this.options.database.product, row);
      };
    };
    const result = await service.apply(changes, { ...options, alongside });
    this.wake();
    return { ...result, pendingId: result.requestId };
  }

  /**
   * Simulates changes, and stores them to be made at a time, in milliseconds since the epoch. Returns their id, unless it is a dry
   * run. Throws the errors of `simulate`, ForbiddenError for an API token, and InvalidInputError for secrets and for times that have
   * passed or are too far ahead.
   */
  async schedule(
    changes: readonly GivenChange[],
    options: ApplyOptions,
    { at, terms }: { readonly at: number; readonly terms: Terms | undefined },
  ): Promise<PendingResult> {
    const earlier = await this.earlier<ChangeSetResult>(at, options);
    const { result, pendingId } = earlier ?? (await this.plan(changes, options, { at, terms }, (each) => each));
    return { ...result, pendingId };
  }

  /** Schedules changes, and returns the id of the set with a result, which a retry with the same key gets without details. */
  private async plan<T>(
    changes: readonly GivenChange[],
    options: ApplyOptions,
    { at, terms }: { readonly at: number; readonly terms: Terms | undefined },
    resultOf: (result: ChangeSetResult) => T,
  ): Promise<Scheduled<T>> {
    toPlanned(changes, options.ifUnchangedSince); // refuses what cannot be stored, before anything else
    const { newId, changeSetsOf, database, keys } = this.options;
    const id = newId();
    const service = changeSetsOf({ ...this.actor, requestId: id });
    const { simulated, ...result } = await service.simulate(changes, { ...options, after: 0 });
    if (terms) assertRevertible(changes, result.changes);
    if (options.dryRun) return { result: resultOf(result) };
    // References that are generated now stay, because other changes of the set may name them.
    const named = changes.map((each, index): GivenChange =>
      each.type === 'create' ? { ...each, input: { ...each.input, ref: result.changes[index]?.ref } } : each,
    );
    const scheduled = {
      at,
      planned: toPlanned(named, options.ifUnchangedSince),
      foreseen: JSON.stringify(foreseenOf(result.changes, simulated)),
    };
    const work = async (transaction: OwnTransaction): Promise<Scheduled<T>> => {
      if (changes.length === 0) return { result: resultOf(result) };
      await assertRoom(transaction, 'SCHEDULED');
      const row = { ...this.rowOf(id, terms), count: changes.length, scheduled };
      await insertPending(transaction, database.product, row);
      return { result: resultOf(result), pendingId: id };
    };
    const shortened = (whole: Scheduled<T>): Scheduled<T> => ({ ...whole, result: resultOf(withoutDetails(result)) });
    const made = await keys.whole(work, { key: options.key, scope: options.request, seesCommits: true }, shortened);
    this.wake();
    return made;
  }

  /**
   * Lets another service write, so that the writes are reverted unless somebody confirms them, or are made later. `work` gets the id
   * under which the history must have them. Returns the result, and the id of the set of changes that waits, which is undefined if
   * nothing was changed and in a dry run. Throws the errors of `work`, of `apply` and of `schedule`.
   */
  async run<T extends { readonly requestId?: string | undefined }>(
    { at, terms, partOf }: Wait,
    { dryRun, rehearser, key, request, charge, isWhole = () => true }: WaitOptions<T>,
    work: (id: string, how: WaitingWrite) => Promise<T>,
  ): Promise<Scheduled<T>> {
    const { newId, changeSetsOf, database, model } = this.options;
    const id = partOf ?? newId();
    if (dryRun || at !== undefined) {
      const earlier = at === undefined ? undefined : await this.earlier<T>(at, { dryRun, key, request });
      if (earlier) return earlier;
      const recorder = new Recorder();
      // A dry run is checked as what it stands for, also if it compares what calls do.
      const both = (inner: Rehearser): Rehearser => ({
        rehearse: (transaction, write, pace) =>
          recorder.rehearse(transaction, () => inner.rehearse(transaction, write, pace)),
      });
      const given = dryRun && rehearser ? both(rehearser) : recorder;
      const result = await work(id, { dryRun: true, rehearser: given, key: undefined });
      if (!isWhole(result)) return { result };
      if (terms ?? partOf) recorder.assertRevertible();
      if (at === undefined) return { result };
      const changes = recorder.changesIn(model);
      if (dryRun) toPlanned(changes, undefined); // refuses what could not be stored
      if (dryRun) return { result };
      const options = { dryRun, ifUnchangedSince: undefined, key, request, charge };
      return this.plan(changes, options, { at, terms }, () => result);
    }
    const confirming = confirmation({
      product: database.product,
      simulation: changeSetsOf(this.actor).simulation(),
      row: this.rowOf(id, terms),
      isPart: partOf !== undefined,
      assertRoom: (transaction) => assertRoom(transaction, 'UNCONFIRMED'),
    });
    const result = await work(id, { dryRun, rehearser: confirming, key });
    this.wake();
    return { result, pendingId: result.requestId };
  }

  /**
   * Makes a scheduled set of changes, if it does what was foreseen. Throws ConflictError if it does not, NoLongerError if it is no
   * longer scheduled, and the errors of `ChangeSetService.apply`.
   */
  async applyScheduled(
    pending: Pending,
    { changes, since, foreseen }: ReturnType<typeof fromPlanned> & { readonly foreseen: Foreseen },
  ): Promise<void> {
    const { id, seconds } = pending;
    const { database, changeSetsOf } = this.options;
    const { product } = database;
    const alongside: Alongside = async (transaction, rehearsal, rehearsed) => {
      if (seconds !== null) await assertRoom(transaction, 'UNCONFIRMED');
      const now = foreseenOf(rehearsed, rehearsal.simulated);
      const difference = differenceOf(foreseen, now, fieldsOf(rehearsed, changes));
      if (difference !== undefined)
        throw new ConflictError(`The changes would do something else than when they were scheduled: ${difference}`, []);
      const watched = await watchedBy(transaction, rehearsal);
      return async (applied) => {
        const isChanged = applied.some(({ outcome }) => outcome !== 'UNCHANGED');
        if (seconds !== null && isChanged) assertRevertible(changes, applied);
        const isStored = await (seconds === null || !isChanged
          ? endPending(transaction, { id, state: 'SCHEDULED' }, product, { state: 'APPLIED' })
          : beginConfirmation(transaction, { id, seconds }, product, watched));
        if (!isStored) throw new NoLongerError();
        noteChange(transaction, endingOf(pending, 'APPLIED', this.actor));
      };
    };
    const options = { dryRun: false, ifUnchangedSince: since, request: undefined, charge: () => undefined };
    await changeSetsOf({ ...this.actor, requestId: id }).apply(changes, { ...options, alongside });
  }

  /**
   * Keeps changes for good. Throws NotFoundError, and ConflictError if they are not waiting for a confirmation, and if nothing of them
   * is in force.
   */
  async confirm(
    id: string,
    { dryRun = false, charge }: Pick<RevertOptions, 'charge'> & WriteOptions = {},
  ): Promise<Pending> {
    const waiting = await this.existing(id);
    if (waiting.state === 'UNCONFIRMED' && !(await this.isInForce(id, charge)))
      throw new ConflictError(
        'The changes cannot be confirmed, because none of them is in force: they were reverted meanwhile. End them with cancelChanges (command: sipgraph confirm --revert)',
        [],
      );
    return this.end(id, 'UNCONFIRMED', 'CONFIRMED', dryRun);
  }

  /**
   * Cancels changes: reverts those that wait for a confirmation, and does not make those that are scheduled. Throws NotFoundError,
   * ConflictError if they wait for nothing, and the errors of a revert.
   */
  async cancel(
    id: string,
    { dryRun = false, ...options }: Pick<RevertOptions, 'request' | 'charge'> & WriteOptions = {},
  ): Promise<Pending> {
    const pending = await this.existing(id);
    if (pending.state === 'SCHEDULED') return this.end(id, 'SCHEDULED', 'CANCELLED', dryRun);
    const finishedBy = this.actor.username;
    if (pending.state !== 'UNCONFIRMED') throw notWaiting(pending, 'cancelled');
    try {
      return await this.revert(pending, 'cancelled before it was confirmed', { ...options, finishedBy, dryRun });
    } catch (error) {
      if (!(error instanceof NoLongerError)) throw error;
      const now = await this.existing(id);
      // It got another part meanwhile.
      if (now.state === 'UNCONFIRMED') return this.cancel(id, { ...options, dryRun });
      throw notWaiting(now, 'cancelled');
    }
  }

  /**
   * Reverts changes that wait for a confirmation, as one request whose entries say why. Returns what becomes of the set. Throws
   * NoLongerError if they no longer wait, or got another part meanwhile, and the errors of a revert.
   */
  async revert(
    pending: Pick<Pending, 'id' | 'figures' | 'username' | 'count'>,
    reason: string,
    {
      finishedBy = null,
      dryRun = false,
      ...options
    }: Partial<Pick<RevertOptions, 'request' | 'charge' | 'dryRun'>> & { readonly finishedBy?: string | null } = {},
  ): Promise<Pending> {
    const { id, figures, count } = pending;
    const { newId, revertsOf, database } = this.options;
    const requestId = newId();
    let ended: Pending | undefined;
    await revertsOf({ ...this.actor, requestId, reason }).request(id, {
      ...options,
      secrets: [],
      dryRun,
      after: async (transaction, reverted) => {
        await assertNotBuiltUpon(transaction, reverted, [id, requestId]);
        const isLeft = reverted.length > 0;
        const why = isLeft ? reason : 'none of the changes was in force any more: they were reverted before';
        const revertedBy = isLeft ? requestId : null;
        const ending = { state: 'REVERTED', reason: why, finishedBy, revertedBy, figures } as const;
        if (!(await endPending(transaction, { id, state: 'UNCONFIRMED', count }, database.product, ending)))
          throw new NoLongerError();
        ended = await this.existing(id, transaction);
        // Who cancels changes knows it.
        if (finishedBy === null) noteChange(transaction, endingOf(pending, 'REVERTED', this.actor, ending));
      },
    });
    return ended ?? this.existing(id);
  }

  /** Ends a set without a revert, and returns what it is then. Throws ConflictError if it is not in the state `from`. */
  private end(
    id: string,
    from: keyof typeof ROOM,
    state: 'CONFIRMED' | 'CANCELLED',
    dryRun: boolean,
  ): Promise<Pending> {
    const { database } = this.options;
    const work = async (transaction: OwnTransaction): Promise<Pending> => {
      const ending = { state, finishedBy: this.actor.username };
      const isDone = await endPending(transaction, { id, state: from }, database.product, ending);
      const pending = await this.existing(id, transaction);
      if (!isDone) throw notWaiting(pending, state.toLowerCase());
      return pending;
    };
    return inTransaction(database, work, { isKept: () => !dryRun });
  }

  /** Whether a revert would change something, or others built upon the changes. Reads until the first such change. */
  private async isInForce(id: string, charge: RevertOptions['charge']): Promise<boolean> {
    const reverts = this.options.revertsOf(this.actor);
    let [count, last]: [number, number | undefined] = [0, undefined];
    const after: RevertOptions['after'] = (_, reverted) => {
      count = reverted.length;
      return Promise.resolve();
    };
    try {
      for (;;) {
        const piece = await reverts.piece(id, last, { secrets: [], dryRun: true, after, ...(charge && { charge }) });
        // Without any entry, the history was not kept.
        if (!piece) return last === undefined;
        if (count > 0) return true;
        last = piece.last;
      }
    } catch (error) {
      if (error instanceof DomainError && !error.mayPass) return true;
      throw error;
    }
  }

  private rowOf(id: string, terms: Terms | undefined) {
    const { username, userRef = null } = this.actor;
    return { id, username, userRef, seconds: terms?.seconds ?? null, limits: terms?.limits ?? {} };
  }

  /**
   * What the first request with the key returned, if there was one: since then, its time may have passed, and others may have changed
   * what it is about. Throws ForbiddenError and InvalidInputError unless changes can be scheduled for that time.
   */
  private async earlier<T>(
    at: number,
    { key, request: scope, dryRun }: Pick<ApplyOptions, 'key' | 'request' | 'dryRun'>,
  ): Promise<Scheduled<T> | undefined> {
    if (this.actor.apiToken !== undefined)
      throw new ForbiddenError('Scheduling changes requires a sign-in: what an API token may do must end with it');
    const nothing = (): Promise<Scheduled<T>> => Promise.reject(new NoLongerError()); // the key is rolled back
    try {
      if (key && !dryRun) return await this.options.keys.whole(nothing, { key, scope, seesCommits: true });
    } catch (error) {
      if (!(error instanceof NoLongerError)) throw error;
    }
    const ahead = at - Date.now();
    if (!(ahead > 0 && ahead <= MOST_DAYS * 86_400_000))
      throw InvalidInputError.of('at', `${timeOf(at)} is not within the next ${String(MOST_DAYS)} days`);
    return undefined;
  }

  private async existing(id: string, sql: Sql = this.options.database): Promise<Pending> {
    const pending = await new PendingReader(sql).byId(id);
    if (!pending) throw new NotFoundError('Set of changes', id, 'id');
    return pending;
  }
}

/** What a request returned, and the id of the set of changes that waits since, if any. Stored with the key of the request. */
interface Scheduled<T> {
  readonly result: T;
  readonly pendingId?: string | undefined;
}

/** Thrown to roll back what another process or a user has finished meanwhile. */
export class NoLongerError extends Error {
  constructor() {
    super('The set of changes is no longer waiting');
  }
}

function notWaiting({ state, finishedBy, reason, seconds, dueOn }: Pending, what: string): ConflictError {
  if (state === 'SCHEDULED' && dueOn !== null) {
    const next = seconds === null ? 'They need no confirmation' : 'Confirm them then';
    return new ConflictError(
      `The changes cannot be ${what}, because they are SCHEDULED: they are made at ${timeOf(dueOn)}. ${next}, or cancel them with cancelChanges (command: sipgraph confirm --revert)`,
      [],
    );
  }
  const by = finishedBy === null ? '' : ` by ${finishedBy}`;
  const why = reason === null ? '' : `: ${reason}`;
  return new ConflictError(`The changes cannot be ${what}, because they are ${state}${by}${why}`, []);
}

async function assertRoom(transaction: OwnTransaction, state: keyof typeof ROOM): Promise<void> {
  const { most, argument } = ROOM[state];
  if ((await countIn(transaction, state)) < most) return;
  throw new LimitReachedError(
    `${argument}: ${String(most)} sets of changes are ${state} already, which is the most: confirm or cancel one first`,
  );
}

/** Throws InvalidInputError for changes of secrets: old ones are not kept, so they could not be restored. */
function assertRevertible(given: readonly GivenChange[], applied: readonly AppliedChange[]): void {
  const issues = applied.flatMap(({ details }, index): readonly Issue[] => {
    const change = given[index];
    const names = Object.entries(details?.before ?? {}).flatMap(([name, value]) =>
      isFingerprint(value) ? [name] : [],
    );
    if (!change) return [];
    return names.map((name) => {
      const path = change.type === 'delete' ? `${change.place}.ref` : `${change.place}.${change.kind.singular}.${name}`;
      const what = change.type === 'delete' ? `has a ${name}` : 'is a secret that would be replaced';
      return {
        field: path,
        path,
        message: `${what}, which could not be restored, because old secrets are not kept: make this change without confirmWithin`,
      };
    });
  });
  if (issues.length > 0) throw new InvalidInputError(issues);
}

/** A time, which may be one that no calendar has. */
function timeOf(at: number): string {
  return Number.isNaN(new Date(at).getTime()) ? String(at) : new Date(at).toISOString();
}
