import type { State } from '../../changes/details';
import { all, list, sql, unionAll, type Fragment } from '../../database/fragment';
import { groupBy, pad, type Reads, type SqlValue } from '../../database/sql';
import { addressOfRecordIn } from '../../model/format/address-of-record';
import type { Value } from '../../model/format/format';
import { MAX_PREFIX } from '../../model/format/number-prefix';
import { targetsIn } from '../../model/format/number-target';
import { digitsBetween, isBetween } from '../../model/format/number-range';
import { telDigits } from '../../model/format/tel-uri';
import type { Model } from '../../model/model';
import { sourceWith } from '../../sip/diagnosis/networks';
import { numbersAmong } from '../../sip/diagnosis/ranges';
import { mentionKey, sinceThen, type SearchOptions } from '../mentions';
import type { PastReader } from '../past-reader';
import { hasDigits, hasField, hasText, MOST, searchHistory, type Search } from './history-search';

/** A resource as it was. */
export interface Then {
  readonly kind: string;
  readonly ref: string;
  readonly values: State;
  /** The row id that it has now; negative if it no longer exists, also if another resource has its reference. */
  readonly rowId: number;
}

/** A user name at a host. */
export interface Named {
  readonly user: string;
  readonly host: string;
}

/** What a call names. */
export interface Ends {
  /** Who calls or is called. */
  readonly users: readonly Named[];
  /** The digits that are called, in each spelling. */
  readonly digits: readonly string[];
  /** Numbers that matter only because they are numbers of ours, such as that of a caller outside. */
  readonly others: readonly string[];
  /** The numbers that routes lead to: what was dialed, with + if it was. */
  readonly dialed: readonly string[];
  /** The IP address from which the call comes. */
  readonly source: string | undefined;
}

/** The resources that decide on a call, as they were. */
export interface PastResources {
  readonly all: readonly Then[];
  /** Since when their references meant them, by `mentionKey`, of those that had meant others before. */
  readonly since: ReadonlyMap<string, number>;
  /** The names of domains, each as the domain was called then, by any name that it has or had since. */
  readonly domainNames: ReadonlyMap<string, string>;
  /** Addresses of record to which the called numbers lead, and those that the call names. */
  readonly users: readonly Named[];
  /** Resources of the called digits that did not exist then, but since. */
  readonly later: readonly string[];
  /** What could not be followed, as text. */
  readonly unknown: readonly string[];
}

/** The kinds of numbers. */
export const NUMBERS = ['DID', 'Number'];
// Agents of other domains with the same user name, of which a few suffice to say that there are some.
const ELSEWHERE = 10;
// A call leads to a number, to its targets, to their routes, and to the gateways of these.
const ROUNDS = 8;
const NETWORKS = 1000;

/** What a look-up looks for. */
interface Added {
  readonly hosts: readonly string[];
  /** The names of domains: hosts, and those that are wanted only by name. */
  readonly uris: readonly string[];
  /** The names of users. */
  readonly named: readonly string[];
  readonly digits: readonly string[];
  readonly newDomains: readonly string[];
  readonly newPrefixes: readonly string[];
  /** Those whose routes are looked up: with new prefixes, all. */
  readonly domains: readonly string[];
}

/**
 * Finds the resources that decided on a call, as they were after an entry of the history: those that have the names of the call now
 * or had them since, and what they refer to. Each round takes a fixed number of statements, and there are at most eight. The caller
 * checks that the history since is kept.
 */
export class PastSearch {
  private readonly found = new Map<string, Then | undefined>();
  private readonly keys = new Set<string>();
  private readonly hosts = new Set<string>();
  /** Domains that are wanted only by name, because agents belong to them. */
  private readonly names = new Set<string>();
  private readonly users = new Map<string, Named>();
  private readonly digits = new Set<string>();
  private readonly known = new Set<string>();
  /** The beginnings of the numbers that are called outside. */
  private readonly prefixes = new Set<string>();
  /** Each name of a domain, with its ref. */
  private readonly refs = new Map<string, string>();
  private readonly unknown = new Set<string>();
  private readonly called: ReadonlySet<string>;
  private gone = 0;

  constructor(
    private readonly reads: Reads,
    private readonly past: PastReader,
    private readonly options: SearchOptions,
    private readonly model: Model,
    private readonly ends: Ends,
    private readonly last: number,
  ) {
    for (const user of ends.users) this.addUser(user);
    this.called = new Set(ends.digits);
    for (const each of [...ends.digits, ...ends.others]) this.digits.add(each);
    for (const number of ends.dialed) this.addDialed(number);
  }

  /** Throws TooSlowError, and RateLimitedError. */
  async run(): Promise<PastResources> {
    for (let round = 0; round < ROUNDS; round++) {
      await this.lookUp();
      const keys = [...this.keys].filter((key) => !this.found.has(key));
      if (keys.length === 0 && this.pending().every(({ values }) => values.length === 0)) break;
      await this.read(keys);
      for (const key of keys) this.follow(this.found.get(key));
    }
    const found = [...this.found.values()].filter((each) => each !== undefined);
    return {
      all: found,
      since: await sinceThen(this.reads, found, { ...this.options, last: this.last }),
      domainNames: this.domainNames(),
      users: [...this.users.values()],
      later: [...this.keys].filter((key) => this.found.get(key) === undefined && /^(DID|Number) /.test(key)),
      unknown: [...this.unknown],
    };
  }

  /** The domains whose names the call or its numbers have. */
  private domainRefs(): readonly string[] {
    return [...this.found.values()].flatMap((each) =>
      each?.kind === 'Domain' && this.hosts.has(textOf(each.values['domainUri'])) ? [each.ref] : [],
    );
  }

  /** What has been added since the last look-up, by what it is. */
  private pending(): readonly { readonly of: string; readonly values: readonly string[] }[] {
    const all = {
      host: [...this.hosts],
      name: [...this.names],
      user: [...this.users.keys()],
      digits: [...this.digits],
      domain: this.domainRefs(),
      prefix: [...this.prefixes],
    };
    return Object.entries(all).map(([of, values]) => ({
      of,
      values: values.filter((value) => !this.known.has(`${of} ${value}`)),
    }));
  }

  /** Finds the keys of resources with names that were added: those that have them now, and those that had them since. */
  private async lookUp(): Promise<void> {
    const isFirst = this.known.size === 0;
    const added = this.takePending();
    await this.lookUpNow(added);
    const source = isFirst ? this.ends.source : undefined;
    if (source !== undefined) await this.lookUpSource(source);
    // The entries include all changes that the current state has.
    await this.past.number();
    await this.lookUpSince(added, source !== undefined);
  }

  /** What has been added since the last look-up, which then counts as looked up. */
  private takePending(): Added {
    const pending = this.pending();
    const of = (what: string): readonly string[] => pending.find((each) => each.of === what)?.values ?? [];
    const [hosts, newDomains, newPrefixes] = [of('host'), of('domain'), of('prefix')];
    const domains = newPrefixes.length > 0 ? this.domainRefs() : newDomains;
    const named = [...new Set(of('user').map((user) => this.users.get(user)?.user ?? ''))];
    for (const { of: what, values } of pending) for (const value of values) this.known.add(`${what} ${value}`);
    return { hosts, uris: [...hosts, ...of('name')], named, digits: of('digits'), newDomains, newPrefixes, domains };
  }

  private async lookUpNow({ hosts, uris, named, digits, newDomains, domains }: Added): Promise<void> {
    const parts: Fragment[] = [];
    if (uris.length > 0)
      parts.push(
        sql`SELECT 'Domain' AS kind, ref, domain_uri AS name FROM domains WHERE domain_uri IN (${among(uris)})`,
      );
    if (digits.length > 0)
      parts.push(
        sql`SELECT kind, ref, '' AS name FROM (SELECT n.kind, n.ref FROM (${numbersAmong(pad(digits, ''))}) w
          JOIN numbers n ON n.id = w.id ORDER BY n.id LIMIT ${MOST}) n`,
      );
    for (const user of named)
      parts.push(sql`SELECT 'Agent' AS kind, ref, '' AS name FROM (SELECT ref FROM agents WHERE username = ${user} LIMIT ${ELSEWHERE}) a
        UNION ALL SELECT 'Peer' AS kind, ref, '' AS name FROM peers WHERE username = ${user}`);
    const everybody = [...new Set([...this.users.values()].map(({ user }) => user))];
    if (everybody.length > 0 && (hosts.length > 0 || named.length > 0 || newDomains.length > 0))
      parts.push(sql`SELECT 'Agent' AS kind, a.ref, '' AS name FROM domains e JOIN agent_domains m ON m.domain_id = e.id
        JOIN agents a ON a.id = m.agent_id WHERE m.username IN (${among(everybody)})
        AND (e.domain_uri IN (${among([...this.hosts])}) OR e.ref IN (${among(newDomains)}))`);
    if (domains.length > 0 && this.prefixes.size > 0)
      parts.push(sql`SELECT 'Route' AS kind, r.ref, '' AS name FROM domains d JOIN routes r ON r.domain_id = d.id
        WHERE d.ref IN (${among(domains)}) AND r.prefix IN (${among([...this.prefixes])})`);
    if (parts.length === 0) return;
    const { text, values } = unionAll(parts);
    for (const [kind, ref, name] of await this.reads.rows(text, values)) {
      this.keys.add(`${String(kind)} ${String(ref)}`);
      if (kind === 'Domain') this.refs.set(String(name), String(ref));
    }
  }

  private async lookUpSince(added: Added, hasSource: boolean): Promise<void> {
    const searches = searchesFor(added, [...this.prefixes], hasSource);
    const entries = await searchHistory(this.reads, this.options, searches, { since: this.last });
    for (const { kind, ref, details } of entries) {
      if (NUMBERS.includes(kind) && !mayHaveHad(details?.before, [...this.digits])) continue;
      this.keys.add(`${kind} ${ref}`);
      const names = kind === 'Domain' ? [details?.before?.['domainUri'], details?.after?.['domainUri']] : [];
      for (const name of names) if (typeof name === 'string' && !this.refs.has(name)) this.refs.set(name, ref);
    }
    for (const [which, { length }] of groupBy(entries, ({ kind, event }) => `${kind} ${event}`))
      if (length >= MOST)
        this.unknown.add(
          `more than ${String(MOST)} entries since then have these names (${which}): resources that lost them later may be missing`,
        );
  }

  /** Peers and gateways that have the source address among their networks now. */
  private async lookUpSource(source: string): Promise<void> {
    const { text, values } =
      sql`SELECT * FROM (SELECT 'Peer' AS kind, ref, COALESCE(sources, '[]') AS nets, '' AS host FROM peers
        WHERE sources IS NOT NULL LIMIT ${NETWORKS}) p
      UNION ALL SELECT * FROM (SELECT 'Gateway' AS kind, ref, COALESCE(sources, '[]') AS nets, host FROM gateways
        WHERE sources IS NOT NULL OR host = ${source} LIMIT ${NETWORKS}) g`;
    for (const [kind, ref, nets, host] of await this.reads.heavy(text, values)) {
      const networks = JSON.parse(String(nets)) as string[]; // the format of the field is a list of texts
      if (host === source || sourceWith(source, networks) !== undefined)
        this.keys.add(`${String(kind)} ${String(ref)}`);
    }
  }

  private async read(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.found.set(key, undefined);
    const refsOf = new Map<string, string[]>();
    for (const key of keys) {
      const [kind = '', ref = ''] = key.split(' ', 2);
      refsOf.set(kind, [...(refsOf.get(kind) ?? []), ref]);
    }
    for (const [kind, refs] of refsOf) {
      const states = await this.past.statesBy(this.model.kindOf(kind), refs, this.last);
      for (const [ref, { state, rowId }] of states)
        this.found.set(`${kind} ${ref}`, { kind, ref, values: state, rowId: rowId ?? --this.gone });
    }
  }

  /** Adds what a resource leads to. */
  private follow(then: Then | undefined): void {
    if (!then) return;
    const { kind, values } = then;
    if (NUMBERS.includes(kind)) {
      this.addRef('Gateway', values['gatewayRef']);
      if (!hasSome(values, [...this.called])) return;
      const first = addressOfRecordIn(textOf(values['aorLink']));
      this.addUser(first);
      for (const { address, outside } of targetsIn(values['furtherTargets'] as Value | undefined)) {
        if (address) this.addUser(address);
        if (outside === undefined) continue;
        this.digits.add(telDigits(outside));
        this.addDialed(outside);
      }
      return;
    }
    if (kind === 'Domain') {
      const name = textOf(values['domainUri']);
      if (this.hosts.has(name)) this.addRef('Number', values['egressPolicy.numberRef']);
    }
    if (kind === 'Agent') {
      this.addRef('Number', values['callerNumberRef']);
      for (const name of textsOf(values['domains']).slice(0, ELSEWHERE)) this.names.add(name);
    }
    if (kind === 'Peer') for (const ref of textsOf(values['callerNumberRefs'])) this.addRef('Number', ref);
    if (kind === 'Route') {
      const hasDomain = this.found.get(`Domain ${textOf(values['domainRef'])}`);
      if (hasDomain) for (const ref of textsOf(values['numberRefs'])) this.addRef('Number', ref);
    }
  }

  private addRef(kind: string, ref: unknown): void {
    if (typeof ref === 'string') this.keys.add(`${kind} ${ref}`);
  }

  private addDialed(number: string): void {
    for (const prefix of prefixesOf(number)) this.prefixes.add(prefix);
  }

  private addUser(named: Named): void {
    this.users.set(`${named.user}@${named.host}`, named);
    this.hosts.add(named.host);
  }

  private domainNames(): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    const nameOf = (then: Then | undefined): string => textOf(then?.values['domainUri']);
    for (const [name, ref] of this.refs) names.set(name, nameOf(this.found.get(`Domain ${ref}`)));
    for (const then of this.found.values()) if (then?.kind === 'Domain') names.set(nameOf(then), nameOf(then));
    return names;
  }
}

/** The searches for what had the names that were added since the time of the call. */
function searchesFor(
  { hosts, uris, named, digits, newPrefixes, domains }: Added,
  prefixes: readonly string[],
  hasSource: boolean,
): readonly Search[] {
  const searches: Search[] = [];
  if (uris.length > 0) searches.push({ kinds: ['Domain'], contains: hasField('domainUri', uris) });
  if (digits.length > 0)
    searches.push(
      { kinds: NUMBERS, contains: hasDigits(digits) },
      // Any range may have had them inside.
      { kinds: NUMBERS, contains: hasText(['"lastTelUrl":']) },
      { kinds: NUMBERS, events: ['UPDATED'], contains: hasText(['"telUrl":']) },
    );
  if (named.length > 0) searches.push({ kinds: ['Agent', 'Peer'], contains: hasField('username', named) });
  // An agent that was moved to another domain.
  if (hosts.length > 0)
    searches.push({
      kinds: ['Agent'],
      events: ['UPDATED'],
      contains: hasText(hosts.map((host) => JSON.stringify(host))),
    });
  if (domains.length > 0 && prefixes.length > 0)
    searches.push(
      { kinds: ['Route'], events: ['UPDATED'], contains: hasField('domainRef', domains) },
      {
        kinds: ['Route'],
        events: ['DELETED'],
        contains: all([hasField('domainRef', domains), hasField('prefix', prefixes)]),
      },
    );
  if (newPrefixes.length > 0)
    searches.push({ kinds: ['Route'], events: ['UPDATED'], contains: hasField('prefix', newPrefixes) });
  if (hasSource) searches.push({ kinds: ['Peer', 'Gateway'], contains: hasText(['"sources":', '"host":']) });
  return searches;
}

/** Since when the reference of a resource meant it; 0 if it had never meant another one. */
export function sinceOf(then: Pick<Then, 'kind' | 'ref'>, { since }: Pick<PastResources, 'since'>): number {
  return since.get(mentionKey(then)) ?? 0;
}

/** The gateway with a row id. */
export function gatewayWith(id: number | undefined, { all }: Pick<PastResources, 'all'>): Then | undefined {
  return all.find(({ kind, rowId }) => kind === 'Gateway' && rowId === id);
}

/** The beginnings of a number that a route may have, the empty one too. */
export function prefixesOf(number: string): readonly string[] {
  return Array.from({ length: Math.min(MAX_PREFIX, number.length) + 1 }, (_, length) => number.slice(0, length));
}

/** Whether a number is one of these, or a range has one of them inside. */
export function hasSome(values: State, digits: readonly string[]): boolean {
  const between = digitsBetween(textOf(values['telUrl']), textOf(values['lastTelUrl']));
  return digits.some((each) => isBetween(between, each));
}

/** Whether a number may have been, or have had inside, one of these before a change: also if that does not say so. */
function mayHaveHad(before: State | undefined, digits: readonly string[]): boolean {
  const [first, last] = [textOf(before?.['telUrl']), textOf(before?.['lastTelUrl'])];
  return first === '' || last === '' || hasSome({ telUrl: first, lastTelUrl: last }, digits);
}

/** The numbers that these digits lead to: those with rows of their own, or else the ranges that have them inside. */
export function numbersWith(all: readonly Then[], digits: readonly string[]): readonly Then[] {
  const found = all.filter(({ kind, values }) => NUMBERS.includes(kind) && hasSome(values, digits));
  const own = found.filter(({ values }) => textOf(values['lastTelUrl']) === '');
  return own.length > 0 ? own : found;
}

function among(values: readonly SqlValue[]): Fragment {
  return list(pad(values, ''));
}

/** A value that is a text, or the empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A value that is a list of texts, or none. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
