import { setMaxListeners } from 'node:events';

import type { Authenticator } from '../../auth/authenticator';
import type { Role } from '../../auth/role';
import { RepeatedTask } from '../../changes/repeated-task';
import { UnauthenticatedError, UnavailableError } from '../../errors';

/** Milliseconds between checks, each of which waits for the one before. */
const INTERVAL = 2000;
/** Milliseconds without a database after which connections end, so that clients connect to another process. */
const OUTAGE = 10_000;

/** The token of a connection that stays open. */
export interface WatchedToken {
  /**
   * Aborted with an UnauthenticatedError when the token is no longer valid or its role has changed, and with an
   * UnavailableError when the database has not answered for ten seconds.
   */
  readonly ended: AbortSignal;
  /**
   * Says with which role an operation of the connection runs. The first role is that of the connection, which ends if
   * an operation or the token has another one: a subscription keeps the role with which it began.
   */
  readonly use: (role: Role) => void;
  /** Ends the watch. */
  readonly leave: () => void;
}

/**
 * Checks the tokens of connections that stay open: users are deleted, secrets and roles change, sign-ins end, tokens
 * expire or are deleted.
 */
export class TokenWatch {
  private readonly open = new Set<OpenConnection>();
  private readonly task: RepeatedTask;
  /** The time of the last check that the database answered. */
  private checkedAt = 0;

  constructor(private readonly authenticator: Authenticator) {
    // A check never fails.
    this.task = new RepeatedTask(
      () => this.check(),
      INTERVAL,
      () => undefined,
    );
  }

  /** Watches the token of a connection until `leave` is called. */
  begin(token: string): WatchedToken {
    const connection = new OpenConnection(token);
    this.open.add(connection);
    if (this.open.size === 1) {
      this.checkedAt = performance.now();
      this.task.start();
    }
    const { ended } = connection;
    const leave = (): void => {
      this.open.delete(connection);
      if (this.open.size === 0) this.task.stop();
    };
    return { ended, use: (role) => connection.use(role), leave };
  }

  private async check(): Promise<void> {
    await Promise.all([...this.open].map((connection) => this.checkOne(connection)));
  }

  private async checkOne(connection: OpenConnection): Promise<void> {
    try {
      connection.use((await this.authenticator.viewerOf(connection.token)).role);
    } catch (error) {
      if (error instanceof UnauthenticatedError) connection.end('The token is no longer valid');
      // Other errors say nothing about the token.
      if (error instanceof UnavailableError) {
        if (performance.now() - this.checkedAt >= OUTAGE) connection.end(error);
        return;
      }
    }
    this.checkedAt = performance.now();
  }
}

class OpenConnection {
  private readonly controller = new AbortController();
  private role: Role | undefined;

  constructor(readonly token: string) {
    setMaxListeners(0, this.controller.signal);
  }

  get ended(): AbortSignal {
    return this.controller.signal;
  }

  use(role: Role): void {
    this.role ??= role;
    if (role !== this.role) this.end('The role of the user has changed');
  }

  end(reason: UnavailableError | string): void {
    this.controller.abort(typeof reason === 'string' ? new UnauthenticatedError(reason) : reason);
  }
}
