import { numberIn } from '../../spelling/written';
import { converted, text, type Format } from './format';

// The most digits of a prefix.
const MAX_DIGITS = 24;
/** The length of the longest prefix. */
export const MAX_PREFIX = MAX_DIGITS + 1;
const PREFIX = new RegExp(`^\\+?[0-9*#]{0,${String(MAX_DIGITS)}}$`);

/**
 * The beginning of dialed numbers, as the SIP server compares it: without what people write between digits, and with
 * `+` for `00`, so `0049-30` is `+4930`. The empty text is the beginning of every number.
 */
export function numberPrefix(): Format {
  const expected = `the beginning of a number: + and up to ${String(MAX_DIGITS)} digits, * or #`;
  const convert = (given: string): string | undefined => {
    const found = numberIn(given);
    const prefix = (found?.parameters === '' ? found.number : given.trim()).replace(/^00/, '+');
    return PREFIX.test(prefix) ? prefix : undefined;
  };
  return { ...converted(text(64, { min: 0 }), convert, expected), column: { type: 'varchar', length: MAX_PREFIX } };
}
