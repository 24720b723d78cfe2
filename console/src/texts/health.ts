import { counted } from './counted';

/** The texts of health/. */
export const health = {
  counted: (count: number) => counted(count, 'number'),
  counting: (count: number) => `${counted(count, 'number')} examined so far…`,
  recount: 'Count again',
  countedAt: 'Counted at',
  byState: 'Numbers by state',
  states: {
    MISSING: 'The number does not exist',
    AMBIGUOUS: 'Several numbers have the same digits',
    GATEWAY_NOT_REGISTERED: 'The gateway is not registered',
    GATEWAY_EXPIRED: 'The registration of the gateway has expired',
    GATEWAY_REFUSED: 'The provider refuses the gateway',
    DOMAIN_MISSING: 'The domain does not exist',
    TARGET_FORBIDDEN: 'The agent belongs to another domain',
    TARGET_MISSING: 'The agent or peer does not exist',
    NOT_REGISTERED: 'No device is registered',
    EXPIRED: 'The registrations of the devices have expired',
    REACHABLE: 'Rings',
  },
  numbers: (state: string) => `Numbers: ${state}`,
  columns: { number: 'Number', gateway: 'Gateway', target: 'Leads to', why: 'Why' },
  choose: 'Choose a state to list its numbers.',
  none: 'No number is in this state.',
  searching: 'Searching…',
  next: 'Next',
  first: 'First page',
  failed: 'This cannot be read',
} as const;
