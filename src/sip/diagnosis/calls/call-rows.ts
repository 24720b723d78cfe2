import { isIP } from 'node:net';

import { COLLATIONS } from '../../../database/ddl';
import type { Product } from '../../../database/driver';
import { FALSE, list, raw, sql, unionAll, type Fragment } from '../../../database/fragment';
import { numberOrNull, pad, textOrNull, type Reads, type Row, type SqlValue } from '../../../database/sql';
import { anywhere, JAVASCRIPT, PatternError, writePattern } from '../../../filter/pattern/pattern';
import { parsePattern } from '../../../filter/pattern/parse';
import { isEnabled } from '../../../model/enabled';
import { MAX_PREFIX } from '../../../model/format/number-prefix';
import { dailyMinutesIn, type DailyMinutes } from '../../../model/format/daily-minutes';
import type { NumberForm } from '../../../model/format/number-format';
import { asDialed } from '../../../model/format/tel-uri';
import { placeOf, type HealthState } from '../../../model/gateway-health';
import {
  attemptsOf,
  calledFor,
  egressOf,
  isRange,
  numbersAt,
  numbersOfAgents,
  numbersOfPeers,
  OWN_NUMBER,
  peersOf,
  quirksOf,
  rangeHolding,
  routesOf,
  signOf,
  TABLES,
  TAKES_CALLS_OF_ROUTE,
  TURN,
  writtenFor,
} from '../../kamailio/routing';
import { DISABLED, sourcesOf } from '../../kamailio/sources';
import { dayOf } from '../../calls/limit-reader';
import { CONTACT_COLUMNS, isOfNode, toContact, type Contact } from '../../live/contact';
import { scanTable } from '../../live/scan';
import { storedDestinations, storedTexts } from '../../live/stored';
import type { AddressFacts } from '../facts';
import { bitsOf, isSameAddress, prefixLength, sourceWith } from '../networks';
import { isSameForm, meantDigits } from '../number-forms';
import { inOwnRows, numbersAmong } from '../ranges';
import type { End } from './call';
import { placesToTry, placesOf, type Gateway, type Place } from './places';

/** Why a gateway takes no calls. */
type Closed = 'disabled' | 'draining';

/** Why a place takes no calls: its gateway takes none, or it is a destination that is draining. */
type ClosedPlace = Closed | 'destination';

/** A number with the called digits. */
export interface NumberRow {
  readonly rowId: number;
  readonly digits: string;
  readonly telUrl: string;
  readonly aorLink: string;
  /** The further targets, as stored. */
  readonly furtherTargets: string;
  readonly gatewayId: number;
  readonly gatewayRef: string;
  readonly gatewayName: string;
  readonly gatewayHost: string;
  /** The hosts of its destinations that are enabled, and of those that are not. */
  readonly otherHosts: readonly string[];
  readonly disabledHosts: readonly string[];
  readonly registeredAt: string;
  readonly sources: readonly string[];
  readonly isEnabled: boolean;
  /** Why the gateway takes no calls; undefined if it does. */
  readonly gatewayClosed: Closed | undefined;
  /** How its gateway writes numbers. */
  readonly form: NumberForm;
  /** Whether it is a range. Then, `digits` are those that were called. */
  readonly isRange: boolean;
}

/** Through which gateways the calls of a domain to a dialed number leave. */
export interface WaysOut {
  /** What decided: a route, or the egress policy, whether it matches the number or not; undefined for neither. */
  readonly by:
    | { readonly prefix: string; readonly isEmergency: boolean; readonly routeId: number }
    | { readonly rule: string; readonly isCallable: boolean }
    | undefined;
  /** The number that is called there. */
  readonly number: string;
  /** In the order of the attempts. */
  readonly ways: readonly WayOut[];
}

/** A number, and a place of the gateway through which calls leave. */
export interface WayOut {
  /** The number that the caller shows. */
  readonly numberId: number;
  readonly telUrl: string;
  readonly gatewayId: number;
  readonly gatewayName: string;
  /** The host of the place. */
  readonly gatewayHost: string;
  readonly port: number | null;
  readonly transport: string;
  /** The health of the place. */
  readonly health: HealthState;
  /** In how many percent of the calls it comes before the others of the same turn and priority; null if there are none. */
  readonly share: number | null;
  /** Ways with the same lot: which of them comes first is random. Null for those that never come first among others. */
  readonly lot: number | null;
  /** Why the place does not take the call; undefined if it does. */
  readonly closed: ClosedPlace | undefined;
  /** Whether it is a destination that is disabled, which only an emergency call tries. */
  readonly isDisabled: boolean;
  /** Whether the minutes of today of the gateway to the number are used. */
  readonly isSpent: boolean;
  /** Where the INVITE is sent: the outbound proxy, or the host. The port 0 is that of the transport. */
  readonly via: string;
  readonly viaPort: number;
  /** The host in From; empty if it is that of the gateway. */
  readonly fromDomain: string;
  /** The number that is called, and the number of the caller, as the gateway expects them. */
  readonly called: string;
  readonly shown: string;
  /** The number that sends the call out, as the gateway expects it; meaningless for other calls. */
  readonly diverting: string;
}

/** Who calls: one of them, or neither. */
export interface Caller {
  readonly agentId: number | null;
  readonly peerId: number | null;
  /** The user in From, unescaped. */
  readonly user: string;
}

/** A device that the SIP server calls, and where. */
export interface Device {
  readonly contact: Contact;
  readonly requestUri: string;
  /** The SIP URI of its address; null if only the SIP server knows it. */
  readonly nextHop: string | null;
}

/** The peer that has a source address. */
export interface SourcePeer {
  readonly peerId: number;
  readonly username: string;
  /** Whether it is disabled, so that a call from there is challenged. */
  readonly isDisabled: boolean;
  /** Its network that contains the address. */
  readonly network: string;
}

/** What a phone may dial as a number. */
export const DIALED = /^\+?[0-9().-]*[0-9][0-9().-]*$/;
/** The longest number or name that can leave. */
const MAX_CALLED = 64;
// What is neither a number nor a name is not sent to a provider, which might read a number in it.
const NAME = /^[A-Za-z][ -~]*$/;
export const NO_WAY: WaysOut = { by: undefined, number: '', ways: [] };
const CLOSED = `CASE WHEN NOT ${isEnabled('g')} THEN 'disabled' WHEN g.draining THEN 'draining' END`;
/** What an attempt has of its gateway and of the number of its route or policy, as `quirksOf` names it. */
const WAY = `n.id AS number_id, CONCAT(${signOf('n')}, n.tel_digits) AS number, g.id AS gateway_id, g.ref AS gw_ref, g.name AS name, g.host AS host,
  g.port AS port, LOWER(g.transport) AS transport, g.destinations AS destinations, g.outbound_host AS proxy,
  g.daily_minutes AS minutes,
  ${quirksOf({ host: 'g.host', port: 'COALESCE(g.port, 0)' })}`;
/** A call that leaves. */
interface Calling {
  readonly called: string;
  /** The number in it, by which minutes count; empty if it is none. */
  readonly number: string;
  readonly caller: Caller;
  readonly isEmergency: boolean;
  readonly diverting: string;
}

/** Nobody with a number of their own. */
export const NOBODY: Caller = { agentId: null, peerId: null, user: '' };

/** Reads the rows by which the SIP server decides on a call (kamailio/routing.ts). */
export class CallRows {
  /** `node` is the node of the SIP server where calls arrive, as host:port. Undefined if there is only one node. */
  constructor(
    private readonly sql: Reads,
    private readonly node: string | undefined,
    private readonly product: Product,
    /** The time of the call, in milliseconds since the epoch. */
    private readonly clock: () => number,
    /** Whether that is now, so that it is known which minutes of today are used. */
    private readonly isNow: boolean,
  ) {}

  /**
   * The numbers with these digits, or with those after a leading 00, in the order of creation; without any, the ranges in which
   * they are.
   */
  async numbersWith(digits: string): Promise<readonly NumberRow[]> {
    if (digits === '') return [];
    const global = /^00./.test(digits) ? digits.slice(2) : digits;
    return inOwnRows(await this.numbersAmong([digits, global]), [digits, global]);
  }

  /** The numbers that a number means at their gateways, in whose format it is written (see route[IN_FORMS]). */
  async numbersMeant(written: string): Promise<readonly NumberRow[]> {
    const found: NumberRow[] = [];
    for (const { digits, form } of await meantDigits(this.sql, written))
      found.push(...(await this.numbersWith(digits)).filter((row) => isSameForm(row.form, form)));
    return found;
  }

  private async numbersAmong(digits: readonly string[]): Promise<readonly NumberRow[]> {
    const { text, values } = numbersAmong(digits);
    const rows = await this.sql.rows(
      `SELECT n.id, n.tel_digits, n.aor_link, g.id, g.ref, g.name, ${placeOf('g').host}, COALESCE(r.ip, ''), COALESCE(g.sources, '[]'),
         n.tel_url, g.destinations, CASE WHEN ${isEnabled('n')} THEN 1 ELSE 0 END, ${CLOSED}, COALESCE(n.further_targets, '[]'),
         n.last_tel_url, g.number_plus, g.number_country, g.number_trunk FROM (${text}) w CROSS JOIN ${numbersAt(TABLES, '?')} AND n.id = w.id ORDER BY n.id LIMIT 100`,
      [...values, this.clock()],
    );
    return rows.map(toNumberRow);
  }

  /**
   * The ways out of a domain to a number or a name: those of an emergency route, or else of the route of the longest prefix,
   * or else of the egress policy, as route[EGRESS] reads them. `diverting` is the number that sends the call out, with its sign.
   */
  async waysOut(
    domain: string,
    { user, number: written }: Pick<End, 'user' | 'number'>,
    caller: Caller,
    diverting = '',
  ): Promise<WaysOut> {
    const number = dialedNumber(written);
    const called = number === '' ? user : withoutSeparators(written);
    const [routes, policies] = await Promise.all([
      number === '' ? [] : this.routesTo(domain, number),
      this.sql.rows(
        `SELECT d.egress_policy_rule FROM ${egressOf(TABLES)} WHERE ${isEnabled('d')} AND d.domain_uri = ?`,
        [domain],
      ),
    ]);
    const [route] = routes;
    // The parameters of an emergency number may be long.
    if (called.length > MAX_CALLED && Number(route?.[2]) !== 1) return { ...NO_WAY, number: called };
    if (route) {
      const [routeId, prefix, isEmergency] = route;
      const by = { prefix: String(prefix), isEmergency: Number(isEmergency) === 1, routeId: Number(routeId) };
      const attempts = sql`SELECT ${raw(WAY)}, m.position AS position, ${raw(TURN)} AS turn, sh.weight AS share,
        CASE WHEN NOT ${raw(TAKES_CALLS_OF_ROUTE)} THEN ${raw(CLOSED)} END AS closed
        FROM ${raw(attemptsOf(TABLES, String(this.clock())))} WHERE m.route_id = ${Number(routeId)}`;
      return {
        by,
        number,
        ways: await this.writeAttempts(attempts, {
          called: number,
          number,
          caller,
          isEmergency: by.isEmergency,
          diverting,
        }),
      };
    }
    const [policy] = policies;
    if (!policy) return { ...NO_WAY, number: called };
    const rule = String(policy[0]);
    const by = { rule, isCallable: number !== '' || NAME.test(user) };
    if (!by.isCallable || !isMatch(rule, called)) return { by, number: called, ways: [] };
    const attempt = sql`SELECT ${raw(WAY)}, 0 AS position, 0 AS turn, NULL AS share, ${raw(CLOSED)} AS closed
      FROM ${raw(egressOf(TABLES))} WHERE d.domain_uri = ${domain}`;
    return {
      by,
      number: called,
      ways: await this.writeAttempts(attempt, {
        called,
        number: chargedNumber({ user, number: written }),
        caller,
        isEmergency: false,
        diverting,
      }),
    };
  }

  /** The attempts that a statement selects, in their order, written as route[EGRESS] does. */
  private async writeAttempts(attempts: Fragment, calling: Calling): Promise<readonly WayOut[]> {
    const { called, caller, isEmergency, diverting } = calling;
    const isNumber = /^\+?[0-9*#]+$/.test(called) ? 1 : 0;
    const { text, values } = sql`WITH c AS (${numbersOf(caller)}), w AS (${attempts}),
      v AS (SELECT w.*, ${called} AS called, ${isNumber} AS is_number, ${isEmergency ? 1 : 0} AS urgent, ${diverting} AS diverting FROM w),
      o AS (SELECT w.*, ${raw(OWN_NUMBER)} AS own FROM v w)
      SELECT s.id, s.tel_url, o.gateway_id, o.name, o.gw_ref, o.host, o.port, o.transport, o.destinations, o.closed, o.proxy,
        o.via_port, o.from_domain, ${raw(calledFor('o', 'o.called', 'o.is_number'))},
        ${raw(writtenFor('o', 'o.own'))}, ${raw(writtenFor('o', 'o.diverting'))}, o.minutes, o.turn, o.share
      FROM o JOIN numbers s ON s.id = CASE WHEN o.own = o.number THEN o.number_id
        ELSE (SELECT MIN(c.id) FROM c WHERE c.gw_ref = o.gw_ref AND c.number = o.own) END
      ORDER BY o.position`;
    return this.waysIn(await this.sql.rows(text, values), calling);
  }

  /**
   * The peer that calls from an address without a digest, as route[SOURCE_PEER] finds it: the longest network that contains the
   * address is one of its sources. Does not know the addresses of host names.
   */
  sourcePeer(address: string): Promise<SourcePeer | undefined> {
    const { product } = this;
    return product === 'sqlite' ? this.searchedPeer(address) : this.peerAt(address, COLLATIONS[product]);
  }

  /** Reads what the view `sources` selects. */
  private async peerAt(address: string, collation: string): Promise<SourcePeer | undefined> {
    const [source] = await scanTable(
      this.sql,
      'peers',
      sql`SELECT s.owner, s.network FROM (${raw(sourcesOf(TABLES, collation, 'all'))}) s WHERE s.bits IN (${list(bitsOf(address))})
        ORDER BY s.length DESC, s.place LIMIT 1`,
    );
    const [owner, network] = source ?? [];
    if (owner === undefined || owner === '') return undefined;
    const isDisabled = String(owner).startsWith(DISABLED);
    const ref = String(owner).slice(isDisabled ? DISABLED.length : 0);
    const rows = await this.sql.rows('SELECT id, username FROM peers WHERE ref = ?', [ref]);
    return rows.map(([id, username]) => ({
      peerId: Number(id),
      username: String(username),
      isDisabled,
      network: String(network),
    }))[0];
  }

  /** SQLite has no functions for networks. */
  private async searchedPeer(address: string): Promise<SourcePeer | undefined> {
    const peers = await scanTable(
      this.sql,
      'peers',
      sql`SELECT p.id, p.username, p.sources, CASE WHEN ${raw(isEnabled('p'))} THEN 0 ELSE 1 END FROM ${raw(peersOf(TABLES))}
        AND p.sources IS NOT NULL ORDER BY p.id`,
    );
    const found = peers.flatMap(([id, username, sources, disabled]) =>
      longest(address, storedTexts(sources)).map((network) => ({
        peerId: Number(id),
        username: String(username),
        isDisabled: Number(disabled) === 1,
        network,
      })),
    );
    const [peer] = found.toSorted(
      (one, other) =>
        prefixLength(other.network) - prefixLength(one.network) || Number(one.isDisabled) - Number(other.isDisabled),
    );
    if (!peer) return undefined;
    const { host } = placeOf('g');
    const gateways = await scanTable(
      this.sql,
      'gateways',
      sql`SELECT ${raw(host)}, COALESCE(g.sources, '[]'), g.destinations FROM gateways g WHERE g.sources IS NOT NULL
        OR g.destinations IS NOT NULL OR g.outbound_host IS NOT NULL OR g.host LIKE '[%' OR g.host = ${address}`,
    );
    const registrations = await this.sql.rows(
      'SELECT ip FROM gateway_registrations WHERE ip = ? AND expires_at > ? LIMIT 1',
      [address, this.clock()],
    );
    const isOfGateway =
      registrations.length > 0 ||
      gateways.some(
        ([name, sources, destinations]) =>
          [String(name), ...storedDestinations(destinations).map((each) => each.host)].some(
            (each) => isIP(hostOf(each)) !== 0 && isSameAddress(each, address),
          ) ||
          longest(address, storedTexts(sources)).some((network) => prefixLength(network) >= prefixLength(peer.network)),
      );
    return isOfGateway ? undefined : peer;
  }

  /** The devices of an address of record, in the order in which the SIP server calls them. */
  async devicesAt({ user, host }: AddressFacts): Promise<readonly Device[]> {
    const rows = await this.sql.rows(
      `SELECT l.path, ${CONTACT_COLUMNS} FROM location l WHERE l.username = ? AND l.domain = ? AND l.expires > ?
       ORDER BY l.q DESC, l.id LIMIT 100`,
      [user, host, Math.floor(this.clock() / 1000)],
    );
    const isHere = (row: Row): boolean => this.node === undefined || isOfNode(String(row[9] ?? ''), this.node);
    return rows.filter(isHere).map((row) => {
      const [path, received] = [row[0], row[5]].map((value) => String(value ?? ''));
      const requestUri = String(row[4]);
      return {
        contact: toContact(row, 1),
        requestUri,
        nextHop: /<([^>]*)>/.exec(path ?? '')?.[1] ?? (received === '' ? null : received) ?? numericIn(requestUri),
      };
    });
  }

  /** The places to which a call goes, in the order of the attempts. */
  private async waysIn(rows: readonly Row[], { number, isEmergency }: Calling): Promise<readonly WayOut[]> {
    const spent = isEmergency || !this.isNow ? new Set<string>() : await this.spentGateways(rows, number);
    const closedBy = ({ closed }: Pick<WayOut, 'closed'>, { isDraining }: Place): ClosedPlace | undefined =>
      closed ?? (isDraining && !isEmergency ? 'destination' : undefined);
    const ways = rows.map((row) => {
      const way = toWay(row);
      const isSpent = spent.has(String(row[4]));
      const isClosed = (place: Place): boolean => isSpent || closedBy(way, place) !== undefined;
      const places = placesOf(toGateway(row), isEmergency);
      const [turn = 0, weight] = row.slice(-2).map(numberOrNull);
      return { way: { ...way, isSpent }, turn: turn ?? 0, weight: weight ?? undefined, places, isClosed };
    });
    const health = await this.healthOf(ways.flatMap(({ places }) => places));
    return placesToTry(ways, (place) => health.get(keyOf(place)) ?? 'UNKNOWN').map(
      ({ way, place, state, share, lot }) => ({
        ...way,
        gatewayHost: place.host,
        port: place.port,
        transport: place.transport,
        via: place.via,
        viaPort: place.viaPort,
        health: state,
        share,
        lot,
        closed: closedBy(way, place),
        isDisabled: place.isDisabled,
      }),
    );
  }

  /** The refs of the gateways whose minutes of today to a number are used, so that they leave their attempts to others. */
  private async spentGateways(rows: readonly Row[], number: string): Promise<ReadonlySet<string>> {
    const limited = rows.flatMap(([, , , , ref, ...more]): readonly (readonly [string, readonly DailyMinutes[]])[] => {
      const minutes = more.at(-3);
      return typeof minutes === 'string' ? [[String(ref), dailyMinutesIn(storedTexts(minutes))]] : [];
    });
    if (limited.length === 0) return new Set();
    const { text, values } = sql`SELECT ref, prefix, seconds FROM used_minutes
      WHERE day = ${dayOf(Date.now())} AND kind = 'Gateway' AND ref IN (${list(pad([...new Map(limited).keys()], ''))})`;
    const used = new Map(
      (await this.sql.rows(text, values)).map(([ref, prefix, seconds]) => [
        `${String(ref)}|${String(prefix)}`,
        Number(seconds),
      ]),
    );
    const isUsed = (ref: string, { prefix, minutes }: DailyMinutes): boolean =>
      isCharged(number, prefix) && (used.get(`${ref}|${prefix}`) ?? 0) >= minutes * 60;
    return new Set(limited.flatMap(([ref, minutes]) => (minutes.some((each) => isUsed(ref, each)) ? [ref] : [])));
  }

  /** What is known of places, by their keys. */
  private async healthOf(places: readonly Place[]): Promise<ReadonlyMap<string, HealthState>> {
    const refs = pad([...new Set(places.map(({ gatewayRef }) => gatewayRef))], '');
    const from = (table: string): Fragment =>
      sql`SELECT gw_ref, host, port, transport, state FROM ${raw(table)} WHERE gw_ref IN (${list(refs)}) AND expires_at > ${this.clock()}`;
    const { text, values } = sql`${from('gateway_health')} UNION ALL ${from('destination_health')}`;
    const found = await this.sql.rows(text, values);
    return new Map(
      found.map(([ref, host, port, transport, state]) => [
        [ref, host, port, transport].join('|'),
        state as HealthState,
      ]),
    ); // the SIP server stores no others
  }

  private routesTo(domain: string, number: string): Promise<readonly Row[]> {
    const prefixes = Array.from({ length: MAX_PREFIX + 1 }, (_, length) => number.slice(0, length));
    const { text, values } =
      sql`SELECT r.id, r.prefix, COALESCE(r.emergency, FALSE) AS urgent FROM ${raw(routesOf(TABLES))}
      WHERE d.domain_uri = ${domain} AND r.prefix IN (${list(prefixes)})
        AND (COALESCE(r.emergency, FALSE) = FALSE OR r.prefix = ${number})
      ORDER BY urgent DESC, LENGTH(r.prefix) DESC LIMIT 1`;
    return this.sql.rows(text, values);
  }
}

/** The numbers that the caller may show, each through its own gateway, as route[CALLERS] selects them. */
function numbersOf({ agentId, peerId, user }: Caller): Fragment {
  const columns = raw(`k.id AS id, g.ref AS gw_ref, CONCAT(${signOf('k')}, k.tel_digits) AS number`);
  if (agentId !== null) return sql`SELECT ${columns} FROM ${raw(numbersOfAgents(TABLES))} WHERE a.id = ${agentId}`;
  const digits = DIALED.test(user) ? user.replace(/\D/g, '') : '';
  const shown = asDialed(digits);
  const own = digits === '' ? FALSE : sql`NOT ${raw(isRange('k'))} AND k.tel_digits IN (${list(shown)})`;
  const rows = sql`SELECT ${columns} FROM ${raw(numbersOfPeers(TABLES))} WHERE p.id = ${peerId ?? 0} AND ${own}`;
  // Of a range, the caller shows that very number, unless it has a row of its own.
  const ranges = shown
    .filter((each) => each !== '')
    .map(
      (
        each,
      ) => sql`SELECT k.id AS id, g.ref AS gw_ref, CONCAT(${raw(signOf('k'))}, ${each}) AS number FROM ${raw(numbersOfPeers(TABLES))}
      WHERE p.id = ${peerId ?? 0} AND k.id = ${rangeHolding(each)} AND NOT EXISTS (
        SELECT 1 FROM numbers x WHERE x.tel_digits IN (${list(shown)}) AND NOT ${raw(isRange('x'))})`,
    );
  return unionAll([rows, ...ranges]);
}

/** The longest of the sources that contain an address, if there is one. */
export function longest(address: string, sources: readonly string[]): readonly string[] {
  const found = sources.filter((source) => sourceWith(address, [source]) !== undefined);
  return found.toSorted((one, other) => prefixLength(other) - prefixLength(one)).slice(0, 1);
}

/** Whether the rule of an egress policy matches a number. */
export function isMatch(rule: string, number: string): boolean {
  try {
    // The databases search for the rule in the number, with the same result (filter/pattern).
    return new RegExp(writePattern(anywhere(parsePattern(rule)), JAVASCRIPT), 'u').test(number);
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** The number in what is dialed, as prefixes of routes are stored (see route[DIALED_NUMBER]); empty if it is none. */
export function dialedNumber(user: string): string {
  if (!/^(?:\+[().-]*[1-9]|[0-9*#().-]*[0-9*#])[0-9*#().-]*$/.test(user)) return '';
  const dialed = withoutSeparators(user).replace(/^00(?=.)/, '+');
  return dialed.startsWith('+0') ? '' : dialed;
}

/** A dialed number as an egress policy compares and sends it. */
export function withoutSeparators(number: string): string {
  return number.replace(/[^0-9*#+]/g, '');
}

/** The number as which a call counts for limits of minutes (see route[WAY]): of a name, the one that would remain of it. */
export function chargedNumber({ user, number }: Pick<End, 'user' | 'number'>): string {
  const dialed = dialedNumber(number);
  if (dialed !== '' || !/[0-9*#]/.test(user)) return dialed;
  const sign = /^[^0-9*#]*\+/.test(user) ? '+' : '';
  return (sign + user.replace(/[^0-9*#]/g, '')).replace(/^\+?00+(?=.)/, '+');
}

/** Whether a limit of minutes for a prefix applies to a number that is charged (see route[UNCODED]). */
export function isCharged(number: string, prefix: string): boolean {
  return [number, ...uncoded(number)].some((reading) => reading.startsWith(prefix));
}

/** The numbers that may remain of one with * or #. */
function uncoded(number: string): readonly string[] {
  if (!/[*#]/.test(number)) return [];
  const before = number.replace(/[*#].*$/, '');
  const readings = [number];
  for (let behind = number; /[*#]./.test(behind);) {
    behind = behind.replace(/^[^*#]*[*#]+/, '');
    readings.push(behind, before + behind);
  }
  return readings.map((reading) => reading.replace(/[*#]/g, '').replace(/^\+?00+(?=.)/, '+'));
}

/** The address of a contact URI that has a numeric one. */
function numericIn(uri: string): string | null {
  const [, place = ''] = /^sips?:(?:[^@]*@)?([^;?]*)/i.exec(uri) ?? [];
  return isIP(hostOf(place)) === 0 ? null : `sip:${place}`;
}

/** The host of host:port, without the brackets of an IPv6 address. */
export function hostOf(place: string): string {
  return place.replace(/:\d+$/, '').replace(/[[\]]/g, '');
}

function toNumberRow(row: Row): NumberRow {
  const [id, digits, aorLink, gatewayId, gatewayRef, name, host, ip, sources, telUrl, ...more] = row;
  const [others, enabled, closed, further, last, plus, country, trunk] = more;
  return {
    rowId: Number(id),
    digits: String(digits),
    telUrl: String(telUrl),
    aorLink: String(aorLink),
    furtherTargets: String(further),
    gatewayId: Number(gatewayId),
    gatewayRef: String(gatewayRef),
    gatewayName: String(name),
    gatewayHost: String(host),
    otherHosts: hostsOf(others, true),
    disabledHosts: hostsOf(others, false),
    registeredAt: String(ip),
    sources: storedTexts(sources),
    isEnabled: Number(enabled) === 1,
    gatewayClosed: closedIn(closed),
    form: { plus: textOrNull(plus) ?? '+', country: textOrNull(country), trunk: textOrNull(trunk) },
    isRange: last !== null,
  };
}

function closedIn(value: SqlValue | undefined): Closed | undefined {
  return value === 'disabled' || value === 'draining' ? value : undefined;
}

function hostsOf(destinations: SqlValue | undefined, isEnabled: boolean): readonly string[] {
  return storedDestinations(destinations).flatMap(({ host, enabled }) =>
    (enabled ?? true) === isEnabled ? [host] : [],
  );
}

/** The key of a place in a table of health. */
function keyOf({ gatewayRef, via, viaPort, transport }: Place): string {
  return [gatewayRef, via, viaPort, transport].join('|');
}

function toGateway(row: Row): Gateway {
  const [, , , , ref, host, port, transport, destinations, , proxy, viaPort] = row;
  return {
    ref: String(ref),
    host: String(host),
    port: numberOrNull(port),
    transport: String(transport),
    destinations: storedDestinations(destinations),
    proxy: proxy === null || proxy === undefined ? undefined : { host: String(proxy), port: Number(viaPort) },
  };
}

/** What of a way does not depend on the place. */
type OfGateway = Omit<
  WayOut,
  'gatewayHost' | 'port' | 'transport' | 'health' | 'share' | 'lot' | 'via' | 'viaPort' | 'isDisabled' | 'isSpent'
>;

function toWay(row: Row): OfGateway {
  const [numberId, telUrl, gatewayId, name, , , , , , closed, , , fromDomain, called, shown, diverting] = row;
  return {
    numberId: Number(numberId),
    telUrl: String(telUrl),
    gatewayId: Number(gatewayId),
    gatewayName: String(name),
    closed: closedIn(closed),
    fromDomain: String(fromDomain),
    called: String(called),
    shown: String(shown),
    diverting: String(diverting),
  };
}
