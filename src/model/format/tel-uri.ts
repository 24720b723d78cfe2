import { TEL_URI } from '../../spelling/telephone';
import { MAX_NUMBER } from '../../spelling/written';
import { text, type Format } from './format';

/**
 * A tel URI (RFC 3966, 3): a global number with `+`, or a local one. A local number needs no `phone-context`, although
 * the RFC requires one: legacy clients send `tel:0000000000` (docs/rest-contract.md, section 2.8).
 */
export function telUrl(): Format {
  return text(MAX_NUMBER, { pattern: TEL_URI, expected: 'a tel URI (RFC 3966)' });
}

/** Dialed digits as they are, and without the international prefix 00, which stored numbers do not have. */
export function asDialed(digits: string): readonly string[] {
  return [...new Set([digits, digits.replace(/^00(?=.)/, '')])];
}

/** The digits of a tel URI, by which the SIP server routes calls: `tel:+1-706-604` is 1706604. */
export function telDigits(uri: string): string {
  return (uri.split(';', 1)[0] ?? '').replace(/\D/g, '');
}

/** The sign of a tel URI: `+`, or nothing for a local number, which gateways are sent with the digits that are stored. */
export function telSign(uri: string): string {
  return uri.startsWith('tel:+') ? '+' : '';
}

/** The number of a tel URI as gateways are sent it by default: `tel:+1-706-604` is +1706604. */
export function sentNumber(uri: string): string {
  return telSign(uri) + telDigits(uri);
}
