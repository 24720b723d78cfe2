import { setMaxListeners } from 'node:events';

import type { Authenticator } from '../../auth/authenticator';
import { UnauthenticatedError } from '../../errors';

/** Milliseconds within which an invalid token is noticed. */
const INTERVAL = 2000;

/** Checks the tokens of connections that stay open: users are deleted, secrets change, tokens expire. */
export class TokenWatch {
  private readonly open = new Map<AbortController, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly authenticator: Authenticator) {}

  /**
   * Watches the token of a connection until `leave` is called: `ended` is aborted when the token is no longer valid.
   */
  begin(token: string): { readonly ended: AbortSignal; readonly leave: () => void } {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    this.open.set(controller, token);
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
        // Any other error says nothing about the token: the database may be unreachable.
        if (refusal instanceof UnauthenticatedError) controller.abort(refusal);
      }),
    );
  }
}
