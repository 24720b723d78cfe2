import { CharacterSet } from './character-set';

/** Why a pattern is not taken. */
export class PatternError extends Error {
  constructor(
    message: string,
    /** Characters into the pattern. */
    readonly offset: number,
  ) {
    super(message);
  }
}

/** A regular expression that means the same to every engine: characters are ranges of code points. */
export type Pattern =
  | { readonly is: 'character'; readonly set: CharacterSet }
  | { readonly is: 'sequence' | 'choice'; readonly of: readonly Pattern[] }
  | { readonly is: 'repeat'; readonly of: Pattern; readonly min: number; readonly max: number }
  | { readonly is: 'start' | 'end' };

/** Anything at all, any number of times. */
export const ANYTHING: Pattern = {
  ...{ is: 'repeat', of: { is: 'character', set: CharacterSet.all }, min: 0, max: Infinity },
};

/** A text as it stands, or in either case. */
export function literal(text: string, ignoreCase = false): Pattern {
  return {
    is: 'sequence',
    of: Array.from(text, (character) => {
      const set = CharacterSet.of(character);
      return { is: 'character', set: ignoreCase ? set.inBothCases() : set };
    }),
  };
}

/** One after the other. */
export function sequence(...of: readonly Pattern[]): Pattern {
  return { is: 'sequence', of };
}

/** What matches a text that has a match of the pattern somewhere in it. */
export function anywhere(pattern: Pattern): Pattern {
  return sequence(ANYTHING, shortest(shortest(pattern, 0), -1), ANYTHING);
}

/** With the repetition at an end as short as it may be: where more follows does not matter. */
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

/** The characters that every match begins with, and whether nothing but ANYTHING follows them. */
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

function flat(pattern: Pattern): readonly Pattern[] {
  return pattern.is === 'sequence' ? pattern.of.flatMap(flat) : [pattern];
}

/** How an engine writes a code point and the end of a text. */
export interface Notation {
  readonly point: (hexadecimal: string) => string;
  readonly end: string;
}

/** PCRE2 (MariaDB) and ICU (MySQL). */
export const POSIX_LIKE: Notation = { point: (hexadecimal) => `\\x{${hexadecimal}}`, end: '\\z' };

/** JavaScript with the flag `u`. */
export const JAVASCRIPT: Notation = { point: (hexadecimal) => `\\u{${hexadecimal}}`, end: '$' };

/** The pattern for an engine; it matches whole texts only. */
export function written(pattern: Pattern, notation: Notation): string {
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
