import { KindOf, Property } from './declare';
import { enabledField } from './enabled';
import { boolean, list, reference, text, textOf } from './format/format';
import { numberPrefix } from './format/number-prefix';
import { MAX_NUMBERS, routeShares, sharesIn, type RouteShare } from './format/route-share';
import { Resource } from './kind';

/** A way out of a domain. */
@KindOf({
  name: 'Route',
  collection: 'routes',
  prefix: 'rt',
  table: 'routes',
  about:
    'A way out of a domain: the numbers, and with them the gateways, that calls to dialed numbers with a prefix leave through. The longest prefix decides.',
  unique: [{ fields: ['domainRef', 'prefix'], columns: ['domain_id', 'prefix'] }],
  indices: { name: ['name'], domain: ['domain_id'] },
  inverse: {
    domain: { name: 'routes', about: 'The ways out of this domain.' },
    numbers: { name: 'routes', about: 'The routes that this number is a caller of.' },
  },
  derivedRows: [
    {
      table: 'route_shares',
      owner: 'route_id',
      columns: ['priority', 'weight'],
      from: (values) =>
        sharesIn(values.get('shares')).map(({ priority, weight }) => [String(priority), String(weight)]),
    },
  ],
  rules: [
    {
      field: 'shares',
      isBroken: (values) => {
        const numbers = values.get('numberRefs');
        return values.has('shares') && sharesIn(values.get('shares')).length !== [numbers ?? []].flat().length;
      },
      message: 'needs an entry for each number in numberRefs',
    },
    {
      field: 'prefix',
      isBroken: (values) => values.get('emergency') === true && !/[0-9*#]/.test(textOf(values.get('prefix'))),
      message: 'has no digit, and an emergency route requires a whole number',
    },
    {
      field: 'enabled',
      isBroken: (values) => values.get('emergency') === true && values.get('enabled') === false,
      message: 'is false, but an emergency route cannot be disabled',
    },
  ],
})
export class Route extends Resource {
  @Property({ path: 'metadata.name', format: text(100), required: true, about: 'Display name.' })
  name!: string;

  @Property({
    path: 'metadata.domainRef',
    format: reference(),
    required: true,
    about: 'Reference of the Domain whose calls the route carries.',
    refersTo: {
      kind: 'Domain',
      by: 'ref',
      link: 'domain',
      linkAbout: 'The domain whose calls the route carries.',
      column: 'domain_id',
    },
  })
  domainRef!: string;

  @Property({
    path: 'spec.prefix',
    format: numberPrefix(),
    required: true,
    about:
      'The beginning of the dialed numbers, such as `+49`; the empty text matches every number. Separators are removed, and `00` at the start becomes `+`. Unique within the domain.',
  })
  prefix!: string;

  @Property({
    path: 'spec.numberRefs',
    format: list(reference(), { min: 1, max: MAX_NUMBERS }),
    required: true,
    about:
      'References of the Numbers that are the callers of the attempts, in order. The gateway of each number carries its attempt.',
    refersTo: {
      kind: 'Number',
      by: 'ref',
      link: 'numbers',
      linkAbout: 'The numbers that are the callers of the attempts, in order. Their gateways carry the calls.',
      column: 'number_id',
      through: { table: 'route_numbers', owner: 'route_id' },
    },
  })
  numberRefs!: readonly string[];

  @Property({
    path: 'spec.shares',
    format: routeShares,
    about:
      'The order of the numbers in `numberRefs`, an entry for each: those of the same priority come in an order that is random for each call, by weight (RFC 2782). By default, they come in the order of `numberRefs`.',
  })
  shares!: readonly RouteShare[] | null;

  @Property({
    path: 'spec.emergency',
    format: boolean(),
    about:
      'Whether `prefix` is a whole emergency number, such as 112. Calls to it leave through this route before anything else is looked at.',
  })
  emergency!: boolean | null;

  @Property(enabledField('the route carries no calls, as if it did not exist. An emergency route is always enabled.'))
  enabled!: boolean | null;
}
