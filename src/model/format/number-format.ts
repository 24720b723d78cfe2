import { Metadata, getCountryCallingCode, type CountryCode } from 'libphonenumber-js/min';

import { isCountry } from '../../spelling/telephone';
import { converted, text, type Format, type Value } from './format';

const WITH_PLUS = 'E164';
const WITHOUT_PLUS = 'E164_NO_PLUS';

/**
 * How a provider writes numbers in SIP URIs: E164 (`+4930123`), E164_NO_PLUS (`4930123`), or as they are dialled in a
 * country, such as DE (`030123`, and `0033123` abroad).
 */
export function numberFormat(): Format {
  const convert = (given: string): string | undefined => {
    // In capitals, some other characters become two letters.
    const name = /^\w+$/.test(given) ? given.toUpperCase() : '';
    return [WITH_PLUS, WITHOUT_PLUS].includes(name) || isCountry(name) ? name : undefined;
  };
  return converted(text(16), convert, `${WITH_PLUS}, ${WITHOUT_PLUS} or a country such as DE (ISO 3166-1)`);
}

/** How a number with `+` is written. */
export interface NumberForm {
  /** Instead of `+` at the start of numbers of other countries. */
  readonly plus: string;
  /** The code of the country in which the provider is; null if it writes the numbers of all countries in the same way. */
  readonly country: string | null;
  /** Instead of `+` and `country`. */
  readonly trunk: string | null;
}

/**
 * The digits of a number as written and, if they differ, those of the number that they mean in a form: in that of DE,
 * `030123` means 4930123.
 */
export function digitsIn(written: string, { plus, country, trunk }: NumberForm): readonly string[] {
  const digits = written.replace(/\D/g, '');
  if (digits === '' || written.startsWith('+')) return [digits];
  const after = (beginning: string): string | undefined =>
    digits.startsWith(beginning) && digits.length > beginning.length ? digits.slice(beginning.length) : undefined;
  const abroad = plus === '+' || plus === '' || plus === '00' ? undefined : after(plus);
  // A leading 00 is read in numbers of all gateways.
  if (plus === '00' && after(plus) !== undefined) return [digits];
  const national = country === null ? undefined : after(trunk ?? '');
  const meant = abroad ?? (national === undefined ? undefined : `${country ?? ''}${national}`);
  return meant === undefined ? [digits] : [digits, meant];
}

/** The form of a value of `numberFormat`; undefined for E164, the default. */
export function numberFormOf(value: Value | undefined): NumberForm | undefined {
  if (typeof value !== 'string' || value === WITH_PLUS) return undefined;
  if (!isCountry(value)) return { plus: '', country: null, trunk: null };
  return { plus: prefixAbroad(value), country: getCountryCallingCode(value), trunk: trunkPrefix(value) };
}

/** The methods of the library's numbering plan that its types leave out. */
interface Plan {
  IDDPrefix(): string;
  defaultIDDPrefix(): string | undefined;
  nationalPrefix(): string | undefined;
  formats(): readonly { usesNationalPrefix(): boolean }[];
}

function planOf(country: CountryCode): Plan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  return metadata.numberingPlan as unknown as Plan; // a numbering plan has these methods since version 1.7
}

/** What is dialled before the code of another country. The library has a pattern for countries with several prefixes. */
function prefixAbroad(country: CountryCode): string {
  const plan = planOf(country);
  const prefix = (plan.defaultIDDPrefix() ?? plan.IDDPrefix()).replace('~', '');
  return /^\d+$/.test(prefix) ? prefix : '00';
}

/** What is dialled before a number of another town: empty where the numbers of the country are written without it. */
function trunkPrefix(country: CountryCode): string {
  const plan = planOf(country);
  return plan.formats().some((format) => format.usesNationalPrefix()) ? (plan.nationalPrefix() ?? '') : '';
}
