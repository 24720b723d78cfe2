import { isApiToken } from '../auth/api-token';
import type { TokenUse } from '../auth/api-token-checks';
import type { Authenticator } from '../auth/authenticator';
import { audit, type Caller } from '../auth/caller';
import { assertUnrestricted, type Viewer } from '../auth/role';
import { UnauthenticatedError } from '../errors';
import type { Admission, Permit } from '../limits/admission';
import { Session, type SessionOptions } from './session';

/** Authenticates requests and gives each one the services that its user's role allows. */
export class Access {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly admission: Admission,
    private readonly options: SessionOptions,
  ) {}

  /**
   * Authenticates a request and charges its user's budget, once the request has a place among those in progress. The
   * caller of this method must close the permit of the session. `checksDocuments` is whether the transport passes each
   * document to `Session.assertListed`: others refuse API tokens that may only send their documents. Throws
   * UnauthenticatedError, ForbiddenError, RateLimitedError and OverloadedError.
   */
  enter(caller: Caller, checksDocuments = false): Promise<Session> {
    return this.identify(caller, async (token, use) => {
      const claim = await this.authenticator.claimOf(token);
      const entered = this.admission.enter(claim.user ?? caller.address);
      const permit = entered instanceof Promise ? await entered : entered;
      permit.span = caller.span;
      try {
        const viewer = await this.authenticator.viewerOf(token, use, claim, permit);
        if (!checksDocuments) this.assertUnrestricted(caller, viewer);
        return this.sessionOf(caller, viewer, permit, token);
      } catch (error) {
        permit.close();
        throw error;
      }
    });
  }

  /**
   * Authenticates a request and charges its user's budget. Without a permit, the request needs no place: use this only
   * for monitoring and refusals. `checksDocuments` is as in `enter`. Throws UnauthenticatedError, ForbiddenError and
   * RateLimitedError.
   */
  open(caller: Caller, permit = this.admission.exempt(), checksDocuments = false): Promise<Session> {
    return this.identify(caller, async (token, use) => {
      const viewer = await this.authenticator.viewerOf(token, use);
      if (!checksDocuments) this.assertUnrestricted(caller, viewer);
      return this.sessionOf(caller, viewer, permit, token);
    });
  }

  /**
   * Charges a request without an authenticated user to the network of its sender. `requests` is the cost. Throws
   * RateLimitedError.
   */
  admit(caller: Caller, requests = 1): void {
    const { budgets, events } = this.options;
    audit(events, caller, undefined, () => budgets.anonymous(caller.address, requests));
  }

  private sessionOf(caller: Caller, viewer: Viewer, permit: Permit, token: string): Session {
    return new Session(this.options, caller, viewer, permit, () => this.authenticator.viewerOf(token));
  }

  private assertUnrestricted(caller: Caller, viewer: Viewer): void {
    audit(this.options.events, caller, viewer, () => assertUnrestricted(viewer));
  }

  /** Identifies the user of a caller's token, and charges the network of a caller without a valid token. */
  private async identify<T>(
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
      this.options.events.logRefusal('token-refused', { address, requestId, reason: error.message });
      this.admit(caller);
      throw error;
    }
  }
}

/**
 * What GraphQL and REST use: `access`, which opens sessions with services, and `authenticator`, which signs users in.
 */
export interface TransportAccess {
  readonly access: Access;
  readonly authenticator: Authenticator;
}
