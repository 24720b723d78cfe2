import { texts } from '../texts';
import type { NumberState } from './operations';

/** The kinds whose pages count their numbers, with the arguments of the graph that select these. */
export const SCOPES = {
  Gateway: 'gatewayRef',
  Agent: 'agentRef',
  Peer: 'peerRef',
  Domain: 'domainRef',
} as const;

/** What a document declares of the arguments that select numbers, and passes on. */
export const SCOPES_DECLARED = Object.values(SCOPES)
  .map((name) => `$${name}: String`)
  .join(', ');
export const SCOPES_PASSED = Object.values(SCOPES)
  .map((name) => `${name}: $${name}`)
  .join(', ');

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

/** The scopes in the address of the page: the numbers that are in all of them, or all numbers. */
export function scopesIn(parameters: URLSearchParams): readonly Scope[] {
  const scopes = KINDS.map((kind) => ({ kind, ref: parameters.get(SCOPES[kind]) ?? '' }));
  return scopes.filter(({ ref }) => ref !== '');
}

/** Scopes as arguments of the graph, which are also the parameters of the address. */
export function argumentsOf(scopes: readonly Scope[]): Readonly<Record<string, string>> {
  return Object.fromEntries(scopes.map(({ kind, ref }) => [SCOPES[kind], ref]));
}

/** The address of the numbers that are in all of these scopes, and in a state if it is given. */
export function healthPath(scopes: readonly Scope[], state?: string): string {
  return `/health?${new URLSearchParams({ ...argumentsOf(scopes), ...(state !== undefined && { state }) }).toString()}`;
}

/** Whether a text of the address is a state. */
export function isState(text: string): text is NumberState {
  return text in texts.health.states;
}
