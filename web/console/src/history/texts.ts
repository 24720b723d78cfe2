import { createElement, type ReactNode } from 'react';

import { counted, heading, number, sentence, texts } from '../texts';

/** The texts of the pages of the history. They are apart from the others because the first page does not need them. */
export const words = {
  entries: 'Changes, newest first',
  empty: 'No change meets the conditions.',
  noneYet: 'Nothing has been changed yet.',
  filters: 'Conditions',
  kind: 'Kind',
  ref: 'Reference',
  user: 'Who',
  way: 'How',
  event: 'What happened',
  request: 'Request',
  from: 'From',
  to: 'Until',
  any: 'Any',
  clear: 'Remove the conditions',
  older: 'Older changes',
  withConditions: 'Open in the history',
  tabs: { changes: 'Changes', security: 'Sign-ins and security' },
  find: 'Number or name',
  findHint: 'Shows what was done to it. Any spelling of a number.',
  nothingFound: 'Nothing is found.',
  of: (kind: string, name: ReactNode) => sentence(`${heading(kind)} `, name),
  details: 'Details',
  moreOf: 'Older changes of this request',
  day: (date: Date, now: Date) => {
    const days = Math.round((startOf(now) - startOf(date)) / 86_400_000);
    if (days === 0 || days === 1) return days === 0 ? 'Today' : 'Yesterday';
    return date.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  },
  newest: 'Newest changes',
  headline: (event: string, kind: string, resource: ReactNode) =>
    sentence(
      createElement('strong', null, `${heading(kind)} ${event.toLowerCase().replaceAll('_', ' ')}`),
      ' ',
      resource === '' ? 'with a name that no user has' : resource,
    ),
  /** Nobody is who tried to sign in and failed. */
  by: (headline: ReactNode, event: string, who: string | undefined, count: number | null) =>
    sentence(
      headline,
      event === 'SIGN_IN_FAILED' ? '' : ` by ${who ?? 'an earlier version of sipgraph'}`,
      count === null ? '' : `, ${counted(count, 'time')}`,
    ),
  /** How a change was made, such as `GraphQL`. */
  wayOf: (way: string) =>
    way === 'GRAPHQL' ? 'GraphQL' : way === 'SIP_SERVER' ? 'SIP server' : texts.kinds.choice(way),
  origin: (parts: readonly string[]) => parts.join(', '),
  reverted: (entry: string) => `Undoes change ${entry}`,
  noValue: 'none',
  secret: (fingerprint: string) => `secret (${fingerprint})`,
  hidden: 'secret',
  changed: (before: ReactNode, after: ReactNode) => sentence(before, ' → ', after),
  before: 'Before',
  after: 'After',
  more: 'All changes of this request',
  revert: 'Undo',
  revertEntry: (entry: string) => `Undo change ${entry}`,
  revertRequest: 'Undo this request',
  undoes: (who: string, did: ReactNode) => sentence('Undoes what ', who, ' did: ', did, '.'),
  wouldChange: 'This would change:',
  others: (count: number) => `and ${number(count)} more`,
  nothing: 'There is nothing to undo: the earlier values are there already.',
  needsSecrets: 'Old secrets are not kept. Enter those that the resource gets:',
  noPreview: 'The preview took too long. You can undo without it.',
  check: 'Check again',
  conflict: (message: string) =>
    `It cannot be undone, because something newer would be lost: ${message}. Undo the newer change first.`,
  refused: (message: string) => `It cannot be undone: ${message}`,
  fields: (names: readonly string[]) => `Fields: ${names.join(', ')}`,
  scheduled: 'The undo is scheduled. Waiting changes list it.',
  done: (count: number) => `${counted(count, 'change')} undone`,
} as const;

function startOf(date: Date): number {
  return new Date(date).setHours(0, 0, 0, 0);
}
