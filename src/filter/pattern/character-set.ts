/** A range of code points; both ends are included. */
export type CodePointRange = readonly [from: number, to: number];

const LAST = 0x10ffff;
const PLAIN = /^[A-Za-z0-9]$/;
/** Letters of Greek and German with cases that `toLowerCase` and `toUpperCase` do not lead to: the sigma at the end of a word, and the capital sharp s. */
const FURTHER_CASES = [
  ['Σ', 'σ', 'ς'],
  ['ß', 'ẞ'],
];

/**
 * A set of Unicode characters, as ordered ranges that do not touch. Surrogates are excluded: they are not characters.
 */
export class CharacterSet {
  static readonly all = new CharacterSet([
    [0, 0xd7ff],
    [0xe000, LAST],
  ]);

  private constructor(readonly ranges: readonly CodePointRange[]) {}

  static of(character: string): CharacterSet {
    const point = character.codePointAt(0) ?? 0;
    // A lone surrogate occurs in no text, so its set is empty.
    return point >= 0xd800 && point <= 0xdfff ? new CharacterSet([]) : new CharacterSet([[point, point]]);
  }

  static from(ranges: readonly CodePointRange[]): CharacterSet {
    const ordered = [...ranges].sort(([a], [b]) => a - b);
    const joined: [number, number][] = [];
    for (const [from, to] of ordered) {
      const last = joined.at(-1);
      if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
      else joined.push([from, to]);
    }
    return new CharacterSet(joined);
  }

  /** The only character of the set; undefined if the set has no characters or several. */
  get only(): string | undefined {
    const [range, ...more] = this.ranges;
    return range?.[0] === range?.[1] && range && more.length === 0 ? String.fromCodePoint(range[0]) : undefined;
  }

  /** The lower case of the only ASCII character of the set, whose other case may be in it, too; undefined otherwise. */
  get onlyAscii(): string | undefined {
    const texts =
      this.ranges.length > 2 || this.size > 2 ? [] : this.ranges.flat().map((point) => String.fromCodePoint(point));
    const [lower, ...more] = new Set(texts.map((text) => text.toLowerCase()));
    return lower !== undefined && more.length === 0 && texts.every((text) => text <= '\x7f') ? lower : undefined;
  }

  /** The number of characters. */
  get size(): number {
    return this.ranges.reduce((size, [from, to]) => size + to - from + 1, 0);
  }

  or(other: CharacterSet): CharacterSet {
    return CharacterSet.from([...this.ranges, ...other.ranges]);
  }

  /** All other characters. */
  complement(): CharacterSet {
    const ranges: CodePointRange[] = [];
    let next = 0;
    // Surrogates count as members here, so that the complement excludes them.
    for (const [from, to] of CharacterSet.from([...this.ranges, [0xd800, 0xdfff]]).ranges) {
      if (from > next) ranges.push([next, from - 1]);
      next = to + 1;
    }
    if (next <= LAST) ranges.push([next, LAST]);
    return new CharacterSet(ranges);
  }

  /** Returns this set and the other cases of each character. In long ranges, only ASCII letters have another case. */
  inBothCases(): CharacterSet {
    const cases: CodePointRange[] = [];
    for (const [from, to] of this.ranges) {
      const isLong = to - from >= 128;
      const [first, last] = isLong ? [Math.max(from, 0x41), Math.min(to, 0x7a)] : [from, to];
      for (let point = first; point <= last; point++) {
        const text = String.fromCodePoint(point);
        const more = FURTHER_CASES.find((each) => each.includes(text)) ?? [];
        for (const other of [text.toLowerCase(), text.toUpperCase(), ...more]) addCharacter(cases, other, text);
      }
    }
    return CharacterSet.from([...this.ranges, ...cases]);
  }

  /** Writes the set as a regular expression. `point` writes a code point. */
  write(point: (hexadecimal: string) => string): string {
    const character = (code: number): string => {
      const text = String.fromCodePoint(code);
      return PLAIN.test(text) ? text : point(code.toString(16));
    };
    if (this.only !== undefined) return character(this.ranges[0]?.[0] ?? 0);
    // The empty set, written as a class that matches no text.
    if (this.ranges.length === 0) return `[^${point('0')}-${point('d7ff')}${point('e000')}-${point('10ffff')}]`;
    return `[${this.ranges.map(([from, to]) => (from === to ? character(from) : `${character(from)}-${character(to)}`)).join('')}]`;
  }
}

/** Adds `other` if it is a single character that differs from `text`. */
function addCharacter(ranges: CodePointRange[], other: string, text: string): void {
  const point = other.codePointAt(0) ?? 0;
  if (other !== text && other === String.fromCodePoint(point)) ranges.push([point, point]);
}
