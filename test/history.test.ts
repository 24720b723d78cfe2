import { fetchToken, type TestApp } from './support/app';
import { createAgent, createDid, createDomain, createGateway } from './support/factories';
import { onEachDatabase } from './support/on-each-database';

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
    expect(await at(created)).toMatchObject(one);
    expect(await at(updated)).toMatchObject({ ...one, port: 5070, username: null, secretSet: false });
    expect(await at(deleted)).toBeNull();
    const id = Buffer.from(`Gateway:${ref}`).toString('base64url');
    const node = `{ node(id: "${id}", asOf: "${created}") { id ... on Gateway { name createdOn } } }`;
    expect((await app.graphql(node)).data).toMatchObject({ node: { id, name: 'one' } });
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
