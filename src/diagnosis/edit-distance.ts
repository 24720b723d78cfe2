/**
 * How many letters have to be left out, put in, replaced, or swapped with their neighbour to make one text of the other
 * (optimal string alignment).
 */
export function editDistance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const ways = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1)];
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        ways.push(at(before, column - 2) + 1);
      current.push(Math.min(...ways));
    }
    [before, last] = [last, current];
  }
  return at(last, other.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Infinity;
}

// A text of three letters is like too many others.
const MOST = 2;

/** What was most likely meant: at most two changes away, and at most a third of the letters. */
export function nearest(meant: string, candidates: readonly string[]): string | undefined {
  const most = Math.min(MOST, Math.floor(meant.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(meant, candidate) }))
    .filter(({ distance }) => distance > 0 && distance <= most);
  return near.sort((one, other) => one.distance - other.distance)[0]?.candidate;
}
