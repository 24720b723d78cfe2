import { useEffect, useState } from 'react';

import { contactsOf, REGISTRATIONS, RESOURCES, createRefresher } from '../graph/live-query';
import { request } from '../graph/request';
import { readPatiently } from '../graph/retries';
import { subscribe } from '../graph/subscribe';
import { COUNT_NUMBERS, type NumberCounts, type NumberState } from './operations';
import { argumentsOf, type Scope } from './scope';

/** How many numbers are in each state. */
export interface Counts {
  readonly states: ReadonlyMap<NumberState, number>;
  readonly examined: number;
  /** Whether all numbers are counted. */
  readonly isComplete: boolean;
  /** Whether the numbers are counted again when something changes. */
  readonly isLive: boolean;
  /** When the count began. */
  readonly at: string;
}

// Milliseconds between the ends of counts that events cause.
const PAUSE = 5000;
// On pages that many users keep open, more numbers are not counted again by themselves.
const FEW = 2000;

/**
 * Counts the numbers that are in all scopes by state, part by part; only the first part if `isBrief`. Counts again when something
 * changes, if one part contains all numbers; otherwise only when `recount` is called.
 */
export function useCounts(
  scopes: readonly Scope[],
  isBrief = false,
): {
  readonly counts: Counts | undefined;
  readonly error: Error | undefined;
  readonly recount: () => void;
} {
  const [result, setResult] = useState<{ readonly of: string; readonly counts: Counts }>();
  const [error, setError] = useState<Error>();
  const [round, setRound] = useState(0);
  const key = JSON.stringify(argumentsOf(scopes));

  useEffect(() => {
    const stopped = new AbortController();
    setError(undefined);
    const selected = JSON.parse(key) as ReturnType<typeof argumentsOf>; // written above
    // Whether there is too much to count it again by itself.
    let isLong = false;
    const count = async (): Promise<void> => {
      const at = new Date().toISOString();
      const states = new Map<NumberState, number>();
      let [examined, after] = [0, undefined as string | undefined];
      while (!stopped.signal.aborted) {
        const { signal } = stopped;
        const from = { ...selected, after };
        const { numberHealthCounts: part } = await readPatiently(
          async () => request<NumberCounts>(COUNT_NUMBERS, from, { signal }),
          signal,
        );
        for (const each of part.states) states.set(each.state, (states.get(each.state) ?? 0) + each.count);
        examined += part.examined;
        after = part.endCursor;
        isLong = part.hasNextPage || isLong || (isBrief && examined > FEW);
        const isLive = !isLong;
        // A later count replaces the shown one as a whole.
        setResult((shown) =>
          part.hasNextPage && !isBrief && shown?.of === key && shown.counts.isComplete
            ? shown
            : { of: key, counts: { states: new Map(states), examined, isComplete: !part.hasNextPage, isLive, at } },
        );
        if (!part.hasNextPage || isBrief) break;
      }
      setError(undefined);
    };
    // Events that came before this was known do not cause another count either.
    const read = async (): Promise<void> =>
      isLong
        ? undefined
        : count().catch((failure: unknown) => {
            if (!stopped.signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)));
          });
    const { refresh, stop } = createRefresher(read, PAUSE);
    const onEvent = (): void => {
      if (!isLong) refresh();
    };
    refresh();
    const ends = [RESOURCES, REGISTRATIONS, contactsOf()].map(({ query }) =>
      subscribe(query, {}, onEvent, {
        onGap: onEvent,
        onConnected: (isConnected) => {
          if (isConnected) onEvent();
        },
      }),
    );
    return () => {
      stopped.abort();
      stop();
      for (const end of ends) end();
    };
  }, [round, key, isBrief]);

  const counts = result?.of === key ? result.counts : undefined;
  return { counts, error, recount: () => setRound((before) => before + 1) };
}
