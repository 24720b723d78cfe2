import { doneOf, type DonePage } from '../history/done';
import type { Nodes } from '../graph/lists';
import type { NumberState } from '../health/operations';
import type { TrunkCount } from '../live/operations';
import type { Model } from '../model/model';

/** Numbers that do not ring for the same reason. */
export interface Cause {
  readonly state: NumberState;
  readonly count: number;
  readonly since: string | null;
  /** The domain, if none of its numbers has a device. */
  readonly domain: { readonly ref: string; readonly domainUri: string } | null;
  readonly first: {
    readonly telUrl: string;
    readonly aorLink: string;
    readonly gateway: {
      readonly ref: string;
      readonly name: string;
      readonly registration: { readonly lastResponse: string | null } | null;
    } | null;
  };
}

/** A part of the numbers, counted. */
export interface Part {
  readonly states: readonly { readonly state: NumberState; readonly count: number }[];
  readonly causes: readonly Cause[];
  readonly examined: number;
  readonly hasNextPage: boolean;
  readonly endCursor: string;
}

/** A list of which only the length is read. */
interface Counted {
  readonly totalCount: number;
}

/** The result of the query of `nowOf`. What costs the most is missing if it was not asked for. */
export interface Now {
  readonly numberHealthCounts?: Part;
  readonly created?: Counted;
  readonly updated?: Counted;
  readonly deleted?: Counted;
  readonly trunkCounts: readonly TrunkCount[];
  readonly devices: Counted;
  readonly history: DonePage;
  /** The first of each list, if there is one. */
  readonly domains: Nodes<object>;
  readonly agents: Nodes<object>;
  readonly gateways: Nodes<object>;
  readonly dids: Nodes<object>;
  readonly numbers: Nodes<object>;
}

const PART = `states { state count } examined hasNextPage endCursor
  causes(first: 20) { state count since domain { ref domainUri } first { telUrl aorLink gateway { ref name registration { lastResponse } } } }`;

/** Counts the numbers after a cursor. */
export const COUNT_PART = `query CountPart($after: String) { numberHealthCounts(after: $after) { ${PART} } }`;

const STEPS = ['domains', 'agents', 'gateways', 'dids', 'numbers'].map((list) => `${list}(first: 1) { nodes { ref } }`);

// What only admins see is in the history.
const LAST = 8;

/** Returns the query for all that the first page shows. */
export function nowOf(model: Model): string {
  const kinds = [...model.kinds.map(({ name }) => name), 'Binding'].join(' ');
  // A server that nobody has changed yet has created its admin and a key: these are not counted.
  const changes = ['CREATED', 'UPDATED', 'DELETED'].map(
    (event) =>
      `${event.toLowerCase()}: history(first: 1, where: { from: $today, event: ${event}, kinds: [${kinds}] }) @include(if: $all) { totalCount }`,
  );
  return `query Now($today: DateTimeISO!, $all: Boolean!) {
    numberHealthCounts @include(if: $all) { ${PART} }
    trunkCounts { state count silent }
    devices: contacts { totalCount }
    ${changes.join('\n    ')}
    history: historyRequests(first: ${String(LAST)}, where: { kinds: [${kinds}] }) { ${doneOf(model)} }
    ${STEPS.join(' ')}
  }`;
}
