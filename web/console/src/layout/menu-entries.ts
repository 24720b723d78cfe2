import type { MenuEntry } from '../feature';
import type { Session } from '../graph/session';

/** The entries that this user is offered, in order. */
export function forSession(entries: readonly MenuEntry[], session: Session | undefined): readonly MenuEntry[] {
  return entries
    .filter(({ isFor }) => session !== undefined && (isFor?.(session) ?? true))
    .sort((one, other) => one.position - other.position);
}
