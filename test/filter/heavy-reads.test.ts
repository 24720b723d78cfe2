import { fetchToken, type TestApp } from '../support/app';
import { fill, fillDids } from '../support/many';
import { onEachDatabase } from '../support/databases/on-each-database';

// Matching all patterns takes far longer than the time limit.
const DIDS = 30_000;
const SLOW_FILTER = Array.from('#$%&~=;:,0123456789', (end) => `@.spec.location.aorLink =~ /.*a.*[!${end}]/`).join(
  ' || ',
);
const SLOW = `{ ${['a', 'b', 'c', 'd'].map((alias) => `${alias}: dids(filter: "${SLOW_FILTER}") { totalCount }`).join(' ')} }`;
// Takes some tenths of a second.
const FILTER = Array.from('$%&~', (end) => `@.spec.location.aorLink =~ /.*[!${end}]/`).join(' || ');
const BUSY = 'Too many heavy queries are waiting; narrow the filter, or try again later';
const SECRET = 'a long secret';

async function viewer(app: TestApp, username: string): Promise<string> {
  await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
    input: { username, secret: SECRET, role: 'VIEWER' },
  });
  return fetchToken(app.url, username, SECRET);
}

async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const started = performance.now();
  return [await work, performance.now() - started];
}

onEachDatabase('Heavy reads', (subject) => {
  let hostile: string;
  let other: string;

  beforeAll(async () => {
    const { app, url } = subject();
    await fillDids(url, DIDS);
    [hostile, other] = [await viewer(app, 'hostile'), await viewer(app, 'other')];
  });

  test('20 heavy reads of one user do not delay the reads of another, and end with UNAVAILABLE', async () => {
    const { app } = subject();
    const attack = Promise.all(Array.from({ length: 20 }, () => timed(app.graphql(SLOW, {}, { token: hostile }))));
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (let time = 0; time < 10; time++) {
      const [{ data }, milliseconds] = await timed(app.graphql('{ viewer { username } }', {}, { token: other }));
      expect(data).toEqual({ viewer: { username: 'other' } });
      expect(milliseconds).toBeLessThan(6000);
    }
    const contains = '{ dids(filter: "@.spec.location.telUrl contains \\"29999\\"") { totalCount } }';
    const [{ data }, milliseconds] = await timed(app.graphql(contains, {}, { token: other }));
    expect(data).toEqual({ dids: { totalCount: 1 } });
    expect(milliseconds).toBeLessThan(6000);
    const replies = await attack;
    for (const [{ errors }, taken] of replies) {
      expect(taken).toBeLessThan(16_000);
      // A connection cannot be null, so there is one error.
      // Those that waited in vain have not timed out themselves.
      const { timedOut, ...others } = errors?.[0]?.extensions ?? {};
      expect(others).toEqual({ code: 'UNAVAILABLE', status: 503, retryAfter: 8 });
      expect([true, undefined]).toContain(timedOut);
    }
    expect(replies.map(([{ errors }]) => errors?.[0]?.extensions['timedOut'])).toContain(true);
  });

  test('a heavy read that times out is 503 with Retry-After in REST, also for DELETE', async () => {
    const { app } = subject();
    const path = `/dids?filter=${encodeURIComponent(SLOW_FILTER)}`;
    const replies = await Promise.all([app.rest('GET', path, { token: hostile }), app.rest('DELETE', path)]);
    for (const { status, headers, body } of replies) {
      expect(status).toBe(503);
      expect(body).toEqual({ status: '503', message: 'Service unavailable' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const { data } = await app.graphql('{ dids { totalCount } }');
    expect(data).toEqual({ dids: { totalCount: DIDS } });
  });

  test('heavy reads beyond the queue limit are rejected at once', async () => {
    const { app } = subject();
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => timed(app.graphql(SLOW, {}, { token: hostile }))),
    );
    const errors = replies.map(([{ errors }, milliseconds]) => ({ message: errors?.[0]?.message, milliseconds }));
    // The first ones time out after 8 s.
    const early = errors.filter(({ milliseconds }) => milliseconds < 6000);
    expect(early.length).toBeGreaterThan(20);
    expect(new Set(early.map(({ message }) => message))).toEqual(new Set([BUSY]));
    const late = errors.filter(({ milliseconds }) => milliseconds >= 6000).map(({ message }) => message);
    expect(late).toContain('The query timed out; narrow the filter, or try again later');
  });

  test('heavy reads that cannot end in time are rejected as soon as the first one has ended', async () => {
    const { app } = subject();
    const query = 'query ($filter: String) { dids(filter: $filter) { totalCount } }';
    // Each compares another text, so that they share no statement.
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const filter = `${FILTER} || @.metadata.ref == "${String(n)}"`;
        return timed(app.graphql(query, { filter }, { token: other }));
      }),
    );
    const times = (message: string | undefined): number[] =>
      replies.filter(([{ errors }]) => errors?.[0]?.message === message).map(([, milliseconds]) => milliseconds);
    expect(times(undefined).length).toBeGreaterThan(0);
    const rejected = times(BUSY);
    expect(rejected.length).toBeGreaterThan(10);
    expect(Math.max(...rejected)).toBeLessThan(8000);
  });

  test('a heavy read sees earlier writes', async () => {
    const { app } = subject();
    for (let n = 0; n < 20; n++) {
      const telUrl = `tel:+7777${String(n)}`;
      await app.graphql('mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }', {
        input: { telUrl, aorLink: 'sip:x@y.test', gatewayRef: 'gw' },
      });
      const filter = `@.spec.location.telUrl contains "${telUrl}"`;
      const { data } = await app.graphql('query ($filter: String) { dids(filter: $filter) { nodes { telUrl } } }', {
        filter,
      });
      expect(data).toEqual({ dids: { nodes: expect.arrayContaining([{ telUrl }]) } });
    }
  });

  const MANY = Array.from({ length: 1001 }, (_, n) => `10.${String(n >> 8)}.${String(n & 255)}.1`);

  test.each([
    ['Gateway', 'registries', { name: 'x', host: 'x.test', transport: 'UDP', registries: MANY }],
    ['Agent', 'domains', { name: 'x', username: 'x', secret: 'x', domains: MANY }],
    ['Domain', 'accessControlList.allow', { name: 'x', domainUri: 'x.test', accessControlList: { allow: MANY } }],
    ['Domain', 'accessControlList.deny', { name: 'x', domainUri: 'x.test', accessControlList: { deny: MANY } }],
  ])('a %s with more than 1,000 %s is rejected', async (kind, field, input) => {
    const { errors } = await subject().app.graphql(
      `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { ref } }`,
      { input },
    );
    expect(errors?.[0]?.message).toBe(`${field}: has more than 1000 entries`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', status: 400, fields: [field] });
  });

  test.each([
    ['a list outside the model', { tags: MANY }, 'metadata.tags'],
    ['a list inside such a list', { tags: [{ of: MANY }] }, 'metadata.tags.0.of'],
  ])('REST rejects %s with more than 1,000 elements', async (_what, more, path) => {
    const { rest } = subject().app;
    const document = { apiVersion: 'v1beta1', kind: 'Domain', spec: { context: { domainUri: 'y.test' } } };
    const { status, body } = await rest('POST', '/domains', {
      body: { ...document, metadata: { name: 'y', ...more } },
    });
    expect(status).toBe(400);
    expect(body.data).toEqual([`${path}: has more than 1000 entries`]);
    const kept = await rest('POST', '/domains', {
      body: { ...document, metadata: { name: 'y', tags: MANY.slice(0, 1000) } },
    });
    expect([201, 409]).toContain(kept.status);
  });

  test('longer lists that are already stored are returned, and comparing two of them ends in time', async () => {
    const { app, url } = subject();
    const extra = { metadata: { tags: [...MANY, 'last'], others: [...MANY.map((each) => `x${each}`), 'last'] } };
    const columns = 'ref, created_on, modified_on, name, domain_uri, extra';
    await fill(url, 'domains', columns, 1, () => ['longer', 1, 1, 'longer', 'longer.test', JSON.stringify(extra)]);
    const { body } = await app.rest<{ metadata: { tags: string[] } }>('GET', '/domains/longer');
    expect(body.data.metadata.tags).toHaveLength(1002);
    const [{ status, body: found }, milliseconds] = await timed(
      app.rest<{ metadata: { ref: string } }[]>(
        'GET',
        `/domains?filter=${encodeURIComponent('@.metadata.tags anyof @.metadata.others')}`,
      ),
    );
    // The servers may need more than the time that a query has.
    expect([200, 503]).toContain(status);
    if (status === 200) expect(found.data.map(({ metadata }) => metadata.ref)).toEqual(['longer']);
    expect(milliseconds).toBeLessThan(20_000);
  });
});
