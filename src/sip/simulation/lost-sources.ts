import { isIP } from 'node:net';

import { raw, sql } from '../../database/fragment';
import type { Sql, SqlValue } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { destinationsIn } from '../../model/format/destination';
import type { Value } from '../../model/format/format';
import { placeOf } from '../../model/gateway-health';
import { denialOf, edgesOf, isWithin, lengthOf } from '../diagnosis/networks';
import { peersOf, TABLES } from '../kamailio/routing';
import { pacedRows } from './paced-rows';
import { isOneOf, refsOf, type PlannedChange } from './planned-change';

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

/** Reads from where the calls of changed gateways, peers and domains may come. Takes a statement for each kind. */
export async function acceptingOf(
  reads: Sql,
  changes: readonly PlannedChange[],
  pace: () => Promise<void>,
): Promise<readonly Accepting[]> {
  const { host } = placeOf('g');
  const of = (column: string, kind: Accepting['kind']): ReturnType<typeof isOneOf> =>
    isOneOf(column, refsOf(changes, kind).slice(0, MOST));
  const gateways = of('g.ref', 'Gateway').map(
    (
      one,
    ) => sql`SELECT g.ref, g.name, CASE WHEN ${raw(isEnabled('g'))} THEN 1 ELSE 0 END, ${raw(host)}, g.destinations, g.sources
      FROM gateways g WHERE ${one}`,
  );
  const peers = of('p.ref', 'Peer').map(
    (one) => sql`SELECT p.ref, p.name, CASE WHEN ${raw(isEnabled('p'))} THEN 1 ELSE 0 END, p.sources
      FROM ${raw(peersOf(TABLES))} AND ${one}`,
  );
  const domains = of('d.ref', 'Domain').map(
    (one) => sql`SELECT d.ref, d.name, CASE WHEN ${raw(isEnabled('d'))} THEN 1 ELSE 0 END,
      d.access_control_list_allow, d.access_control_list_deny FROM domains d WHERE ${one}`,
  );
  const named = ([ref, name, isOpen]: readonly SqlValue[]): Pick<Accepting, 'ref' | 'name' | 'isOpen'> => ({
    ...{ ref: String(ref), name: String(name), isOpen: Number(isOpen) === 1 },
  });
  return [
    ...(await pacedRows(reads, gateways, pace)).map((row): Accepting => ({
      ...{ kind: 'Gateway', ...named(row), denied: undefined },
      from: sourcesOfGateway(row.slice(3)),
    })),
    ...(await pacedRows(reads, peers, pace)).map((row): Accepting => ({
      kind: 'Peer',
      ...named(row),
      denied: undefined,
      from: textsIn(row[3]),
    })),
    ...(await pacedRows(reads, domains, pace)).map((row): Accepting => ({
      kind: 'Domain',
      ...named(row),
      from: textsIn(row[3]),
      denied: textsIn(row[4]),
    })),
  ];
}

/** From where calls of the provider of a gateway come, by its columns: host, destinations, sources. */
export function sourcesOfGateway([host, destinations, sources]: readonly (SqlValue | undefined)[]): readonly string[] {
  const places =
    destinations === null || destinations === undefined
      ? []
      : destinationsIn(JSON.parse(String(destinations)) as Value); // as stored
  const hosts = [String(host), ...places.map((each) => each.host)].map((each) => each.replace(/[[\]]/g, ''));
  return [...new Set([...hosts, ...textsIn(sources)])];
}

/** Compares from where calls may come. A deleted peer loses all its sources. */
export function lostSources(before: readonly Accepting[], after: readonly Accepting[]): readonly LostSources[] {
  const becomes = new Map(after.map((each) => [`${each.kind} ${each.ref}`, each]));
  return before.flatMap((was): readonly LostSources[] => {
    const { kind, ref, name, from, denied, isOpen } = was;
    const then = becomes.get(`${kind} ${ref}`);
    const isPeer = kind === 'Peer';
    if (!isOpen || (!isPeer && then?.isOpen !== true)) return [];
    const sources =
      denied === undefined
        ? networksLost(from, then?.isOpen === true ? then.from : [])
        : addressesLost({ allow: from, deny: denied }, { allow: then?.from ?? [], deny: then?.denied ?? [] });
    return sources.length === 0 ? [] : [{ kind, ref, name, lost: 'SOURCES', sources }];
  });
}

/** The networks and host names, of which something is in none of others. */
export function networksLost(from: readonly string[], others: readonly string[]): readonly string[] {
  const networks = others.filter(isNetwork);
  const edges = [...new Set([...from, ...networks].filter(isNetwork).flatMap(edgesOf))];
  const gone = edges.filter((edge) => !networks.some((each) => isWithin(edge, each)));
  return from.filter((each) => (isNetwork(each) ? gone.some((edge) => isWithin(edge, each)) : !others.includes(each)));
}

type Lists = Parameters<typeof denialOf>[1];

/** The entries of access control lists that tell addresses which are denied now. */
function addressesLost(before: Lists, after: Lists): readonly string[] {
  const entries = [before, after].flatMap(({ allow, deny }) => [...allow, ...deny]);
  const edges = [...new Set(entries.flatMap(edgesOf))];
  const gone = edges.filter((edge) => denialOf(edge, before) === undefined && denialOf(edge, after) !== undefined);
  const longest = (edge: string): string | undefined =>
    entries.filter((entry) => isWithin(edge, entry)).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
  return [...new Set(gone.flatMap((edge) => longest(edge) ?? []))];
}

function sizeOf(entry: string): number {
  return entry.split('/')[1]?.includes('.') === true ? 0 : lengthOf(entry);
}

function isNetwork(text: string): boolean {
  return isIP(text.split('/')[0] ?? '') !== 0;
}

function textsIn(value: SqlValue | undefined): readonly string[] {
  return value === null || value === undefined ? [] : (JSON.parse(String(value)) as string[]); // the format of the field
}
