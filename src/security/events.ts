import type { Logger } from 'pino';

import { networkOf } from '../limits/network';

/** Where a request came from. */
export interface Origin {
  /** The network address, behind trusted proxies the one that they tell. */
  readonly address: string;
  readonly requestId: string;
}

type Refusal = 'sign-in-failed' | 'token-refused' | 'refused-by-role' | 'refused-by-budget';
type Change = 'user-created' | 'user-deleted' | 'secret-changed' | 'role-changed';

/** What security events tell beside their name. */
export interface Circumstances extends Partial<Origin> {
  /** Who did it, or tried to: a name as it was sent, of nobody perhaps. */
  readonly user?: string | undefined;
  /** Whom or what it was done to. */
  readonly target?: string;
  readonly role?: string;
  readonly reason?: string;
}

const WINDOW = 60_000;
// Lines a minute: of one kind from one network, and of all that callers can cause.
const MAX_ALIKE = 10;
const MAX_LINES = 300;
const MAX_TOLD = 10;
const MAX_LENGTH = 200;

/**
 * The log of security events: one line each, with `event` as its name. Callers cause most of them, so that what repeats is
 * counted and told once a minute (`events-suppressed`); changes of users are always told.
 */
export class SecurityEvents {
  private counts = new Map<string, { told: number; untold: number }>();
  private lines = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly log: Logger) {}

  changed(event: Change, circumstances: Circumstances): void {
    this.log.info(line(event, circumstances), 'security event');
  }

  signedIn(circumstances: Circumstances): void {
    if (this.mayTell('sign-in', circumstances)) this.log.info(line('sign-in', circumstances), 'security event');
  }

  refused(event: Refusal, circumstances: Circumstances): void {
    if (this.mayTell(event, circumstances)) this.log.warn(line(event, circumstances), 'security event');
  }

  /** Tells what was counted since the last time. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const suppressed = [...this.counts].flatMap(([key, { untold }]) => {
      const [event, network] = key.split(' ');
      return untold > 0 ? [{ event, network, count: untold }] : [];
    });
    this.counts = new Map();
    this.lines = 0;
    if (suppressed.length === 0) return;
    suppressed.sort((a, b) => b.count - a.count);
    const count = suppressed.reduce((sum, each) => sum + each.count, 0);
    this.log.warn({ event: 'events-suppressed', count, most: suppressed.slice(0, MAX_TOLD) }, 'security event');
  }

  private mayTell(event: string, { address }: Circumstances): boolean {
    this.timer ??= setTimeout(() => this.flush(), WINDOW).unref();
    const exact = `${event} ${networkOf(address ?? '')}`;
    const full = this.lines >= MAX_LINES;
    // Beyond that many lines, all other networks are counted as one.
    const key = full && !this.counts.has(exact) ? `${event} others` : exact;
    const counted = this.counts.get(key) ?? { told: 0, untold: 0 };
    this.counts.set(key, counted);
    if (full || counted.told >= MAX_ALIKE) {
      counted.untold++;
      return false;
    }
    counted.told++;
    this.lines++;
    return true;
  }
}

const FIELDS = ['user', 'role', 'target', 'reason', 'address', 'requestId'] as const;

/** Values as they may be logged: JSON escapes control characters, and nothing here is longer than a name. */
function line(event: string, circumstances: Circumstances): object {
  const told: Record<string, string> = { event };
  for (const field of FIELDS) {
    const value = circumstances[field];
    if (value !== undefined) told[field] = value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}...` : value;
  }
  return told;
}
