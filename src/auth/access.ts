// Longer than 150 lines, because a session is the one place where services, budgets and roles come together.
import type { Actor, Way } from '../changes/actor';
import { ForbiddenError, RateLimitedError, UnauthenticatedError } from '../errors';
import type { Admission } from '../limits/admission';
import type { Budgets, Holding } from '../limits/budgets';
import type { Ticket } from '../limits/ticket';
import type { Origin, SecurityEvents } from '../security/events';
import type { AccountServices } from './account-services';
import { isApiToken } from './api-token';
import type { TokenUse } from './api-token-checks';
import type { Authenticator } from './authenticator';
import { assertRole, assertSignedIn, assertWritable, namesOf } from './permissions';
import type { Viewer } from './role';

/** The services that an authenticated request may use. Transports have no other access to services. */
export interface Session<Read, Write, Admin> {
  readonly viewer: Viewer;
  /** The place of the request among those in progress. */
  readonly ticket: Ticket;
  /** Charges the caller's budget for a read. `work` is the cost in objects. Throws RateLimitedError. */
  readonly spend: (work: number) => void;
  /** Charges the caller's budget for work that is already done, even beyond the budget. */
  readonly owe: (work: number) => void;
  /** Counts an open connection or subscription, and returns the function that releases it. Throws RateLimitedError. */
  readonly hold: (what: Holding) => () => void;
  readonly read: Read;
  /** Services for operators. Throws ForbiddenError for viewers, and NotSupportedError in read-only mode. */
  readonly write: Write;
  /** Logs a change to a user as a security event. */
  readonly changed: SecurityEvents['changed'];
  /** Services for admins, for reading only. Throws ForbiddenError for other roles. */
  readonly admin: Admin;
  /**
   * Services for admins, for writing. Throws ForbiddenError for other roles and for API tokens, and NotSupportedError in
   * read-only mode.
   */
  readonly adminWrite: Admin;
  /** Services for the caller's own account, for reading only. */
  readonly account: AccountServices;
  /**
   * Services for the caller's own account, for writing. Throws ForbiddenError for API tokens, which must not be able to
   * make anything that outlives them, and NotSupportedError in read-only mode.
   */
  readonly accountWrite: AccountServices;
}

/** The sender of a request. */
export interface Caller extends Origin {
  readonly token: string | undefined;
  readonly way: Way;
}

/** Authenticates requests and gives each one the services that its user's role allows. */
export class Access<Read, Write, Admin> {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly services: {
      /** `spend` charges the user's budget for a read, in objects. Reads are cancelled when the request is over. */
      readonly read: (viewer: Viewer, spend: (work: number) => void, ticket: Ticket) => Read;
      /** `actor` is who makes the changes, for the journal. */
      readonly write: (actor: Actor) => Write;
      readonly admin: (actor: Actor) => Admin;
      readonly account: (actor: Actor) => AccountServices;
    },
    private readonly budgets: Budgets,
    private readonly admission: Admission,
    private readonly events: SecurityEvents,
    private readonly readOnly = false,
  ) {}

  /**
   * Authenticates a request and charges its user's budget, once the request has a place among those in progress. The
   * caller of this method must close the ticket of the session. Throws UnauthenticatedError, RateLimitedError and
   * OverloadedError.
   */
  async enter(caller: Caller): Promise<Session<Read, Write, Admin>> {
    const user = await this.identified(caller, (token) => this.authenticator.claimedBy(token));
    const entered = this.admission.enter(user ?? caller.address);
    const ticket = entered instanceof Promise ? await entered : entered;
    try {
      return await this.open(caller, ticket);
    } catch (error) {
      ticket.close();
      throw error;
    }
  }

  /**
   * Authenticates a request and charges its user's budget. Without a ticket, the request needs no place: use this only
   * for monitoring and refusals. Throws UnauthenticatedError and RateLimitedError.
   */
  async open(caller: Caller, ticket = this.admission.exempt()): Promise<Session<Read, Write, Admin>> {
    const viewer = await this.identified(caller, (token, use) => this.authenticator.viewerOf(token, use));
    return this.session(caller, viewer, ticket);
  }

  /**
   * Charges a request without an authenticated user to the network of its sender. `requests` is the cost. Throws
   * RateLimitedError.
   */
  admit(caller: Caller, requests = 1): void {
    this.audited(caller, undefined, () => this.budgets.anonymous(caller.address, requests));
  }

  private session(caller: Caller, viewer: Viewer, ticket: Ticket): Session<Read, Write, Admin> {
    const { budgets, services, readOnly } = this;
    const audited = <T>(work: () => T): T => this.audited(caller, viewer, work);
    const { address, requestId, way } = caller;
    const actor = (): Actor => {
      const { username, ref: userRef, apiToken } = viewer;
      return { way, username, userRef, address, requestId, ...(apiToken && { apiToken: apiToken.ref }) };
    };
    const admin = (): Admin => {
      audited(() => assertRole(viewer, 'admin'));
      return services.admin(actor());
    };
    // Each API token has a budget. A deleted token leaves its budget to the next one, so that new tokens are no new budget.
    const payer = viewer.apiToken ? `${viewer.ref} ${String(viewer.apiToken.slot)}` : viewer.ref;
    const spend = (work: number): void => audited(() => budgets.spend(payer, work));
    audited(() => budgets.request(payer));
    return {
      viewer,
      ticket,
      spend,
      owe: (work) => budgets.owe(payer, work),
      read: services.read(viewer, spend, ticket),
      hold: (what) => audited(() => budgets.hold(payer, what)),
      changed: (event, details) => {
        this.events.changed(event, { ...namesOf(viewer), address, requestId, ...details });
      },
      get write() {
        audited(() => assertRole(viewer, 'operator'));
        assertWritable(readOnly);
        return services.write(actor());
      },
      get admin() {
        return admin();
      },
      get adminWrite() {
        const granted = admin();
        audited(() => assertSignedIn(viewer));
        assertWritable(readOnly);
        return granted;
      },
      get account() {
        return services.account(actor());
      },
      get accountWrite() {
        audited(() => assertSignedIn(viewer));
        assertWritable(readOnly);
        return services.account(actor());
      },
    };
  }

  /** Identifies the user of a caller's token, and charges the network of a caller without a valid token. */
  private async identified<T>(
    caller: Caller,
    identify: (token: string, use: TokenUse | undefined) => Promise<T>,
  ): Promise<T> {
    if (caller.token === undefined || caller.token === '') {
      this.admit(caller);
      throw new UnauthenticatedError();
    }
    const { token, address, requestId } = caller;
    const use = isApiToken(token) ? { address, beforeGuess: () => this.admit(caller) } : undefined;
    try {
      return await identify(token, use);
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      this.events.refused('token-refused', { address, requestId, reason: error.message });
      this.admit(caller);
      throw error;
    }
  }

  /** Runs `work` and logs a refusal by role or budget as a security event. */
  private audited<T>({ address, requestId }: Caller, viewer: Viewer | undefined, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof ForbiddenError || error instanceof RateLimitedError) {
        const event = error instanceof ForbiddenError ? 'refused-by-role' : 'refused-by-budget';
        this.events.refused(event, { ...(viewer && namesOf(viewer)), address, requestId, reason: error.message });
      }
      throw error;
    }
  }
}
