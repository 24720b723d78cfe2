import { AsYouType, isSupportedCountry, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min';

import { addressOf, MAX_NUMBER, numberIn, plainText } from './written';

const VISUAL = '[-.()]';
const GLOBAL = `\\+${VISUAL}*\\d(?:\\d|${VISUAL})*`;
const LOCAL = `(?:[0-9A-Fa-f*#]|${VISUAL})*[0-9A-Fa-f*#](?:[0-9A-Fa-f*#]|${VISUAL})*`;
const PARAMETER = ";[A-Za-z0-9-]+(?:=[A-Za-z0-9\\-_.!~*'()\\[\\]/:&+$%]+)?";

/** A tel URI (RFC 3966, 3). A local number needs no `phone-context` (model/format/tel-uri.ts says why). */
export const TEL_URI = new RegExp(`^tel:(?:${GLOBAL}|${LOCAL})(?:${PARAMETER})*$`);

/** A country as ISO 3166-1 names it, such as `DE`. */
export type Country = CountryCode;

/** Whether the numbers of the country are known. */
export function isCountry(name: string): name is Country {
  return isSupportedCountry(name);
}

/** Without `+`, what is shorter may be an extension, or a user name. */
const SHORTEST = 7;
/** `00` before the code of a country. No code begins with 0. */
const WITH_ZEROS = new RegExp(`^00([1-9]\\d{${String(SHORTEST - 1)},})$`);

/**
 * A number as a tel URI. `home` is the country in which `030 1234567` and `011 44 …` are written. What is a tel URI
 * already stays as it is, and so does what is no number.
 */
export function telUrlOf(text: string, home: Country | undefined): string {
  if (text.length > MAX_NUMBER) return text;
  const plain = plainText(text);
  if (TEL_URI.test(plain)) return plain;
  const written = numberIn(text);
  const uri = written && `tel:${international(written.number, home)}${written.parameters}`;
  return uri !== undefined && TEL_URI.test(uri) ? uri : text;
}

/** A number with `+`, or as it is if it has none: `0049301234567` is `+49301234567`, and `1001` is `1001`. */
export function international(number: string, home: Country | undefined): string {
  const isGlobal = number.startsWith('+');
  if (/[*#]/.test(number) || (!isGlobal && number.length < SHORTEST)) return number;
  const parsed = parse(number, home);
  if (parsed?.isValid() === true && (isGlobal || isNational(number, parsed))) return parsed.number;
  const [, rest] = WITH_ZEROS.exec(number) ?? [];
  return rest === undefined ? number : international(`+${rest}`, undefined);
}

/**
 * The texts with which the beginning or another part of a number may be stored, without repetition: as it is written,
 * and with the code of the home country instead of the prefix that is dialled there.
 */
export function partsOf(text: string, home: Country | undefined): readonly string[] {
  const number = numberIn(text)?.number;
  if (number === undefined) return [text];
  return [...new Set([text, number, international(number, home), completeDigits(number, home)])];
}

/** The number of a tel URI for people, in groups: `tel:+49301234567` is `+49`, `30` and `1234567`. */
export function groupsOf(telUrl: string): readonly string[] {
  const { number, parameters } = numberIn(telUrl) ?? { number: telUrl.replace(/^tel:/i, ''), parameters: '' };
  const parsed = number.startsWith('+') ? parse(number, undefined) : undefined;
  const isKnown = parsed?.isValid() === true && parsed.number === number;
  const groups = isKnown ? parsed.formatInternational().split(/[\s-]+/) : [number];
  return parameters === '' ? groups : [...groups, parameters];
}

/** The value for one of WRITTEN_FIELDS, as people write it, as the graph requires it. Others stay as they are. */
export function valueFor(field: string, text: string, home: Country | undefined): string {
  if (field === 'telUrl' || field === 'lastTelUrl') return telUrlOf(text, home);
  return field === 'aorLink' ? addressOf(text) : text;
}

function parse(number: string, home: Country | undefined) {
  return parsePhoneNumberFromString(number, { extract: false, ...(home && { defaultCountry: home }) });
}

/**
 * Whether a number is written as people of the country write it. In Germany, `234567` without `0` is a number in the same
 * town, which is not known, although `+49234567` would be a valid number.
 */
function isNational(number: string, parsed: NonNullable<ReturnType<typeof parse>>): boolean {
  if (number !== parsed.nationalNumber) return true;
  const formatted = parsed.formatNational();
  // What has no groups is in no format of the country.
  return formatted !== number && formatted.replace(/\D/g, '') === number;
}

/** A number with `+` of which there may be the first digits only. */
function completeDigits(number: string, home: Country | undefined): string {
  const zeros = /^00([1-9]\d*)$/.exec(number)?.[1];
  if (zeros !== undefined) return `+${zeros}`;
  const typed = new AsYouType(home);
  typed.input(number);
  return typed.getNumber()?.number ?? number;
}
