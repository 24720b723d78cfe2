import { at, type ForeignRow, type ForeignSource } from '../../database/foreign/foreign-source';
import { DEFAULT_WEIGHT, MAX_OF_DESTINATION } from '../../model/format/destination';
import type { Mapping, MappingOptions, MovedRecord, MoveReport } from './moved-record';
import { nameOf, networkInRow, placeIn, type SipPlace } from './sip-place';
import { agentsIn, domainKey, domainKeysIn, domainsIn, missTables } from './sql-users';
import { TrunkDrafts, type TrunkDraft } from './trunk-draft';

const MAPPED = new Set(
  'domain subscriber dbaliases dr_gateways dr_gw_lists dr_rules dr_groups dispatcher uacreg address trusted'.split(' '),
);
/** The most routes: each rule becomes a route of each of its domains. */
const MAX_ROUTES = 50_000;
/** The flag of a destination of a dispatcher that is not used (Kamailio, module dispatcher, DS_DISABLED_DST). */
const DISABLED = 4;
/** The most numbers of a route (src/model/route.ts). */
const MAX_CALLERS = 8;
/** The most entries of a list that are read: Kamailio's columns with lists have 255 characters. */
const MAX_LISTED = 128;
/** What is between the gateways of a list. */
const GATEWAYS = /[,;]/;
/** The most pairs of a group and a prefix that have a rule. */
const MAX_RULES = 500_000;

/** Maps the tables of Kamailio's modules domain, auth_db, alias_db, drouting, dispatcher, uac and permissions. */
export async function mapKamailio(
  source: ForeignSource,
  report: MoveReport,
  options: MappingOptions,
): Promise<Mapping> {
  const trunks = new TrunkDrafts(report);
  for await (const row of source.rows('dr_gateways')) {
    const place = `dr_gateways ${at(row, 'gwid')}`;
    const server = placeIn(at(row, 'address'));
    if (!server) report.miss('dr_gateways: an address that is no host', place);
    else {
      const trunk = trunks.put(at(row, 'gwid'), place, nameOf(row['description'], server.host), server);
      trunk.takePrefix(at(row, 'pri_prefix'), at(row, 'strip'), place, report);
    }
  }
  await addDispatcherSets(source, trunks, report);
  for await (const row of source.rows('uacreg')) trunks.register(row);
  await addSources(source, trunks, report);
  const lists = new Map<string, string>();
  for await (const row of source.rows('dr_gw_lists')) {
    lists.set(at(row, 'id'), at(row, 'gwlist'));
    missLonger(at(row, 'gwlist'), GATEWAYS, 'dr_gw_lists: gateways', `dr_gw_lists ${at(row, 'id')}`, report);
  }
  const numbers = new NumberGateways(options.skip);
  await missTables(source, MAPPED, report);
  const domains = await domainKeysIn(source, () => true, options);
  const domainsOf = await domainsByGroup(source, domains, report);
  return {
    Gateway: () => trunks.records(),
    Number: () => aliases(source, trunks.forNumbers(options.gateway), numbers, report, options),
    Domain: () => domainsIn(source, () => true),
    Agent: () => agentsIn(source, options, report, () => true),
    Route: () =>
      routesOf(source, {
        report,
        domainsOf,
        gateways: gatewaysIn(trunks, lists),
        numbers,
        isOutbound: () => true,
      }),
  };
}

/** The first number of each gateway, which becomes the caller of routes through it. */
export class NumberGateways {
  private readonly first = new Map<string, string>();
  private readonly seen = new Map<string, string>();

  constructor(
    /** Places of numbers that are left out, which no route can show as the caller. */
    private readonly skip: ReadonlySet<string>,
  ) {}

  /** Returns the key of a number; undefined, with a report, if an earlier row has it. */
  add(telUrl: string, gateway: string, place: string, report: MoveReport): string | undefined {
    const earlier = this.seen.get(telUrl);
    if (earlier !== undefined) {
      report.miss('a number that an earlier row has', place);
      return undefined;
    }
    this.seen.set(telUrl, place);
    if (!this.skip.has(place) && !this.first.has(gateway)) this.first.set(gateway, telUrl);
    return `number:${telUrl}`;
  }

  callerOf(gateway: string): string | undefined {
    const telUrl = this.first.get(gateway);
    return telUrl === undefined ? undefined : `#number:${telUrl}`;
  }
}

/** Numbers of the table `dbaliases`. */
async function* aliases(
  source: ForeignSource,
  gateway: string | undefined,
  numbers: NumberGateways,
  report: MoveReport,
  { telUrl: telUrlOf }: MappingOptions,
): AsyncGenerator<MovedRecord> {
  for await (const row of source.rows('dbaliases')) {
    const place = `dbaliases ${at(row, 'id')}`;
    const telUrl = telUrlOf(at(row, 'alias_username'), true);
    if (telUrl === undefined) report.miss('dbaliases: an alias that is no number', place);
    else if (gateway === undefined) report.miss('a number whose gateway is not known: name one with --gateway', place);
    else {
      const key = numbers.add(telUrl, gateway, place, report);
      const aorLink = `sip:${at(row, 'username')}@${at(row, 'domain').toLowerCase()}`;
      if (key !== undefined) yield { place, key, cells: { telUrl, aorLink, gatewayRef: gateway } };
    }
  }
}

/** How the rules of drouting become routes. */
interface RouteRules {
  readonly report: MoveReport;
  /** The keys of the domains whose calls the rules of a group carry. */
  readonly domainsOf: (group: string) => readonly string[];
  readonly gateways: (list: string) => readonly TrunkDraft[];
  readonly numbers: NumberGateways;
  /** Whether a rule is for calls to the telephone network. */
  readonly isOutbound: (row: ForeignRow) => boolean;
}

/** Routes of the table `dr_rules`. A route needs a number of each of its gateways, which becomes the caller. */
export async function* routesOf(
  source: ForeignSource,
  { report, domainsOf, gateways, numbers, isOutbound }: RouteRules,
): AsyncGenerator<MovedRecord> {
  const best = await bestRules(source, isOutbound, report);
  /** The rules of routes, by domain and prefix: a domain may use several groups. */
  const rules = new Map<string, string>();
  let left = MAX_ROUTES;
  for await (const row of source.rows('dr_rules')) {
    if (!isOutbound(row)) continue;
    const place = `dr_rules ${at(row, 'ruleid')}`;
    const prefix = at(row, 'prefix');
    missLonger(at(row, 'gwlist'), GATEWAYS, 'dr_rules: gateways', place, report);
    missLonger(at(row, 'groupid'), ',', 'dr_rules: groups', place, report);
    const callers = new Set(gateways(at(row, 'gwlist')).map(({ key }) => numbers.callerOf(`#${key}`)));
    const known = [...callers].flatMap((caller) => caller ?? []).slice(0, MAX_CALLERS);
    if (at(row, 'timerec') !== '') report.miss('dr_rules: a rule with times (timerec)', place);
    else if (known.length === 0)
      report.miss('dr_rules: a rule none of whose gateways has a number to show as the caller', place);
    else
      for (const group of groupsOf(row)) {
        const counting = best.get(ruleKey(group, prefix));
        // One pair too many, which is in the report.
        if (counting === undefined) continue;
        if (counting !== at(row, 'ruleid')) {
          report.miss('dr_rules: a rule of a lower priority for the same prefix', place);
          continue;
        }
        const all = domainsOf(group);
        if (all.length === 0) report.miss('dr_rules: a rule of a group that no domain uses', place);
        if (all.length > left) {
          report.miss(`dr_rules: more than ${String(MAX_ROUTES)} routes, one for each rule and domain`, place);
          continue;
        }
        left -= all.length;
        const own = all.filter((domain) => !rules.has(ruleKey(domain, prefix)));
        if (all.some((domain) => (rules.get(ruleKey(domain, prefix)) ?? place) !== place))
          report.miss('dr_rules: a rule for a prefix that a rule of another group of the domain has', place);
        for (const domain of own) rules.set(ruleKey(domain, prefix), place);
        if (own.length > 0 && callers.size > known.length)
          report.miss('dr_rules: a gateway of a rule that has no number to show as the caller', place);
        if (own.length > 0)
          report.check('a route whose calls show the first number of its gateway as the caller', place);
        const name = nameOf(nameInDescription(at(row, 'description')), prefix === '' ? 'All numbers' : prefix);
        for (const domain of own)
          yield { place, cells: { name, domainRef: `#${domain}`, prefix, numberRefs: known.join(' ') } };
      }
  }
}

/** The rule that counts for each group and prefix: that of the highest priority. */
async function bestRules(
  source: ForeignSource,
  isOutbound: (row: ForeignRow) => boolean,
  report: MoveReport,
): Promise<ReadonlyMap<string, string>> {
  const best = new Map<string, { readonly rule: string; readonly priority: number }>();
  for await (const row of source.rows('dr_rules')) {
    if (!isOutbound(row) || at(row, 'timerec') !== '') continue;
    const priority = Number(at(row, 'priority'));
    for (const group of groupsOf(row)) {
      const key = ruleKey(group, at(row, 'prefix'));
      const known = best.get(key);
      if (!known && best.size >= MAX_RULES)
        report.miss(
          `dr_rules: more than ${String(MAX_RULES)} pairs of a group and a prefix`,
          `dr_rules ${at(row, 'ruleid')}`,
        );
      else if (!known || known.priority < priority) best.set(key, { rule: at(row, 'ruleid'), priority });
    }
  }
  return new Map([...best].map(([key, { rule }]) => [key, rule]));
}

/** The prefix of a rule of many groups is in many keys; one that is longer cannot be that of a route. */
function ruleKey(of: string, prefix: string): string {
  return JSON.stringify([of, prefix.slice(0, MAX_LISTED)]);
}

function groupsOf(row: ForeignRow): readonly string[] {
  return entriesOf(at(row, 'groupid'), ',');
}

/** `name:…` in a description of dSIPRouter, or the description itself. */
export function nameInDescription(description: string): string {
  const parts = description.split(/,(?=\w+:)/);
  const name = parts.find((part) => part.startsWith('name:'))?.slice('name:'.length);
  return name ?? description;
}

/**
 * Finds the gateways in a list such as `1,2;3` or `#4`, where `#` is followed by the id of a row of dr_gw_lists. Many rules may
 * name a row, which is read once.
 */
function gatewaysIn(trunks: TrunkDrafts, lists: ReadonlyMap<string, string>): RouteRules['gateways'] {
  const rows = new Map<string, readonly TrunkDraft[]>();
  const inRow = (id: string): readonly TrunkDraft[] => {
    const known = rows.get(id);
    if (known) return known;
    const ids = entriesOf(lists.get(id) ?? '', GATEWAYS);
    const found = [...new Set(ids.flatMap((each) => trunks.find(each.replaceAll('#', '')) ?? []))];
    rows.set(id, found);
    return found;
  };
  return (list) => {
    const ids = [...new Set(entriesOf(list, GATEWAYS))];
    return [...new Set(ids.flatMap((id) => (id.startsWith('#') ? inRow(id.slice(1)) : (trunks.find(id) ?? []))))];
  };
}

function entriesOf(list: string, between: RegExp | string): readonly string[] {
  return list.split(between, MAX_LISTED).map((each) => each.trim());
}

/** Reports a list of which `entriesOf` does not read all. */
function missLonger(list: string, between: RegExp | string, what: string, place: string, report: MoveReport): void {
  if (list.split(between, MAX_LISTED + 1).length > MAX_LISTED)
    report.miss(`${what} of a list after the ${String(MAX_LISTED)}th`, place);
}

/** The groups of the domains in dr_groups. Without rows there, all domains use all groups. */
async function domainsByGroup(
  source: ForeignSource,
  domains: readonly string[],
  report: MoveReport,
): Promise<(group: string) => readonly string[]> {
  const all = new Set(domains);
  const known = new Map<string, Set<string>>();
  /** The groups of all domains. */
  const ofAll = new Set<string>();
  for await (const row of source.rows('dr_groups')) {
    const [username, domain, group] = [at(row, 'username'), at(row, 'domain'), at(row, 'groupid')];
    const isAll = ['', '*', '.*'].includes(domain);
    if (!['', '*', '.*'].includes(username))
      report.miss('dr_groups: a group of a single user', `dr_groups ${at(row, 'id')}`);
    else if (isAll) ofAll.add(group);
    else {
      const own = known.get(group) ?? new Set();
      known.set(group, own);
      const key = domainKey(domain);
      if (all.has(key)) own.add(key);
    }
  }
  const areAll = known.size + ofAll.size === 0;
  const lists = new Map([...known].map(([group, own]) => [group, [...own]]));
  return (group) => (areAll || ofAll.has(group) ? domains : (lists.get(group) ?? []));
}

/** A row of a dispatcher, and the server that it names. */
interface SetMember {
  readonly row: ForeignRow;
  readonly place: string;
  readonly server: SipPlace;
}

/**
 * Each set of a dispatcher becomes a gateway with several destinations. The destination of the highest priority is first in
 * Kamailio, and that of the lowest in RFC 2782; equal priorities stay equal, so these destinations still share the calls.
 */
async function addDispatcherSets(source: ForeignSource, trunks: TrunkDrafts, report: MoveReport): Promise<void> {
  const sets = new Map<string, SetMember[]>();
  for await (const row of source.rows('dispatcher')) {
    const place = `dispatcher ${at(row, 'id')}`;
    const server = placeIn(at(row, 'destination'));
    const members = sets.get(at(row, 'setid')) ?? [];
    sets.set(at(row, 'setid'), members);
    if (server) members.push({ row, place, server });
    else report.miss('dispatcher: a destination that is no host', place);
  }
  for (const [id, members] of sets) {
    // A destination that is not used must not become the host, which has no `enabled` of its own.
    const [first, ...others] = members.toSorted(
      (a, b) => Number(isUsed(b)) - Number(isUsed(a)) || rankOf(b) - rankOf(a),
    );
    if (!first) continue;
    const key = `dispatcher:${id}`;
    const described = members.find(({ row }) => at(row, 'description').trim() !== '');
    const name = nameOf(described?.row['description'], `dispatcher ${id}`);
    const trunk = trunks.put(key, first.place, name, first.server);
    if (trunk.key === key && !isUsed(first)) trunk.enabled = 'false';
    for (const member of others)
      trunk.add(member.server, {
        priority: String(Math.min(Math.max(0, rankOf(first) - rankOf(member)), MAX_OF_DESTINATION)),
        weight: weightBeside(first, member),
        isEnabled: isUsed(member),
      });
  }
}

function isUsed({ row }: SetMember): boolean {
  return (Number(at(row, 'flags')) & DISABLED) === 0;
}

/** The weight of a destination: beside a host of the same priority, in proportion to it, because hosts have no weight. */
function weightBeside(host: SetMember, member: SetMember): string {
  const [ofHost, own] = [weightOf(host), weightOf(member)];
  if (own === 0) return '';
  const isShared = ofHost > 0 && rankOf(member) === rankOf(host);
  const weight = isShared ? Math.max(1, Math.round((own * DEFAULT_WEIGHT) / ofHost)) : own;
  return String(Math.min(weight, MAX_OF_DESTINATION));
}

/** The weight of a destination in Kamailio; 0 for none. */
function weightOf({ row }: SetMember): number {
  return Number(/(?:^|;)r?weight=(\d+)/.exec(at(row, 'attrs'))?.[1] ?? 0);
}

/** The priority of a destination in Kamailio. */
function rankOf({ row }: SetMember): number {
  return Number(at(row, 'priority'));
}

/** Addresses of permissions become sources of the gateway that their tag, or their address, names. */
async function addSources(source: ForeignSource, trunks: TrunkDrafts, report: MoveReport): Promise<void> {
  const tables = [
    { table: 'address', address: 'ip_addr', mask: 'mask' },
    { table: 'trusted', address: 'src_ip', mask: '' },
  ];
  const [byHost, byName] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, { name, places }] of trunks.all.entries()) {
    for (const { host } of places) if (!byHost.has(host)) byHost.set(host, index);
    const lower = name.toLowerCase();
    if (lower !== '' && !byName.has(lower)) byName.set(lower, index);
  }
  for (const { table, address, mask } of tables)
    for await (const row of source.rows(table)) {
      const place = `${table} ${at(row, 'id')}`;
      const [ip, tag] = [at(row, address), at(row, 'tag').toLowerCase()];
      const network = networkInRow(ip, at(row, mask));
      const found = [byHost.get(ip), byHost.get(tag), byName.get(tag)].filter((index) => index !== undefined);
      const trunk = trunks.all[Math.min(...found)];
      if (!network) report.miss(`${table}: an address that is no network`, place);
      else if (!trunk) report.miss(`${table}: an address of no gateway`, place);
      else if (!trunk.hasHost(network)) trunk.sources.add(network);
      if (trunk && (row['from_pattern'] ?? row['ruri_pattern'] ?? '') !== '')
        report.miss('trusted: the patterns of From and of the Request-URI', place);
    }
}
