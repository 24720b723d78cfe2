import type { NumberState } from '../health/operations';
import { SCOPES_DECLARED, SCOPES_PASSED } from '../health/scope';

/** Numbers with the same gateway, end and state. */
export interface Flow {
  readonly count: number;
  readonly state: NumberState;
  /** Null for the ends that are summed up. */
  readonly host: string | null;
  readonly addressOfRecord: string | null;
  /** Null for the gateways that are summed up. */
  readonly gateway: { readonly ref: string; readonly name: string } | null;
  readonly domain: { readonly ref: string } | null;
  readonly target: { readonly __typename: 'Agent' | 'Peer'; readonly ref: string; readonly name: string } | null;
}

/** Where calls to numbers go. */
export interface Flows {
  readonly flows: readonly Flow[];
  readonly by: 'DOMAIN' | 'TARGET';
  readonly gateways: number;
  readonly ends: number;
  readonly examined: number;
  readonly hasNextPage: boolean;
  readonly endCursor: string;
}

/** The result of MAP. */
export interface MapResult {
  readonly numberFlows: Flows;
}

export const MAP = `query Map($states: [NumberState!], $first: Int, $after: String, ${SCOPES_DECLARED}) {
  numberFlows(states: $states, first: $first, after: $after, ${SCOPES_PASSED}) {
    flows {
      count state host addressOfRecord gateway { ref name } domain { ref }
      target { __typename ... on Agent { ref name } ... on Peer { ref name } }
    }
    by gateways ends examined hasNextPage endCursor
  }
}`;
