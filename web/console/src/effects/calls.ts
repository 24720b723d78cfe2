import { request } from '../graph/request';

/** The calls that would go differently after a change. */
export interface Calls {
  readonly counts: Readonly<Record<'stops' | 'starts' | 'moves' | 'other', number>>;
  readonly emergencyCount: number;
  readonly waysOutCount: number;
  readonly lostWays: readonly {
    readonly kind: string;
    readonly name: string;
    readonly lost: string;
    readonly sources: readonly string[] | null;
  }[];
  readonly shadowedCount: number;
  readonly examined: number;
  /** Null if all numbers were compared. */
  readonly endCursor: string | null;
  /** The first five; `counts` has all. */
  readonly numbers: readonly {
    readonly ref: string;
    readonly telUrl: string;
    readonly before: { readonly summary: string };
    readonly after: { readonly summary: string };
  }[];
}

// How many of each list are shown.
const SHOWN = 5;

/** The calls that go differently after several changes; null without any. */
export function joinedCalls([first, ...others]: readonly Calls[]): Calls | null {
  if (!first) return null;
  return others.reduce(
    (one, other): Calls => ({
      counts: {
        stops: one.counts.stops + other.counts.stops,
        starts: one.counts.starts + other.counts.starts,
        moves: one.counts.moves + other.counts.moves,
        other: one.counts.other + other.counts.other,
      },
      emergencyCount: one.emergencyCount + other.emergencyCount,
      waysOutCount: one.waysOutCount + other.waysOutCount,
      lostWays: [...one.lostWays, ...other.lostWays].slice(0, SHOWN),
      shadowedCount: one.shadowedCount + other.shadowedCount,
      examined: one.examined + other.examined,
      endCursor: one.endCursor ?? other.endCursor,
      numbers: [...one.numbers, ...other.numbers].slice(0, SHOWN),
    }),
    first,
  );
}

/** What a document selects of `calls`. */
export const CALLS = `calls { counts { stops starts moves other } emergencyCount waysOutCount lostWays(first: 5) { kind name lost sources }
  shadowedCount examined endCursor numbers(first: 5) { ref telUrl before { summary } after { summary } } }`;

/** Returns the calls that would go differently after a revert. Throws a GraphError. */
export async function callsOfRevert(
  revert: { readonly request: string } | { readonly entry: string },
  secrets: Readonly<Record<string, string>>,
): Promise<Calls> {
  const given = Object.entries(secrets).map(([field, value]) => ({ field, value }));
  const { simulate } = await request<{ simulate: { calls: Calls } }>(
    `mutation Simulate($revert: SimulatedRevertInput!) { simulate(revert: $revert) { ${CALLS} } }`,
    { revert: { ...revert, secrets: given } },
  );
  return simulate.calls;
}
