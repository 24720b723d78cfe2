import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { contactsOf, HEALTH, REGISTRATIONS, RESOURCES, useEvents } from '../graph/live-query';
import { request } from '../graph/request';
import { readPatiently } from '../graph/retries';
import type { NumberState } from '../health/operations';
import { useModel } from '../model/model';
import { COUNT_PART, nowOf, type Cause, type Now, type Part } from './operations';

/** How many numbers ring, and why the others do not. */
export interface Numbers {
  readonly states: ReadonlyMap<NumberState, number>;
  /** First what concerns the most numbers. */
  readonly causes: readonly Cause[];
  readonly examined: number;
  /** Whether all numbers are counted. */
  readonly isComplete: boolean;
}

/** What the first page shows. */
export interface Shown {
  readonly now: Now;
  readonly numbers: Numbers;
  /** The number of changes since midnight. */
  readonly today: number;
}

// Milliseconds between two reads.
const PAUSE = 3000;
// Counting more numbers takes the server at most 2 % of the time while a page is open, and is at most this old.
const FEW = 2000;
const REST = 50;
const LONGEST_REST = 300_000;
const WATCHED = [RESOURCES, REGISTRATIONS, HEALTH, contactsOf()];
const NOTHING: Numbers = { states: new Map(), causes: [], examined: 0, isComplete: false };

/** Reads what the first page shows, with one request unless the numbers are many, and again when something changes. */
export function useNow(): {
  readonly shown: Shown | undefined;
  readonly error: Error | undefined;
  readonly isConnected: boolean;
} {
  const query = nowOf(useModel());
  // The button that refreshes a page asks for this again.
  const { data: askedOn } = useQuery({
    queryKey: ['now'],
    queryFn: () => Date.now(),
    initialData: 0,
    staleTime: Infinity,
    gcTime: 0,
  });
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<Error>();
  const read = useRef<() => Promise<void>>(async () => Promise.resolve());
  const { isConnected, refresh } = useEvents(WATCHED, read, PAUSE, true);
  const again = useRef(refresh);
  useEffect(() => {
    again.current = refresh;
  });

  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // When the numbers may be counted again.
    let due = 0;
    let isBusy = false;
    // Whether something has changed since they were counted.
    let isStale = false;

    const ask = async <Data>(document: string, variables: object): Promise<Data> =>
      readPatiently(async () => request<Data>(document, { ...variables }, { signal }), signal);

    /** Counts all numbers, part by part, from the first part. Shows a count that is not complete only the first time. */
    const count = async (first: Part, began: number): Promise<void> => {
      let numbers = sum(NOTHING, first);
      for (let part = first; part.hasNextPage;) {
        const partial = numbers;
        setShown((before) => before && (before.numbers.isComplete ? before : { ...before, numbers: partial }));
        ({ numberHealthCounts: part } = await ask<{ numberHealthCounts: Part }>(COUNT_PART, { after: part.endCursor }));
        numbers = sum(numbers, part);
      }
      if (numbers.examined > FEW) due = Date.now() + Math.min(REST * (Date.now() - began), LONGEST_REST);
      setShown((before) => before && { ...before, numbers });
    };

    const once = async (): Promise<void> => {
      const began = Date.now();
      const all = !isBusy && began >= due;
      [isBusy, isStale] = [isBusy || all, !all];
      try {
        const now = await ask<Now>(query, { today: midnight().toISOString(), all });
        const { numberHealthCounts: part, created, updated, deleted } = now;
        const changes = [created, updated, deleted].reduce((total, each) => total + (each?.totalCount ?? 0), 0);
        setShown((before) => {
          // A read without numbers may be faster than the first one.
          const numbers = before?.numbers ?? (part && sum(NOTHING, part));
          return numbers && { now, numbers, today: all || !before ? changes : before.today };
        });
        setError(undefined);
        // Events are answered while the rest is counted.
        if (part) void count(part, began).catch(fail).finally(rest);
        else schedule();
      } catch (failure) {
        fail(failure);
        if (all) rest();
      }
    };
    const fail = (failure: unknown): void => {
      if (!signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)));
    };
    const rest = (): void => {
      isBusy = false;
      schedule();
    };
    /** Counts again when it is due, if something has changed meanwhile. */
    const schedule = (): void => {
      if (!isStale || isBusy || signal.aborted) return;
      clearTimeout(timer);
      timer = setTimeout(() => again.current(), Math.max(due - Date.now(), PAUSE));
    };
    read.current = once;
    void once();
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [query, askedOn]);

  return { shown, error, isConnected };
}

/** The beginning of today, in the time zone of the browser. */
export function midnight(): Date {
  return new Date(new Date().setHours(0, 0, 0, 0));
}

/** The numbers of several parts. */
function sum(before: Numbers, part: Part): Numbers {
  const states = new Map(before.states);
  for (const { state, count } of part.states) states.set(state, (states.get(state) ?? 0) + count);
  const causes = new Map(before.causes.map((cause) => [keyOf(cause), cause]));
  for (const cause of part.causes) {
    const known = causes.get(keyOf(cause));
    causes.set(keyOf(cause), known ? { ...known, count: known.count + cause.count } : cause);
  }
  return {
    states,
    causes: [...causes.values()].toSorted((one, other) => other.count - one.count),
    examined: before.examined + part.examined,
    isComplete: !part.hasNextPage,
  };
}

/** What the numbers of a cause have in common. */
export function keyOf({ state, domain, first: { telUrl, aorLink, gateway } }: Cause): string {
  // Whether the registrations have expired or are gone does not matter.
  if (domain) return `domain ${domain.ref}`;
  if (state.startsWith('GATEWAY_')) return `${state} ${gateway?.ref ?? ''}`;
  if (state === 'DISABLED') return state;
  if (state === 'AMBIGUOUS') return `${state} ${telUrl.replace(/\D/g, '')}`;
  return `${state} ${state === 'DOMAIN_MISSING' ? hostOf(aorLink) : aorLink}`;
}

/** The domain of an address of record. */
export function hostOf(aorLink: string): string {
  return aorLink.slice(aorLink.lastIndexOf('@') + 1);
}
