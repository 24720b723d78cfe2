import type { Pending } from './operations';

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

const limited = (text: string, limit: number | null, unit = ''): string =>
  limit === null ? text : `${text} (limit ${String(limit)}${unit})`;

const STATES: Readonly<Record<string, string>> = {
  SCHEDULED: 'Scheduled',
  UNCONFIRMED: 'Waits for confirmation',
  CONFIRMED: 'Confirmed',
  REVERTED: 'Reverted',
  NOT_REVERTED: 'Not reverted',
  APPLIED: 'Made',
  NOT_APPLIED: 'Not made',
  CANCELLED: 'Cancelled',
};

/** The texts of changes that wait. */
export const words = {
  bar: 'Changes that wait for confirmation',
  list: 'Changes that wait, and what has become of others',
  none: 'No changes wait, and none have in the last 30 days.',
  who: ({ username, count }: Pending) => `${counted(count, 'change')} by ${username}`,
  left: 'Time left',
  /** Seconds that are left, as `9:05` or `1:09:05`. */
  countdown: (seconds: number) => {
    const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const two = (value: number): string => String(value).padStart(2, '0');
    return hours > 0 ? `${String(hours)}:${two(minutes)}:${two(rest)}` : `${String(minutes)}:${two(rest)}`;
  },
  revertedIn: 'will be reverted in',
  revertedNow: 'being reverted',
  figures: ({ figures, revertIf }: Pending) =>
    figures === null
      ? 'Not measured yet'
      : [
          limited(`Numbers stopped: ${String(figures.numbersStopped)}`, revertIf.numbersStopped),
          limited(`Gateways down: ${String(figures.gatewaysLost)}`, revertIf.gatewaysLost),
          limited(
            `Failed calls: ${String(figures.failedCalls)} of ${String(figures.newCalls)}`,
            revertIf.failedCallsPercent,
            ' %',
          ),
        ].join(' · '),
  confirm: 'Confirm',
  revert: 'Revert now',
  cancel: 'Cancel',
  confirmOf: (pending: Pending) => `Confirm ${words.who(pending)}`,
  revertOf: (pending: Pending) => `Revert now: ${words.who(pending)}`,
  cancelOf: (pending: Pending) => `Cancel ${words.who(pending)}`,
  confirmed: 'The changes are kept',
  reverted: 'The changes are reverted',
  cancelled: 'The changes will not be made',
  state: ({ state, finishedBy }: Pending) =>
    `${STATES[state] ?? state}${finishedBy === null ? '' : ` by ${finishedBy}`}`,
  due: 'Due',
  finished: 'Since',
  ended: ({ state, reason, ...pending }: Pending) =>
    `${words.who({ state, reason, ...pending })}: ${(STATES[state] ?? state).toLowerCase()}, ${reason ?? ''}`,
  hide: 'Hide',
};
