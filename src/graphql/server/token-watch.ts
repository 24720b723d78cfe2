import { setMaxListeners } from 'node:events';

import type { Authenticator } from '../../auth/authenticator';
import { UnauthenticatedError, UnavailableError } from '../../errors';

/** Milliseconds within which an invalid token is noticed. */
const INTERVAL = 2000;
/** Milliseconds without a database after which connections end, so that clients connect to another process. */
const OUTAGE = 10_000;

/** Checks the tokens of connections that stay open: users are deleted, secrets change, tokens expire. */
export class TokenWatch {
  private readonly open = new Map<AbortController, string>();
  private timer: NodeJS.Timeout | undefined;
  /** The time of the last check that the database answered. */
  private checkedAt = 0;

  constructor(private readonly authenticator: Authenticator) {}

  /**
   * Watches the token of a connection until `leave` is called: `ended` is aborted when the token is no longer valid, or,
   * with an UnavailableError, when the database has not answered for ten seconds.
   */
  begin(token: string): { readonly ended: AbortSignal; readonly leave: () => void } {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    this.open.set(controller, token);
    if (this.open.size === 1) this.checkedAt = performance.now();
    this.timer ??= setInterval(() => void this.check(), INTERVAL).unref();
    return {
      ended: controller.signal,
      leave: () => {
        this.open.delete(controller);
        if (this.open.size > 0) return;
        clearInterval(this.timer);
        this.timer = undefined;
      },
    };
  }

  private async check(): Promise<void> {
    await Promise.all(
      [...this.open].map(async ([controller, token]) => {
        const refusal: unknown = await this.authenticator.viewerOf(token).catch((error: unknown) => error);
        if (refusal instanceof UnauthenticatedError) controller.abort(refusal);
        // Other errors say nothing about the token.
        if (!(refusal instanceof UnavailableError)) this.checkedAt = performance.now();
        else if (performance.now() - this.checkedAt >= OUTAGE) controller.abort(refusal);
      }),
    );
  }
}
