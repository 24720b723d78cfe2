import { useEffect, useState } from 'react';

import { subscribe } from '../graph/subscribe';
import type { Kind } from '../model/model';

const CHANGED = `subscription Changed($refs: [String!], $kinds: [ResourceKind!], $since: String) {
  resourceChanged(refs: $refs, kinds: $kinds, since: $since) { cursor event }
}`;

type Event = 'CREATED' | 'UPDATED' | 'DELETED';

/**
 * Whether the resource was changed or deleted after the cursor, which was read before the form was filled in, and a
 * function that forgets it.
 */
export function useChangedMeanwhile(
  kind: Kind,
  ref: string | undefined,
  since: string | undefined,
): [Event | undefined, () => void] {
  const [changed, setChanged] = useState<Event>();
  useEffect(() => {
    if (ref === undefined || since === undefined) return;
    return subscribe<{ resourceChanged: { event: Event } }>(
      CHANGED,
      { refs: [ref], kinds: [kind.name] },
      ({ resourceChanged }) => setChanged(resourceChanged.event),
      // It may have been changed.
      { since, onGap: () => setChanged('UPDATED') },
    );
  }, [kind, ref, since]);
  return [changed, () => setChanged(undefined)];
}
