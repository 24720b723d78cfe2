import { Scanner } from '../scanner';
import { CharacterSet } from './character-set';
import { bound, workOfOneFilter, type Work } from './cost';
import { PatternError, type Pattern } from './pattern';

const MAX_REPEAT = 1000;
const MAX_NESTING = 16;
// Elementary steps that parsing costs per character.
const READING = 20;

const BOUNDS = /\{(\d{1,4})(,(\d{1,4})?)?\}/y;

/**
 * Parses the syntax that Java and I-Regexp (RFC 9485) have in common. Supported flags are `i`, `s` and `u`, which is
 * always on. The patterns of one filter share `work`. Throws PatternError for other syntax, and for patterns that could
 * take a regular expression engine too long.
 */
export function parsePattern(source: string, flags = '', work: Work = workOfOneFilter()): Pattern {
  const unknown = /[^isu]/.exec(flags);
  if (unknown) throw new PatternError(`the flag ${unknown[0]} of a pattern is not supported`, source.length + 1);
  work(READING * source.length);
  return bound(new PatternParser(source, flags).parse(), work);
}

class PatternParser {
  private readonly scanner: Scanner;
  private readonly characters: CharacterReader;

  constructor(source: string, flags: string) {
    this.scanner = new Scanner(source, {
      maxNesting: MAX_NESTING,
      errorAt: (message, at) => new PatternError(message, at),
    });
    this.characters = new CharacterReader(this.scanner, flags);
  }

  parse(): Pattern {
    const pattern = this.choice();
    if (this.scanner.next !== '') this.scanner.fail('unmatched ) in a pattern');
    return pattern;
  }

  private choice(): Pattern {
    const of = [this.sequence()];
    while (this.scanner.takes('|')) of.push(this.sequence());
    return of.length === 1 && of[0] ? of[0] : choiceOf(of);
  }

  private sequence(): Pattern {
    const of: Pattern[] = [];
    while (!['', '|', ')'].includes(this.scanner.next)) of.push(this.repetition(this.atom()));
    return of.length === 1 && of[0] ? of[0] : { is: 'sequence', of };
  }

  private repetition(of: Pattern): Pattern {
    const { scanner } = this;
    const bounds = this.bounds();
    if (!bounds) return of;
    if (of.is === 'start' || of.is === 'end') scanner.fail('nothing to repeat in a pattern');
    const [min, max] = bounds;
    // A lazy repetition matches the same whole texts as a greedy one.
    scanner.takes('?');
    if (scanner.look(/[*+?]/y)) scanner.fail('this repetition is not supported');
    return { is: 'repeat', of, min, max };
  }

  private bounds(): readonly [min: number, max: number] | undefined {
    const { scanner } = this;
    if (scanner.takes('*')) return [0, Infinity];
    if (scanner.takes('+')) return [1, Infinity];
    if (scanner.takes('?')) return [0, 1];
    if (!scanner.isAt('{')) return undefined;
    const start = scanner.at;
    const malformed = (): never => scanner.fail('malformed repetition in a pattern', start);
    const [, from = '', comma, to] = scanner.match(BOUNDS) ?? malformed();
    const min = Number(from);
    const max = comma === undefined ? min : to === undefined ? Infinity : Number(to);
    if (max < min || min > MAX_REPEAT || (max > MAX_REPEAT && max !== Infinity)) malformed();
    return [min, max];
  }

  private atom(): Pattern {
    const { scanner, characters } = this;
    const start = scanner.at;
    const character = scanner.take('a pattern ends too early');
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return { is: 'character', set: characters.characterClass() };
      case '.':
        return { is: 'character', set: characters.any };
      case '^':
        return { is: 'start' };
      case '$':
        return { is: 'end' };
      case '\\':
        return { is: 'character', set: characters.unescape() };
      case '*':
      case '+':
      case '?':
      case '{':
        return scanner.fail('nothing to repeat in a pattern', start);
      default:
        return { is: 'character', set: characters.literal(character) };
    }
  }

  private group(): Pattern {
    const { scanner } = this;
    return scanner.nest('a pattern is nested too deeply', () => {
      if (scanner.takes('?') && !scanner.takes(':'))
        scanner.fail('look-around, flags and names in a group are not supported');
      const pattern = this.choice();
      if (!scanner.takes(')')) scanner.fail('unclosed ( in a pattern');
      return pattern;
    });
  }
}

/** A choice between single characters that are all different is a character class. */
function choiceOf(of: readonly Pattern[]): Pattern {
  const ranges = of.flatMap((each) => (each.is === 'character' ? each.set.ranges : []));
  const set = CharacterSet.from(ranges);
  const isClass =
    of.every(({ is }) => is === 'character') &&
    set.size === of.reduce((size, each) => size + (each.is === 'character' ? each.set.size : 0), 0);
  return isClass ? { is: 'character', set } : { is: 'choice', of };
}

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
class CharacterReader {
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
    return this.fold(CharacterSet.of(character));
  }

  /** Reads what follows a backslash. */
  unescape(): CharacterSet {
    return this.fold(this.escape());
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
    return this.fold(negated ? this.fold(set).complement() : set);
  }

  private fold(set: CharacterSet): CharacterSet {
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
