import type { ReactNode } from 'react';

import { sentence } from '../texts';

/** The texts of filters, which are loaded with lists. */
export const words = {
  add: 'Add filter',
  conditions: 'Conditions',
  field: 'Field',
  operator: 'Comparison',
  value: 'Value',
  apply: 'Apply',
  clear: 'Remove all',
  remove: 'Remove this condition',
  nothing: 'Nothing is found.',
  chip: (field: string, operator: string, value: ReactNode) => sentence(`${field} ${operator} `, value, ' ×'),
  /** Operators of the graph that nobody can choose here, but links and addresses have. */
  operators: {
    contains: 'contains',
    endsWith: 'ends with',
    eq: 'is',
    gt: 'is more than',
    in: 'is one of',
    isNull: 'is not set:',
    lte: 'at most',
    gte: 'at least',
    lt: 'is less than',
    ne: 'is not',
    notIn: 'is none of',
    startsWith: 'starts with',
  },
} as const;
