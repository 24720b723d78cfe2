import { createDomain, createGateway, createNumber } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

onEachDatabase('At the same time', (subject) => {
  async function codeOf(mutation: string, input?: object): Promise<string> {
    const kind = /create(\w+)/.exec(mutation)?.[1] ?? '';
    const { errors } = await subject().app.graphql(
      input
        ? `mutation ($input: Create${kind}Input!) { ${mutation}(input: $input) { ref } }`
        : `mutation { ${mutation} }`,
      { input },
    );
    return errors ? String(errors[0]?.extensions['code']) : 'OK';
  }

  const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  const tally = (codes: readonly string[]): Record<string, number> =>
    Object.fromEntries([...new Set(codes)].sort().map((code) => [code, codes.filter((each) => each === code).length]));

  test('fifty creates of the same DID, over both protocols, give one success and 49 conflicts', async () => {
    const gatewayRef = await createGateway(subject().app);
    const [telUrl, aorLink] = ['tel:+1555', 'sip:a@b'];
    const codes = await times(50, async (index) => {
      if (index % 2 === 0) return codeOf('createDID', { gatewayRef, telUrl, aorLink });
      const body = { kind: 'DID', metadata: { gwRef: gatewayRef }, spec: { location: { telUrl, aorLink } } };
      const { status } = await subject().app.rest('POST', '/dids', { body });
      return { 201: 'OK', 409: 'CONFLICT' }[status] ?? String(status);
    });
    expect(tally(codes)).toEqual({ CONFLICT: 49, OK: 1 });
  });

  test.each<[string, object]>([
    ['createGateway', { name: 'x', host: 'race.test', transport: 'UDP' }],
    ['createAgent', { name: 'x', username: 'race', secret: 's', domains: ['race.domain.test', 'race2.domain.test'] }],
    ['createPeer', { name: 'x', username: 'race', secret: 's' }],
    ['createDomain', { name: 'x', domainUri: 'raced.test' }],
    ['createUser', { username: 'race', secret: 'long enough', role: 'VIEWER' }],
  ])('twenty times the same %s succeeds once', async (mutation, input) => {
    if (mutation === 'createAgent') {
      await createDomain(subject().app, { domainUri: 'race.domain.test' });
      await createDomain(subject().app, { domainUri: 'race2.domain.test' });
    }
    expect(tally(await times(20, () => codeOf(mutation, input)))).toEqual({ CONFLICT: 19, OK: 1 });
  });

  test('deleting a gateway while DIDs are created on it never leaves a DID without a gateway', async () => {
    const { app, url } = subject();
    for (let round = 0; round < 12; round++) {
      const gatewayRef = await createGateway(app);
      const codes = await times(12, (index) =>
        index === round
          ? codeOf(`deleteGateway(ref: "${gatewayRef}")`)
          : codeOf('createDID', { gatewayRef, telUrl: `tel:+2${String(round)}00${String(index)}`, aorLink: 'sip:a@b' }),
      );
      for (const code of codes) expect(['OK', 'UNFULFILLED_DEPENDENCY', 'DEPENDENT_OBJECTS']).toContain(code);
    }
    const orphans = await runSql(
      url,
      'SELECT COUNT(*) FROM numbers n LEFT JOIN gateways g ON g.id = n.gateway_id WHERE g.id IS NULL',
    );
    expect(Number(orphans[0]?.[0])).toBe(0);
  });

  test('deleting a domain or a number while a reference to it is created succeeds, or the reference does', async () => {
    const { app } = subject();
    for (let round = 0; round < 8; round++) {
      const domainUri = `raced${String(round)}.test`;
      const domain = await createDomain(app, { domainUri });
      const number = await createNumber(app);
      const codes = await Promise.all([
        codeOf('createAgent', { name: 'x', username: 'x', secret: 's', domains: [domainUri] }),
        codeOf(`deleteDomain(ref: "${domain}")`),
        codeOf('createDomain', {
          name: 'x',
          domainUri: `e${domainUri}`,
          egressPolicy: { rule: '.*', numberRef: number },
        }),
        codeOf(`deleteNumber(ref: "${number}")`),
      ]);
      for (const pair of [codes.slice(0, 2), codes.slice(2)]) {
        expect([
          ['OK', 'DEPENDENT_OBJECTS'],
          ['UNFULFILLED_DEPENDENCY', 'OK'],
        ]).toContainEqual(pair);
      }
    }
  });

  test('when two admins demote each other, one remains', async () => {
    const { app } = subject();
    const { data } = await app.graphql<{ viewer: { ref: string }; createUser: { ref: string } }>('{ viewer { ref } }');
    const { data: made } = await app.graphql<{ createUser: { ref: string } }>(
      'mutation { createUser(input: { username: "second", secret: "long enough", role: ADMIN }) { ref } }',
    );
    const codes = await Promise.all(
      [data.viewer.ref, made.createUser.ref].map((ref) => codeOf(`setUserRole(ref: "${ref}", role: VIEWER) { ref }`)),
    );
    expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
  });
});
