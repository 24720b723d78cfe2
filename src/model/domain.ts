import { dailyMinutes, maxCalls, maxCallsPerSecond } from './call-limits';
import { Fields, KindOf, Property } from './declare';
import { enabledField } from './enabled';
import { addressRange } from './format/address-range';
import { list, reference, text } from './format/format';
import { host } from './format/host';
import { numberRule } from './format/number-rule';
import { Resource } from './kind';

/** How calls from a domain reach the telephone network. */
export class EgressPolicy {
  @Property({
    path: 'spec.context.egressPolicy.rule',
    format: numberRule(),
    required: true,
    about: 'Regular expression. Calls to a number or name that matches it leave through `numberRef`.',
  })
  rule!: string;

  @Property({
    path: 'spec.context.egressPolicy.numberRef',
    format: reference(),
    required: true,
    about: 'Reference of the Number that is the caller of these calls, and whose gateway carries them.',
    refersTo: {
      kind: 'Number',
      by: 'ref',
      link: 'egressNumber',
      linkAbout: 'The number that is the caller of calls to the telephone network, and whose gateway carries them.',
      column: 'egress_number_id',
    },
  })
  numberRef!: string;
}

/** The addresses that may not register in a domain and call from or to its users, and exceptions. */
export class AccessControlList {
  @Property({
    path: 'spec.context.accessControlList.allow',
    format: list(addressRange()),
    about: 'Exceptions from denied addresses: CIDR blocks, ip/mask or single addresses. Alone, they refuse nobody.',
  })
  allow!: readonly string[] | null;

  @Property({
    path: 'spec.context.accessControlList.deny',
    format: list(addressRange()),
    about: 'Denied addresses, in the same formats; 0.0.0.0/0 and ::/0 deny all that are not allowed.',
  })
  deny!: readonly string[] | null;
}

/** A SIP domain. */
@KindOf({
  name: 'Domain',
  collection: 'domains',
  prefix: 'dm',
  table: 'domains',
  about: 'A SIP domain. The SIP server is its registrar.',
  unique: [{ fields: ['domainUri'], columns: ['domain_uri'] }],
  indices: { name: ['name'], egress_number: ['egress_number_id'] },
  inverse: { egressNumber: { name: 'domains', about: 'The domains whose calls leave with this number.' } },
  legacyRef: { prefix: 'dm', fields: ['domainUri'] },
})
export class Domain extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({ path: 'spec.context.domainUri', format: host(), required: true, about: 'The domain, such as sip.local.' })
  domainUri!: string;

  @Property(maxCalls('spec.context.maxCalls', 'from and to users of the domain'))
  maxCalls!: number | null;

  @Property(maxCallsPerSecond('spec.context.maxCallsPerSecond', 'from and to users of the domain'))
  maxCallsPerSecond!: number | null;

  @Property(dailyMinutes('spec.context.dailyMinutes', 'that leave from the domain'))
  dailyMinutes!: readonly string[] | null;

  @Fields(EgressPolicy, 'How calls from this domain reach the telephone network.')
  egressPolicy!: EgressPolicy | null;

  @Fields(
    AccessControlList,
    'The addresses that may not register in this domain and call from or to its users, and exceptions.',
  )
  accessControlList!: AccessControlList | null;

  @Property(
    enabledField(
      'nobody can register in the domain or be called in it, and only its emergency numbers can be called from it.',
    ),
  )
  enabled!: boolean | null;
}
