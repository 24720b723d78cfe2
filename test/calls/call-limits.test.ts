import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createNumber, createRoute } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { startReceiver } from '../support/receiver';
import { registerContact, runSql } from '../support/databases/sql';
import { transports } from '../support/subscriptions';

const PATIENCE = 30;
const [transport] = transports;
const HERE = 'limits.test';

interface Limits {
  readonly calls: number;
  readonly maxCalls: number | null;
  readonly maxCallsPerSecond: number | null;
}

onEachDatabase(
  'Limits of calls',
  (subject) => {
    const refs: Record<string, string> = {};
    const open: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      const { app, url } = subject();
      refs['domain'] = await createDomain(app, { name: 'Office', domainUri: HERE, maxCalls: 5 });
      for (const [username, input] of [
        ['anna', { maxCalls: 2 }],
        ['ben', { maxCallsPerSecond: 3 }],
      ] as const)
        refs[username] = await createAgent(app, { name: username, username, domains: [HERE], ...input });
      for (const [name, input] of [
        ['first', { maxCalls: 1 }],
        ['second', { maxCalls: 10, maxCallsPerSecond: 4 }],
      ] as const) {
        refs[name] = await createGateway(app, { name, host: `${name}.limits.test`, ...input });
        refs[`${name} number`] = await createNumber(app, { gatewayRef: refs[name], aorLink: `sip:ben@${HERE}` });
      }
      for (const [prefix, emergency] of [
        ['+49', false],
        ['112', true],
      ] as const)
        await createRoute(app, {
          domainRef: refs['domain'],
          prefix,
          emergency,
          numberRefs: [refs['first number'], refs['second number']],
        });
      await registerContact(url, { username: 'ben', domain: HERE, contact: 'sip:ben@10.0.0.1' });
    });

    beforeEach(() => runSql(subject().url, 'DELETE FROM calls'));

    afterEach(async () => {
      for (const close of open.splice(0).reverse()) await close();
    });

    let stored = 0;

    /** Stores a call as the SIP server does. */
    async function call(values: Readonly<Record<string, string | number | null>>): Promise<void> {
      const row = {
        call_id: `limits-${String(++stored)}`,
        ...{ from_tag: 'a', dialog: '1.1', node: '127.0.0.1:5060', begun: Date.now(), state: 3 },
        ...values,
      };
      const names = Object.keys(row);
      await runSql(
        subject().url,
        `INSERT INTO calls (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      );
    }

    const of = (name: string): string => refs[name] ?? '';
    const out = (user: string, gateway: string, from = `sip:${user}@${HERE}`): Promise<void> =>
      call({
        direction: 'OUT',
        from_uri: from,
        called: '+4930',
        caller: `agent:${of(user)}`,
        gateway_ref: of(gateway),
      });

    const QUERY = `query($domain: String!, $anna: String!, $ben: String!, $first: String!, $second: String!) {
      domain(ref: $domain) { ...L } anna: agent(ref: $anna) { ...L } ben: agent(ref: $ben) { ...L }
      first: gateway(ref: $first) { ...L } second: gateway(ref: $second) { ...L } }
      fragment L on Resource { ... on Domain { limits { ...C } } ... on Agent { limits { ...C } } ... on Gateway { limits { ...C } } }
      fragment C on CallLimits { calls maxCalls maxCallsPerSecond }`;

    async function counts(): Promise<Readonly<Record<string, number>>> {
      const variables = {
        domain: of('domain'),
        anna: of('anna'),
        ben: of('ben'),
        first: of('first'),
        second: of('second'),
      };
      const { data, errors } = await subject().app.graphql<Record<string, { limits: Limits }>>(QUERY, variables);
      expect(errors).toBeUndefined();
      return Object.fromEntries(Object.entries(data).map(([name, { limits }]) => [name, limits.calls]));
    }

    async function explain(from: string, to: string) {
      const { data, errors } = await subject().app.graphql<{
        explainCall: {
          outcome: string;
          status: number | null;
          reason: string | null;
          summary: string;
          steps: { __typename: string; summary: string }[];
          attempts: { gateway: { name: string } | null }[];
        };
      }>(
        `query($from: String!, $to: String!) { explainCall(from: $from, to: $to) {
          outcome status reason summary steps { __typename summary } attempts { gateway { name } } } }`,
        { from, to },
      );
      expect(errors).toBeUndefined();
      const { steps, attempts, ...rest } = data.explainCall;
      return {
        ...rest,
        steps,
        limits: steps.filter(({ __typename: type }) => type === 'LimitStep').map(({ summary }) => summary),
        gateways: attempts.map(({ gateway }) => gateway?.name),
      };
    }

    test.each([
      ['Agent', 'anna', 'maxCalls', 0, 'maxCalls: 0 is not a whole number from 1 to 100000'],
      [
        'Domain',
        'domain',
        'maxCallsPerSecond',
        10_001,
        'maxCallsPerSecond: 10001 is not a whole number from 1 to 10000',
      ],
      ['Gateway', 'first', 'maxCalls', 100_001, 'maxCalls: 100001 is not a whole number from 1 to 100000'],
    ])('of %s %s refuse a wrong %s', async (kind, name, field, value, message) => {
      const { errors } = await subject().app.graphql(
        `mutation($ref: String!, $input: Update${kind}Input!) { update${kind}(ref: $ref, input: $input) { ref } }`,
        { ref: of(name), input: { [field]: value } },
      );
      expect(errors?.[0]?.message).toContain(message);
    });

    test('are in documents only where they are set, and select resources', async () => {
      const { app } = subject();
      const spec = async (path: string): Promise<unknown> =>
        (await app.rest<{ spec: unknown }>('GET', path)).body.data.spec;
      expect(await spec(`/agents/${of('anna')}`)).toMatchObject({ maxCalls: 2 });
      expect(await spec(`/agents/${of('anna')}`)).not.toHaveProperty('maxCallsPerSecond');
      expect(await spec(`/gateways/${of('second')}`)).toMatchObject({ maxCalls: 10, maxCallsPerSecond: 4 });
      expect(await spec(`/domains/${of('domain')}`)).toMatchObject({ context: { maxCalls: 5 } });
      const { data } = await app.graphql<{ gateways: { nodes: { name: string }[] } }>(
        '{ gateways(where: { maxCalls: { gte: 5 }, maxCallsPerSecond: { eq: 4 } }) { nodes { name } } }',
      );
      expect(data.gateways.nodes).toEqual([{ name: 'second' }]);
    });

    test('show how many calls of whom are in progress, each once, and none that has ended', async () => {
      expect(await counts()).toEqual({ domain: 0, anna: 0, ben: 0, first: 0, second: 0 });
      await out('anna', 'first');
      await out('ben', 'second', `sip:ben@${HERE.toUpperCase()}:5070;transport=tcp`);
      // Within the domain, from outside, and those of others.
      const called = { called: `sip:ben@${HERE}`, callee: `agent:${of('ben')}` };
      await call({ direction: 'INTERNAL', from_uri: `sip:anna@${HERE}`, caller: `agent:${of('anna')}`, ...called });
      await call({ direction: 'IN', state: 1, from_uri: `sip:x@${HERE}.evil`, gateway_ref: of('second'), ...called });
      await call({ direction: 'IN', from_uri: `sip:x@${HERE}`, called: 'sip:x@other.test', callee: 'agent:nobody' });
      for (const state of [4, 5, 6])
        await call({ state, from_uri: `sip:anna@${HERE}`, caller: `agent:${of('anna')}`, gateway_ref: of('first') });
      expect(await counts()).toEqual({ domain: 4, anna: 2, ben: 1, first: 1, second: 2 });
    });

    test('cost as many statements for many resources as for one', async () => {
      const { app } = subject();
      const statements = async (first: number): Promise<number> => {
        const before = await metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
        await app.graphql(`{ gateways(first: ${String(first)}) { nodes { limits { calls } } } }`);
        return (await metric(app.url, await app.token(), 'sipgraph_sql_statements_total')) - before;
      };
      await statements(1);
      expect(await statements(20)).toBe(await statements(1));
    });

    test('are explained: what applies, and what would be refused now', async () => {
      const gateways = [
        'limit of gateway first: 1 calls at once (now 0 of 1)',
        'limit of gateway second: 10 calls at once (now 0 of 10), 4 new calls a second',
      ];
      expect(await explain(`ben@${HERE}`, '+4930')).toMatchObject({
        outcome: 'LEAVES',
        limits: [
          'limit of agent ben: 3 new calls a second',
          'limit of domain Office: 5 calls at once (now 0 of 5)',
          ...gateways,
        ],
        gateways: ['first', 'second'],
      });
      expect(await explain(`anna@${HERE}`, `ben@${HERE}`)).toMatchObject({
        outcome: 'RINGS',
        summary: `rings agent ben@${HERE} on 1 device`,
        limits: [
          'limit of agent anna: 2 calls at once (now 0 of 2)',
          'limit of domain Office: 5 calls at once (now 0 of 5)',
        ],
      });
      await out('anna', 'first');
      expect(await explain(`anna@${HERE}`, '+4930')).toMatchObject({ outcome: 'LEAVES', gateways: ['second'] });
      await out('anna', 'second');
      const refused = { outcome: 'REFUSED', status: 486, reason: 'Too Many Calls of Agent', gateways: [] };
      const summary = 'would be refused: limit of agent anna reached (now 2 of 2)';
      // Neither anna's phone nor the gateway of +33 is there.
      const gatewayRef = await createGateway(subject().app, { host: 'tls.limits.test', transport: 'TLS' });
      const numberRef = await createNumber(subject().app, { gatewayRef, aorLink: `sip:ben@${HERE}` });
      await createRoute(subject().app, { domainRef: of('domain'), prefix: '+33', numberRefs: [numberRef] });
      for (const to of ['+4930', '+3314', `ben@${HERE}`, `anna@${HERE}`])
        expect(await explain(`anna@${HERE}`, to)).toMatchObject({ ...refused, summary });
      expect(await explain(`ben@${HERE}`, '+3314')).toMatchObject({ status: 503, reason: 'Gateway has no address' });
      expect(await explain(`ben@${HERE}`, `anna@${HERE}`)).toMatchObject({
        ...{ outcome: 'REFUSED', status: 480, summary: `agent anna@${HERE} exists but is not registered` },
        limits: ['limit of agent ben: 3 new calls a second', 'limit of domain Office: 5 calls at once (now 2 of 5)'],
      });
      for (let made = 0; made < 3; made++) await out('ben', 'second');
      expect(await explain(`ben@${HERE}`, '+4930')).toMatchObject({ status: 503, reason: 'Too Many Calls of Domain' });
      expect(await explain(`anna@${HERE}`, '112')).toMatchObject({ outcome: 'LEAVES', limits: [] });
    });

    test('of a gateway are explained directly before its first attempt, and others before all', async () => {
      const { app } = subject();
      const domainRef = await createDomain(app, { name: 'Places', domainUri: 'places.test' });
      await createAgent(app, { name: 'zed', username: 'zed', domains: ['places.test'], maxCalls: 7 });
      const numberRefs: string[] = [];
      for (const [name, destinations] of [
        ['lone', []],
        ['free', []],
        ['many', ['b', 'c'].map((each) => ({ host: `${each}.places.test` }))],
      ] as const) {
        const limit = name === 'free' ? {} : { maxCalls: 30 };
        const gatewayRef = await createGateway(app, { name, host: `${name}.places.test`, destinations, ...limit });
        numberRefs.push(await createNumber(app, { gatewayRef }));
      }
      await createRoute(app, { domainRef, prefix: '', numberRefs });
      const { steps } = await explain('zed@places.test', '+33123');
      const leaving = (name: string, host = name): string => `leaves through gateway ${name} at ${host}.places.test`;
      expect(steps.map(({ summary }) => summary.replace(/, by weight.*$/, '')).slice(-8)).toEqual([
        'the route of places.test for every number sends +33123 out',
        'limit of agent zed: 7 calls at once (now 0 of 7)',
        'limit of gateway lone: 30 calls at once (now 0 of 30)',
        leaving('lone'),
        leaving('free'),
        'limit of gateway many: 30 calls at once (now 0 of 30)',
        leaving('many'),
        leaving('many', 'b'),
      ]);
    });

    test('count and explain calls to outside numbers for the gateway and the domain that carry them', async () => {
      const { app } = subject();
      const telUrl = 'tel:+493099100';
      const targets = { aorLink: `sip:nobody@${HERE}`, furtherTargets: ['tel:+49170555 after 5'] };
      await createDid(app, { gatewayRef: await createGateway(app), telUrl, ...targets });
      await createDomain(app, { domainUri: 'calling.test' });
      await createAgent(app, { username: 'zoe', domains: ['calling.test'] });
      // The SIP server counts before it looks which targets can ring.
      const unreachable = 'tel:+493099101';
      const further = { furtherTargets: [`sip:somebody@${HERE}`] };
      await createDid(app, {
        gatewayRef: refs['first'],
        telUrl: unreachable,
        aorLink: `sip:nobody@${HERE}`,
        ...further,
      });
      expect(await explain(`anna@${HERE}`, unreachable)).toMatchObject({ outcome: 'REFUSED', status: 480 });
      for (let made = 0; made < 2; made++) await out('anna', 'second');
      expect(await explain(`anna@${HERE}`, unreachable)).toMatchObject({ reason: 'Too Many Calls of Agent' });
      await runSql(subject().url, 'DELETE FROM calls');
      const office = 'limit of domain Office: 5 calls at once (now 0 of 5)';
      const second = 'limit of gateway second: 10 calls at once (now 0 of 10), 4 new calls a second';
      expect(await explain('zoe@calling.test', telUrl)).toMatchObject({
        outcome: 'RINGS',
        limits: [office, 'limit of gateway first: 1 calls at once (now 0 of 1)', second],
        gateways: ['first', 'second'],
      });
      const forwarded = (state: number, attempts: object): Promise<void> =>
        call({
          ...{ direction: 'INTERNAL', state, from_uri: 'sip:zoe@calling.test', caller: 'agent:zoe' },
          ...{ called: `sip:nobody@${HERE}`, attempts: JSON.stringify(attempts) },
        });
      const place = 'sip:192.0.2.1:5060;transport=udp';
      const busy = [null, place, 1, 2, 486, 'Busy', null];
      const silent = [of('second'), place, 2, 9, null, null, null];
      // A device is busy, second is silent, and first is called or answers.
      await forwarded(1, { 0: busy, 1: silent, 2: [of('first'), place, 9, null, null, null, null] });
      expect(await counts()).toEqual({ domain: 1, anna: 0, ben: 0, first: 1, second: 0 });
      // Those that nobody outside carries any more.
      await forwarded(2, { 0: busy, 1: silent });
      await forwarded(6, { 0: [of('first'), place, 1, 2, 200, 'OK', null] });
      expect(await counts()).toEqual({ domain: 1, anna: 0, ben: 0, first: 1, second: 0 });
      expect(await explain('zoe@calling.test', telUrl)).toMatchObject({
        outcome: 'RINGS',
        limits: [
          'limit of domain Office: 5 calls at once (now 1 of 5)',
          'gateway first would be passed over: its limit is reached (now 1 of 1)',
          second,
        ],
        gateways: ['second'],
      });
      // A call of the domain itself counts for it once.
      expect((await explain(`ben@${HERE}`, telUrl)).limits).toEqual([
        'gateway first would be passed over: its limit is reached (now 1 of 1)',
        second,
        'limit of agent ben: 3 new calls a second',
        'limit of domain Office: 5 calls at once (now 1 of 5)',
      ]);
      for (let made = 0; made < 4; made++)
        await forwarded(3, { 0: silent, 1: [of('second'), place, 9, 10, 200, 'OK', null] });
      expect(await counts()).toEqual({ domain: 5, anna: 0, ben: 0, first: 1, second: 4 });
      const passed = 'the outside number would be passed over: limit of domain Office reached (now 5 of 5)';
      expect(await explain('zoe@calling.test', telUrl)).toMatchObject({
        ...{ outcome: 'REFUSED', status: 480, gateways: [] },
        limits: expect.arrayContaining([passed]) as unknown,
      });
    });

    async function ofDomain(ref: string): Promise<number> {
      const query = 'query ($ref: String!) { domain(ref: $ref) { limits { calls } } }';
      const { data } = await subject().app.graphql<{ domain: { limits: Limits } }>(query, { ref });
      return data.domain.limits.calls;
    }

    async function rename(ref: string, domainUri: string): Promise<void> {
      const { errors } = await subject().app.graphql(
        'mutation ($ref: String!, $domainUri: String) { updateDomain(ref: $ref, input: { domainUri: $domainUri }) { ref } }',
        { ref, domainUri },
      );
      expect(errors).toBeUndefined();
    }

    test('of a domain count the calls whose record names it, whoever answers, also after a new name', async () => {
      const ref = await createDomain(subject().app, { domainUri: 'named.test', maxCalls: 9 });
      const nobody = { called: 'sip:nobody@named.test', from_uri: 'sip:x@x.test' };
      const carried = { attempts: JSON.stringify({ 0: [of('first'), 'sip:192.0.2.1', 9, 10, 200, 'OK', null] }) };
      const calls: readonly (readonly [object, number])[] = [
        // An agent that is a further target answers.
        [{ ...nobody, direction: 'IN', domain_ref: ref, callee: 'agent:zoe', domains: '-' }, 0],
        // A further target answers instead of an agent of the domain, and the second domain is counted.
        [{ ...nobody, direction: 'INTERNAL', caller: 'agent:x', callee: 'peer:q', domains: `other,${ref}` }, 1],
        [{ ...nobody, direction: 'INTERNAL', caller: 'agent:zoe', callee: 'agent:zoe', domains: ref }, 1],
        [{ ...nobody, direction: 'IN', domain_ref: ref, domains: `${ref}x` }, 0],
        // The domain carries a call to an outside number, once.
        [{ ...nobody, ...carried, direction: 'IN', domain_ref: ref, domains: '-' }, 1],
        [{ ...nobody, ...carried, direction: 'IN', domain_ref: ref, domains: ref }, 1],
      ];
      let expected = 0;
      for (const [values, counted] of calls) {
        await call({ ...values });
        expect(await ofDomain(ref)).toBe((expected += counted));
      }
      await rename(ref, 'named-anew.test');
      expect(await ofDomain(ref)).toBe(expected);
    });

    test('of a domain count the calls of earlier configurations that it had when they began, whatever From says, but after a new name none to its agents from another domain', async () => {
      const { app } = subject();
      const ref = await createDomain(app, { domainUri: 'counted.test', maxCalls: 9 });
      const many = (): Promise<number> => ofDomain(ref);
      const outside = { direction: 'OUT', called: '+4930', gateway_ref: of('second') };
      const agent = { caller: 'agent:zoe', domain_ref: ref };
      await call({ ...outside, ...agent, from_uri: 'sip:anonymous@anonymous.invalid' });
      expect(await many()).toBe(1);
      // Within the domain, once; from outside; from another domain to it.
      const called = { called: 'sip:zoe@counted.test', callee: 'agent:zoe' };
      await call({ ...called, ...agent, direction: 'INTERNAL', from_uri: 'sip:zoe@counted.test' });
      await call({ ...called, direction: 'IN', from_uri: 'sip:+33@192.0.2.1', domain_ref: ref });
      await call({
        ...called,
        direction: 'INTERNAL',
        caller: 'agent:x',
        from_uri: 'sip:x@x.test',
        domain_ref: 'other',
      });
      expect(await many()).toBe(4);
      // A peer of no domain calls another peer there: nobody's. A record of an earlier configuration has only From.
      await call({
        direction: 'INTERNAL',
        caller: 'peer:p',
        from_uri: 'sip:p@p.test',
        callee: 'peer:q',
        called: called.called,
        domain_ref: ref,
      });
      await call({ ...outside, caller: 'agent:zoe', from_uri: 'sip:zoe@counted.test' });
      expect(await many()).toBe(5);
      await rename(ref, 'renamed.test');
      expect(await many()).toBe(3);
    });

    test('are explained for a number as for a call to it', async () => {
      const { app } = subject();
      const [own, away] = ['+493099300', '+493099301'];
      const [third, fourth] = ['192.0.2.77', '192.0.2.78'];
      const gatewayRef = await createGateway(app, { name: 'third', host: third, maxCalls: 1 });
      await createDid(app, { gatewayRef, telUrl: `tel:${own}`, aorLink: `sip:ben@${HERE}` });
      const targets = { aorLink: `sip:nobody@${HERE}`, furtherTargets: ['tel:+49170556 after 5'] };
      const open = await createGateway(app, { host: fourth });
      await createDid(app, { gatewayRef: open, telUrl: `tel:${away}`, ...targets });
      const both = async (telUrl: string, source: string) => {
        interface Told {
          readonly state: string;
          readonly outcome: string;
          readonly status: number | null;
          readonly reachable: boolean;
          readonly summary: string;
          readonly steps: readonly { readonly __typename: string; readonly summary: string }[];
        }
        const { data, errors } = await app.graphql<{ explainNumber: Told; explainCall: Told }>(
          `query($telUrl: String!, $source: String!) {
            explainNumber(telUrl: $telUrl) { state reachable summary steps { __typename summary } }
            explainCall(from: "+33999", to: $telUrl, sourceAddress: $source) { outcome status steps { __typename summary } } }`,
          { telUrl, source },
        );
        expect(errors).toBeUndefined();
        const { explainNumber: number, explainCall: placed } = data;
        const limitsIn = ({ steps }: Told): readonly string[] =>
          steps.filter(({ __typename: type }) => type === 'LimitStep').map(({ summary }) => summary);
        expect(limitsIn(number)).toEqual(limitsIn(placed));
        expect(number.reachable).toBe(placed.outcome === 'RINGS');
        const { state, summary } = number;
        return { state, summary, status: placed.status };
      };
      const rings = { state: 'REACHABLE', status: null };
      const full = { state: 'LIMIT_REACHED' };
      expect(await both(own, third)).toEqual({ ...rings, summary: `rings agent ben@${HERE} on 1 device` });
      expect(await both(away, fourth)).toMatchObject(rings);
      await call({ direction: 'IN', from_uri: 'sip:x@else.test', called: 'sip:x@else.test', gateway_ref: gatewayRef });
      const summary = 'would be refused: limit of gateway third reached (now 1 of 1)';
      expect(await both(own, third)).toEqual({ ...full, status: 503, summary });
      await out('zoe', 'first', 'sip:zoe@else.test');
      expect(await both(away, fourth)).toMatchObject(rings);
      for (let made = 0; made < 10; made++) await out('zoe', 'second', 'sip:zoe@else.test');
      expect(await both(away, fourth)).toEqual({
        ...full,
        status: 480,
        summary: 'gateway first would be passed over: its limit is reached (now 1 of 1)',
      });
      // A draining or disabled way is known without them, and a TLS connection only now.
      for (const name of ['first', 'second'])
        await app.graphql('mutation($ref: String!) { updateGateway(ref: $ref, input: { transport: TLS }) { ref } }', {
          ref: of(name),
        });
      expect(await both(away, fourth)).toEqual({
        state: 'NO_WAY_OUT',
        status: 480,
        summary: 'gateway first is not connected with TLS',
      });
      for (const name of ['first', 'second'])
        await app.graphql('mutation($ref: String!) { updateGateway(ref: $ref, input: { transport: UDP }) { ref } }', {
          ref: of(name),
        });
    });

    test('are not told as news if nobody watched when they were reached', async () => {
      const { app, url } = subject();
      await runSql(url, 'UPDATE live_watch SET watched_on = 1');
      const alert = "INSERT INTO call_alerts (at, event, node, kind, ref) VALUES (?, 'LIMIT_REACHED', 'n', 'Agent', ?)";
      await runSql(url, alert, [Date.now() - 7_200_000, 'late']);
      await runSql(url, alert, [Date.now(), 'now']);
      const subscription = await transport.subscribe(
        app.url,
        await app.token(),
        'subscription { callAlert { event } }',
        {},
      );
      open.push(() => subscription.close());
      const told = "SELECT a.ref FROM changes c JOIN call_alerts a ON a.id = c.ref WHERE c.kind = 'CallAlert'";
      await eventually(PATIENCE, async () => expect(await runSql(url, told)).toEqual([['now']]));
    });

    test('are told to webhooks and subscribers, as are emergency calls, once each', async () => {
      const { app, url } = subject();
      const receiver = await startReceiver();
      open.push(() => receiver.stop());
      const { data, errors } = await app.graphql<{ made: { secret: string } }>(
        `mutation($url: String!, $refs: [String!]) { made: createWebhook(
          url: $url, events: [LIMIT_NEARLY_REACHED, LIMIT_REACHED, EMERGENCY_CALL], refs: $refs) { secret } }`,
        { url: receiver.url, refs: [of('anna'), of('domain')] },
      );
      expect(errors).toBeUndefined();
      receiver.trust(data.made.secret);
      const subscription = await transport.subscribe(
        app.url,
        await app.token(),
        'subscription { callAlert { event alert { ref limit used most number agentRef resource { kind ref } gateway { ref } } } }',
        {},
      );
      open.push(() => subscription.close());
      const columns = 'at, event, node, kind, ref, what, used, most, domain, caller, number, gateway_ref';
      const alert = (...values: readonly (string | number | null)[]): Promise<unknown> =>
        runSql(url, `INSERT INTO call_alerts (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`, [
          Date.now(),
          ...values,
        ]);
      const nothing = [null, null, null, null];
      const node = '127.0.0.1:5060';
      await alert('LIMIT_NEARLY_REACHED', node, 'Agent', of('anna'), 'MAX_CALLS', 8, 10, ...nothing);
      await alert('LIMIT_REACHED', node, 'Gateway', of('first'), 'MAX_CALLS_PER_SECOND', 4, 4, ...nothing);
      const emergency = [HERE, `agent:${of('ben')}`, '112', of('first')];
      await alert('EMERGENCY_CALL', node, 'Domain', of('domain'), null, null, null, ...emergency);
      const limit = { ref: of('anna'), limit: 'MAX_CALLS', used: 8, most: 10 };
      const expected = [
        ['limit.nearly_reached', { kind: 'Agent', ...limit }],
        [
          'emergency.called',
          { number: '112', domain: HERE, domainRef: of('domain'), agentRef: of('ben'), gatewayRef: of('first') },
        ],
      ];
      await eventually(PATIENCE, () =>
        expect(receiver.accepted.map((message) => [message.type, message.data])).toEqual(
          expected.map(([type, fields]): unknown[] => [type, expect.objectContaining(fields as object)]),
        ),
      );
      const events = [];
      for (let heard = 0; heard < 3; heard++) events.push((await subscription.next()).data?.['callAlert']);
      expect(events).toMatchObject([
        {
          event: 'LIMIT_NEARLY_REACHED',
          alert: { ...limit, resource: { kind: 'Agent', ref: of('anna') }, gateway: null },
        },
        { event: 'LIMIT_REACHED', alert: { limit: 'MAX_CALLS_PER_SECOND', resource: { kind: 'Gateway' } } },
        { event: 'EMERGENCY_CALL', alert: { number: '112', agentRef: of('ben'), gateway: { ref: of('first') } } },
      ]);
      expect(await runSql(url, 'SELECT COUNT(*) FROM call_alerts WHERE told = 0')).toEqual([[0]]);
    });
  },
  { ...COUNTING, WEBHOOK_ALLOW: '127.0.0.0/8' },
);
