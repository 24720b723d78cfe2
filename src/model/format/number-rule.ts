import { quote } from '../../errors';
import { parsePattern } from '../../filter/pattern/parse';
import { PatternError } from '../../filter/pattern/pattern';
import { text, textOf, type Format } from './format';

/**
 * A regular expression that the database matches against called numbers for Kamailio. Accepts only expressions that
 * MariaDB and MySQL interpret in the same way and match fast.
 */
export function numberRule(): Format {
  return {
    ...text(255),
    unusable: (value) => {
      const rule = textOf(value);
      try {
        // MariaDB does not support `\u`.
        const escape = /(?:^|[^\\])(?:\\\\)*(\\u)/.exec(rule)?.[1];
        if (escape !== undefined) throw new PatternError(`${escape} is not supported`, 0);
        parsePattern(rule);
        return undefined;
      } catch (error) {
        if (!(error instanceof PatternError)) throw error;
        return `${quote(rule)} is not a supported regular expression: ${error.message}`;
      }
    },
  };
}
