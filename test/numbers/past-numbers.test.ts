import { actionsOn } from '../support/browser/actions';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createUser,
} from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact, runSql, storeRegistrar, storeRegistrationEvent } from '../support/databases/sql';

interface Past {
  readonly state: string;
  readonly summary: string;
  readonly reachable: boolean;
  readonly at: string | null;
  readonly steps: readonly { readonly __typename: string; readonly broken: boolean }[];
  readonly change: { readonly event: string; readonly kind: string; readonly ref: string } | null;
  readonly event: { readonly event: string; readonly host: string | null; readonly port: number | null } | null;
}

const MINUTE = 60_000;
const START = Date.now() - 60 * MINUTE;
const FIELDS = `state summary reachable at steps { __typename broken state summary
    ... on GatewayStep { gateway { name } } ... on NumberStep { number { __typename } }
    ... on TargetStep { target { __typename } } ... on DomainStep { domain { ref } } ... on ContactsStep { contacts { id } } }
  change { event kind ref who { username } } event { event host port }`;

/** A number that rings an agent, whose device is registered. */
interface Line {
  readonly tel: string;
  readonly user: string;
  readonly host: string;
  readonly numberRef: string;
  readonly agentRef: string;
  readonly domainRef: string;
}

let count = 0;

onEachDatabase('Why a number did not ring', (subject) => {
  // Who breaks what the admin made.
  let ana: string;
  let actor: string | undefined;

  beforeAll(async () => {
    await storeRegistrar(subject().url, START);
    ana = (await createUser(subject().app, 'OPERATOR', 'ana')).token;
  });

  const { act, input, moment } = actionsOn(subject, () => actor);
  const ask = async (tel: string, at: number | string, token?: string): Promise<Past> => {
    const time = typeof at === 'number' ? new Date(at).toISOString() : at;
    const { data, errors } = await subject().app.graphql<{ explainNumber: Past }>(
      `query ($tel: String!, $at: DateTimeISO) { explainNumber(telUrl: $tel, at: $at) { ${FIELDS} } }`,
      { tel, at: time },
      { token },
    );
    if (errors) throw new Error(errors.map(({ message }) => message).join());
    return data.explainNumber;
  };
  const line = async ({ isRegistered = true } = {}): Promise<Line> => {
    const { app, url } = subject();
    const n = String(++count).padStart(3, '0');
    const [tel, user, host] = [`+4930700${n}`, `user${n}`, `host${n}.test`];
    const domainRef = await createDomain(app, { domainUri: host });
    const agentRef = await createAgent(app, { username: user, domains: [host] });
    const numberRef = await createNumber(app, { telUrl: `tel:${tel}`, aorLink: `sip:${user}@${host}` });
    if (isRegistered) await storeRegistrationEvent(url, { of: `${user}@${host}`, at: START + MINUTE, devices: 1 });
    return { tel, user, host, numberRef, agentRef, domainRef };
  };
  const event = (of: string, values: object): Promise<void> =>
    storeRegistrationEvent(subject().url, { of, at: Date.now(), ...values });

  interface History {
    readonly state: string;
    readonly change: readonly [string, string] | null;
    readonly event?: string;
    readonly says: RegExp;
    /** Makes the number not ring. */
    readonly breaks: (line: Line) => Promise<unknown>;
    readonly isRegistered?: boolean;
  }

  const HISTORIES: readonly (readonly [string, History])[] = [
    ['nothing', { state: 'REACHABLE', change: null, says: /^rings agent/, breaks: () => Promise.resolve() }],
    [
      'the agent was deleted',
      {
        state: 'TARGET_MISSING',
        change: ['DELETED', 'Agent'],
        says: /^no agent or peer user\d+ in domain .*; Agent .* was deleted by ana on .*Z \(request .*\)$/,
        breaks: ({ agentRef }) => act(`deleteAgent(ref: "${agentRef}")`),
      },
    ],
    [
      'the agent was renamed',
      {
        state: 'TARGET_MISSING',
        change: ['UPDATED', 'Agent'],
        says: /username from user\d+ to other\d+ was changed by ana/,
        breaks: ({ agentRef, user }) => input('Agent', agentRef, `username: "${user.replace('user', 'other')}"`),
      },
    ],
    [
      'the agent was moved to another domain',
      {
        state: 'TARGET_FORBIDDEN',
        change: ['UPDATED', 'Agent'],
        says: /^agent user\d+ is in domain elsewhere\d+\.test, not in .*; .*domains from .* was changed by ana/,
        breaks: async ({ agentRef, host }) => {
          const domainUri = host.replace('host', 'elsewhere');
          await createDomain(subject().app, { domainUri });
          await input('Agent', agentRef, `domains: ["${domainUri}"]`);
        },
      },
    ],
    [
      'the domain was deleted',
      {
        state: 'DOMAIN_MISSING',
        change: ['DELETED', 'Domain'],
        says: /^no domain host\d+\.test; Domain .* was deleted by ana/,
        breaks: async ({ agentRef, domainRef }) => {
          await act(`deleteAgent(ref: "${agentRef}")`);
          await act(`deleteDomain(ref: "${domainRef}")`);
        },
      },
    ],
    [
      'the number was deleted',
      {
        state: 'MISSING',
        change: ['DELETED', 'Number'],
        says: /^no DID or Number 4930700\d+; Number tel:\+4930700\d+ was deleted by ana/,
        breaks: ({ numberRef }) => act(`deleteNumber(ref: "${numberRef}")`),
      },
    ],
    [
      'the number was moved to a gateway that its provider refused',
      {
        state: 'GATEWAY_REFUSED',
        change: ['UPDATED', 'Number'],
        event: 'REFUSED',
        says: /^gateway new is refused by new\.test: 403 Forbidden; .*gatewayRef from .* was changed by ana/,
        breaks: async ({ numberRef }) => {
          const { app, url } = subject();
          const gatewayRef = await createGateway(app, { name: 'new', host: 'new.test', username: 'u', secret: 's' });
          await input('Number', numberRef, `gatewayRef: "${gatewayRef}"`);
          const refused = { event: 'REFUSED', owner: `gateway:${gatewayRef}`, status: 403, reason: 'Forbidden' };
          await storeRegistrationEvent(url, refused);
        },
      },
    ],
    [
      'the outbound proxy of its gateway was changed, and the provider refused',
      {
        state: 'GATEWAY_REFUSED',
        change: ['UPDATED', 'Gateway'],
        event: 'REFUSED',
        says: /^gateway proxied is refused .*; .*outboundProxy from nothing to proxy\.test was changed by ana/,
        breaks: async ({ numberRef }) => {
          const { app, url } = subject();
          const credentials = { username: 'u', secret: 's' };
          const gatewayRef = await createGateway(app, { name: 'proxied', host: 'proxied.test', ...credentials });
          await input('Number', numberRef, `gatewayRef: "${gatewayRef}"`);
          await input('Gateway', gatewayRef, 'outboundProxy: "proxy.test"');
          const refused = { event: 'REFUSED', owner: `gateway:${gatewayRef}`, status: 403, reason: 'Forbidden' };
          await storeRegistrationEvent(url, refused);
        },
      },
    ],
    [
      'the number was sent elsewhere',
      {
        state: 'TARGET_MISSING',
        change: ['UPDATED', 'Number'],
        says: /^no agent or peer nobody in domain .*; .*aorLink from sip:user\d+@.* to sip:nobody@.* was changed by ana/,
        breaks: ({ numberRef, host }) => input('Number', numberRef, `aorLink: "sip:nobody@${host}"`),
      },
    ],
    [
      'the number was disabled',
      {
        state: 'DISABLED',
        change: ['UPDATED', 'Number'],
        says: /^Number tel:\+4930700\d+ is disabled: .*enabled from nothing to false was changed by ana/,
        breaks: ({ numberRef }) => input('Number', numberRef, 'enabled: false'),
      },
    ],
    [
      'the agent was disabled',
      {
        state: 'TARGET_DISABLED',
        change: ['UPDATED', 'Agent'],
        says: /^agent user\d+@.* is disabled: .*enabled from nothing to false was changed by ana/,
        breaks: ({ agentRef }) => input('Agent', agentRef, 'enabled: false'),
      },
    ],
    [
      'the agent was disabled, and enabled again',
      {
        state: 'REACHABLE',
        change: null,
        says: /^rings agent/,
        breaks: async ({ agentRef }) => {
          await input('Agent', agentRef, 'enabled: false');
          await input('Agent', agentRef, 'enabled: true');
        },
      },
    ],
    [
      'the domain was disabled',
      {
        state: 'TARGET_DISABLED',
        change: ['UPDATED', 'Domain'],
        says: /^domain host\d+\.test is disabled: .*enabled from nothing to false was changed by ana/,
        breaks: ({ domainRef }) => input('Domain', domainRef, 'enabled: false'),
      },
    ],
    [
      'the peer that it rang was disabled',
      {
        state: 'TARGET_DISABLED',
        change: ['UPDATED', 'Peer'],
        says: /^peer pbx\d+ is disabled: .*enabled from nothing to false was changed by ana/,
        breaks: async ({ numberRef, host, user }) => {
          const username = user.replace('user', 'pbx');
          const ref = await createPeer(subject().app, { username, contactAddr: 'pbx.test' });
          await input('Number', numberRef, `aorLink: "sip:${username}@${host}"`);
          await input('Peer', ref, 'enabled: false');
        },
      },
    ],
    [
      'the gateway was disabled, which also ended its registration',
      {
        state: 'GATEWAY_DISABLED',
        change: ['UPDATED', 'Gateway'],
        says: /^gateway closed is disabled: .*enabled from nothing to false was changed by ana/,
        breaks: async ({ numberRef }) => {
          const { app } = subject();
          const gatewayRef = await createGateway(app, {
            name: 'closed',
            host: 'closed.test',
            username: 'u',
            secret: 's',
          });
          await input('Number', numberRef, `gatewayRef: "${gatewayRef}"`);
          await input('Gateway', gatewayRef, 'enabled: false');
        },
      },
    ],
    [
      'the number was moved to a gateway that was draining',
      {
        state: 'GATEWAY_DRAINING',
        change: ['UPDATED', 'Number'],
        says: /^gateway drained is draining: .*gatewayRef from .* was changed by ana/,
        breaks: async ({ numberRef }) => {
          const { app } = subject();
          const gatewayRef = await createGateway(app, { name: 'drained', host: 'drained.test', draining: true });
          await input('Number', numberRef, `gatewayRef: "${gatewayRef}"`);
        },
      },
    ],
    [
      'another number had the same digits, but was disabled',
      {
        state: 'REACHABLE',
        change: null,
        says: /^rings agent/,
        breaks: ({ tel }) =>
          createDid(subject().app, { telUrl: `tel:${tel}`, aorLink: 'sip:other@other.test', enabled: false }),
      },
    ],
    [
      'another number had the same digits',
      {
        state: 'AMBIGUOUS',
        change: null,
        says: /^2 numbers have the digits 4930700\d+/,
        breaks: ({ tel }) => createDid(subject().app, { telUrl: `tel:${tel}`, aorLink: 'sip:other@other.test' }),
      },
    ],
    [
      'the device expired',
      {
        state: 'EXPIRED',
        change: null,
        event: 'EXPIRED',
        says: /expired on .*Z; the last registration expired on .*Z$/,
        breaks: ({ user, host }) => event(`${user}@${host}`, { event: 'EXPIRED', devices: 0 }),
      },
    ],
    [
      'the device was evicted',
      {
        state: 'NOT_REGISTERED',
        change: null,
        event: 'UNREGISTERED',
        says: /the last device unregistered on .*Z \(Evicted\)$/,
        breaks: ({ user, host }) => event(`${user}@${host}`, { event: 'UNREGISTERED', devices: 0, reason: 'Evicted' }),
      },
    ],
    [
      'the access control list of the domain was changed, and the device refused',
      {
        state: 'EXPIRED',
        change: ['UPDATED', 'Domain'],
        event: 'REFUSED',
        says: /\(403 Access control list\); .*accessControlList\.deny from nothing to .* was changed by ana/,
        breaks: async ({ domainRef, user, host }) => {
          await input('Domain', domainRef, 'accessControlList: { deny: ["0.0.0.0/0"] }');
          await event(`${user}@${host}`, { event: 'EXPIRED', devices: 0 });
          await event(`${user}@${host}`, { event: 'REFUSED', status: 403, reason: 'Access control list' });
        },
      },
    ],
    [
      'the secret was changed, and the device refused',
      {
        state: 'EXPIRED',
        change: ['UPDATED', 'Agent'],
        event: 'REFUSED',
        says: /the registration was refused on .*Z \(401 Wrong secret\); Agent .*: secret was changed by ana/,
        breaks: async ({ agentRef, user, host }) => {
          await input('Agent', agentRef, 'secret: "another secret"');
          await event(`${user}@${host}`, { event: 'EXPIRED', devices: 0 });
          await event(`${user}@${host}`, { event: 'REFUSED', status: 401, reason: 'Wrong secret' });
        },
      },
    ],
    [
      'no device ever registered',
      {
        state: 'NOT_REGISTERED',
        change: null,
        isRegistered: false,
        says: /^agent user\d+@host\d+\.test exists but is not registered$/,
        breaks: () => Promise.resolve(),
      },
    ],
  ];

  test.each(HISTORIES)('is explained afterwards: %s', async (_name, history) => {
    const { app } = subject();
    const its = await line({ isRegistered: history.isRegistered ?? true });
    const before = await moment();
    actor = ana;
    await history.breaks(its).finally(() => (actor = undefined));
    const then = await moment();
    const present = await app.graphql(
      `{ agent(ref: "${its.agentRef}") { ref } number(ref: "${its.numberRef}") { ref } }`,
    );
    // What happens later changes nothing about it.
    if ((present.data as { number: unknown }).number) await act(`deleteNumber(ref: "${its.numberRef}")`);
    if ((present.data as { agent: unknown }).agent) await act(`deleteAgent(ref: "${its.agentRef}")`);
    await createAgent(app, { username: its.user });
    await createNumber(app, { telUrl: `tel:${its.tel}` });
    await event(`${its.user}@${its.host}`, { event: 'REGISTERED', devices: 1 });

    expect(await ask(its.tel, before)).toMatchObject(
      history.isRegistered === false ? { state: 'NOT_REGISTERED' } : { state: 'REACHABLE', change: null, event: null },
    );
    const past = await ask(its.tel, then);
    expect(past).toMatchObject({
      state: history.state,
      reachable: history.state === 'REACHABLE',
      at: new Date(then).toISOString(),
      change: history.change && { event: history.change[0], kind: history.change[1], who: { username: 'ana' } },
      event: history.event === undefined ? null : { event: history.event },
    });
    expect(past.summary).toMatch(history.says);
    expect(past.steps.filter(({ broken }) => broken)).toHaveLength(history.state === 'REACHABLE' ? 0 : 1);
  });

  test('is explained for a number that was created only later', async () => {
    const before = await moment();
    const { tel } = await line();
    const { state, summary, change } = await ask(tel, before);
    expect({ state, change }).toMatchObject({ state: 'MISSING', change: { event: 'CREATED', kind: 'Number' } });
    expect(summary).toMatch(/^no DID or Number \d+; Number tel:\+\d+ was created only later by admin on/);
  });

  test('is explained by what followed, if what was before is not kept: a device that expired later was there', async () => {
    const { tel, user, host } = await line({ isRegistered: false });
    const then = await moment();
    await event(`${user}@${host}`, { event: 'EXPIRED', devices: 0 });
    expect(await ask(tel, then)).toMatchObject({ state: 'REACHABLE' });
  });

  test('counts a phone that is still registered with TLS, at another port of its node, once', async () => {
    const { tel, user, host } = await line();
    await registerContact(subject().url, {
      ...{ username: user, domain: host, contact: `sip:${user}@192.0.2.7` },
      socket: 'tls:127.0.0.1:5061',
    });
    expect((await ask(tel, await moment())).summary).toContain('on 1 device');
  });

  test('is explained with the resources of each target', async () => {
    const { app } = subject();
    const [one, two] = [await line(), await line()];
    await input('Number', one.numberRef, `furtherTargets: ["sip:${two.user}@${two.host} after 5"]`);
    const then = await moment();
    await input('Number', one.numberRef, 'furtherTargets: null');
    const { data } = await app.graphql<{ explainNumber: { steps: readonly object[] } }>(
      `query ($tel: String!, $at: DateTimeISO) { explainNumber(telUrl: $tel, at: $at) { steps { __typename
        ... on AorStep { aorLink } ... on DomainStep { domain { ref } } ... on TargetStep { target { ... on Agent { ref } } }
        ... on ContactsStep { contacts { id } } } } }`,
      { tel: one.tel, at: new Date(then).toISOString() },
    );
    const stepsOf = ({ user, host, domainRef, agentRef }: Line): readonly object[] => [
      { __typename: 'AorStep', aorLink: `sip:${user}@${host}` },
      { __typename: 'DomainStep', domain: { ref: domainRef } },
      { __typename: 'TargetStep', target: { ref: agentRef } },
      { __typename: 'ContactsStep', contacts: [] },
    ];
    expect(data.explainNumber.steps.slice(2)).toEqual([...stepsOf(one), ...stepsOf(two)]);
  });

  test('is explained for a number inside a range, which was moved, shortened and deleted', async () => {
    const { user, host } = await line();
    const { app } = subject();
    const [start, inside] = ['tel:+49308000', '+4930800042'];
    const before = await moment();
    const ref = await createNumber(app, {
      telUrl: `${start}00`,
      lastTelUrl: `${start}99`,
      aorLink: `sip:${user}@${host}`,
    });
    const whole = await moment();
    await input('Number', ref, `lastTelUrl: "${start}41"`);
    const shortened = await moment();
    await input('Number', ref, `telUrl: "tel:+4930800100", lastTelUrl: "tel:+4930800199"`);
    const moved = await moment();
    await input('Number', ref, `telUrl: "${start}00", lastTelUrl: "${start}99"`);
    const back = await moment();
    await act(`deleteNumber(ref: "${ref}")`);
    const deleted = await moment();
    const change = (event: string): object => ({ change: { event, kind: 'Number', ref } });
    expect(await ask(inside, before)).toMatchObject({ state: 'MISSING', ...change('CREATED') });
    for (const at of [whole, back])
      expect(await ask(inside, at)).toMatchObject({ state: 'REACHABLE', reachable: true, change: null });
    for (const at of [shortened, moved])
      expect(await ask(inside, at)).toMatchObject({ state: 'MISSING', ...change('UPDATED') });
    expect(await ask(inside, deleted)).toMatchObject({ state: 'MISSING', ...change('DELETED') });
    expect(await ask('+4930800142', moved)).toMatchObject({ state: 'REACHABLE' });
  });

  test('shows viewers no addresses, and no secrets to anybody', async () => {
    const { app } = subject();
    const refusing = await createGateway(app, { host: 'refuses.test', username: 'u', secret: 's' });
    const { tel: refusedTel } = await line();
    const [number] = await runSql(subject().url, 'SELECT ref FROM numbers WHERE tel_url = ?', [`tel:${refusedTel}`]);
    await input('Number', String(number?.[0]), `gatewayRef: "${refusing}"`);
    const refused = { event: 'REFUSED', owner: `gateway:${refusing}`, status: 403, host: '192.0.2.99', port: 5070 };
    await storeRegistrationEvent(subject().url, { at: Date.now(), ...refused });
    const { token: viewer } = await createUser(app, 'VIEWER');
    const at = await moment();
    expect(await ask(refusedTel, at, viewer)).toMatchObject({ event: { event: 'REFUSED', host: null, port: null } });
    expect(await ask(refusedTel, at)).toMatchObject({ event: { event: 'REFUSED', host: '192.0.2.99', port: 5070 } });
    const { tel, agentRef } = await line();
    await input('Agent', agentRef, 'secret: "very secret words"');
    const { token } = await createUser(subject().app, 'VIEWER');
    expect(JSON.stringify(await ask(tel, await moment(), token))).not.toContain('very secret');
  });

  test.each([
    ['not a number', () => new Date().toISOString(), 'telUrl: "not a number" is not a telephone number'],
    ['+4930', () => '2100-01-01T00:00:00.000Z', 'at: 2100-01-01T00:00:00.000Z is in the future'],
  ])('cannot be asked of %j', async (tel, at, message) => {
    await expect(ask(tel, at())).rejects.toThrow(message);
  });

  test('takes a bounded number of statements, and the present has no cause', async () => {
    const { tel } = await line();
    const { data } = await subject().app.graphql(
      `{ explainNumber(telUrl: "${tel}") { at change { entry } event { id } } }`,
    );
    expect(data).toEqual({ explainNumber: { at: null, change: null, event: null } });
  });

  test('is unknown before the history that is kept', async () => {
    const { tel } = await line();
    const then = await moment();
    await runSql(subject().url, 'UPDATE history_head SET trimmed_at = ? WHERE id = 1', [then + 1]);
    const { state, summary } = await ask(tel, then);
    await runSql(subject().url, 'UPDATE history_head SET trimmed_at = 0 WHERE id = 1');
    expect(state).toBe('UNKNOWN');
    expect(summary).toMatch(/is no longer kept \(HISTORY_DAYS\)$/);
  });
});

onEachDatabase(
  'Why a number did not ring, without a record of registrations',
  (subject) => {
    test('is unknown, with the setting that would have kept it', async () => {
      const { app } = subject();
      await createDomain(app, { domainUri: 'one.test' });
      await createAgent(app, { username: 'anna', domains: ['one.test'] });
      await createNumber(app, { telUrl: 'tel:+49301', aorLink: 'sip:anna@one.test' });
      const at = new Date().toISOString();
      const { data } = await app.graphql(`{ explainNumber(telUrl: "+49301", at: "${at}") { state summary } }`);
      expect(data).toEqual({
        explainNumber: {
          state: 'UNKNOWN',
          summary: 'what was registered is not known: registrations are not recorded, because LIVE_DAYS is 0',
        },
      });
    });
  },
  { LIVE_DAYS: '0' },
);
