import { fetchToken, type TestApp } from './support/app';
import { fillDids } from './support/many';
import { onEachDatabase } from './support/on-each-database';

// Matching all of them takes far longer than a request may.
const DIDS = 30_000;
const SLOW_FILTER = Array.from('#$%&~=;:,0123456789', (end) => `@.spec.location.aorLink =~ /.*a.*[!${end}]/`).join(
  ' || ',
);
const SLOW = `{ ${['a', 'b', 'c', 'd'].map((alias) => `${alias}: dids(filter: "${SLOW_FILTER}") { totalCount }`).join(' ')} }`;
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
  }, 120_000);

  test('20 of one user delay neither small nor heavy reads of another, and end with UNAVAILABLE', async () => {
    const { app } = subject();
    const attack = Promise.all(Array.from({ length: 20 }, () => timed(app.graphql(SLOW, {}, { token: hostile }))));
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (let time = 0; time < 10; time++) {
      const [{ data }, milliseconds] = await timed(app.graphql('{ viewer { username } }', {}, { token: other }));
      expect(data).toEqual({ viewer: { username: 'other' } });
      expect(milliseconds).toBeLessThan(2000);
    }
    const contains = '{ dids(filter: "@.spec.location.telUrl contains \\"29999\\"") { totalCount } }';
    const [{ data }, milliseconds] = await timed(app.graphql(contains, {}, { token: other }));
    expect(data).toEqual({ dids: { totalCount: 1 } });
    expect(milliseconds).toBeLessThan(6000);
    for (const [{ errors }, taken] of await attack) {
      expect(taken).toBeLessThan(16_000);
      // A connection is never null, so the first failure stands for all.
      expect(errors?.[0]?.extensions).toEqual({ code: 'UNAVAILABLE', status: 503 });
    }
  }, 90_000);

  test('one that takes too long is 503 with Retry-After in REST, also to who deletes', async () => {
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
  }, 60_000);

  test('more than may wait are refused at once', async () => {
    const { app } = subject();
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => timed(app.graphql(SLOW, {}, { token: hostile }))),
    );
    const messages = new Set(replies.flatMap(([{ errors }]) => errors?.map(({ message }) => message) ?? []));
    expect(messages).toContain('Too many heavy queries are waiting; narrow the filter, or try again later');
    expect(messages).toContain('The query timed out; narrow the filter, or try again later');
    expect(messages.size).toBe(2);
  }, 60_000);

  test('a heavy read sees what was written before it', async () => {
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
});
