import { isIP } from 'node:net';

import { list, raw, sql } from '../../database/fragment';
import type { Reads, Row } from '../../database/sql';
import { anywhere, JAVASCRIPT, PatternError, writePattern } from '../../filter/pattern/pattern';
import { parsePattern } from '../../filter/pattern/parse';
import { MAX_PREFIX } from '../../model/format/number-prefix';
import { attemptsOf, egressOf, numbersAt, routesOf, TABLES } from '../kamailio/routing';
import { CONTACT_COLUMNS, nodeOf, toContact, type Contact } from '../live/contact';
import type { AddressFacts } from './facts';

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
  readonly registeredAt: string;
  readonly sources: readonly string[];
}

/** Through which gateways the calls of a domain to a dialed number leave. */
export interface WaysOut {
  /** What decided: a route, or the egress policy, whether it matches the number or not; undefined for neither. */
  readonly by:
    | { readonly prefix: string; readonly isEmergency: boolean; readonly routeId: number }
    | { readonly rule: string }
    | undefined;
  /** The number that is called there. */
  readonly number: string;
  /** In the order of the attempts. */
  readonly ways: readonly WayOut[];
}

/** A number and gateway through which calls leave. */
export interface WayOut {
  readonly numberId: number;
  readonly telUrl: string;
  readonly digits: string;
  readonly gatewayId: number;
  readonly gatewayName: string;
  readonly gatewayHost: string;
  readonly port: number | null;
  readonly transport: string;
}

/** A device that the SIP server calls, and where. */
export interface Device {
  readonly contact: Contact;
  readonly requestUri: string;
  /** The SIP URI of its address; null if only the SIP server knows it. */
  readonly nextHop: string | null;
}

/** What a phone may dial as a number. */
export const DIALED = /^\+?[0-9().-]*[0-9][0-9().-]*$/;
/** The longest number or name that can leave. */
const MAX_CALLED = 64;
export const NO_WAY: WaysOut = { by: undefined, number: '', ways: [] };
const WAY = 'n.id, n.tel_url, n.tel_digits, g.id, g.name, g.host, g.port, LOWER(g.transport)';

/** Reads the rows by which the SIP server decides on a call (kamailio/routing.ts). */
export class CallRows {
  /** `node` is the node of the SIP server where calls arrive, as host:port. Undefined if there is only one node. */
  constructor(
    private readonly sql: Reads,
    private readonly node: string | undefined,
  ) {}

  /** The numbers with these digits, or with those after a leading 00, in the order of creation. */
  async numbersWith(digits: string): Promise<readonly NumberRow[]> {
    if (digits === '') return [];
    const global = /^00./.test(digits) ? digits.slice(2) : digits;
    const rows = await this.sql.rows(
      `SELECT n.id, n.tel_digits, n.aor_link, g.id, g.ref, g.name, g.host, COALESCE(r.ip, ''), COALESCE(g.sources, '[]'),
         n.tel_url, COALESCE(n.further_targets, '[]') FROM ${numbersAt(TABLES, '?')} AND n.tel_digits IN (?, ?) ORDER BY n.id LIMIT 100`,
      [Date.now(), digits, global],
    );
    return rows.map(toNumberRow);
  }

  /**
   * The ways out of a domain to a number or a name: those of an emergency route, or else of the route of the longest prefix,
   * or else of the egress policy, as route[EGRESS] reads them.
   */
  async waysOut(domain: string, user: string): Promise<WaysOut> {
    const called = DIALED.test(user) ? user.replace(/[^0-9+]/g, '') : user;
    if (called.length > MAX_CALLED) return { ...NO_WAY, number: called };
    const number = dialedNumber(user);
    const [routes, policies] = await Promise.all([
      number === '' ? [] : this.routesTo(domain, number),
      this.sql.rows(`SELECT d.egress_policy_rule, ${WAY} FROM ${egressOf(TABLES)} WHERE d.domain_uri = ?`, [domain]),
    ]);
    const [route] = routes;
    if (route) {
      const [routeId, prefix, isEmergency] = route;
      const rows = await this.sql.rows(
        `SELECT ${WAY} FROM ${attemptsOf(TABLES, '?')} WHERE m.route_id = ?
         ORDER BY CASE WHEN h.gw_ref IS NULL THEN 0 ELSE 1 END, m.position`,
        [Date.now(), Number(routeId)],
      );
      const by = { prefix: String(prefix), isEmergency: Number(isEmergency) === 1, routeId: Number(routeId) };
      return { by, number, ways: rows.map((row) => toWayOut(row)) };
    }
    const [policy] = policies;
    if (!policy) return { ...NO_WAY, number: called };
    const rule = String(policy[0]);
    return { by: { rule }, number: called, ways: isMatch(rule, called) ? [toWayOut(policy.slice(1))] : [] };
  }

  /** The devices of an address of record, in the order in which the SIP server calls them. */
  async devicesAt({ user, host }: AddressFacts): Promise<readonly Device[]> {
    const rows = await this.sql.rows(
      `SELECT l.path, ${CONTACT_COLUMNS} FROM location l WHERE l.username = ? AND l.domain = ? AND l.expires > ?
       ORDER BY l.q DESC, l.id LIMIT 100`,
      [user, host, Math.floor(Date.now() / 1000)],
    );
    const isHere = (row: Row): boolean => this.node === undefined || nodeOf(String(row[9] ?? '')) === this.node;
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

function isMatch(rule: string, number: string): boolean {
  try {
    // The databases search for the rule in the number, with the same result (filter/pattern).
    return new RegExp(writePattern(anywhere(parsePattern(rule)), JAVASCRIPT), 'u').test(number);
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** The number in what is dialed, as prefixes of routes are stored (see route[DIALED_NUMBER]); empty if it is none. */
function dialedNumber(user: string): string {
  if (!/^\+?[0-9*#().-]*[0-9*#][0-9*#().-]*$/.test(user)) return '';
  return user.replace(/[^0-9*#+]/g, '').replace(/^00(?=.)/, '+');
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

function toNumberRow([
  id,
  digits,
  aorLink,
  gatewayId,
  gatewayRef,
  name,
  host,
  ip,
  sources,
  telUrl,
  further,
]: Row): NumberRow {
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
    registeredAt: String(ip),
    sources: JSON.parse(String(sources)) as string[], // the format of the field is a list of texts
  };
}

function toWayOut([numberId, telUrl, digits, gatewayId, name, host, port, transport]: Row): WayOut {
  return {
    numberId: Number(numberId),
    telUrl: String(telUrl),
    digits: String(digits),
    gatewayId: Number(gatewayId),
    gatewayName: String(name),
    gatewayHost: String(host),
    port: port === null || port === undefined ? null : Number(port),
    transport: String(transport),
  };
}
