import { quote } from '../../errors';
import type { AddressFacts, Facts } from '../../sip/diagnosis/facts';
import { brokenOf, stepsOf, stepsOfAddress, summaryOf, type Step } from '../../sip/diagnosis/steps';
import type { Simulated } from '../../sip/simulation/simulation';
import { CommandError, count } from '../answer';
import { printable } from '../table';
import { lineOfLoss, lineOfShadow, lineOfWay, some } from './trial';

/**
 * The calls that a plan foresees to go differently, a line each, as the configuration decides: whether devices and gateways are
 * registered changes all the time, and makes no difference.
 */
export function foreseenCalls({ numbers, waysOut, lost, shadowed }: Simulated): readonly string[] {
  const ofNumbers = numbers.flatMap(({ number: { kind, telUrl }, before, after }): readonly string[] => {
    const [was, becomes] = [configuredPath(before.facts), configuredPath(after.facts)];
    return was === becomes ? [] : [`${kind} ${telUrl}: ${was} -> ${becomes}`];
  });
  return [
    ...ofNumbers,
    ...waysOut.map(({ way, whole }) => lineOfWay(way, whole.before, whole.after)),
    ...lost.map(lineOfLoss),
    ...shadowed.map(lineOfShadow),
  ];
}

/** Reads the lines of a plan file. Undefined for a plan that has none, because an earlier version made it. */
export function foreseenIn(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const lines: readonly unknown[] = Array.isArray(value) ? value : [value];
  const wrong = lines.find((line) => typeof line !== 'string');
  if (!Array.isArray(value) || wrong !== undefined)
    throw new CommandError(`calls: ${quote(wrong ?? value)} is not a line of a plan: make a new plan`);
  return lines as readonly string[]; // by the search above
}

/** Throws CommandError with the calls that differ, if changes do not do to calls what a plan foresaw. */
export function assertForeseen(then: readonly string[], simulated: Simulated): void {
  const now = foreseenCalls(simulated);
  const [were, are] = [new Set(then), new Set(now)];
  const added = now.filter((line) => !were.has(line)).map((line) => `now: ${line}`);
  const gone = then.filter((line) => !are.has(line)).map((line) => `then: ${line}`);
  const differences = added.length + gone.length;
  if (differences === 0) return;
  throw new CommandError(
    `What calls would do differs from the plan in ${count(differences, 'line')}, because other resources were changed since; nothing was changed: make a new plan`,
    [...some(added, 'calls'), ...some(gone, 'calls')].map(printable),
  );
}

/** Where calls to a number go, whoever is registered. */
function configuredPath(facts: Facts | undefined): string {
  if (!facts) return 'the number does not exist';
  const steps = stepsOf({ ...facts, registers: false, downSince: null });
  const closed = brokenOf(steps.filter(({ of }) => of === 'number' || of === 'gateway'));
  if (closed) return closed.summary;
  const targets = facts.targets.map(({ target, after, address, leaves, way }) => {
    const when = after === 0 ? 'also' : `after ${String(after)} s`;
    if (address) return `${when} ${destinationOf(address)}`;
    const through = way ? ` through gateway ${way.gatewayName} as ${way.telUrl}` : '';
    return `${when} ${target}${leaves === 'YES' ? through : ', which cannot be called'}`;
  });
  const ends = facts.lastTelUrl === null ? '' : ` to ${facts.lastTelUrl}`;
  return [
    `${facts.telUrl}${ends} from gateway ${facts.gatewayName} at ${facts.gatewayHost}`,
    destinationOf(facts),
    ...targets,
  ].join(', ');
}

/** Whom an address of record reaches. */
function destinationOf(address: AddressFacts): string {
  const { agentId, contactAddr } = address;
  // A peer without a device is called at its address.
  const steps: readonly Step[] = stepsOfAddress({
    ...address,
    devices: agentId === null && contactAddr !== null ? 0 : 1,
  });
  return summaryOf(steps).replace(/ on 1 device( at node .*)?$/, '');
}
