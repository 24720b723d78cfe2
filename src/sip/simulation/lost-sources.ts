import { isIP } from 'node:net';

import { raw, sql } from '../../database/fragment';
import type { Row, Sql, SqlValue } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { placeOf } from '../../model/gateway-health';
import type { AccessList } from '../diagnosis/address-facts';
import { compare, addressRange, type AddressRange } from '../diagnosis/networks';
import { peersOf, TABLES } from '../kamailio/routing';
import { storedDestinations, storedTexts } from '../live/stored';
import { readPaced } from './paced-rows';
import { isOneOf, plannedRefs, type PlannedChange } from './planned-change';

/** A changed gateway, peer or domain, and from where its calls may come. */
export interface Accepting {
  readonly kind: 'Gateway' | 'Peer' | 'Domain';
  readonly ref: string;
  readonly name: string;
  /** Networks and host names. A domain accepts all addresses that its access control list does not deny. */
  readonly from: readonly string[];
  readonly denied: readonly string[] | undefined;
  /** Whether it takes calls at all. Of a gateway or domain that takes none, other losses tell. */
  readonly isOpen: boolean;
}

/** Networks from which calls are not accepted any more. */
export interface LostSources extends Pick<Accepting, 'kind' | 'ref' | 'name'> {
  readonly lost: 'SOURCES';
  readonly sources: readonly string[];
}

/** The most gateways, peers and domains of each kind that are compared. */
const MOST = 1000;
// Networks and host names that are compared between two turns of the event loop: a few milliseconds.
const TURN = 2000;

/** Reads from where the calls of changed gateways, peers and domains may come. Takes a statement for each kind. */
export async function acceptingOf(
  reads: Sql,
  changes: readonly PlannedChange[],
  pace: () => Promise<void>,
): Promise<readonly Accepting[]> {
  const read = async (
    kind: Accepting['kind'],
    [of, from, columns]: readonly [of: string, from: string, columns: string],
    sourcesOf: (values: Row) => Pick<Accepting, 'from'> & Partial<Pick<Accepting, 'denied'>>,
  ): Promise<readonly Accepting[]> => {
    const selects = isOneOf(`${of}.ref`, plannedRefs(changes, kind).slice(0, MOST)).map(
      (one) => sql`SELECT ${raw(`${of}.ref, ${of}.name, CASE WHEN ${isEnabled(of)} THEN 1 ELSE 0 END, ${columns}`)}
        FROM ${raw(from)} AND ${one}`,
    );
    return (await readPaced(reads, selects, pace)).map(([ref, name, isOpen, ...values]) => ({
      ...{ kind, ref: String(ref), name: String(name), isOpen: Number(isOpen) === 1, denied: undefined },
      ...sourcesOf(values),
    }));
  };
  const gateways = ['g', 'gateways g WHERE TRUE', `${placeOf('g').host}, g.destinations, g.sources`] as const;
  const lists = ['d', 'domains d WHERE TRUE', 'd.access_control_list_allow, d.access_control_list_deny'] as const;
  return [
    ...(await read('Gateway', gateways, (values) => ({ from: sourcesOfGateway(values) }))),
    ...(await read('Peer', ['p', peersOf(TABLES), 'p.sources'], ([sources]) => ({ from: storedTexts(sources) }))),
    ...(await read('Domain', lists, ([allow, deny]) => ({ from: storedTexts(allow), denied: storedTexts(deny) }))),
  ];
}

/** From where calls of the provider of a gateway come, by its columns: host, destinations, sources. */
export function sourcesOfGateway([host, destinations, sources]: readonly (SqlValue | undefined)[]): readonly string[] {
  const enabled = storedDestinations(destinations).filter((each) => each.enabled !== false);
  const hosts = [String(host), ...enabled.map((each) => each.host)].map((each) => each.replace(/[[\]]/g, ''));
  return [...new Set([...hosts, ...storedTexts(sources)])];
}

/** Compares from where calls may come. A deleted peer loses all its sources. `pace` is awaited between them. */
export async function lostSources(
  before: readonly Accepting[],
  after: readonly Accepting[],
  pace: () => Promise<void>,
): Promise<readonly LostSources[]> {
  const becomes = new Map(after.map((each) => [`${each.kind} ${each.ref}`, each]));
  const found: LostSources[] = [];
  let size = 0;
  for (const { kind, ref, name, from, denied, isOpen } of before) {
    const then = becomes.get(`${kind} ${ref}`);
    if (!isOpen || (kind !== 'Peer' && then?.isOpen !== true)) continue;
    const sources =
      denied === undefined
        ? networksLost(from, then?.isOpen === true ? then.from : [])
        : addressesLost({ allow: from, deny: denied }, { allow: then?.from ?? [], deny: then?.denied ?? [] });
    if (sources.length > 0) found.push({ kind, ref, name, lost: 'SOURCES', sources });
    size += [from, denied, then?.from, then?.denied].reduce((sum, each) => sum + (each?.length ?? 0), 0);
    if (size < TURN) continue;
    size = 0;
    await pace();
  }
  return found;
}

/** The networks and host names, of which something is in none of others. */
export function networksLost(from: readonly string[], others: readonly string[]): readonly string[] {
  const left = missingIn(others, from);
  if (!left.some(isNetwork)) return left;
  const lost = new Set<string>();
  for (const inside of partsOf([left, others].map((list) => list.filter(isNetwork))))
    if (inside.every(({ list }) => list === 0)) for (const { text } of inside) lost.add(text);
  return left.filter((each) => !isNetwork(each) || lost.has(each));
}

/** The entries of access control lists that tell addresses which are denied now. */
function addressesLost(before: AccessList, after: AccessList): readonly string[] {
  // Only what is denied newly, or allowed no longer, can be lost.
  if (missingIn(before.deny, after.deny).length === 0 && missingIn(after.allow, before.allow).length === 0) return [];
  const lists = [before.allow, before.deny, after.allow, after.deny];
  const lost = new Set<string>();
  for (const inside of partsOf(lists)) {
    const [wasAllowed, wasListed, isAllowed, isListed] = lists.map((_, place) =>
      inside.some(({ list }) => list === place),
    );
    const wasDenied = wasListed === true && wasAllowed !== true;
    const smallest = inside.at(-1);
    if (smallest && isListed === true && isAllowed !== true && !wasDenied) lost.add(smallest.text);
  }
  return [...new Set(lists.flat())].filter((each) => lost.has(each));
}

function missingIn(others: readonly string[], list: readonly string[]): readonly string[] {
  const known = new Set(others);
  return list.filter((each) => !known.has(each));
}

/** A range of one of some lists. */
interface Listed extends AddressRange {
  readonly text: string;
  /** The position of the list. */
  readonly list: number;
}

/**
 * Divides the addresses into parts that are in the same ranges. Yields these ranges for each part, the largest first. Of two ranges,
 * one contains the other or they have no address in common, so those that are open are a stack.
 */
function* partsOf(lists: readonly (readonly string[])[]): Generator<readonly Listed[]> {
  const ranges = lists.flatMap((texts, list) => texts.map((text): Listed => ({ ...addressRange(text), text, list })));
  const sorted = ranges.toSorted((a, b) => compare(a.first, b.first) || compare(b.last, a.last));
  const open: Listed[] = [];
  let start = 0n; // of the part
  const close = (end?: bigint): readonly (readonly Listed[])[] => {
    const parts: (readonly Listed[])[] = [];
    for (let top = open.at(-1); top && (end === undefined || top.last < end); top = open.at(-1)) {
      if (start <= top.last) parts.push([...open]);
      start = top.last + 1n;
      open.pop();
    }
    return parts;
  };
  for (const range of sorted) {
    yield* close(range.first);
    if (open.length > 0 && start < range.first) yield [...open];
    open.push(range);
    start = range.first;
  }
  yield* close();
}

function isNetwork(text: string): boolean {
  return isIP(text.split('/')[0] ?? '') !== 0;
}
