import type { CharacterSet, Range } from './character-set';
import type { Pattern } from './pattern';

/** Takes elementary steps from a budget; throws when it is spent. */
export type Work = (steps: number) => void;

/** Ends a branch in a list of them. */
export const END = -1;

interface Positions {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

const NOTHING: Positions = { first: [], last: [], nullable: true };

/**
 * The position automaton (Glushkov) of a pattern, for texts of up to `longest` characters. Positions that are followed by
 * the same ones are one state. Throws what `ambiguous` makes for a pattern that has several ways to match nothing: they
 * leave no trace in the automaton.
 */
export class Automaton {
  /** Before the first character. */
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

  /** How many states there are; they are numbered from 0. */
  get size(): number {
    return this.next.length;
  }

  /** Which states one character leads to: a branch for each range of characters that tells them apart, with END behind it. */
  branches(state: number): Int32Array {
    const known = this.known[state] ?? this.branchesOf(this.next[state] ?? []);
    this.known[state] = known;
    return known;
  }

  private stateOf(next: readonly number[]): number {
    this.work(4 * next.length);
    const key = next.join();
    const state = this.states.get(key) ?? this.next.push(next) - 1;
    this.states.set(key, state);
    return state;
  }

  private branchesOf(next: readonly number[]): Int32Array {
    const ranges: (readonly [range: Range, position: number])[] = [];
    for (const position of next) {
      const own = this.sets[position]?.ranges ?? [];
      // One position needs no telling apart.
      const kept = next.length === 1 ? own.slice(0, 1) : own;
      this.work(8 * kept.length);
      for (const range of kept) ranges.push([range, position]);
    }
    ranges.sort(([[a]], [[b]]) => a - b);
    const distinct = new Map<string, readonly number[]>();
    let open: typeof ranges = [];
    for (const [index, entry] of ranges.entries()) {
      const [point] = entry[0];
      open = [...open.filter(([[, to]]) => to >= point), entry];
      this.work(4 * open.length);
      if (ranges[index + 1]?.[0][0] === point) continue;
      const choice = open.map(([, position]) => position).sort((a, b) => a - b);
      distinct.set(choice.join(), choice);
    }
    return Int32Array.from(
      [...distinct.values()].flatMap((choice) => [...choice.map((position) => this.stateAt[position] ?? 0), END]),
    );
  }

  private add(pattern: Pattern): Positions {
    this.work(4);
    switch (pattern.is) {
      case 'character': {
        this.follow.push([]);
        const position = this.sets.push(pattern.set) - 1;
        return { first: [position], last: [position], nullable: false };
      }
      case 'sequence':
        return pattern.of.reduce<Positions>((before, part) => this.after(before, this.add(part)), NOTHING);
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
        return NOTHING;
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

  /** Each repetition takes a character: `longest` of them are as good as any number. */
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
    let whole = NOTHING;
    for (let time = 0; time < times; time++) whole = this.after(whole, this.once(of));
    return whole;
  }

  /** `(a(a(a)?)?)?`, as an engine counts. */
  private optional(of: Pattern, times: number): Positions {
    const parts = Array.from({ length: times }, () => this.once(of));
    for (const [index, part] of parts.entries()) this.link(parts[index - 1] ?? NOTHING, part);
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
