import { ForbiddenError, NotSupportedError, RateLimitedError, UnauthenticatedError } from '../errors';
import type { Budgets, Holding } from '../limits/budgets';
import type { Origin, SecurityEvents } from '../security/events';
import type { Authenticator } from './authenticator';
import { mayAct, type Role, type Viewer } from './role';

/** What a request may use, once it is known who asks: the only way to the services. */
export interface Session<Read, Write, Admin> {
  readonly viewer: Viewer;
  /** Takes from the user's budget what reading costs, in objects; throws RateLimitedError. */
  readonly spend: (work: number) => void;
  /** Counts what stays open; gives what ends it. Throws RateLimitedError. */
  readonly hold: (what: Holding) => () => void;
  readonly read: Read;
  /** Throws ForbiddenError below operator, and NotSupportedError where nothing may be changed. */
  readonly write: Write;
  /** Tells the log of a change of users. */
  readonly changed: SecurityEvents['changed'];
  /** For looking; throws ForbiddenError below admin. */
  readonly admin: Admin;
  /** For changing; throws as `admin` and `write` do. */
  readonly adminWrite: Admin;
}

/** Who asks: a token, and where it came from. */
export interface Caller extends Origin {
  readonly token: string | undefined;
}

/** Hands the services out, each to those whose role allows it; no transport has them otherwise. */
export class Access<Read, Write, Admin> {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly services: {
      /** `spend` takes from the budget of the user what reading costs. */
      readonly read: (viewer: Viewer, spend: (work: number) => void) => Read;
      readonly write: Write;
      readonly admin: Admin;
    },
    private readonly budgets: Budgets,
    private readonly events: SecurityEvents,
    private readonly readOnly = false,
  ) {}

  /** Throws UnauthenticatedError, and RateLimitedError. */
  async open(caller: Caller): Promise<Session<Read, Write, Admin>> {
    const viewer = await this.viewerOf(caller);
    const { budgets, services, readOnly } = this;
    const within = <T>(work: () => T): T => this.told(caller, viewer, work);
    const admin = (): Admin => {
      within(() => assertRole(viewer, 'admin'));
      return services.admin;
    };
    const spend = (work: number): void => within(() => budgets.spend(viewer.ref, work));
    within(() => budgets.request(viewer.ref));
    return {
      viewer,
      spend,
      read: services.read(viewer, spend),
      hold: (what) => within(() => budgets.hold(viewer.ref, what)),
      changed: (event, circumstances) => {
        const { address, requestId } = caller;
        this.events.changed(event, { user: viewer.username, address, requestId, ...circumstances });
      },
      get write() {
        within(() => assertRole(viewer, 'operator'));
        assertWritable(readOnly);
        return services.write;
      },
      get admin() {
        return admin();
      },
      get adminWrite() {
        const granted = admin();
        assertWritable(readOnly);
        return granted;
      },
    };
  }

  /** Counts a request that needs no token, or as many as it costs; throws RateLimitedError. */
  admit(caller: Caller, requests = 1): void {
    this.told(caller, undefined, () => this.budgets.anonymous(caller.address, requests));
  }

  private async viewerOf(caller: Caller): Promise<Viewer> {
    if (caller.token === undefined || caller.token === '') {
      this.admit(caller);
      throw new UnauthenticatedError();
    }
    try {
      return await this.authenticator.viewerOf(caller.token);
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      const { address, requestId } = caller;
      this.events.refused('token-refused', { address, requestId, reason: error.message });
      this.admit(caller);
      throw error;
    }
  }

  /** Does something that may be refused, which is a security event. */
  private told<T>({ address, requestId }: Caller, viewer: Viewer | undefined, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof ForbiddenError || error instanceof RateLimitedError) {
        const event = error instanceof ForbiddenError ? 'refused-by-role' : 'refused-by-budget';
        this.events.refused(event, { user: viewer?.username, address, requestId, reason: error.message });
      }
      throw error;
    }
  }
}

function assertWritable(readOnly: boolean): void {
  if (readOnly) throw new NotSupportedError('Operation not supported by data source the service');
}

function assertRole({ role }: Viewer, needed: Role): void {
  if (!mayAct(role, needed)) throw new ForbiddenError(`This needs the role ${needed}; you have ${role}`);
}
