import fc from 'fast-check';

/*
 * Random configurations and calls. Everything refers to others by position, modulo how many there are, so that a
 * configuration stays valid while it is shrunk. Each world has users, numbers and addresses of its own (see `Place`).
 */

/** An address of a world, as the last part of its IPv4 addresses. */
export type Spot = number;

export interface World {
  readonly domains: readonly DomainOf[];
  readonly agents: readonly AgentOf[];
  readonly peers: readonly PeerOf[];
  readonly gateways: readonly GatewayOf[];
  readonly numbers: readonly NumberOf[];
  readonly calls: readonly CallOf[];
  /** Calls that are made before, one after the other, and go on if they are answered. */
  readonly held?: readonly CallOf[];
}

/** Who may have limits of calls at once. */
interface Limitable {
  readonly maxCalls?: number | undefined;
}

export interface DomainOf extends Limitable {
  readonly isEnabled: boolean;
  /** Whether its minutes of today are used, as those of an agent or a gateway may be. */
  readonly isSpent: boolean;
  readonly deny: readonly string[];
  readonly allow: readonly string[];
  readonly routes: readonly RouteOf[];
  /** The rule of the egress policy, and the position of its Number. */
  readonly egress: readonly [rule: string, number: number] | undefined;
}

export interface RouteOf {
  readonly isEnabled: boolean;
  readonly prefix: string;
  readonly isEmergency: boolean;
  /** The positions of its Numbers. */
  readonly numbers: readonly number[];
  /** The order and the weights of its Numbers, of which there may be less; undefined for the order of the list. */
  readonly shares: readonly ShareOf[] | undefined;
}

export interface AgentOf extends Limitable {
  readonly isEnabled: boolean;
  readonly isSpent: boolean;
  readonly username: string;
  readonly domains: readonly number[];
  readonly isPrivate: boolean;
  readonly devices: number;
  /** The position of the Number that it shows. */
  readonly number: number | undefined;
}

export interface PeerOf {
  readonly isEnabled: boolean;
  /** Its name, which may be a number. */
  readonly name: string | undefined;
  /** The positions of the Numbers that it may show. */
  readonly numbers: readonly number[];
  readonly sources: readonly string[];
  readonly device: boolean;
  readonly contactAddr: string | undefined;
}

/** An entry of the shares of a route. */
interface ShareOf {
  readonly priority: number;
  readonly weight: number;
}

export interface GatewayOf extends Limitable {
  readonly destinations: readonly DestinationOf[];
  readonly isEnabled: boolean;
  readonly isDraining: boolean;
  readonly isSpent: boolean;
  /** Whether its host, or its outbound proxy, does not respond to OPTIONS. It may answer calls. */
  readonly isDown?: boolean;
  readonly spot: Spot;
  readonly port: number | undefined;
  readonly transport: string;
  readonly sources: readonly string[];
  readonly outboundProxy: string | undefined;
  readonly fromDomain: string | undefined;
  readonly numberFormat: string | undefined;
  readonly technicalPrefix: string | undefined;
}

export interface DestinationOf {
  readonly spot: Spot;
  readonly port: number | undefined;
  readonly priority: number;
  readonly weight?: number;
  readonly isEnabled: boolean;
  readonly isDraining: boolean;
  readonly isDown?: boolean;
}

export interface NumberOf {
  readonly isEnabled: boolean;
  readonly kind: 'DID' | 'Number';
  readonly number: string;
  /** The last digit of the last number of a range; undefined for a single number. */
  readonly last: string | undefined;
  readonly gateway: number;
  readonly target: string;
  /** Further targets, in order. */
  readonly further: readonly FurtherOf[];
}

/** A further target: an end such as `anna@0`, or an outside number such as `+$1`. */
export interface FurtherOf {
  readonly target: string;
  /** Whether it rings together with the target before, if that is possible. */
  readonly together: boolean;
}

export interface CallOf {
  readonly from: string;
  readonly to: string;
  readonly spot: Spot;
  /** How the providers and devices answer, in this order: with a status, or as SILENCE, TRYING and LATE say. */
  readonly answers: readonly string[];
}

/** Nobody answers: the request is lost, or a proxy says only that it tries. */
export const SILENCE = 'silence';
export const TRYING = '100 and silence';
/** It rings for longer than a provider may be silent, and then somebody answers. */
export const LATE = 'late 200';

const PHONES: readonly Spot[] = [1, 2, 3];
const GATEWAYS: readonly Spot[] = [11, 12, 13];
const DESTINATIONS: readonly Spot[] = [11, 14, 15];
const SOURCES: readonly Spot[] = [20, 21, 36];
const STRANGER: Spot = 99;
/** Where all devices of a world are registered. */
export const DEVICES: Spot = 31;
/** Where peers without a device are called. */
export const CONTACTS: readonly Spot[] = [41, 42];
/** From where a peer calls that was created last. */
export const PROBE: Spot = 97;
/** Where outbound proxies are. */
const PROXIES: readonly Spot[] = [14, 15];
/** All addresses from which somebody calls. */
export const CALLERS: readonly Spot[] = [...PHONES, ...GATEWAYS, ...PROXIES, ...SOURCES, STRANGER];

/** All addresses of a world. */
export const SPOTS: readonly Spot[] = [...new Set([...CALLERS, ...DESTINATIONS, ...CONTACTS, DEVICES, PROBE])];

export const USERS = ['1001', '1002', 'anna', 'ben', '112', '*21#', 'a+b', '$2'];
// What a provider might read as a number.
const ODD = ['+33/123', 'a+33123', '+0033123', '9-1*1', '+33A', '33%2C1', 'b33'];
// `$` is the beginning of the numbers of a world, so that no two worlds have the same, and `&` the same as written in Germany.
export const NUMBERS = ['+$1', '+$1', '+$2', '+$3', '00$1', '$1', '+$1-0'];
export const RULES = ['^[+]?[0-9]+$', '.', '^[+]49', '^00', '[*]21#', '^[a-z]+$', '^9', '1{1,2}$', '^(112|[+]33.*)$'];
const RANGES = ['@.0/24', '@.0/30', '@.1', '@.2', '0.0.0.0/0', '@.11', '::/0', '@.0/255.255.255.0', '::ffff:0:0/96'];
const NETWORKS = ['@.20', '@.20/30', '@.36', '@.0/25', '2001:db8::/32', '@.1'];
const SPELLINGS: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => number.replace(/(\d\d)(\d)/, '$1-$2'),
  (number) => number.replace(/(\d)(\d\d)$/, '$1 ($2)'),
  (number) => number.replace(/^\+/, '00'),
];

const some = <T>(items: readonly T[], maxLength: number): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...items), { maxLength });
const position = fc.nat({ max: 5 });
/** True for one of so many. */
const once = (of: number): fc.Arbitrary<boolean> => fc.nat({ max: of - 1 }).map((value) => value === of - 1);
/** Whether something is enabled, which most things are. */
const isEnabled = once(16).map((isRare) => !isRare);

const route: fc.Arbitrary<RouteOf> = fc.record({
  isEnabled,
  prefix: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('', '+') },
    { weight: 3, arbitrary: fc.constantFrom('+49', '+33', '+$1', '112', '9', '911', '*', '1') },
  ),
  isEmergency: fc.boolean(),
  numbers: fc.uniqueArray(position, { minLength: 1, maxLength: 4 }),
  shares: fc.option(
    fc.array(fc.record({ priority: fc.nat({ max: 1 }), weight: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 4,
      maxLength: 4,
    }),
    { nil: undefined, freq: 2 },
  ),
});

const domain: fc.Arbitrary<DomainOf> = fc.record({
  isEnabled,
  isSpent: once(16),
  routes: fc.oneof(
    { weight: 3, arbitrary: fc.array(route, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
  deny: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(RANGES, 3) }),
  allow: some(RANGES, 2),
  egress: fc.option(fc.tuple(fc.constantFrom(...RULES), position), { nil: undefined, freq: 6 }),
});

const agent: fc.Arbitrary<AgentOf> = fc.record({
  isEnabled,
  isSpent: once(16),
  username: fc.constantFrom(...USERS),
  domains: fc.uniqueArray(fc.nat({ max: 1 }), { minLength: 1, maxLength: 2 }),
  isPrivate: fc.boolean(),
  devices: fc.constantFrom(0, 1, 1, 1, 2),
  number: fc.option(position, { nil: undefined }),
});

const peer: fc.Arbitrary<PeerOf> = fc.record({
  isEnabled,
  name: fc.constantFrom(undefined, undefined, '$1', '+$2', '00$1'),
  numbers: fc.uniqueArray(position, { maxLength: 3 }),
  sources: some([...NETWORKS, '@.11', '@.2/31', '@.99', '@.0/24'], 2),
  device: fc.boolean(),
  contactAddr: fc.constantFrom(undefined, '@.41:5090', '@.42', 'nowhere.invalid', '@.41'),
});

// Of different priorities, because the order of those of the same one is random.
const destinations: fc.Arbitrary<readonly DestinationOf[]> = fc.uniqueArray(
  fc.record({
    spot: fc.constantFrom(...DESTINATIONS),
    port: fc.constantFrom(undefined, 5082),
    priority: fc.nat({ max: 3 }).map((priority) => priority + 1),
    isEnabled,
    isDraining: once(4),
    isDown: once(4),
  }),
  { maxLength: 3, selector: ({ priority }) => priority },
);

const gateway: fc.Arbitrary<GatewayOf> = fc.record({
  destinations: fc.oneof(fc.constant([]), destinations),
  isEnabled,
  isDraining: once(8),
  isSpent: once(8),
  isDown: once(4),
  spot: fc.constantFrom(...GATEWAYS),
  port: fc.constantFrom(undefined, 5081),
  transport: fc.constantFrom('UDP', 'UDP', 'UDP', 'UDP', 'TLS'),
  sources: some(NETWORKS, 2),
  outboundProxy: fc.constantFrom(undefined, undefined, undefined, '@.14', '@.15:5082', 'proxy.invalid'),
  fromDomain: fc.constantFrom(undefined, undefined, 'from.test', '[2001:db8::1]'),
  numberFormat: fc.constantFrom(undefined, undefined, 'E164', 'E164_NO_PLUS', 'DE', 'IT', 'US'),
  technicalPrefix: fc.constantFrom(undefined, undefined, undefined, '9*', '#31#', '00'),
});

/** An agent of the world, such as `~2`, with its first domain. */
const member = fc.nat({ max: 4 }).map((at) => `~${String(at)}`);

// A target: an agent's or a peer's user, with the position of a domain, or something else.
export const target = fc.oneof(
  { weight: 6, arbitrary: member },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...USERS, 'peer0', 'peer1', 'nobody'), fc.nat({ max: 2 }))
      .map(([user, at]) => `${user}@${at}`),
  },
  { weight: 1, arbitrary: fc.constant('@0') },
);

export const further: fc.Arbitrary<FurtherOf> = fc.record({
  target: fc.oneof(
    { weight: 3, arbitrary: target.filter((text) => text !== '@0') },
    { weight: 2, arbitrary: fc.constantFrom('+49170555', '+33123456789', '+$1', '+$2') },
  ),
  together: fc.boolean(),
});

const number: fc.Arbitrary<NumberOf> = fc.record({
  isEnabled,
  // At most 12 INVITEs can be sent for a call.
  further: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(further, { maxLength: 3 }) },
  ),
  kind: fc.constantFrom('DID' as const, 'Number' as const, 'Number' as const),
  number: fc.constantFrom(...NUMBERS),
  last: fc.constantFrom(undefined, undefined, undefined, '2', '3', '9'),
  gateway: position,
  target,
});

const dialed = fc
  .tuple(
    fc.constantFrom(
      '+$1',
      '+$2',
      '+$3',
      '00$1',
      '$1',
      '&1',
      '&2',
      '011$1',
      '112',
      '1001',
      '+33123456789',
      '0033123',
      '911',
    ),
    fc.constantFrom(...SPELLINGS),
  )
  .map(([digits, spelling]) => spelling(digits));

export const call: fc.Arbitrary<CallOf> = fc.record({
  from: fc.oneof(
    // The others are challenged in most worlds.
    { weight: 48, arbitrary: member },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...USERS, 'nobody'), fc.nat({ max: 2 })).map(([user, at]) => `${user}@${at}`),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('peer0', 'peer1'), fc.nat({ max: 2 })).map(([user, at]) => `${user}@${at}`),
    },
    { weight: 4, arbitrary: fc.constantFrom('+33999', 'anonymous', '1001', '+33999@2', '+$1@2', '&1') },
  ),
  to: fc.oneof(
    { weight: 6, arbitrary: dialed },
    { weight: 12, arbitrary: member },
    { weight: 12, arbitrary: fc.constantFrom('+33123456789', '0033123', '+49170555', '112') },
    { weight: 3, arbitrary: fc.constantFrom(...USERS, 'peer0', 'peer1', 'nobody') },
    { weight: 3, arbitrary: target.filter((text) => text !== '@0') },
    {
      weight: 1,
      arbitrary: fc.tuple(dialed, fc.nat({ max: 2 })).map(([user, at]) => `${user.replaceAll(' ', '')}@${at}`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...ODD), fc.nat({ max: 2 })).map(([user, at]) => `${user}@${at}`),
    },
  ),
  spot: fc.constantFrom(...CALLERS),
  answers: fc.array(
    fc.oneof(
      {
        weight: 10,
        arbitrary: fc.constantFrom(
          '486 Busy Here',
          '603 Decline',
          '404 Not Found',
          '500 Server Internal Error',
          '503 Service Unavailable',
        ),
      },
      { weight: 3, arbitrary: fc.constant('200 OK') },
      { weight: 2, arbitrary: fc.constantFrom(SILENCE, TRYING, LATE) },
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
});

/** A world with at most this many calls. */
export function worlds(calls: number): fc.Arbitrary<World> {
  return fc.record({
    domains: fc.array(domain, { minLength: 1, maxLength: 2 }),
    agents: fc.array(agent, { minLength: 2, maxLength: 5 }),
    peers: fc.array(peer, { maxLength: 2 }),
    gateways: fc.array(gateway, { minLength: 1, maxLength: 3 }),
    numbers: fc.array(number, { minLength: 2, maxLength: 6 }),
    calls: fc.array(call, { minLength: calls, maxLength: calls }),
  });
}

/** The names and addresses of a world, which no other world has. */
export class Place {
  /** With IPv6, the addresses are those of a network of the world in fd16::/16. */
  constructor(
    readonly index: number,
    readonly isIpv6 = false,
  ) {}

  address(spot: Spot): string {
    return this.isIpv6
      ? `fd16:${(this.index + 1).toString(16)}::${spot.toString(16)}`
      : `${this.network}.${String(spot)}`;
  }

  /** The address in a URI. */
  hostAt(spot: Spot): string {
    return this.isIpv6 ? `[${this.address(spot)}]` : this.address(spot);
  }

  private get network(): string {
    return `127.${String(16 + (this.index >> 8))}.${String(this.index & 255)}`;
  }

  /** The text of a world with its addresses and numbers. */
  text(text: string): string {
    const own = String(10_000 + this.index);
    return text
      .replaceAll('$', `49${own}`)
      .replaceAll('&', `0${own}`)
      .replace(/^@\.(\d+)(?:\/(.*))?/, (_, spot: string, length: string | undefined) =>
        length === undefined ? this.address(Number(spot)) : `${this.address(Number(spot))}/${this.lengthOf(length)}`,
      );
  }

  /** The host and port of a world, such as `@.41:5090`, with its address. */
  hop(text: string): string {
    return text.replace(/^@\.(\d+)/, (_, spot: string) => this.hostAt(Number(spot)));
  }

  private lengthOf(length: string): string {
    if (!this.isIpv6) return length;
    return length.includes('.') ? '120' : String(Number(length) + 96);
  }

  host(at: number, domains: number): string {
    return at < domains ? `d${String(at)}.w${String(this.index)}.test` : 'elsewhere.test';
  }

  /** The user of an end; `peer0` is the first peer, whose name may be a number. */
  user(name: string, { peers }: Pick<World, 'peers'>): string {
    const at = /^peer(\d)$/.exec(name)?.[1];
    if (at === undefined) return name;
    const own = peers[Number(at)]?.name;
    return own === undefined || Number(at) > 0 ? `p${at}w${String(this.index)}` : this.text(own);
  }

  /** An end of a call, such as `anna@0` or `~1`. */
  end(text: string, world: World): string {
    const { domains, agents } = world;
    if (text.startsWith('~')) {
      const agent = agents[Number(text.slice(1)) % agents.length];
      const at = (agent?.domains[0] ?? 0) % domains.length;
      return `${this.text(agent?.username ?? '')}@${this.host(at, domains.length)}`;
    }
    const [, user = '', at] = /^(.*?)(?:@(\d))?$/.exec(this.text(text)) ?? [];
    return at === undefined
      ? this.user(user, world)
      : `${this.user(user, world)}@${this.host(Number(at), domains.length)}`;
  }
}
