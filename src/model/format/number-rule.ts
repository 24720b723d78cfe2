import { quote } from '../../errors';
import { parsePattern } from '../../filter/pattern/parse';
import { PatternError } from '../../filter/pattern/pattern';
import { text, type Format } from './format';

/** A regular expression that Kamailio's database matches called numbers with: MariaDB and MySQL agree on it, and match it fast. */
export function numberRule(): Format {
  return {
    ...text(255),
    unusable: (value) => {
      const rule = String(value);
      try {
        // MariaDB has no such escape.
        const escape = /(?:^|[^\\])(?:\\\\)*(\\u)/.exec(rule)?.[1];
        if (escape !== undefined) throw new PatternError(`${escape} is not offered`, 0);
        parsePattern(rule);
        return undefined;
      } catch (error) {
        if (!(error instanceof PatternError)) throw error;
        return `${quote(rule)} is not a regular expression that can be used: ${error.message}`;
      }
    },
  };
}
