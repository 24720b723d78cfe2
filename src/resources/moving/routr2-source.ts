import type { ForeignSource } from '../../database/foreign/foreign-source';
import { InvalidInputError, quote } from '../../errors';
import { MAX_ENTRIES } from '../../model/format/format';
import { isMembers, type Members } from '../documents/members';
import { parseYaml, type YamlLimits } from '../documents/yaml';
import {
  MoveReport,
  nonEmpty,
  NEW_SECRET,
  type Counted,
  type Mapping,
  type MappingOptions,
  type MovedRecord,
} from './moved-record';
import { nameOf, networkCell, networkOf, type SipPlace } from './sip-place';
import { TrunkDrafts } from './trunk-draft';

/** A document of Routr v2. */
interface RoutrDocument {
  readonly place: string;
  readonly kind: string;
  readonly ref: string;
  readonly value: Members;
}

const KINDS = ['AccessControlList', 'Credentials', 'Domain', 'Agent', 'Peer', 'Trunk', 'Number'] as const;

/** How a password begins that Routr encrypted, which it does with a key in CLOAK_ENCRYPTION_KEY (npm, @47ng/cloak). */
const ENCRYPTED = 'v1.aesgcm256.';

/** Reads the documents of YAML or JSON files. Throws InvalidInputError with all that is wrong with them. */
export function readRoutr(
  files: readonly { readonly name: string; readonly text: string }[],
  limits?: YamlLimits,
): readonly RoutrDocument[] {
  const mistakes: string[] = [];
  const documents: RoutrDocument[] = [];
  /** Where each ref of a kind is. */
  const refs = new Map<string, string>();
  for (const { name, text: content } of files) {
    const read = parseYaml(content, limits);
    for (const { line, message } of read.mistakes) mistakes.push(`${name}:${String(line)}: ${message}`);
    for (const { value, line } of read.values) {
      const place = `${name.replace(/^.*\//, '')}:${String(line)}`;
      // What is no document of a resource, such as a setting, is none to move.
      if (!isMembers(value) || typeof value['kind'] !== 'string') continue;
      const { kind } = value;
      const ref = text(value, 'ref') || text(value, 'metadata', 'ref');
      const earlier = refs.get(`${kind} ${ref}`);
      // They would share what refers to one of them.
      if (earlier !== undefined && ref !== '')
        mistakes.push(`${name}:${String(line)}: the ${kind} has the ref ${quote(ref)} of that at ${earlier}`);
      refs.set(`${kind} ${ref}`, place);
      documents.push({ place, kind, ref, value });
    }
  }
  if (mistakes.length > 0) throw InvalidInputError.of('source', mistakes.slice(0, 10).join('; '));
  if (documents.length === 0) throw InvalidInputError.of('source', 'has no documents with a kind');
  return documents;
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Reads the tables in which Routr v2 keeps its resources (mods/pgdata/schema.prisma) as documents. */
export async function routrInTables(source: ForeignSource): Promise<readonly RoutrDocument[]> {
  const documents: RoutrDocument[] = [];
  const uris = new Map<string, object[]>();
  for await (const row of source.rows('trunk_uris')) {
    const { host, port, transport, user, weight, priority, enabled } = row;
    const uri = { uri: { host, port, transport, user }, weight, priority, enabled: isTrue(enabled) };
    append(uris, row['trunk_ref'] ?? '', uri);
  }
  const policies = new Map<string, object[]>();
  for await (const row of source.rows('egress_policies'))
    append(policies, row['domain_ref'] ?? '', { rule: row['rule'], numberRef: row['number_ref'] });
  const tables: Readonly<Record<string, readonly [kind: string, spec: (row: Members) => object]>> = {
    access_control_lists: [
      'AccessControlList',
      (row) => ({ accessControlList: { allow: arrayIn(row['allow']), deny: arrayIn(row['deny']) } }),
    ],
    credentials: ['Credentials', (row) => ({ credentials: { username: row['username'], password: row['password'] } })],
    domains: [
      'Domain',
      (row) => ({
        accessControlListRef: row['acl_ref'],
        context: { domainUri: row['domain_uri'], egressPolicies: policies.get(text(row, 'ref')) },
      }),
    ],
    agents: [
      'Agent',
      (row) => ({
        username: row['username'],
        domainRef: row['domain_ref'],
        credentialsRef: row['credentials_ref'],
        privacy: row['privacy'],
        maxContacts: row['max_contacts'],
        enabled: isTrue(row['enabled']),
      }),
    ],
    peers: [
      'Peer',
      (row) => ({
        username: row['username'],
        aor: row['aor'],
        contactAddr: row['contact_addr'],
        credentialsRef: row['credentials_ref'],
        accessControlListRef: row['acl_ref'],
        loadBalancing: row['balancing_algorithm'] === null ? undefined : { algorithm: row['balancing_algorithm'] },
        maxContacts: row['max_contacts'],
        enabled: isTrue(row['enabled']),
      }),
    ],
    trunks: [
      'Trunk',
      (row) => ({
        inbound: {
          uri: row['inbound_uri'],
          accessControlListRef: row['acl_ref'],
          credentialsRef: row['inbound_credentials_ref'],
        },
        outbound: {
          sendRegister: isTrue(row['send_register']),
          credentialsRef: row['outbound_credentials_ref'],
          uris: uris.get(text(row, 'ref')),
        },
      }),
    ],
    numbers: [
      'Number',
      (row) => ({
        trunkRef: row['trunk_ref'],
        location: {
          telUrl: row['tel_url'],
          aorLink: row['aor_link'],
          sessionAffinityHeader: row['session_affinity_header'],
          extraHeaders: row['extra_headers'] === null ? undefined : [row['extra_headers']],
        },
      }),
    ],
  };
  for (const [table, [kind, spec]] of Object.entries(tables)) {
    const refs = new Set<string>();
    for await (const row of source.rows(table)) {
      const ref = row['ref'] ?? '';
      // The primary key: rows with the same one would share what refers to it.
      if (refs.has(ref)) throw InvalidInputError.of('source', `${table} has two rows with the ref ${quote(ref)}`);
      refs.add(ref);
      const geoInfo = { city: row['city'], country: row['country'], countryISOCode: row['country_iso_code'] };
      const value = { kind, ref, metadata: { name: row['name'], geoInfo }, spec: spec(row) };
      documents.push({ place: `${table} ${ref}`, kind, ref, value });
    }
  }
  return documents;
}

/** Maps the documents of Routr v2: trunks become Gateways. Lists of addresses and credentials become parts of what uses them. */
export function mapRoutr(documents: readonly RoutrDocument[], report: MoveReport, options: MappingOptions): Mapping {
  const byRef = new Map(documents.map((each) => [`${each.kind} ${each.ref}`, each]));
  const of = (kind: (typeof KINDS)[number]): readonly RoutrDocument[] => documents.filter((each) => each.kind === kind);
  // Without a ref, nothing is meant, not even a document that has none either.
  const find = (kind: (typeof KINDS)[number], ref: string): Members | undefined =>
    ref === '' ? undefined : byRef.get(`${kind} ${ref}`)?.value;
  for (const { kind, place } of documents)
    if (!KINDS.some((each) => each === kind)) report.miss(`${kind}: the kind has no counterpart`, place);
  const passwordIn = (credentials: unknown): string => text(credentials, 'spec', 'credentials', 'password');
  for (const { value, place } of of('Credentials'))
    if (passwordIn(value).startsWith(ENCRYPTED))
      report.miss('Credentials: a password that Routr encrypted (CLOAK_ENCRYPTION_KEY)', place);
  const secretOf = (value: Members, ...path: readonly string[]): { username: string; password: string } => {
    const found = find('Credentials', text(value, ...path));
    const password = passwordIn(found);
    return {
      username: text(found, 'spec', 'credentials', 'username'),
      password: password.startsWith(ENCRYPTED) ? '' : password,
    };
  };
  const networks = networksOf((ref) => find('AccessControlList', ref), report);
  const trunks = new TrunkDrafts(report);
  const gateways = gatewaysOf(of('Trunk'), trunks, report, secretOf, networks);
  const gatewayOfOthers = trunks.forNumbers(options.gateway);
  const uriOf = (ref: string): string => text(find('Domain', ref), 'spec', 'context', 'domainUri').toLowerCase();
  const peersOf = new Map<string, string[]>();
  for (const { value } of of('Peer')) append(peersOf, text(value, 'spec', 'aor'), text(value, 'spec', 'username'));
  const numbers = new Map(of('Number').map(({ ref, value }) => [ref, text(value, 'spec', 'location', 'telUrl')]));
  return {
    Gateway: () => gateways.records,
    *Number() {
      const seen = new Set<string>();
      for (const { place, ref, value } of of('Number')) {
        const telUrl = options.telUrl(numbers.get(ref) ?? '');
        const gateway = gateways.keyOf.get(text(value, 'spec', 'trunkRef')) ?? gatewayOfOthers;
        const link = text(value, 'spec', 'location', 'aorLink');
        const sharing = peersOf.get(link) ?? [];
        const [peer] = sharing;
        const aorLink = linkTo(link, peer);
        if (sharing.length > 1)
          report.miss('Peer: further peers with the same aor (load balancing)', place, sharing.length - 1);
        if (text(value, 'spec', 'location', 'sessionAffinityHeader') !== '')
          report.miss('Number: sessionAffinityHeader', place);
        if (listAt(value, 'spec', 'location', 'extraHeaders').length > 0) report.miss('Number: extraHeaders', place);
        if (telUrl === undefined) report.miss('Number: a telUrl that is no number', place);
        else if (seen.has(telUrl)) report.miss('a number that an earlier row has', place);
        else if (aorLink === '') report.miss('Number: an aorLink that is no SIP URI and no aor of a peer', place);
        else if (gateway === undefined)
          report.miss('a number whose gateway is not known: name one with --gateway', place);
        else {
          seen.add(telUrl);
          const geoInfo = (name: string): string => text(value, 'metadata', 'geoInfo', name);
          const location = nonEmpty({
            'geoInfo.city': geoInfo('city'),
            'geoInfo.country': geoInfo('country'),
            // The second spelling is that of Routr since June 2024.
            'geoInfo.countryISOCode': geoInfo('countryISOCode') || geoInfo('countryIsoCode'),
          });
          yield { place, key: `number:${ref}`, cells: { telUrl, aorLink, gatewayRef: gateway, ...location } };
        }
      }
    },
    *Domain() {
      for (const { place, ref, value } of of('Domain')) {
        const { allow, deny } = listsOf(find('AccessControlList', text(value, 'spec', 'accessControlListRef')));
        const [policy, ...others] = listAt(value, 'spec', 'context', 'egressPolicies').filter(isMembers);
        if (others.length > 0) report.miss('Domain: egress policies after the first', place, others.length);
        const cells = {
          name: nameOf(text(value, 'metadata', 'name'), uriOf(ref)),
          domainUri: uriOf(ref),
          'accessControlList.allow': allow.join(' '),
          'accessControlList.deny': deny.join(' '),
          'egressPolicy.rule': text(policy, 'rule'),
          'egressPolicy.numberRef': policy ? `#number:${text(policy, 'numberRef')}` : '',
        };
        yield { place, key: `domain:${ref}`, cells: nonEmpty(cells) };
      }
    },
    *Agent() {
      for (const { place, value } of of('Agent')) {
        const domain = uriOf(text(value, 'spec', 'domainRef'));
        const { password } = secretOf(value, 'spec', 'credentialsRef');
        if (domain === '') report.miss('Agent: an agent without a domain', place);
        else if (password === '' && !options.newSecrets)
          report.miss('Agent: an agent without credentials (--new-secrets gives it new ones)', place);
        else {
          const username = text(value, 'spec', 'username');
          const privacy = text(value, 'spec', 'privacy');
          const cells = {
            name: nameOf(text(value, 'metadata', 'name'), username),
            username,
            secret: password === '' ? NEW_SECRET : password,
            domains: domain,
            privacy: privacy === 'ID' ? 'Private' : privacy,
            maxContacts: maxContactsIn(value),
            enabled: disabledIn(value),
          };
          yield { place, cells: nonEmpty(cells) };
        }
      }
    },
    *Peer() {
      for (const { place, value } of of('Peer')) {
        const username = text(value, 'spec', 'username');
        const { password } = secretOf(value, 'spec', 'credentialsRef');
        if (isMembers(value['spec']) && isMembers(value['spec']['loadBalancing']))
          report.miss('Peer: loadBalancing', place);
        if (maxContactsIn(value) !== '') report.miss('Peer: maxContacts', place);
        const aor = text(value, 'spec', 'aor');
        if (/^sips?:/i.test(aor) && linkTo(aor, username) !== aor)
          report.miss('Peer: an aor that is dialed, where here the user name of the peer is', place);
        const cells = {
          name: nameOf(text(value, 'metadata', 'name'), username),
          username,
          secret: password === '' ? NEW_SECRET : password,
          contactAddr: text(value, 'spec', 'contactAddr').replace(/^sips?:/i, ''),
          sources: networks(text(value, 'spec', 'accessControlListRef'), place),
          enabled: disabledIn(value),
        };
        yield { place, cells: nonEmpty(cells) };
      }
    },
  };
}

/** Returns the networks of a list, as a cell, with a report for what names it. Many may name a list, which is read once. */
function networksOf(
  find: (ref: string) => Members | undefined,
  report: MoveReport,
): (ref: string, place: string) => string {
  const lists = new Map<string, { readonly cell: string; readonly missing: readonly Counted[] }>();
  const read = (ref: string, place: string): { readonly cell: string; readonly missing: readonly Counted[] } => {
    const own = new MoveReport();
    const { allow, deny } = listsOf(find(ref));
    if (deny.length > 0) own.miss('AccessControlList: addresses that a trunk or peer denies', place);
    const all = allow.flatMap((each) => {
      const [address = '', mask = ''] = each.split('/');
      const network = networkOf(address, mask);
      if (network === undefined)
        own.miss('AccessControlList: an address that is not a network of a trunk or peer', place);
      return network ?? [];
    });
    return { cell: networkCell(all, place, own), missing: own.missing };
  };
  return (ref, place) => {
    const list = lists.get(ref) ?? read(ref, place);
    lists.set(ref, list);
    for (const { what, count } of list.missing) report.miss(what, place, count);
    return list.cell;
  };
}

/** The gateways of trunks, and the key of that of each trunk. */
function gatewaysOf(
  documents: readonly RoutrDocument[],
  trunks: TrunkDrafts,
  report: MoveReport,
  secretOf: (value: Members, ...path: readonly string[]) => { username: string; password: string },
  networks: (ref: string, place: string) => string,
): { readonly records: readonly MovedRecord[]; readonly keyOf: ReadonlyMap<string, string> } {
  const records: MovedRecord[] = [];
  const keyOf = new Map<string, string>();
  const known = new Map<string, { readonly key: string; readonly user: string }>();
  for (const { place, ref, value } of documents) {
    const draft = trunks.create(`trunk:${ref}`, place, nameOf(text(value, 'metadata', 'name')));
    for (const each of listAt(value, 'spec', 'outbound', 'uris').filter(isMembers)) {
      const server: SipPlace = {
        user: '',
        host: text(each, 'uri', 'host').toLowerCase(),
        port: text(each, 'uri', 'port'),
        transport: (text(each, 'uri', 'transport') || 'udp').toLowerCase(),
      };
      const [priority, weight] = [text(each, 'priority'), text(each, 'weight')];
      if (server.host !== '') draft.add(server, { priority, weight, isEnabled: each['enabled'] !== false });
    }
    if (text(value, 'spec', 'inbound', 'uri') !== '')
      report.miss('Trunk: inbound.uri, the name that a provider calls', place);
    if (text(value, 'spec', 'inbound', 'credentialsRef') !== '')
      report.miss('Trunk: the credentials of a provider that calls', place);
    const { username, password } = secretOf(value, 'spec', 'outbound', 'credentialsRef');
    if (username !== '' && password === '')
      report.miss(
        'Trunk: the user at a provider, whose password is missing or encrypted: set both on the gateway',
        place,
      );
    if (username !== '' && password !== '')
      draft.credentials = {
        username,
        authUsername: '',
        secret: password,
        registers: text(value, 'spec', 'outbound', 'sendRegister') === 'true',
        expires: '',
        proxy: '',
      };
    const sources = networks(text(value, 'spec', 'inbound', 'accessControlListRef'), place);
    const record = draft.record(report);
    if (!record) continue;
    const { host = '', port = '', username: name = '' } = record.cells;
    const identity = `${host}|${port}|${name}`;
    const { key, user } = known.get(identity) ?? { key: `#trunk:${ref}`, user: username };
    // Without a password, a gateway has no user, which alone would tell it from another at the same server.
    if (user !== username) {
      report.miss('Trunk: another user at the server of another trunk, without a password that can be moved', place);
      continue;
    }
    if (known.has(identity))
      report.check('the same server and user as another gateway, whose counterpart is used', place);
    else records.push({ ...record, cells: nonEmpty({ ...record.cells, sources }) });
    known.set(identity, { key, user });
    keyOf.set(ref, key);
  }
  return { records, keyOf };
}

/** The most devices at once; empty for -1, with which Routr does not limit them. */
function maxContactsIn(value: Members): string {
  const most = text(value, 'spec', 'maxContacts');
  return most === '-1' ? '' : most;
}

function disabledIn(value: Members): string {
  return isMembers(value['spec']) && value['spec']['enabled'] === false ? 'false' : '';
}

/** What a number with this `aorLink` leads to: the peer whose `aor` it is, by its user name, or else the link, if it is a SIP URI. */
function linkTo(link: string, peer: string | undefined): string {
  const isSip = /^sips?:/i.test(link);
  if (peer === undefined) return isSip ? link : '';
  return isSip
    ? link.replace(/^(sips?:)(?:[^@]*@)?/i, (_, scheme: string) => `${scheme}${peer}@`)
    : `sip:${peer}@${backend(link)}`;
}

/** The name behind `backend:`, as a host, which the address of record of a peer does not need. */
function backend(aor: string): string {
  return `${aor
    .replace(/^backend:/, '')
    .replace(/[^a-z0-9-]/gi, '-')
    .toLowerCase()}.invalid`;
}

/** The addresses of a list. One that is too long for a domain is so here, too, but no longer: each that names it gets a copy. */
function listsOf(list: Members | undefined): { readonly allow: readonly string[]; readonly deny: readonly string[] } {
  const of = (name: string): readonly string[] =>
    listAt(list, 'spec', 'accessControlList', name)
      .slice(0, MAX_ENTRIES + 1)
      .map(String);
  return { allow: of('allow'), deny: of('deny') };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isMembers(at) ? at[name] : undefined), value);
}

function text(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, path);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

/** An array of PostgreSQL, such as `{10.0.0.0/8,"a"}`. */
function arrayIn(value: unknown): readonly string[] {
  if (typeof value !== 'string') return [];
  const inside = value.replace(/^\{|\}$/g, '');
  return inside === '' ? [] : inside.split(',').map((each) => each.replace(/^"|"$/g, ''));
}

function isTrue(value: unknown): boolean {
  return value === 't' || value === 'true' || value === true || value === '1';
}
