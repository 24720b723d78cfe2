import type { Scanner } from '../scanner';
import { CharacterSet } from './character-set';

const DIGIT = CharacterSet.from([[0x30, 0x39]]);
const WORD = DIGIT.or(
  CharacterSet.from([
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ]),
);
const SPACE = CharacterSet.from([
  [0x09, 0x0d],
  [0x20, 0x20],
]);
const CLASSES: Readonly<Record<string, CharacterSet>> = {
  d: DIGIT,
  D: DIGIT.complement(),
  w: WORD,
  W: WORD.complement(),
  s: SPACE,
  S: SPACE.complement(),
};
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', '0': '\0' };
// What `.` does not match (java.util.regex.Pattern, "Line terminators").
const NOT_LINE_END = CharacterSet.from(
  ['\n', '\r', '\u0085', '\u2028', '\u2029'].flatMap((c) => CharacterSet.of(c).ranges),
).complement();

const CODE_POINT_2 = /\{([0-9a-f]{1,6})\}|([0-9a-f]{2})/iy;
const CODE_POINT_4 = /([0-9a-f]{4})/iy;
const SURROGATES = { first: 0xd800, last: 0xdfff };

/** Reads characters, escapes and character classes of a pattern as sets of characters. */
export class CharacterReader {
  /** What `.` matches. */
  readonly any: CharacterSet;
  private readonly ignoreCase: boolean;

  constructor(
    private readonly scanner: Scanner,
    flags: string,
  ) {
    this.ignoreCase = flags.includes('i');
    this.any = flags.includes('s') ? CharacterSet.all : NOT_LINE_END;
  }

  /** A character that stands for itself. */
  literal(character: string): CharacterSet {
    return this.folded(CharacterSet.of(character));
  }

  /** Reads what follows a backslash. */
  escaped(): CharacterSet {
    return this.folded(this.escape());
  }

  /** Reads what follows an opening bracket, up to the closing one. */
  characterClass(): CharacterSet {
    const { scanner } = this;
    const negated = scanner.takes('^');
    const items: CharacterSet[] = [];
    do {
      if (scanner.isAt('[') || scanner.isAt('&&')) scanner.fail('nested classes in a pattern are not supported');
      items.push(this.classItem());
    } while (!scanner.takes(']'));
    const set = CharacterSet.from(items.flatMap(({ ranges }) => ranges));
    return this.folded(negated ? this.folded(set).complement() : set);
  }

  private folded(set: CharacterSet): CharacterSet {
    return this.ignoreCase ? set.inBothCases() : set;
  }

  private escape(): CharacterSet {
    const start = this.scanner.at;
    const character = this.scanner.take('a pattern ends too early');
    const known = CLASSES[character];
    if (known) return known;
    const control = CONTROLS[character];
    if (control !== undefined) return CharacterSet.of(control);
    if (character === 'u') return this.codePoint(CODE_POINT_4);
    if (character === 'x') return this.codePoint(CODE_POINT_2);
    if (/[A-Za-z0-9]/.test(character)) this.scanner.fail(`\\${character} in a pattern is not supported`, start);
    return CharacterSet.of(character);
  }

  private codePoint(digits: RegExp): CharacterSet {
    const start = this.scanner.at;
    const [, long, short] = this.scanner.match(digits) ?? [];
    const point = parseInt(long ?? short ?? '', 16);
    if (!(point <= 0x10ffff) || (point >= SURROGATES.first && point <= SURROGATES.last))
      this.scanner.fail('malformed escape in a pattern', start);
    return CharacterSet.of(String.fromCodePoint(point));
  }

  private classItem(): CharacterSet {
    const { scanner } = this;
    const from = this.classCharacter();
    if (scanner.isAt('-]') || !scanner.takes('-')) return from;
    const to = this.classCharacter();
    const [first, last] = [from.only?.codePointAt(0), to.only?.codePointAt(0)];
    if (first === undefined || last === undefined || first > last) return scanner.fail('malformed range in a pattern');
    return first < SURROGATES.first && last > SURROGATES.last
      ? CharacterSet.from([
          [first, SURROGATES.first - 1],
          [SURROGATES.last + 1, last],
        ])
      : CharacterSet.from([[first, last]]);
  }

  private classCharacter(): CharacterSet {
    const character = this.scanner.take('unclosed [ in a pattern');
    return character === '\\' ? this.escape() : CharacterSet.of(character);
  }
}
