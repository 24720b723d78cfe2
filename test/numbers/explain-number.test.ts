import { startApp, type TestApp } from '../support/app';
import { createAgent, createDid, createGateway, createNumber, createPeer } from '../support/factories';
import { CHAINS, createChains } from '../support/numbers';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact, registerGateway, runSql } from '../support/databases/sql';

interface Answer {
  readonly explainNumber: {
    readonly state: string;
    readonly reachable: boolean;
    readonly summary: string;
    readonly digits: string;
    readonly steps: readonly { readonly state: string; readonly summary: string }[];
    readonly others: readonly unknown[];
  };
}

onEachDatabase('explainNumber', (subject) => {
  let gateways: Readonly<Record<string, string>>;
  let moved = 0;

  beforeAll(async () => {
    const { app, url } = subject();
    gateways = await createChains(app, url);
  });

  const explain = async (telUrl: string): Promise<Answer['explainNumber']> => {
    const query = `query($telUrl: String!) { explainNumber(telUrl: $telUrl) {
      state reachable summary digits steps { state summary } others { ... on DID { telUrl } ... on Number { telUrl } }
    } }`;
    return (await subject().app.graphql<Answer>(query, { telUrl })).data.explainNumber;
  };

  test.each(CHAINS)('of $telUrl is $state', async ({ telUrl, state, summary, steps }) => {
    const told = await explain(telUrl);
    expect(told).toMatchObject({ state, reachable: state === 'REACHABLE', digits: telUrl.replace(/\D/g, '') });
    expect(told.summary).toEqual(typeof summary === 'string' ? summary : expect.stringMatching(summary));
    expect(told.steps.map((step) => step.state)).toEqual(steps);
  });

  test.each([
    ['+1005', 3, 'one.test'],
    ['+1006', 3, null],
    ['+1007', 4, 'anna'],
    ['+10011', 0, 'tel:+1001'],
    ['+99999999', 0, null],
  ])('suggests an existing name for what %s lacks: step %i suggests %p', async (telUrl, index, suggestion) => {
    const { data } = await subject().app.graphql<{
      readonly explainNumber: { readonly steps: readonly { readonly suggestion: string | null }[] };
    }>('query($telUrl: String!) { explainNumber(telUrl: $telUrl) { steps { suggestion } } }', { telUrl });
    const expected = data.explainNumber.steps.map((_, at) => (at === index ? suggestion : null));
    expect(data.explainNumber.steps.map((step) => step.suggestion)).toEqual(expected);
  });

  test('returns the path of a call in typed steps, with their resources', async () => {
    const { data } = await subject().app.graphql(`{ explainNumber(telUrl: "+1001") {
      telUrl
      steps {
        __typename
        ... on NumberStep { number { ... on DID { telUrl gateway { name } } } }
        ... on GatewayStep { gateway { name } registration { state ip port registeredOn } }
        ... on AorStep { aorLink }
        ... on DomainStep { domain { domainUri } }
        ... on TargetStep { target { ... on Agent { username domains { domainUri } } } }
        ... on ContactsStep { contacts { uri } }
      }
    } }`);
    const registration = {
      state: 'REGISTERED',
      ip: '198.51.100.7',
      port: 5060,
      registeredOn: expect.stringMatching(/Z$/) as string,
    };
    expect(data).toEqual({
      explainNumber: {
        telUrl: '+1001',
        steps: [
          { __typename: 'NumberStep', number: { telUrl: 'tel:+1001', gateway: { name: 'Registered' } } },
          { __typename: 'GatewayStep', gateway: { name: 'Registered' }, registration },
          { __typename: 'AorStep', aorLink: 'sip:anna@one.test' },
          { __typename: 'DomainStep', domain: { domainUri: 'one.test' } },
          { __typename: 'TargetStep', target: { username: 'anna', domains: [{ domainUri: 'one.test' }] } },
          { __typename: 'ContactsStep', contacts: [{ uri: 'sip:anna@10.0.0.1' }, { uri: 'sip:anna@10.0.0.2' }] },
        ],
      },
    });
  });

  test('returns since when, and where, a gateway is registered', async () => {
    expect((await explain('tel:+1001')).steps[1]?.summary).toMatch(
      /^gateway Registered is registered at registered\.test \(198\.51\.100\.7:5060\) since 20\S+Z$/,
    );
    expect((await explain('tel:+1003')).steps[1]?.summary).toBe(
      'gateway Open does not register; it is identified by its address',
    );
  });

  test.each([
    ['is registered', 300, '', /^gateway M\d is registered at old\.test \(\[2001:db8::1\]:5060\) since /],
    ['was registered', -60, '', /^the registration of gateway M\d at old\.test expired on /],
    ['was refused', -60, '403 Forbidden', /^gateway M\d is refused by old\.test: 403 Forbidden$/],
    ['asked in vain', -60, '408 Request Timeout', /^gateway M\d is not registered: new\.test did not answer /],
  ])('names the host where a gateway %s, if its host has changed since', async (_, secondsLeft, answer, summary) => {
    const { app, url } = subject();
    const n = moved++;
    const credentials = { username: 'trunk', secret: 'trunk-secret' };
    const gatewayRef = await createGateway(app, { name: `M${n}`, host: 'new.test', port: 6000 + n, ...credentials });
    await registerGateway(url, gatewayRef, { host: 'old.test', ip: '2001:db8::1', secondsLeft });
    await runSql(url, 'UPDATE gateway_registrations SET last_response = ? WHERE gw_ref = ?', [answer, gatewayRef]);
    const telUrl = `tel:+300${n}`;
    await createDid(app, { telUrl, gatewayRef, aorLink: 'sip:anna@one.test' });
    expect((await explain(telUrl)).steps[1]?.summary).toMatch(summary);
  });

  test('a peer does not need a domain', async () => {
    const { steps } = await explain('tel:+1002');
    expect(steps[3]).toEqual({ state: 'NOT_NEEDED', summary: '10.9.9.9 is not a domain; peer pbx does not need one' });
  });

  test('a peer without a device rings at its contactAddr; an agent with its name does not', async () => {
    const { app } = subject();
    await createPeer(app, { username: 'conference', contactAddr: '192.0.2.7:5070' });
    const of = async (telUrl: string, aorLink: string): Promise<Answer['explainNumber']> => {
      await createDid(app, { telUrl, aorLink, gatewayRef: gateways['Open'] });
      return explain(telUrl);
    };
    const summary = 'rings peer conference at its contactAddr 192.0.2.7:5070';
    expect(await of('tel:+2101', 'sip:conference@one.test')).toMatchObject({ state: 'REACHABLE', summary });
    await createAgent(app, { username: 'conference', domains: ['one.test'] });
    expect(await explain('tel:+2101')).toMatchObject({ state: 'NOT_REGISTERED' });
    expect(await of('tel:+2102', 'sip:conference@192.0.2.1')).toMatchObject({ state: 'REACHABLE', summary });
    const { data } = await app.graphql(
      '{ numberHealth(first: 100, states: [REACHABLE]) { nodes { number { ... on DID { telUrl } } } } }',
    );
    expect(JSON.stringify(data)).toContain('tel:+2102');
  });

  test.each([
    [['192.0.2.0/24'], '192.0.2.0/24'],
    [['192.0.2.0/24', '2001:db8::/32'], '192.0.2.0/24 and 2001:db8::/32'],
    [['a', 'b', 'c', 'd'].map((last) => `2001:db8::${last}`), '2001:db8::a, 2001:db8::b and 2 more'],
  ])('the summary names the sources of a gateway: %j', async (sources, named) => {
    const { app } = subject();
    const gatewayRef = await createGateway(app, {
      name: `From ${named}`,
      host: `from${String(sources.length)}.test`,
      sources,
    });
    const telUrl = `tel:+220${String(sources.length)}`;
    await createDid(app, { telUrl, aorLink: 'sip:anna@one.test', gatewayRef });
    expect((await explain(telUrl)).steps[1]?.summary).toBe(
      `gateway From ${named} does not register; it is identified by its address; calls may also come from ${named}`,
    );
  });

  test('the summary says that the registries of a gateway are not used', async () => {
    const { app } = subject();
    const credentials = { username: 'trunk', secret: 'trunk-secret' };
    const gatewayRef = await createGateway(app, { name: 'Many', ...credentials, registries: ['b.test'] });
    await createDid(app, { telUrl: 'tel:+2103', aorLink: 'sip:anna@one.test', gatewayRef });
    expect((await explain('tel:+2103')).steps[1]?.summary).toBe(
      'gateway Many is not registered: no attempt is recorded; its registries are not used',
    );
  });

  test('with SIP_NODE, the node of a device elsewhere is reported, and the device does not count', async () => {
    const { app, url } = subject();
    const there = await startApp({ DATABASE_URL: url, SIP_NODE: '192.0.2.1:5060' });
    const query = `query($telUrl: String!) { explainNumber(telUrl: $telUrl) {
      state summary steps { ... on ContactsStep { contacts { node } } } } }`;
    const at = async (which: TestApp, telUrl: string): Promise<Answer['explainNumber']> =>
      (await which.graphql<Answer>(query, { telUrl })).data.explainNumber;
    try {
      // A phone with TLS is at the same node, at another port.
      for (const [username, socket, telUrl] of [
        ['near', 'udp:192.0.2.1:5060', 'tel:+2104'],
        ['far', 'udp:192.0.2.2:5060', 'tel:+2105'],
        ['safe', 'tls:192.0.2.1:5061', 'tel:+2106'],
      ] as const) {
        await createAgent(app, { username, domains: ['one.test'] });
        await registerContact(url, { username, domain: 'one.test', contact: `sip:${username}@10.0.0.7`, socket });
        await createDid(app, { telUrl, aorLink: `sip:${username}@one.test`, gatewayRef: gateways['Open'] });
        expect(await at(app, telUrl)).toMatchObject({ state: 'REACHABLE' });
        expect((await at(app, telUrl)).steps.at(-1)).toEqual({ contacts: [{ node: socket.slice(4) }] });
      }
      for (const [telUrl, username] of [
        ['tel:+2104', 'near'],
        ['tel:+2106', 'safe'],
      ] as const)
        expect(await at(there, telUrl)).toMatchObject({
          state: 'REACHABLE',
          summary: `rings agent ${username}@one.test on 1 device at node 192.0.2.1:5060`,
        });
      expect(await at(there, 'tel:+2105')).toMatchObject({
        state: 'NOT_REGISTERED',
        summary: 'agent far@one.test is registered at node 192.0.2.2:5060, but calls arrive at node 192.0.2.1:5060',
      });
    } finally {
      await there.close();
    }
    await expect(startApp({ DATABASE_URL: url, SIP_NODE: 'nowhere' })).rejects.toThrow('SIP_NODE: "nowhere"');
  });

  test('finds a number in any spelling', async () => {
    const { app } = subject();
    await createDid(app, {
      telUrl: 'tel:+1-706-604-1487',
      aorLink: 'sip:anna@one.test',
      gatewayRef: gateways['Open'],
    });
    for (const telUrl of [
      ...['tel:+1 706 604-1487', '+17066041487', '17066041487', 'tel:17066041487', 'tel:+1(706)604.1487'],
      ...['tel:+17066041487;ext=12', '1 706 604 1487'],
    ]) {
      expect(await explain(telUrl)).toMatchObject({ state: 'REACHABLE', digits: '17066041487' });
    }
  });

  test.each([
    ['tel:+2001', 'oscar', 'sip:%6Fscar@one.test'],
    ['tel:+2002', 'a b', 'sip:a%20b@one.test'],
    ['tel:+2003', 'zoë', 'sip:zo%C3%ab@one.test'],
    ['tel:+2004', '%FF%25', 'sip:%FF%25@one.test'], // it is not valid UTF-8
  ])('%s rings agent %j, the target of %s', async (telUrl, username, aorLink) => {
    const { app, url } = subject();
    await createAgent(app, { username, domains: ['one.test'] });
    await registerContact(url, { username, domain: 'one.test', contact: 'sip:x@10.0.0.5' });
    await createDid(app, { telUrl, aorLink, gatewayRef: gateways['Open'] });
    expect(await explain(telUrl)).toMatchObject({
      state: 'REACHABLE',
      summary: `rings agent ${username}@one.test on 1 device`,
    });
  });

  test('of a disabled number is that of an enabled one with the same digits, which the SIP server prefers', async () => {
    const { app } = subject();
    const line = { aorLink: 'sip:anna@one.test', gatewayRef: gateways['Open'] };
    await createNumber(app, { ...line, telUrl: 'tel:+5520', enabled: false });
    expect(await explain('+5520')).toMatchObject({ state: 'DISABLED' });
    await createDid(app, { ...line, telUrl: 'tel:+55-20' });
    expect(await explain('tel:+5520')).toMatchObject({ state: 'REACHABLE', others: [{ telUrl: 'tel:+5520' }] });
  });

  test('lists other numbers with the same digits, ambiguous or not', async () => {
    expect((await explain('1013')).others).toEqual([{ telUrl: 'tel:+1-013' }]);
    expect((await explain('1014')).others).toEqual([{ telUrl: 'tel:+1014' }]);
    expect((await explain('1001')).others).toEqual([]);
  });

  test.each([
    ['17066041478', 'no DID or Number 17066041478; did you mean tel:+1-706-604-1487?'],
    ['17066041587', 'no DID or Number 17066041587; did you mean tel:+1-706-604-1487?'],
    ['7066041487', 'no DID or Number 7066041487; did you mean tel:+1-706-604-1487?'],
    ['17606041487', 'no DID or Number 17606041487; did you mean tel:+1-706-604-1487?'],
    ['17066041480', 'no DID or Number 17066041480; did you mean tel:+1-706-604-1487?'],
    ['49301234567', 'no DID or Number 49301234567'],
    ['7', 'no DID or Number 7'],
  ])('of %s, which does not exist, is MISSING', async (telUrl, summary) => {
    expect(await explain(telUrl)).toMatchObject({
      state: 'MISSING',
      reachable: false,
      summary,
      steps: [{ state: 'MISSING', summary }],
    });
  });

  test.each([
    ...['', 'tel:', 'sip:anna@one.test', 'sip:+17066041487@one.test', '1'.repeat(101)],
    ...['call 17066041487 now', 'tel:%2B17066041487', '1\u06617066041487'],
  ])('rejects %j', async (telUrl) => {
    const { errors } = await subject().app.graphql('query($t: String!) { explainNumber(telUrl: $t) { state } }', {
      t: telUrl,
    });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', fields: ['telUrl'] } });
  });

  test('requires a token', async () => {
    const { errors } = await subject().app.graphql('{ explainNumber(telUrl: "1") { state } }', {}, { token: null });
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
  });
});
