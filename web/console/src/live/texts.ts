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
