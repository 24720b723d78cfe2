import type { Nodes, PageInfo } from '../graph/lists';

/** The states of trunks, in the order in which they are shown. */
export const TRUNK_STATES = ['REGISTERED', 'REFUSED', 'UNREACHABLE', 'EXPIRED', 'UNKNOWN', 'UP', 'DOWN'] as const;
export type TrunkState = (typeof TRUNK_STATES)[number];

/** Whether a trunk is registered or, if it does not register, its host responds. */
export function isUp(state: TrunkState): boolean {
  return state === 'REGISTERED' || state === 'UP';
}

/** Trunks in a state. */
export interface TrunkCount {
  readonly state: TrunkState;
  readonly count: number;
  /** How many of them do not respond to OPTIONS. */
  readonly silent: number;
}

/** How many trunks are up: those that are registered, or respond, and are not known not to respond. */
export function upOf(counts: readonly TrunkCount[]): number {
  return counts.reduce((sum, { state, count, silent }) => sum + (isUp(state) ? count - silent : 0), 0);
}

/** How many trunks there are. */
export function allOf(counts: readonly TrunkCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The result of COUNTS. */
export interface Counts {
  readonly trunkCounts: readonly TrunkCount[];
  readonly all: { readonly totalCount: number };
}

export const COUNTS = '{ trunkCounts { state count silent } all: contacts { totalCount } }';

/** A gateway that registers at its provider, or whose health is known. */
export interface Trunk {
  readonly state: TrunkState;
  readonly since: string | null;
  readonly gateway: {
    readonly ref: string;
    readonly name: string;
    readonly host: string;
    readonly health: { readonly state: string; readonly since: string | null };
  };
  readonly registration: {
    readonly ip: string;
    readonly port: number;
    readonly transport: string;
    readonly lastResponse: string | null;
  } | null;
}

/** The result of TRUNKS. */
export interface TrunkPage {
  readonly trunks: Nodes<Trunk> & { readonly totalCount: number; readonly pageInfo: PageInfo };
}

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

export const TRUNKS = `query Trunks(
  $states: [TrunkState!], $search: String, $first: Int, $after: String, $last: Int, $before: String
) {
  trunks(states: $states, search: $search, first: $first, after: $after, last: $last, before: $before) {
    totalCount
    nodes { state since gateway { ref name host health { state since } } registration { ip port transport lastResponse } }
    ${PAGE_INFO}
  }
}`;

/** A registered device. */
export interface Device {
  readonly id: string;
  readonly addressOfRecord: string;
  readonly uri: string;
  readonly transport: string;
  readonly nat: boolean;
  readonly expiresOn: string;
  readonly userAgent: string | null;
}

/** The result of DEVICES. */
export interface DevicePage {
  readonly contacts: Nodes<Device> & { readonly pageInfo: PageInfo };
}

export const DEVICES = `query Devices($where: ContactWhere, $first: Int, $after: String, $last: Int, $before: String) {
  contacts(where: $where, first: $first, after: $after, last: $last, before: $before) {
    nodes { id addressOfRecord uri transport nat expiresOn userAgent }
    ${PAGE_INFO}
  }
}`;

/** The result of COUNT_DEVICES. */
export interface DeviceCount {
  readonly contacts: { readonly totalCount: number };
}

export const COUNT_DEVICES = 'query CountDevices($where: ContactWhere) { contacts(where: $where) { totalCount } }';

/** Whether registrations can be ended: there is a SIP server to ask. */
export const SIP_SERVER = '{ sipServer { reachable } }';

export const EVICT = 'mutation Evict($aor: String!) { evictContact(addressOfRecord: $aor) }';

/** A host, with its port if it has one. */
export function hostPort(host: string, port: number | null): string {
  return port === null ? host : `${host}:${String(port)}`;
}
