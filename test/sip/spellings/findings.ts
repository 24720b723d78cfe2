import fc from 'fast-check';

import { attack, type Attack, type Registration, type Request, type Step } from './attacks';
import type { Violation } from './judge';

/** An attack that broke a promise, as short as it could be made. */
export interface Finding {
  readonly kind: string;
  readonly seed: number;
  /** How many attacks were made before. */
  readonly cases: number;
  readonly seconds: number;
  readonly attack: string;
  /** What somebody heard. */
  readonly message: string;
}

/**
 * Makes attacks until as many were made as `cases`, and returns those that broke a promise. After a finding, it goes on
 * with the next seed; attacks that break the same promise by the same headers are passed over.
 */
export async function findAll(
  run: (attack: Attack) => Promise<readonly Violation[]>,
  { cases, seed, most }: { readonly cases: number; readonly seed: number; readonly most: number },
  report: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const known: { readonly kind: string; readonly means: readonly string[] }[] = [];
  const began = Date.now();
  const unknownOf = async (made: Attack): Promise<readonly Violation[]> => {
    const used = meansOf(made);
    const violations = await run(made);
    return violations.filter(
      ({ kind }) => !known.some((other) => other.kind === kind && other.means.every((means) => used.includes(means))),
    );
  };
  let done = 0;
  for (let round = 0; done < cases && findings.length < most; round++) {
    let last: readonly Violation[] = [];
    let firstAt = 0;
    const property = fc.asyncProperty(attack, async (made) => {
      const violations = await unknownOf(made);
      if (violations.length === 0) return true;
      if (firstAt === 0) firstAt = Date.now();
      // Shrinking goes on only with the promise that was broken first.
      if (last.length > 0 && !violations.some(({ kind }) => kind === last[0]?.kind)) return true;
      last = last.length > 0 ? violations.filter(({ kind }) => kind === last[0]?.kind) : violations;
      return false;
    });
    const result = await fc.check(property, {
      numRuns: cases - done,
      seed: seed + round,
      interruptAfterTimeLimit: 600_000,
    });
    done += result.numRuns;
    const [made] = result.counterexample ?? [];
    const [violation] = last;
    if (result.errorInstance instanceof Error && last.length === 0) throw result.errorInstance;
    if (!made || !violation) continue;
    known.push({ kind: violation.kind, means: meansOf(made) });
    const finding = {
      ...violation,
      seed: seed + round,
      cases: done,
      seconds: (firstAt - began) / 1000,
      attack: JSON.stringify(made),
    };
    findings.push(finding);
    report(finding);
  }
  return findings;
}

/** What an attack writes in an unusual way. */
function meansOf(made: Attack): readonly string[] {
  if (made.kind === 'registration') return partsOf(made);
  if (made.kind === 'request') return [...partsOf(made), ...answerOf(made)];
  return [
    ...[...made.inviting, ...made.accepting].map(({ name }) => name),
    ...(made.acceptedBy ? ['answer of another'] : []),
    ...(made.isTagEqual ? ['equal tags'] : []),
    ...made.steps.flatMap((step) => [
      ...(step.parties === 'own' ? [] : [step.parties]),
      ...(/caller|callee/.test(step.side) ? [] : ['somebody else']),
      ...partsOf(step),
      ...answerOf(step),
      ...(/[a-z]/.test(step.method) ? ['method in small letters'] : []),
    ]),
  ];
}

function partsOf(made: Registration | Request | Step): readonly string[] {
  const parts = (['uri', 'from', 'to'] as const).filter((part) => made[part] !== undefined);
  return [...parts.map((part) => `own ${part}`), ...made.headers.map(({ name }) => name)];
}

function answerOf({ answer }: Request | Step): readonly string[] {
  return answer
    ? ['answer', ...(answer.by ? ['answer of another'] : []), ...answer.headers.map(({ name }) => name)]
    : [];
}
