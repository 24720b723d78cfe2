import { setMaxListeners } from 'node:events';

import type { Authenticator } from '../../auth/authenticator';
import { UnauthenticatedError } from '../../errors';

// Milliseconds in which a token that has ended is noticed.
const INTERVAL = 2000;

/** Connections that stay open, each for as long as its token is good: users are deleted, secrets change, tokens end. */
export class Sessions {
  private readonly open = new Map<AbortController, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly authenticator: Authenticator) {}

  /** The signal is aborted, with an UnauthenticatedError, when the token is not good any more. */
  begin(token: string): { readonly ended: AbortSignal; readonly leave: () => void } {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    this.open.set(controller, token);
    this.timer ??= setInterval(() => void this.look(), INTERVAL).unref();
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

  private async look(): Promise<void> {
    await Promise.all(
      [...this.open].map(async ([controller, token]) => {
        const refusal: unknown = await this.authenticator.viewerOf(token).catch((error: unknown) => error);
        // While the database is away, nobody knows.
        if (refusal instanceof UnauthenticatedError) controller.abort(refusal);
      }),
    );
  }
}
