import type { Nodes, PageInfo } from '../graph/lists';
import type { Watched } from '../graph/live-query';
import type { Variables } from '../graph/post';
import type { Former } from '../parts/links';
import { lower } from '../model/fields';

export type CallState = 'CALLING' | 'RINGING' | 'ANSWERED' | 'LOST' | 'FAILED' | 'ENDED';

/** The states of calls in progress. */
export const LIVE: readonly CallState[] = ['CALLING', 'RINGING', 'ANSWERED'];

/** A call in a list. */
export interface Call {
  readonly id: string;
  readonly state: CallState;
  readonly direction: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly called: string | null;
  readonly begunOn: string;
  readonly answeredOn: string | null;
  readonly endedOn: string | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly gateway: Named | null;
  readonly gatewayRef: string | null;
  /** What the call refers to and no longer exists. */
  readonly former: readonly Former[];
}

/** Something of ours. */
export interface Named {
  readonly ref: string;
  readonly name: string;
}

/** Somebody or something of ours, and what it is. */
export interface Linked extends Named {
  readonly __typename: string;
}

/** A SIP message of a call. */
export interface Message {
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly firstLine: string;
  readonly headers: readonly string[];
}

/** The result of CALL. */
export interface CallDetails extends Call {
  readonly callId: string;
  readonly traceUrl: string | null;
  /** Those of the last hour, in order. */
  readonly messages: readonly Message[];
  readonly ringingOn: string | null;
  readonly endedBy: string | null;
  readonly reasonHeader: string | null;
  readonly source: string | null;
  readonly node: string;
  readonly digits: string | null;
  readonly caller: Linked | null;
  readonly callee: Linked | null;
  readonly callerRef: string | null;
  readonly calleeRef: string | null;
  readonly domain: Named | null;
  readonly domainRef: string | null;
  readonly route: Named | null;
  readonly routeRef: string | null;
  readonly number: { readonly __typename: string; readonly ref: string; readonly telUrl: string } | null;
  readonly attempts: readonly Attempt[];
}

/** A gateway that was tried, or a device that responded. */
export interface Attempt {
  readonly gateway: Named | null;
  readonly gatewayRef: string | null;
  readonly destination: string | null;
  readonly at: string | null;
  /** Milliseconds. */
  readonly duration: number | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly reasonHeader: string | null;
}

const FIELDS =
  'id state direction from to called begunOn answeredOn endedOn status reason gateway { ref name } gatewayRef former { kind ref name }';

/** The result of CALLS. */
export interface CallPage {
  readonly calls: Nodes<Call> & { readonly pageInfo: PageInfo };
}

export const CALLS = `query Calls($where: CallWhere, $first: Int, $after: String, $last: Int, $before: String) {
  calls(where: $where, first: $first, after: $after, last: $last, before: $before) {
    nodes { ${FIELDS} }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

const PARTY = '{ __typename ... on Agent { ref name } ... on Peer { ref name } }';

export const CALL = `query Call($id: ID!) {
  call(id: $id) {
    ${FIELDS} callId traceUrl messages { at from to firstLine headers } ringingOn endedBy reasonHeader source node digits caller ${PARTY} callee ${PARTY}
    callerRef calleeRef domain { ref name } domainRef route { ref name } routeRef
    number { __typename ... on DID { ref telUrl } ... on Number { ref telUrl } }
    attempts { gateway { ref name } gatewayRef destination at duration status reason reasonHeader }
  }
}`;

/** The query for the last calls of a resource. Its kind is a name of the graph. */
export function lastCallsOf(kind: string): string {
  return `query LastCalls($ref: String!) { of: ${lower(kind)}(ref: $ref) { calls(first: 5) { nodes { ${FIELDS} } } } }`;
}

/** The events of the calls that meet conditions. They have no cursor. */
export function callsThat(where: Variables): Watched {
  return {
    query: 'subscription CallEvents($where: CallWhere) { callsChanged(where: $where) { event } }',
    variables: { where },
  };
}

/** The gateways that a list of calls can be restricted to: the first ones. */
export const GATEWAYS = '{ gateways(first: 100) { nodes { ref name } } }';

/** The gateway that a link chose, which need not be among the first. */
export const NAMED_GATEWAY = `query NamedGateway($refs: [String!]) {
  gateways(first: 1, where: { ref: { in: $refs } }) { nodes { ref name } }
}`;
