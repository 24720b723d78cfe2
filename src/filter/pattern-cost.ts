import type { CharacterSet } from './character-set';
import { PatternError, type Pattern } from './pattern';

/** Characters that a text may have to be matched by a pattern: all the model's fields are shorter. */
export const MAX_SUBJECT = 300;

// Steps of backtracking that a match may take: MySQL's engine ends one after 320,000 (regexp_time_limit, by default 32
// ticks of 10,000 steps), PCRE2 after ten million.
const MAX_STEPS = 200_000;
const MAX_POSITIONS = 2000;

interface Positions {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

/**
 * Gives the pattern back. Throws PatternError when some text of MAX_SUBJECT characters could make a backtracking engine take more than MAX_STEPS
 * steps. The steps are the nodes of the tree that such an engine walks: paths through the pattern's position automaton
 * (Glushkov), each edge as often as the pattern has ways to it. At each position, a text goes on only to those next ones
 * that have a character in common; the largest such sum bounds every text.
 */
export function bounded(pattern: Pattern): Pattern {
  const automaton = new Automaton();
  const { first } = automaton.add(pattern);
  const branches = automaton.follow.map((next) => automaton.branchesOf(next));
  const start = automaton.branchesOf(first);
  let steps = automaton.sets.map(() => 1);
  const stepsOf = (choices: readonly (readonly number[])[]): number =>
    1 + Math.max(0, ...choices.map((choice) => choice.reduce((sum, position) => sum + (steps[position] ?? 0), 0)));
  for (let length = 1; length <= MAX_SUBJECT; length++) {
    if (stepsOf(start) > MAX_STEPS) throw tooAmbiguous();
    steps = branches.map(stepsOf);
  }
  return pattern;
}

function tooAmbiguous(): PatternError {
  return new PatternError('a pattern that can match a text in too many ways is not offered', 0);
}

class Automaton {
  readonly sets: CharacterSet[] = [];
  readonly follow: number[][] = [];

  add(pattern: Pattern): Positions {
    switch (pattern.is) {
      case 'character': {
        if (this.sets.length === MAX_POSITIONS) throw new PatternError('a pattern is too large', 0);
        this.follow.push([]);
        const position = this.sets.push(pattern.set) - 1;
        return { first: [position], last: [position], nullable: false };
      }
      case 'sequence':
        return pattern.of.reduce<Positions>((before, part) => this.after(before, this.add(part)), NOTHING);
      case 'choice': {
        const parts = pattern.of.map((part) => this.add(part));
        // Ways to match nothing leave no trace in the automaton.
        if (parts.filter(({ nullable }) => nullable).length > 1) throw tooAmbiguous();
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          nullable: parts.some(({ nullable }) => nullable),
        };
      }
      case 'repeat':
        if (new Automaton().add(pattern.of).nullable) throw tooAmbiguous();
        return this.repeat(pattern.of, pattern.min, pattern.max);
      default:
        return NOTHING;
    }
  }

  /** Which positions can be gone on to with one character: as sets of them, one for each range that the sets share. */
  branchesOf(next: readonly number[]): readonly (readonly number[])[] {
    const bounds = [...new Set(next.flatMap((position) => this.sets[position]?.ranges.map(([from]) => from) ?? []))];
    const choices = bounds.map((point) =>
      next.filter((position) => this.sets[position]?.ranges.some(([from, to]) => from <= point && point <= to)),
    );
    const distinct = new Map(choices.map((choice) => [choice.join(), choice]));
    return [...distinct.values()];
  }

  private after(before: Positions, part: Positions): Positions {
    for (const position of before.last) this.follow[position]?.push(...part.first);
    return {
      first: before.nullable ? [...before.first, ...part.first] : before.first,
      last: part.nullable ? [...before.last, ...part.last] : part.last,
      nullable: before.nullable && part.nullable,
    };
  }

  private repeat(of: Pattern, min: number, max: number): Positions {
    let whole = NOTHING;
    for (let time = 1; time < min; time++) whole = this.after(whole, this.add(of));
    if (max === Infinity) {
      const part = this.add(of);
      for (const position of part.last) this.follow[position]?.push(...part.first);
      return this.after(whole, min === 0 ? { ...part, nullable: true } : part);
    }
    if (min > 0) whole = this.after(whole, this.add(of));
    return max > min ? this.after(whole, this.optional(of, max - min)) : whole;
  }

  /** `(a(a(a)?)?)?`, as an engine counts. */
  private optional(of: Pattern, times: number): Positions {
    const part = this.add(of);
    const whole = times > 1 ? this.after(part, this.optional(of, times - 1)) : part;
    return { ...whole, nullable: true };
  }
}

const NOTHING: Positions = { first: [], last: [], nullable: true };
