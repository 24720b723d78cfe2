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
    return point >= 0xd800 && point <= 0xdfff ? new CharacterSet([]) : new CharacterSet([[point, point]]);
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

  /** How many characters it has. */
  get size(): number {
    return this.ranges.reduce((size, [from, to]) => size + to - from + 1, 0);
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
    const cases: Range[] = [];
    for (const [from, to] of this.ranges) {
      const isLong = to - from >= 128;
      const [first, last] = isLong ? [Math.max(from, 0x41), Math.min(to, 0x7a)] : [from, to];
      for (let point = first; point <= last; point++) {
        const text = String.fromCodePoint(point);
        addCharacter(cases, text.toLowerCase(), text);
        addCharacter(cases, text.toUpperCase(), text);
      }
    }
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

/** Adds what is one character, and another than `text`. */
function addCharacter(ranges: Range[], other: string, text: string): void {
  const point = other.codePointAt(0) ?? 0;
  if (other !== text && other === String.fromCodePoint(point)) ranges.push([point, point]);
}
