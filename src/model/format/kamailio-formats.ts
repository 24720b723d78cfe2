import { quote } from '../../errors';
import { parsePattern } from '../../filter/pattern/parse';
import { PatternError } from '../../filter/pattern/pattern';
import { text, type Format } from './format';

// Of UTF-8: Kamailio answers the REGISTER of a longer name with 500.
const MAX_USER_BYTES = 64;
// They end the user in an address or a digest.
const NOT_IN_A_USER = /[@:"]/;

/** The SIP user name of somebody who registers. */
export function userName(): Format {
  return {
    ...text(100),
    unusable: (value) => {
      const name = String(value);
      if (Buffer.byteLength(name) > MAX_USER_BYTES)
        return `${quote(name)} is longer than ${String(MAX_USER_BYTES)} bytes, and could not register`;
      const [character] = NOT_IN_A_USER.exec(name) ?? [];
      return character === undefined ? undefined : `${quote(name)} has ${character}, and could not register`;
    },
  };
}

/** A regular expression that Kamailio's database matches called numbers with: one that MariaDB and MySQL read alike, and quickly. */
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
