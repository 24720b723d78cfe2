/** The limits that bring changes back earlier. */
export const LIMITS = ['numbersStopped', 'gatewaysLost', 'failedCallsPercent'] as const;
export type Limit = (typeof LIMITS)[number];

/** How changes wait, as it is entered. */
export interface Wait {
  /** Seconds within which they must be confirmed; null if they need no confirmation. */
  readonly within: number | null;
  readonly limits: Readonly<Record<Limit, string>>;
  /** When they are made, as a field for a local time has it; null for now. */
  readonly at: string | null;
}

/** Made at once, for good. */
export const NO_WAIT: Wait = {
  within: null,
  limits: { numbersStopped: '', gatewaysLost: '', failedCallsPercent: '' },
  at: null,
};

/** The times to confirm that are offered, in seconds, and the one that is chosen first. */
export const TIMES = [300, 600, 1800, 3600, 4 * 3600, 24 * 3600] as const;
export const FIRST_TIME = 600;

/** What a document declares, and passes to a mutation, of how its changes wait. */
export const WAIT_DECLARED = '$confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO';
export const WAIT_PASSED = 'confirmWithin: $confirmWithin, revertIf: $revertIf, at: $at';
/** What a document selects of how changes wait. */
export const WAITING = 'pending { id state dueOn }';

/** How changes wait, as the graph tells it; null if they do not. */
export type Waiting = { readonly id: string; readonly state: string; readonly dueOn: string | null } | null;

/** The variables of WAIT_DECLARED. */
export function waitVariables({ within, limits, at }: Wait): object {
  const given = LIMITS.filter((limit) => limits[limit].trim() !== '');
  const revertIf = Object.fromEntries(given.map((limit) => [limit, Number(limits[limit])]));
  return {
    ...(within !== null && { confirmWithin: within, ...(given.length > 0 && { revertIf }) }),
    ...(at !== null && { at: new Date(at).toISOString() }),
  };
}

/** Whether changes come back unless they are confirmed, or are made later. */
export function isWaiting({ within, at }: Wait): boolean {
  return within !== null || at !== null;
}

/** Whether all that is needed is entered. */
export function isComplete({ within, limits, at }: Wait): boolean {
  const areNumbers = LIMITS.every((limit) => limits[limit].trim() === '' || Number(limits[limit]) > 0);
  return (within === null || areNumbers) && (at === null || !Number.isNaN(Date.parse(at)));
}

/** Whether changes are made later. */
export function isScheduled(waiting: Waiting): waiting is NonNullable<Waiting> {
  return waiting?.state === 'SCHEDULED';
}
