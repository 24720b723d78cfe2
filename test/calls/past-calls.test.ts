import { globalId } from '../../src/model/global-id';
import { actionsOn } from '../support/browser/actions';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
  createUser,
} from '../support/factories';
import { runCommand } from '../support/command-line';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql, storeCall, storeRegistrar, storeRegistrationEvent } from '../support/databases/sql';

interface Past {
  readonly outcome: string;
  readonly status: number | null;
  readonly summary: string;
  readonly at: string | null;
  readonly unknown: readonly string[];
  readonly steps: readonly { readonly broken: boolean; readonly summary: string }[];
  readonly attempts: readonly {
    readonly requestUri: string;
    readonly health: string | null;
    readonly contact: object | null;
  }[];
  readonly change: { readonly event: string; readonly kind: string; readonly ref: string } | null;
  readonly event: { readonly event: string } | null;
}

const MINUTE = 60_000;
const START = Date.now() - 60 * MINUTE;
/** The end of a period that lasts. The server would end one without an end, because no check continues it. */
const END = Date.now() + 60 * MINUTE;
const PHONE = '10.0.0.5';
const FIELDS = `outcome status summary at unknown
  steps { __typename broken state summary ... on CallerStep { target { __typename } } ... on RouteStep { route { ref } } }
  attempts { requestUri health contact { uri } gateway { name } } change { entry event kind ref who { username } request } event { event }`;

/** Two users of a domain, who call through a gateway, and a number of theirs. */
interface Line {
  readonly host: string;
  readonly caller: string;
  readonly called: string;
  readonly tel: string;
  readonly provider: string;
  readonly domainRef: string;
  readonly callerRef: string;
  readonly calledRef: string;
  readonly gatewayRef: string;
  readonly numberRef: string;
  readonly routeRef: string;
}

/** Who calls whom from where. */
type Asked = readonly [from: string, to: string, source?: string];

interface History {
  readonly asks: (line: Line) => Asked;
  /** What became of the call before anything broke. */
  readonly before?: string;
  /** And afterwards. */
  readonly then: string;
  readonly change: readonly [event: string, kind: string] | null;
  readonly event?: string;
  readonly says: RegExp;
  readonly breaks: (line: Line) => Promise<unknown>;
}

let count = 0;

onEachDatabase('What became of a call at an earlier time', (subject) => {
  // Who breaks what the admin made.
  let ana: string;
  let actor: string | undefined;

  beforeAll(async () => {
    await storeRegistrar(subject().url, START);
    ana = (await createUser(subject().app, 'OPERATOR', 'ana')).token;
  });

  const { act, input, moment } = actionsOn(subject, () => actor);

  const ask = async ([from, to, sourceAddress]: Asked, at: number | string, token?: string): Promise<Past> => {
    const { data, errors } = await subject().app.graphql<{ explainCall: Past }>(
      `query ($from: String!, $to: String!, $sourceAddress: String, $at: DateTimeISO) {
        explainCall(from: $from, to: $to, sourceAddress: $sourceAddress, at: $at) { ${FIELDS} } }`,
      { from, to, sourceAddress, at: typeof at === 'number' ? new Date(at).toISOString() : at },
      { token },
    );
    if (errors) throw new Error(errors.map(({ message }) => message).join());
    return data.explainCall;
  };
  const line = async (): Promise<Line> => {
    const { app, url } = subject();
    const n = String(++count).padStart(3, '0');
    const [host, caller, called, tel] = [`host${n}.test`, `caller${n}`, `called${n}`, `+4930800${n}`];
    const provider = `198.51.100.${String(count)}`;
    const gatewayRef = await createGateway(app, { name: `Gateway ${n}`, host: provider });
    const numberRef = await createNumber(app, { telUrl: `tel:${tel}`, aorLink: `sip:${called}@${host}`, gatewayRef });
    const domainRef = await createDomain(app, {
      domainUri: host,
      egressPolicy: { rule: '^\\+33', numberRef },
    });
    const routeRef = await createRoute(app, { domainRef, prefix: '+49', numberRefs: [numberRef] });
    const callerRef = await createAgent(app, { username: caller, domains: [host] });
    const calledRef = await createAgent(app, { username: called, domains: [host] });
    const phone = { host: '192.0.2.9', port: 5070, devices: 1 };
    await storeRegistrationEvent(url, { of: `${called}@${host}`, at: START + MINUTE, ...phone });
    return { host, caller, called, tel, provider, domainRef, callerRef, calledRef, gatewayRef, numberRef, routeRef };
  };
  const event = (of: string, values: object): Promise<void> =>
    storeRegistrationEvent(subject().url, { of, at: Date.now(), ...values });
  const inside = ({ caller, called, host }: Line): Asked => [`${caller}@${host}`, called, PHONE];
  const fromOutside = ({ tel, provider }: Line): Asked => ['+33123456789', tel, provider];
  const toOutside = ({ caller, host }: Line): Asked => [`${caller}@${host}`, '+4940123', PHONE];
  const overLimitOf = (kind: 'Agent' | 'Domain', then: string) =>
    ({
      asks: toOutside,
      before: 'LEAVES',
      then,
      change: ['UPDATED', kind],
      says: new RegExp(
        `^would be refused: limit of ${kind.toLowerCase()} .* reached \\(then 1 of 1\\); .*maxCalls from nothing to 1 was changed`,
      ),
    }) as const;
  const overLimitOfDomain = overLimitOf('Domain', 'REFUSED 503');
  const overLimitOfAgent = overLimitOf('Agent', 'REFUSED 486');
  const toFrance = ({ caller, host }: Line): Asked => [`${caller}@${host}`, '+33123', PHONE];
  const toOwn = ({ caller, host, tel }: Line): Asked => [`${caller}@${host}`, tel, PHONE];

  const HISTORIES: readonly (readonly [string, History])[] = [
    ['nothing', { asks: inside, then: 'RINGS', change: null, says: /^rings agent/, breaks: () => Promise.resolve() }],
    [
      'the called agent was deleted',
      {
        asks: inside,
        then: 'REFUSED 404',
        change: ['DELETED', 'Agent'],
        says: /^no agent or peer called\d+ in domain host.*; Agent .* was deleted by ana on .*Z \(request .*\)$/,
        breaks: ({ calledRef }) => act(`deleteAgent(ref: "${calledRef}")`),
      },
    ],
    [
      'the called agent was renamed',
      {
        asks: inside,
        then: 'REFUSED 404',
        change: ['UPDATED', 'Agent'],
        says: /username from called\d+ to other\d+ was changed by ana/,
        breaks: ({ calledRef, called }) =>
          input('Agent', calledRef, `username: "${called.replace('called', 'other')}"`),
      },
    ],
    [
      'the calling agent was disabled',
      {
        asks: inside,
        then: 'REFUSED 407',
        change: ['UPDATED', 'Agent'],
        says: /^agent caller\d+@.* is disabled: the call is challenged; .*enabled from nothing to false was changed/,
        breaks: ({ callerRef }) => input('Agent', callerRef, 'enabled: false'),
      },
    ],
    [
      'the calling agent was moved to another domain',
      {
        asks: inside,
        then: 'REFUSED 407',
        change: ['UPDATED', 'Agent'],
        says: /^agent caller\d+ is in domain other\d+\.test, not in .*domains from .* was changed by ana/,
        breaks: async ({ callerRef, host }) => {
          const domainUri = host.replace('host', 'other');
          await createDomain(subject().app, { domainUri });
          await input('Agent', callerRef, `domains: ["${domainUri}"]`);
        },
      },
    ],
    [
      'the domain was disabled',
      {
        asks: inside,
        then: 'REFUSED 407',
        change: ['UPDATED', 'Domain'],
        says: /^domain host\d+\.test is disabled: the call is challenged; .*enabled from nothing to false/,
        breaks: ({ domainRef }) => input('Domain', domainRef, 'enabled: false'),
      },
    ],
    [
      'the access control list denied the phone',
      {
        asks: inside,
        then: 'REFUSED 403',
        change: ['UPDATED', 'Domain'],
        says: /^the access control list of host\d+\.test denies 10\.0\.0\.5 with 10\.0\.0\.0\/8; .*accessControlList\.deny from nothing/,
        breaks: ({ domainRef }) => input('Domain', domainRef, 'accessControlList: { deny: ["10.0.0.0/8"] }'),
      },
    ],
    [
      'the called device expired',
      {
        asks: inside,
        then: 'REFUSED 480',
        change: null,
        event: 'EXPIRED',
        says: /^the registration of agent called\d+@.* expired on .*; the last registration expired on/,
        breaks: ({ called, host }) => event(`${called}@${host}`, { event: 'EXPIRED', devices: 0 }),
      },
    ],
    [
      'the secret of the called agent was changed, and its device refused',
      {
        asks: inside,
        then: 'REFUSED 480',
        change: ['UPDATED', 'Agent'],
        event: 'REFUSED',
        says: /\(401 Wrong secret\); Agent .*: secret was changed by ana/,
        breaks: async ({ calledRef, called, host }) => {
          await input('Agent', calledRef, 'secret: "another secret"');
          await event(`${called}@${host}`, { event: 'EXPIRED', devices: 0 });
          await event(`${called}@${host}`, { event: 'REFUSED', status: 401, reason: 'Wrong secret' });
        },
      },
    ],
    [
      'the called number was disabled',
      {
        asks: fromOutside,
        then: 'REFUSED 480',
        change: ['UPDATED', 'Number'],
        says: /^Number tel:\+4930800\d+ is disabled.*enabled from nothing to false was changed by ana/,
        breaks: ({ numberRef }) => input('Number', numberRef, 'enabled: false'),
      },
    ],
    [
      'the host of the gateway was changed, so that its provider was a stranger',
      {
        asks: fromOutside,
        then: 'REFUSED 407',
        change: ['UPDATED', 'Gateway'],
        says: /is no address of gateway Gateway \d+, to which 4930800\d+ belongs.*host from 198\.51\.100\.\d+ to 203\.0\.113\.1 was/,
        breaks: ({ gatewayRef }) => input('Gateway', gatewayRef, 'host: "203.0.113.1"'),
      },
    ],
    [
      'the number was moved to another gateway, from which it was not called',
      {
        asks: fromOutside,
        then: 'REFUSED 407',
        change: ['UPDATED', 'Number'],
        says: /is no address of gateway moved.*gatewayRef from .* was changed by ana/,
        breaks: async ({ numberRef }) => {
          const gatewayRef = await createGateway(subject().app, { name: 'moved', host: '203.0.113.2' });
          await input('Number', numberRef, `gatewayRef: "${gatewayRef}"`);
        },
      },
    ],
    [
      'the gateway was disabled',
      {
        asks: fromOutside,
        then: 'REFUSED 503',
        change: ['UPDATED', 'Gateway'],
        says: /^gateway Gateway \d+ is disabled.*enabled from nothing to false was changed by ana/,
        breaks: ({ gatewayRef }) => input('Gateway', gatewayRef, 'enabled: false'),
      },
    ],
    [
      'the first target was deleted, but a further one rang',
      {
        asks: fromOutside,
        then: 'RINGS',
        change: null,
        says: /^rings agent caller\d+/,
        breaks: async ({ numberRef, calledRef, caller, host }) => {
          await event(`${caller}@${host}`, { event: 'REGISTERED', devices: 1 });
          await input('Number', numberRef, `furtherTargets: ["sip:${caller}@${host} after 5"]`);
          await act(`deleteAgent(ref: "${calledRef}")`);
        },
      },
    ],
    [
      'the number was deleted',
      {
        asks: toOwn,
        then: 'LEAVES',
        change: null,
        says: /^leaves through gateway/,
        breaks: async ({ numberRef, domainRef, routeRef, gatewayRef }) => {
          const { app } = subject();
          const other = await createNumber(app, { gatewayRef });
          await input('Domain', domainRef, `egressPolicy: { rule: "x", numberRef: "${other}" }`);
          await input('Route', routeRef, `numberRefs: ["${other}"]`);
          await act(`deleteNumber(ref: "${numberRef}")`);
        },
      },
    ],
    [
      'the route was deleted',
      {
        asks: toOutside,
        before: 'LEAVES',
        then: 'REFUSED 404',
        change: ['DELETED', 'Route'],
        says: /^the egress policy of host\d+\.test does not send \+4940123 out.*; Route .* was deleted by ana/,
        breaks: ({ routeRef }) => act(`deleteRoute(ref: "${routeRef}")`),
      },
    ],
    [
      'the route was deleted, and the name of the caller given to another agent since',
      {
        asks: toOutside,
        before: 'LEAVES',
        then: 'REFUSED 404',
        change: ['DELETED', 'Route'],
        says: /; Route .* was deleted by ana/,
        breaks: async ({ routeRef, callerRef, caller, host }) => {
          await act(`deleteRoute(ref: "${routeRef}")`);
          await input('Agent', callerRef, `username: "former-${caller}"`);
          await createAgent(subject().app, { username: caller, domains: [host] });
        },
      },
    ],
    [
      'the prefix of the route was changed',
      {
        asks: toOutside,
        before: 'LEAVES',
        then: 'REFUSED 404',
        change: ['UPDATED', 'Route'],
        says: /prefix from \+49 to \+48 was changed by ana/,
        breaks: ({ routeRef }) => input('Route', routeRef, 'prefix: "+48"'),
      },
    ],
    [
      'the egress policy was changed',
      {
        asks: toFrance,
        before: 'LEAVES',
        then: 'REFUSED 404',
        change: ['UPDATED', 'Domain'],
        says: /does not send \+33123 out: it does not match \^\\\+34; .*egressPolicy\.rule from \^\\\+33 to \^\\\+34 was changed/,
        breaks: ({ domainRef, numberRef }) =>
          input('Domain', domainRef, `egressPolicy: { rule: "^\\\\+34", numberRef: "${numberRef}" }`),
      },
    ],
    [
      'the emergency route was deleted',
      {
        asks: ({ caller, host }) => [`${caller}@${host}`, '112', PHONE],
        before: 'REFUSED 404',
        then: 'REFUSED 404',
        change: ['DELETED', 'Route'],
        says: /; Route Emergency was deleted by ana/,
        breaks: async ({ domainRef, numberRef }) => {
          const numberRefs = [numberRef];
          const urgent = { name: 'Emergency', domainRef, numberRefs, prefix: '112', emergency: true };
          const ref = await createRoute(subject().app, urgent);
          await act(`deleteRoute(ref: "${ref}")`);
        },
      },
    ],
    [
      'the gateway of the route was draining',
      {
        asks: toOutside,
        before: 'LEAVES',
        then: 'REFUSED 503',
        change: ['UPDATED', 'Gateway'],
        says: /^gateway Gateway \d+ is draining: .*draining from nothing to true was changed by ana/,
        breaks: ({ gatewayRef }) => input('Gateway', gatewayRef, 'draining: true'),
      },
    ],
    [
      'the limit of the calling agent was lowered, and a call of it in progress',
      {
        ...overLimitOfAgent,
        breaks: async ({ callerRef }) => {
          await input('Agent', callerRef, 'maxCalls: 1');
          const begun = Date.now() - MINUTE;
          await storeCall(subject().url, { begun, state: 3, caller: `agent:${callerRef}` });
        },
      },
    ],
    [
      'the limit of the calling agent was lowered, and then its calls a second, which are not considered',
      {
        ...overLimitOfAgent,
        breaks: async ({ callerRef }) => {
          await input('Agent', callerRef, 'maxCalls: 1');
          await input('Agent', callerRef, 'maxCallsPerSecond: 5');
          const begun = Date.now() - MINUTE;
          await storeCall(subject().url, { begun, state: 3, caller: `agent:${callerRef}` });
        },
      },
    ],
    [
      'the limit of the domain was lowered, and a call of it in progress for hours, whose From was anonymous',
      {
        ...overLimitOfDomain,
        breaks: async ({ domainRef, callerRef }) => {
          await input('Domain', domainRef, 'maxCalls: 1');
          const of = { caller: `agent:${callerRef}`, domain_ref: domainRef };
          const from_uri = 'sip:anonymous@anonymous.invalid';
          await storeCall(subject().url, { begun: Date.now() - 600 * MINUTE, state: 3, ...of, from_uri });
        },
      },
    ],
    [
      'the limit of the domain was lowered, and a call from outside in progress, which it sent to an outside number',
      {
        ...overLimitOfDomain,
        breaks: async ({ domainRef, host }) => {
          await input('Domain', domainRef, 'maxCalls: 1');
          const [begun, answered] = [Date.now() - 10 * MINUTE, Date.now() - 9 * MINUTE];
          // After it was answered, it ended.
          const attempts = JSON.stringify({ 0: ['other', null, begun, answered, 200, 'OK', null] });
          const of = { direction: 'IN', called: `sip:nobody@${host}`, domain_ref: domainRef, gateway_ref: 'other' };
          const ended = Date.now() + 600 * MINUTE;
          await storeCall(subject().url, { begun, answered, ended, state: 6, ...of, attempts });
        },
      },
    ],
    [
      'the limit of the domain was lowered, and a call from another domain in progress that counts for it, which a peer answered',
      {
        ...overLimitOfDomain,
        breaks: async ({ domainRef, host }) => {
          await input('Domain', domainRef, 'maxCalls: 1');
          const of = { caller: 'agent:other', domain_ref: 'other', called: `sip:nobody@${host}`, callee: 'peer:other' };
          await storeCall(subject().url, {
            begun: Date.now() - MINUTE,
            state: 3,
            ...of,
            domains: `other,${domainRef}`,
          });
        },
      },
    ],
    [
      'the limit of the domain was lowered, and an agent of it had answered a call that counts for no domain',
      {
        asks: toOutside,
        before: 'LEAVES',
        then: 'LEAVES',
        change: null,
        says: /^leaves through gateway/,
        breaks: async ({ domainRef, callerRef, host }) => {
          await input('Domain', domainRef, 'maxCalls: 1');
          const of = {
            direction: 'IN',
            called: `sip:nobody@${host}`,
            domain_ref: domainRef,
            callee: `agent:${callerRef}`,
          };
          await storeCall(subject().url, { begun: Date.now() - MINUTE, state: 3, ...of, domains: '-' });
        },
      },
    ],
    [
      'the limit of the domain was lowered, and its outside number had not answered a call from outside',
      {
        asks: toOutside,
        before: 'LEAVES',
        then: 'LEAVES',
        change: null,
        says: /^leaves through gateway/,
        breaks: async ({ domainRef, host }) => {
          await input('Domain', domainRef, 'maxCalls: 1');
          const [begun, busy] = [Date.now() - 10 * MINUTE, Date.now() - 9 * MINUTE];
          const attempts = JSON.stringify({ 0: ['other', null, begun, busy, 486, 'Busy Here', null] });
          const of = { direction: 'IN', called: `sip:nobody@${host}`, domain_ref: domainRef, gateway_ref: 'other' };
          await storeCall(subject().url, { begun, ended: Date.now() + 600 * MINUTE, state: 5, ...of, attempts });
        },
      },
    ],
    [
      'the limit of the domain was lowered, and calls of it had ended',
      {
        asks: toOutside,
        before: 'LEAVES',
        then: 'LEAVES',
        change: null,
        says: /^leaves through gateway/,
        breaks: async ({ domainRef, caller, callerRef, host }) => {
          await input('Domain', domainRef, 'maxCalls: 1');
          const from_uri = `sip:${caller}@${host}`;
          const begun = Date.now() - MINUTE;
          await storeCall(subject().url, { begun, ended: begun + 1, caller: `agent:${callerRef}`, from_uri });
        },
      },
    ],
    [
      'the sources of the calling peer were changed',
      {
        asks: ({ host }) => [`pbx@${host}`, host.replace('host', 'called').replace('.test', ''), '192.0.2.1'],
        before: 'REFUSED 407',
        then: 'REFUSED 407',
        change: ['UPDATED', 'Peer'],
        says: /sources from \["192\.0\.2\.0\/24"\] to \["192\.0\.3\.0\/24"\] was changed by ana/,
        breaks: async ({ host }) => {
          const username = host.replace('host', 'sourced').replace('.test', '');
          const ref = await createPeer(subject().app, { username, sources: ['192.0.2.0/24'] });
          await input('Peer', ref, 'sources: ["192.0.3.0/24"]');
        },
      },
    ],
  ];

  test.each(HISTORIES)('is explained afterwards: %s', async (_name, history) => {
    const its = await line();
    const asked = history.asks(its);
    const before = await moment();
    actor = ana;
    await history.breaks(its).finally(() => (actor = undefined));
    const then = await moment();
    // What happens later changes nothing about it.
    const { calledRef, called, callerRef, domainRef, host, gatewayRef, provider } = its;
    await input('Domain', domainRef, `domainUri: "renamed-${host}", accessControlList: null, enabled: true`);
    await subject().app.graphql(`mutation { deleteAgent(ref: "${calledRef}") }`);
    await act(`deleteAgent(ref: "${callerRef}")`);
    const elsewhere = provider.replace('198.51.100', '203.0.114');
    await input('Gateway', gatewayRef, `name: "Renamed", host: "${elsewhere}", enabled: true, draining: false`);
    await createDid(subject().app, { telUrl: `tel:${its.tel}`, aorLink: 'sip:later@later.test', gatewayRef });
    await event(`${called}@${host}`, { event: 'REGISTERED', devices: 1 });

    expect(outcomeOf(await ask(asked, before))).toBe(history.before ?? 'RINGS');
    const past = await ask(asked, then);
    expect({ ...past, outcome: outcomeOf(past) }).toMatchObject({
      outcome: history.then,
      at: new Date(then).toISOString(),
      change: history.change && { event: history.change[0], kind: history.change[1], who: { username: 'ana' } },
      event: history.event === undefined ? null : { event: history.event },
      unknown: [],
    });
    expect(past.summary).toMatch(history.says);
    expect(past.steps.filter(({ broken }) => broken)).toHaveLength(history.then.startsWith('REFUSED') ? 1 : 0);
  });

  test('goes to the destinations that responded then, and says of which ones that is not known', async () => {
    const { url } = subject();
    const its = await line();
    const [first, second] = ['203.0.113.7', '203.0.113.8'];
    await input('Gateway', its.gatewayRef, `destinations: [{ host: "${first}" }, { host: "${second}", port: 5080 }]`);
    const away = await moment();
    const back = await moment();
    for (const [isHost, host, state, since, until] of [
      [1, its.provider, 'DOWN', START, back],
      [1, its.provider, 'UP', back, END],
      [0, first, 'UP', START, END],
    ] as const)
      await runSql(
        url,
        `INSERT INTO health_states (gw_ref, is_host, host, port, transport, state, since_on, until_on)
         VALUES (?, ?, ?, 0, 'udp', ?, ?, ?)`,
        [its.gatewayRef, isHost, host, state, since, until],
      );
    const explained = async (at: number) => {
      const { attempts, unknown } = await ask(toOutside(its), at);
      const tried = attempts.map(
        ({ requestUri, health }) => `${/@([^;:]*)/.exec(requestUri)?.[1] ?? ''} ${String(health)}`,
      );
      return { tried, unknown };
    };
    const name = `Gateway ${String(count).padStart(3, '0')}`;
    const unknown = [
      `whether the destination ${second} of gateway ${name} responded is not known: it was not observed then`,
    ];
    expect(await explained(away)).toEqual({
      tried: [`${first} UP`, `${second} UNKNOWN`, `${its.provider} DOWN`],
      unknown,
    });
    expect(await explained(back)).toEqual({
      tried: [`${its.provider} UP`, `${first} UP`, `${second} UNKNOWN`],
      unknown,
    });
  });

  test('shows where devices were to operators only', async () => {
    const its = await line();
    const at = await moment();
    const { token } = await createUser(subject().app, 'VIEWER');
    const [shown, hidden] = [await ask(inside(its), at), await ask(inside(its), at, token)];
    expect(shown.attempts).toMatchObject([{ requestUri: `sip:${its.called}@192.0.2.9:5070`, contact: null }]);
    expect(hidden.attempts).toMatchObject([{ requestUri: `sip:${its.called}@${its.host}`, contact: null }]);
    expect(JSON.stringify(hidden)).not.toContain('192.0.2.9');
  });
});

onEachDatabase(
  'The statements of an explanation of the past',
  (subject) => {
    test('do not depend on how many resources have, or had, the names of the call', async () => {
      const { app } = subject();
      const { act } = actionsOn(subject);
      await createDomain(app, { domainUri: 'one.test' });
      await createAgent(app, { username: 'anna', domains: ['one.test'] });
      await createAgent(app, { username: 'ben', domains: ['one.test'] });
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const cost = async (at: string): Promise<number> => {
        const before = await sent();
        const { data, errors } = await app.graphql<{ explainCall: { outcome: string } }>(
          `{ explainCall(from: "anna@one.test", to: "ben", at: "${at}") { outcome summary } }`,
        );
        if (errors) throw new Error(JSON.stringify(errors));
        expect(data.explainCall.outcome).toBe('UNKNOWN');
        return (await sent()) - before;
      };
      const at = new Date().toISOString();
      await cost(at);
      const few = await cost(at);
      for (let n = 0; n < 8; n++) {
        const ref = await createAgent(app, { username: 'ben' });
        if (n % 2 === 0) await act(`deleteAgent(ref: "${ref}")`);
      }
      const later = new Date().toISOString();
      await cost(later);
      // Domains of the others are among what is read, in as many statements.
      expect(await cost(later)).toBeLessThanOrEqual(few + 3);
      expect(few).toBeLessThan(60);
    });
  },
  { ...COUNTING, LIVE_DAYS: '0' },
);

function outcomeOf({ outcome, status }: Past): string {
  return status === null ? outcome : `${outcome} ${String(status)}`;
}

onEachDatabase(
  'What became of a call on record',
  (subject) => {
    beforeAll(() => storeRegistrar(subject().url, START));

    const { act, input, moment } = actionsOn(subject);

    const explain = async (rowId: number, token?: string): Promise<Past> => {
      const { data, errors } = await subject().app.graphql<{ explainCall: Past }>(
        `query ($call: ID!) { explainCall(call: $call) { ${FIELDS} } }`,
        { call: globalId('Call', String(rowId)) },
        { token },
      );
      if (errors) throw new Error(errors.map(({ message }) => message).join());
      return data.explainCall;
    };
    /** A call of an agent to Berlin, with its attempts: gateway, status and reason. */
    const record = async (
      { callerRef, caller, host }: Pick<Out, 'callerRef' | 'caller' | 'host'>,
      attempts: readonly (readonly [
        gateway: string,
        status: number | null,
        reason: string | null,
        header?: string | null,
      ])[],
      columns: Readonly<Record<string, string | number | null>> = {},
    ): Promise<number> => {
      const begun = await moment();
      const made = attempts.map(([gateway, status, reason, header = null]) => [
        gateway,
        'sip:198.51.100.9:5060',
        begun,
        begun + 5,
        status,
        reason,
        header,
      ]);
      return storeCall(subject().url, {
        ...{ begun, ended: begun + 10, state: 5, status: 503, reason: 'Service Unavailable', direction: 'OUT' },
        ...{ from_uri: `sip:${caller}@${host}`, to_uri: `sip:+4930123@${host}`, called: '+4930123', source: PHONE },
        ...{ caller: `agent:${callerRef}`, gateway_ref: attempts.at(-1)?.[0] ?? null },
        attempts: JSON.stringify(Object.fromEntries(made.map((each, n) => [String(n + 1), each]))),
        ...columns,
      });
    };
    interface Out {
      readonly n: string;
      readonly caller: string;
      readonly host: string;
      readonly callerRef: string;
      readonly domainRef: string;
      readonly gateways: readonly string[];
    }
    const out = async (): Promise<Out> => {
      const { app } = subject();
      const n = String(++count).padStart(3, '0');
      const [caller, host] = [`caller${n}`, `out${n}.test`];
      const gateways = [
        await createGateway(app, { name: `First ${n}`, host: `198.51.101.${String(count)}` }),
        await createGateway(app, { name: `Second ${n}`, host: `198.51.102.${String(count)}` }),
      ];
      const numbers = [];
      for (const gatewayRef of gateways) numbers.push(await createNumber(app, { gatewayRef }));
      const domainRef = await createDomain(app, { domainUri: host });
      await createRoute(app, { domainRef, prefix: '+49', numberRefs: numbers });
      const callerRef = await createAgent(app, { username: caller, domains: [host] });
      return { n, caller, host, callerRef, domainRef, gateways };
    };

    test('is explained by the attempts if all of them failed', async () => {
      const its = await out();
      const [first = '', second = ''] = its.gateways;
      const call = await record(its, [
        [first, 408, null],
        [second, 503, 'Congestion'],
      ]);
      const { outcome, summary, change } = await explain(call);
      expect({ outcome, change }).toEqual({ outcome: 'LEAVES', change: null });
      expect(summary).toMatch(
        /^all 2 attempts failed: gateway First \d+ did not respond, gateway Second \d+ answered 503 Congestion; the call ended with 503 Service Unavailable$/,
      );
    });

    test('is explained by the change of a gateway after its last call that was answered', async () => {
      const its = await out();
      const [first = ''] = its.gateways;
      await input('Gateway', first, 'technicalPrefix: "9"');
      await record(its, [[first, 200, 'OK']], { state: 6, status: null, reason: null, answered: Date.now() });
      await input('Gateway', first, 'numberFormat: "DE"');
      await input('Gateway', first, 'note: "only shown"');
      const call = await record(its, [[first, 484, 'Address Incomplete']], {
        status: 484,
        reason: 'Address Incomplete',
      });
      await input('Gateway', first, 'numberFormat: "E164"');
      const { summary, change } = await explain(call);
      expect(summary).toMatch(
        /^the only attempt failed: gateway First \d+ answered 484 Address Incomplete; .*numberFormat from nothing to DE was changed by admin/,
      );
      expect(change).toMatchObject({ event: 'UPDATED', kind: 'Gateway', ref: first });
    });

    test('is explained by a provider that was down then, as its checks had found', async () => {
      const its = await out();
      const [first = '', second = ''] = its.gateways;
      for (const gateway of its.gateways)
        await runSql(
          subject().url,
          `INSERT INTO health_states (gw_ref, is_host, host, port, transport, state, since_on, until_on)
           SELECT ref, 1, host, 0, 'udp', 'DOWN', ?, ? FROM gateways WHERE ref = ?`,
          [START, END, gateway],
        );
      const call = await record(its, [
        [first, 408, null],
        [second, null, null],
      ]);
      const { summary, attempts, change } = await explain(call);
      expect(summary).toMatch(
        /^all 2 attempts failed: gateway First \d+ did not respond, gateway Second \d+ could not be reached; the call ended/,
      );
      expect({ health: attempts.map(({ health }) => health), change }).toEqual({
        health: ['DOWN', 'DOWN'],
        change: null,
      });
    });

    test.each<[string, string, readonly [status: number, reason: string, header: string | null], string]>([
      [
        'in the format of another country',
        'numberFormat: "FR"',
        [484, 'Address Incomplete', null],
        '004930123, in the format FR',
      ],
      ['as its own country dials it', 'numberFormat: "DE"', [404, 'Not Found', null], '030123, in the format DE'],
      [
        'with a + that it does not know',
        'numberFormat: "E164"',
        [604, 'Nowhere', null],
        '+4930123, in the format E164',
      ],
      [
        'after a prefix that it does not know',
        'technicalPrefix: "99"',
        [500, 'Failure', 'Q.850;cause=28;text="Invalid number format"'],
        '99+4930123, in the format E164',
      ],
      ['although nobody has it', 'note: "x"', [500, 'Failure', 'Q.850 ;cause=1'], '+4930123, in the format E164'],
    ])(
      'is explained by the number that the provider was sent: %s',
      async (_name, change, [status, reason, header], sent) => {
        const its = await out();
        const [first = '', second = ''] = its.gateways;
        await input('Gateway', second, change);
        const busy = [first, 503, 'Busy'] as const;
        const call = await record(its, [busy, [second, status, reason, header]], {
          called: '+4930123',
          status,
          reason,
        });
        const { summary } = await explain(call);
        expect(summary).toContain(
          `gateway First ${its.n} answered 503 Busy, gateway Second ${its.n} answered ${String(status)} ${reason}; gateway Second ${its.n} was sent the number ${sent}; the call ended with`,
        );
      },
    );

    test('is explained by the number on record, if by what was configured another one would have been sent', async () => {
      const its = await out();
      const [first = ''] = its.gateways;
      const call = await record(its, [[first, 484, 'Address Incomplete']], { called: '030123', status: 484 });
      expect((await explain(call)).summary).toMatch(
        /First \d+ was sent the number 030123, in the format E164; the call/,
      );
    });

    test('is explained by what was then, although it works now', async () => {
      const its = await out();
      await input('Agent', its.callerRef, 'enabled: false');
      const call = await record(its, [], { status: 407, reason: 'Proxy Authentication Required', gateway_ref: null });
      await input('Agent', its.callerRef, 'enabled: true');
      const past = await explain(call);
      expect(outcomeOf(past)).toBe('REFUSED 407');
      expect(past.summary).toMatch(
        /is disabled: the call is challenged; .*enabled from nothing to false was changed by/,
      );
      expect(past.change).toMatchObject({ kind: 'Agent', ref: its.callerRef, request: expect.any(String) as string });
    });

    test('does not count itself against a limit', async () => {
      const its = await out();
      await input('Agent', its.callerRef, 'maxCalls: 1');
      const call = await record(its, [], { state: 3, ended: null, status: null });
      expect((await explain(call)).outcome).toBe('LEAVES');
      const second = await record(its, [], { status: 486, reason: 'Too Many Calls of Agent', gateway_ref: null });
      expect(await explain(second)).toMatchObject({ outcome: 'REFUSED', status: 486, change: { kind: 'Agent' } });
    });

    test('is printed by `call --explain`, and one of an earlier time by `explain --from --at`', async () => {
      const its = await out();
      const [first = ''] = its.gateways;
      const call = await record(its, [[first, 503, 'Busy']]);
      const env = { DATABASE_URL: subject().url };
      const printed = await runCommand(env, 'call', globalId('Call', String(call)), '--explain');
      expect(printed.out).toMatch(/LEAVES: the only attempt failed: gateway First \d+ answered 503 Busy/);
      const from = `${its.caller}@${its.host}`;
      const at = new Date(await moment()).toISOString();
      const { out: json } = await runCommand(env, 'explain', '+4930123', '--from', from, '--at', at, '--json');
      expect(JSON.parse(json)).toMatchObject({ outcome: 'LEAVES', at, entry: null, event: null, unknown: [] });
    });

    test('is hidden from viewers while numbers are', async () => {
      const its = await out();
      const call = await record(its, []);
      const { token } = await createUser(subject().app, 'VIEWER');
      await expect(explain(call, token)).rejects.toThrow(
        'call: viewers cannot have calls explained while CALLS_PRIVACY is on',
      );
      await act(`deleteAgent(ref: "${its.callerRef}")`);
      expect((await explain(call)).outcome).toBe('LEAVES');
    });

    test.each([
      ['call: "nonsense"', 'call: "nonsense" is not an id of a call'],
      [`call: "${globalId('Call', '999999')}"`, 'call "Q2FsbDo5OTk5OTk" does not exist'],
      [`call: "${globalId('Call', '1')}", from: "a@b.test"`, 'from: does not go together with call'],
      ['to: "112"', 'from: is missing, and so is call'],
      ['from: "a@b.test"', 'to: is missing'],
      ['from: "a@b.test", to: "112", at: "2100-01-01T00:00:00.000Z"', 'at: 2100-01-01T00:00:00.000Z is in the future'],
      ['from: "a b", to: "112", at: "2026-01-01T00:00:00.000Z"', 'from: "a b" is not a number'],
    ])('cannot be asked with %s', async (args, message) => {
      const { errors } = await subject().app.graphql(`{ explainCall(${args}) { outcome } }`);
      expect(errors?.[0]?.message).toContain(message);
    });

    test('has parameters, headers and passwords in its URIs, which name nobody', async () => {
      const its = await out();
      const answered = { state: 6, status: null, reason: null };
      const plain = await explain(await record(its, [], answered));
      expect(plain.outcome).toBe('LEAVES');
      const address = `${its.caller}@${its.host}`;
      for (const columns of [
        { to_uri: `sip:+4930123@${its.host};user=phone` },
        { to_uri: null },
        { from_uri: `sip:${address};user=phone` },
        { from_uri: `sip:${address};transport=tcp?Subject=x` },
        { from_uri: `sips:${its.caller}:secret@${its.host}:5061;lr` },
      ]) {
        const { outcome, summary } = await explain(await record(its, [], { ...answered, ...columns }));
        expect([columns, outcome, summary]).toEqual([columns, plain.outcome, plain.summary]);
      }
      const outside = await record(its, [], { ...answered, from_uri: 'sip:+4930123456@provider.test;user=phone' });
      expect((await explain(outside)).outcome).toBe('REFUSED');
    });

    test.each([
      [{ from_uri: 'sip:192.168.10.20:5060' }, 'who called is not known: From is "sip:192.168.10.20:5060"'],
      [{ from_uri: 'sip:192.168.10.20' }, 'who called is not known: From is "sip:192.168.10.20"'],
      [{ from_uri: 'sip:@host.test' }, 'who called is not known: From is "sip:@host.test"'],
      [{ from_uri: null }, 'who called is not known: From is not on record'],
      [{ to_uri: 'sip:host.test;lr', called: null }, 'who was called is not known: To is "sip:host.test;lr"'],
      [{ to_uri: null, called: null }, 'who was called is not known: To is not on record'],
      [{ source: 'unix' }, 'where the call came from is not known: its address is "unix"'],
    ])('is unknown with %j, unless its attempts tell', async (columns, reason) => {
      const its = await out();
      const { outcome, summary, unknown } = await explain(
        await record(its, [], { state: 6, status: null, ...columns }),
      );
      expect({ outcome, summary, unknown }).toEqual({ outcome: 'UNKNOWN', summary: reason, unknown: [reason] });
      const [first = ''] = its.gateways;
      const failed = await explain(await record(its, [[first, 503, 'Busy']], columns));
      expect(failed).toMatchObject({ outcome: 'LEAVES', unknown: [reason] });
      expect(failed.summary).toMatch(/^the only attempt failed: gateway First \d+ answered 503 Busy; /);
    });

    test('is named by the argument `call` if it does not exist', async () => {
      const { errors } = await subject().app.graphql(
        `{ explainCall(call: "${globalId('Call', '999999')}") { outcome } }`,
      );
      expect(errors?.[0]?.extensions).toMatchObject({ fields: ['call'] });
    });

    test('is unknown before the history that is kept', async () => {
      const its = await out();
      const call = await record(its, []);
      await runSql(subject().url, 'UPDATE history_head SET trimmed_at = ? WHERE id = 1', [Date.now() + 1]);
      const { outcome, summary, unknown } = await explain(call);
      await runSql(subject().url, 'UPDATE history_head SET trimmed_at = 0 WHERE id = 1');
      expect(outcome).toBe('UNKNOWN');
      expect(summary).toMatch(/is no longer kept \(HISTORY_DAYS\)/);
      expect(unknown).toHaveLength(1);
    });
  },
  { CALLS_PRIVACY: 'on' },
);

onEachDatabase(
  'What became of a call without a record of registrations and calls',
  (subject) => {
    test('is unknown, with the settings that would have kept it', async () => {
      const { app } = subject();
      await createDomain(app, { domainUri: 'one.test' });
      await createAgent(app, { username: 'anna', domains: ['one.test'], maxCalls: 3 });
      await createAgent(app, { username: 'ben', domains: ['one.test'] });
      const at = new Date().toISOString();
      const { data } = await app.graphql(
        `{ explainCall(from: "anna@one.test", to: "ben", at: "${at}") { outcome summary unknown attempts { requestUri } } }`,
      );
      const registrations = 'what was registered is not known: registrations are not recorded, because LIVE_DAYS is 0';
      expect(data).toEqual({
        explainCall: {
          outcome: 'UNKNOWN',
          summary: registrations,
          unknown: [
            'how many calls were in progress is not known: calls are not recorded, because CALLS_DAYS is 0',
            registrations,
          ],
          attempts: [],
        },
      });
    });

    test('says that the health of destinations is not recorded, nor the minutes that were used', async () => {
      const { app } = subject();
      const gatewayRef = await createGateway(app, { name: 'Carrier', destinations: [{ host: '203.0.113.7' }] });
      const numberRef = await createNumber(app, { telUrl: 'tel:+4930555', aorLink: 'sip:eva@two.test', gatewayRef });
      await createDomain(app, { domainUri: 'two.test', egressPolicy: { rule: '.*', numberRef } });
      await createAgent(app, { name: 'Eva', username: 'eva', domains: ['two.test'], dailyMinutes: ['+1=60'] });
      const at = new Date().toISOString();
      const { data } = await app.graphql<{ explainCall: Past }>(
        `{ explainCall(from: "eva@two.test", to: "+33123", at: "${at}") { unknown } }`,
      );
      expect(data.explainCall.unknown).toEqual(
        expect.arrayContaining([
          'whether the destination 203.0.113.7 of gateway Carrier responded is not known: it is not recorded, because LIVE_DAYS is 0',
          'how many of the minutes of agent Eva were used is not recorded',
        ]),
      );
    });
  },
  { LIVE_DAYS: '0', CALLS_DAYS: '0' },
);
