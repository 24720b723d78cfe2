import type { SqlValue } from '../../database/sql';
import { shownText } from './call';

/**
 * An attempt to reach somebody in a call: a way out through a gateway, or a device that rang. Null for what is unknown, or is
 * not yet.
 */
export interface RecordedAttempt {
  /** Null for a device. */
  readonly gatewayRef: string | null;
  /** Where the INVITE was sent, as a SIP URI with a numeric address. */
  readonly destination: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  /** Until the final response, in milliseconds. */
  readonly duration: number | null;
  /** The final response, and its reason phrase; null without one. */
  readonly status: number | null;
  readonly reason: string | null;
  /** The header Reason (RFC 3326) of that response. */
  readonly reasonHeader: string | null;
}

/** The attempts in the column `attempts`, in the order in which they began. With `isShortened`, without what identifies those outside. */
export function attemptsIn(text: SqlValue | undefined, isShortened: boolean): readonly RecordedAttempt[] {
  if (typeof text !== 'string') return [];
  const stored = JSON.parse(text) as Readonly<Record<string, readonly unknown[]>>; // as the SIP server writes it
  return Object.entries(stored)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([, [gatewayRef, destination, begun, ended, status, reason, reasonHeader]]) => ({
      gatewayRef: textIn(gatewayRef),
      // Of a device, it is an address of a person.
      destination: isShortened ? null : shownText(textIn(destination), false),
      at: numberIn(begun),
      duration: lengthOf(numberIn(begun), numberIn(ended)),
      status: numberIn(status),
      reason: shownText(textIn(reason), isShortened),
      reasonHeader: shownText(textIn(reasonHeader), isShortened),
    }));
}

/** The column `attempts` as it was at a time, in milliseconds since the epoch: without what began or ended later. */
export function attemptsBy(text: SqlValue | undefined, at: number): string | null {
  if (typeof text !== 'string') return null;
  const stored = JSON.parse(text) as Readonly<Record<string, readonly unknown[]>>; // as the SIP server writes it
  const then = Object.entries(stored).flatMap(([place, attempt]): [string, readonly unknown[]][] => {
    const [gatewayRef, destination, begun, ended] = attempt;
    if ((numberIn(begun) ?? 0) > at) return [];
    return [[place, (numberIn(ended) ?? 0) > at ? [gatewayRef, destination, begun, null, null, null, null] : attempt]];
  });
  return JSON.stringify(Object.fromEntries(then));
}

function lengthOf(begun: number | null, ended: number | null): number | null {
  return begun === null || ended === null ? null : Math.max(0, ended - begun);
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
