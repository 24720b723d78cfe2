import { startApp } from '../support/app';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { measureGateway, registerContact, registerGateway } from '../support/databases/sql';

interface Step {
  readonly __typename: string;
  readonly state: string;
  readonly summary: string;
  readonly suggestion: string | null;
  readonly broken: boolean;
}

interface Attempt {
  readonly health: string | null;
  readonly requestUri: string;
  readonly nextHop: string | null;
  readonly from: string | null;
  readonly assertedIdentity: string | null;
}

interface Explained {
  readonly outcome: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly summary: string;
  readonly steps: readonly Step[];
  readonly attempts: readonly Attempt[];
}

const QUERY = `query ($from: String!, $to: String!, $source: String) {
  explainCall(from: $from, to: $to, sourceAddress: $source) {
    outcome status reason summary
    steps { __typename state summary suggestion broken }
    attempts { health requestUri nextHop from assertedIdentity }
  }
}`;

const OFFICE = '10.0.0.5';
const PROVIDER = '198.51.100.7';

/** A call: who calls whom from where, what becomes of it, why, and the INVITEs. */
type Case = readonly [
  from: string,
  to: string,
  source: string | undefined,
  outcome: string,
  summary: string | RegExp,
  invites?: readonly string[],
];

const ANNA = 'sip:anna@10.0.0.1';
const ANONYMOUS = '"Anonymous" <sip:anonymous@anonymous.invalid>';

const CASES: readonly Case[] = [
  // Between users.
  ['ben@one.test', 'anna', undefined, 'RINGS', 'rings agent anna@one.test on 1 device', [`${ANNA} <sip:ben@one.test>`]],
  [
    'ben@one.test',
    'sip:anna@one.test',
    OFFICE,
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} <sip:ben@one.test>`],
  ],
  [
    'hid@one.test',
    'anna@one.test',
    undefined,
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} ${ANONYMOUS}`],
  ],
  ['anna@one.test', 'ben', undefined, 'REFUSED 480', /^the registration of agent ben@one.test expired on /],
  ['anna@one.test', 'bne', undefined, 'REFUSED 404', 'no agent or peer bne in domain one.test; did you mean ben?'],
  ['anna@one.test', 'carl@two.test', undefined, 'REFUSED 480', 'agent carl@two.test exists but is not registered'],
  [
    'anna@one.test',
    'x@elsewhere.test',
    undefined,
    'REFUSED 403',
    'elsewhere.test is no domain: calls to other hosts are not forwarded',
  ],
  // Who calls.
  [
    'nobody@one.test',
    'anna',
    undefined,
    'REFUSED 407',
    'no agent or peer nobody in domain one.test: the call is challenged',
  ],
  [
    'bne@one.test',
    'anna',
    undefined,
    'REFUSED 407',
    'no agent or peer bne in domain one.test: the call is challenged; did you mean ben?',
  ],
  [
    'carl@one.test',
    'anna',
    undefined,
    'REFUSED 407',
    'agent carl is in domain two.test, not in one.test: the call is challenged',
  ],
  [
    'pbx@192.0.2.1',
    'anna@one.test',
    undefined,
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} <sip:pbx@192.0.2.1>`],
  ],
  [
    'pbx@one.test',
    'desk',
    undefined,
    'RINGS',
    'rings peer desk at its contactAddr 10.0.0.9:5070',
    ['sip:desk@10.0.0.9:5070 <sip:pbx@one.test>'],
  ],
  // Access control lists.
  [
    'eve@shut.test',
    'anna@one.test',
    '10.9.0.1',
    'REFUSED 403',
    'the access control list of shut.test denies 10.9.0.1 with 10.0.0.0/8',
  ],
  [
    'eve@shut.test',
    'anna@one.test',
    '10.0.0.77',
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} <sip:eve@shut.test>`],
  ],
  [
    'eve@shut.test',
    'anna@one.test',
    '::ffff:10.0.0.78',
    'REFUSED 403',
    'the access control list of shut.test denies ::ffff:10.0.0.78 with 10.0.0.0/8',
  ],
  [
    'eve@shut.test',
    'anna@one.test',
    '2001:db8::1',
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} <sip:eve@shut.test>`],
  ],
  [
    'ben@one.test',
    'eve@shut.test',
    '10.9.0.1',
    'REFUSED 403',
    'the access control list of shut.test denies 10.9.0.1 with 10.0.0.0/8',
  ],
  [
    'nobody@shut.test',
    'anna@one.test',
    '10.9.0.1',
    'REFUSED 403',
    'the access control list of shut.test denies 10.9.0.1 with 10.0.0.0/8',
  ],
  // To numbers, in any spelling.
  [
    'ben@one.test',
    '+49 (30) 100-1',
    undefined,
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} <sip:ben@one.test>`],
  ],
  [
    'ben@one.test',
    '0049301001',
    undefined,
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} <sip:ben@one.test>`],
  ],
  [
    'ben@one.test',
    '4930-100.1@one.test',
    undefined,
    'RINGS',
    'rings agent anna@one.test on 1 device',
    [`${ANNA} <sip:ben@one.test>`],
  ],
  ['ben@one.test', '+49301003', undefined, 'REFUSED 404', 'no agent or peer ghost in domain one.test'],
  [
    'eve@shut.test',
    '+49301009',
    undefined,
    'REFUSED 404',
    'shut.test has no route for this number and no egress policy, so calls do not leave',
  ],
  ['pbx@192.0.2.1', '+49301009', undefined, 'REFUSED 404', '192.0.2.1 is no domain, so calls do not leave'],
  // Out.
  [
    'ben@one.test',
    '+33 1 23',
    undefined,
    'LEAVES',
    'leaves through gateway Address at 198.51.100.7, which responds to OPTIONS',
    [`sip:+33123@${PROVIDER};transport=udp <sip:+49301001@${PROVIDER}>`],
  ],
  [
    'hid@one.test',
    '0033-123',
    undefined,
    'LEAVES',
    'leaves through gateway Address at 198.51.100.7, which responds to OPTIONS',
    [`sip:0033123@${PROVIDER};transport=udp ${ANONYMOUS} <sip:+49301001@${PROVIDER}>`],
  ],
  [
    'ben@one.test',
    '+44123',
    undefined,
    'REFUSED 404',
    'the egress policy of one.test does not send +44123 out: it does not match ^(00|[+])33[0-9]+$',
  ],
  [
    'carl@two.test',
    '911',
    undefined,
    'LEAVES',
    'leaves through gateway Named at sip.provider.test',
    ['sip:911@sip.provider.test:5070;transport=tcp <sip:+49301002@sip.provider.test:5070>'],
  ],
  [
    'carl@two.test',
    '*21#',
    undefined,
    'LEAVES',
    'leaves through gateway Named at sip.provider.test',
    ['sip:*21%23@sip.provider.test:5070;transport=tcp <sip:+49301002@sip.provider.test:5070>'],
  ],
  [
    'carl@two.test',
    'sip:9-1*1@two.test',
    undefined,
    'LEAVES',
    'leaves through gateway Named at sip.provider.test',
    ['sip:91*1@sip.provider.test:5070;transport=tcp <sip:+49301002@sip.provider.test:5070>'],
  ],
  // A provider might read a number in them.
  ...['+33/123', '+33 123', '+33ABC', '0033%2F123', '+0033123', '00033123'].map((number): Case => [
    'anna@one.test',
    `sip:${number}@one.test`,
    undefined,
    'REFUSED 404',
    /^the egress policy of one\.test does not send \S.* out: it is neither a number nor a name\. Dial only digits/,
  ]),
  // From outside.
  ['+33123', '+49301001', PROVIDER, 'RINGS', 'rings agent anna@one.test on 1 device', [ANNA]],
  ['anonymous', '0049301001', '203.0.113.9', 'RINGS', 'rings agent anna@one.test on 1 device', [ANNA]],
  [
    '+33123',
    '+49301001',
    '203.0.113.99',
    'REFUSED 407',
    '203.0.113.99 is no address of gateway Address, to which 49301001 belongs: the call is challenged',
  ],
  [
    '+33123',
    '+49301001',
    undefined,
    'REFUSED 407',
    'a call from outside comes from the address of a gateway; without one, it is challenged',
  ],
  [
    '+33123',
    '+4930999',
    PROVIDER,
    'REFUSED 407',
    `${PROVIDER} is no address of a gateway of the called number: the call is challenged`,
  ],
  ['+33123', '+49301004', '192.0.2.44', 'RINGS', 'rings agent anna@one.test on 1 device', [ANNA]],
  ['+33123', '+49301003', PROVIDER, 'REFUSED 404', 'no agent or peer ghost in domain one.test'],
  [
    'anna@one.test',
    '+49301001',
    PROVIDER,
    'REFUSED 403',
    'From is agent anna@one.test, as whom a provider may not call',
  ],
  [
    'x%40y@provider.test',
    '+49301001',
    PROVIDER,
    'REFUSED 403',
    'From has an escaped delimiter, and could be read as an agent',
  ],
  [
    '+33123',
    '+49301002',
    '203.0.113.77',
    'UNKNOWN',
    'the address of the host is not known here: whether 203.0.113.77 is one of sip.provider.test, the host of gateway Named. If not, the call is challenged',
    [ANNA],
  ],
  ['+33123', '+49301001', '203.0.113.200', 'RINGS', 'rings agent anna@one.test on 1 device', [ANNA]],
  // Digits of several numbers.
  [
    'ben@one.test',
    '4930200',
    undefined,
    'UNKNOWN',
    '2 numbers have the digits 4930200 and differ in destination: any may be called',
    [`${ANNA} <sip:ben@one.test>`],
  ],
];

onEachDatabase(
  'explainCall',
  (subject) => {
    beforeAll(async () => {
      const { app, url } = subject();
      const sources = ['203.0.113.0/28', '203.0.113.200'];
      const address = await createGateway(app, { name: 'Address', host: PROVIDER, sources });
      await measureGateway(url, address, { host: PROVIDER });
      const named = await createGateway(app, {
        name: 'Named',
        host: 'sip.provider.test',
        port: 5070,
        transport: 'TCP',
      });
      const credentials = { username: 'customer', secret: 'the secret of the customer' };
      const registered = await createGateway(app, { name: 'Registered', host: 'registrar.test', ...credentials });
      await registerGateway(url, registered, { host: 'registrar.test', ip: '192.0.2.44', secondsLeft: 3600 });
      const number = (telUrl: string, gatewayRef: string, user = 'anna'): Promise<string> =>
        createNumber(app, { telUrl, gatewayRef, aorLink: `sip:${user}@one.test` });
      const first = await number('tel:+49301001', address);
      const second = await number('tel:+49301002', named);
      await number('tel:+49301003', address, 'ghost');
      await number('tel:+49301004', registered);
      await number('tel:+49301234567', registered);
      await createDid(app, { telUrl: 'tel:+4930200', gatewayRef: address, aorLink: 'sip:anna@one.test' });
      await createDid(app, { telUrl: 'tel:+49-30-200', gatewayRef: address, aorLink: 'sip:ben@one.test' });
      await createDomain(app, {
        domainUri: 'one.test',
        egressPolicy: { rule: '^(00|[+])33[0-9]+$', numberRef: first },
      });
      await createDomain(app, { domainUri: 'two.test', egressPolicy: { rule: '^[0-9*#]+$', numberRef: second } });
      await createDomain(app, {
        domainUri: 'shut.test',
        accessControlList: { deny: ['10.0.0.0/8'], allow: ['10.0.0.77'] },
      });
      for (const [username, domain, privacy] of [
        ['anna', 'one.test', 'NONE'],
        ['ben', 'one.test', 'NONE'],
        ['hid', 'one.test', 'PRIVATE'],
        ['carl', 'two.test', 'NONE'],
        ['eve', 'shut.test', 'NONE'],
      ])
        await createAgent(app, { username, domains: [domain], privacy, secret: 'the secret of an agent' });
      await createPeer(app, { username: 'pbx' });
      await createPeer(app, { username: 'desk', contactAddr: '10.0.0.9:5070' });
      await registerContact(url, { username: 'anna', domain: 'one.test', contact: ANNA, secondsLeft: 3600 });
      await registerContact(url, {
        username: 'ben',
        domain: 'one.test',
        contact: 'sip:ben@10.0.0.2',
        secondsLeft: -60,
      });
    });

    const explain = async (from: string, to: string, source?: string): Promise<Explained> => {
      const { data, errors } = await subject().app.graphql<{ readonly explainCall: Explained }>(QUERY, {
        from,
        to,
        source,
      });
      if (errors) throw new Error(errors[0]?.message);
      return data.explainCall;
    };

    for (const [from, to, source, expected, summary, invites = []] of CASES)
      test(`of ${from} to ${to} from ${String(source)} is ${expected}`, async () => {
        const told = await explain(from, to, source);
        const { outcome, status, attempts, steps } = told;
        expect(status === null ? outcome : `${outcome} ${String(status)}`).toBe(expected);
        expect(told.summary).toEqual(typeof summary === 'string' ? summary : expect.stringMatching(summary));
        const sent = attempts.map(({ requestUri, from: shown, assertedIdentity }) =>
          [requestUri, shown, assertedIdentity].filter((part) => part !== null).join(' '),
        );
        expect(sent).toEqual(invites);
        // The first link that does not work is marked, and says why the call is refused.
        const works = ({ state }: Step): boolean => state === 'OK' || state === 'NOT_NEEDED';
        const broken = steps.findIndex((step) => !works(step));
        expect(steps.findIndex((step) => step.broken)).toBe(broken);
        expect(broken >= 0).toBe(outcome === 'REFUSED' || outcome === 'UNKNOWN');
        expect(JSON.stringify(told)).not.toContain('the secret of');
      });

    test('returns the decisions in typed steps, and the attempts, with their resources', async () => {
      const { data } = await subject().app.graphql(`{
        out: explainCall(from: "ben@one.test", to: "+33123", sourceAddress: "${OFFICE}") {
          steps {
            __typename
            ... on CallerStep { target { ... on Agent { username } } }
            ... on RouteStep { domain { domainUri } }
            ... on GatewayStep { gateway { name } registration { state } }
          }
          attempts { gateway { name health { state } } number { telUrl } health nextHop contact { uri } }
        }
        in: explainCall(from: "+33123", to: "+49301001", sourceAddress: "${PROVIDER}") {
          steps {
            __typename
            ... on SourceStep { gateway { name } }
            ... on NumberStep { number { ... on Number { telUrl } } }
            ... on TargetStep { target { ... on Agent { username } } }
            ... on ContactsStep { contacts { uri } }
          }
          attempts { gateway { name } number { telUrl } contact { uri } nextHop }
        }
      }`);
      expect(data).toEqual({
        out: {
          steps: [
            { __typename: 'CallerStep', target: { username: 'ben' } },
            { __typename: 'TargetStep' },
            { __typename: 'NumberStep' },
            { __typename: 'RouteStep', domain: { domainUri: 'one.test' } },
            { __typename: 'GatewayStep', gateway: { name: 'Address' }, registration: null },
          ],
          attempts: [
            {
              gateway: { name: 'Address', health: { state: 'UP' } },
              number: { telUrl: 'tel:+49301001' },
              health: 'UP',
              nextHop: `sip:${PROVIDER};transport=udp`,
              contact: null,
            },
          ],
        },
        in: {
          steps: [
            { __typename: 'SourceStep', gateway: { name: 'Address' } },
            { __typename: 'NumberStep', number: { telUrl: 'tel:+49301001' } },
            { __typename: 'AorStep' },
            { __typename: 'DomainStep' },
            { __typename: 'TargetStep', target: { username: 'anna' } },
            { __typename: 'ContactsStep', contacts: [{ uri: ANNA }] },
          ],
          attempts: [{ gateway: null, number: null, contact: { uri: ANNA }, nextHop: 'sip:10.0.0.1' }],
        },
      });
    });

    test('suggests the number that is meant in the home country', async () => {
      const german = await startApp({ DATABASE_URL: subject().url, HOME_COUNTRY: 'DE' });
      const { data } = await german.graphql<{ readonly explainCall: Explained }>(QUERY, {
        from: 'ben@one.test',
        to: '030 1234567',
      });
      await german.close();
      expect(data.explainCall).toMatchObject({ outcome: 'REFUSED', status: 404 });
      expect(data.explainCall.steps).toContainEqual({
        __typename: 'NumberStep',
        state: 'NOT_NEEDED',
        summary: 'no DID or Number 0301234567; did you mean tel:+49301234567?',
        suggestion: 'tel:+49301234567',
        broken: false,
      });
    });

    test('takes a bounded number of statements', async () => {
      const { app } = subject();
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const costs = [];
      for (const [from, to, source] of CASES) {
        const before = await sent();
        await explain(from, to, source);
        // Without the two for the users of the tokens.
        costs.push((await sent()) - before - 2);
      }
      // Three of them read limits of calls.
      expect(Math.max(...costs)).toBeLessThanOrEqual(18);
    });

    test.each([
      ['', 'anna', null, 'from: "" is not a number, a user name or an address of record such as 1001@sip.local'],
      [
        'ben@one.test',
        ' ',
        null,
        'to: " " is not a number, a user name or an address of record such as 1001@sip.local',
      ],
      ['ben@one.test', 'x'.repeat(400), null, /^to: "x+\.\.\. is not a number/],
      ['ben@-', 'anna', null, /^from: "ben@-" is not/],
      ['ben@one.test', 'anna', 'office', 'sourceAddress: "office" is not an IP address'],
      ['ben@one.test', 'anna', 'fe80::1%eth0', 'sourceAddress: "fe80::1%eth0" is not an IP address'],
    ])('of %j to %j from %j names what is wrong', async (from, to, source, message) => {
      const { errors } = await subject().app.graphql(QUERY, { from, to, source });
      expect(errors).toHaveLength(1);
      expect(errors?.[0]?.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    });

    test('requires a token', async () => {
      const { errors } = await subject().app.graphql(QUERY, { from: 'a', to: 'b' }, { token: null });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    });
  },
  COUNTING,
);
