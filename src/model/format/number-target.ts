import { quote } from '../../errors';
import { addressOfRecordIn } from './address-of-record';
import { converted, list, text, type Format, type Value } from './format';
import { hostIn } from './host';
import { partsOfSipUri } from './sip-uri';

/** The most further targets of a number. */
const MAX_TARGETS = 8;
// Seconds. The SIP server gives up a call that nobody answers after 120 s.
const MAX_SECONDS = 120;
// Of an address of record, as the column for its user.
const MAX_ADDRESS = 255;

/** A further target of a number: whom a call reaches besides its address of record, or after it. */
export interface NumberTarget {
  /** The address of record, as a SIP URI, or the outside number, as a tel URI. */
  readonly target: string;
  /** Undefined for an outside number. */
  readonly address: { readonly user: string; readonly host: string } | undefined;
  /** An outside number, as +49301234; undefined for an address of record. */
  readonly outside: string | undefined;
  /** For how long the targets before ring without an answer until this one does; 0 if it rings together with them. */
  readonly after: number;
}

// No character has a meaning in JSON or in a list of the SIP server.
const USER = /^(?:[A-Za-z0-9\-_.!~*()&=+$/]|%[0-9A-Fa-f]{2})+$/;
const ENTRY = /^(\S+)(?:\s+after\s+(\d{1,4}))?$/i;
const EXPECTED = `an address such as sip:1002@sip.local or a number such as tel:+49301234, with "after" and 1 to ${String(MAX_SECONDS)} seconds if it does not ring together with the target before`;

function targetFormat(): Format {
  const convert = (given: string): string | undefined => {
    const [, target = '', seconds] = ENTRY.exec(given.trim()) ?? [];
    const uri = numberIn(target) ?? addressIn(target);
    const after = seconds === undefined ? undefined : Number(seconds);
    if (uri === undefined || (after !== undefined && (after < 1 || after > MAX_SECONDS))) return undefined;
    return after === undefined ? uri : `${uri} after ${String(after)}`;
  };
  return converted(text(300), convert, EXPECTED);
}

/** An outside number: a global number (RFC 3966), so that it means the same in every domain. */
function numberIn(target: string): string | undefined {
  const number = /^tel:(\+[0-9.()-]+)$/i.exec(target)?.[1]?.replace(/[.()-]/g, '');
  return number !== undefined && /^\+[1-9][0-9]{2,14}$/.test(number) ? `tel:${number}` : undefined;
}

function addressIn(target: string): string | undefined {
  if (!/^sip:[^@]+@[^@;?]+$/i.test(target)) return undefined;
  const { user, host } = partsOfSipUri(target);
  const domain = hostIn(host);
  const isPlain = target.length <= MAX_ADDRESS && target.slice(4) === `${user}@${host}`;
  return USER.test(user) && domain !== undefined && isPlain ? `sip:${user}@${domain}` : undefined;
}

/**
 * The targets after the first one, in order: addresses of record and outside numbers, each as `sip:1002@sip.local` or
 * `tel:+49301234 after 20`. Those without seconds ring together with the target before.
 */
export function numberTargets(): Format {
  const reachedBy = (entry: string): string => {
    const { target, address } = targetIn(entry);
    return address ? `${address.user}@${address.host}` : target;
  };
  return list(targetFormat(), {
    max: MAX_TARGETS,
    key: { of: reachedBy, said: (entry) => quote(targetIn(entry).target) },
  });
}

/** Reads targets that were normalised. */
export function targetsIn(value: Value | null | undefined): readonly NumberTarget[] {
  return Array.isArray(value) ? value.map((entry) => targetIn(String(entry))) : [];
}

function targetIn(entry: string): NumberTarget {
  const [target = '', seconds = '0'] = entry.split(' after ');
  const isOutside = target.startsWith('tel:');
  return {
    target,
    address: isOutside ? undefined : addressOfRecordIn(target),
    outside: isOutside ? target.slice('tel:'.length) : undefined,
    after: Number(seconds),
  };
}
