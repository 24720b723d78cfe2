interface Person {
  readonly kind: 'agent' | 'peer' | 'provider' | 'bystander';
  /** The address at which it listens and from which it sends. */
  readonly ip: string;
  readonly user: string;
  readonly domain: string;
  /** UDP if it is not set. */
  readonly transport?: 'TCP';
  /** Whether this is the address of an edge proxy, behind which the phone is. */
  readonly isEdge?: boolean;
  readonly isPrivate?: boolean;
}

const agent = (ip: string, user: string, domain: string, more: Partial<Person> = {}): Person => ({
  ...{ kind: 'agent', ip, user, domain },
  ...more,
});
const bystander = (ip: string): Person => ({ kind: 'bystander', ip, user: 'x', domain: 'outside.example' });

const NAMED = {
  // Agents that register by odd spellings. The domain of rosa may call outside.
  rita: agent('127.0.3.2', 'rita', 'one.test'),
  rosa: agent('127.0.3.3', 'rosa', 'out.test'),
  tom: agent('127.0.3.12', 'tom', 'one.test', { transport: 'TCP' }),
  ella: agent('127.0.3.13', 'ella', 'one.test', { isEdge: true }),
  /** Behind the same NAT as anna. */
  walt: agent('127.0.3.4', 'walt', 'one.test'),
  // Agents with usual registrations, which attack and are attacked.
  anna: agent('127.0.3.4', 'anna', 'one.test'),
  eve: agent('127.0.3.5', 'eve', 'one.test'),
  otto: agent('127.0.3.6', 'otto', 'two.test'),
  olga: agent('127.0.3.7', 'olga', 'out.test'),
  pia: agent('127.0.3.14', 'pia', 'out.test', { isPrivate: true }),
  toni: agent('127.0.3.15', 'toni', 'one.test', { transport: 'TCP' }),
  emil: agent('127.0.3.16', 'emil', 'one.test', { isEdge: true }),
  /** Two phones of one user. The second one rings, and is never answered. */
  fay: agent('127.0.3.17', 'fay', 'one.test'),
  fay2: agent('127.0.3.18', 'fay', 'one.test'),
  pbx: { kind: 'peer', ip: '127.0.3.8', user: 'pbx', domain: 'out.test' },
  /** The host of the gateway of the egress policy of out.test. */
  provider: { kind: 'provider', ip: '127.0.3.9', user: '+33142', domain: '127.0.3.9' },
  /** The gateway at this host registers there. */
  provider2: { kind: 'provider', ip: '127.0.3.10', user: '+33143', domain: '127.0.3.10' },
  stranger: bystander('127.0.3.11'),
  /** Another port of the address of rita. */
  beside: bystander('127.0.3.2'),
  /** Waits for answers over TCP. */
  watch: { ...bystander('127.0.3.20'), transport: 'TCP' },
} satisfies Readonly<Record<string, Person>>;

export type Name = keyof typeof NAMED;

/** Everybody who takes part. */
export const CAST: Readonly<Record<Name, Person>> = NAMED;

// Object.keys has the type string[], but NAMED has no other keys than these.
export const NAMES = Object.keys(NAMED) as readonly Name[];

export const KAMAILIO = '127.0.3.1';
export const SECRET = 's';
export const DOMAINS: readonly string[] = ['one.test', 'two.test', 'out.test'];
/** Who may call outside, and where. */
export const POLICY = { domain: 'out.test', rule: '^[+]49[0-9]+$', number: '+4930100' };
/** The provider at which a gateway registers, and the user name there. */
export const TRUNK = { provider: 'provider2', username: 'trunk' } as const;
/** The destinations of the numbers of the provider. */
export const NUMBERS: Readonly<Record<string, Name>> = {
  '+4930100': 'olga',
  '+4930101': 'anna',
  '+4930102': 'eve',
  '+4930103': 'rita',
};
/** What is dialed to reach the provider. */
export const OUTSIDE_NUMBER = '+4930555';
/** A number of the other provider. */
export const NUMBER2 = '+4930201';

/** The address of record of somebody. */
export function addressOf(name: Name): string {
  const { user, domain } = CAST[name];
  return `${user}@${domain}`;
}

/** Whether both are phones of one user. */
export function areOneUser(one: Name, other: Name): boolean {
  return addressOf(one) === addressOf(other);
}

/** Whether both are behind one NAT. */
export function areNeighbours(one: Name, other: Name): boolean {
  return CAST[one].ip === CAST[other].ip;
}

/** Whose address of record this is. Undefined if it is no agent's. */
export function agentAt(address: string): Name | undefined {
  return NAMES.find((name) => CAST[name].kind === 'agent' && addressOf(name) === address);
}
