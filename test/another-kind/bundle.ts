import { Fields, KindOf, Property } from '../../src/model/declare';
import { choice, integer, list, secretText, text } from '../../src/model/format/format';
import { host } from '../../src/model/format/host';
import { Resource } from '../../src/model/kind';

/** Who pays for the calls. */
export class Billing {
  @Property({ path: 'spec.billing.account', format: text(40), required: true, about: 'Account at the provider.' })
  account!: string;

  @Property({ path: 'spec.billing.code', format: secretText(20), secret: true, about: 'Code of the account.' })
  code!: string | null;
}

/** A group of channels at a provider. */
@KindOf({
  name: 'Bundle',
  collection: 'bundles',
  prefix: 'tr',
  table: 'bundles',
  about: 'A group of channels of a gateway.',
  unique: [{ fields: ['gatewayRef', 'label'], columns: ['gateway_id', 'label'] }],
  indices: { gateway: ['gateway_id'], domain: ['domain_id'], name: ['name'] },
  inverse: {
    gateway: { name: 'bundles', about: 'The bundles of this gateway.' },
    domain: { name: 'bundles', about: 'The bundles that calls from this domain may use.' },
  },
})
export class Bundle extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({
    path: 'metadata.gwRef',
    format: text(24),
    required: true,
    about: 'Reference of the Gateway that the bundle belongs to.',
    refersTo: {
      kind: 'Gateway',
      by: 'ref',
      link: 'gateway',
      linkAbout: 'The gateway that the bundle belongs to.',
      column: 'gateway_id',
    },
  })
  gatewayRef!: string;

  @Property({
    path: 'spec.domain',
    format: host(),
    about: 'Domain whose calls may use the bundle.',
    refersTo: {
      kind: 'Domain',
      by: 'domainUri',
      link: 'domain',
      linkAbout: 'The domain whose calls may use the bundle.',
      column: 'domain_id',
    },
  })
  domainUri!: string | null;

  @Property({ path: 'spec.label', format: text(40), required: true, about: 'Label, unique in the gateway.' })
  label!: string;

  @Property({
    path: 'spec.pin',
    format: secretText(8, { min: 4, pattern: /^\d+$/, expected: 'digits' }),
    required: true,
    secret: true,
    about: 'PIN that opens the bundle.',
  })
  pin!: string;

  @Property({ path: 'spec.channels', format: integer(1, 1000), about: 'Calls at once.' })
  channels!: number | null;

  @Property({
    path: 'spec.mode',
    format: choice('BundleMode', 'The direction of calls.', ['in', 'out', 'both']),
    about: 'The direction of calls.',
  })
  mode!: string | null;

  @Property({
    path: 'spec.prefixes',
    format: list(text(10)),
    about: 'Prefixes of the numbers that may be called.',
    deprecated: 'Since 2026-01-10: use routes of the domain.',
  })
  prefixes!: readonly string[] | null;

  @Fields(Billing, 'Who pays for the calls.')
  billing!: Billing | null;
}
