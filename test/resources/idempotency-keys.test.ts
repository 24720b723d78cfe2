import { startApp, fetchToken, type GraphqlReply, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const CREATE = 'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref name } }';
let made = 0;

/** A new input, and a new key. */
function fresh(): { readonly input: Record<string, unknown>; readonly key: string; readonly document: object } {
  const name = `g${String(++made)}`;
  const host = `${name}.test`;
  return {
    key: `key-${name}`,
    input: { name, host, transport: 'UDP' },
    document: { kind: 'Gateway', metadata: { name }, spec: { host, transport: 'udp' } },
  };
}

async function graphql(
  app: TestApp,
  key: string,
  query: string,
  variables: object,
  token?: string,
): Promise<Pick<GraphqlReply<Record<string, { readonly ref: string }>>, 'data' | 'errors'>> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      authorization: `Bearer ${token ?? (await app.token())}`,
    },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Awaited<ReturnType<typeof graphql>>;
}

const post = (app: TestApp, key: string, body: unknown, headers: Record<string, string> = {}) =>
  app.rest<string>('POST', '/gateways', { body, headers: { 'idempotency-key': key, ...headers } });

onEachDriver('Idempotency keys', (subject) => {
  const count = async (name: unknown): Promise<unknown> => {
    const sql = `SELECT COUNT(*) FROM gateways WHERE name = '${String(name)}'`;
    return (await runSql(subject().url, sql))[0]?.[0];
  };

  test('a repeated create returns the resource of the first one, with another selection, too', async () => {
    const { app } = subject();
    const { key, input } = fresh();
    const first = await graphql(app, key, CREATE, { input });
    const { ref } = first.data['createGateway'] ?? {};
    expect(first).toEqual({ data: { createGateway: { ref: expect.any(String), name: input['name'] } } });
    expect(await graphql(app, key, CREATE, { input: Object.fromEntries(Object.entries(input).reverse()) })).toEqual(
      first,
    );
    const other = CREATE.replace('ref name', 'ref dids { totalCount }');
    expect(await graphql(app, key, other, { input })).toEqual({
      data: { createGateway: { ref, dids: { totalCount: 0 } } },
    });
    expect(await count(input['name'])).toBe(1);
  });

  test('a repeated POST returns the same response, even if the resource was deleted', async () => {
    const { app } = subject();
    const { key, document } = fresh();
    const first = await post(app, key, document);
    expect(first.status).toBe(201);
    expect(await post(app, key, document)).toMatchObject({ status: 201, text: first.text });
    await app.rest('DELETE', `/gateways/${first.body.data}`);
    expect(await post(app, key, document)).toMatchObject({ status: 201, text: first.text });
  });

  test('after the resource was deleted, GraphQL returns NOT_FOUND', async () => {
    const { app } = subject();
    const { key, input } = fresh();
    const { data } = await graphql(app, key, CREATE, { input });
    await app.rest('DELETE', `/gateways/${data['createGateway']?.ref ?? ''}`);
    const { errors } = await graphql(app, key, CREATE, { input });
    expect(errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
  });

  test('concurrent creates with a key and concurrent repetitions return the same resource', async () => {
    const { app } = subject();
    const { key, input } = fresh();
    const send = () => Promise.all(Array.from({ length: 8 }, () => graphql(app, key, CREATE, { input })));
    const answers = [...(await send()), ...(await send())];
    expect(new Set(answers.map(({ data }) => data['createGateway']?.ref)).size).toBe(1);
    expect(await count(input['name'])).toBe(1);
  });

  test('of concurrent creates with a key, on two processes and beside others, one creates', async () => {
    const { app, url } = subject();
    const other = await startApp({ DATABASE_URL: url });
    const { key, document } = fresh();
    const beside = Array.from({ length: 10 }, () => app.rest('POST', '/gateways', { body: fresh().document }));
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(index % 2 === 0 ? app : other, key, document)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    for (const { status } of await Promise.all(beside)) expect(status).toBe(201);
    expect(await count((document as { metadata: { name: string } }).metadata.name)).toBe(1);
    await other.close();
  });

  test('a key that was used for another request is refused with 422 in both protocols', async () => {
    const { app } = subject();
    const [{ key, document }, { input }, other] = [fresh(), fresh(), fresh()];
    await post(app, key, document);
    const { status, body } = await post(app, key, other.document);
    expect([status, body]).toEqual([
      422,
      { status: '422', message: 'Bad Request', data: ['Idempotency-Key: was already used for another request'] },
    ]);
    const own = `${key}-graphql`;
    await graphql(app, own, CREATE, { input });
    const { errors } = await graphql(app, own, CREATE, { input: other.input });
    expect(errors?.[0]).toMatchObject({
      message: 'Idempotency-Key: was already used for another request',
      extensions: { code: 'BAD_USER_INPUT', status: 422 },
    });
    expect(await count(other.input['name'])).toBe(0);
  });

  test('a create that fails does not use up its key', async () => {
    const { app } = subject();
    const { key, document } = fresh();
    const withRef = { ...document, metadata: { name: 'Given', ref: 'gwgivenbefore' } };
    const { ref: taken } = { ref: (await post(app, `${key}-1`, withRef)).body.data };
    const failed = await Promise.all([post(app, key, withRef), post(app, `${key}-2`, fresh().document)]);
    expect(failed.map(({ status }) => status)).toEqual([409, 201]);
    await app.rest('DELETE', `/gateways/${taken}`);
    expect((await post(app, key, withRef)).status).toBe(201);
  });

  test('users do not share keys', async () => {
    const { app } = subject();
    const user = { username: 'keyholder', secret: 'a long secret', role: 'OPERATOR' };
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input: user });
    const token = await fetchToken(app.url, user.username, user.secret);
    const [{ key, input }, own] = [fresh(), fresh()];
    const refs = [
      await graphql(app, key, CREATE, { input }),
      await graphql(app, key, CREATE, { input: own.input }, token),
    ];
    expect(new Set(refs.map(({ data }) => data['createGateway']?.ref)).size).toBe(2);
  });

  test('a document with several creates can be repeated as a whole', async () => {
    const { app } = subject();
    const [a, b] = [fresh(), fresh()];
    const document = `mutation ($a: CreateGatewayInput!, $b: CreateGatewayInput!) {
      a: createGateway(input: $a) { ref } b: createGateway(input: $b) { ref }
    }`;
    const first = await graphql(app, a.key, document, { a: a.input, b: b.input });
    expect(first.data['a']?.ref).not.toBe(first.data['b']?.ref);
    expect(await graphql(app, a.key, document, { a: a.input, b: b.input })).toEqual(first);
  });

  test('a form with several documents can be repeated', async () => {
    const { app } = subject();
    const documents = [fresh().document, fresh().document];
    const upload = async (): Promise<unknown> => {
      const form = new FormData();
      form.append('file', documents.map((each) => JSON.stringify(each)).join('\n---\n'));
      const response = await fetch(`${app.url}/api/v1beta1/gateways?token=${await app.token()}`, {
        method: 'POST',
        headers: { 'idempotency-key': 'a-form' },
        body: form,
      });
      return [response.status, await response.json()];
    };
    const first = await upload();
    expect(first).toEqual([201, { status: '201', message: 'Created', data: [expect.any(String), expect.any(String)] }]);
    expect(await upload()).toEqual(first);
  });

  test.each(['x'.repeat(256), 'with space'])('the key %s is invalid', async (key) => {
    const { app } = subject();
    const { input, document } = fresh();
    expect(await post(app, key, document)).toMatchObject({
      status: 400,
      body: { data: ['Idempotency-Key: must have 1 to 255 visible ASCII characters'] },
    });
    const { errors } = await graphql(app, key, CREATE, { input });
    expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test('keys are deleted after a day', async () => {
    const { app, url } = subject();
    const [old, recent] = [fresh(), fresh()];
    const first = await post(app, old.key, old.document);
    await runSql(url, 'UPDATE idempotency_keys SET created_on = created_on - 86500');
    const kept = await post(app, recent.key, recent.document);
    const other = await startApp({ DATABASE_URL: url });
    await eventually(5, async () => expect(await runSql(url, 'SELECT COUNT(*) FROM idempotency_keys')).toEqual([[1]]));
    await other.close();
    expect((await post(app, recent.key, recent.document)).text).toBe(kept.text);
    expect((await post(app, old.key, old.document)).text).not.toBe(first.text);
  });
});
