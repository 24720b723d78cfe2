/** The kinds whose pages count their numbers, with the arguments of the graph that select these. */
export const SCOPES = {
  Gateway: 'gatewayRef',
  Agent: 'agentRef',
  Peer: 'peerRef',
  Domain: 'domainRef',
} as const;

/** The resource whose numbers are counted and listed. */
export interface Scope {
  readonly kind: keyof typeof SCOPES;
  readonly ref: string;
}

const KINDS = Object.keys(SCOPES) as readonly Scope['kind'][]; // the keys of SCOPES

/** The scope with this kind, if it has numbers. */
export function scopeOf(kind: string, ref: string): Scope | undefined {
  const known = KINDS.find((each) => each === kind);
  return known && { kind: known, ref };
}

/** The scope in the address of the page; undefined for all numbers. */
export function scopeIn(parameters: URLSearchParams): Scope | undefined {
  const kind = KINDS.find((each) => (parameters.get(SCOPES[each]) ?? '') !== '');
  return kind && { kind, ref: parameters.get(SCOPES[kind]) ?? '' };
}

/** The scope as arguments of the graph, which are also the parameters of the address. */
export function argumentsOf(scope: Scope | undefined): Readonly<Record<string, string>> {
  return scope ? { [SCOPES[scope.kind]]: scope.ref } : {};
}

/** The address of the numbers of a scope, in a state if it is given. */
export function addressOf(scope: Scope | undefined, state?: string): string {
  return `/health?${new URLSearchParams({ ...argumentsOf(scope), ...(state !== undefined && { state }) }).toString()}`;
}
