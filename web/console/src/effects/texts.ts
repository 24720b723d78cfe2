import { counted, number } from '../texts';
import type { Calls } from './calls';

/** What a number of things do, for one and for several of them; nothing for none. */
const told = (count: number, noun: string, one: string, several: string): readonly string[] =>
  count === 0 ? [] : [`${counted(count, noun)} ${count === 1 ? one : several}.`];

/** The texts about calls that go differently. */
export const words = {
  title: 'Calls that change',
  busy: 'Comparing calls',
  none: 'No call goes differently.',
  unknown: (message: string) => `Which calls change is not known: ${message}`,
  examined: (count: number) => `Only the first ${number(count)} numbers were compared.`,
  /** After the number whose calls change. */
  change: (before: string, after: string) => `: ${before} → ${after}`,
  summary: (calls: Calls) => {
    const effects = words.effects(calls);
    const summary = effects.length > 0 ? effects.join(' ') : words.none;
    return calls.endCursor === null ? summary : `${summary} ${words.examined(calls.examined)}`;
  },
  effects: ({ counts, emergencyCount, waysOutCount, lostWays, shadowedCount }: Calls) => {
    const others = waysOutCount - emergencyCount;
    return [
      ...told(counts.stops, 'number', 'stops ringing', 'stop ringing'),
      ...told(counts.starts, 'number', 'starts ringing', 'start ringing'),
      ...told(counts.moves, 'number', 'rings elsewhere', 'ring elsewhere'),
      ...told(
        counts.other,
        'number',
        'does not ring, for another reason than now',
        'do not ring, for another reason than now',
      ),
      // For all calls of a domain, or for one user.
      ...told(emergencyCount, 'way', 'to an emergency number changes', 'to emergency numbers change'),
      ...told(others, 'other outgoing way', 'changes', 'change'),
      ...lostWays.map(({ kind, name, lost, sources }) => {
        if (sources) return `${kind} ${name} accepts no calls any more from ${sources.join(', ')}.`;
        return lost === 'NUMBERS'
          ? `${kind} ${name} has no number any more.`
          : `${kind} ${name} has no way out any more.`;
      }),
      ...told(shadowedCount, 'rule', 'loses calls to another', 'lose calls to another'),
    ];
  },
};
