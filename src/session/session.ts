import { audit, type Caller } from '../auth/caller';
import {
  assertListed,
  assertOwnAccount,
  assertRole,
  assertSignedIn,
  assertWritable,
  listedText,
  namesOf,
  type Viewer,
} from '../auth/role';
import type { DeprecatedUses } from '../auth/deprecated-uses';
import type { SecurityEvents } from '../auth/security-events';
import type { Actor } from '../changes/actor';
import type { ExportService } from '../jobs/exports/export-service';
import { ForbiddenError } from '../errors';
import type { Permit } from '../limits/admission';
import { ROW_WRITTEN, type Budgets, type Holding } from '../limits/budgets';
import type { TaskService } from '../jobs/tasks/task-service';
import type { AccountServices, AdminServices, ReadServices, SharedServices, WriteServices } from './services';

/** What the sessions of a process share. */
export interface SessionOptions {
  /** What a session offers: services that all share, and functions that create the other ones. */
  readonly services: {
    /** `spend` charges the user's budget for a read, in objects. Reads are cancelled when the request is over. */
    readonly shared: SharedServices;
    readonly read: (viewer: Viewer, spend: (work: number) => void, permit: Permit) => ReadServices;
    /**
     * `actor` is who makes the changes, for the history. Changes that are not committed when the request is over are
     * rolled back, unless they share a transaction with those of a request that goes on.
     */
    readonly write: (actor: Actor, permit: Permit) => WriteServices;
    readonly admin: (actor: Actor, permit: Permit) => AdminServices;
    readonly account: (actor: Actor, permit: Permit) => AccountServices;
    readonly exports: (viewer: Viewer, permit: Permit) => ExportService;
    readonly tasks: (viewer: Viewer, actor: Actor, permit: Permit) => TaskService;
  };
  readonly budgets: Budgets;
  readonly events: SecurityEvents;
  /** Undefined in read-only mode. */
  readonly deprecatedUses: DeprecatedUses | undefined;
  readonly readOnly: boolean;
}

// Milliseconds after the head of a request from which its token is checked again.
const SLOW_BODY = 500;

/** The services that an authenticated request may use. Transports have no other access to services. */
export class Session {
  readonly shared: SharedServices;
  readonly read: ReadServices;
  private readonly payer: string;
  private readonly begunAt = performance.now();

  /** Charges the user's budget for the request. Throws RateLimitedError. */
  constructor(
    private readonly options: SessionOptions,
    private readonly caller: Caller,
    readonly viewer: Viewer,
    /** The place of the request among those in progress. */
    readonly permit: Permit,
    /** Identifies the user again. Throws UnauthenticatedError if the token is no longer valid. */
    private readonly viewerNow: () => Promise<Viewer>,
  ) {
    // Each API token has a budget. A deleted token leaves its budget to the next one, so that new tokens are no new
    // budget.
    this.payer = viewer.apiToken ? `${viewer.ref} ${String(viewer.apiToken.slot)}` : viewer.ref;
    this.audit(() => options.budgets.request(this.payer));
    this.shared = options.services.shared;
    this.read = options.services.read(viewer, this.spend, permit);
  }

  /** Charges the caller's budget for a read. `work` is the cost in objects. Throws RateLimitedError. */
  readonly spend = (work: number): void => this.audit(() => this.options.budgets.spend(this.payer, work));

  /** Charges the caller's budget for rows that the request writes as some of many. Throws RateLimitedError. */
  readonly chargeRows = (rows: number): void => this.spend(ROW_WRITTEN * rows);

  /** The objects that the caller may request in a minute; undefined if there is no limit. */
  get workPerMinute(): number | undefined {
    return this.options.budgets.workPerMinute;
  }

  /** Charges the caller's budget for work that is already done, even beyond the budget. */
  owe(work: number): void {
    this.options.budgets.owe(this.payer, work);
  }

  /** Counts an open connection or subscription, and returns the function that releases it. Throws RateLimitedError. */
  hold(what: Holding): () => void {
    return this.audit(() => this.options.budgets.hold(this.viewer.ref, this.payer, what));
  }

  /** Counts a subscription, which `start` starts, until it calls `left` or fails. Throws RateLimitedError. */
  async subscription<T>(start: (left: () => void) => T | Promise<T>): Promise<T> {
    const left = this.hold('subscriptions');
    try {
      return await start(left);
    } catch (error) {
      left();
      throw error;
    }
  }

  /** Logs a change to a user as a security event. */
  logChange(...[event, details]: Parameters<SecurityEvents['logChange']>): void {
    const { address, requestId } = this.caller;
    this.options.events.logChange(event, { ...namesOf(this.viewer), address, requestId, ...details });
  }

  /** Throws ForbiddenError for a GraphQL document that the caller's API token may not send. */
  assertListed(document: string): void {
    if (this.viewer.apiToken?.documents) this.audit(() => assertListed(this.viewer, document));
  }

  /** Returns the document of the caller's API token with this hash. Throws ForbiddenError if there is none. */
  listedText(hash: string): string {
    return this.audit(() => listedText(this.viewer, hash));
  }

  /** Counts one use of each of these deprecated elements of the graph. */
  countDeprecated(fields: readonly string[]): void {
    this.options.deprecatedUses?.note(this.viewer, fields);
  }

  /**
   * Must be called when the whole body has arrived: the request takes its place again, and a token whose request began
   * long ago is checked again. Undefined if nothing is left to wait for. Throws OverloadedError; UnauthenticatedError if the
   * token is no longer valid; and ForbiddenError if its user has another role.
   */
  resume(): Promise<void> | undefined {
    const waiting = this.permit.resume();
    return waiting || this.isLate() ? this.checkAgain(waiting) : undefined;
  }

  /** Throws the errors of `write`. */
  assertWriter(): void {
    this.audit(() => assertRole(this.viewer, 'operator'));
    this.assertOpen();
  }

  /** Throws ForbiddenError for other roles than admins. */
  assertAdmin(): void {
    this.audit(() => assertRole(this.viewer, 'admin'));
  }

  /** Services for operators. Throws ForbiddenError for viewers, and NotSupportedError in read-only mode. */
  get write(): WriteServices {
    this.assertWriter();
    return this.options.services.write(this.actor, this.permit);
  }

  /** Services for operators whose changes have this request id in the history. Throws the errors of `write`. */
  writeUnder(requestId: string): WriteServices {
    this.assertWriter();
    return this.options.services.write({ ...this.actor, requestId }, this.permit);
  }

  /** Services for admins, for reading only. Throws ForbiddenError for other roles. */
  get admin(): AdminServices {
    this.audit(() => assertRole(this.viewer, 'admin'));
    return this.options.services.admin(this.actor, this.permit);
  }

  /**
   * Services for admins, for writing. Throws ForbiddenError for other roles and for API tokens, and NotSupportedError
   * in read-only mode.
   */
  get adminWrite(): AdminServices {
    const { admin } = this;
    this.assertOwnWriter();
    return admin;
  }

  /**
   * Services for the caller's own account, for reading only. Throws ForbiddenError for API tokens with a lower role
   * than their owner's.
   */
  get account(): AccountServices {
    this.audit(() => assertOwnAccount(this.viewer));
    return this.options.services.account(this.actor, this.permit);
  }

  /**
   * Services for the caller's own account, for writing. Throws ForbiddenError for API tokens, which must not be able to
   * make anything that outlives them, and NotSupportedError in read-only mode.
   */
  get accountWrite(): AccountServices {
    this.assertOwnWriter();
    return this.options.services.account(this.actor, this.permit);
  }

  /** The caller's exports, for reading only. */
  get exports(): Pick<ExportService, 'list'> {
    return this.options.services.exports(this.viewer, this.permit);
  }

  /** The caller's exports: everybody may write files with what they may read. Throws NotSupportedError in read-only mode. */
  get exportsForWriting(): ExportService {
    this.assertOpen();
    return this.options.services.exports(this.viewer, this.permit);
  }

  /** The caller's task, for reading only. */
  get tasks(): Pick<TaskService, 'own'> {
    return this.options.services.tasks(this.viewer, this.actor, this.permit);
  }

  /** The caller's task. Throws the errors of `write`. */
  get tasksForWriting(): TaskService {
    this.assertWriter();
    return this.options.services.tasks(this.viewer, this.actor, this.permit);
  }

  private isLate(): boolean {
    return performance.now() - this.begunAt >= SLOW_BODY;
  }

  private async checkAgain(waiting: Promise<void> | undefined): Promise<void> {
    await waiting;
    if (!this.isLate()) return;
    const { role } = await this.viewerNow();
    if (role === this.viewer.role) return;
    this.audit(() => {
      throw new ForbiddenError('The role of this user has changed since the request began: send it again');
    });
  }

  private get actor(): Actor {
    const { address, requestId, channel } = this.caller;
    const { username, ref: userRef, apiToken } = this.viewer;
    const token = apiToken && { apiToken: apiToken.ref };
    return { channel, username, userRef, address, requestId, ...token, owe: (work) => this.owe(work) };
  }

  private assertOwnWriter(): void {
    this.audit(() => assertSignedIn(this.viewer));
    this.assertOpen();
  }

  /**
   * Throws NotSupportedError in read-only mode, and the error of a request that is over: the rest of it does not start.
   */
  private assertOpen(): void {
    assertWritable(this.options.readOnly);
    const { cancelledBy } = this.permit;
    if (cancelledBy) throw cancelledBy;
  }

  private audit<T>(work: () => T): T {
    return audit(this.options.events, this.caller, this.viewer, work);
  }
}
