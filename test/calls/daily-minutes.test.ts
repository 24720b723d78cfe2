import { createAgent, createDomain, createGateway, createNumber, createRoute } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const HERE = 'minutes.test';

onEachDatabase('Minutes a day to a prefix', (subject) => {
  const refs: Record<string, string> = {};
  const of = (name: string): string => refs[name] ?? '';

  beforeAll(async () => {
    const { app } = subject();
    refs['domain'] = await createDomain(app, { name: 'Office', domainUri: HERE, dailyMinutes: ['+1=200'] });
    refs['anna'] = await createAgent(app, {
      name: 'anna',
      username: 'anna',
      domains: [HERE],
      dailyMinutes: ['+1900=60', '0044 20 = 5'],
    });
    for (const [name, input] of [
      ['first', { dailyMinutes: ['+1900=100'] }],
      ['second', {}],
    ] as const) {
      refs[name] = await createGateway(app, { name, host: `${name}.minutes.test`, ...input });
      refs[`${name} number`] = await createNumber(app, { gatewayRef: refs[name], aorLink: `sip:anna@${HERE}` });
    }
    for (const [prefix, emergency] of [
      ['+1', false],
      ['112', true],
    ] as const)
      await createRoute(app, {
        domainRef: refs['domain'],
        prefix,
        emergency,
        numberRefs: [of('first number'), of('second number')],
      });
  });

  beforeEach(() => runSql(subject().url, 'DELETE FROM used_minutes'));

  const today = (): number => Math.floor(Date.now() / 86_400_000);

  /** Stores that a limit is used, as the SIP server does. */
  async function use(kind: string, name: string, prefix: string, seconds: number, day = today()): Promise<void> {
    await runSql(subject().url, 'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (?, ?, ?, ?, ?)', [
      day,
      kind,
      of(name),
      prefix,
      seconds,
    ]);
  }

  async function explain(to: string) {
    const { data, errors } = await subject().app.graphql<{
      explainCall: {
        status: number | null;
        reason: string | null;
        steps: { __typename: string; summary: string }[];
        attempts: { gateway: { name: string } | null }[];
      };
    }>(
      `query($from: String!, $to: String!) { explainCall(from: $from, to: $to) {
        status reason steps { __typename summary } attempts { gateway { name } } } }`,
      { from: `anna@${HERE}`, to },
    );
    expect(errors).toBeUndefined();
    const { steps, attempts, ...rest } = data.explainCall;
    return {
      ...rest,
      limits: steps.filter(({ __typename: type }) => type === 'LimitStep').map(({ summary }) => summary),
      gateways: attempts.map(({ gateway }) => gateway?.name),
    };
  }

  test.each([
    [['+1900'], '"+1900" is not prefix=minutes'],
    [['=60'], '"=60" has no prefix'],
    [['+1900=0'], '"+1900=0" is not prefix=minutes'],
    [['+1900=1440001'], '"+1900=1440001" is not prefix=minutes'],
    [['x=5'], 'is not the beginning of a number'],
    [['+1900=5', '001900=6'], 'the prefix "+1900" is listed twice'],
    [Array.from({ length: 17 }, (_, n) => `+${String(n + 10)}=1`), 'has more than 16 entries'],
  ])('is refused as %j', async (dailyMinutes, message) => {
    const { errors } = await subject().app.graphql(
      'mutation($ref: String!, $input: UpdateAgentInput!) { updateAgent(ref: $ref, input: $input) { ref } }',
      { ref: of('anna'), input: { dailyMinutes } },
    );
    expect(errors?.[0]?.message).toContain('dailyMinutes');
    expect(errors?.[0]?.message).toContain(message);
  });

  test('is in documents only where it is set, as it was understood', async () => {
    const { app } = subject();
    const spec = async (path: string): Promise<unknown> =>
      (await app.rest<{ spec: unknown }>('GET', path)).body.data.spec;
    expect(await spec(`/agents/${of('anna')}`)).toMatchObject({ dailyMinutes: ['+1900=60', '+4420=5'] });
    expect(await spec(`/gateways/${of('first')}`)).toMatchObject({ dailyMinutes: ['+1900=100'] });
    expect(await spec(`/gateways/${of('second')}`)).not.toHaveProperty('dailyMinutes');
    expect(await spec(`/domains/${of('domain')}`)).toMatchObject({ context: { dailyMinutes: ['+1=200'] } });
  });

  test('shows what is used today', async () => {
    await use('Agent', 'anna', '+1900', 90);
    await use('Agent', 'anna', '+1900', 1000, today() - 1);
    await use('Agent', 'anna', '+33', 7);
    await use('Gateway', 'anna', '+4420', 7);
    const { data, errors } = await subject().app.graphql<{ agent: { limits: unknown }; gateway: { limits: unknown } }>(
      `query($anna: String!, $second: String!) {
        agent(ref: $anna) { limits { calls dailyMinutes { prefix minutes usedSeconds } } }
        gateway(ref: $second) { limits { calls dailyMinutes { prefix } } } }`,
      { anna: of('anna'), second: of('second') },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      agent: {
        limits: {
          calls: 0,
          dailyMinutes: [
            { prefix: '+1900', minutes: 60, usedSeconds: 90 },
            { prefix: '+4420', minutes: 5, usedSeconds: 0 },
          ],
        },
      },
      gateway: { limits: { calls: 0, dailyMinutes: [] } },
    });
  });

  test('is explained for the numbers to which it applies, and says which one refuses a call', async () => {
    await use('Agent', 'anna', '+1900', 59 * 60 + 59);
    expect(await explain('+1900555')).toMatchObject({
      limits: [
        'limit of agent anna: 59 of 60 minutes to +1900 today',
        'limit of domain Office: 0 of 200 minutes to +1 today',
        'limit of gateway first: 0 of 100 minutes to +1900 today',
      ],
      gateways: ['first', 'second'],
    });
    expect(await explain('+1800555')).toMatchObject({
      limits: ['limit of domain Office: 0 of 200 minutes to +1 today'],
      gateways: ['first', 'second'],
    });
    await use('Gateway', 'first', '+1900', 6000);
    expect(await explain('+1900555')).toMatchObject({ status: null, gateways: ['second'] });
    expect((await explain('+1900555')).limits).toContain(
      'gateway first would be passed over: its limit is reached (100 of 100 minutes to +1900 today)',
    );
    await use('Domain', 'domain', '+1', 12_000);
    expect(await explain('+1800555')).toMatchObject({ status: 503, reason: 'Too Many Minutes a Day of Domain' });
    await runSql(subject().url, 'UPDATE used_minutes SET seconds = 3600 WHERE kind = ?', ['Agent']);
    expect(await explain('+1900555')).toMatchObject({
      status: 486,
      reason: 'Too Many Minutes a Day of Agent',
      gateways: [],
    });
    // Minutes are looked at before the gateways, none of which has TLS.
    for (const number of ['+1900555', '+1900555;phone-context=x.test'])
      expect([number, await explain(`sips:${number}@${HERE}`)]).toMatchObject([
        number,
        { status: 486, reason: 'Too Many Minutes a Day of Agent' },
      ]);
    expect(await explain('112')).toMatchObject({ limits: [], gateways: ['first', 'second'] });
  });
});
