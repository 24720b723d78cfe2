import { quote } from '../../errors';
import { text, textOf, type Format } from './format';

// Kamailio rejects a REGISTER with 500 if the user name is longer, in UTF-8.
const MAX_USER_BYTES = 64;
// These characters terminate the user name in a SIP address or in digest credentials.
const NOT_IN_A_USER = /[@:"]/;

/** The SIP user name of an agent or a peer. */
export function userName(): Format {
  return {
    ...text(100),
    unusable: (value) => {
      const name = textOf(value);
      if (Buffer.byteLength(name) > MAX_USER_BYTES)
        return `${quote(name)} is longer than ${String(MAX_USER_BYTES)} bytes, so a SIP device cannot register with it`;
      if (name.trim() !== name)
        return `${quote(name)} begins or ends with a space, which devices and databases leave out`;
      const [character] = NOT_IN_A_USER.exec(name) ?? [];
      return character === undefined
        ? undefined
        : `${quote(name)} contains ${character}, so a SIP device cannot register with it`;
    },
  };
}
