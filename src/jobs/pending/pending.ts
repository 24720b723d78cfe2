import type { Actor } from '../../changes/actor';
import { PENDING_CHANGES } from '../../changes/change';
import type { NewChange } from '../../changes/outbox';
import { shorten } from '../../errors';
import type { Figures, Limits } from './figures';

/** What has become of a set of changes that waits, or has waited, for a time or for a confirmation. */
export type PendingState =
  'SCHEDULED' | 'UNCONFIRMED' | 'CONFIRMED' | 'REVERTED' | 'NOT_REVERTED' | 'APPLIED' | 'NOT_APPLIED' | 'CANCELLED';

/** A set of changes that waits, or has waited, for a time or for a confirmation. Times are milliseconds since the epoch. */
export interface Pending {
  readonly rowId: number;
  /** The id under which the history has the changes, once they are made. */
  readonly id: string;
  readonly state: PendingState;
  /** Who made or scheduled the changes. */
  readonly username: string;
  readonly userRef: string | null;
  /** The number of changes of the set. */
  readonly count: number;
  /** Seconds within which the changes must be confirmed; null if they need no confirmation. */
  readonly seconds: number | null;
  readonly limits: Limits;
  /** How many numbers that rang, and gateways that were up, before the changes are measured. */
  readonly watchedNumbers: number;
  readonly watchedGateways: number;
  /** The last measured figures; null before the first. */
  readonly figures: Figures | null;
  readonly createdOn: number;
  /** When the changes were made; null if they are not, or not yet. */
  readonly appliedOn: number | null;
  /** When they are made or reverted next; null if nothing more happens. */
  readonly dueOn: number | null;
  readonly finishedOn: number | null;
  /** Who confirmed or cancelled them; null if sipgraph itself finished. */
  readonly finishedBy: string | null;
  /** The id under which the history has the revert. */
  readonly revertedBy: string | null;
  /** Why they were reverted, or not made, or could not be reverted. */
  readonly reason: string | null;
}

/** The longest reason that is stored, in bytes. */
export const MAX_REASON = 900;

/** How a set of changes ends. */
export interface Ending {
  readonly state: PendingState;
  readonly reason?: string | null;
  readonly finishedBy?: string | null;
  readonly revertedBy?: string | null;
  readonly figures?: Figures | null;
}

/** What sipgraph does with a set of changes by itself, and webhooks are told. */
export type OwnEnding = Extract<PendingState, 'REVERTED' | 'NOT_REVERTED' | 'APPLIED' | 'NOT_APPLIED'>;

/** The change that tells what sipgraph has done with a set of changes by itself: why, and what was measured. */
export function endingOf(
  { id, username, count }: Pick<Pending, 'id' | 'username' | 'count'>,
  event: OwnEnding,
  actor: Actor,
  { reason = null, revertedBy = null, figures = null }: Partial<Ending> = {},
): NewChange {
  const after = { username, count, reason: reason === null ? null : shorten(reason, MAX_REASON), revertedBy, figures };
  return { kind: PENDING_CHANGES, ref: id, event, actor, details: { after } };
}
