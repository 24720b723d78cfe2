import type { Call } from '../../sip/calls/call';
import type { RecordedAttempt } from '../../sip/calls/call-attempts';
import type { Attempt } from '../../sip/diagnosis/calls/call-diagnosis';
import { gatewayWith, type PastResources } from './past-resources';

/** The called number as a gateway was sent it, and the `numberFormat` of that time by which it was written. */
export interface SentNumber {
  readonly number: string;
  readonly format: string;
}

/**
 * Responses to a number that is incomplete, or that nobody has (RFC 3261, 21.4.5, 21.4.22 and 21.6.3), and the causes in
 * Reason that mean the same (Q.850).
 */
const REFUSED_NUMBERS: readonly (number | null)[] = [404, 484, 604];
const REFUSED_NUMBER = /Q\.850 *;.*\bcause *= *(1|28)\b/i;

/** How the called number was written for each gateway of a call, by its ref. A gateway that was sent several is not in it. */
export function sentNumbers(
  attempts: readonly Pick<Attempt, 'gatewayId' | 'requestUri'>[],
  resources: PastResources,
): ReadonlyMap<string, SentNumber> {
  const sent = attempts.flatMap(({ gatewayId, requestUri }) => {
    const gateway = gatewayWith(gatewayId ?? undefined, resources);
    const [, user] = /^sip:([^@]*)@/.exec(requestUri) ?? [];
    if (!gateway || user === undefined) return [];
    const format = gateway.values['numberFormat'];
    const number = decodeURIComponent(user);
    return [[gateway.ref, { number, format: typeof format === 'string' ? format : 'E164' }] as const];
  });
  return new Map(
    sent.filter(([ref, { number }]) => sent.every(([other, then]) => other !== ref || then.number === number)),
  );
}

/**
 * Says which number the gateways were sent that did not accept it: a provider that expects another format of numbers answers
 * with 484 or 404.
 */
export function saysOfNumbers(
  { called, direction }: Pick<Call, 'called' | 'direction'>,
  attempts: readonly RecordedAttempt[],
  sent: ReadonlyMap<string, SentNumber>,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const said = attempts.flatMap(({ gatewayRef, status, reasonHeader }, n) => {
    if (gatewayRef === null) return [];
    if (!REFUSED_NUMBERS.includes(status) && !REFUSED_NUMBER.test(reasonHeader ?? '')) return [];
    const then = sent.get(gatewayRef);
    // The record has the number as the first gateway was sent it.
    const number = n === 0 && direction === 'OUT' && called !== null ? called : then?.number;
    if (number === undefined) return [];
    const format = then === undefined ? '' : `, in the format ${then.format}`;
    return [`gateway ${names.get(gatewayRef) ?? gatewayRef} was sent the number ${number}${format}`];
  });
  return [...new Set(said)];
}
