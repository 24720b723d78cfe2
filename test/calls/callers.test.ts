import { createAgent, createDomain, createGateway, createNumber, createPeer, createRoute } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerGateway } from '../support/databases/sql';

interface Attempt {
  readonly requestUri: string;
  readonly nextHop: string | null;
  readonly from: string | null;
  readonly assertedIdentity: string | null;
}

const EXPLAIN = `query ($from: String!, $to: String!) {
  explainCall(from: $from, to: $to) { attempts { requestUri nextHop from assertedIdentity } }
}`;

onEachDatabase('A caller', (subject) => {
  const refs = new Map<string, string>();
  const ref = (name: string): string => refs.get(name) ?? '';

  beforeAll(async () => {
    const { app } = subject();
    for (const [name, host] of [
      ['one', '192.0.2.1'],
      ['two', '192.0.2.2'],
    ] as const) {
      refs.set(name, await createGateway(app, { host, port: 5070 }));
      for (const nth of ['main', 'own'])
        refs.set(
          `${name} ${nth}`,
          await createNumber(app, {
            gatewayRef: ref(name),
            telUrl: `tel:+4930${name === 'one' ? '1' : '2'}0${nth === 'main' ? '0' : '1'}`,
          }),
        );
    }
    const numberRefs = [ref('one main'), ref('two main')];
    refs.set('domain', await createDomain(app, { domainUri: 'callers.test' }));
    await createRoute(app, { domainRef: ref('domain'), prefix: '', numberRefs });
    await createRoute(app, { domainRef: ref('domain'), prefix: '112', emergency: true, numberRefs });
    const domains = ['callers.test'];
    await createAgent(app, { username: 'plain', domains });
    refs.set('anna', await createAgent(app, { username: 'anna', domains, callerNumberRef: ref('one own') }));
    await createAgent(app, { username: 'hid', domains, privacy: 'PRIVATE', callerNumberRef: ref('two own') });
    const callerNumberRefs = [ref('two own'), ref('one own')];
    refs.set('pbx', await createPeer(app, { username: '0049-30201', callerNumberRefs }));
    await createPeer(app, { username: '+4930101' });
    await createPeer(app, { username: 'far', sources: ['10.1.0.0/16'] });
    await createPeer(app, { username: 'near', sources: ['10.1.2.0/24', '2001:0db8::0007', '10.1.3.0/24'] });
    await createGateway(app, { host: '10.1.4.4', sources: ['10.1.3.99/24', '10.0.0.0/8'] });
    const registering = { host: 'registrar.test', username: 'u', secret: 's' };
    const { url } = subject();
    const registered = await createGateway(app, registering);
    await registerGateway(url, registered, { host: 'registrar.test', ip: '10.1.5.5', secondsLeft: 3600 });
  });

  const shown = async (from: string, to = '+33123'): Promise<readonly Attempt[]> => {
    const { data, errors } = await subject().app.graphql<{ explainCall: { attempts: readonly Attempt[] } }>(EXPLAIN, {
      from,
      to,
    });
    expect(errors).toBeUndefined();
    return data.explainCall.attempts;
  };

  test.each([
    ['an agent without a number shows those of the route', 'plain', '+33123', ['+4930100', '+4930200']],
    ['an agent shows its number through the gateway of that number only', 'anna', '+33123', ['+4930101', '+4930200']],
    ['an emergency call shows the numbers of the route', 'anna', '112', ['+4930100', '+4930200']],
    [
      'a peer shows a number of its list, through the gateway of that number',
      '0049-30201',
      '+33123',
      ['+4930100', '+4930201'],
    ],
    ['a peer does not show a number that is not in its list', '+4930101', '+33123', ['+4930100', '+4930200']],
  ])('%s', async (_, from, to, numbers) => {
    const hosts = ['192.0.2.1:5070', '192.0.2.2:5070'];
    expect((await shown(`${from}@callers.test`, to)).map((each) => each.from)).toEqual(
      numbers.map((number, index) => `<sip:${number}@${hosts[index] ?? ''}>`),
    );
  });

  test('who is hidden shows its number only to the provider', async () => {
    const anonymous = '"Anonymous" <sip:anonymous@anonymous.invalid>';
    expect(await shown('hid@callers.test')).toMatchObject([
      { from: anonymous, assertedIdentity: '<sip:+4930100@192.0.2.1:5070>' },
      { from: anonymous, assertedIdentity: '<sip:+4930201@192.0.2.2:5070>' },
    ]);
  });

  test('has links to its numbers and from them, which cannot be deleted', async () => {
    const { app } = subject();
    const { data, errors } = await app.graphql(
      `{ agents(where: { callerNumber: { ref: { eq: "${ref('one own')}" } } }) { nodes { ref callerNumber { telUrl agents { nodes { ref } } peers { nodes { ref } } } } }
         peers(where: { callerNumbers: { ref: { eq: "${ref('one own')}" } } }) { nodes { ref callerNumbers { telUrl } } } }`,
    );
    expect(errors).toBeUndefined();
    const [anna, pbx] = [{ ref: ref('anna') }, { ref: ref('pbx') }];
    expect(data).toEqual({
      agents: {
        nodes: [
          {
            ...anna,
            callerNumber: { telUrl: 'tel:+4930101', agents: { nodes: [anna] }, peers: { nodes: [pbx] } },
          },
        ],
      },
      peers: {
        nodes: [
          {
            ...pbx,
            callerNumbers: [{ telUrl: 'tel:+4930201' }, { telUrl: 'tel:+4930101' }],
          },
        ],
      },
    });
    expect((await app.graphql(`mutation { deleteNumber(ref: "${ref('one own')}") }`)).errors).toMatchObject([
      { message: expect.stringContaining(`Number ${ref('one own')} is in use by `) as string },
    ]);
  });

  test.each([
    ['Agent', { callerNumberRef: 'none' }, 'UNFULFILLED_DEPENDENCY', 'Number "none" does not exist'],
    ['Peer', { callerNumberRefs: ['none'] }, 'UNFULFILLED_DEPENDENCY', 'Number "none" does not exist'],
    ['Peer', { callerNumberRefs: [] }, 'BAD_USER_INPUT', 'is empty'],
    ['Peer', { sources: ['0.0.0.0/0'] }, 'BAD_USER_INPUT', '"0.0.0.0/0" is not an IP address or a CIDR block'],
    ['Peer', { sources: ['::/0'] }, 'BAD_USER_INPUT', '"::/0" is not an IP address or a CIDR block'],
    ['Gateway', { outboundProxy: 'sip:proxy' }, 'BAD_USER_INPUT', '"sip:proxy" is not host or host:port'],
    ['Gateway', { outboundProxy: 'proxy:0' }, 'BAD_USER_INPUT', '"proxy:0" is not host or host:port'],
    ['Gateway', { fromDomain: 'a@b' }, 'BAD_USER_INPUT', '"a@b" is not a host name or IP address'],
    ['Gateway', { authUsername: 'x' }, 'BAD_USER_INPUT', 'requires a user name and a secret'],
    ['Gateway', { username: 'u', secret: 's', authUsername: 'x"y' }, 'BAD_USER_INPUT', 'is not a user name'],
    ['Gateway', { numberFormat: 'XX' }, 'BAD_USER_INPUT', '"XX" is not E164, E164_NO_PLUS or a country such as DE'],
    // In capitals, the ligature would be FI.
    ['Gateway', { numberFormat: 'ﬁ' }, 'BAD_USER_INPUT', '"ﬁ" is not E164, E164_NO_PLUS or a country such as DE'],
    ['Gateway', { technicalPrefix: '+1' }, 'BAD_USER_INPUT', '"+1" is not up to 16 digits, * or #'],
  ])(
    'and a provider: %s with %j is rejected, and the error names field and value',
    async (kind, input, code, message) => {
      const field = Object.keys(input).at(-1);
      const required = {
        Agent: { name: 'x', username: 'x', secret: 'x', domains: ['callers.test'] },
        Peer: { name: 'x', username: 'x', secret: 'x' },
        Gateway: { name: 'x', host: 'x.test', transport: 'UDP' },
      }[kind];
      const { errors } = await subject().app.graphql(
        `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { ref } }`,
        { input: { ...required, ...input } },
      );
      expect(errors).toMatchObject([
        { message: expect.stringContaining(message) as string, extensions: { code, fields: [field] } },
      ]);
    },
  );

  test.each([
    [{}, '+4930123', '+4930123', '+4930100'],
    [{ numberFormat: 'E164' }, '+33123', '+33123', '+4930100'],
    [{ numberFormat: 'e164_no_plus' }, '+33123', '33123', '4930100'],
    [{ numberFormat: 'de' }, '+4930123', '030123', '030100'],
    [{ numberFormat: 'DE' }, '+33123', '0033123', '030100'],
    [{ numberFormat: 'DE' }, '112', '112', '030100'],
    [{ numberFormat: 'US' }, '+12125550100', '2125550100', '0114930100'],
    [{ numberFormat: 'RU' }, '+79161234567', '89161234567', '8104930100'],
    [{ numberFormat: 'IT' }, '+390612345', '0612345', '004930100'],
    [{ technicalPrefix: '#31#' }, '+33123', '%2331%23+33123', '+4930100'],
    [{ technicalPrefix: '9', numberFormat: 'DE' }, '+4930123', '9030123', '030100'],
  ])('calls through a gateway with %j to %s', async (quirks, to, called, number) => {
    await update(ref('one'), { numberFormat: null, technicalPrefix: null, ...quirks });
    const [first, second] = await shown('plain@callers.test', to);
    expect(first).toMatchObject({
      requestUri: `sip:${called}@192.0.2.1:5070;transport=udp`,
      from: `<sip:${number}@192.0.2.1:5070>`,
    });
    expect(second).toMatchObject({ requestUri: `sip:${to}@192.0.2.2:5070;transport=udp` });
  });

  test.each([null, 'E164', 'E164_NO_PLUS', 'DE', 'US'])(
    'shows a local number with its digits through a gateway with the format %s',
    async (numberFormat) => {
      const { app } = subject();
      if (!refs.has('local')) {
        const gatewayRef = await createGateway(app, { host: '192.0.2.3', port: 5070 });
        const aorLink = 'sip:plain@local.test';
        const number = (telUrl: string, more: object = {}): Promise<string> =>
          createNumber(app, { gatewayRef, aorLink, telUrl, ...more });
        const own = await number('tel:0401234568;phone-context=local.test');
        // The same digits with `+` are another number.
        await number('tel:+0401234568');
        const domainRef = await createDomain(app, { domainUri: 'local.test' });
        const main = await number('tel:040-1234567', { furtherTargets: ['tel:+33123 after 5'] });
        await createRoute(app, { domainRef, prefix: '', numberRefs: [main] });
        const domains = ['local.test'];
        await createAgent(app, { username: 'plain', domains });
        await createAgent(app, { username: 'hid', domains, privacy: 'PRIVATE', callerNumberRef: own });
        const range = await number('tel:0402100', { lastTelUrl: 'tel:0402199' });
        await createPeer(app, { username: '0402142', callerNumberRefs: [range] });
        refs.set('local', gatewayRef);
      }
      await update(ref('local'), { numberFormat });
      const of = (number: string): string => `<sip:${number}@192.0.2.3:5070>`;
      const froms = async (from: string): Promise<readonly (string | null)[]> =>
        (await shown(`${from}@local.test`)).map((each) => each.from);
      expect(await froms('plain')).toEqual([of('0401234567')]);
      expect(await froms('0402142')).toEqual([of('0402142')]);
      expect((await shown('hid@local.test'))[0]?.assertedIdentity).toBe(of('0401234568'));
      const { data, errors } = await app.graphql(
        '{ explainCall(from: "+33999", to: "0401234567", sourceAddress: "192.0.2.3") { attempts { diversion from } } }',
      );
      expect(errors).toBeUndefined();
      expect(data).toEqual({
        explainCall: { attempts: [{ diversion: '<sip:0401234567@192.0.2.3>', from: of('0401234567') }] },
      });
    },
  );

  test.each([
    ['DE', '030100', '+4930100'],
    ['DE', '(030) 1-00', '+4930100'],
    ['DE', '0049 30 100', '+4930100'],
    ['DE', '4930100', '+4930100'],
    ['DE', '030157', '+4930150'],
    ['DE', '+030100', undefined],
    ['DE', '030999', undefined],
    ['DE', '030200', undefined],
    ['US', '0114930100', '+4930100'],
    ['AT', '030100', undefined],
    ['E164_NO_PLUS', '4930100', '+4930100'],
    ['E164_NO_PLUS', '030100', undefined],
    [null, '030100', undefined],
  ])('calls from a gateway with the format %s to %s find %s', async (numberFormat, to, found) => {
    const { app } = subject();
    if (!refs.has('range')) {
      const range = { telUrl: 'tel:+4930150', lastTelUrl: 'tel:+4930159', aorLink: 'sip:plain@callers.test' };
      refs.set('range', await createNumber(app, { ...range, gatewayRef: ref('one') }));
    }
    await update(ref('one'), { numberFormat, technicalPrefix: null });
    interface Steps {
      readonly steps: readonly { readonly number?: { readonly telUrl: string } | null }[];
    }
    const { data, errors } = await app.graphql<{
      explainCall: Steps & { readonly status: number | null };
      explainNumber: Steps;
    }>(
      `query ($to: String!) {
        explainCall(from: "+33123", to: $to, sourceAddress: "192.0.2.1") { status steps { ...Of } }
        explainNumber(telUrl: $to) { steps { ...Of } }
      }
      fragment Of on ExplanationStep { ... on NumberStep { number { ... on Number { telUrl } } } }`,
      { to },
    );
    expect(errors).toBeUndefined();
    const numberIn = ({ steps }: Steps): string | undefined =>
      steps.flatMap(({ number }) => number?.telUrl ?? [])[0]?.replace('tel:', '');
    expect(data.explainCall.status === 407).toBe(found === undefined);
    if (found !== undefined) expect(numberIn(data.explainCall)).toBe(found);
    expect(numberIn(data.explainNumber)).toBe(found);
  });

  test('calls through the outbound proxy of a gateway, with its From domain', async () => {
    const quirks = { outboundProxy: 'Proxy.test:05061', fromDomain: '[2001:db8::1]', numberFormat: null };
    await update(ref('one'), { ...quirks, technicalPrefix: null });
    const requestUri = 'sip:+33123@192.0.2.1:5070;transport=udp';
    const from = '<sip:+4930100@[2001:db8::1]>';
    expect((await shown('plain@callers.test'))[0]).toMatchObject({ requestUri, nextHop: null, from });
    await update(ref('one'), { outboundProxy: '192.0.2.9' });
    const nextHop = 'sip:192.0.2.9;transport=udp';
    expect((await shown('plain@callers.test'))[0]).toMatchObject({ requestUri, nextHop, from });
  });

  test.each([
    ['10.1.2.3', '10.1.2.3 is in 10.1.2.0/24, a source of peer near, which calls without a digest'],
    ['10.1.9.9', '10.1.9.9 is in 10.1.0.0/16, a source of peer far, which calls without a digest'],
    ['2001:db8::7', '2001:db8::7 is in 2001:0db8::0007, a source of peer near, which calls without a digest'],
    ['10.2.0.1', undefined],
    ['10.1.3.1', undefined],
    ['10.1.4.4', undefined],
    ['10.1.5.5', undefined],
    ['::ffff:10.1.2.3', undefined],
  ])('from %s is the peer with the longest network, if it is none of a gateway', async (source, summary) => {
    const { data, errors } = await subject().app.graphql<{
      explainCall: { status: number | null; steps: readonly { summary: string }[] };
    }>(
      `{ explainCall(from: "+33999@callers.test", to: "+33123", sourceAddress: "${source}") { status steps { summary } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.explainCall.status).toBe(summary === undefined ? 407 : null);
    if (summary !== undefined) expect(data.explainCall.steps[0]?.summary).toBe(summary);
  });

  test('has members in documents only where they are set', async () => {
    const { app } = subject();
    const spec = { host: 'quirks.test', transport: 'udp', credentials: { username: 'u', secret: 's' } };
    const quirks = {
      outboundProxy: 'proxy.test:5061',
      fromDomain: 'from.test',
      authUsername: 'auth',
      numberFormat: 'DE',
      technicalPrefix: '99#',
    };
    for (const [path, kind, base, more] of [
      ['/gateways', 'Gateway', spec, quirks],
      [
        '/agents',
        'Agent',
        { credentials: { username: 'doc', secret: 's' }, domains: ['callers.test'] },
        { callerNumberRef: ref('one own') },
      ],
      [
        '/peers',
        'Peer',
        { credentials: { username: 'doc', secret: 's' } },
        { callerNumberRefs: [ref('two own'), ref('one own')], sources: ['192.0.2.0/24'] },
      ],
    ] as const) {
      const body = { apiVersion: 'v1beta1', kind, metadata: { name: 'Doc' }, spec: base };
      const { body: made } = await app.rest('POST', path, { body });
      const at = `${path}/${String(made.data)}`;
      const read = async (): Promise<unknown> => (await app.rest<{ spec: unknown }>('GET', at)).body.data.spec;
      expect(await read()).toEqual(base);
      expect((await app.rest('PUT', at, { body: { ...body, spec: { ...base, ...more } } })).status).toBe(200);
      expect(await read()).toEqual({ ...base, ...more });
    }
  });

  async function update(gateway: string, input: object): Promise<void> {
    const { errors } = await subject().app.graphql(
      'mutation ($ref: String!, $input: UpdateGatewayInput!) { updateGateway(ref: $ref, input: $input) { ref } }',
      { ref: gateway, input },
    );
    expect(errors).toBeUndefined();
  }
});
