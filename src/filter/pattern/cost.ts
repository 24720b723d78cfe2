import { PatternError, type Pattern } from './pattern';
import { Automaton, END, type Work } from './automaton';

/** Characters that a text may have to be matched by a pattern: all the model's fields are shorter. */
export const MAX_SUBJECT = 300;

// Steps of backtracking that a match may take: MySQL's engine ends one after 320,000 (regexp_time_limit, by default 32
// ticks of 10,000 steps), PCRE2 after ten million.
const MAX_STEPS = 200_000;
// PCRE2 compiles a pattern to at most 64 KiB (LINK_SIZE 2); the sizes here are estimates from above.
const MAX_COMPILED_BYTES = 60_000;
const MAX_WORK = 250_000;

/** The elementary steps that the analysis of all patterns of one filter may take: about 5 ms. */
export function workOfOneFilter(): Work {
  let left = MAX_WORK;
  return (steps) => {
    left -= steps;
    if (left < 0) throw tooAmbiguous();
  };
}

/**
 * Gives the pattern back. Throws PatternError when some text of MAX_SUBJECT characters could make a backtracking engine
 * take more than MAX_STEPS steps, when finding that out takes more than `work` allows, or when PCRE2 could not compile the
 * pattern. The steps are the nodes of the tree that such an engine walks: paths through the pattern's position automaton
 * (Glushkov), each edge as often as the pattern has ways to it. At each position, a text goes on only to those next ones
 * that have a character in common; the largest such sum bounds every text.
 */
export function bounded(pattern: Pattern, work: Work): Pattern {
  if (compiledBytes(pattern) > MAX_COMPILED_BYTES) throw new PatternError('a pattern is too large', 0);
  if (stepsOf(new Automaton(pattern, MAX_SUBJECT, work, tooAmbiguous), work) > MAX_STEPS) throw tooAmbiguous();
  return pattern;
}

function stepsOf(automaton: Automaton, work: Work): number {
  const reached = reachedBy(automaton, work);
  // From the end of the text to its start; what follows a state is among those reached one character later.
  let steps = new Float64Array(automaton.size);
  let later = new Float64Array(automaton.size);
  for (let read = reached.length - 1; read >= 0; read--) {
    [steps, later] = [later, steps];
    for (const state of reached[read] ?? []) {
      steps[state] = 1 + (read < MAX_SUBJECT ? mostOf(automaton.branches(state), later) : 0);
    }
  }
  return steps[automaton.start] ?? 0;
}

/** The largest sum of a branch. */
function mostOf(branches: Int32Array, steps: Float64Array): number {
  let most = 0;
  let sum = 0;
  for (const state of branches) {
    if (state !== END) {
      sum += steps[state] ?? 0;
      continue;
    }
    if (sum > most) most = sum;
    sum = 0;
  }
  return most;
}

/** The states that can be reached with so many characters read. */
function reachedBy(automaton: Automaton, work: Work): readonly (readonly number[])[] {
  let last = [automaton.start];
  const reached = [last];
  const seen = new Int32Array(automaton.size);
  while (last.length > 0 && reached.length <= MAX_SUBJECT) {
    const next: number[] = [];
    for (const state of last) {
      const branches = automaton.branches(state);
      work(1 + branches.length);
      for (const each of branches) {
        if (each === END || seen[each] === reached.length) continue;
        seen[each] = reached.length;
        next.push(each);
      }
    }
    reached.push(next);
    last = next;
  }
  return reached;
}

/** Of a group, PCRE2 keeps a copy for each time it may be repeated; of a single character, one. */
function compiledBytes(pattern: Pattern): number {
  switch (pattern.is) {
    case 'character':
      return pattern.set.only === undefined ? 48 + 10 * pattern.set.ranges.length : 6;
    case 'sequence':
    case 'choice':
      return pattern.of.reduce((bytes, part) => bytes + 6 + compiledBytes(part), 6);
    case 'repeat': {
      const { of, min, max } = pattern;
      const copies = of.is === 'character' ? 1 : max === Infinity ? Math.max(min, 1) : max;
      return copies * (12 + compiledBytes(of));
    }
    default:
      return 6;
  }
}

function tooAmbiguous(): PatternError {
  return new PatternError('a pattern that can match a text in too many ways is not offered', 0);
}
