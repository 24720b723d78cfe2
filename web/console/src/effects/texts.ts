import { number } from '../texts';
import type { Calls } from './calls';

const many = (count: number, what: string, verb: string): readonly string[] => {
  if (count === 0) return [];
  return [count === 1 ? `1 ${what} ${verb}s.` : `${number(count)} ${what}s ${verb}.`];
};

/** The texts about calls that go differently. */
export const words = {
  title: 'Calls that change',
  busy: 'Comparing calls',
  none: 'No call goes differently.',
  unknown: (message: string) => `Which calls change is not known: ${message}`,
  examined: (count: number) => `Only the first ${number(count)} numbers were compared.`,
  number: (telUrl: string, before: string, after: string) => `${telUrl.replace(/^tel:/, '')}: ${before} → ${after}`,
  summary: (calls: Calls) => {
    const counted = words.counts(calls);
    const told = counted.length > 0 ? counted.join(' ') : words.none;
    return calls.endCursor === null ? told : `${told} ${words.examined(calls.examined)}`;
  },
  counts: ({ counts, emergencyCount, waysOutCount, lostWays, shadowedCount }: Calls) => [
    ...many(counts.stops, 'number', 'stop').map((text) => text.replace('.', ' ringing.')),
    ...many(counts.starts, 'number', 'start').map((text) => text.replace('.', ' ringing.')),
    ...many(counts.moves, 'number', 'ring').map((text) => text.replace('.', ' elsewhere.')),
    ...many(counts.other, 'number', 'do').map(
      () => `${number(counts.other)} do not ring, for another reason than now.`,
    ),
    ...many(emergencyCount, 'emergency number', 'leave').map((text) => text.replace('.', ' another way.')),
    ...many(waysOutCount - emergencyCount, 'route or policy', 'leave').map(
      () => `Calls of ${number(waysOutCount - emergencyCount)} routes or policies leave another way.`,
    ),
    ...lostWays.map(({ kind, name, lost }) =>
      lost === 'NUMBERS' ? `${kind} ${name} has no number any more.` : `${kind} ${name} has no way out any more.`,
    ),
    ...many(shadowedCount, 'rule', 'lose').map((text) => text.replace('.', ' calls to another.')),
  ],
};
