import { CharacterSet } from './character-set';

/** A pattern is invalid or not supported. */
export class PatternError extends Error {
  constructor(
    message: string,
    /** The position of the problem in the source of the pattern, in UTF-16 code units from 0. */
    readonly offset: number,
  ) {
    super(message);
  }
}

/** A regular expression with the same meaning in every engine: characters are ranges of code points. */
export type Pattern =
  | { readonly is: 'character'; readonly set: CharacterSet }
  | { readonly is: 'sequence' | 'choice'; readonly of: readonly Pattern[] }
  | { readonly is: 'repeat'; readonly of: Pattern; readonly min: number; readonly max: number }
  | { readonly is: 'start' | 'end' };

/** Any text. */
export const ANYTHING: Pattern = {
  is: 'repeat',
  of: { is: 'character', set: CharacterSet.all },
  min: 0,
  max: Infinity,
};

/** Matches a text literally; with `ignoreCase`, in either case. */
export function literal(text: string, ignoreCase = false): Pattern {
  return {
    is: 'sequence',
    of: Array.from(text, (character) => {
      const set = CharacterSet.of(character);
      return { is: 'character', set: ignoreCase ? set.inBothCases() : set };
    }),
  };
}

/** Matches patterns one after the other. */
export function sequence(...of: readonly Pattern[]): Pattern {
  return { is: 'sequence', of };
}

/** Matches a text that contains a match of the pattern. */
export function anywhere(pattern: Pattern): Pattern {
  return sequence(ANYTHING, shortest(shortest(pattern, 0), -1), ANYTHING);
}

/**
 * Shortens a repetition at one end of a pattern to its minimum, which is enough where any text may precede or follow.
 */
function shortest(pattern: Pattern, end: 0 | -1): Pattern {
  switch (pattern.is) {
    case 'repeat':
      return { ...pattern, max: pattern.min };
    case 'choice':
      return { ...pattern, of: pattern.of.map((each) => shortest(each, end)) };
    case 'sequence': {
      const place = end === 0 ? 0 : pattern.of.length - 1;
      return { ...pattern, of: pattern.of.map((each, index) => (index === place ? shortest(each, end) : each)) };
    }
    default:
      return pattern;
  }
}

/** The characters that every match starts with, and what follows them: nothing, any text, or more of the pattern. */
export function prefixOf(pattern: Pattern): {
  readonly prefix: string;
  readonly rest: 'nothing' | 'anything' | 'more';
} {
  const parts = flat(pattern);
  const end = parts.findIndex((part) => part.is !== 'character' || part.set.only === undefined);
  const head = end < 0 ? parts : parts.slice(0, end);
  const prefix = head.map((part) => (part.is === 'character' ? (part.set.only ?? '') : '')).join('');
  if (end < 0) return { prefix, rest: 'nothing' };
  return { prefix, rest: end === parts.length - 1 && parts[end] === ANYTHING ? 'anything' : 'more' };
}

/**
 * The longest ASCII text that every match contains if case is ignored, in lower case. Databases find a text faster than
 * a match of a pattern.
 */
export function containedIn(pattern: Pattern): string {
  let [longest, run] = ['', ''];
  for (const part of flat(pattern)) {
    run = part.is === 'character' && part.set.onlyAscii !== undefined ? run + part.set.onlyAscii : '';
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/**
 * The text that a pattern asks a text to contain, exactly and anywhere; undefined if it asks for anything else. Digits have
 * no other case, so that a search for a part of a number is one, too.
 */
export function onlyContainedIn(pattern: Pattern): string | undefined {
  const parts = flat(pattern);
  if (parts.length < 3 || parts[0] !== ANYTHING || parts.at(-1) !== ANYTHING) return undefined;
  let text = '';
  for (const part of parts.slice(1, -1)) {
    const character = part.is === 'character' ? part.set.only : undefined;
    if (character === undefined) return undefined;
    text += character;
  }
  return text;
}

/** Whether a pattern is characters one after the other, which any text, also with line breaks, may precede and follow. */
export function isPlain(pattern: Pattern): boolean {
  const parts = flat(pattern);
  return parts.every(
    (part, index) => part.is === 'character' || (part === ANYTHING && (index === 0 || index === parts.length - 1)),
  );
}

function flat(pattern: Pattern): readonly Pattern[] {
  return pattern.is === 'sequence' ? pattern.of.flatMap(flat) : [pattern];
}

/** The syntax of an engine for a code point and for the end of the text. */
interface Notation {
  readonly point: (hexadecimal: string) => string;
  readonly end: string;
}

/** PCRE2 (MariaDB) and ICU (MySQL). */
export const POSIX_LIKE: Notation = { point: (hexadecimal) => `\\x{${hexadecimal}}`, end: '\\z' };

/** JavaScript with the flag `u`. */
export const JAVASCRIPT: Notation = { point: (hexadecimal) => `\\u{${hexadecimal}}`, end: '$' };

/** Writes the pattern for an engine, anchored at both ends. */
export function writePattern(pattern: Pattern, notation: Notation): string {
  return `^(?:${write(pattern, notation)})${notation.end}`;
}

function write(pattern: Pattern, notation: Notation): string {
  switch (pattern.is) {
    case 'character':
      return pattern.set.write(notation.point);
    case 'sequence':
      return pattern.of.map((part) => write(part, notation)).join('');
    case 'choice':
      return `(?:${pattern.of.map((part) => write(part, notation)).join('|')})`;
    case 'repeat': {
      const { min, max } = pattern;
      const count = max === Infinity ? `{${String(min)},}` : `{${String(min)},${String(max)}}`;
      const of = write(pattern.of, notation);
      return `${pattern.of.is === 'character' ? of : `(?:${of})`}${min === 0 && max === Infinity ? '*' : count}`;
    }
    case 'start':
      return '^';
    case 'end':
      return notation.end;
  }
}
