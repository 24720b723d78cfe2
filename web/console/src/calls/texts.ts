import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';

import type { CallState } from './operations';

/** The texts of calls. */
export const words = {
  list: 'Calls',
  of: 'Last calls',
  all: 'All calls',
  columns: {
    begun: 'Begun',
    parties: 'From → to',
    direction: 'Direction',
    state: 'State',
    duration: 'Duration',
    response: 'Response',
    gateway: 'Gateway',
  },
  states: {
    CALLING: 'Calling',
    RINGING: 'Rings',
    ANSWERED: 'In progress',
    LOST: 'Lost',
    FAILED: 'Not answered',
    ENDED: 'Ended',
  } satisfies Record<CallState, string>,
  directions: { IN: 'In', OUT: 'Out', INTERNAL: 'Internal' } as Readonly<Record<string, string>>,
  ends: { CALLER: 'The caller', CALLEE: 'The other side', SERVER: 'The SIP server' } as Readonly<
    Record<string, string>
  >,
  anyState: 'All states',
  live: 'In progress',
  anyDirection: 'All directions',
  anyGateway: 'All gateways',
  time: 'Time',
  spans: { '': 'Any time', hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days' },
  search: 'Part of a number or address',
  none: 'No recorded call matches.',
  newer: 'Newer',
  older: 'Older',
  noCall: 'This call is no longer kept.',
  parties: (from: ReactNode, to: ReactNode): ReactElement => createElement(Fragment, null, from, ' → ', to),
  title: (at: string) => `Call of ${at}`,
  duration: (seconds: number) => {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const two = (part: number): string => String(part).padStart(2, '0');
    return `${hours > 0 ? `${String(hours)}:${two(minutes)}` : String(minutes)}:${two(Math.floor(seconds) % 60)}`;
  },
  inProgress: 'Calls in progress',
  attempts: 'Attempts',
  why: 'Why',
  explain: 'Explain this call',
  explainNow: 'What would become of it now',
  attempt: { place: 'No.', destination: 'Destination', after: 'After' },
  place: (place: number) => `${String(place)}.`,
  device: 'Device',
  waiting: 'No response yet',
  notSent: 'Not sent',
  after: (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`,
  response: (status: number | null, reason: string | null) =>
    [status === null ? [] : [String(status)], reason ?? []].flat().join(' '),
  fields: {
    state: 'State',
    direction: 'Direction',
    from: 'From',
    to: 'To',
    called: 'Called',
    caller: 'Calling agent or peer',
    callee: 'Called agent or peer',
    number: 'Number',
    gateway: 'Gateway',
    begun: 'Begun',
    ringing: 'Ringing since',
    answered: 'Answered',
    ended: 'Ended',
    duration: 'Duration',
    endedBy: 'Ended by',
    response: 'Response',
    reason: 'Reason',
    source: 'Address of the caller',
    node: 'Node of the SIP server',
    callId: 'Call-ID',
  },
};
