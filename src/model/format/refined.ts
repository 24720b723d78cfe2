import { quote } from '../../errors';
import { FormatError, type Format } from './format';

/** A format whose texts also meet a condition that its pattern cannot express. */
export function refine(format: Format, holds: (value: string) => boolean, expected: string): Format {
  return {
    ...format,
    parse: (value) => {
      const parsed = format.parse(value);
      if (typeof parsed === 'string' && holds(parsed)) return parsed;
      throw new FormatError(`${quote(value)} is not ${expected}`);
    },
  };
}
