import { dailyMinutes, maxCalls, maxCallsPerSecond } from './call-limits';
import { KindOf, Property } from './declare';
import { enabledField } from './enabled';
import { networks } from './format/address-range';
import { destinations, destinationsIn, isSamePlace, transport, type Destination } from './format/destination';
import { boolean, integer, list, secretText, text, textOf, type Value } from './format/format';
import { comparableHost, host, hostPort, partsOfHostPort } from './format/host';
import { numberFormat, numberFormOf } from './format/number-format';
import { Resource } from './kind';

type Values = ReadonlyMap<string, Value>;

/** The host and the destinations of a gateway, each with its transport. */
function placesIn(values: Values): readonly Destination[] {
  const transport = textOf(values.get('transport'));
  const port = values.get('port');
  return [
    { host: textOf(values.get('host')), transport, ...(typeof port === 'number' && { port }) },
    ...destinationsIn(values.get('destinations')).map((each) => ({ ...each, transport: each.transport ?? transport })),
  ];
}

/** A SIP trunk to a provider. */
@KindOf({
  name: 'Gateway',
  collection: 'gateways',
  prefix: 'gw',
  table: 'gateways',
  about: 'A SIP trunk: the server of a provider that connects calls to and from the telephone network.',
  unique: [{ fields: ['host', 'port', 'username'], columns: ['identity'] }],
  // rctl finds a gateway by its host.
  fixed: ['host'],
  together: [['username', 'secret']],
  // A unique index treats NULLs as different, so absent values become empty strings here. All spellings of a host are one.
  derived: [
    {
      column: 'identity',
      length: 400,
      from: (values) =>
        [
          comparableHost(textOf(values.get('host'))),
          ...['port', 'username'].map((name) => textOf(values.get(name))),
        ].join('|'),
    },
    // What the SIP server reads of the outbound proxy and the number format.
    ...(['host', 'port'] as const).map((part) => ({
      column: `outbound_${part}`,
      length: part === 'host' ? 253 : 5,
      isOptional: true as const,
      from: (values: Values) => partsOfHostPort(values.get('outboundProxy'))?.[part] ?? null,
    })),
    ...(['plus', 'country', 'trunk'] as const).map((part) => ({
      column: `number_${part}`,
      length: 8,
      isOptional: true as const,
      from: (values: Values) => numberFormOf(values.get('numberFormat'))?.[part] ?? null,
    })),
  ],
  rules: [
    {
      field: 'destinations',
      isBroken: (values) => {
        const [first, ...others] = placesIn(values);
        return first !== undefined && others.some((each) => isSamePlace(each, first));
      },
      message: 'contains the host of the gateway, which is its first destination',
    },
    {
      field: 'destinations',
      isBroken: (values) => {
        const places = placesIn(values).slice(1);
        return places.some((one, at) => places.slice(0, at).some((other) => isSamePlace(one, other)));
      },
      message: 'names one place twice: an address without a port has the default port of its transport',
    },
    {
      field: 'destinations',
      isBroken: (values) => values.has('outboundProxy') && destinationsIn(values.get('destinations')).length > 0,
      message: 'excludes an outbound proxy, to which all requests are sent',
    },
    {
      field: 'authUsername',
      isBroken: (values) => values.has('authUsername') && !values.has('username'),
      message: 'requires a user name and a secret',
    },
  ],
  indices: {
    name: ['name'],
    host: ['host'],
    username: ['username'],
    number_form: ['number_country', 'number_plus', 'number_trunk'],
  },
  legacyRef: { prefix: 'gw', fields: ['host'] },
})
export class Gateway extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({
    path: 'spec.host',
    format: host(),
    required: true,
    about: "Host name or address of the provider's SIP server.",
  })
  host!: string;

  @Property({
    path: 'spec.credentials.username',
    format: text(100),
    about: 'User name at the provider; requires a secret. A gateway without credentials is identified by its address.',
  })
  username!: string | null;

  @Property({
    path: 'spec.credentials.secret',
    format: secretText(100),
    secret: true,
    about: 'Password at the provider; requires a user name.',
  })
  secret!: string | null;

  @Property({
    path: 'spec.transport',
    format: transport,
    required: true,
    about: 'Transport to the provider.',
  })
  transport!: string;

  @Property({
    path: 'spec.port',
    format: integer(1, 65_535),
    about: "Port of the provider's SIP server; by default, that of the transport.",
  })
  port!: number | null;

  @Property({
    path: 'spec.expires',
    format: integer(0, 2_147_483_647),
    about: 'Requested lifetime of the registration at the provider, in seconds (RFC 3261, 10.2).',
  })
  expires!: number | null;

  @Property({
    path: 'spec.sendRegister',
    format: boolean(),
    about:
      'Whether the SIP server registers at the provider. By default, it does if there is a user name and a secret.',
  })
  sendRegister!: boolean | null;

  @Property({
    path: 'spec.registries',
    format: list(hostPort()),
    about:
      'Further registrars of the provider, as host or host:port. Stored for clients; the SIP server registers only at `host`.',
  })
  registries!: readonly string[] | null;

  @Property({
    path: 'spec.sources',
    format: networks(),
    about:
      'Networks from which the provider also sends calls, besides the addresses of its host: addresses or CIDR blocks.',
  })
  sources!: readonly string[] | null;

  @Property({
    path: 'spec.outboundProxy',
    format: hostPort(),
    about:
      'The host or host:port to which requests to the provider are sent, instead of its host. Calls of the provider come from there.',
  })
  outboundProxy!: string | null;

  @Property({
    path: 'spec.fromDomain',
    format: host(),
    about: 'The host in From and P-Asserted-Identity of calls through the gateway; by default, its host and port.',
  })
  fromDomain!: string | null;

  @Property({
    path: 'spec.authUsername',
    format: text(100, { pattern: /^[^"\\]+$/, expected: 'a user name without " and \\' }),
    about: 'User name in digests, if it differs from `username`.',
  })
  authUsername!: string | null;

  @Property({
    path: 'spec.numberFormat',
    format: numberFormat(),
    about:
      'How the provider writes numbers in SIP URIs, in calls to it and from it: `E164` (+4930123, the default), `E164_NO_PLUS` (4930123), or a country such as `DE` (030123, and 0033123 abroad). Numbers that are stored without `+` are sent with their digits.',
  })
  numberFormat!: string | null;

  @Property({
    path: 'spec.technicalPrefix',
    format: text(16, { pattern: /^[0-9*#]{1,16}$/, expected: 'up to 16 digits, * or #' }),
    about: 'What stands before the called number in the Request-URI: up to 16 digits, `*` or `#`.',
  })
  technicalPrefix!: string | null;

  @Property({
    path: 'spec.destinations',
    format: destinations,
    about: 'Where calls also go, besides `host`, which is the first destination: by priority, and shared by weight.',
  })
  destinations!: readonly Destination[] | null;

  @Property(enabledField('no new call comes from the gateway or leaves through it, and it does not register.'))
  enabled!: boolean | null;

  @Property({
    path: 'spec.draining',
    format: boolean(),
    about:
      'True: no new call comes from the gateway or leaves through it. It stays registered, and calls in progress go on.',
  })
  draining!: boolean | null;

  @Property(maxCalls('spec.maxCalls', 'from and to the provider'))
  maxCalls!: number | null;

  @Property(maxCallsPerSecond('spec.maxCallsPerSecond', 'from and to the provider'))
  maxCallsPerSecond!: number | null;

  @Property(dailyMinutes('spec.dailyMinutes', 'that leave through the gateway'))
  dailyMinutes!: readonly string[] | null;
}
