import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Float, GraphQLISODateTime, Info, Query, Resolver, Root } from 'type-graphql';

import { Gateway } from '../../model/gateway';
import type { Resource } from '../../model/kind';
import type { Availability } from '../../sip/samples/availability-reader';
import type { Samples } from '../../sip/samples/sample-reader';
import { SERIES, spanOf, type Resolution, type Series } from '../../sip/samples/series';
import type { Context } from '../context';
import { argsOf, enumOf, nullable, objectOf } from '../schema/type-tables';
import { loadByKey } from '../schema/loader';
import { TrunkStateEnum } from './trunk-resolver';

/** Describes the series of a state. */
function describe(series: Series): string {
  const [of, ...state] = series.split('_');
  return `${of === 'TRUNKS' ? 'Trunks' : 'Numbers'} in the state ${state.join('_')}.`;
}

const SampleSeriesEnum = enumOf<Series>(
  'SampleSeries',
  'What is sampled. A value is the average of its interval, or the sum for CHANGES, CALLS_ANSWERED, CALLS_BUSY and CALLS_FAILED_*.',
  {
    ...(Object.fromEntries(SERIES.map((series) => [series, describe(series)])) as Record<Series, string>), // of all
    DEVICES: 'Registered devices.',
    CHANGES: 'Changes of resources, at most 1,000 a minute.',
    CALLS: 'Calls in progress.',
    CALLS_ANSWERED: 'Calls that were answered.',
    CALLS_BUSY: 'Calls that failed with 486 or 600: the callee was busy.',
    CALLS_FAILED_4XX: 'Calls that failed with another status from 400 to 499, also those that the caller ended (487).',
    CALLS_FAILED_5XX: 'Calls that failed with a status from 500 to 599.',
    CALLS_FAILED_6XX: 'Calls that failed with another status from 600 to 699.',
    CALLS_FAILED_OTHER: 'Calls that failed with a status from 300 to 399, or without one.',
  },
);

const SampleResolutionEnum = enumOf(
  'SampleResolution',
  'The length of the intervals of samples. Days begin at midnight UTC.',
  {
    MINUTE: 'Minutes, of the last 48 hours.',
    QUARTER_HOUR: 'Quarters of an hour, of the last 90 days.',
    HOUR: 'Hours, of the last 90 days.',
    DAY: 'Days, of the last 90 days.',
  } satisfies Record<Resolution, string>,
);

const SPAN = {
  from: [nullable(GraphQLISODateTime), 'Start; by default 24 hours before `to`.'],
  to: [nullable(GraphQLISODateTime), 'End; by default now.'],
} as const;

const SpanArgs = argsOf(SPAN);
type SpanArgs = InstanceType<typeof SpanArgs>;

const SampleArgs = argsOf({
  ...SPAN,
  series: [[SampleSeriesEnum], 'What to return.'],
  resolution: [
    nullable(SampleResolutionEnum),
    'By default the finest one that is kept for this time and has at most 3,000 intervals.',
  ],
});
type SampleArgs = InstanceType<typeof SampleArgs>;

const SampledSeriesType = objectOf('SampledSeries', 'The values of a series.', {
  series: [SampleSeriesEnum, 'The series.'],
  values: [[nullable(Float)], 'A value for each of `times`; null for what was not counted.'],
});

const SamplesType = objectOf(
  'Samples',
  'The state of the installation over time. Intervals without samples are missing.',
  {
    resolution: [SampleResolutionEnum, 'The length of the intervals.'],
    times: [[GraphQLISODateTime], 'The starts of the intervals, oldest first.'],
    numbersCountedOn: [
      [nullable(GraphQLISODateTime)],
      'When the numbers of each interval were counted. With many numbers, counting takes longer than a minute.',
    ],
    series: [[SampledSeriesType], 'The values of each series.'],
  },
);

const TrunkPeriodType = objectOf('TrunkPeriod', 'A time in which a trunk was in one state.', {
  state: [TrunkStateEnum, 'The state.'],
  from: [GraphQLISODateTime, 'The start.'],
  to: [GraphQLISODateTime, 'The end.'],
});

const AvailabilityType = objectOf(
  'Availability',
  'The states of a trunk over time, observed every minute and kept for 90 days.',
  {
    registered: [Float, 'The share of the observed time in which it was registered, from 0 to 1.'],
    observed: [Float, 'The time in which its state is known, in seconds.'],
    periods: [
      [TrunkPeriodType],
      'The states, oldest first, at most about 1,000. Nothing is known of the time between two periods.',
    ],
  },
);

/** Returns the span of time that arguments select, in milliseconds since the epoch. */
function timesOf({ from, to }: SpanArgs): { readonly from: number | undefined; readonly to: number | undefined } {
  return { from: from?.getTime(), to: to?.getTime() };
}

/** Queries for the state over time. */
@Resolver()
export class SampleResolver {
  @Query(() => SamplesType, {
    description: 'Registered devices, trunks by state, and numbers by state over time. Empty if samples are off.',
  })
  samples(@Args(() => SampleArgs) args: SampleArgs, @Ctx() { session }: Context): Promise<Samples> {
    return session.read.samples.read({
      series: args.series,
      resolution: args.resolution ?? undefined,
      ...timesOf(args),
    });
  }
}

/** The link from a gateway to its states over time. */
@Resolver(() => Gateway)
export class AvailabilityResolver {
  @FieldResolver(() => AvailabilityType, {
    nullable: true,
    description: 'For how long the gateway was registered at its provider; null if nothing is known of this time.',
  })
  availability(
    @Root() { rowId }: Resource,
    @Args(() => SpanArgs) args: SpanArgs,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Availability | undefined> {
    const { from, to } = timesOf(args);
    const span = spanOf(from, to);
    return loadByKey(context, info, rowId, (rowIds) => context.session.read.availability.of(rowIds, span));
  }
}
