/** From a code point to one, both included. */
export type Range = readonly [from: number, to: number];

const LAST = 0x10ffff;
const PLAIN = /^[A-Za-z0-9]$/;

/** A set of Unicode characters, as ordered ranges that do not touch. Surrogates are no characters. */
export class CharacterSet {
  static readonly all = new CharacterSet([
    [0, 0xd7ff],
    [0xe000, LAST],
  ]);

  private constructor(readonly ranges: readonly Range[]) {}

  static of(character: string): CharacterSet {
    const point = character.codePointAt(0) ?? 0;
    // Half of a pair is no character, and no text has it.
    return point >= 0xd800 && point <= 0xdfff ? CharacterSet.from([]) : CharacterSet.from([[point, point]]);
  }

  static from(ranges: readonly Range[]): CharacterSet {
    const ordered = [...ranges].sort(([a], [b]) => a - b);
    const joined: [number, number][] = [];
    for (const [from, to] of ordered) {
      const last = joined.at(-1);
      if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
      else joined.push([from, to]);
    }
    return new CharacterSet(joined);
  }

  /** The character, where there is just one. */
  get only(): string | undefined {
    const [range, ...more] = this.ranges;
    return range?.[0] === range?.[1] && range && more.length === 0 ? String.fromCodePoint(range[0]) : undefined;
  }

  or(other: CharacterSet): CharacterSet {
    return CharacterSet.from([...this.ranges, ...other.ranges]);
  }

  /** All other characters. */
  complement(): CharacterSet {
    const ranges: Range[] = [];
    let next = 0;
    // The surrogates are left out by taking them for members.
    for (const [from, to] of CharacterSet.from([...this.ranges, [0xd800, 0xdfff]]).ranges) {
      if (from > next) ranges.push([next, from - 1]);
      next = to + 1;
    }
    if (next <= LAST) ranges.push([next, LAST]);
    return new CharacterSet(ranges);
  }

  /** With the other case of each; of long ranges, that of the ASCII letters. */
  inBothCases(): CharacterSet {
    const cases = this.ranges.flatMap(([from, to]): Range[] => {
      const points =
        to - from < 128 ? span(from, to) : span(0x41, 0x7a).filter((point) => point >= from && point <= to);
      return points.flatMap(otherCases).map((point) => [point, point]);
    });
    return CharacterSet.from([...this.ranges, ...cases]);
  }

  /** As a regular expression; `point` writes a code point. */
  write(point: (hexadecimal: string) => string): string {
    const character = (code: number): string => {
      const text = String.fromCodePoint(code);
      return PLAIN.test(text) ? text : point(code.toString(16));
    };
    if (this.only !== undefined) return character(this.ranges[0]?.[0] ?? 0);
    // A set of none: what matches no text.
    if (this.ranges.length === 0) return `[^${point('0')}-${point('d7ff')}${point('e000')}-${point('10ffff')}]`;
    return `[${this.ranges.map(([from, to]) => (from === to ? character(from) : `${character(from)}-${character(to)}`)).join('')}]`;
  }
}

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function otherCases(point: number): number[] {
  const text = String.fromCodePoint(point);
  return [text.toLowerCase(), text.toUpperCase()]
    .filter((other) => Array.from(other).length === 1)
    .map((other) => other.codePointAt(0) ?? point);
}
