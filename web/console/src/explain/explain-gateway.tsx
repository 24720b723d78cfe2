import type { ResourceProps } from '../feature';
import type { Nodes } from '../graph/lists';
import { resourcesOf, useLiveQuery } from '../graph/live-query';
import { ExplainButton } from '../parts/links';

const FIRST = `query FirstNumber($ref: String!) {
  gateway(ref: $ref) { dids(first: 1) { nodes { telUrl } } numbers(first: 1) { nodes { telUrl } } }
}`;
const WATCHED = [resourcesOf(['DID', 'Number'])];
// Milliseconds.
const PAUSE = 5000;

type Numbers = Nodes<{ readonly telUrl: string }>;

interface Found {
  readonly gateway: { readonly dids: Numbers; readonly numbers: Numbers } | null;
}

/** Leads from the page of a gateway to the chain of its first number, which says what is wrong with it and mends it. */
export function ExplainGateway({ resourceRef: ref }: ResourceProps) {
  const { data } = useLiveQuery<Found>(FIRST, { ref }, () => WATCHED, { pause: PAUSE });
  const [first] = [...(data?.gateway?.dids.nodes ?? []), ...(data?.gateway?.numbers.nodes ?? [])];
  return first ? <ExplainButton question={first.telUrl} /> : null;
}
