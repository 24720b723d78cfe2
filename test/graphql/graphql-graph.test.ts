import { createClient, type Client } from '../../clients/typescript/src/index';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { registerContact, registerGateway, runSql } from '../support/databases/sql';

onEachDriver('The graph', (subject) => {
  let client: Client;

  beforeAll(async () => {
    const { app } = subject();
    client = createClient(`${app.url}/graphql`, { token: await app.token() });
  });

  /** The data of a query that must not fail. */
  async function ask(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const { data, errors } = await subject().app.graphql(query, variables);
    expect(errors).toBeUndefined();
    return data;
  }

  test('a gateway has every field except its secret', async () => {
    const { createGateway: made } = await client.createGateway({
      input: {
        ref: 'gw-full',
        name: 'Full',
        host: 'SIP.Full.Test',
        port: 5061,
        transport: 'TLS',
        username: 'me',
        secret: 's3cret',
        expires: 600,
        sendRegister: true,
        registries: ['r1.test', 'r2.test:5080'],
      },
    });
    expect(made).toMatchObject({
      ref: 'gw-full',
      name: 'Full',
      host: 'sip.full.test',
      port: 5061,
      transport: 'TLS',
      username: 'me',
      secretSet: true,
      expires: 600,
      sendRegister: true,
      registries: ['r1.test', 'r2.test:5080'],
    });
    const { errors } = await subject().app.graphql('{ gateway(ref: "gw-full") { secret } }');
    expect(errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('fields and groups that are not set are null', async () => {
    const ref = await createDid(subject().app);
    const gatewayRef = await createGateway(subject().app);
    expect((await client.did({ ref })).did?.geoInfo).toBeNull();
    expect((await client.gateway({ ref: gatewayRef })).gateway).toMatchObject({
      port: null,
      username: null,
      secretSet: false,
      expires: null,
      sendRegister: null,
      registries: null,
    });
  });

  test('a DID links to its gateway, and the gateway to its DIDs and numbers', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app, { name: 'Linked' });
    const did = await createDid(app, { gatewayRef });
    const numbers = [await createNumber(app, { gatewayRef }), await createNumber(app, { gatewayRef })];
    expect(
      await ask(
        `query ($ref: String!) { did(ref: $ref) { gateway { name dids { nodes { ref } } numbers { totalCount edges { node { ref } } } } } }`,
        { ref: did },
      ),
    ).toEqual({
      did: {
        gateway: {
          name: 'Linked',
          dids: { nodes: [{ ref: did }] },
          numbers: { totalCount: 2, edges: numbers.map((ref) => ({ node: { ref } })) },
        },
      },
    });
  });

  test('the target of a number is the agent of its address of record, or else the peer, or null', async () => {
    const { app } = subject();
    await createDomain(app, { domainUri: 'target.test' });
    await createAgent(app, { name: 'Agent T', username: 'both', domains: ['target.test'] });
    await createPeer(app, { name: 'Peer T', username: 'both' });
    const query =
      '($ref: String!) { did(ref: $ref) { target { __typename ... on Agent { name } ... on Peer { name } } } }';
    const targetOf = async (aorLink: string): Promise<unknown> =>
      ask(`query ${query}`, { ref: await createDid(app, { aorLink }) });
    expect(await targetOf('sip:both@TARGET.test;x=1')).toEqual({
      did: { target: { __typename: 'Agent', name: 'Agent T' } },
    });
    expect(await targetOf('sips:both@elsewhere.test:5061')).toEqual({
      did: { target: { __typename: 'Peer', name: 'Peer T' } },
    });
    expect(await targetOf('sip:b%6Fth@target.test')).toEqual({
      did: { target: { __typename: 'Agent', name: 'Agent T' } },
    });
    expect(await targetOf('sip:BOTH@target.test')).toEqual({ did: { target: null } });
    expect(await targetOf('sip:target.test')).toEqual({ did: { target: null } });
  });

  test('agents, peers and domains link to related resources', async () => {
    const { app } = subject();
    await createDomain(app, { domainUri: 'one.test', name: 'One' });
    await createDomain(app, { domainUri: 'two.test', name: 'Two' });
    const agent = await createAgent(app, { username: 'linked', domains: ['two.test', 'one.test'] });
    const peer = await createPeer(app, { username: 'linkedpeer' });
    const number = await createNumber(app, { aorLink: 'sip:linked@one.test' });
    const did = await createDid(app, { aorLink: 'sip:linkedpeer@any.test' });
    const domain = await createDomain(app, {
      domainUri: 'egress.test',
      egressPolicy: { rule: '.*', numberRef: number },
    });
    expect(
      await ask(
        `query ($agent: String!, $peer: String!, $domain: String!) {
          agent(ref: $agent) { domains { domainUri agents { nodes { ref } } } numbers { nodes { ref } } dids { totalCount } }
          peer(ref: $peer) { dids { nodes { ref } } numbers { nodes { ref } } }
          domain(ref: $domain) { egressPolicy { rule numberRef } egressNumber { ref } agents { nodes { ref } } }
        }`,
        { agent, peer, domain },
      ),
    ).toEqual({
      agent: {
        domains: ['two.test', 'one.test'].map((domainUri) => ({ domainUri, agents: { nodes: [{ ref: agent }] } })),
        numbers: { nodes: [{ ref: number }] },
        dids: { totalCount: 0 },
      },
      peer: { dids: { nodes: [{ ref: did }] }, numbers: { nodes: [] } },
      domain: { egressPolicy: { rule: '.*', numberRef: number }, egressNumber: { ref: number }, agents: { nodes: [] } },
    });
  });

  test('every page and document has the domains of its agents in order, and unknown members once', async () => {
    const { app } = subject();
    const domains = ['c.order.test', 'a.order.test', 'b.order.test'];
    for (const domainUri of [...domains].sort()) await createDomain(app, { domainUri });
    const refs: string[] = [];
    for (const [index, name] of ['Zoe', 'Yan', 'Xia'].entries()) {
      const username = `ordered${String(index)}`;
      const spec = { credentials: { username, secret: 's3cret' }, domains, note: username };
      const body = { kind: 'Agent', metadata: { name }, spec };
      refs.push((await app.rest<string>('POST', '/agents', { body })).body.data);
    }
    const linked = domains.map((domainUri) => ({ domainUri }));
    const agents = refs.map((ref) => ({ ref, domains: linked }));
    const rest = `where: { username: { startsWith: "ordered" } }`;
    expect(
      await ask(
        `query ($ref: String!) {
          one: agent(ref: $ref) { ref domains { domainUri } }
          first: agents(${rest}, first: 2) { nodes { ref domains { domainUri } } pageInfo { hasNextPage } }
          last: agents(${rest}, last: 2) { nodes { ref domains { domainUri } } pageInfo { hasPreviousPage } }
          sorted: agents(${rest}, orderBy: [{ field: NAME }]) { nodes { ref domains { domainUri } } totalCount }
          domains(where: { domainUri: { in: ["a.order.test"] } }) {
            nodes { agents(first: 2) { nodes { ref domains { domainUri } } pageInfo { hasNextPage } } }
          }
        }`,
        { ref: refs[0] },
      ),
    ).toEqual({
      one: agents[0],
      first: { nodes: agents.slice(0, 2), pageInfo: { hasNextPage: true } },
      last: { nodes: agents.slice(1), pageInfo: { hasPreviousPage: true } },
      sorted: { nodes: [...agents].reverse(), totalCount: 3 },
      domains: { nodes: [{ agents: { nodes: agents.slice(0, 2), pageInfo: { hasNextPage: true } } }] },
    });
    const filter = encodeURIComponent("@.spec.domains[0]=='c.order.test'");
    const list = await app.rest<{ spec: object }[]>('GET', `/agents?filter=${filter}&itemsPerPage=2`);
    const expected = [0, 1].map((index) => ({ domains, note: `ordered${String(index)}` }));
    expect(list.body.data.map(({ spec }) => spec)).toMatchObject(expected);
    expect(list.body.meta).toMatchObject({ totalItems: 3 });
    const one = await app.rest<{ spec: object }>('GET', `/agents/${refs[1] ?? ''}`);
    expect(one.body.data.spec).toMatchObject(expected[1] ?? {});
  });

  test('live links show only current registrations', async () => {
    const { app, url } = subject();
    await createDomain(app, { domainUri: 'live.test' });
    const agent = await createAgent(app, { username: 'ringing', domains: ['live.test'] });
    const peer = await createPeer(app, { username: 'pbx' });
    const gatewayRef = await createGateway(app);
    const did = await createDid(app, { gatewayRef, aorLink: 'sip:ringing@live.test' });
    await registerGateway(url, gatewayRef);
    await registerContact(url, {
      username: 'ringing',
      domain: 'live.test',
      contact: 'sip:ringing@10.0.0.1:5060;transport=tcp',
    });
    await registerContact(url, {
      username: 'ringing',
      domain: 'live.test',
      contact: 'sip:ringing@10.0.0.2',
      secondsLeft: -5,
    });
    await registerContact(url, { username: 'ringing', domain: 'other.test', contact: 'sip:ringing@10.0.0.3' });
    await registerContact(url, { username: 'pbx', domain: 'anywhere.test', contact: 'sip:pbx@10.0.0.4' });
    expect(
      await ask(
        `query ($did: String!, $agent: String!, $peer: String!, $gateway: String!) {
          did(ref: $did) { contacts { uri transport nat expires userAgent addressOfRecord } }
          agent(ref: $agent) { contacts { uri } }
          peer(ref: $peer) { contacts { uri } }
          gateway(ref: $gateway) { registration { username ip port expires gatewayRef gateway { ref } } }
          registrations { totalCount nodes { gateway { ref } } }
          contacts(first: 1) { totalCount nodes { uri } pageInfo { hasNextPage } }
          devices: contacts {
            nodes { uri target { ... on Agent { ref } ... on Peer { username } } domain { domainUri agents { nodes { ref } } } }
          }
        }`,
        { did, agent, peer, gateway: gatewayRef },
      ),
    ).toEqual({
      did: {
        contacts: [
          {
            uri: 'sip:ringing@10.0.0.1:5060',
            transport: 'tcp',
            nat: false,
            expires: 600,
            userAgent: 'Phone/1.0',
            addressOfRecord: 'sip:ringing@live.test',
          },
        ],
      },
      agent: { contacts: [{ uri: 'sip:ringing@10.0.0.1:5060' }] },
      peer: { contacts: [{ uri: 'sip:pbx@10.0.0.4' }] },
      gateway: {
        registration: {
          username: 'trunk',
          ip: '198.51.100.7',
          port: 5060,
          expires: 600,
          gatewayRef,
          gateway: { ref: gatewayRef },
        },
      },
      registrations: { totalCount: 1, nodes: [{ gateway: { ref: gatewayRef } }] },
      contacts: { totalCount: 3, nodes: [{ uri: 'sip:ringing@10.0.0.1:5060' }], pageInfo: { hasNextPage: true } },
      devices: {
        nodes: [
          {
            uri: 'sip:ringing@10.0.0.1:5060',
            target: { ref: agent },
            domain: { domainUri: 'live.test', agents: { nodes: [{ ref: agent }] } },
          },
          { uri: 'sip:ringing@10.0.0.3', target: null, domain: null },
          { uri: 'sip:pbx@10.0.0.4', target: { username: 'pbx' }, domain: null },
        ],
      },
    });
  });

  test('node and nodes find any resource by its id, in the requested order', async () => {
    const { app } = subject();
    const [did, number] = [await createDid(app, { ref: 'same' }), await createNumber(app, { ref: 'same' })];
    const ids = [
      (await client.number({ ref: number })).number?.id ?? '',
      (await client.did({ ref: did })).did?.id ?? '',
    ];
    expect((await client.node({ id: ids[1] ?? '' })).node).toMatchObject({ __typename: 'DID', ref: 'same' });
    const gone = Buffer.from('DID:gone').toString('base64url');
    const { nodes } = await client.nodes({ ids: [...ids, gone] });
    expect(nodes.map((node) => node?.__typename)).toEqual(['Number', 'DID', undefined]);
    expect((await client.nodes({ ids: ['garbage', ...ids] })).nodes.map((node) => node?.ref)).toEqual([
      undefined,
      'same',
      'same',
    ]);
  });

  test('an unknown ref is NOT_FOUND, and the error names it', async () => {
    for (const field of ['gateway', 'agent', 'peer', 'domain', 'did', 'number']) {
      const { data, errors } = await subject().app.graphql(`{ ${field}(ref: "nope") { ref } }`);
      expect(data).toEqual({ [field]: null });
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('"nope" does not exist') as string,
        extensions: { code: 'NOT_FOUND', status: 404, fields: ['ref'] },
      });
    }
  });

  test('a contact and a registration have the same id everywhere, which a refresh does not change', async () => {
    const { app, url } = subject();
    await createDomain(app, { domainUri: 'ids.test' });
    const agent = await createAgent(app, { username: 'ids', domains: ['ids.test'] });
    const gateway = await createGateway(app);
    const did = await createDid(app, { gatewayRef: gateway, aorLink: 'sip:ids@ids.test' });
    for (const host of ['10.0.0.8', '10.0.0.9']) {
      await registerContact(url, { username: 'ids', domain: 'ids.test', contact: `sip:ids@${host}` });
    }
    await registerGateway(url, gateway);
    interface Ids {
      readonly did: {
        readonly contacts: readonly { id: string }[];
        readonly gateway: { registration: { id: string } };
      };
      readonly agent: { readonly contacts: readonly { id: string }[] };
      readonly gateway: { readonly registration: { readonly id: string } };
    }
    const read = (): Promise<unknown> =>
      ask(
        `query ($did: String!, $agent: String!, $gateway: String!) {
          did(ref: $did) { contacts { id } gateway { registration { id } } }
          agent(ref: $agent) { contacts { id } }
          gateway(ref: $gateway) { registration { id } }
        }`,
        { did, agent, gateway },
      );
    const ids = (await read()) as Ids;
    expect(ids.did.contacts).toEqual(ids.agent.contacts);
    expect(ids.did.gateway.registration).toEqual(ids.gateway.registration);
    const all = [...ids.agent.contacts, ids.gateway.registration].map(({ id }) => id);
    expect(new Set(all).size).toBe(3);
    await runSql(url, "UPDATE location SET expires = expires + 60 WHERE username = 'ids'");
    await runSql(url, 'UPDATE gateway_registrations SET expires_at = expires_at + 60000');
    expect(await read()).toEqual(ids);
  });

  test('systemInfo describes the server, and viewer the caller', async () => {
    expect((await client.systemInfo()).systemInfo).toMatchObject({
      apiVersion: 'v1beta1',
      apiPath: '/api/v1beta1',
      env: [],
    });
    expect((await client.viewer()).viewer).toMatchObject({ username: 'admin', role: 'ADMIN' });
  });
});
