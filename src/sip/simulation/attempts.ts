import type { Row, SqlValue } from '../../database/sql';
import type { Destination } from '../../model/format/destination';
import { sentNumber } from '../../model/format/tel-uri';
import { TURN } from '../kamailio/routing';
import { storedDestinations } from '../live/stored';

/** A gateway that takes the calls of a way out. */
export interface Attempt {
  readonly gatewayRef: string;
  /** The name of the gateway. */
  readonly gateway: string;
  /** The number that is shown. */
  readonly telUrl: string;
  /** Where and how the gateway is called, by the word that comes before it in a text; empty where it has none. */
  readonly terms: Readonly<Record<string, string>>;
}

/** The columns of an attempt through a gateway `g` with a number `n`, from which `attemptOf` makes it. */
export const COLUMNS_OF_ATTEMPT =
  'n.tel_url, g.ref, g.name, g.host, g.port, g.transport, g.outbound_proxy, g.destinations, g.from_domain, g.technical_prefix, g.number_format';

/** The attempts `m` of routes `r`, each with its number `n`, its gateway `g` and its share `sh`, in the order of `explainCall`. */
export const ATTEMPTS_OF_ROUTE = {
  columns: `${COLUMNS_OF_ATTEMPT}, sh.priority, sh.weight`,
  joins: `JOIN route_numbers m ON m.route_id = r.id JOIN numbers n ON n.id = m.number_id JOIN gateways g ON g.id = n.gateway_id
    LEFT JOIN route_shares sh ON sh.route_id = m.route_id AND sh.position = m.position`,
  order: `r.id, ${TURN}, COALESCE(sh.weight, 0) DESC, m.position`,
};

/**
 * Makes an attempt from its columns, and of a route with shares from those of its share. `rule` is that of an egress policy: which calls it is for.
 * Emergency calls also try destinations that are disabled.
 */
export function attemptOf(
  [
    telUrl,
    gatewayRef,
    gateway,
    host,
    port = null,
    transport,
    proxy,
    destinations,
    from,
    prefix,
    format,
    priority,
    weight,
  ]: Row,
  rule: SqlValue,
  isEmergency: boolean,
): Attempt {
  const given: readonly (readonly [string, SqlValue | undefined])[] = [
    ['for', rule],
    ['at', placeOf(String(host), port)],
    ['over', transport],
    ['through', proxy],
    ['also at', destinationsOf(destinations, isEmergency).join(', ')],
    ['with From at', from],
    ['with prefix', prefix],
    ['with numbers as', format],
    ['with priority', priority],
    ['with weight', weight],
  ];
  return {
    gatewayRef: String(gatewayRef),
    gateway: String(gateway),
    telUrl: String(telUrl),
    terms: Object.fromEntries(given.map(([word, value]) => [word, String(value ?? '')])),
  };
}

/** What of attempts makes a difference to calls, to compare: not the name of the gateway, or how the number is spelled. */
export function callsOf(attempts: readonly Attempt[] | undefined): string {
  return JSON.stringify(
    attempts?.map(({ gateway: _name, telUrl, ...attempt }) => [sentNumber(telUrl), attempt]) ?? null,
  );
}

/**
 * Writes attempts as `gateway as tel:+331`. Where a gateway also is among `others`, the text has the terms that differ, as in
 * `gateway at sip.example as tel:+331`.
 */
export function attemptTexts(attempts: readonly Attempt[], others: readonly Attempt[] = []): readonly string[] {
  return attempts.map(({ gatewayRef, gateway, telUrl, terms }) => {
    const other = others.find((each) => each.gatewayRef === gatewayRef && each.telUrl === telUrl) ?? { terms };
    const differ = Object.entries(terms).filter(([word, value]) => value !== '' && value !== other.terms[word]);
    return [gateway, ...differ.map((term) => term.join(' ')), 'as', telUrl].join(' ');
  });
}

/** Writes attempts with all terms. */
export function wholeTextsOf(attempts: readonly Attempt[]): readonly string[] {
  return attemptTexts(
    attempts,
    attempts.map((each) => ({ ...each, terms: {} })),
  );
}

/** The places to which calls also go, as `b.example:5080 priority 2 draining`. */
function destinationsOf(value: SqlValue | undefined, withDisabled: boolean): readonly string[] {
  return storedDestinations(value)
    .filter(({ enabled }) => withDisabled || enabled !== false)
    .map(textOf);
}

function textOf({ host, port, transport, priority, weight, enabled, draining }: Destination): string {
  return [
    placeOf(host, port ?? null),
    ...(transport === undefined ? [] : [`over ${transport}`]),
    ...(priority === undefined ? [] : [`priority ${String(priority)}`]),
    ...(weight === undefined ? [] : [`weight ${String(weight)}`]),
    ...(enabled === false ? ['disabled'] : []),
    ...(draining === true ? ['draining'] : []),
  ].join(' ');
}

function placeOf(host: string, port: SqlValue): string {
  return port === null ? host : `${host}:${String(port)}`;
}
