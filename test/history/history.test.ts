import { fetchToken, type TestApp } from '../support/app';
import { createAgent, createDid, createDomain, createGateway, operatorToken } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

/** An entry of the history, as the tests read it. */
interface Entry {
  readonly entry: string;
  readonly event: string;
  readonly kind: string;
  readonly ref: string;
  readonly request: string;
  readonly address: string | null;
  readonly who: { readonly username: string } | null;
  readonly reverts: string | null;
}

const FIELDS =
  'entry at event kind ref way request address reverts who { username ref } changes { field before after isSecret }';

async function historyOf(app: TestApp, where: string, token?: string): Promise<readonly Entry[]> {
  const { data, errors } = await app.graphql<{ history: { nodes: Entry[] } }>(
    `{ history(where: ${where}) { nodes { ${FIELDS} } } }`,
    {},
    { token },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.history.nodes;
}

/** The number of the newest entry on a resource. */
async function newest(app: TestApp, ref: string): Promise<string> {
  return (await historyOf(app, `{ ref: "${ref}" }`))[0]?.entry ?? '';
}

/** Waits until the clock has moved on, and returns the time. */
async function moment(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const at = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  return at;
}

onEachDatabase('The history', (subject) => {
  test('counts a change at once', async () => {
    const { app } = subject();
    const ref = await createGateway(app);
    const count = `{ history(where: { ref: "${ref}" }) { totalCount } }`;
    for (const changes of [2, 3, 4]) {
      await app.graphql(`mutation { updateGateway(ref: "${ref}", input: { note: "${String(changes)}" }) { ref } }`);
      expect((await app.graphql(count)).data).toEqual({ history: { totalCount: changes } });
    }
  });

  test('tells who changed a resource and what, newest first, page by page', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'one', username: 'u', secret: 'a secret' });
    await app.graphql(`mutation { updateGateway(ref: "${ref}", input: { name: "two", secret: "other" }) { ref } }`);
    const other = await createGateway(app);
    const page = `history(first: 1) { totalCount pageInfo { hasNextPage endCursor } nodes { ${FIELDS} resource { ref } } }`;
    const { data } = await app.graphql<{ gateways: { nodes: { ref: string; history: unknown }[] } }>(
      `{ gateways(first: 100) { nodes { ref ${page} } } }`,
    );
    const found = data.gateways.nodes.find((each) => each.ref === ref)?.history;
    const [secret] = (await historyOf(app, `{ ref: "${ref}" }`)).slice(0, 1);
    expect(found).toMatchObject({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      nodes: [
        {
          event: 'UPDATED',
          kind: 'Gateway',
          way: 'GRAPHQL',
          who: { username: 'admin' },
          resource: { ref },
          changes: [
            { field: 'name', before: 'one', after: 'two', isSecret: false },
            { field: 'secret', isSecret: true, before: expect.stringMatching(/^[0-9a-f]{8}$/) },
          ],
        },
      ],
    });
    expect(secret?.event).toBe('UPDATED');
    const { endCursor } = (found as { pageInfo: { endCursor: string } }).pageInfo;
    const next = await app.graphql<{ gateway: { history: { nodes: Entry[] } } }>(
      `{ gateway(ref: "${ref}") { history(after: "${endCursor}") { nodes { event } } } }`,
    );
    expect(next.data.gateway.history.nodes).toEqual([{ event: 'CREATED' }]);
    expect((await historyOf(app, `{ ref: "${other}" }`)).map(({ event }) => event)).toEqual(['CREATED']);
  });

  test('finds entries by each condition and by several', async () => {
    const { app } = subject();
    const start = await moment();
    const ref = await createGateway(app);
    const rest = await app.rest('DELETE', `/gateways/${ref}`);
    const request = rest.headers.get('x-request-id') ?? '';
    const end = await moment();
    const span = `from: "${start}", to: "${end}"`;
    const events = async (where: string): Promise<readonly string[]> =>
      (await historyOf(app, `{ ${where} }`)).map(({ event }) => event);
    expect(await events(span)).toEqual(['DELETED', 'CREATED']);
    expect(await events(`request: "${request}"`)).toEqual(['DELETED']);
    expect(await events(`${span}, way: REST`)).toEqual(['DELETED']);
    expect(await events(`${span}, event: CREATED`)).toEqual(['CREATED']);
    expect(await events(`${span}, user: "admin", kind: Gateway, way: GRAPHQL`)).toEqual(['CREATED']);
    expect(await events(`${span}, user: "nobody"`)).toEqual([]);
    expect(await events(`from: "${end}"`)).toEqual([]);
    const { data } = await app.graphql<{ history: { totalCount: number } }>(
      `{ history(where: { ${span} }) { totalCount } }`,
    );
    expect(data.history.totalCount).toBe(2);
  });

  test('shows viewers neither addresses nor users, and operators no users', async () => {
    const { app } = subject();
    const tokens: string[] = [];
    for (const role of ['VIEWER', 'OPERATOR']) {
      await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
        input: { username: `history-${role}`, secret: 'a good secret', role },
      });
      tokens.push(await fetchToken(app.url, `history-${role}`, 'a good secret'));
    }
    await createGateway(app);
    const [viewer, operator] = tokens;
    expect((await historyOf(app, '{ kind: Gateway }', viewer))[0]).toMatchObject({
      address: null,
      who: { username: 'admin' },
    });
    expect((await historyOf(app, '{ kind: Gateway }', operator))[0]?.address).toBe('127.0.0.1');
    expect((await historyOf(app, '{ kind: User, event: CREATED }'))[0]).toMatchObject({ kind: 'User' });
    expect((await historyOf(app, '{}', operator)).some(({ kind }) => kind === 'User')).toBe(false);
    const query = '{ history(where: { kind: User }) { nodes { ref } } }';
    for (const token of tokens)
      expect((await app.graphql(query, {}, { token })).errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
    const revert = await app.graphql('mutation { revert(entry: "1") { ref } }', {}, { token: viewer });
    expect(revert.errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
  });

  test('returns resources as they were at a time, also deleted ones', async () => {
    const { app } = subject();
    const before = await moment();
    const ref = await createGateway(app, { name: 'one', host: 'past.test', username: 'u', secret: 'a secret' });
    const created = await moment();
    await app.graphql(
      `mutation { updateGateway(ref: "${ref}", input: { username: null, secret: null, port: 5070 }) { ref } }`,
    );
    const updated = await moment();
    await app.graphql(`mutation { deleteGateway(ref: "${ref}") }`);
    const deleted = await moment();
    const at = async (asOf: string): Promise<unknown> => {
      const { data, errors } = await app.graphql<{ gateway: { id: string } | null }>(
        `{ gateway(ref: "${ref}", asOf: "${asOf}") { id ref name host port username secretSet transport } }`,
      );
      expect(errors).toBeUndefined();
      return data.gateway;
    };
    expect(await at(before)).toBeNull();
    const one = { ref, name: 'one', host: 'past.test', port: null, username: 'u', secretSet: true, transport: 'UDP' };
    const id = Buffer.from(`Gateway:${ref}`).toString('base64url');
    expect(await at(created)).toMatchObject({ ...one, id });
    expect(await at(updated)).toMatchObject({ ...one, port: 5070, username: null, secretSet: false });
    expect(await at(deleted)).toBeNull();
    const links = await app.graphql(`{ gateway(ref: "${ref}", asOf: "${created}") { dids { totalCount } } }`);
    expect(links.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['asOf'] });
  });

  test('reverts an update, a creation and a deletion, with entries that say so', async () => {
    const { app } = subject();
    for (const domainUri of ['r1.test', 'r2.test']) await createDomain(app, { domainUri });
    const ref = await createAgent(app, { name: 'one', domains: ['r2.test', 'r1.test'] });
    await app.graphql(`mutation { updateAgent(ref: "${ref}", input: { name: "two", domains: ["r1.test"] }) { ref } }`);
    const update = await newest(app, ref);
    const dry = await app.graphql(
      `mutation { revert(entry: "${update}", dryRun: true) { event changes { field after } } }`,
    );
    expect(dry.data).toEqual({
      revert: [
        {
          event: 'UPDATED',
          changes: [
            { field: 'name', after: 'one' },
            { field: 'domains', after: '["r2.test","r1.test"]' },
          ],
        },
      ],
    });
    const read = async (): Promise<unknown> =>
      (await app.graphql(`{ agents(where: { ref: { eq: "${ref}" } }) { nodes { id name domains { domainUri } } } }`))
        .data;
    const agent = (name: string, ...domains: string[]) => ({
      agents: { nodes: [{ id: expect.any(String), name, domains: domains.map((domainUri) => ({ domainUri })) }] },
    });
    expect(await read()).toEqual(agent('two', 'r1.test'));
    const done = await app.graphql(`mutation { revert(entry: "${update}") { entry event ref } }`);
    expect(done.data).toEqual({ revert: [{ entry: update, event: 'UPDATED', ref }] });
    expect(await read()).toEqual(agent('one', 'r2.test', 'r1.test'));
    expect((await historyOf(app, `{ ref: "${ref}" }`))[0]).toMatchObject({ event: 'UPDATED', reverts: update });
    expect((await app.graphql(`mutation { revert(entry: "${update}") { ref } }`)).data).toEqual({ revert: [] });

    await app.graphql(`mutation { deleteAgent(ref: "${ref}") }`);
    const deletion = await newest(app, ref);
    const without = await app.graphql(`mutation { revert(entry: "${deletion}") { ref } }`);
    expect(without.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['secret'] });
    const secrets = '[{ field: "secret", value: "new secret" }]';
    const back = await app.graphql(`mutation { revert(entry: "${deletion}", secrets: ${secrets}) { event ref } }`);
    expect(back).toMatchObject({ errors: undefined, data: { revert: [{ event: 'CREATED', ref }] } });
    expect(await read()).toEqual(agent('one', 'r2.test', 'r1.test'));
    const creation = await newest(app, ref);
    expect((await app.graphql(`mutation { revert(entry: "${creation}") { event } }`)).data).toEqual({
      revert: [{ event: 'DELETED' }],
    });
    expect(await read()).toEqual({ agents: { nodes: [] } });
  });

  test('reverts changes of secrets one after the other, and tells nothing about a guess of an old secret', async () => {
    const { app } = subject();
    const ref = await createAgent(app, { secret: 'the first one' });
    const set = async (secret: string): Promise<string> => {
      await app.graphql(`mutation { updateAgent(ref: "${ref}", input: { secret: "${secret}" }) { ref } }`);
      return newest(app, ref);
    };
    const revert = async (entry: string, secret: string, dryRun = false) => {
      const secrets = `[{ field: "secret", value: "${secret}" }]`;
      const { data, errors } = await app.graphql<{ revert: unknown } | null>(
        `mutation { revert(entry: "${entry}", secrets: ${secrets}, dryRun: ${String(dryRun)}) { event } }`,
      );
      return errors?.[0]?.extensions['code'] ?? data?.revert;
    };
    const [second, third] = [await set('the second one'), await set('the third one')];
    const updated = [{ event: 'UPDATED' }];
    expect(await revert(second, 'the first one')).toBe('CONFLICT');
    expect(await revert(third, 'the second one')).toEqual(updated);
    const undone = await newest(app, ref);
    expect(await revert(third, 'the second one')).toEqual([]);
    expect(await revert(second, 'the first one', true)).toEqual(updated);
    expect(await revert(undone, 'the third one')).toEqual(updated);
    expect(await revert(second, 'the first one', true)).toBe('CONFLICT');
    for (const guess of ['the first one', 'the second one', 'a wrong one']) {
      await set(guess);
      expect(await revert(second, 'the first one', true)).toBe('CONFLICT');
      expect(await revert(third, 'the second one', true)).toBe('CONFLICT');
    }
  });

  test('reverts all changes of a secret by one request, and does not tell whether a guess of the secret is right', async () => {
    const { app } = subject();
    const domain = await createDomain(app, { domainUri: 'guess.test' });
    const input = '{ ref: "guessed", name: "a", username: "a", domains: ["guess.test"], secret: "the first one" }';
    const { headers, errors } = await app.graphql(`mutation {
      a: createAgent(input: ${input}) { ref }
      b: updateAgent(ref: "guessed", input: { secret: "the second one" }) { ref }
      c: updateAgent(ref: "guessed", input: { secret: "the third one" }) { ref }
    }`);
    expect(errors).toBeUndefined();
    const id = headers.get('x-request-id') ?? '';
    const changed = [{ event: 'UPDATED' }, { event: 'UPDATED' }, { event: 'DELETED' }];
    for (const [guess, dryRun] of [
      ['a wrong one', true],
      ['the third one', true],
      ['the third one', false],
    ] as const) {
      const secrets = `[{ field: "secret", value: "${guess}" }]`;
      const reverted = await app.graphql(
        `mutation { revertRequest(id: "${id}", secrets: ${secrets}, dryRun: ${String(dryRun)}) { event } }`,
      );
      expect(reverted).toMatchObject({ errors: undefined, data: { revertRequest: changed } });
    }
    expect((await app.graphql(`{ domain(ref: "${domain}") { agents { totalCount } } }`)).data).toEqual({
      domain: { agents: { totalCount: 0 } },
    });
  });

  test('brings a deleted resource back with the members that only REST knows', async () => {
    const { app } = subject();
    const document = (name: string) => ({
      kind: 'Gateway',
      metadata: { name, note: { deep: [1] } },
      spec: { host: 'members.test', transport: 'udp' },
    });
    const created = await app.rest<string>('POST', '/gateways', { body: document('one') });
    const ref = created.body.data;
    const before = (await app.rest('GET', `/gateways/${ref}`)).body.data;
    await app.rest('DELETE', `/gateways/${ref}`);
    await app.graphql(`mutation { revert(entry: "${await newest(app, ref)}") { ref } }`);
    const after = (await app.rest('GET', `/gateways/${ref}`)).body.data;
    const modifiedOn = expect.any(String);
    expect(after).toEqual({
      ...(before as object),
      metadata: { ...(before as { metadata: object }).metadata, modifiedOn },
    });
  });

  test('keeps no secrets among the members that only REST knows, and a revert of an update leaves them as they are', async () => {
    const { app, url } = subject();
    const document = (note: string, apiKey: string) => ({
      kind: 'Gateway',
      metadata: { name: 'extra', note, apiKey, list: [{ password: 'word of a list' }] },
      spec: { host: 'extra.test', transport: 'udp' },
    });
    const ref = (await app.rest<string>('POST', '/gateways', { body: document('one', 'the first key') })).body.data;
    const read = async (): Promise<unknown> =>
      (await app.rest<{ metadata: unknown }>('GET', `/gateways/${ref}`)).body.data.metadata;
    const revert = async (): Promise<unknown> =>
      (await app.graphql(`mutation { revert(entry: "${await newest(app, ref)}") { event } }`)).data;
    const creation = await newest(app, ref);
    await app.rest('PUT', `/gateways/${ref}`, { body: document('one', 'the second key') });
    // The second key would be lost.
    const refused = await app.graphql(`mutation { revert(entry: "${creation}") { event } }`);
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', fields: ['extra'] });
    await app.rest('PUT', `/gateways/${ref}`, { body: document('two', 'the second key') });
    expect(await revert()).toEqual({ revert: [{ event: 'UPDATED' }] });
    expect(await read()).toMatchObject(document('one', 'the second key').metadata);
    await app.rest('DELETE', `/gateways/${ref}`);
    expect(await revert()).toEqual({ revert: [{ event: 'CREATED' }] });
    expect(await read()).toMatchObject({ name: 'extra', note: 'one' });
    expect(await read()).not.toHaveProperty('apiKey');
    const entries = JSON.stringify(await runSql(url, 'SELECT details FROM changes'));
    for (const secret of ['the first key', 'the second key', 'word of a list']) expect(entries).not.toContain(secret);
  });

  test('refuses a revert that would lose a later change, or whose references or keys are taken', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app, { name: 'one', host: 'taken.test' });
    const creation = await newest(app, gatewayRef);
    const change = (name: string): Promise<unknown> =>
      app.graphql(`mutation { updateGateway(ref: "${gatewayRef}", input: { name: "${name}" }) { ref } }`);
    const codeOf = async (entry: string): Promise<unknown> => {
      const { errors } = await app.graphql(`mutation { revert(entry: "${entry}") { ref } }`);
      const { code, fields } = errors?.[0]?.extensions ?? {};
      return [code, fields];
    };
    await change('two');
    const update = await newest(app, gatewayRef);
    await change('three');
    expect(await codeOf(update)).toEqual(['CONFLICT', ['name']]);
    expect(await codeOf(creation)).toEqual(['CONFLICT', ['name']]);
    await change('one');
    const did = await createDid(app, { gatewayRef });
    expect(await codeOf(creation)).toEqual(['DEPENDENT_OBJECTS', undefined]);
    await app.graphql(`mutation { deleteDID(ref: "${did}") deleteGateway(ref: "${gatewayRef}") }`);
    expect(await codeOf(await newest(app, did))).toEqual(['UNFULFILLED_DEPENDENCY', ['gatewayRef']]);
    const deletion = await newest(app, gatewayRef);
    await createGateway(app, { host: 'taken.test' });
    expect(await codeOf(deletion)).toEqual(['CONFLICT', ['host']]);
    expect(await codeOf('999999999')).toEqual(['NOT_FOUND', ['entry']]);
    expect(await codeOf('x')).toEqual(['BAD_USER_INPUT', ['entry']]);
    const [user] = await historyOf(app, '{ kind: User }');
    expect(await codeOf(user?.entry ?? '')).toEqual(['NOT_SUPPORTED', undefined]);
    // Operators are not told that there is an entry that they do not see.
    const token = await operatorToken(app);
    const hidden = await app.graphql(`mutation { revert(entry: "${user?.entry ?? ''}") { ref } }`, {}, { token });
    expect(hidden.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', fields: ['entry'] });
  });

  test('does not undo a resource that was created again later with the same reference', async () => {
    const { app } = subject();
    const create = async (name = 'one'): Promise<string> => {
      await createGateway(app, { ref: 'again', name, host: 'again.test' });
      return newest(app, 'again');
    };
    const revert = async (entry: string): Promise<unknown> => {
      const { data, errors } = await app.graphql<{ revert: unknown } | null>(
        `mutation { revert(entry: "${entry}") { event } }`,
      );
      return errors?.[0]?.message ?? data?.revert;
    };
    const first = await create();
    await app.graphql('mutation { updateGateway(ref: "again", input: { port: 5070 }) { ref } }');
    const update = await newest(app, 'again');
    await app.graphql('mutation { deleteGateway(ref: "again") }');
    const deletion = await newest(app, 'again');
    const second = await create();
    const another = 'Gateway "again": ref was created again later';
    for (const entry of [first, update]) expect(await revert(entry)).toBe(another);
    // Each in turn, the newest first, is possible.
    for (const [entry, event] of [
      [second, 'DELETED'],
      [deletion, 'CREATED'],
      [update, 'UPDATED'],
      [first, 'DELETED'],
    ] as const)
      expect(await revert(entry)).toEqual([{ event }]);
    expect(await revert(second)).toEqual([]);
  });

  test('reverts a request that created a resource twice', async () => {
    const { app } = subject();
    const input = '{ ref: "twice", name: "a", host: "twice.test", transport: UDP }';
    const { headers } = await app.graphql(`mutation {
      a: createGateway(input: ${input}) { ref }
      b: deleteGateway(ref: "twice")
      c: createGateway(input: ${input}) { ref }
    }`);
    const { data } = await app.graphql(
      `mutation { revertRequest(id: "${headers.get('x-request-id') ?? ''}") { event } }`,
    );
    expect(data).toEqual({ revertRequest: [{ event: 'DELETED' }, { event: 'CREATED' }, { event: 'DELETED' }] });
  });

  test('refuses a request that changed a user, too, because a user cannot be reverted', async () => {
    const { app } = subject();
    const { headers } = await app.graphql(`mutation {
      a: createGateway(input: { ref: "beside", name: "a", host: "beside.test", transport: UDP }) { ref }
      b: createUser(input: { username: "beside", secret: "a good secret", role: VIEWER }) { ref }
    }`);
    const { errors } = await app.graphql(
      `mutation { revertRequest(id: "${headers.get('x-request-id') ?? ''}") { event } }`,
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_SUPPORTED' });
    expect(errors?.[0]?.message).toContain('did not only change resources');
    expect((await app.graphql('{ gateway(ref: "beside") { ref } }')).data).toEqual({ gateway: { ref: 'beside' } });
  });

  test('reverts all that a request did, or nothing', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app, { name: 'old' });
    const { headers } = await app.graphql(`mutation {
      a: createGateway(input: { ref: "whole", name: "a", host: "whole.test", transport: UDP }) { ref }
      b: updateGateway(ref: "${gatewayRef}", input: { name: "new" }) { ref }
      c: createDID(input: { ref: "part", telUrl: "tel:+4922", aorLink: "sip:a@b.test", gatewayRef: "whole" }) { ref }
      d: updateGateway(ref: "whole", input: { name: "b" }) { ref }
    }`);
    const id = headers.get('x-request-id') ?? '';
    await app.graphql(`mutation { updateGateway(ref: "${gatewayRef}", input: { name: "newer" }) { ref } }`);
    const refused = await app.graphql(`mutation { revertRequest(id: "${id}") { ref } }`);
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
    const both =
      '{ gateways(where: { ref: { in: ["whole"] } }) { totalCount } dids(where: { ref: { eq: "part" } }) { totalCount } }';
    expect((await app.graphql(both)).data).toEqual({ gateways: { totalCount: 1 }, dids: { totalCount: 1 } });
    await app.graphql(`mutation { updateGateway(ref: "${gatewayRef}", input: { name: "new" }) { ref } }`);
    const done = await app.graphql<{ revertRequest: unknown[] }>(
      `mutation { revertRequest(id: "${id}") { event ref } }`,
    );
    expect(done.data.revertRequest).toEqual([
      { event: 'UPDATED', ref: 'whole' },
      { event: 'DELETED', ref: 'part' },
      { event: 'UPDATED', ref: gatewayRef },
      { event: 'DELETED', ref: 'whole' },
    ]);
    expect((await app.graphql(both)).data).toEqual({ gateways: { totalCount: 0 }, dids: { totalCount: 0 } });
    expect((await app.graphql(`{ gateway(ref: "${gatewayRef}") { name } }`)).data).toEqual({
      gateway: { name: 'old' },
    });
  });
});
