import { KindOf, Property } from './declare';
import { secretText, text } from './format/format';
import { userName } from './format/user-name';
import { Resource } from './kind';
import { hostPort } from './format/host';

/** A server that registers. */
@KindOf({
  name: 'Peer',
  collection: 'peers',
  prefix: 'pr',
  table: 'peers',
  about: 'A SIP server beside this one, such as a PBX or a conference server; it registers at any domain.',
  unique: [{ fields: ['username'], columns: ['username'] }],
  indices: { name: ['name'] },
  legacyRef: { prefix: 'pr', fields: ['username'] },
})
export class Peer extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({
    path: 'spec.credentials.username',
    format: userName(),
    required: true,
    about: 'SIP user name, of 64 bytes at most, without @, : and ".',
  })
  username!: string;

  @Property({
    path: 'spec.credentials.secret',
    format: secretText(100),
    required: true,
    secret: true,
    about: 'Password of the digest authentication (RFC 3261, 22).',
  })
  secret!: string;

  @Property({ path: 'spec.device', format: text(100), about: 'What the peer is, such as Asterisk.' })
  device!: string | null;

  @Property({
    path: 'spec.contactAddr',
    format: hostPort(),
    about: 'Where the peer is reached, as host or host:port, when its Contact does not tell.',
  })
  contactAddr!: string | null;
}
