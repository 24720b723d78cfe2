import { useEffect, useState } from 'react';

import { request, subscribe } from '../graph/client';
import { contactsOf, REGISTRATIONS, RESOURCES } from '../graph/events';
import { createRefresher } from '../graph/refresher';
import { readPatiently } from '../graph/retries';
import { COUNT_NUMBERS, type NumberCounts, type NumberState } from './operations';

/** How many numbers are in each state. */
export interface Counts {
  readonly states: ReadonlyMap<NumberState, number>;
  readonly examined: number;
  /** Whether all numbers are counted. */
  readonly isComplete: boolean;
  /** When the count began. */
  readonly at: string;
}

// Milliseconds between the ends of counts that events cause.
const PAUSE = 5000;

/**
 * Counts all numbers by state, part by part. Counts again when something changes, if one part contains all numbers;
 * otherwise only when `recount` is called.
 */
export function useCounts(): {
  readonly counts: Counts | undefined;
  readonly error: Error | undefined;
  readonly recount: () => void;
} {
  const [counts, setCounts] = useState<Counts>();
  const [error, setError] = useState<Error>();
  const [round, setRound] = useState(0);

  useEffect(() => {
    const stopped = new AbortController();
    // Whether there is more than one part.
    let isLong = false;
    const count = async (): Promise<void> => {
      const at = new Date().toISOString();
      const states = new Map<NumberState, number>();
      let [examined, after] = [0, undefined as string | undefined];
      while (!stopped.signal.aborted) {
        const { signal } = stopped;
        const from = { after };
        const { numberHealthCounts: part } = await readPatiently(
          async () => request<NumberCounts>(COUNT_NUMBERS, from, { signal }),
          signal,
        );
        for (const each of part.states) states.set(each.state, (states.get(each.state) ?? 0) + each.count);
        examined += part.examined;
        after = part.endCursor;
        // A later count replaces the shown one as a whole.
        setCounts((shown) =>
          part.hasNextPage && shown?.isComplete === true
            ? shown
            : { states: new Map(states), examined, isComplete: !part.hasNextPage, at },
        );
        if (!part.hasNextPage) break;
        isLong = true;
      }
      setError(undefined);
    };
    // Events that came before the second part was known do not cause another count either.
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
  }, [round]);

  return { counts, error, recount: () => setRound((before) => before + 1) };
}
