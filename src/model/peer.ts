import { KindOf, Property } from './declare';
import { enabledField } from './enabled';
import { networks } from './format/address-range';
import { list, reference, secretText, text } from './format/format';
import { hostPort } from './format/host';
import { userName } from './format/user-name';
import { Resource } from './kind';

/** Another SIP server, which can register like an agent. */
@KindOf({
  name: 'Peer',
  collection: 'peers',
  prefix: 'pr',
  table: 'peers',
  about: 'Another SIP server, such as a PBX or a conference server. It may register in any domain.',
  unique: [{ fields: ['username'], columns: ['username'] }],
  indices: { name: ['name'] },
  inverse: { callerNumbers: { name: 'peers', about: 'The peers that may show this number when they call.' } },
  legacyRef: { prefix: 'pr', fields: ['username'] },
})
export class Peer extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({
    path: 'spec.credentials.username',
    format: userName(),
    required: true,
    about: 'SIP user name: at most 64 bytes, without @, : and ".',
  })
  username!: string;

  @Property({
    path: 'spec.credentials.secret',
    format: secretText(100),
    required: true,
    secret: true,
    about: 'Password for digest authentication (RFC 3261, 22).',
  })
  secret!: string;

  @Property({ path: 'spec.device', format: text(100), about: 'The product, such as Asterisk.' })
  device!: string | null;

  @Property({
    path: 'spec.contactAddr',
    format: hostPort(),
    about: 'The host or host:port where the peer is reached while it is not registered.',
  })
  contactAddr!: string | null;

  @Property({
    path: 'spec.callerNumberRefs',
    format: list(reference(), { min: 1 }),
    about:
      'References of the Numbers that the peer may show when it calls through the gateways of these numbers. Another number is replaced.',
    refersTo: {
      kind: 'Number',
      by: 'ref',
      link: 'callerNumbers',
      linkAbout: 'The numbers that the peer may show when it calls through their gateways.',
      column: 'number_id',
      through: { table: 'peer_numbers', owner: 'peer_id' },
    },
  })
  callerNumberRefs!: readonly string[] | null;

  @Property({
    path: 'spec.sources',
    format: networks(),
    about:
      'Networks from which the calls of the peer come without a digest: addresses or CIDR blocks. The longest one that contains an address decides.',
  })
  sources!: readonly string[] | null;

  @Property(enabledField('the peer cannot register or be called, and can call only emergency numbers.'))
  enabled!: boolean | null;
}
