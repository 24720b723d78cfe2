import { createClient, type Client } from '../../clients/typescript/src/index';
import { createDomain, createGateway, createNumber } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

type Fields = Readonly<Record<string, unknown>>;

/** A kind, with an input that sets every field, and the client's methods for it. */
interface Case {
  readonly kind: string;
  readonly full: Fields;
  /** The fields of `full` that are returned in another form. */
  readonly shown?: Fields;
  readonly bare: Fields;
  readonly nothing: Fields;
  readonly create: (client: Client, input: never) => Promise<Fields>;
  readonly get: (client: Client, ref: string) => Promise<Fields | null>;
  readonly list: (client: Client) => Promise<readonly Fields[]>;
}

const SECRET = 'never-to-be-shown';
const GEO = { city: 'Köln', country: 'Germany', countryISOCode: 'DE' };
const DOMAINS = ['types-b.test', 'types-a.test'];

const CASES: readonly Case[] = [
  {
    kind: 'Gateway',
    full: {
      ref: 'full',
      name: 'Ümläut ☎',
      host: 'sip.types.test',
      port: 5061,
      transport: 'TLS',
      username: 'trunk',
      secret: SECRET,
      expires: 600,
      sendRegister: true,
      registries: ['r1.test', 'r2.test:5080'],
      sources: ['192.0.2.0/24', '2001:db8::/32'],
    },
    bare: { name: 'G', host: 'bare.types.test', transport: 'SCTP' },
    nothing: {
      port: null,
      username: null,
      expires: null,
      sendRegister: null,
      registries: null,
      sources: null,
      secretSet: false,
    },
    create: async (client, input) => (await client.createGateway({ input })).createGateway,
    get: async (client, ref) => (await client.gateway({ ref })).gateway,
    list: async (client) => (await client.gateways()).gateways.nodes,
  },
  {
    kind: 'Agent',
    full: {
      ref: 'full',
      name: 'John',
      username: 'types',
      secret: SECRET,
      domains: DOMAINS,
      privacy: 'PRIVATE',
      maxContacts: 3,
    },
    shown: {
      domains: DOMAINS.map((domainUri) => ({ domainUri, ref: expect.stringMatching(/^dm/) as string })),
    },
    bare: { name: 'A', username: 'bare', secret: SECRET, domains: DOMAINS },
    nothing: { privacy: null, maxContacts: null, secretSet: true },
    create: async (client, input) => (await client.createAgent({ input })).createAgent,
    get: async (client, ref) => (await client.agent({ ref })).agent,
    list: async (client) => (await client.agents()).agents.nodes,
  },
  {
    kind: 'Peer',
    full: {
      ref: 'full',
      name: 'PBX',
      username: 'types',
      secret: SECRET,
      device: 'Asterisk',
      contactAddr: '192.0.2.1:5060',
    },
    bare: { name: 'P', username: 'bare', secret: SECRET },
    nothing: { device: null, contactAddr: null, secretSet: true },
    create: async (client, input) => (await client.createPeer({ input })).createPeer,
    get: async (client, ref) => (await client.peer({ ref })).peer,
    list: async (client) => (await client.peers()).peers.nodes,
  },
  {
    kind: 'Domain',
    full: {
      ref: 'full',
      name: 'D',
      domainUri: 'full.types.test',
      egressPolicy: { rule: '^9', numberRef: 'egress' },
      accessControlList: { allow: ['10.0.0.0/8', '::1'], deny: ['0.0.0.0/1'] },
    },
    bare: { name: 'D', domainUri: 'bare.types.test' },
    nothing: { egressPolicy: null, accessControlList: null },
    create: async (client, input) => (await client.createDomain({ input })).createDomain,
    get: async (client, ref) => (await client.domain({ ref })).domain,
    list: async (client) => (await client.domains()).domains.nodes,
  },
  {
    kind: 'DID',
    full: { ref: 'full', telUrl: 'tel:+1-706', aorLink: 'sip:a@b.test', gatewayRef: 'types', geoInfo: GEO },
    bare: { telUrl: 'tel:+1707', aorLink: 'sip:a@b.test', gatewayRef: 'types' },
    nothing: { geoInfo: null },
    create: async (client, input) => (await client.createDID({ input })).createDID,
    get: async (client, ref) => (await client.did({ ref })).did,
    list: async (client) => (await client.dids()).dids.nodes,
  },
  {
    kind: 'Number',
    full: { ref: 'full', telUrl: 'tel:+1-706', aorLink: 'sips:a@b.test:5061', gatewayRef: 'types', geoInfo: GEO },
    bare: { telUrl: 'tel:+1707', aorLink: 'sip:a@b.test', gatewayRef: 'types' },
    nothing: { geoInfo: null },
    create: async (client, input) => (await client.createNumber({ input })).createNumber,
    get: async (client, ref) => (await client.number({ ref })).number,
    list: async (client) => (await client.numbers()).numbers.nodes,
  },
];

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

/** An input as the resource returns it: whether a secret is set, but not its value. */
function shownOf({ secret, ...rest }: Fields): Fields {
  return { ...rest, ...(secret !== undefined && { secretSet: true }), id: expect.any(String), createdOn: TIME };
}

onEachDriver('The types', (subject) => {
  let client: Client;

  beforeAll(async () => {
    const { app } = subject();
    client = createClient(`${app.url}/graphql`, { token: await app.token() });
    await createGateway(app, { ref: 'types' });
    await createNumber(app, { ref: 'egress', gatewayRef: 'types' });
    for (const domainUri of DOMAINS) await createDomain(app, { domainUri });
  });

  test.each(CASES)('a $kind returns everything that was written, except secrets', async ({ full, shown, ...ways }) => {
    const made = await ways.create(client, full as never); // the input of its kind
    expect(made).toMatchObject({ ...shownOf(full), ...shown, modifiedOn: made['createdOn'] });
    expect(await ways.get(client, 'full')).toEqual(made);
    expect(await ways.list(client)).toContainEqual(made);
    expect(JSON.stringify(made)).not.toContain(SECRET);
  });

  test.each(CASES)('a $kind returns null for fields that are not set, and has a generated ref', async (each) => {
    const made = await each.create(client, each.bare as never); // the input of its kind
    expect(made).toMatchObject(each.nothing);
    expect(made['ref']).toMatch(/^(gw|ag|pr|dm|dd|nu)[0-9a-f]{8}$/);
    expect(await each.get(client, String(made['ref']))).toEqual(made);
  });

  test.each(CASES)('a $kind has the right type, through its own field and through the interfaces', async ({ kind }) => {
    const field = kind.toLowerCase();
    const { data } = await subject().app.graphql<Record<string, { id: string }>>(
      `{ ${field}(ref: "full") { __typename kind apiVersion id labels note } }`,
    );
    expect(data[field]).toMatchObject({ __typename: kind, kind, apiVersion: 'v1beta1' });
    const { data: again } = await subject().app.graphql(
      'query ($id: ID!) { node(id: $id) { __typename id ... on Resource { kind apiVersion labels note } } }',
      { id: data[field]?.id },
    );
    expect(again).toEqual({ node: data[field] });
  });

  test.each(['gateway', 'agent', 'peer'])('the secret of a %s cannot be queried', async (field) => {
    const { errors } = await subject().app.graphql(`{ ${field}(ref: "full") { secret } }`);
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('Cannot query field "secret"') as string,
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED', status: 400 },
    });
  });
});
