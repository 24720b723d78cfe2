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

/** What a text of the example documents is on this server; undefined if there is nothing of its kind. */
interface Named {
  readonly collection: 'gateways' | 'domains' | 'numbers';
  readonly text: string | undefined;
}

/** Returns what the texts of the example documents are on this server, so that it accepts the documents; undefined if it does not say. */
export async function readNamed(
  credentials: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Named> | undefined> {
  const { data } = await post<Data>('graphql', { query: QUERY, variables: SAMPLE }, credentials);
  if (!data) return undefined;
  const gateway = data.gateway.nodes[0] ?? data.gateways.nodes[0];
  const domain = data.domain.nodes[0] ?? data.domains.nodes[0];
  const numbers = data.sample.nodes.length === SAMPLE.numbers.length ? data.sample.nodes : data.numbers.nodes;
  return new Map<string, Named>([
    [SAMPLE.gateway, { collection: 'gateways', text: gateway?.ref }],
    [SAMPLE.domain, { collection: 'domains', text: domain?.ref }],
    [SAMPLE.host, { collection: 'domains', text: domain?.domainUri }],
    ...SAMPLE.numbers.map((ref, place): [string, Named] => [
      ref,
      { collection: 'numbers', text: (numbers[place] ?? numbers[0])?.ref },
    ]),
  ]);
}

/** The OpenAPI document with other names in its examples, or with what must be created before they are accepted. */
export function withNamed(text: string, named: ReadonlyMap<string, Named>): object {
  return JSON.parse(text, (key, value: unknown) => (key === 'example' ? exampleOf(value, named) : value)) as object; // an object
}

function exampleOf(example: unknown, named: ReadonlyMap<string, Named>): unknown {
  const missing = new Set<string>();
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const found = named.get(value);
      if (found && found.text === undefined) missing.add(found.collection);
      return found?.text ?? value;
    }
    // One that is named twice is refused.
    if (Array.isArray(value)) return [...new Set(value.map(rename))];
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rename(each)]));
  };
  const renamed = rename(example);
  const first = [...missing].map((collection) => `POST /${collection}`).join(' and ');
  return missing.size === 0 ? renamed : `Send ${first} first: this server has none of them. Then reload this page.`;
}
