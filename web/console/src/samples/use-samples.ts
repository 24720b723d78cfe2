import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { request } from '../graph/request';
import { RETRIES } from '../graph/retries';

/** What can be drawn, with the names of the graph. */
export const SERIES = {
  devices: 'DEVICES',
  trunksRegistered: 'TRUNKS_REGISTERED',
  trunksRefused: 'TRUNKS_REFUSED',
  trunksUnreachable: 'TRUNKS_UNREACHABLE',
  trunksExpired: 'TRUNKS_EXPIRED',
  trunksUnknown: 'TRUNKS_UNKNOWN',
  trunksUp: 'TRUNKS_UP',
  trunksDown: 'TRUNKS_DOWN',
  numbersRinging: 'NUMBERS_REACHABLE',
  numbersAmbiguous: 'NUMBERS_AMBIGUOUS',
  numbersDisabled: 'NUMBERS_DISABLED',
  numbersGatewayDisabled: 'NUMBERS_GATEWAY_DISABLED',
  numbersGatewayDraining: 'NUMBERS_GATEWAY_DRAINING',
  numbersGatewayNotRegistered: 'NUMBERS_GATEWAY_NOT_REGISTERED',
  numbersGatewayExpired: 'NUMBERS_GATEWAY_EXPIRED',
  numbersGatewayRefused: 'NUMBERS_GATEWAY_REFUSED',
  numbersDomainMissing: 'NUMBERS_DOMAIN_MISSING',
  numbersTargetForbidden: 'NUMBERS_TARGET_FORBIDDEN',
  numbersTargetMissing: 'NUMBERS_TARGET_MISSING',
  numbersTargetDisabled: 'NUMBERS_TARGET_DISABLED',
  numbersNotRegistered: 'NUMBERS_NOT_REGISTERED',
  numbersExpired: 'NUMBERS_EXPIRED',
  changes: 'CHANGES',
  calls: 'CALLS',
  callsAnswered: 'CALLS_ANSWERED',
  callsBusy: 'CALLS_BUSY',
  callsFailed4xx: 'CALLS_FAILED_4XX',
  callsFailed5xx: 'CALLS_FAILED_5XX',
  callsFailed6xx: 'CALLS_FAILED_6XX',
  callsFailedOther: 'CALLS_FAILED_OTHER',
} as const;
export type SeriesName = keyof typeof SERIES;

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

/** Samples of some series. All times are milliseconds since the epoch. */
export interface Samples {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** The starts of the intervals with samples. */
  readonly times: readonly number[];
  /** A value for each time; null where nothing was counted. */
  readonly values: ReadonlyMap<SeriesName, readonly (number | null)[]>;
}

interface Reply {
  readonly samples: {
    readonly times: readonly string[];
    readonly series: readonly { readonly values: readonly (number | null)[] }[];
  };
}

const QUERY = `query Samples($series: [SampleSeries!]!, $from: DateTimeISO!, $to: DateTimeISO!, $resolution: SampleResolution!) {
  samples(series: $series, from: $from, to: $to, resolution: $resolution) { times series { values } }
}`;

/** Reads the samples of the last hours, day, week or 90 days, and again every minute. */
export function useSamples(
  series: readonly SeriesName[],
  span: SpanName,
): { readonly data: Samples | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey: ['samples', series, span],
    queryFn: async ({ signal }) => read(series, span, signal),
    refetchInterval: MINUTE,
    placeholderData: keepPreviousData,
    ...RETRIES,
  });
}

async function read(series: readonly SeriesName[], span: SpanName, signal: AbortSignal): Promise<Samples> {
  const { length, resolution, step } = SPANS[span];
  const to = Date.now();
  const from = to - length;
  const variables = {
    series: series.map((name) => SERIES[name]),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    resolution,
  };
  const { samples } = await request<Reply>(QUERY, variables, { signal });
  return {
    from,
    to,
    step,
    times: samples.times.map((time) => Date.parse(time)),
    values: new Map(series.map((name, index) => [name, samples.series[index]?.values ?? []])),
  };
}
