import type { ReactNode } from 'react';

import { counted, duration, sentence, texts } from '../texts';
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
  wait: {
    title: 'When the change is made, and whether it comes back',
    confirm: 'Take it back unless I confirm within',
    within: 'Time to confirm',
    time: (seconds: number) => (seconds < 3600 ? `${String(seconds / 60)} min` : `${String(seconds / 3600)} h`),
    limits: 'Take it back earlier, from these figures on:',
    limit: {
      numbersStopped: 'Numbers stopped',
      gatewaysLost: 'Gateways lost',
      failedCallsPercent: 'Failed calls in %',
    },
    later: 'At a later time',
    at: 'Date and time',
    scheduled: (time: ReactNode, list: ReactNode) =>
      sentence('Nothing is changed yet: it will be made on ', time, ', if it then does the same. ', list),
    list: texts.titles.pending,
    noSets: (most: number) =>
      `More than ${String(most)} changes cannot wait for a confirmation or for a time: move fewer at once.`,
  },
};
