import type { CharacterSet, CodePointRange } from './character-set';
import { PatternError, type Pattern } from './pattern';

/** The length of the longest text that patterns match, in characters. All fields of the model but notes are shorter. */
export const MAX_SUBJECT = 300;
/**
 * The same of plain patterns (`isPlain`), which no engine needs more steps for than a quarter of its square. No field of the model
 * is longer.
 */
export const MAX_PLAIN_SUBJECT = 1000;

// Backtracking steps per match. MySQL stops a match after 320,000 steps (regexp_time_limit: by default 32 ticks of
// 10,000 steps), PCRE2 after ten million.
const MAX_STEPS = 200_000;
// PCRE2 compiles a pattern to at most 64 KiB (LINK_SIZE 2). The sizes computed here are upper bounds.
const MAX_COMPILED_BYTES = 60_000;
// In elementary steps of 10 to 25 ns, so about 5 ms.
const MAX_WORK = 250_000;

/** Ends a branch in a list of branches. */
const END = -1;

/** Charges elementary steps to a budget. Throws when the budget is spent. */
export type Work = (steps: number) => void;

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
export function bound(pattern: Pattern, work: Work): Pattern {
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

/** The positions that a part of a pattern can start and end with, and whether it can match the empty text. */
interface Positions {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

const EMPTY: Positions = { first: [], last: [], nullable: true };

/**
 * The position automaton (Glushkov) of a pattern, for texts of up to `longest` characters. Positions with the same
 * followers share a state. Throws the error that `ambiguous` creates for a pattern that can match the empty text in
 * several ways, because the automaton cannot represent them.
 */
class Automaton {
  /** The state before the first character. */
  readonly start: number;
  private readonly sets: CharacterSet[] = [];
  private readonly follow: number[][] = [];
  private readonly states = new Map<string, number>();
  private readonly next: (readonly number[])[] = [];
  private readonly known: (Int32Array | undefined)[] = [];
  private readonly stateAt: number[];

  constructor(
    pattern: Pattern,
    private readonly longest: number,
    private readonly work: Work,
    private readonly ambiguous: () => Error,
  ) {
    const { first } = this.add(pattern);
    this.stateAt = this.follow.map((next) => this.stateOf(next));
    this.start = this.stateOf(first);
  }

  /** The number of states, which are numbered from 0. */
  get size(): number {
    return this.next.length;
  }

  /**
   * The states that one character leads to, as branches that each end with END. Each branch lists the states for one
   * range of characters. Ranges that lead to the same states share a branch.
   */
  branches(state: number): Int32Array {
    const known = this.known[state] ?? this.branchesOf(this.next[state] ?? []);
    this.known[state] = known;
    return known;
  }

  private stateOf(next: readonly number[]): number {
    this.work(20 + 4 * next.length);
    const key = next.join();
    const state = this.states.get(key) ?? this.next.push(next) - 1;
    this.states.set(key, state);
    return state;
  }

  private branchesOf(next: readonly number[]): Int32Array {
    this.work(10);
    // With one position, every range leads to the same state.
    if (next.length === 1) return Int32Array.of(this.stateAt[next[0] ?? 0] ?? 0, END);
    const ranges: (readonly [range: CodePointRange, position: number])[] = [];
    for (const position of next) {
      const own = this.sets[position]?.ranges ?? [];
      this.work(8 * own.length);
      for (const range of own) ranges.push([range, position]);
    }
    ranges.sort(([[a]], [[b]]) => a - b);
    const distinct = new Map<string, readonly number[]>();
    let open: typeof ranges = [];
    let index = 0;
    for (let first = ranges[0]; first; first = ranges[index]) {
      const [[point]] = first;
      open = open.filter(([[, to]]) => to >= point);
      for (let entry = ranges[index]; entry?.[0][0] === point; entry = ranges[++index]) open.push(entry);
      this.work(20 + 12 * open.length);
      const choice = open.map(([, position]) => position).sort((a, b) => a - b);
      distinct.set(choice.join(), choice);
    }
    return Int32Array.from(
      [...distinct.values()].flatMap((choice) => [...choice.map((position) => this.stateAt[position] ?? 0), END]),
    );
  }

  private add(pattern: Pattern): Positions {
    this.work(20);
    switch (pattern.is) {
      case 'character': {
        this.follow.push([]);
        const position = this.sets.push(pattern.set) - 1;
        return { first: [position], last: [position], nullable: false };
      }
      case 'sequence':
        return pattern.of.reduce<Positions>((before, part) => this.after(before, this.add(part)), EMPTY);
      case 'choice': {
        const parts = pattern.of.map((part) => this.add(part));
        if (parts.filter(({ nullable }) => nullable).length > 1) throw this.ambiguous();
        return {
          first: this.join(parts.map(({ first }) => first)),
          last: this.join(parts.map(({ last }) => last)),
          nullable: parts.some(({ nullable }) => nullable),
        };
      }
      case 'repeat':
        return this.repeat(pattern.of, pattern.min, pattern.max);
      default:
        return EMPTY;
    }
  }

  private after(before: Positions, part: Positions): Positions {
    this.link(before, part);
    return {
      first: before.nullable ? this.join([before.first, part.first]) : before.first,
      last: part.nullable ? this.join([before.last, part.last]) : part.last,
      nullable: before.nullable && part.nullable,
    };
  }

  /** Each repetition consumes a character, so more than `longest` repetitions are equivalent to any number. */
  private repeat(of: Pattern, min: number, max: number): Positions {
    const atLeast = Math.min(min, this.longest + 1);
    if (max >= this.longest) {
      const whole = this.times(of, atLeast - 1);
      const part = this.once(of);
      this.link(part, part);
      return this.after(whole, min === 0 ? { ...part, nullable: true } : part);
    }
    const whole = this.times(of, atLeast);
    return max > min ? this.after(whole, this.optional(of, max - min)) : whole;
  }

  private times(of: Pattern, times: number): Positions {
    let whole = EMPTY;
    for (let time = 0; time < times; time++) whole = this.after(whole, this.once(of));
    return whole;
  }

  /** `a{0,3}` as `(a(a(a)?)?)?`, as regular expression engines evaluate it. */
  private optional(of: Pattern, times: number): Positions {
    const parts = Array.from({ length: times }, () => this.once(of));
    for (const [index, part] of parts.entries()) this.link(parts[index - 1] ?? EMPTY, part);
    return { first: parts[0]?.first ?? [], last: this.join(parts.map(({ last }) => last)), nullable: true };
  }

  private once(of: Pattern): Positions {
    const part = this.add(of);
    if (part.nullable) throw this.ambiguous();
    return part;
  }

  private link(before: Positions, part: Positions): void {
    this.work(before.last.length * part.first.length);
    for (const position of before.last) this.follow[position]?.push(...part.first);
  }

  private join(lists: readonly (readonly number[])[]): readonly number[] {
    const all = ([] as readonly number[]).concat(...lists);
    this.work(all.length);
    return all;
  }
}
