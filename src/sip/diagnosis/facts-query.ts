import { FALSE, list, raw, sql, type Fragment } from '../../database/fragment';
import type { Row, SqlValue } from '../../database/sql';
import { isEnabled } from '../../model/enabled';
import { downSince } from '../../model/gateway-health';
import { targetsIn } from '../../model/format/number-target';
import { agentOf, peerOf } from '../../model/target';
import { visibleText } from '../calls/call';
import { nodeOf, seconds } from '../live/contact';
import { REGISTERS, registrationState, type RegistrationState } from '../live/registration-reader';
import type { Facts, NumberState } from './facts';
import { DEVICES, IS_AGENT_DISABLED, reachableDevices, stateOfNumber, type Moment } from './number-state';

// Each join finds at most one row, by a unique key.
const JOINS = `JOIN gateways g ON g.id = n.gateway_id
  LEFT JOIN gateway_registrations r ON r.gw_ref = g.ref
  ${agentOf('n.aor_user', 'n.aor_host', 'LEFT JOIN')}
  ${peerOf('n.aor_user', 'LEFT JOIN')}`;

/** The columns that `factsOf` selects, with their SQL. `toFacts` reads them by name. */
const COLUMNS = {
  rowId: 'n.id',
  kind: 'n.kind',
  ref: 'n.ref',
  telUrl: 'n.tel_url',
  lastTelUrl: 'n.last_tel_url',
  digits: 'n.tel_digits',
  aorLink: 'n.aor_link',
  user: 'n.aor_user',
  host: 'n.aor_host',
  gatewayId: 'g.id',
  gatewayName: 'g.name',
  gatewayHost: 'g.host',
  registers: REGISTERS,
  registrar: 'r.host',
  registration: ({ now }) => registrationState(now),
  lastResponse: 'r.last_response',
  ip: 'r.ip',
  port: 'r.port',
  registeredOn: 'r.registered_on',
  registeredUntil: 'r.expires_at',
  domainId: 'd.id',
  agentId: 'm.agent_id',
  peerId: 'p.id',
  agentElsewhere: `(SELECT MIN(e.domain_uri) FROM agents a JOIN agent_domains x ON x.agent_id = a.id
    JOIN domains e ON e.id = x.domain_id WHERE a.username = n.aor_user)`,
  devices: ({ now, node }) => sql`(SELECT COUNT(*) ${reachableDevices(node)} AND l.expires > ${seconds(now)})`,
  devicesUntil: ({ node }) => sql`(SELECT MAX(l.expires) ${reachableDevices(node)})`,
  state: stateOfNumber,
  contactAddr: 'p.contact_addr',
  hasRegistries: "COALESCE(g.registries, '[]') <> '[]'",
  downSince: ({ now }) => downSince('g', now),
  sources: "COALESCE(g.sources, '[]')",
  isGatewayDisabled: `NOT ${isEnabled('g')}`,
  isDraining: 'COALESCE(g.draining, FALSE)',
  isDomainDisabled: `d.id IS NOT NULL AND NOT ${isEnabled('d')}`,
  isAgentDisabled: IS_AGENT_DISABLED,
  isPeerDisabled: `p.id IS NOT NULL AND NOT ${isEnabled('p')}`,
  furtherTargets: "COALESCE(n.further_targets, '[]')",
  socketOfDevice: ({ now }) => sql`(SELECT MIN(l.socket) ${raw(DEVICES)} AND l.expires > ${seconds(now)})`,
} satisfies Record<string, string | ((moment: Moment) => Fragment)>;

type Column = keyof typeof COLUMNS;

const POSITIONS = Object.fromEntries(Object.keys(COLUMNS).map((name, index) => [name, index])) as Record<
  Column,
  number
>; // the keys of COLUMNS

/**
 * Selects the facts of the numbers whose ids `window` selects, or of those among them that are in one of the states.
 */
export function factsOf(window: Fragment, states: readonly string[] | undefined, moment: Moment): Fragment {
  const columns = Object.values<string | ((moment: Moment) => Fragment)>(COLUMNS)
    .map((column) => (typeof column === 'string' ? raw(column) : column(moment)))
    .reduce((before, column) => sql`${before}, ${column}`);
  return sql`SELECT ${columns} FROM (${window}) w JOIN numbers n ON n.id = w.id ${raw(JOINS)}
    ${states ? sql`WHERE ${isAmong(states, moment)}` : raw('')}`;
}

/** Counts the numbers in a window that are in one of the states. */
export function countOf(window: Fragment, states: readonly string[], moment: Moment): Fragment {
  return sql`SELECT COUNT(*) FROM (${window}) w JOIN numbers n ON n.id = w.id ${raw(JOINS)}
    WHERE ${isAmong(states, moment)}`;
}

/** SQL for whether a number lacks only a device. */
const LACKS_DEVICE = "state IN ('NOT_REGISTERED', 'EXPIRED')";

/** SQL for what numbers in a state have in common: they ring again when this one thing is mended. */
const CAUSE = `CASE WHEN state IN ('REACHABLE', 'DISABLED') THEN '' WHEN state = 'AMBIGUOUS' THEN tel_digits
  WHEN state = 'DOMAIN_MISSING' THEN aor_host
  WHEN state IN ('GATEWAY_NOT_REGISTERED', 'GATEWAY_EXPIRED', 'GATEWAY_REFUSED', 'GATEWAY_DISABLED', 'GATEWAY_DRAINING')
    THEN CONCAT(gateway_id, '')
  WHEN is_lost = 1 THEN aor_host ELSE CONCAT(aor_user, '@', aor_host) END`;

/**
 * SQL for whether a number lacks a device, and so do all numbers of its domain whose path is complete otherwise, which
 * lead to several addresses of record: something happened to the domain, not to each device. Not with MIN and MAX, which
 * MariaDB computes anew for each row.
 */
const IS_LOST = `CASE WHEN ${LACKS_DEVICE} AND domain_id IS NOT NULL
  AND SUM(CASE WHEN state = 'REACHABLE' THEN 1 ELSE 0 END) OVER of_domain = 0
  AND SUM(CASE WHEN ${LACKS_DEVICE} AND aor_user <> first_user THEN 1 ELSE 0 END) OVER of_domain > 0 THEN 1 ELSE 0 END`;

/** SQL for the user of a number of the same domain that lacks a device, if there is one. */
const FIRST_USER = `FIRST_VALUE(aor_user) OVER (PARTITION BY domain_id
  ORDER BY CASE WHEN ${LACKS_DEVICE} THEN 0 ELSE 1 END, id)`;

/** Selects the numbers in a window with their state, and whom they lead to. */
export function statesOf(window: Fragment, moment: Moment): Fragment {
  return sql`SELECT n.id, n.tel_digits, n.gateway_id, n.aor_user, n.aor_host, d.id AS domain_id, m.agent_id,
    CASE WHEN m.agent_id IS NULL THEN p.id END AS peer_id, ${stateOfNumber(moment)} AS state
    FROM (${window}) w JOIN numbers n ON n.id = w.id ${raw(JOINS)}`;
}

/**
 * Counts the numbers in a window by state and selects the last id of each state's numbers, with place 0. The causes that
 * concern the most numbers, at most `most`, have rows of their own, with their place from 1, their first number, and
 * whether all devices of a domain are missing.
 */
export function countsOf(window: Fragment, most: number, moment: Moment): Fragment {
  const cause = raw(most === 0 ? "''" : CAUSE);
  const numbered = statesOf(window, moment);
  const marked =
    most === 0
      ? sql`SELECT numbered.*, 0 AS is_lost FROM (${numbered}) numbered`
      : sql`SELECT named.*, ${raw(IS_LOST)} AS is_lost
        FROM (SELECT numbered.*, ${raw(FIRST_USER)} AS first_user FROM (${numbered}) numbered) named
        WINDOW of_domain AS (PARTITION BY domain_id)`;
  const causes = sql`SELECT state, cause, is_lost, COUNT(*) AS many, MIN(id) AS first_id, MAX(id) AS last_id
    FROM (SELECT id, state, is_lost, ${cause} AS cause FROM (${marked}) marked) caused GROUP BY state, cause, is_lost`;
  const ranked = sql`SELECT state, is_lost, many, first_id, last_id,
    ROW_NUMBER() OVER (ORDER BY CASE state WHEN 'REACHABLE' THEN 1 ELSE 0 END, many DESC, first_id) AS place
    FROM (${causes}) grouped`;
  const placed = sql`SELECT state, is_lost, many, first_id, last_id,
    CASE WHEN place <= ${most} AND state <> 'REACHABLE' THEN place ELSE 0 END AS place FROM (${ranked}) ranked`;
  return sql`SELECT state, SUM(many), MAX(last_id), place, MIN(first_id), MAX(is_lost) FROM (${placed}) placed
    GROUP BY state, place ORDER BY place`;
}

function isAmong(states: readonly string[], moment: Moment): Fragment {
  return states.length === 0 ? FALSE : sql`${stateOfNumber(moment)} IN (${list(states)})`;
}

/** Reads the facts from a row that `factsOf` selected. */
export function toFacts(row: Row, node: string | undefined): Facts {
  const value = (column: Column): SqlValue => row[POSITIONS[column]] ?? null;
  const string = (column: Column): string => String(value(column));
  const number = (column: Column): number => Number(value(column));
  const stringOrNull = (column: Column): string | null => (value(column) === null ? null : string(column));
  const numberOrNull = (column: Column): number | null => (value(column) === null ? null : number(column));
  const is = (column: Column): boolean => number(column) === 1;
  const timeOrNull = (column: Column): number | null => (number(column) === 0 ? null : number(column));
  return {
    rowId: number('rowId'),
    kind: value('kind') as Facts['kind'], // the table holds no other kinds
    ref: string('ref'),
    telUrl: string('telUrl'),
    lastTelUrl: stringOrNull('lastTelUrl'),
    digits: string('digits'),
    aorLink: string('aorLink'),
    user: string('user'),
    host: string('host'),
    gatewayId: number('gatewayId'),
    gatewayName: string('gatewayName'),
    gatewayHost: string('gatewayHost'),
    gatewayClosed: is('isGatewayDisabled') ? 'disabled' : is('isDraining') ? 'draining' : undefined,
    registrar: stringOrNull('registrar') ?? string('gatewayHost'),
    registers: number('registers') === 1,
    // Without a row in `gateway_registrations`, `registrationState` computes a meaningless state from NULLs. With a row, it
    // returns only RegistrationStates.
    registration: value('registrar') === null ? null : (value('registration') as RegistrationState),
    lastResponse: visibleText(value('lastResponse')),
    ip: stringOrNull('ip'),
    port: numberOrNull('port'),
    registeredOn: timeOrNull('registeredOn'),
    registeredUntil: timeOrNull('registeredUntil'),
    domainId: numberOrNull('domainId'),
    agentId: numberOrNull('agentId'),
    peerId: numberOrNull('peerId'),
    agentElsewhere: stringOrNull('agentElsewhere'),
    isDisabled: { domain: is('isDomainDisabled'), agent: is('isAgentDisabled'), peer: is('isPeerDisabled') },
    sameDigits: undefined,
    contactAddr: stringOrNull('contactAddr'),
    hasRegistries: number('hasRegistries') === 1,
    downSince: numberOrNull('downSince'),
    sources: JSON.parse(string('sources')) as string[], // the format of the field is a list of texts
    node,
    nodeOfDevice: nodeOf(stringOrNull('socketOfDevice')),
    devices: number('devices'),
    devicesUntil: value('devicesUntil') === null ? null : number('devicesUntil') * 1000,
    further: targetsIn(JSON.parse(string('furtherTargets')) as string[]), // as sources
    targets: [],
    state: value('state') as NumberState, // stateOfNumber returns no other values
  };
}
