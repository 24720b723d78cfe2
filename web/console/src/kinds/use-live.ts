import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { contactsOf, HEALTH, REGISTRATIONS, resourcesOf, useEvents, type Watched } from '../graph/live-query';
import type { Kind } from '../model/model';

/** Milliseconds within which several events cause one read. */
const PAUSE = 1000;

/**
 * Reads the lists of a kind again when one of its resources, its state, or one to which they link, has changed. Starts
 * when the list is shown: nobody waits for it.
 */
export function useLiveList(kind: Kind, isShown: boolean): void {
  useReadAgain([kind], [resourcesOf([...new Set([kind.name, ...linkedTo(kind)])]), ...statesOf(kind)], isShown);
}

/** Reads the lists of these kinds again when one of their resources has changed. */
export function useLiveNames(kinds: readonly Kind[]): void {
  useReadAgain(kinds, [resourcesOf([...new Set(kinds.map(({ name }) => name))])], kinds.length > 0);
}

/**
 * Reads a resource again when it, its live state, or a resource to which it may link, has changed. The reference is empty
 * until it is known.
 */
export function useLiveResource(kind: Kind, ref: string): void {
  const linked = linkedTo(kind);
  const watched = [
    resourcesOf([kind.name], ref),
    ...(linked.length > 0 ? [resourcesOf(linked)] : []),
    ...statesOf(kind),
  ];
  useReadAgain([kind], watched, ref !== '');
}

/** What changes the state of resources of a kind. */
function statesOf(kind: Kind): readonly Watched[] {
  const has = (type: string): boolean => kind.fields.some((field) => field.type === type);
  const hasTrunk = has('Registration') || linkedTo(kind).includes('Gateway');
  return [
    ...(has('Contact') ? [contactsOf()] : []),
    ...(hasTrunk ? [REGISTRATIONS] : []),
    ...(has('GatewayHealth') ? [HEALTH] : []),
  ];
}

/** The kinds whose resources are shown with those of a kind. */
function linkedTo({ fields }: Kind): readonly string[] {
  return [...new Set(fields.flatMap(({ kinds }) => kinds))];
}

function useReadAgain(kinds: readonly Kind[], watched: readonly Watched[], enabled = true): void {
  const queries = useQueryClient();
  const read = useRef<() => Promise<unknown>>(() => Promise.resolve());
  useEffect(() => {
    read.current = () =>
      Promise.all(kinds.map(({ collection }) => queries.invalidateQueries({ queryKey: [collection] })));
  });
  useEvents(watched, read, PAUSE, enabled);
}
