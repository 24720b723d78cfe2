import { numberOrNull, textOrNull, type Row, type SqlValue } from '../../database/sql';
import { InvalidInputError, quote } from '../../errors';
import { globalId } from '../../model/global-id';
import { MISLEADING } from '../../spelling/invisible';
import { HIDDEN, shownReason, shownUri } from './call-privacy';

/** The states of a call, in the order of their numbers in the column `state`, which begin with 1. */
export const CALL_STATES = ['CALLING', 'RINGING', 'ANSWERED', 'LOST', 'FAILED', 'ENDED'] as const;
export type CallState = (typeof CALL_STATES)[number];

/** The states of calls in progress. */
export const LIVE_STATES: readonly CallState[] = ['CALLING', 'RINGING', 'ANSWERED'];

export const CALL_DIRECTIONS = ['IN', 'OUT', 'INTERNAL'] as const;
export type CallDirection = (typeof CALL_DIRECTIONS)[number];

const CALL_ENDS = ['CALLER', 'CALLEE', 'SERVER'] as const;
export type CallEnd = (typeof CALL_ENDS)[number];

/** A call that the SIP server recorded. Times are milliseconds since the epoch; null for what is unknown, or is not yet. */
export interface Call {
  readonly rowId: number;
  readonly seekKey: readonly SqlValue[];
  readonly id: string;
  readonly callId: string;
  readonly fromTag: string;
  readonly node: string;
  readonly state: CallState;
  readonly direction: CallDirection | null;
  /** The URIs in From and To, as the caller wrote them. */
  readonly from: string | null;
  readonly to: string | null;
  /** The called address of record, or the number that was sent to the gateway. */
  readonly called: string | null;
  readonly caller: Party | null;
  readonly callee: Party | null;
  /** The digits of the DID or Number that was called, or that calls out. It is no outside number, so it is never shortened. */
  readonly digits: string | null;
  /** That number, for the link. The gateway is empty for a call within the domains. */
  readonly number: CalledNumber | null;
  readonly gatewayRef: string | null;
  /** The domain of the caller, or else the called one; and the route of its way out. Null in calls of an earlier configuration. */
  readonly domainRef: string | null;
  readonly routeRef: string | null;
  /** The IP address of the caller. */
  readonly source: string | null;
  readonly begunOn: number;
  readonly ringingOn: number | null;
  readonly answeredOn: number | null;
  readonly endedOn: number | null;
  readonly endedBy: CallEnd | null;
  /** The final response of the other side, and its reason phrase. */
  readonly status: number | null;
  readonly reason: string | null;
  /** The header Reason (RFC 3326) of the final response or the BYE. */
  readonly reasonHeader: string | null;
}

/** A number of ours, and the gateway of the call. */
export interface CalledNumber {
  readonly digits: string;
  readonly gatewayRef: string;
}

/** An agent or a peer, which may no longer exist. */
export interface Party {
  readonly kind: 'Agent' | 'Peer';
  readonly ref: string;
}

/** The columns of `calls` that `toCall` reads. */
export const CALL_COLUMNS = `id, call_id, from_tag, node, begun, state, direction, from_uri, to_uri, called, caller, callee,
  number, source, gateway_ref, ringing, answered, ended, ended_by, status, reason, reason_header, domain_ref, route_ref`;

/** A Call from a row with CALL_COLUMNS. With `isShortened`, without what identifies those outside. */
export function toCall(row: Row, isShortened: boolean): Call {
  const [id, callId, fromTag, node, begun, state, direction, from, to, called, caller, callee, ...more] = row;
  const [number, source, gatewayRef, ringing, answered, ended, endedBy, status, reason, reasonHeader, ...of] = more;
  const [domainRef, routeRef] = of;
  const addressOf = (value: SqlValue | undefined): string | null => {
    const text = visibleText(value);
    return text !== null && isShortened ? shownUri(text) : text;
  };
  const showText = (value: SqlValue | undefined): string | null => shownText(value, isShortened);
  const digits = visibleText(number);
  return {
    rowId: Number(id),
    seekKey: [Number(begun), Number(id)],
    id: globalId('Call', String(id)),
    // Devices put their addresses into both.
    callId: isShortened ? HIDDEN : String(callId),
    fromTag: isShortened ? HIDDEN : String(fromTag),
    node: String(node),
    state: CALL_STATES[Number(state) - 1] ?? 'LOST',
    direction: CALL_DIRECTIONS.find((each) => each === direction) ?? null,
    from: addressOf(from),
    to: addressOf(to),
    called: addressOf(called),
    caller: partyOf(caller),
    callee: partyOf(callee),
    digits,
    number: digits === null ? null : { digits, gatewayRef: visibleText(gatewayRef) ?? '' },
    gatewayRef: visibleText(gatewayRef),
    domainRef: visibleText(domainRef),
    routeRef: visibleText(routeRef),
    source: isShortened ? null : visibleText(source),
    begunOn: Number(begun),
    ringingOn: numberOrNull(ringing),
    answeredOn: numberOrNull(answered),
    endedOn: numberOrNull(ended),
    endedBy: CALL_ENDS.find((each) => each === endedBy) ?? null,
    status: numberOrNull(status),
    reason: showText(reason),
    reasonHeader: showText(reasonHeader),
  };
}

/** The URL of the trace of a call. `{callId}`, `{begun}` and `{ended}` stand for what the caller chose, and for times. */
export function traceUrlOf(template: string, { callId, begunOn, endedOn }: Call): string {
  const values: Readonly<Record<string, string>> = {
    callId: encodeURIComponent(callId),
    begun: String(begunOn),
    ended: String(endedOn ?? Date.now()),
  };
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** The status and the reason phrase of a response, such as `486 Busy Here`, or an empty text. */
export function responseOf({
  status,
  reason,
}: {
  readonly status: number | null;
  readonly reason: string | null;
}): string {
  return [status, reason].filter((part) => part !== null).join(' ');
}

/** Returns the row id in the id of a call. Throws InvalidInputError for any other text, which names the argument. */
export function callRowId(id: string, argument = 'id'): number {
  const rowId = findCallRowId(id);
  if (rowId === undefined) throw InvalidInputError.of(argument, `${quote(id)} is not an id of a call`);
  return rowId;
}

/** Returns the row id in the id of a call. Undefined for any other text. */
export function findCallRowId(id: string): number | undefined {
  const [, digits = ''] = /^Call:(\d{1,15})$/.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  return globalId('Call', digits) === id ? Number(digits) : undefined;
}

/** A text of the other side, without invisible characters, and with `isShortened`, without numbers and addresses. */
export function shownText(value: SqlValue | undefined, isShortened: boolean): string | null {
  const text = visibleText(value);
  return text !== null && isShortened ? shownReason(text) : text;
}

/** A text of the other side, without invisible characters. */
export function visibleText(value: SqlValue | undefined): string | null {
  return textOrNull(value)?.replace(MISLEADING, '\uFFFD') ?? null;
}

function partyOf(value: SqlValue | undefined): Party | null {
  const [, kind, ref] = /^(agent|peer):(.+)$/.exec(String(value)) ?? [];
  return ref === undefined ? null : { kind: kind === 'agent' ? 'Agent' : 'Peer', ref };
}
