import { at, type ForeignRow, type ForeignSource } from '../../database/foreign/foreign-source';
import { nameInDescription, NumberGateways, routesOf } from './kamailio-source';
import { NEW_SECRET, type Mapping, type MappingOptions, type MovedRecord, type MoveReport } from './moved-record';
import { hostPortOf, nameOf, networkCell, networkInRow, networkOf, placeIn, type SipPlace } from './sip-place';
import { agentsIn, domainKeysIn, domainsIn, missTables } from './sql-users';
import { TrunkDrafts } from './trunk-draft';

/** Types of gateways and of their groups, and groups of rules (dSIPRouter, settings.py, FLT_*). */
const CARRIER = '8';
const ENDPOINT = '9';
const OUTBOUND = '8000';
const INBOUND = '9000';

const MAPPED = new Set(
  'domain subscriber dr_gateways dr_gw_lists dr_rules uacreg address dsip_call_settings dsip_maintmode'.split(' '),
);
/** What dSIPRouter derives from other tables. */
const DERIVED = ['dispatcher', 'dsip_gw2gwgroup', 'dsip_gwgroup2lb', 'dsip_prefix_mapping', 'dsip_settings'];
/** In the place of a domain, which the address of record of a peer does not need. */
const NO_DOMAIN = 'pbx.invalid';

/** An endpoint group, which becomes a Peer. */
interface Pbx {
  readonly place: string;
  readonly name: string;
  /** Its user name, with which it may register, and the password, if it has one. */
  username: string;
  secret: string;
  readonly servers: SipPlace[];
  /** Their hosts. */
  readonly hosts: Set<string>;
  readonly sources: Set<string>;
}

/**
 * Maps the tables of dSIPRouter: carrier groups become Gateways, endpoint groups Peers, inbound mappings Numbers, and outbound
 * routes Routes of each domain.
 */
export async function mapDsiprouter(
  source: ForeignSource,
  report: MoveReport,
  options: MappingOptions,
): Promise<Mapping> {
  const trunks = new TrunkDrafts(report);
  const endpoints = new Map<string, Pbx>();
  const groupOf = new Map<string, string>();
  for await (const row of source.rows('dr_gw_lists')) {
    const [id, description] = [at(row, 'id'), at(row, 'description')];
    const place = `dr_gw_lists ${id}`;
    const type = memberOf(description, 'type');
    const name = nameOf(nameInDescription(description), place);
    for (const gateway of at(row, 'gwlist').split(',')) groupOf.set(gateway.trim(), id);
    if (type === CARRIER) trunks.create(`group:${id}`, place, name);
    else if (type === ENDPOINT) endpoints.set(id, pbx(id, place, name));
    else report.miss(`dr_gw_lists: a group of type ${type === '' ? 'unknown' : type}`, place);
  }
  for await (const row of source.rows('dr_gateways')) {
    const id = at(row, 'gwid');
    const place = `dr_gateways ${id}`;
    const server = placeIn(at(row, 'address'));
    const group = groupOf.get(id) ?? memberOf(at(row, 'description'), 'gwgroup');
    const trunk = trunks.find(`group:${group}`);
    const endpoint = endpoints.get(group);
    if (!server) report.miss('dr_gateways: an address that is no host', place);
    else if (endpoint) {
      endpoint.servers.push(server);
      endpoint.hosts.add(server.host);
    } else if (trunk) {
      trunk.add(server);
      trunk.takePrefix(at(row, 'pri_prefix'), at(row, 'strip'), place, report);
    } else report.miss('dr_gateways: a gateway of no carrier or endpoint group', place);
  }
  for await (const row of source.rows('uacreg')) trunks.register(row, trunks.find(`group:${at(row, 'l_uuid')}`));
  for await (const row of source.rows('dsip_call_settings')) {
    const place = `dsip_call_settings ${at(row, 'gwgroupid')}`;
    const trunk = trunks.find(`group:${at(row, 'gwgroupid')}`);
    if (at(row, 'limit') !== '' && trunk) trunk.maxCalls = at(row, 'limit');
    else if (at(row, 'limit') !== '') report.miss('dsip_call_settings: the limit of calls of an endpoint group', place);
    if (at(row, 'timeout') !== '') report.miss('dsip_call_settings: the longest time of a call', place);
  }
  for await (const row of source.rows('dsip_maintmode'))
    report.miss('dsip_maintmode: maintenance of a gateway (see `draining`)', `dsip_maintmode ${at(row, 'gwid')}`);
  for await (const row of source.rows('address')) {
    const place = `address ${at(row, 'id')}`;
    const group = memberOf(at(row, 'tag'), 'gwgroup');
    const owner = trunks.find(`group:${group}`) ?? endpoints.get(group);
    const hasHost = (host: string): boolean =>
      owner !== undefined && ('servers' in owner ? owner.hosts.has(host) : owner.hasHost(host));
    const network = networkInRow(at(row, 'ip_addr'), at(row, 'mask'));
    if (!owner) report.miss('address: an address of no carrier or endpoint group', place);
    else if (network && !hasHost(network)) owner.sources.add(network);
    else if (!network && !hasHost(at(row, 'ip_addr').toLowerCase()))
      report.miss('address: a host name from which calls come', place);
  }
  // An endpoint group that registers has a user, whose rpid names the group.
  for await (const row of source.rows('subscriber')) {
    const endpoint = endpoints.get(at(row, 'rpid'));
    if (!endpoint) continue;
    const place = `subscriber ${at(row, 'id')}`;
    if (at(row, 'password') === '')
      report.miss('subscriber: a user of an endpoint group of whose password only digests are stored', place);
    else if (endpoint.secret !== '') report.miss('subscriber: users of an endpoint group after the first', place);
    else Object.assign(endpoint, { username: at(row, 'username'), secret: at(row, 'password') });
  }
  const isUser = (row: ForeignRow): boolean => !endpoints.has(at(row, 'rpid'));
  await missTables(source, new Set([...MAPPED, ...DERIVED]), report);
  const numbers = new NumberGateways(options.skip);
  // An entry of a list is a gateway, or `#` and a group.
  const groupsIn = (list: string) =>
    list.split(/[,;]/).map((each) => {
      const id = each.trim();
      return id.startsWith('#') ? id.slice(1) : (groupOf.get(id) ?? '');
    });
  const carriersIn = (list: string) => groupsIn(list).flatMap((group) => trunks.find(`group:${group}`) ?? []);
  const domains = await domainKeysIn(source, isUser, options);
  const fallback = await defaultCarrier(source, carriersIn);
  return {
    Gateway: () => trunks.records(),
    Number: () =>
      readInbound(source, {
        report,
        options,
        numbers,
        gateway: trunks.forNumbers(options.gateway, fallback),
        endpointOf: (list) => endpoints.get(groupsIn(list)[0] ?? ''),
      }),
    Domain: () => domainsIn(source, isUser),
    Agent: () => agentsIn(source, options, report, isUser),
    Peer: () => peers(endpoints, report),
    Route: () =>
      routesOf(source, {
        report,
        domainsOf: () => domains,
        gateways: carriersIn,
        numbers,
        isOutbound: (row) => at(row, 'groupid') === OUTBOUND,
      }),
  };
}

function pbx(id: string, place: string, name: string): Pbx {
  return { place, name, username: `pbx-${id}`, secret: '', servers: [], hosts: new Set(), sources: new Set() };
}

/** The first carrier of the outbound route for all numbers. */
async function defaultCarrier<T>(
  source: ForeignSource,
  carriers: (list: string) => readonly T[],
): Promise<T | undefined> {
  for await (const row of source.rows('dr_rules'))
    if (at(row, 'groupid') === OUTBOUND && at(row, 'prefix') === '') {
      const [first] = carriers(at(row, 'gwlist'));
      if (first) return first;
    }
  return undefined;
}

/** What the mapping of inbound rules needs. */
interface Inbound {
  readonly report: MoveReport;
  readonly options: MappingOptions;
  readonly numbers: NumberGateways;
  readonly gateway: string | undefined;
  readonly endpointOf: (list: string) => Pbx | undefined;
}

async function* readInbound(
  source: ForeignSource,
  { report, options, numbers, gateway, endpointOf }: Inbound,
): AsyncGenerator<MovedRecord> {
  for await (const row of source.rows('dr_rules')) {
    const [place, group, list] = [`dr_rules ${at(row, 'ruleid')}`, at(row, 'groupid'), at(row, 'gwlist')];
    if (group === OUTBOUND) continue;
    const telUrl = options.telUrl(at(row, 'prefix'));
    const endpoint = endpointOf(list);
    if (group !== INBOUND)
      report.miss(`dr_rules: a rule of least-cost routing or forwarding (groupid from 10000)`, place);
    else if (telUrl === undefined) report.miss('dr_rules: an inbound mapping of a prefix, not of a number', place);
    else if (!endpoint) report.miss('dr_rules: an inbound mapping to no endpoint group', place);
    else if (gateway === undefined) report.miss('a number whose gateway is not known: name one with --gateway', place);
    else {
      if (/[,;]/.test(list)) report.miss('dr_rules: endpoints of an inbound mapping after the first', place);
      const key = numbers.add(telUrl, gateway, place, report);
      const aorLink = `sip:${endpoint.username}@${NO_DOMAIN}`;
      if (key !== undefined) yield { place, key, cells: { telUrl, aorLink, gatewayRef: gateway } };
    }
  }
}

function* peers(endpoints: ReadonlyMap<string, Pbx>, report: MoveReport): Generator<MovedRecord> {
  for (const { place, name, username, secret, servers, sources } of endpoints.values()) {
    const [first, ...others] = servers;
    if (others.length > 0) report.miss('servers of an endpoint group after the first', place, others.length);
    if (first && first.transport !== 'udp')
      report.check('an endpoint that is called with the default transport', place);
    const addresses = servers.flatMap(({ host }) => networkOf(host, '') ?? []);
    const cells = {
      name,
      username,
      secret: secret === '' ? NEW_SECRET : secret,
      ...(first && { contactAddr: hostPortOf(first) }),
      ...(addresses.length + sources.size > 0 && { sources: networkCell([...addresses, ...sources], place, report) }),
    };
    yield { place, cells };
  }
}

/** A member of a text such as `name:FreePBX,type:9,lb:11`. */
function memberOf(text: string, name: string): string {
  return new RegExp(`(?:^|,)${name}:([^,]*)`).exec(text)?.[1] ?? '';
}
