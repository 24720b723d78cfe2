import { quote } from '../../errors';
import { text, type Format } from './format';

// In UTF-8. Kamailio responds to a REGISTER with a longer name with 500.
const MAX_USER_BYTES = 64;
// These characters end the user in an address or a digest.
const NOT_IN_A_USER = /[@:"]/;

/** The SIP user name of an agent or a peer. */
export function userName(): Format {
  return {
    ...text(100),
    unusable: (value) => {
      const name = String(value);
      if (Buffer.byteLength(name) > MAX_USER_BYTES)
        return `${quote(name)} is longer than ${String(MAX_USER_BYTES)} bytes, so it cannot register`;
      const [character] = NOT_IN_A_USER.exec(name) ?? [];
      return character === undefined ? undefined : `${quote(name)} contains ${character}, so it cannot register`;
    },
  };
}
