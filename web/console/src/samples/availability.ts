import { keepPreviousData, useQuery } from '@tanstack/react-query';

import type { Variables } from '../graph/post';
import { request } from '../graph/request';
import { RETRIES } from '../graph/retries';
import type { TrunkState } from '../live/operations';
import { type SpanName, SPANS } from './use-samples';

/** The states of a trunk in a span of time. */
export interface Availability {
  /** In seconds. */
  readonly observed: number;
  /** The share of the observed time, from 0 to 1. */
  readonly registered: number;
  readonly periods: readonly { readonly state: TrunkState; readonly from: string; readonly to: string }[];
}

/** A span of time that ends now, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Selects `availability` of a gateway, in the span of $from and $to. */
export const AVAILABILITY = 'availability(from: $from, to: $to) { observed registered periods { state from to } }';

// What was missed at a restart, and the minute at each end, need not be told.
const NEARLY_ALL = 0.99;

/** For how many seconds of a span the state is known; undefined if it is nearly all. */
export function observedOf({ observed }: Availability, { from, to }: Span): number | undefined {
  return observed * 1000 < NEARLY_ALL * (to - from) ? observed : undefined;
}

const MINUTE = 60_000;

/** What a query returned for a span of time. */
interface Spanned<Data> {
  readonly reply: Data;
  readonly span: Span;
}

/** Reads with a query that declares $from and $to, and again every minute. */
export function useAvailability<Data>(
  query: string,
  variables: Variables,
  name: SpanName,
): { readonly data: Spanned<Data> | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: [query, variables, name],
    queryFn: async ({ signal }) => {
      const to = Date.now();
      const from = to - SPANS[name].length;
      const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const reply = await request<Data>(query, { ...variables, ...times }, { signal });
      return { reply, span: { from, to } };
    },
    refetchInterval: MINUTE,
    placeholderData: keepPreviousData,
    ...RETRIES,
  });
}
