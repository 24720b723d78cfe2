import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { Variables } from '../graph/post';
import { request } from '../graph/request';
import { RETRIES } from '../graph/retries';
import type { NumberState } from '../health/operations';

/** What can be drawn, as the graph names it. */
export type SeriesName =
  | 'DEVICES'
  | 'TRUNKS_REGISTERED'
  | 'TRUNKS_UP'
  | 'CHANGES'
  | 'CALLS'
  | `CALLS_${'ANSWERED' | 'BUSY' | `FAILED_${'4XX' | '5XX' | '6XX' | 'OTHER'}`}`
  | `NUMBERS_${NumberState}`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The spans of time that can be chosen, in milliseconds, with the intervals in which they are drawn. */
export const SPANS = {
  hours: { length: 6 * HOUR, resolution: 'MINUTE', step: MINUTE },
  day: { length: DAY, resolution: 'QUARTER_HOUR', step: 15 * MINUTE },
  week: { length: 7 * DAY, resolution: 'HOUR', step: HOUR },
  quarter: { length: 90 * DAY, resolution: 'DAY', step: DAY },
} as const;
export type SpanName = keyof typeof SPANS;

/** A span of time that ends now, and its intervals. All times are milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Samples of some series. */
export interface Samples extends Span {
  /** The starts of the intervals with samples. */
  readonly times: readonly number[];
  /** A value for each time; null where nothing was counted. */
  readonly values: ReadonlyMap<SeriesName, readonly (number | null)[]>;
}

/** What a query returned for a span of time. */
interface Spanned<Data> {
  readonly reply: Data;
  readonly span: Span;
}

/** Reads with a query that declares $from and $to, and again every minute. */
export function useSpanned<Data>(
  query: string,
  variables: Variables,
  name: SpanName,
): { readonly data: Spanned<Data> | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: [query, variables, name],
    queryFn: async ({ signal }) => {
      const { length, step } = SPANS[name];
      const to = Date.now();
      const from = to - length;
      const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const reply = await request<Data>(query, { ...variables, ...times }, { signal });
      return { reply, span: { from, to, step } };
    },
    refetchInterval: MINUTE,
    placeholderData: keepPreviousData,
    ...RETRIES,
  });
}

interface Reply {
  readonly samples: {
    readonly times: readonly string[];
    readonly series: readonly { readonly series: SeriesName; readonly values: readonly (number | null)[] }[];
  };
}

const QUERY = `query Samples($series: [SampleSeries!]!, $from: DateTimeISO!, $to: DateTimeISO!, $resolution: SampleResolution!) {
  samples(series: $series, from: $from, to: $to, resolution: $resolution) { times series { series values } }
}`;

/** Reads the samples of the last hours, day, week or 90 days, and again every minute. */
export function useSamples(
  series: readonly SeriesName[],
  name: SpanName,
): { readonly data: Samples | undefined; readonly error: Error | null } {
  const { data, error } = useSpanned<Reply>(QUERY, { series, resolution: SPANS[name].resolution }, name);
  const samples = useMemo(
    () =>
      data && {
        ...data.span,
        times: data.reply.samples.times.map((time) => Date.parse(time)),
        values: new Map(data.reply.samples.series.map((each) => [each.series, each.values])),
      },
    [data],
  );
  return { data: samples, error };
}
