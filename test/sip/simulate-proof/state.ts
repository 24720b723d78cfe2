import type { TestApp } from '../../support/app';
import type { Place } from '../call-proof/world';

/** A DID or Number of a world. */
export interface NumberRow {
  readonly ref: string;
  /** The spelling that a caller dials, and that of the last number of a range. */
  readonly first: string;
  readonly last: string | undefined;
  readonly gateway: string;
  /** The address from which its provider calls. */
  readonly source: string;
}

/** A way out of a domain, as `simulate` names it. */
export interface Way {
  readonly domainUri: string;
  /** Null for the egress policy. */
  readonly prefix: string | null;
  readonly emergency: boolean;
}

/** What of a world decides about its calls. */
export interface State {
  readonly numbers: ReadonlyMap<string, NumberRow>;
  /** The hosts of enabled domains. */
  readonly hosts: readonly string[];
  /** The ways out that carry calls. */
  readonly ways: readonly Way[];
}

const NUMBERS = '{ nodes { ref telUrl lastTelUrl gateway { name host outboundProxy } } }';
const QUERY = `query ($digits: String!, $host: String!) {
  dids(first: 30, where: { telUrl: { contains: $digits } }) ${NUMBERS}
  numbers(first: 30, where: { telUrl: { contains: $digits } }) ${NUMBERS}
  domains(first: 10, where: { domainUri: { endsWith: $host } }) {
    nodes { domainUri enabled egressPolicy { rule } routes(first: 20) { nodes { prefix emergency enabled } } }
  }
}`;

interface Nodes<T> {
  readonly nodes: readonly T[];
}

interface NumberNode {
  readonly ref: string;
  readonly telUrl: string;
  readonly lastTelUrl: string | null;
  readonly gateway: { readonly name: string; readonly host: string; readonly outboundProxy: string | null };
}

interface Answer {
  readonly dids: Nodes<NumberNode>;
  readonly numbers: Nodes<NumberNode>;
  readonly domains: Nodes<{
    readonly domainUri: string;
    readonly enabled: boolean | null;
    readonly egressPolicy: { readonly rule: string } | null;
    readonly routes: Nodes<{
      readonly prefix: string;
      readonly emergency: boolean | null;
      readonly enabled: boolean | null;
    }>;
  }>;
}

/** Reads what of a world decides about its calls. */
export async function stateOf(app: TestApp, place: Place): Promise<State> {
  const variables = { digits: place.text('$'), host: `.w${String(place.index)}.test` };
  const { data, errors } = await app.graphql<Answer>(QUERY, variables);
  if (errors) throw new Error(JSON.stringify(errors));
  const { dids, numbers, domains } = data;
  const takesAll = ({ enabled }: { readonly enabled: boolean | null }): boolean => enabled !== false;
  return {
    numbers: new Map([...dids.nodes, ...numbers.nodes].map((each) => [each.ref, rowOf(each)])),
    hosts: domains.nodes.filter(takesAll).map(({ domainUri }) => domainUri),
    // Users of a domain that is disabled call its emergency numbers all the same.
    ways: domains.nodes.flatMap((domain) => [
      ...domain.routes.nodes
        .filter((route) => route.emergency === true || (takesAll(domain) && takesAll(route)))
        .map(({ prefix, emergency }) => ({ domainUri: domain.domainUri, prefix, emergency: emergency === true })),
      ...(domain.egressPolicy && takesAll(domain)
        ? [{ domainUri: domain.domainUri, prefix: null, emergency: false }]
        : []),
    ]),
  };
}

function rowOf({ ref, telUrl, lastTelUrl, gateway: { name, host, outboundProxy } }: NumberNode): NumberRow {
  return {
    ref,
    first: dialed(telUrl),
    last: lastTelUrl === null ? undefined : dialed(lastTelUrl),
    gateway: name,
    source: (outboundProxy ?? host).replace(/:\d+$/, ''),
  };
}

/** The spelling of a tel URI, or of a number, that a caller dials. */
export function dialed(telUrl: string): string {
  return telUrl.replace('tel:', '').replaceAll('-', '');
}

/**
 * The numbers that have the calls to a number: those with its digits, or else the range in which it is. A number with 00 at its
 * beginning also is an international one.
 */
export function holdersOf({ numbers }: State, number: string): readonly NumberRow[] {
  const all = [...numbers.values()];
  const read = readingsOf(number);
  const own = all.filter(({ first, last }) => last === undefined && read.includes(digitsIn(first)));
  if (own.length > 0) return own;
  return all.filter(
    ({ first, last }) =>
      last !== undefined &&
      read.some(
        (digits) => digits.length === digitsIn(first).length && digits >= digitsIn(first) && digits <= digitsIn(last),
      ),
  );
}

/** Whether a number has the digits of a dialed one, or is a range with them, without a change of its spelling. */
export function isSpelledAs({ first, last }: NumberRow, number: string): boolean {
  const digits = digitsIn(number);
  return digits.length === digitsIn(first).length && digits >= digitsIn(first) && digits <= digitsIn(last ?? first);
}

/** The way out that has the calls of a domain to a dialed number; undefined if the domain has none. */
export function wayTo({ ways }: State, host: string, number: string): Way | undefined {
  const own = ways.filter(({ domainUri }) => domainUri === host);
  const routes = own.filter(({ prefix, emergency }) =>
    emergency ? prefix === number : prefix !== null && number.startsWith(prefix),
  );
  const sorted = routes.toSorted(
    (a, b) => Number(b.emergency) - Number(a.emergency) || (b.prefix ?? '').length - (a.prefix ?? '').length,
  );
  return sorted[0] ?? own.find(({ prefix }) => prefix === null);
}

/** The digits of a number as written, and as the SIP server reads it without a home country. */
function readingsOf(number: string): readonly string[] {
  const digits = digitsIn(number);
  return digits.startsWith('00') ? [digits, digits.slice(2)] : [digits];
}

/** The digits of a dialed number. */
export function digitsIn(number: string): string {
  return number.replace('+', '');
}
