import type { ReactNode } from 'react';

import { counted, number, sentence } from '../texts';

/** The texts of the map. */
export const words = {
  about: 'Where calls go: from gateways through numbers to those who answer, and whether they ring.',
  columns: { gateway: 'Gateways', TARGET: 'Agents and peers', DOMAIN: 'Domains', state: 'Devices' },
  numbers: (count: number) => counted(count, 'number'),
  count: number,
  and: ' · ',
  lost: (count: number) => `${number(count)} ${count === 1 ? 'does' : 'do'} not ring`,
  noneRings: 'none rings',
  others: {
    gateway: (count: number) => counted(count, 'other gateway'),
    TARGET: (count: number) => `${number(count)} other ${count === 1 ? 'address' : 'addresses'}`,
    DOMAIN: (count: number) => counted(count, 'other domain'),
  },
  only: 'Only numbers that do not ring',
  examined: (count: number) => counted(count, 'number'),
  first: (count: number) => `The first ${counted(count, 'number')}`,
  following: (count: number) => `The next ${counted(count, 'number')}`,
  at: (time: ReactNode) => sentence('Counted at ', time),
  again: 'Count again',
  next: 'Next numbers',
  toFirst: 'First numbers',
  list: (kinds: string) => `List of ${kinds}`,
  none: 'There are no numbers here.',
  noneYet: (dids: ReactNode, numbers: ReactNode) =>
    sentence('There are no numbers yet. The map shows where calls to ', dids, ' and ', numbers, ' go.'),
  noneLost: 'All numbers here ring.',
  table: 'The map as a table',
  heads: { gateway: 'Gateway', TARGET: 'Leads to', DOMAIN: 'Domain', state: 'State', count: 'Numbers' },
  /** With a cross, because a click takes it away. */
  narrowed: (kind: string, name: ReactNode) => sentence(`${kind}: `, name, ' ×'),
  remove: (kind: string) => `Not only this ${kind.toLowerCase()}`,
  open: 'Open the map',
  of: 'Where calls go',
};
