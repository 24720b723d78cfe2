import { at, type ForeignRow } from '../../database/foreign/foreign-source';
import { MAX_DESTINATIONS } from '../../model/format/destination';
import { nonEmpty, type MovedRecord, type MoveReport } from './moved-record';
import { hostPortOf, networkCell, placeIn, placeKey, type SipPlace } from './sip-place';

/** A server of a trunk. */
interface Place extends SipPlace {
  readonly priority: string;
  readonly weight: string;
  readonly isEnabled: boolean;
}

/** The credentials at a provider. */
interface Credentials {
  readonly username: string;
  readonly authUsername: string;
  readonly secret: string;
  readonly registers: boolean;
  readonly expires: string;
  /** Empty for none. */
  readonly proxy: string;
}

const PREFIX = /^[0-9*#]{1,16}$/;
/** The flag of uacreg for a registration that is not sent (Kamailio, module uac, UAC_REG_DISABLED). */
const DISABLED = 1;

/** A trunk of another system, which becomes a Gateway once all its rows have been read. */
export class TrunkDraft {
  readonly places: Place[] = [];
  readonly sources = new Set<string>();
  credentials: Credentials | undefined;
  prefix = '';
  maxCalls = '';
  enabled = '';
  private readonly placeKeys = new Set<string>();
  private readonly placeHosts = new Set<string>();

  constructor(
    readonly key: string,
    /** The row that it comes from. */
    readonly place: string,
    readonly name: string,
  ) {}

  get host(): string {
    return this.places[0]?.host ?? '';
  }

  /** Adds a server, unless it is there already. The first one is the host of the gateway. */
  add(place: SipPlace, { priority = '', weight = '', isEnabled = true } = {}): void {
    const key = placeKey(place);
    if (this.placeKeys.has(key)) return;
    this.placeKeys.add(key);
    this.placeHosts.add(place.host);
    this.places.push({ ...place, priority, weight, isEnabled });
  }

  hasHost(host: string): boolean {
    return this.placeHosts.has(host);
  }

  /** Takes the digits before called numbers. Reports what is no such prefix. */
  takePrefix(prefix: string, strip: string, place: string, report: MoveReport): void {
    if (strip !== '' && strip !== '0') report.miss('dr_gateways: strip, the digits that are removed', place);
    if (prefix === '' || prefix === this.prefix) return;
    if (!PREFIX.test(prefix))
      report.miss('dr_gateways: pri_prefix that has other characters than digits, * and #', place);
    else if (this.prefix === '') this.prefix = prefix;
    else report.miss('dr_gateways: a second pri_prefix at the same gateway', place);
  }

  /** The resource; undefined, with a report, for a trunk without a server. */
  record(report: MoveReport): MovedRecord | undefined {
    const { key, place, name, places, credentials, sources } = this;
    const [first, ...others] = places;
    if (!first) {
      report.miss('a trunk without a server', place);
      return undefined;
    }
    if (others.length > MAX_DESTINATIONS)
      report.miss(
        `servers of a trunk after the ${String(MAX_DESTINATIONS + 1)}th`,
        place,
        others.length - MAX_DESTINATIONS,
      );
    const destinations = others.slice(0, MAX_DESTINATIONS).map((each, index) => ({
      host: each.host,
      ...(each.port !== '' && { port: Number(each.port) }),
      transport: each.transport,
      priority: each.priority === '' ? index + 1 : Number(each.priority),
      ...(Number(each.weight) >= 1 && { weight: Number(each.weight) }),
      ...(!each.isEnabled && { enabled: false }),
    }));
    const proxy = destinations.length === 0 ? (credentials?.proxy ?? '') : '';
    if (proxy !== (credentials?.proxy ?? '')) report.miss('the outbound proxy of a trunk with several servers', place);
    const cells = {
      name: name === '' ? first.host : name,
      host: first.host,
      port: first.port,
      transport: first.transport,
      username: credentials?.username ?? '',
      secret: credentials?.secret ?? '',
      authUsername: credentials?.authUsername ?? '',
      sendRegister: credentials ? String(credentials.registers) : '',
      expires: credentials?.expires ?? '',
      outboundProxy: proxy,
      technicalPrefix: this.prefix,
      maxCalls: this.maxCalls,
      enabled: this.enabled,
      sources: networkCell(sources, place, report),
      destinations: destinations.length === 0 ? '' : JSON.stringify(destinations),
    };
    return { place, key, cells: nonEmpty(cells) };
  }
}

/** The trunks of another system, in their order. */
export class TrunkDrafts {
  readonly all: TrunkDraft[] = [];
  /** By what the other system calls them. */
  private readonly byKey = new Map<string, TrunkDraft>();
  private readonly byPlace = new Map<string, TrunkDraft>();
  /** The positions of trunks that may have no credentials yet, by their hosts, the first one at the end. */
  private unregistered: Map<string, number[]> | undefined;

  constructor(private readonly report: MoveReport) {}

  find(key: string): TrunkDraft | undefined {
    return this.byKey.get(key);
  }

  /** Adds a trunk, or finds the one with the same first server, because they would be one gateway. */
  put(key: string, place: string, name: string, server: SipPlace): TrunkDraft {
    const known = this.byPlace.get(placeKey(server));
    if (known) {
      this.report.check('the same server as another gateway, whose counterpart is used', place);
      this.byKey.set(key, known);
      return known;
    }
    const draft = this.create(key, place, name);
    draft.add(server);
    this.byPlace.set(placeKey(server), draft);
    return draft;
  }

  /** Adds a trunk whose servers are not known yet. */
  create(key: string, place: string, name: string): TrunkDraft {
    const draft = new TrunkDraft(key, place, name);
    this.all.push(draft);
    this.byKey.set(key, draft);
    return draft;
  }

  /** Gives a trunk the credentials of a row of uacreg. Without `trunk`, the one of the same host, or a new one. */
  register(row: ForeignRow, trunk?: TrunkDraft): void {
    const of = (name: string): string => at(row, name);
    const place = `uacreg ${of('id')}`;
    const username = of('r_username') || of('auth_username') || of('l_username');
    const server = placeIn(of('r_domain')) ?? placeIn(of('realm'));
    if (!server || username === '') {
      if (of('auth_password') !== '') this.report.miss('uacreg: a registration without a user name or domain', place);
      return;
    }
    if (of('auth_password') === '') {
      if (of('auth_ha1') !== '') this.report.miss('uacreg: a password of which only the digest (HA1) is stored', place);
      return;
    }
    const proxy = placeIn(of('auth_proxy'));
    const draft =
      trunk ?? this.withoutCredentials(server.host, proxy?.host) ?? this.create(`uacreg:${of('id')}`, place, username);
    if (draft.places.length === 0) draft.add(server);
    if (!draft.hasHost(server.host))
      this.report.check(
        'a registration at a domain that is no host of its gateway, which registers at its own host',
        place,
      );
    draft.credentials = {
      username,
      authUsername: of('auth_username') === username ? '' : of('auth_username'),
      secret: of('auth_password'),
      registers: (Number(of('flags')) & DISABLED) === 0,
      expires: of('expires') === '0' ? '' : of('expires'),
      proxy: proxy && !draft.hasHost(proxy.host) ? hostPortOf(proxy) : '',
    };
  }

  /** The first trunk with one of these hosts that has no credentials yet. There may be as many trunks as registrations. */
  private withoutCredentials(...hosts: readonly (string | undefined)[]): TrunkDraft | undefined {
    // All trunks with a server are known: those that `register` adds have credentials.
    this.unregistered ??= this.positionsByHost();
    const found: number[] = [];
    for (const host of hosts) {
      const positions = this.unregistered.get(host ?? '') ?? [];
      while (positions.length > 0 && this.all[positions.at(-1) ?? 0]?.credentials) positions.pop();
      found.push(positions.at(-1) ?? Infinity);
    }
    return this.all[Math.min(...found)];
  }

  private positionsByHost(): Map<string, number[]> {
    const positions = new Map<string, number[]>();
    for (const [index, { host }] of [...this.all.entries()].reverse()) {
      const own = positions.get(host) ?? [];
      positions.set(host, own);
      if (host !== '') own.push(index);
    }
    return positions;
  }

  *records(): Generator<MovedRecord> {
    for (const draft of this.all) {
      const record = draft.record(this.report);
      if (record) yield record;
    }
  }

  /**
   * The gateway that numbers belong to, as a ref or `#key`: the one that the operator names, or the only one. The other
   * system does not say which one it is.
   */
  forNumbers(named: string | undefined, fallback?: TrunkDraft): string | undefined {
    const found =
      named === undefined
        ? ((this.all.length === 1 ? this.all[0] : undefined) ?? fallback)
        : this.all.find(({ key, host, name }) => [key, host, name].includes(named));
    return found ? `#${found.key}` : named;
  }
}
