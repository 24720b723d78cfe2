import type { ForwardPage } from '../graph/lists';
import type { texts } from '../texts';
import { SCOPES_DECLARED, SCOPES_PASSED } from './scope';

/** The state of a number, such as NOT_REGISTERED. */
export type NumberState = keyof typeof texts.health.states;

/** The result of COUNT_NUMBERS. */
export interface NumberCounts {
  readonly numberHealthCounts: {
    readonly states: readonly { readonly state: NumberState; readonly count: number }[];
    readonly examined: number;
    readonly hasNextPage: boolean;
    readonly endCursor: string;
  };
}

export const COUNT_NUMBERS = `query CountNumbers($after: String, ${SCOPES_DECLARED}) {
  numberHealthCounts(after: $after, ${SCOPES_PASSED}) { states { state count } examined hasNextPage endCursor }
}`;

/** A number with its verdict. */
export interface HealthNumber {
  readonly kind: string;
  readonly ref: string;
  readonly telUrl: string;
  readonly aorLink: string;
  readonly summary: string;
  readonly gateway: { readonly ref: string; readonly name: string } | null;
}

/** The result of LIST_NUMBERS. */
export interface NumberPage {
  readonly numberHealth: ForwardPage<HealthNumber>;
}

export const LIST_NUMBERS = `query ListNumbers($states: [NumberState!], $first: Int, $after: String, ${SCOPES_DECLARED}) {
  numberHealth(states: $states, first: $first, after: $after, ${SCOPES_PASSED}) {
    nodes { kind ref telUrl aorLink summary gateway { ref name } }
    pageInfo { hasNextPage endCursor }
  }
}`;
