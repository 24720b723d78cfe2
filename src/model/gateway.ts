import { maxCalls, maxCallsPerSecond } from './call-limits';
import { KindOf, Property } from './declare';
import { enabledField } from './enabled';
import { network } from './format/address-range';
import { destinations, destinationsIn, transport, type Destination } from './format/destination';
import { boolean, integer, list, secretText, text, textOf } from './format/format';
import { host, hostPort } from './format/host';
import { Resource } from './kind';

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
  // A unique index treats NULLs as different, so absent values become empty strings here.
  derived: [
    {
      column: 'identity',
      length: 400,
      from: (values) => ['host', 'port', 'username'].map((name) => textOf(values.get(name))).join('|'),
    },
  ],
  rules: [
    {
      field: 'destinations',
      isBroken: (values) =>
        destinationsIn(values.get('destinations')).some(
          (each) =>
            each.host === values.get('host') &&
            each.port === values.get('port') &&
            (each.transport ?? values.get('transport')) === values.get('transport'),
        ),
      message: 'contains the host of the gateway, which is its first destination',
    },
  ],
  indices: { name: ['name'], host: ['host'], username: ['username'] },
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
    about: 'Whether the SIP server registers at the provider.',
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
    // Kamailio reads them as one text.
    format: list(network(), { max: 64 }),
    about:
      'Networks from which the provider also sends calls, besides the addresses of its host: addresses or CIDR blocks.',
  })
  sources!: readonly string[] | null;

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
}
