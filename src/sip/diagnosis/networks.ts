import { isIPv4 } from 'node:net';

import { IPv4, parse } from 'ipaddr.js';

import type { AccessList } from './address-facts';

/** An IPv6 address, or an IPv4 address mapped to IPv6 (RFC 4291, 2.5.5.2). */
function bytesOf(address: string): readonly number[] {
  const bytes = parse(address).toByteArray();
  return bytes.length === 16 ? bytes : [...new Array<number>(10).fill(0), 255, 255, ...bytes];
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 255));
}

/**
 * Whether an address is in a range: an address, a CIDR block or `ip/mask`. As in Kamailio's view `acl`, a mapped IPv4
 * address or block counts as IPv4, and no IPv6 block contains IPv4 addresses.
 */
function isWithin(address: string, range: string): boolean {
  const [network = '', size] = range.split('/');
  const [bytes, first] = [bytesOf(address), bytesOf(network)];
  const bits = prefixIn(network, size);
  if (isMapped(bytes) !== (isMapped(first) && bits >= 96)) return false;
  return bytes.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * index));
    return byte >> (8 - kept) === (first[index] ?? 0) >> (8 - kept);
  });
}

/** The length of the prefix of a range, in bits of an IPv6 address. */
function prefixIn(network: string, size: string | undefined): number {
  return size === undefined ? 128 : (isIPv4(network) ? 96 : 0) + prefixOf(size);
}

function prefixOf(size: string): number {
  return size.includes('.') ? (IPv4.parse(size).prefixLengthFromSubnetMask() ?? 0) : Number(size);
}

/** Whether two IP addresses are the same. An IPv6 address may be in brackets. */
export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/[[\]]/g, ''));
  return isIPv4(a ?? '') === isIPv4(b ?? '') && bytesOf(a ?? '').join() === bytesOf(b ?? '').join();
}

/** The first of the sources that contains an address, as Kamailio's `is_in_subnet` decides. */
export function sourceWith(address: string, sources: readonly string[]): string | undefined {
  return sources.find((source) => isIPv4(source.split('/')[0] ?? '') === isIPv4(address) && isWithin(address, source));
}

/** All networks that contain an address, by their bits as in the view `sources`, but for those that contain all addresses. */
export function bitsOf(address: string): readonly string[] {
  const bytes = parse(address).toByteArray();
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const family = bytes.length === 4 ? '4' : '6';
  return Array.from({ length: 8 * bytes.length }, (_, index) => {
    const length = index + 1;
    const whole = Math.floor(length / 4);
    const size = 2 ** (4 - (length % 4));
    const part = Math.floor(parseInt(digits.charAt(whole), 16) / size) * size;
    return `${family}/${String(length)}/${digits.slice(0, whole)}${length % 4 === 0 ? '' : part.toString(16)}`;
  });
}

/** How many bits an address must share with a source. */
export function prefixLength(source: string): number {
  const [address = '', size] = source.split('/');
  return size === undefined ? (isIPv4(address) ? 32 : 128) : Number(size);
}

/** The entry of an access control list that denies an address; undefined if the address is allowed. */
export function denialOf(address: string, { allow, deny }: AccessList): string | undefined {
  if (allow.some((range) => isWithin(address, range))) return undefined;
  return deny.find((range) => isWithin(address, range));
}

/** The first and the last address of a range. */
export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Returns whether an address is in one of many networks. */
export function among(networks: readonly string[]): (address: string) => boolean {
  const sorted = networks
    .map(addressRange)
    .toSorted((one, other) => compare(one.first, other.first) || compare(other.last, one.last));
  // Of two networks, one contains the other or they have no address in common.
  const outer = sorted.reduce<AddressRange[]>((kept, range) => {
    if ((kept.at(-1)?.last ?? -1n) < range.first) kept.push(range);
    return kept;
  }, []);
  return (address) => {
    const { first } = addressRange(address);
    let [low, high] = [0, outer.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((outer[middle]?.last ?? 0n) < first) low = middle + 1;
      else high = middle;
    }
    const found = outer[low];
    return found !== undefined && found.first <= first;
  };
}

/** Orders addresses. */
export function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

// IPv6 addresses come after all IPv4 ones, so that no IPv6 block contains IPv4 addresses.
const IPV6 = 1n << 128n;

/** Parses a range, which contains the addresses that `isWithin` finds in it. */
export function addressRange(range: string): AddressRange {
  const [network = '', size] = range.split('/');
  const bytes = bytesOf(network);
  const bits = prefixIn(network, size);
  const rest = (1n << BigInt(128 - bits)) - 1n;
  const value = BigInt(`0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);
  const first = (value & ~rest) + (isMapped(bytes) && bits >= 96 ? 0n : IPV6);
  return { first, last: first + rest };
}
