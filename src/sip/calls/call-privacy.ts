/**
 * What viewers see of a call with CALLS_PRIVACY=on. Callers choose their texts, and there is always another spelling of a number or
 * an address, so a text is shown only if it is known to be harmless.
 */

/** Stands for what is not shown. */
export const HIDDEN = '…';

const SCHEME = /^(?:sips?|tel):/i;
const NUMBER = /^\+?[\d()-]+$/;
const NAME = /^[A-Za-z\d]+(?:[._+-]+[A-Za-z\d]+)*$/;
/** An IPv4 address in hexadecimal, such as c0a80a14. */
const HEX = /^(?=.*\d)(?:0x)?[\da-f]{8}$/i;
/** The most digits of a text that is neither a number nor an address, such as the user name of a phone. */
const FEW = 5;
/** A host name whose last label is of letters, which no IP address has in any notation. */
const HOST_NAME = /^(?!.*\.arpa$)(?:[A-Za-z\d-]+\.)*[A-Za-z]{2,}$/i;

/** A SIP URI or a number: names and host names are shown, numbers without their last four digits, and nothing else. */
export function shownUri(text: string): string {
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  if (at < 0) return scheme + (isHostName(rest) ? rest : shownUser(rest));
  const [host, tail] = split(rest.slice(at + 1));
  return `${scheme}${shownUser(rest.slice(0, at))}@${isHostName(host) ? host + tail : HIDDEN}`;
}

/** A reason of the other side: numbers are shown without their last four digits, and no addresses. */
export function shownReason(text: string): string {
  return text
    .replace(/[\da-f]*(?::[\da-f]*){2,}[\d.]*/gi, HIDDEN)
    .replace(/[\p{L}\p{N}]+/gu, (word) => (/\p{L}/u.test(word) && digitsIn(word) > 3 ? HIDDEN : word))
    .replace(/\p{N}(?:[^\p{L}\p{N}]*\p{N})*/gu, (run) => {
      if (digitsIn(run) <= 3 || /^\d{1,5}$/.test(run)) return run;
      return /^\d+$/.test(run) ? withoutEnd(run) : HIDDEN;
    });
}

function shownUser(user: string): string {
  if (isName(user)) return user;
  return NUMBER.test(user) && digitsIn(user) > FEW ? withoutEnd(user) : HIDDEN;
}

function isName(text: string): boolean {
  return NAME.test(text) && !HEX.test(text) && digitsIn(text) <= FEW && !/\d[._+-]+\d/.test(text);
}

function isHostName(host: string): boolean {
  return HOST_NAME.test(host) && isName(host);
}

/** Splits port, parameters and headers, which are not shown, from a host. */
function split(place: string): readonly [string, string] {
  const [host = ''] = /^[^:;?]*/.exec(place) ?? [];
  return [host, host.length < place.length ? HIDDEN : ''];
}

/** Replaces the last four digits of a number. */
function withoutEnd(number: string): string {
  return number.replace(/(?:\d[()-]*){4}$/, HIDDEN);
}

function digitsIn(text: string): number {
  return text.match(/\p{N}/gu)?.length ?? 0;
}
