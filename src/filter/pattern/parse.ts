import { CharacterSet, type Range } from './character-set';
import { PatternError, type Pattern } from './pattern';
import type { Work } from './automaton';
import { bounded, workOfOneFilter } from './cost';

const MAX_REPEAT = 1000;
const MAX_NESTING = 16;
// Elementary steps for each character.
const READING = 20;

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
  ...{ d: DIGIT, D: DIGIT.complement() },
  ...{ w: WORD, W: WORD.complement() },
  ...{ s: SPACE, S: SPACE.complement() },
};
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', '0': '\0' };
// What `.` leaves out (java.util.regex.Pattern, "Line terminators").
const NOT_LINE_END = CharacterSet.from(
  ['\n', '\r', '\u0085', '\u2028', '\u2029'].flatMap((c) => CharacterSet.of(c).ranges),
).complement();

/**
 * Reads the part of Java's and I-Regexp's (RFC 9485) syntax that means the same in both; throws PatternError for the
 * rest, and for what could take an engine long. Flags: `i`, `s` and `u` (which is always on). Patterns of one filter
 * share `work`.
 */
export function parsePattern(source: string, flags = '', work: Work = workOfOneFilter()): Pattern {
  const strange = /[^isu]/.exec(flags);
  if (strange) throw new PatternError(`the flag ${strange[0]} of a pattern is not offered`, source.length + 1);
  work(READING * source.length);
  return bounded(new PatternParser(Array.from(source), flags).whole(), work);
}

class PatternParser {
  private at = 0;
  private depth = 0;
  private readonly ignoreCase: boolean;
  private readonly any: CharacterSet;

  constructor(
    private readonly characters: readonly string[],
    flags: string,
  ) {
    this.ignoreCase = flags.includes('i');
    this.any = flags.includes('s') ? CharacterSet.all : NOT_LINE_END;
  }

  whole(): Pattern {
    const pattern = this.choice();
    if (this.at < this.characters.length) this.fail('unmatched ) in a pattern');
    return pattern;
  }

  private choice(): Pattern {
    const of = [this.sequence()];
    while (this.takes('|')) of.push(this.sequence());
    return of.length === 1 && of[0] ? of[0] : choiceOf(of);
  }

  private sequence(): Pattern {
    const of: Pattern[] = [];
    for (let next = this.next; next !== undefined && next !== '|' && next !== ')'; next = this.next) {
      of.push(this.repeated(this.atom()));
    }
    return of.length === 1 && of[0] ? of[0] : { is: 'sequence', of };
  }

  private repeated(of: Pattern): Pattern {
    const bounds = this.bounds();
    if (!bounds) return of;
    if (of.is === 'start' || of.is === 'end') this.fail('nothing to repeat in a pattern');
    const [min, max] = bounds;
    // Which of the ways to match is tried first does not matter to the whole.
    this.takes('?');
    if (this.next !== undefined && '*+?'.includes(this.next)) this.fail('this repetition is not offered');
    return { is: 'repeat', of, min, max };
  }

  private bounds(): readonly [number, number] | undefined {
    if (this.takes('*')) return [0, Infinity];
    if (this.takes('+')) return [1, Infinity];
    if (this.takes('?')) return [0, 1];
    if (this.next !== '{') return undefined;
    const written = /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.characters.slice(this.at, this.at + 12).join(''));
    if (!written) return this.fail('malformed repetition in a pattern');
    const [all, from = '', comma, to] = written;
    const min = Number(from);
    const max = comma === undefined ? min : to === undefined ? Infinity : Number(to);
    if (max < min || min > MAX_REPEAT || (max > MAX_REPEAT && max !== Infinity))
      this.fail('malformed repetition in a pattern');
    this.at += all.length;
    return [min, max];
  }

  private atom(): Pattern {
    const character = this.take();
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return this.character(this.characterClass());
      case '.':
        return { is: 'character', set: this.any };
      case '^':
        return { is: 'start' };
      case '$':
        return { is: 'end' };
      case '\\':
        return this.character(this.escape());
      case '*':
      case '+':
      case '?':
      case '{':
        this.at--;
        return this.fail('nothing to repeat in a pattern');
      default:
        return this.character(CharacterSet.of(character));
    }
  }

  private character(set: CharacterSet): Pattern {
    return { is: 'character', set: this.ignoreCase ? set.inBothCases() : set };
  }

  private group(): Pattern {
    if (++this.depth > MAX_NESTING) this.fail('a pattern is nested too deeply');
    if (this.takes('?') && !this.takes(':')) this.fail('look-around, flags and names in a group are not offered');
    const pattern = this.choice();
    if (!this.takes(')')) this.fail('unclosed ( in a pattern');
    this.depth--;
    return pattern;
  }

  private escape(): CharacterSet {
    const character = this.take();
    const known = CLASSES[character];
    if (known) return known;
    const control = CONTROLS[character];
    if (control !== undefined) return CharacterSet.of(control);
    if (character === 'u') return this.codePoint(4);
    if (character === 'x') return this.codePoint(2);
    if (/[A-Za-z0-9]/.test(character)) {
      this.at--;
      return this.fail(`\\${character} in a pattern is not offered`);
    }
    return CharacterSet.of(character);
  }

  private codePoint(digits: number): CharacterSet {
    const rest = this.characters.slice(this.at, this.at + 8).join('');
    const written =
      digits === 2
        ? (/^\{([0-9a-f]{1,6})\}/i.exec(rest) ?? /^([0-9a-f]{2})/i.exec(rest))
        : /^([0-9a-f]{4})/i.exec(rest);
    const point = parseInt(written?.[1] ?? '', 16);
    if (!written || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
      return this.fail('malformed escape in a pattern');
    this.at += written[0].length;
    return CharacterSet.of(String.fromCodePoint(point));
  }

  private characterClass(): CharacterSet {
    const negated = this.takes('^');
    const items: CharacterSet[] = [];
    do {
      if (this.next === '[' || (this.next === '&' && this.characters[this.at + 1] === '&')) {
        this.fail('a class within a class of a pattern is not offered');
      }
      items.push(this.classItem());
    } while (!this.takes(']'));
    const set = CharacterSet.from(items.flatMap(({ ranges }) => ranges));
    const folded = this.ignoreCase ? set.inBothCases() : set;
    return negated ? folded.complement() : set;
  }

  private classItem(): CharacterSet {
    const from = this.classCharacter();
    if (this.next !== '-' || this.characters[this.at + 1] === ']') return from;
    this.at++;
    const to = this.classCharacter();
    const [first, last] = [from.only?.codePointAt(0), to.only?.codePointAt(0)];
    if (first === undefined || last === undefined || first > last) return this.fail('malformed range in a pattern');
    const surrogates: Range = [0xd800, 0xdfff];
    return first < surrogates[0] && last > surrogates[1]
      ? CharacterSet.from([
          [first, surrogates[0] - 1],
          [surrogates[1] + 1, last],
        ])
      : CharacterSet.from([[first, last]]);
  }

  private classCharacter(): CharacterSet {
    const character = this.take('unclosed [ in a pattern');
    return character === '\\' ? this.escape() : CharacterSet.of(character);
  }

  private get next(): string | undefined {
    return this.characters[this.at];
  }

  private takes(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  private take(complaint = 'a pattern ends too early'): string {
    const character = this.next;
    if (character === undefined) return this.fail(complaint);
    this.at++;
    return character;
  }

  private fail(message: string): never {
    throw new PatternError(message, this.at);
  }
}

/** One of several single characters that exclude each other is a class. */
function choiceOf(of: readonly Pattern[]): Pattern {
  const ranges = of.flatMap((each) => (each.is === 'character' ? each.set.ranges : []));
  const set = CharacterSet.from(ranges);
  const isClass =
    of.every(({ is }) => is === 'character') &&
    set.size === of.reduce((size, each) => size + (each.is === 'character' ? each.set.size : 0), 0);
  return isClass ? { is: 'character', set } : { is: 'choice', of };
}
