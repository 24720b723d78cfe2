import { post } from '../shared/request';

/** What the example documents of the REST API name (src/rest/openapi-examples.ts), of the sample data. */
const SAMPLE = { gateway: 'gweef506', domain: 'dm5e81aa', host: 'sip.local', numbers: ['nu20d4e1', 'nu6a1b9c'] };

interface Refs {
  readonly nodes: readonly { readonly ref: string; readonly domainUri?: string }[];
}

type Data = Readonly<Record<'gateway' | 'domain' | 'gateways' | 'domains' | 'numbers' | 'sample', Refs>>;

const QUERY = `query Documents($gateway: String!, $domain: String!, $numbers: [String!]) {
  gateway: gateways(first: 1, where: { ref: { eq: $gateway } }) { nodes { ref } }
  domain: domains(first: 1, where: { ref: { eq: $domain } }) { nodes { ref domainUri } }
  sample: numbers(first: 2, where: { ref: { in: $numbers } }) { nodes { ref } }
  gateways(first: 1) { nodes { ref } }
  domains(first: 1) { nodes { ref domainUri } }
  numbers(first: 2) { nodes { ref } }
}`;

/** The texts of the example documents and what they are on this server, so that it accepts the documents. */
export async function readNamed(credentials: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  const { data } = await post<Data>('graphql', { query: QUERY, variables: SAMPLE }, credentials);
  if (!data) return new Map();
  const gateway = data.gateway.nodes[0] ?? data.gateways.nodes[0];
  const domain = data.domain.nodes[0] ?? data.domains.nodes[0];
  const numbers = data.sample.nodes.length === SAMPLE.numbers.length ? data.sample.nodes : data.numbers.nodes;
  const pairs = [
    [SAMPLE.gateway, gateway?.ref],
    [SAMPLE.domain, domain?.ref],
    [SAMPLE.host, domain?.domainUri],
    ...SAMPLE.numbers.map((ref, place) => [ref, (numbers[place] ?? numbers[0])?.ref] as const),
  ] as const;
  return new Map(pairs.flatMap(([from, to]) => (to === undefined ? [] : [[from, to] as const])));
}

/** The OpenAPI document with other names in its examples. */
export function withNamed(text: string, named: ReadonlyMap<string, string>): object {
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return named.get(value) ?? value;
    // One that is named twice is refused.
    if (Array.isArray(value)) return [...new Set(value.map(rename))];
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each)]));
  };
  return JSON.parse(text, (key, value: unknown) => (key === 'example' ? rename(value) : value)) as object; // an object
}
