import { refine, text, type Format } from './format';
import { HOST, isHost, isPort } from './host';

const USER = "(?:[A-Za-z0-9\\-_.!~*'()&=+$,;?/#]|%[0-9A-Fa-f]{2})+";
const SIP_URI = new RegExp(
  `^(sips?):(?:(${USER})@)?(${HOST})(?::(\\d{1,5}))?((?:;[^\\s;?<>"]+)*)(\\?[^\\s<>"]*)?$`,
  'i',
);

/** A SIP or SIPS URI (RFC 3261, 19.1.1). */
export function sipUri(): Format {
  return refine(
    text(255, { pattern: SIP_URI, expected: 'a sip: or sips: URI' }),
    (value) => {
      const [, , , hostname = '', port] = SIP_URI.exec(value) ?? [];
      return isHost(hostname) && (port === undefined || isPort(port));
    },
    'a sip: or sips: URI',
  );
}

/** The user and the host of a SIP URI as written, with escapes and case. A part that the URI does not have is empty. */
export function partsOfSipUri(uri: string): { readonly user: string; readonly host: string } {
  const [, , user = '', host = ''] = SIP_URI.exec(uri) ?? [];
  return { user, host };
}
