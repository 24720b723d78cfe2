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
