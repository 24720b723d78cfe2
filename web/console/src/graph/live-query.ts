import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import type { Variables } from './post';
import { request } from './request';
import { RETRIES } from './retries';
import { subscribe } from './subscribe';

/** A subscription whose events mean that a result may have changed. It declares `$since` and selects `cursor`. */
export interface Watched {
  readonly query: string;
  readonly variables?: Variables;
}

/** Resources that are created, changed or deleted: all, those of kinds, or one of them. */
export function resourcesOf(kinds?: readonly string[], ref?: string): Watched {
  return {
    query: `subscription Resources($kinds: [ResourceKind!], $refs: [String!], $since: String) {
      resourceChanged(kinds: $kinds, refs: $refs, since: $since) { cursor }
    }`,
    variables: { ...(kinds !== undefined && { kinds }), ...(ref !== undefined && { refs: [ref] }) },
  };
}

/** Resources of all kinds. */
export const RESOURCES = resourcesOf();

/** Registrations of gateways at their providers. */
export const REGISTRATIONS: Watched = {
  query: 'subscription Registrations($since: String) { registrationsChanged(since: $since) { cursor } }',
};

/** Hosts of gateways that stop responding to OPTIONS, or respond again. */
export const HEALTH: Watched = {
  query: 'subscription Health($since: String) { gatewayHealthChanged(since: $since) { cursor } }',
};

/** Destinations of gateways that stop responding to OPTIONS, or respond again. */
export const DESTINATION_HEALTH: Watched = {
  query: 'subscription Destinations($since: String) { destinationHealthChanged(since: $since) { cursor } }',
};

/** Devices that register or whose registration ends: all, or those of an address of record. */
export function contactsOf(aor?: string): Watched {
  return {
    query: `subscription Contacts($aor: String, $since: String) {
      contactsChanged(aor: $aor, since: $since) { cursor }
    }`,
    ...(aor !== undefined && { variables: { aor } }),
  };
}

/** The result of a live query. */
export interface LiveResult<Data> {
  /** Undefined until the first result. While a result for new variables is read, the previous one. */
  readonly data: Data | undefined;
  /** Whether `data` belongs to previous variables. */
  readonly isPrevious: boolean;
  readonly isFetching: boolean;
  /** When `data` was read. */
  readonly readAt: string;
  /** The error of the last read, which is not repeated. */
  readonly error: Error | undefined;
  /** Whether the events arrive, and the server responds. */
  readonly isLive: boolean;
  readonly refresh: () => void;
}

/** The options of a live query. */
interface LiveOptions {
  /** Milliseconds between two reads. */
  readonly pause?: number;
  readonly enabled?: boolean;
}

// Milliseconds.
const PAUSE = 300;
const KEPT = 30_000;

/**
 * Reads the result of a query, and again whenever an event of a subscription tells that it may have changed.
 * `watchedOf` tells which subscriptions these are, from the last result.
 */
export function useLiveQuery<Data>(
  query: string,
  variables: Variables,
  watchedOf: (data: Data | undefined) => readonly Watched[],
  { pause = PAUSE, enabled = true }: LiveOptions = {},
): LiveResult<Data> {
  const { data, dataUpdatedAt, error, failureReason, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [query, variables],
    queryFn: ({ signal }) => request<Data>(query, variables, { signal }),
    enabled,
    ...RETRIES,
    placeholderData: keepPreviousData,
    gcTime: KEPT,
  });
  const read = useRef(refetch);
  useEffect(() => {
    read.current = refetch;
  });
  const { isConnected, refresh } = useEvents(watchedOf(data), read, pause, enabled);
  return {
    data,
    isPrevious: isPlaceholderData,
    isFetching,
    readAt: new Date(dataUpdatedAt).toISOString(),
    error: error ?? undefined,
    isLive: isConnected && failureReason === null,
    refresh,
  };
}

/** The last cursor of changes that was read; undefined until the first one is. */
let lastKnown: string | undefined;

async function readCursor(signal: AbortSignal): Promise<string> {
  const { changeCursor } = await request<{ readonly changeCursor: string }>('{ changeCursor }', {}, { signal });
  return (lastKnown = changeCursor);
}

/** The cursor of the last change before the component that uses it was shown; undefined until it is read. */
export function useChangeCursor(
  key: string,
  enabled = true,
): { readonly since: string | undefined; readonly error: Error | null; readonly refetch: () => unknown } {
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    queryKey: ['changeCursor', key],
    queryFn: ({ signal }) => readCursor(signal),
    enabled,
    ...RETRIES,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnMount: 'always',
  });
  return { since: isFetchedAfterMount ? data : undefined, error, refetch };
}

/**
 * Calls `read` on each event, and when events may be missing. `pause` is the time between two calls, in milliseconds. The
 * data is read after the component was shown first, so `read` is also called at the start if something has changed since
 * the last cursor that was known then.
 */
export function useEvents(
  watched: readonly Watched[],
  read: { readonly current: () => Promise<unknown> },
  pause: number,
  enabled: boolean,
): { readonly isConnected: boolean; readonly refresh: () => void } {
  const [isConnected, setConnected] = useState(true);
  const refresher = useRef<() => void>(undefined);
  const key = JSON.stringify(watched);
  const [before] = useState(() => lastKnown);
  const { since } = useChangeCursor(key, enabled);
  useEffect(() => {
    if (since === undefined) return undefined;
    const { refresh, stop } = createRefresher(() => read.current(), pause);
    refresher.current = refresh;
    if (since !== before) refresh();
    // All subscriptions use one connection.
    let wasConnected = true;
    const onConnected = (connected: boolean): void => {
      setConnected(connected);
      if (connected && !wasConnected) refresh();
      wasConnected = connected;
    };
    const ends = (JSON.parse(key) as readonly Watched[]).map(({ query, variables = {} }) =>
      subscribe(query, variables, refresh, { since, onGap: refresh, onConnected }),
    );
    return () => {
      stop();
      for (const end of ends) end();
    };
  }, [since, before, key, pause, read]);
  return { isConnected, refresh: () => refresher.current?.() };
}

/** Repeats a read when its result may have changed. */
interface Refresher {
  /** Reads again; if a read is running or was just made, once more after it. */
  readonly refresh: () => void;
  readonly stop: () => void;
}

/** Returns a Refresher with at least `pause` milliseconds between two reads, however many events ask for one. */
export function createRefresher(read: () => Promise<unknown>, pause: number): Refresher {
  let isBusy = false;
  let isWanted = false;
  let isStopped = false;
  const run = async (): Promise<void> => {
    isBusy = true;
    do {
      isWanted = false;
      await read();
      await new Promise((resolve) => setTimeout(resolve, pause));
    } while (isWantedAgain());
    isBusy = false;
  };
  // A function, because events change the variables meanwhile.
  const isWantedAgain = (): boolean => isWanted && !isStopped;
  return {
    refresh: () => {
      isWanted = true;
      if (!isBusy && !isStopped) void run();
    },
    stop: () => {
      isStopped = true;
    },
  };
}
