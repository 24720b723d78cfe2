import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const HERE = 'decisions.test';
const SHUT = 'shut.decisions.test';
const OFF = ['192.0.2.1', 'b.decisions.test', 'c.decisions.test'];

/**
 * anna is an agent of HERE, and so is dora, who is disabled. emil is one of SHUT, which is disabled. 112 is an emergency number, through the gateway `main` with a
 * disabled destination, +41 leaves through `spent` and then `many`, which has eight places, and everything else through `main`.
 */
onEachDatabase('explainCall decides as the SIP server', (subject) => {
  beforeAll(async () => {
    const { app, url } = subject();
    const domainRef = await createDomain(app, { domainUri: HERE });
    await createAgent(app, { username: 'anna', domains: [HERE] });
    await createAgent(app, { username: 'dora', domains: [HERE], enabled: false });
    const numbers: Record<string, string> = {};
    for (const [name, input] of [
      ['main', { host: OFF[0], destinations: [{ host: OFF[1], priority: 0, enabled: false }, { host: OFF[2] }] }],
      ['spent', { host: '192.0.2.2', dailyMinutes: ['+41=1', '+417=5'] }],
      [
        'many',
        {
          host: '192.0.2.3',
          destinations: Array.from({ length: 7 }, (_, at) => ({ host: `192.0.2.${String(at + 4)}` })),
        },
      ],
    ] as const) {
      const gatewayRef = await createGateway(app, { name, transport: 'UDP', ...input });
      numbers[name] = await createNumber(app, { gatewayRef, aorLink: `sip:anna@${HERE}` });
      if (name === 'spent')
        await runSql(url, 'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (?, ?, ?, ?, ?)', [
          ...[Math.floor(Date.now() / 86_400_000), 'Gateway', gatewayRef, '+41', 60],
        ]);
    }
    const of = (...names: readonly string[]): readonly (string | undefined)[] => names.map((name) => numbers[name]);
    await createRoute(app, { domainRef, prefix: '112', emergency: true, numberRefs: of('main') });
    const shut = await createDomain(app, { domainUri: SHUT, enabled: false });
    await createRoute(app, { domainRef: shut, prefix: '112', emergency: true, numberRefs: of('main') });
    await createRoute(app, { domainRef: shut, prefix: '', numberRefs: of('main') });
    await createAgent(app, { username: 'emil', domains: [SHUT] });
    await createRoute(app, { domainRef, prefix: '+41', numberRefs: of('spent', 'many') });
    await createRoute(app, { domainRef, prefix: '', numberRefs: of('main') });
    for (const [name, host, sources, telUrl] of [
      ['wide', '192.0.3.1', ['203.0.113.0/24'], 'tel:4930333;phone-context=x.test'],
      ['narrow', '192.0.3.2', ['198.51.100.0/24', '203.0.113.48/28'], 'tel:+4930333'],
      ['twin', '192.0.3.3', ['203.0.113.48/28'], 'tel:49-30-333;phone-context=y.test'],
    ] as const)
      await createDid(app, {
        gatewayRef: await createGateway(app, { name, host, sources }),
        ...{ telUrl, aorLink: `sip:${name}@${HERE}` },
      });
    await createPeer(app, { username: 'off', sources: ['203.0.113.128/26'], enabled: false });
    await createPeer(app, { username: 'on', sources: ['203.0.113.192/26'] });
    await createPeer(app, { username: 'former', sources: ['203.0.113.192/26'], enabled: false });
  });

  async function explain(from: string, to: string, source?: string) {
    const { data, errors } = await subject().app.graphql<{
      explainCall: {
        outcome: string;
        status: number | null;
        summary: string;
        steps: { summary: string }[];
        attempts: { order: number; requestUri: string }[];
      };
    }>(
      `query ($from: String!, $to: String!, $source: String) { explainCall(from: $from, to: $to, sourceAddress: $source) {
        outcome status summary steps { summary } attempts { order requestUri } } }`,
      { from, to, source },
    );
    expect(errors).toBeUndefined();
    const { outcome, status, summary, steps, attempts } = data.explainCall;
    expect(attempts.map(({ order }) => order)).toEqual(attempts.map((_, at) => at + 1));
    const hosts = attempts.map(({ requestUri }) => /@([^:;]*)/.exec(requestUri)?.[1]);
    const said = status === null ? outcome : `${outcome} ${String(status)}`;
    return { said, summary, steps: steps.map((step) => step.summary), hosts };
  }

  test.each([
    ['an emergency call tries a disabled destination last', 'anna', '112', 'LEAVES', [OFF[0], OFF[2], OFF[1]]],
    ['another call does not', 'anna', '+4930', 'LEAVES', [OFF[0], OFF[2]]],
    ['a disabled agent may call emergency numbers', 'dora', '112', 'LEAVES', [OFF[0], OFF[2], OFF[1]]],
    ['it may call nothing else', 'dora', '+4930', 'REFUSED 407', []],
    ['112 may have a parameter', 'anna', `sip:112;phone-context=+49@${HERE}`, 'LEAVES', [OFF[0], OFF[2], OFF[1]]],
    [
      'its parameters may be long',
      ...['anna', `sip:112;phone-context=${'x'.repeat(80)}.test@${HERE}`, 'LEAVES'],
      [OFF[0], OFF[2], OFF[1]],
    ],
    ['an escaped semicolon begins none', 'anna', `sip:112%3Bphone-context=+49@${HERE}`, 'REFUSED 404', []],
    ['a number with a parameter leaves by its route', 'anna', `sip:+4930;ext=1@${HERE}`, 'LEAVES', [OFF[0], OFF[2]]],
    ['one at another host does not leave', 'anna', '+4930;ext=1@elsewhere.test', 'REFUSED 403', []],
    ['a SIPS URI leaves with TLS only', 'anna', `sips:+4930@${HERE}`, 'REFUSED 480', []],
    ['an emergency number leaves anyway', 'anna', `sips:112@${HERE}`, 'LEAVES', [OFF[0], OFF[2], OFF[1]]],
    [
      'a gateway without minutes leaves its attempts to the next one',
      ...['anna', '+41800', 'LEAVES'],
      Array.from({ length: 8 }, (_, at) => `192.0.2.${String(at + 3)}`),
    ],
  ] as const)('that %s', async (_, user, to, said, hosts) => {
    expect(await explain(`${user}@${HERE}`, to)).toMatchObject({ said, hosts });
  });

  test.each([
    ['emil', '112', 'LEAVES', 'domain SHUT is disabled, and agent emil@SHUT may call only its emergency numbers'],
    ['emil', '112@SHUT', 'LEAVES', 'domain SHUT is disabled, and agent emil@SHUT may call only its emergency numbers'],
    ['emil', '+4930', 'REFUSED 407', 'domain SHUT is disabled: the call is challenged'],
    ['nobody', '112', 'REFUSED 407', 'domain SHUT is disabled: the call is challenged'],
  ])('that a call of %s of a disabled domain to %s %s', async (user, to, said, step) => {
    const told = await explain(`${user}@${SHUT}`, to.replace('SHUT', SHUT));
    expect(told).toMatchObject({ said, hosts: said === 'LEAVES' ? [OFF[0], OFF[2], OFF[1]] : [] });
    expect(told.steps).toContain(step.replaceAll('SHUT', SHUT));
  });

  test.each([
    ['a number that was ported', '+33123', '+4930333;npdi', /narrow/, 'REFUSED 404'],
    ['a number with a routing number', '+33123', '+4930333;rn=+49301;npdi', /narrow/, 'REFUSED 404'],
    ['no number with an escaped semicolon', '+33123', '+4930333%3Bnpdi', /challenged/, 'REFUSED 407'],
    ['no number as an agent with parameters', `sip:anna;x=1@${HERE}`, '+4930333', /From is agent anna/, 'REFUSED 403'],
  ] as const)('that a provider may call %s', async (_, from, number, summary, said) => {
    const told = await explain(from, `sip:${number}@192.0.2.200`, '203.0.113.50');
    expect(told).toEqual(expect.objectContaining({ said, summary: expect.stringMatching(summary) as string }));
  });

  test.each([
    ['is in the longest of their networks, and the first of equals', '203.0.113.50', /narrow/, 'REFUSED 404'],
    ['is in a network of one', '203.0.113.20', /wide/, 'REFUSED 404'],
    [
      'is in a longer network of a disabled peer',
      '203.0.113.130',
      '203.0.113.130 is in 203.0.113.128/26, a source of peer off, which is disabled: the call is challenged',
      'REFUSED 407',
    ],
    ['is in the same network of a peer that is enabled', '203.0.113.200', /./, 'REFUSED 404'],
  ] as const)('that a call is of a gateway if it %s', async (_, source, summary, said) => {
    const told = await explain('+33123', '+4930333', source);
    expect(told).toMatchObject({ said });
    expect(told.summary).toEqual(typeof summary === 'string' ? summary : expect.stringMatching(summary));
  });
});
