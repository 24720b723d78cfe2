import { counted, duration } from '../texts';
import type { Pending } from './operations';

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

// A state that this version does not know is shown as it is.
const stateOf = (state: string): string => STATES[state] ?? state;

/** The texts of changes that wait. */
export const words = {
  bar: 'Changes that wait for confirmation',
  list: 'Changes that wait, and what has become of others',
  none: 'No changes wait, and none have in the last 30 days.',
  who: ({ username, count }: Pending) => `${counted(count, 'change')} by ${username}`,
  left: 'Time left',
  countdown: duration,
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
  state: ({ state, finishedBy }: Pending) => `${stateOf(state)}${finishedBy === null ? '' : ` by ${finishedBy}`}`,
  due: 'Due',
  finished: 'Since',
  ended: (pending: Pending) =>
    `${words.who(pending)}: ${stateOf(pending.state).toLowerCase()}, ${pending.reason ?? ''}`,
  hide: 'Hide',
};
