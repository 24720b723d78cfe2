import { all, any, sql, TRUE, type Fragment } from '../../database/fragment';
import { asDialed, telDigits } from '../../model/format/tel-uri';
import { international } from '../../spelling/telephone';
import { numberIn } from '../../spelling/written';
import { contains } from '../live/contains';
import type { Path, Way } from '../past/ways';
import { CALL_STATES, type Call, type CallDirection, type CallState, type Party } from './call';

/** Which calls to read. All conditions must hold. */
export interface CallQuery {
  readonly states?: readonly CallState[] | undefined;
  readonly direction?: CallDirection | undefined;
  readonly callId?: string | undefined;
  /** The caller or the callee. */
  readonly agentRef?: string | undefined;
  readonly peerRef?: string | undefined;
  readonly gatewayRef?: string | undefined;
  readonly domainRef?: string | undefined;
  readonly routeRef?: string | undefined;
  /** The digits of one of our numbers. */
  readonly digits?: string | undefined;
  readonly status?: number | undefined;
  /** The lowest final status. */
  readonly minStatus?: number | undefined;
  /** Part of the reason phrase or of the header Reason, ignoring case. */
  readonly reason?: string | undefined;
  /** Part of From, To, the called address or our number, ignoring case; a number in any spelling. */
  readonly search?: string | undefined;
  /** When the call began, in milliseconds since the epoch; both are included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const SEARCHED = `CONCAT(COALESCE(from_uri, ''), ' ', COALESCE(to_uri, ''), ' ', COALESCE(called, ''), ' ', COALESCE(number, ''))`;

const REASONS = `CONCAT(COALESCE(reason, ''), ' ', COALESCE(reason_header, ''))`;

/** Returns the path for a query, which begins with the condition that selects the fewest calls. */
export function pathOf({ direction, status, minStatus, reason, search, from, to, ...query }: CallQuery): Path {
  const [best = [{ index: 'calls_begun', condition: TRUE }], ...others] = indexedConditions(query);
  const span = [
    from === undefined ? undefined : sql`begun >= ${from}`,
    to === undefined ? undefined : sql`begun <= ${to}`,
  ];
  const rest = [
    ...others.map((ways) => any(ways.map(({ condition }) => condition))),
    direction === undefined ? undefined : sql`direction = ${direction}`,
    status === undefined ? undefined : sql`status = ${status}`,
    minStatus === undefined ? undefined : sql`status >= ${minStatus}`,
    reason === undefined ? undefined : contains(REASONS, reason, 'reason'),
    search === undefined ? undefined : any(spellingsOf(search).map((text) => contains(SEARCHED, text))),
  ];
  return {
    ways: best.map(({ index, condition }) => ({ index, condition: all([condition, ...span]) })),
    rest: rest.filter((each) => each !== undefined),
  };
}

/** The conditions that indexes answer, the most selective first. The time is the last column of each index. */
function indexedConditions({
  callId,
  agentRef,
  peerRef,
  digits,
  gatewayRef,
  ...query
}: CallQuery): readonly (readonly Way[])[] {
  const { routeRef, domainRef, states } = query;
  return [
    callId === undefined ? undefined : [{ index: 'calls_key', condition: sql`call_id = ${callId}` }],
    agentRef === undefined ? undefined : ofParty(`agent:${agentRef}`),
    peerRef === undefined ? undefined : ofParty(`peer:${peerRef}`),
    digits === undefined ? undefined : ofNumber(digits, gatewayRef),
    gatewayRef === undefined || digits !== undefined ? undefined : ofGateway(gatewayRef),
    routeRef === undefined ? undefined : ofRoute(routeRef),
    domainRef === undefined ? undefined : ofDomain(domainRef),
    states?.map((state) => ({ index: 'calls_state', condition: sql`state = ${CALL_STATES.indexOf(state) + 1}` })),
  ].filter((ways) => ways !== undefined);
}

/** The condition for the calls of a query, without a path. */
export function callCondition(query: CallQuery): Fragment {
  const { ways, rest } = pathOf(query);
  return all([any(ways.map(({ condition }) => condition)), ...rest]);
}

/** The calls from and to an agent or a peer. A call to itself is found once. */
export function ofParty(party: string): readonly Way[] {
  return [
    { index: 'calls_caller', condition: sql`caller = ${party}` },
    { index: 'calls_callee', condition: sql`callee = ${party} AND (caller IS NULL OR caller <> ${party})` },
  ];
}

/** The calls through a gateway. */
export function ofGateway(ref: string): readonly Way[] {
  return [{ index: 'calls_gateway', condition: sql`gateway_ref = ${ref}` }];
}

/** The calls of a domain. */
export function ofDomain(ref: string): readonly Way[] {
  return [{ index: 'calls_domain', condition: sql`domain_ref = ${ref}` }];
}

/** The calls that left by a route. */
export function ofRoute(ref: string): readonly Way[] {
  return [{ index: 'calls_route', condition: sql`route_ref = ${ref}` }];
}

/** The calls of a number, only those through a gateway if one is given, and without a gateway if it is null. */
export function ofNumber(digits: string, gatewayRef?: string | null): readonly Way[] {
  if (gatewayRef === undefined) return [{ index: 'calls_number', condition: sql`number = ${digits}` }];
  return [{ index: 'calls_number_gateway', condition: sql`number = ${digits} AND ${throughGateway(gatewayRef)}` }];
}

function throughGateway(ref: string | null): Fragment {
  return ref === null ? sql`gateway_ref IS NULL` : sql`gateway_ref = ${ref}`;
}

/** The calls of the numbers of a range through a gateway, and without one if it is null; also those of numbers with own rows. */
export function ofRange(first: string, last: string, gatewayRef: string | null): readonly Way[] {
  const within = sql`number >= ${first} AND number <= ${last} AND LENGTH(number) = ${first.length}`;
  return [
    { index: 'calls_number_gateway', condition: sql`${within} AND ${throughGateway(gatewayRef)}`, isUnordered: true },
  ];
}

/** The texts of a call in which queries search, in lower case. */
interface CallTexts {
  readonly searched: string;
  readonly reasons: string;
}

/** Whether a call, which is not shortened, meets a query. Its texts are those of `searchedTexts`. */
export type CallMatcher = (call: Call, texts: CallTexts) => boolean;

/**
 * Returns the matcher of a query. A process applies it to every call, so what depends only on the query is computed
 * once, and what depends only on the call is computed once for all queries.
 */
export function matcherOf(query: CallQuery): CallMatcher {
  const { states, direction, callId, agentRef, peerRef, gatewayRef, digits, status, from, to } = query;
  const { minStatus, domainRef, routeRef } = query;
  const reason = query.reason?.toLowerCase();
  const spellings =
    query.search === undefined ? undefined : spellingsOf(query.search).map((text) => text.toLowerCase());
  return (call, { searched, reasons }) =>
    states?.includes(call.state) !== false &&
    (direction ?? call.direction) === call.direction &&
    (callId ?? call.callId) === call.callId &&
    (agentRef === undefined || isParty(call, 'Agent', agentRef)) &&
    (peerRef === undefined || isParty(call, 'Peer', peerRef)) &&
    (gatewayRef ?? call.gatewayRef) === call.gatewayRef &&
    (domainRef ?? call.domainRef) === call.domainRef &&
    (routeRef ?? call.routeRef) === call.routeRef &&
    (digits ?? call.digits) === call.digits &&
    (status ?? call.status) === call.status &&
    (minStatus === undefined || (call.status ?? 0) >= minStatus) &&
    (reason === undefined || reasons.includes(reason)) &&
    (spellings === undefined || spellings.some((text) => searched.includes(text))) &&
    call.begunOn >= (from ?? -Infinity) &&
    call.begunOn <= (to ?? Infinity);
}

/** The texts of a call for its matchers. */
export function searchedTexts({ from, to, called, digits, reason, reasonHeader }: Call): CallTexts {
  const searched = `${from ?? ''} ${to ?? ''} ${called ?? ''} ${digits ?? ''}`;
  const reasons = `${reason ?? ''} ${reasonHeader ?? ''}`;
  return { searched: searched.toLowerCase(), reasons: reasons.toLowerCase() };
}

function isParty({ caller, callee }: Call, kind: Party['kind'], ref: string): boolean {
  return [caller, callee].some((party) => party?.kind === kind && party.ref === ref);
}

/**
 * A part of a number as it is written and, from three digits on, as digits, which is how numbers are stored. Other texts as they are.
 */
function spellingsOf(search: string): readonly string[] {
  const number = numberIn(search)?.number;
  if (number === undefined || /[*#]/.test(number)) return [search];
  const dialed = asDialed(telDigits(international(number, undefined)));
  return [...new Set([search, ...dialed.filter(({ length }) => length > 2)])];
}

/** The digits of a number in any spelling; digits alone stay as they are. Undefined for what is no number. */
export function digitsOfNumber(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text;
  const number = numberIn(text)?.number;
  return number === undefined ? undefined : telDigits(international(number, undefined));
}
