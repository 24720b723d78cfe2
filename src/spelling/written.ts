/** The fields of the graph whose values people write in several ways. */
export const WRITTEN_FIELDS: readonly string[] = ['telUrl', 'lastTelUrl', 'aorLink'];

/** A number as people write it, in parts. */
export interface WrittenNumber {
  /** `+` and digits, or what can be dialled without it, which may contain `*` and `#`. */
  readonly number: string;
  /** The parameters of a tel URI, such as `;ext=5`; usually empty. */
  readonly parameters: string;
}

/** The length of the longest text that can be a number. */
export const MAX_NUMBER = 100;
const NUMBER = /^(?:tel:)?([^;]*)((?:;.*)?)$/is;
const BETWEEN_DIGITS = /[\s\-./()[\]]/g;
const DIALLED = /^(?:\+\d+|[\d*#]*\d[\d*#]*)$/;
const BYTE = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`);
const DASHES = /[\p{Pd}\u2212]/gu;
// Copied text contains marks that nobody sees, such as those for the direction of writing around a number.
const INVISIBLE = /\p{Cf}/gu;
const AROUND = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/** The number in a text, without what people write between digits. Undefined if the text is not a number. */
export function numberIn(text: string): WrittenNumber | undefined {
  if (text.length > MAX_NUMBER) return undefined;
  const plain = plainText(text);
  const [, written = '', parameters = ''] = NUMBER.exec(plain) ?? [];
  const number = written.replace(BETWEEN_DIGITS, '');
  return DIALLED.test(number) && !IPV4.test(plain) ? { number, parameters } : undefined;
}

/** The text with usual digits, dashes and spaces: `＋４９` is `+49`. */
export function plainText(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').replace(DASHES, '-').trim();
}

/** The length of the longest text that can be an address of record. */
export const MAX_ADDRESS = 320;

/**
 * An address of record as a SIP URI: `1001@sip.local` is `sip:1001@sip.local`. Other text is returned without the spaces
 * around it. Letters stay as they are, because a user may contain any.
 */
export function addressOf(text: string): string {
  if (text.length > MAX_ADDRESS) return text;
  const address = text.replace(AROUND, '');
  const [scheme] = /^sips?:/i.exec(address) ?? [];
  if (scheme !== undefined) return scheme.toLowerCase() + address.slice(scheme.length).trimStart();
  return /^[^:]+@[^@]+$/.test(address) ? `sip:${address}` : address;
}
