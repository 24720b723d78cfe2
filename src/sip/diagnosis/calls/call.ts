import { isIP } from 'node:net';

import { InvalidInputError, quote } from '../../../errors';
import { parseAddressOfRecord } from '../../../model/format/address-of-record';
import { addressOf, MAX_ADDRESS, numberIn } from '../../../spelling/written';

/** One end of a call, as From or the Request-URI of its INVITE names it. */
export interface End {
  /** As given. */
  readonly text: string;
  /** Unescaped; a number without what people write between digits. */
  readonly user: string;
  /** The user without the parameters of a number (RFC 3261, 19.1.6), which begin with a semicolon that is not escaped. */
  readonly number: string;
  /** Undefined for a number or a name without a domain. */
  readonly host: string | undefined;
}

/** A call to explain. */
export interface Call {
  readonly from: End;
  readonly to: End;
  /** The IP address from which the INVITE comes. */
  readonly source: string | undefined;
}

/** Reads the arguments of `explainCall`. Throws InvalidInputError. */
export function callIn(from: string, to: string, sourceAddress: string | undefined): Call {
  const source = sourceAddress?.trim();
  if (source !== undefined && !isSource(source))
    throw InvalidInputError.of('sourceAddress', `${quote(sourceAddress)} is not an IP address`);
  const caller = endIn('from', from);
  // The SIP server reads the host of From, but not that of a Request-URI, without a final dot.
  return { from: { ...caller, host: caller.host?.replace(/\.$/, '') }, to: endIn('to', to), source };
}

/** Whether an end of a call can be read from a text. */
export function isEnd(text: string): boolean {
  return read(text) !== undefined;
}

/** Whether a text is the IP address of a sender. */
export function isSource(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function endIn(name: string, text: string): End {
  const end = read(text);
  if (end) return { text, ...end };
  throw InvalidInputError.of(
    name,
    `${quote(text)} is not a number, a user name or an address of record such as 1001@sip.local`,
  );
}

/** Whether an end of a call is a SIPS URI, which is called with TLS only. */
export function isSips({ text }: End): boolean {
  return /^\s*sips:/i.test(text);
}

function read(text: string): Omit<End, 'text'> | undefined {
  if (text.length > MAX_ADDRESS) return undefined;
  // The parameters of a number may be in the user of an address.
  const number = text.includes('@') ? undefined : numberIn(text)?.number;
  if (number !== undefined) return { user: number, number, host: undefined };
  const written = addressOf(text);
  const address = parseAddressOfRecord(written);
  if (!address) return undefined;
  const { user, host } = address;
  return { user, number: parseAddressOfRecord(written.replace(PARAMETERS, '$1'))?.user ?? user, host };
}

// Of the user of a SIP URI.
const PARAMETERS = /^((?:sips?:)?[^;@]+);[^@]*(?=@|$)/i;
