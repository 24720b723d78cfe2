/** The texts of the past of registrations. */
export const words = {
  title: 'Past of the registrations',
  columns: { at: 'Time', event: 'What happened', from: 'Address', device: 'Device', reason: 'Reason' },
  events: {
    REGISTERED: 'Registered',
    MOVED: 'Moved',
    UNREGISTERED: 'Unregistered',
    EXPIRED: 'Expired',
    REFUSED: 'Refused',
    LOST: 'No response',
    UNRECORDED: 'Too many to record',
  } as Readonly<Record<string, string>>,
  reason: (status: number | null, reason: string | null) =>
    [status === null ? [] : [String(status)], reason ?? []].flat().join(' '),
};

/** The texts of the destinations of a gateway. */
export const destinations = {
  title: 'Destinations',
  columns: {
    place: 'Destination',
    priority: 'Priority',
    weight: 'Weight',
    use: 'Calls',
    health: 'Health',
    since: 'Since',
    answer: 'Last response',
  },
  byDefault: 'Default',
  use: (isEnabled: boolean, isDraining: boolean) =>
    isEnabled ? (isDraining ? 'No new calls: draining' : 'Takes calls') : 'Disabled',
  states: { UP: 'Responds', DOWN: 'Does not respond', UNKNOWN: 'Not checked yet' },
  answer: (status: number | null, roundTrip: number | null) =>
    status === null ? '' : roundTrip === null ? String(status) : `${status} after ${roundTrip} ms`,
};

/** The texts of the addresses from which calls were refused. */
export const refusedSources = {
  title: 'Refused callers',
  about:
    'Calls came from these addresses, which are those of no gateway and no peer, and were refused. Add an address if it belongs to a provider.',
  columns: {
    address: 'Address',
    calls: 'Calls',
    number: 'Number called',
    first: 'First call',
    last: 'Last call',
    action: 'Add to a gateway',
  },
  number: (count: number) => count.toLocaleString('en'),
  noNumber: 'None of yours',
  add: 'Add',
  addOf: (ip: string) => `Add ${ip} to a gateway`,
  addAbout: 'Calls from this address to numbers of the gateway are then accepted.',
  gateway: 'Gateway',
  submit: 'Add to its sources',
};
