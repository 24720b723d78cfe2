import type { Logger } from 'pino';

import { networkOf } from '../limits/addresses';

/** Where a request came from. */
export interface Origin {
  /** The client's IP address; behind trusted proxies, the address that they report. */
  readonly address: string;
  readonly requestId: string;
}

const REFUSALS = ['sign-in-failed', 'token-refused', 'refused-by-role', 'refused-by-budget'] as const;
const COUNTED = ['sign-in', ...REFUSALS] as const;
type Refusal = (typeof REFUSALS)[number];
type Change =
  | 'user-created'
  | 'user-deleted'
  | 'secret-changed'
  | 'role-changed'
  | 'api-token-created'
  | 'api-token-deleted'
  | 'session-ended'
  | 'sessions-ended'
  | 'webhook-created'
  | 'webhook-changed'
  | 'webhook-secret-changed'
  | 'webhook-deleted';

/** The fields of a security event. */
interface EventDetails extends Partial<Origin> {
  /** The user who acted or tried to. For a failed sign-in, the name as sent, which may not belong to any user. */
  readonly user?: string | undefined;
  /** The user that was changed. */
  readonly target?: string;
  readonly role?: string;
  /** The ref of the API token that was used; if one was created or deleted, the ref of that token. */
  readonly token?: string;
  readonly reason?: string;
}

const WINDOW = 60_000;
// Lines per minute for the same event from the same network.
const MAX_REPEATED = 10;
// Lines per minute for all events that callers can cause.
const MAX_LINES = 300;
// Entries in a summary of suppressed events.
const MAX_SUMMARY = 10;
// Characters of a value.
const MAX_LENGTH = 200;

/**
 * Logs security events, one line each, with the event's name in `event`. Callers can cause most events in any number,
 * so repeated ones are counted and summarised once a minute (`events-suppressed`). Changes to users and tokens are
 * always logged.
 */
export class SecurityEvents {
  private counts = new Map<string, { logged: number; suppressed: number }>();
  private lines = 0;
  private timer: NodeJS.Timeout | undefined;
  /** How often each event that callers can cause has occurred, logged or not. */
  readonly totals = new Map<Refusal | 'sign-in', number>(COUNTED.map((event) => [event, 0]));

  constructor(private readonly log: Logger) {}

  logChange(event: Change, details: EventDetails): void {
    this.log.info(line(event, details), 'security event');
  }

  logSignIn(details: EventDetails): void {
    this.count('sign-in');
    if (this.mayLog('sign-in', details)) this.log.info(line('sign-in', details), 'security event');
  }

  logRefusal(event: Refusal, details: EventDetails): void {
    this.count(event);
    if (this.mayLog(event, details)) this.log.warn(line(event, details), 'security event');
  }

  /** Logs a summary of the events that were suppressed since the last summary. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const suppressed = [...this.counts].flatMap(([key, { suppressed: count }]) => {
      const [event, network] = key.split(' ');
      return count > 0 ? [{ event, network, count }] : [];
    });
    this.counts = new Map();
    this.lines = 0;
    if (suppressed.length === 0) return;
    suppressed.sort((a, b) => b.count - a.count);
    const count = suppressed.reduce((sum, each) => sum + each.count, 0);
    this.log.warn({ event: 'events-suppressed', count, most: suppressed.slice(0, MAX_SUMMARY) }, 'security event');
  }

  private count(event: Refusal | 'sign-in'): void {
    this.totals.set(event, (this.totals.get(event) ?? 0) + 1);
  }

  private mayLog(event: string, { address }: EventDetails): boolean {
    this.timer ??= setTimeout(() => this.flush(), WINDOW).unref();
    const exact = `${event} ${networkOf(address ?? '')}`;
    const full = this.lines >= MAX_LINES;
    // Once the limit is reached, new networks are counted together, which bounds the map.
    const key = full && !this.counts.has(exact) ? `${event} others` : exact;
    const counted = this.counts.get(key) ?? { logged: 0, suppressed: 0 };
    this.counts.set(key, counted);
    if (full || counted.logged >= MAX_REPEATED) {
      counted.suppressed++;
      return false;
    }
    counted.logged++;
    this.lines++;
    return true;
  }
}

const FIELDS = ['user', 'role', 'target', 'token', 'reason', 'address', 'requestId'] as const;

/** Builds the log line with truncated values. The log escapes control characters (log.ts). */
function line(event: string, details: EventDetails): object {
  const fields: Record<string, string> = { event };
  for (const field of FIELDS) {
    const value = details[field];
    if (value !== undefined) fields[field] = value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}...` : value;
  }
  return fields;
}
