import type { Actor } from '../changes/actor';
import { PENDING_CHANGES } from '../changes/change';
import type { NewChange } from '../changes/outbox';
import { shorten } from '../errors';
import { MAX_REASON, type Pending, type PendingState } from './pending';
import type { Ending } from './pending-store';

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
