// Longer than 150 lines, because the construction of a position automaton is one algorithm.

import type { CharacterSet, CodePointRange } from './character-set';
import type { Pattern } from './pattern';

/** Charges elementary steps to a budget. Throws when the budget is spent. */
export type Work = (steps: number) => void;

/** Ends a branch in a list of branches. */
export const END = -1;

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
export class Automaton {
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
          first: this.joined(parts.map(({ first }) => first)),
          last: this.joined(parts.map(({ last }) => last)),
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
      first: before.nullable ? this.joined([before.first, part.first]) : before.first,
      last: part.nullable ? this.joined([before.last, part.last]) : part.last,
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
    return { first: parts[0]?.first ?? [], last: this.joined(parts.map(({ last }) => last)), nullable: true };
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

  private joined(lists: readonly (readonly number[])[]): readonly number[] {
    const all = ([] as readonly number[]).concat(...lists);
    this.work(all.length);
    return all;
  }
}
