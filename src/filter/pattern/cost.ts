import { PatternError, type Pattern } from './pattern';
import { Automaton, END, type Work } from './automaton';

/** The length of the longest text that patterns match, in characters. All fields of the model are shorter. */
export const MAX_SUBJECT = 300;

// Backtracking steps per match. MySQL stops a match after 320,000 steps (regexp_time_limit: by default 32 ticks of
// 10,000 steps), PCRE2 after ten million.
const MAX_STEPS = 200_000;
// PCRE2 compiles a pattern to at most 64 KiB (LINK_SIZE 2). The sizes computed here are upper bounds.
const MAX_COMPILED_BYTES = 60_000;
// In elementary steps of 10 to 25 ns, so about 5 ms.
const MAX_WORK = 250_000;

/** A budget for the analysis of all patterns of one filter. */
export function workOfOneFilter(): Work {
  let left = MAX_WORK;
  return (steps) => {
    left -= steps;
    if (left < 0) throw tooAmbiguous();
  };
}

/**
 * Returns the pattern if it is safe. Throws PatternError if a text of MAX_SUBJECT characters could make a backtracking
 * engine take more than MAX_STEPS steps, if the analysis exceeds `work`, or if PCRE2 could not compile the pattern.
 *
 * A backtracking engine walks a tree of attempts. The number of its nodes is the number of paths through the pattern's
 * position automaton (Glushkov), where an edge counts once for each way to take it. A character of the text continues
 * only the paths whose next positions accept it. So the largest sum over the positions that accept a common character
 * is a bound for every text.
 */
export function bounded(pattern: Pattern, work: Work): Pattern {
  if (compiledBytes(pattern) > MAX_COMPILED_BYTES) throw new PatternError('a pattern is too large', 0);
  if (stepsOf(new Automaton(pattern, MAX_SUBJECT, work, tooAmbiguous), work) > MAX_STEPS) throw tooAmbiguous();
  return pattern;
}

function stepsOf(automaton: Automaton, work: Work): number {
  const reached = reachedBy(automaton, work);
  // From the end of the text to its start: the steps of a state depend on the states one character later.
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

/** The largest sum of steps over the states of one branch. */
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

/** For each number of characters read, the states that can be reached. */
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

/**
 * An upper bound for the compiled size in PCRE2. PCRE2 copies a repeated group for each repetition, but not a repeated
 * character.
 */
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
  return new PatternError('a pattern that can match a text in too many ways is not supported', 0);
}
