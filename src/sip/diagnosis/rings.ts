/**
 * What of a target can be called: devices, which ring together, or the gateways of an outside number, one after the other if it
 * rings alone.
 */
export interface Reach<A> {
  /** See NumberTarget; 0 for the first target. */
  readonly after: number;
  readonly isOutside: boolean;
  readonly attempts: readonly A[];
}

/** What decides whether an attempt to an outside number comes first. */
interface Way {
  /** Null if only the SIP server knows the address. */
  readonly nextHop: string | null;
  readonly lot: number | null;
}

/** When the SIP server makes an attempt. */
export interface Turn {
  /** Attempts of one order are made at once. The first order is 1. */
  readonly order: number;
  /** For how many seconds those of the order before may ring; null if this one follows only when they have failed. */
  readonly after: number | null;
}

/**
 * The order in which the targets of a number are called, as route[NEXT_RING] does: those without seconds together with the
 * target before, and the others when those before have rung. A ring that nobody can be called in is passed. An outside number that
 * rings together with others is called once.
 */
export function turnsOf<A extends Way>(targets: readonly Reach<A>[]): readonly (A & Turn)[] {
  const rings: { readonly after: number; readonly reaches: Reach<A>[] }[] = [];
  for (const target of targets) {
    if (target.after > 0 || rings.length === 0) rings.push({ after: target.after, reaches: [] });
    rings.at(-1)?.reaches.push(target);
  }
  const made: (A & Turn)[] = [];
  let order = 0;
  let lasts: number | null = null;
  for (const [index, { reaches }] of rings.entries()) {
    const isAlone = reaches.length === 1;
    const attempts = reaches.flatMap((reach) =>
      isAlone || !reach.isOutside ? reach.attempts : firstOf(reach.attempts),
    );
    if (attempts.length === 0) continue;
    const isOutside = isAlone && reaches.some((reach) => reach.isOutside);
    order++;
    for (const [place, attempt] of attempts.entries()) {
      if (isOutside && place > 0) order++;
      made.push({ ...attempt, order, after: isOutside && place > 0 ? null : lasts });
    }
    lasts = rings[index + 1]?.after ?? null;
  }
  return made;
}

/**
 * The first gateway that has an address, and those before, of which only the SIP server knows it; of gateways that share the
 * calls, all that may come first.
 */
function firstOf<A extends Way>(attempts: readonly A[]): readonly A[] {
  const first = attempts.findIndex(({ nextHop }) => nextHop !== null);
  const lot = attempts[first]?.lot ?? null;
  return attempts.filter((each, at) => first < 0 || at <= first || (lot !== null && each.lot === lot));
}
