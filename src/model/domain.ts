import { Fields, KindOf, Property } from './declare';
import { list, text } from './format/format';
import { numberRule } from './format/number-rule';
import { Resource } from './kind';
import { addressRange } from './format/address-range';
import { host } from './format/host';

/** How calls from a domain leave to the telephone network. */
export class EgressPolicy {
  @Property({
    path: 'spec.context.egressPolicy.rule',
    format: numberRule(),
    required: true,
    about: 'Regular expression; a called number or name that matches goes out through the number.',
  })
  rule!: string;

  @Property({
    path: 'spec.context.egressPolicy.numberRef',
    format: text(24),
    required: true,
    about: 'Reference of the Number that the calls go out from.',
    refersTo: {
      kind: 'Number',
      by: 'ref',
      link: 'egressNumber',
      linkAbout: 'The number that calls to the telephone network go out from.',
      column: 'egress_number_id',
    },
  })
  numberRef!: string;
}

/** Who may reach a domain. */
export class AccessControlList {
  @Property({
    path: 'spec.context.accessControlList.allow',
    format: list(addressRange()),
    about: 'Addresses that are let in: CIDR blocks, ip/mask or single addresses.',
  })
  allow!: readonly string[] | null;

  @Property({
    path: 'spec.context.accessControlList.deny',
    format: list(addressRange()),
    about: 'Addresses that are kept out.',
  })
  deny!: readonly string[] | null;
}

/** A SIP domain. */
@KindOf({
  name: 'Domain',
  collection: 'domains',
  prefix: 'dm',
  table: 'domains',
  about: 'A SIP domain that this server is the registrar of.',
  unique: [{ fields: ['domainUri'], columns: ['domain_uri'] }],
  indices: { name: ['name'], egress_number: ['egress_number_id'] },
  legacyRef: { prefix: 'dm', fields: ['domainUri'] },
})
export class Domain extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({ path: 'spec.context.domainUri', format: host(), required: true, about: 'The domain, such as sip.local.' })
  domainUri!: string;

  @Fields(EgressPolicy, 'How calls from this domain leave to the telephone network.')
  egressPolicy!: EgressPolicy | null;

  @Fields(AccessControlList, 'Addresses that may and may not reach this domain.')
  accessControlList!: AccessControlList | null;
}
