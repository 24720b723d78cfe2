import { FALSE, list, raw, sql, type Fragment } from '../database/fragment';
import { padded, type Row } from '../database/sql';
import { nodeOf } from '../live/contact';
import { REGISTERS, stateOf, type RegistrationState } from '../live/registration-reader';

/**
 * What becomes of a call to a number: the first link of its chain that is broken, in the order of the chain. MISSING is
 * said of a number that there is not.
 */
export const NUMBER_STATES = [
  'MISSING',
  'AMBIGUOUS',
  'GATEWAY_NOT_REGISTERED',
  'GATEWAY_EXPIRED',
  'GATEWAY_REFUSED',
  'DOMAIN_MISSING',
  'TARGET_FORBIDDEN',
  'TARGET_MISSING',
  'NOT_REGISTERED',
  'EXPIRED',
  'REACHABLE',
] as const;
export type NumberState = (typeof NUMBER_STATES)[number];

/** All that is known of the chain of a number. */
export interface Facts {
  readonly rowId: number;
  readonly kind: 'DID' | 'Number';
  readonly ref: string;
  readonly telUrl: string;
  readonly digits: string;
  readonly aorLink: string;
  readonly user: string;
  readonly host: string;
  readonly gatewayId: number;
  readonly gatewayName: string;
  readonly gatewayHost: string;
  /** The host that granted or refused the registration: the gateway's may have changed since. */
  readonly registrar: string;
  /** Whether the gateway registers at its provider. */
  readonly registers: boolean;
  /** Null where nothing is known of an attempt. */
  readonly registration: RegistrationState | null;
  readonly lastResponse: string | null;
  readonly ip: string | null;
  readonly port: number | null;
  /** Milliseconds since the epoch. */
  readonly registeredOn: number | null;
  /** Milliseconds since the epoch. */
  readonly registeredUntil: number | null;
  readonly domainId: number | null;
  /** The agent of the user's name in the domain. */
  readonly agentId: number | null;
  readonly peerId: number | null;
  /** A domain that has an agent of the user's name. */
  readonly agentElsewhere: string | null;
  /** How many numbers have these digits; told of one that is ambiguous. */
  readonly alike: number | undefined;
  /** Where a peer is called that has no device. */
  readonly contactAddr: string | null;
  /** Whether the gateway names registrars beside its host. */
  readonly hasRegistries: boolean;
  /** The node of the SIP server that calls arrive at, where that is known. */
  readonly node: string | undefined;
  /** A node that a device is registered at now. */
  readonly nodeOfDevice: string | null;
  /** Devices that are registered now, at the node. */
  readonly devices: number;
  /** When the last registration of a device ends or ended, in milliseconds since the epoch. */
  readonly devicesUntil: number | null;
  readonly state: NumberState;
}

// Each of these finds one row at most, by a unique key.
const JOINS = `JOIN gateways g ON g.id = n.gateway_id
  LEFT JOIN gateway_registrations r ON r.gw_ref = g.ref
  LEFT JOIN domains d ON d.domain_uri = n.aor_host
  LEFT JOIN agent_domains m ON m.domain_id = d.id AND m.username = n.aor_user
  LEFT JOIN peers p ON p.username = n.aor_user`;

// A DID and a Number that are written alike and lead to the same place are no rivals.
const RIVALS = `FROM numbers o WHERE o.tel_digits = n.tel_digits AND o.id <> n.id
  AND (o.tel_url <> n.tel_url OR o.gateway_id <> n.gateway_id OR o.aor_user <> n.aor_user OR o.aor_host <> n.aor_host)`;
// Right after an import MySQL takes the table for a small one, and would read all of it for each number. A comment to others.
// It stands in a query of its own: MySQL takes one such comment for each, and the outermost one has the statement's limit.
const BY_DIGITS = raw('/*+ INDEX(o numbers_tel_digits) */');
// What no number has: many have no digits at all.
const NO_DIGITS = 'none';
const DEVICES = 'FROM location l WHERE l.username = n.aor_user AND l.domain = n.aor_host';

/** What is asked of live state: at which time, in milliseconds since the epoch, and at which node of the SIP server, if that is known. */
export interface Moment {
  readonly now: number;
  readonly node: string | undefined;
}

/** The devices that a call can reach: another node's bindings are not in this one's memory. */
function devicesHere(node: string | undefined): Fragment {
  if (node === undefined) return raw(DEVICES);
  return sql`${raw(DEVICES)} AND (l.socket IS NULL OR SUBSTR(l.socket, INSTR(l.socket, ':') + 1) = ${node})`;
}

/** The verdict on the number `n`. */
function verdict({ now, node }: Moment): Fragment {
  const here = devicesHere(node);
  const registration = stateOf(now);
  const nobody = raw('m.agent_id IS NULL AND p.id IS NULL');
  return sql`CASE
    WHEN n.tel_digits <> '' AND EXISTS (SELECT ${BY_DIGITS} 1 ${raw(RIVALS)}) THEN 'AMBIGUOUS'
    WHEN ${raw(REGISTERS)} AND (r.gw_ref IS NULL OR ${registration} = 'UNREACHABLE') THEN 'GATEWAY_NOT_REGISTERED'
    WHEN ${raw(REGISTERS)} AND ${registration} = 'EXPIRED' THEN 'GATEWAY_EXPIRED'
    WHEN ${raw(REGISTERS)} AND ${registration} = 'REFUSED' THEN 'GATEWAY_REFUSED'
    WHEN ${nobody} AND d.id IS NULL THEN 'DOMAIN_MISSING'
    WHEN ${nobody} AND EXISTS (SELECT 1 FROM agents a WHERE a.username = n.aor_user) THEN 'TARGET_FORBIDDEN'
    WHEN ${nobody} THEN 'TARGET_MISSING'
    WHEN EXISTS (SELECT 1 ${here} AND l.expires > ${seconds(now)}) THEN 'REACHABLE'
    WHEN m.agent_id IS NULL AND p.contact_addr IS NOT NULL THEN 'REACHABLE'
    WHEN EXISTS (SELECT 1 ${raw(DEVICES)} AND l.expires > ${seconds(now)}) THEN 'NOT_REGISTERED'
    WHEN EXISTS (SELECT 1 ${here}) THEN 'EXPIRED'
    ELSE 'NOT_REGISTERED' END`;
}

/** The facts of the numbers of a window, a query of their ids; only those in some state where that is said. */
export function factsOf(window: Fragment, states: readonly NumberState[] | undefined, moment: Moment): Fragment {
  const { now, node } = moment;
  const state = verdict(moment);
  const here = devicesHere(node);
  return sql`SELECT n.id, n.kind, n.ref, n.tel_url, n.tel_digits, n.aor_link, n.aor_user, n.aor_host,
      g.id, g.name, g.host, ${raw(REGISTERS)}, r.host, ${stateOf(now)}, r.last_response, r.ip, r.port, r.registered_on,
      r.expires_at, d.id, m.agent_id, p.id,
      (SELECT MIN(e.domain_uri) FROM agents a JOIN agent_domains x ON x.agent_id = a.id JOIN domains e ON e.id = x.domain_id
        WHERE a.username = n.aor_user),
      (SELECT COUNT(*) ${here} AND l.expires > ${seconds(now)}),
      (SELECT MAX(l.expires) ${here}), ${state}, p.contact_addr, COALESCE(g.registries, '[]') <> '[]',
      (SELECT MIN(l.socket) ${raw(DEVICES)} AND l.expires > ${seconds(now)})
    FROM (${window}) w JOIN numbers n ON n.id = w.id ${raw(JOINS)}
    ${states ? sql`WHERE ${among(state, states)}` : raw('')}`;
}

/** How many of a window are in one of the states. */
export function countOf(window: Fragment, states: readonly NumberState[], moment: Moment): Fragment {
  return sql`SELECT COUNT(*) FROM (${window}) w JOIN numbers n ON n.id = w.id ${raw(JOINS)}
    WHERE ${among(verdict(moment), states)}`;
}

/** Digits, and how many numbers have them. */
export function alikeOf(digits: readonly string[]): Fragment {
  return sql`SELECT digits, alike FROM (
      SELECT ${BY_DIGITS} o.tel_digits AS digits, COUNT(*) AS alike FROM numbers o
      WHERE o.tel_digits IN (${list(padded(digits, NO_DIGITS))}) GROUP BY o.tel_digits
    ) counted`;
}

/** Digits, and the row ids of the numbers that have them: the first ones, so many of each. */
export function firstAlikeOf(digits: readonly string[], most: number): Fragment {
  return sql`SELECT digits, id FROM (
      SELECT ${BY_DIGITS} o.tel_digits AS digits, o.id, ROW_NUMBER() OVER (PARTITION BY o.tel_digits ORDER BY o.id) AS place
      FROM numbers o WHERE o.tel_digits IN (${list(padded(digits, NO_DIGITS))})
    ) numbered WHERE place <= ${most} ORDER BY digits, id`;
}

/** Of no states at all, none. */
function among(state: Fragment, states: readonly NumberState[]): Fragment {
  return states.length === 0 ? FALSE : sql`${state} IN (${list(states)})`;
}

/** The facts in a row that `factsOf` selected. */
export function toFacts(row: Row, node: string | undefined): Facts {
  const number = (index: number): number | null => (row[index] === null ? null : Number(row[index]));
  const text = (index: number): string | null => (row[index] === null ? null : String(row[index]));
  const times = (index: number): number | null => (Number(row[index]) === 0 ? null : Number(row[index]));
  const until = number(24);
  return {
    ...{ rowId: Number(row[0]), kind: row[1] as Facts['kind'], ref: String(row[2]), telUrl: String(row[3]) },
    ...{ digits: String(row[4]), aorLink: String(row[5]), user: String(row[6]), host: String(row[7]) },
    ...{ gatewayId: Number(row[8]), gatewayName: String(row[9]), gatewayHost: String(row[10]) },
    registrar: String(row[12] ?? row[10]),
    registers: Number(row[11]) === 1,
    registration: row[12] === null ? null : (row[13] as RegistrationState), // as stateOf has it
    ...{ lastResponse: text(14), ip: text(15), port: number(16), registeredOn: times(17), registeredUntil: times(18) },
    ...{ domainId: number(19), agentId: number(20), peerId: number(21), agentElsewhere: text(22) },
    ...{ alike: undefined, devices: Number(row[23]), devicesUntil: until === null ? null : until * 1000 },
    state: row[25] as NumberState, // as verdict has it
    ...{ contactAddr: text(26), hasRegistries: Number(row[27]) === 1, node, nodeOfDevice: nodeOf(text(28)) },
  };
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
