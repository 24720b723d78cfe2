import { Fields, KindOf, Property } from './declare';
import { enabledField } from './enabled';
import { addressOfRecordIn } from './format/address-of-record';
import { reference, text, type Value } from './format/format';
import { digitsBetween, isAlike, keyInside, MAX_RANGE, rangeKey, sizeOf } from './format/number-range';
import { numberTargets, targetsIn } from './format/number-target';
import { sipUri } from './format/sip-uri';
import { telDigits, telUrl } from './format/tel-uri';
import { Resource } from './kind';
import type { InverseOptions, KindOptions, LookupOptions } from './options';
import { agentOf, hasAgent, peerOf } from './target';

/** The location of a number. */
export class GeoInfo {
  @Property({ path: 'metadata.geoInfo.city', format: text(100), blank: true, about: 'City.' })
  city!: string | null;

  @Property({ path: 'metadata.geoInfo.country', format: text(100), blank: true, about: 'Name of the country.' })
  country!: string | null;

  @Property({
    path: 'metadata.geoInfo.countryISOCode',
    format: text(2, {
      min: 2,
      pattern: /^[A-Za-z]{2}$/,
      expected: 'two letters (ISO 3166-1)',
      normalise: (value) => value.toUpperCase(),
    }),
    blank: true,
    about: 'Two-letter code of the country (ISO 3166-1).',
  })
  countryISOCode!: string | null;
}

const shared = {
  table: 'numbers',
  shared: true,
  unique: [{ fields: ['telUrl'], columns: ['tel_url'] }],
  derived: [
    { column: 'tel_digits', length: 100, from: (values) => telDigits(string(values.get('telUrl'))) },
    // By which the numbers inside a range are found. The previous version does not write it (number-keys.ts).
    {
      column: 'digits_key',
      length: 22,
      isOptional: true,
      from: (values) => keyInside(telDigits(string(values.get('telUrl')))),
    },
    {
      column: 'aor_user',
      length: 255,
      finds: 'aorLink',
      from: (values) => addressOfRecordIn(string(values.get('aorLink'))).user,
    },
    {
      column: 'aor_host',
      length: 255,
      finds: 'aorLink',
      from: (values) => addressOfRecordIn(string(values.get('aorLink'))).host,
    },
  ],
  indices: {
    gateway: ['gateway_id', 'kind'],
    kind: ['kind'],
    tel_digits: ['tel_digits'],
    digits_key: ['digits_key', 'gateway_id'],
    aor: ['aor_user', 'aor_host', 'kind'],
    aor_host: ['aor_host', 'kind'],
  },
  derivedRows: [
    {
      table: 'number_targets',
      owner: 'number_id',
      columns: ['aor_user', 'aor_host', 'outside'],
      from: (values) =>
        targetsIn(values.get('furtherTargets')).map(({ address, outside }) => [
          address?.user ?? '',
          address?.host ?? '',
          outside ?? '',
        ]),
    },
    {
      table: 'number_ranges',
      owner: 'number_id',
      columns: ['range_first', 'range_last'],
      from: (values) => {
        if (!values.has('lastTelUrl')) return [];
        const { first, last } = digitsBetween(...endsIn(values));
        return [[rangeKey(first), rangeKey(last)]];
      },
    },
  ],
  ranges: { fields: ['telUrl', 'lastTelUrl', 'gatewayRef'], digits: (values) => digitsBetween(...endsIn(values)) },
  rules: [
    {
      field: 'lastTelUrl',
      isBroken: (values) => isRange(values) && isAlike(...endsIn(values)) && sizeOf(...endsIn(values)) > MAX_RANGE,
      message: `is more than ${MAX_RANGE.toLocaleString('en')} numbers after telUrl: divide the range`,
    },
    {
      field: 'lastTelUrl',
      isBroken: (values) => isRange(values) && isAlike(...endsIn(values)) && sizeOf(...endsIn(values)) < 2,
      message: 'must be after telUrl, the first number of the range',
    },
    {
      field: 'lastTelUrl',
      isBroken: (values) => isRange(values) && !isAlike(...endsIn(values)),
      message: 'must have as many digits as telUrl, at most 20, and a + if telUrl has one, and the same parameters',
    },
    {
      field: 'furtherTargets',
      isBroken: (values) => {
        const { user, host } = addressOfRecordIn(string(values.get('aorLink')));
        const isFirst = (at: { readonly user: string; readonly host: string } | undefined): boolean =>
          at?.user === user && at.host === host;
        return targetsIn(values.get('furtherTargets')).some(({ address }) => isFirst(address));
      },
      message: 'contains aorLink, which is the first target',
    },
  ],
  legacyRef: { prefix: 'dd', fields: ['telUrl'] },
} satisfies Partial<KindOptions>;

const TARGET = {
  name: 'Target',
  about: 'The resource that the address of record of a number names: an Agent in that domain, otherwise a Peer.',
  whereAbout: 'Conditions on the Agent or Peer that the address of record of a number names. All must hold.',
};

/** The agent or the peer that the address of record of a number names. */
const FIRST = {
  agent: { kind: 'Agent', from: `numbers n ${agentOf('n.aor_user', 'n.aor_host')}`, id: 'm.agent_id' },
  peer: {
    kind: 'Peer',
    from: `numbers n ${peerOf('n.aor_user')}`,
    id: 'p.id',
    unless: hasAgent('n.aor_user', 'n.aor_host'),
  },
} as const;

const FURTHER = 'number_targets f JOIN numbers n ON n.id = f.number_id';
const BEFORE = 'FROM number_targets e JOIN domains ed ON ed.domain_uri = e.aor_host';

/** Those that its further targets name. A target before it may name the same one, in another domain. */
const LATER = {
  agent: {
    kind: 'Agent',
    from: `${FURTHER} ${agentOf('f.aor_user', 'f.aor_host')}`,
    id: 'm.agent_id',
    unless: `EXISTS (SELECT 1 ${BEFORE} JOIN agent_domains em ON em.domain_id = ed.id AND em.username = e.aor_user
      WHERE e.number_id = f.number_id AND e.position < f.position AND em.agent_id = m.agent_id)`,
  },
  peer: {
    kind: 'Peer',
    from: `${FURTHER} ${peerOf('f.aor_user')}`,
    id: 'p.id',
    unless: `(${hasAgent('f.aor_user', 'f.aor_host')} OR EXISTS (SELECT 1 FROM number_targets e
      WHERE e.number_id = f.number_id AND e.position < f.position AND e.aor_user = f.aor_user
        AND NOT ${hasAgent('e.aor_user', 'e.aor_host')}))`,
  },
} as const;

/**
 * The links from a number to the resources that its targets identify. `collection` is that of the kind, and `plural` the name
 * of the kind in descriptions.
 */
function targets(collection: string, plural: string): readonly LookupOptions[] {
  const first = (who: string): InverseOptions => ({
    name: collection,
    about: `The ${plural} whose address of record names this ${who}.`,
  });
  const later = (who: string): InverseOptions => ({
    name: `further${collection.slice(0, 1).toUpperCase()}${collection.slice(1)}`,
    about: `The ${plural} that have this ${who} as a further target.`,
  });
  return [
    {
      name: 'target',
      about: 'The Agent or Peer that aorLink names; null if there is none.',
      whereAbout: 'The Agent or Peer that aorLink names.',
      type: TARGET,
      to: [
        { ...FIRST.agent, inverse: first('agent') },
        { ...FIRST.peer, inverse: first('peer') },
      ],
    },
    {
      name: 'targets',
      isMany: true,
      about: 'The Agents and Peers that aorLink and furtherTargets name.',
      whereAbout: 'The Agents and Peers that aorLink and furtherTargets name. At least one must meet these conditions.',
      type: TARGET,
      to: [
        FIRST.agent,
        { ...LATER.agent, inverse: later('agent') },
        FIRST.peer,
        { ...LATER.peer, inverse: later('peer') },
      ],
    },
  ];
}

/** The fields of DID and Number, which are the same (docs/rest-contract.md, section 2.8). */
abstract class PhoneNumber extends Resource {
  @Property({
    path: 'metadata.gwRef',
    format: reference(),
    required: true,
    about: 'Reference of the Gateway that the number belongs to.',
    refersTo: {
      kind: 'Gateway',
      by: 'ref',
      link: 'gateway',
      linkAbout: 'The gateway that the number belongs to.',
      column: 'gateway_id',
    },
  })
  gatewayRef!: string;

  @Fields(GeoInfo, 'The location of the number.')
  geoInfo!: GeoInfo | null;

  @Property({
    path: 'spec.location.telUrl',
    format: telUrl(),
    required: true,
    about: 'The number, as a tel URI (RFC 3966). With `lastTelUrl`, the first number of a range.',
  })
  telUrl!: string;

  @Property({
    path: 'spec.location.lastTelUrl',
    format: telUrl(),
    about:
      'The last number of a range, as a tel URI with as many digits as `telUrl`: all numbers from `telUrl` to this one, at most a million. A number inside that exists as a resource of its own comes before the range. Ranges cannot overlap, and a range cannot contain numbers of another gateway.',
  })
  lastTelUrl!: string | null;

  @Property({
    path: 'spec.location.aorLink',
    format: sipUri(),
    required: true,
    about: 'The address of record to which calls to the number are routed, as a SIP URI.',
  })
  aorLink!: string;

  @Property(enabledField('calls to the number do not ring.'))
  enabled!: boolean | null;

  @Property({
    path: 'spec.location.furtherTargets',
    format: numberTargets(),
    about:
      'The targets after `aorLink`, which is the first, in order: addresses of record such as `sip:1002@sip.local`, and outside numbers such as `tel:+49301234`. A target without seconds rings together with the one before it, an outside number through one gateway; `tel:+49301234 after 20` rings when those before have rung for 20 seconds, or at once if they are busy, not registered or refuse.',
  })
  furtherTargets!: readonly string[] | null;
}

/** A direct inward dialling number. */
@KindOf({
  ...shared,
  name: 'DID',
  collection: 'dids',
  prefix: 'dd',
  envelope: 'result',
  about:
    'A direct inward dialling number. Calls to it arrive through its gateway and are routed to its address of record.',
  inverse: { gateway: { name: 'dids', about: 'The DIDs that belong to this gateway.', index: 'gateway' } },
  lookups: targets('dids', 'DIDs'),
})
export class Did extends PhoneNumber {}

/** A number that calls can also leave from. */
@KindOf({
  ...shared,
  name: 'Number',
  collection: 'numbers',
  prefix: 'nu',
  about:
    'A telephone number. Calls to it are routed to its address of record; calls from a domain can use it as their caller.',
  inverse: { gateway: { name: 'numbers', about: 'The numbers that belong to this gateway.', index: 'gateway' } },
  lookups: targets('numbers', 'numbers'),
})
export class TelephoneNumber extends PhoneNumber {}

/** The first and the last number of a range; the last one is empty for a single number. */
function endsIn(values: ReadonlyMap<string, Value>): [telUrl: string, lastTelUrl: string] {
  return [string(values.get('telUrl')), string(values.get('lastTelUrl'))];
}

function isRange(values: ReadonlyMap<string, Value>): boolean {
  return values.has('lastTelUrl');
}

function string(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
