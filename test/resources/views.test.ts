import { fetchToken, startApp, type GraphqlReply } from '../support/app';
import { createUser } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

interface View {
  readonly ref: string;
  readonly list: string;
  readonly name: string;
  readonly content: string;
}

onEachDriver('Views of lists', (subject) => {
  const read = async (token?: string): Promise<readonly Omit<View, 'ref'>[]> => {
    const { data } = await subject().app.graphql<{ views: readonly View[] }>(
      '{ views { list name content } }',
      {},
      { token },
    );
    return data.views;
  };
  const save = (view: Omit<View, 'ref'>, token?: string): Promise<GraphqlReply<{ saveView: View }>> =>
    subject().app.graphql(
      `mutation ($list: String!, $name: String!, $content: String!) {
        saveView(list: $list, name: $name, content: $content) { ref list name content }
      }`,
      { ...view },
      { token },
    );
  const remove = (ref: string, token?: string): Promise<GraphqlReply<unknown>> =>
    subject().app.graphql('mutation ($ref: String!) { deleteView(ref: $ref) }', { ref }, { token });

  test('are saved for one user, replaced by those of the same list and name, and deleted', async () => {
    const { token } = await createUser(subject().app, 'VIEWER');
    const view = { list: 'dids', name: 'Köln 📞', content: '{"search":"filter=%7B%7D"}' };
    const { data, errors } = await save(view, token);
    expect(errors).toBeUndefined();
    expect(data.saveView).toEqual({ ...view, ref: expect.stringMatching(/^vw[0-9a-f]{8}$/) });
    await save({ ...view, list: 'agents' }, token);
    const again = await save({ ...view, content: 'another' }, token);
    expect(again.data.saveView.ref).toBe(data.saveView.ref);
    expect(await read(token)).toEqual([
      { ...view, list: 'agents' },
      { ...view, content: 'another' },
    ]);
    expect(await read()).toEqual([]);
    expect((await remove(data.saveView.ref)).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect((await remove(data.saveView.ref, token)).data).toEqual({ deleteView: data.saveView.ref });
    expect(await read(token)).toEqual([{ ...view, list: 'agents' }]);
  });

  test('are at most 50 of a user, also when they are saved at the same time', async () => {
    const { token } = await createUser(subject().app, 'VIEWER');
    const saved = await Promise.all(
      Array.from({ length: 53 }, (_, n) => save({ list: 'dids', name: `View ${String(n)}`, content: '{}' }, token)),
    );
    const refused = saved.flatMap(({ errors }) => errors ?? []);
    expect(refused.map(({ extensions }) => extensions['code'])).toEqual(Array(3).fill('CONFLICT'));
    expect(await read(token)).toHaveLength(50);
    const first = saved.find(({ errors }) => !errors)?.data;
    const kept = await save({ list: 'dids', name: first?.saveView.name ?? '', content: 'replaced' }, token);
    expect(kept.errors).toBeUndefined();
  });

  test.each([
    [{ name: '' }, 'name: is empty'],
    [{ name: '  ' }, 'name: "  " is not a name'],
    [{ name: 'x'.repeat(61) }, /^name: "x+" is longer than 60 characters$/],
    [{ list: '../dids' }, 'list: "../dids" is not the name of a list'],
    [{ content: '' }, 'content: is empty'],
    [{ content: 'ü'.repeat(2049) }, 'content: has 4098 bytes, more than 4096'],
    [{ content: 'x'.repeat(4097) }, /^content: "x+\.\.\. is longer than 4096 characters$/],
  ])('are refused with %j', async (wrong, message) => {
    const { errors } = await save({ list: 'dids', name: 'Refused', content: '{}', ...wrong });
    expect(errors?.[0]?.message).toMatch(message);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: Object.keys(wrong) });
    expect(await read()).toEqual([]);
  });

  test('go with their user, and are refused to API tokens and without a token', async () => {
    const { app } = subject();
    const { ref, token } = await createUser(app, 'OPERATOR');
    await save({ list: 'dids', name: 'Gone', content: '{}' }, token);
    const { data } = await app.graphql<{ createApiToken: { token: string } }>(
      'mutation { createApiToken(name: "script", role: OPERATOR) { token } }',
      {},
      { token },
    );
    const program = data.createApiToken.token;
    expect(await read(program)).toHaveLength(1);
    for (const [caller, code] of [
      [program, 'FORBIDDEN'],
      [null, 'UNAUTHENTICATED'],
    ] as const) {
      const { errors } = await app.graphql(
        'mutation { saveView(list: "dids", name: "x", content: "{}") { ref } }',
        {},
        { token: caller },
      );
      expect(errors?.[0]?.extensions).toMatchObject({ code });
    }
    const { errors } = await app.graphql('mutation ($ref: String!) { deleteUser(ref: $ref) }', { ref });
    expect(errors).toBeUndefined();
  });
});

test('Views cannot be saved with READ_ONLY=true', async () => {
  const app = await startApp({ READ_ONLY: 'true' });
  const { errors } = await app.graphql(
    'mutation { saveView(list: "dids", name: "x", content: "{}") { ref } }',
    {},
    { token: await fetchToken(app.url, 'admin', app.adminSecret) },
  );
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_SUPPORTED' });
  await app.close();
});
