import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
  createUser,
} from '../support/factories';
import type { GraphqlReply, TestApp } from '../support/app';
import { onEachDatabase } from '../support/databases/on-each-database';
import { measureGateway, registerContact } from '../support/databases/sql';

type Row = Readonly<Record<string, unknown>>;

const reply = (app: TestApp, text: string, variables: Row = {}, token?: string): Promise<GraphqlReply<Row>> =>
  app.graphql<Row>(text, variables, { token });

async function answer(app: TestApp, text: string, variables: Row = {}): Promise<Row> {
  const { data, errors } = await reply(app, text, variables);
  expect(errors).toBeUndefined();
  return data;
}

/** The only error of a mutation that is refused. */
async function refusal(app: TestApp, text: string, variables: Row = {}, token?: string): Promise<Row> {
  const { errors = [] } = await reply(app, text, variables, token);
  expect(errors).toHaveLength(1);
  return { message: errors[0]?.message, ...errors[0]?.extensions };
}

/** The newest entry of the history of these kinds. */
function newestEntry(app: TestApp): Promise<Row> {
  return answer(app, '{ history(where: { kinds: [Gateway, Agent, Domain] }, first: 1) { nodes { entry } } }');
}

const UPDATE = `mutation ($ref: String!, $input: UpdateGatewayInput!, $since: DateTimeISO, $dry: Boolean! = false) {
  updated: updateGateway(ref: $ref, input: $input, ifUnchangedSince: $since, dryRun: $dry) { name host modifiedOn secretSet }
}`;
const DELETE = `mutation ($ref: String!, $since: DateTimeISO, $dry: Boolean! = false) {
  deleteGateway(ref: $ref, ifUnchangedSince: $since, dryRun: $dry)
}`;
const READ = 'query ($ref: String!) { gateway(ref: $ref) { name host modifiedOn secretSet } }';

const versionOf = async (app: TestApp, ref: string): Promise<unknown> =>
  ((await answer(app, READ, { ref }))['gateway'] as Row)['modifiedOn'];

onEachDatabase('A write of one resource', (subject) => {
  test('that is a dry run returns what the resource would be, and changes nothing', async () => {
    const { app } = subject();
    const domainUri = 'dry.test';
    await createDomain(app, { domainUri });
    const ref = await createGateway(app, { name: 'Before', host: 'before.test' });
    const before = await answer(app, READ, { ref });
    const newest = await newestEntry(app);
    const input = { name: 'Dry', username: 'dry', secret: 'dry', domains: [domainUri] };
    expect(
      await answer(
        app,
        `mutation ($input: CreateAgentInput!) { createAgent(input: $input, dryRun: true) {
          name username secretSet domains { domainUri } numbers { totalCount }
        } }`,
        { input },
      ),
    ).toEqual({
      createAgent: {
        name: 'Dry',
        username: 'dry',
        secretSet: true,
        domains: [{ domainUri }],
        numbers: { totalCount: 0 },
      },
    });
    const updated = await answer(app, UPDATE, { ref, input: { name: 'After' }, dry: true });
    expect(updated).toMatchObject({ updated: { name: 'After', host: 'before.test' } });
    const id = await answer(app, DELETE, { ref, dry: true });
    expect(await answer(app, READ, { ref })).toEqual(before);
    expect(await newestEntry(app)).toEqual(newest);
    expect(await answer(app, `{ agents(where: { username: { eq: "dry" } }) { totalCount } }`)).toEqual({
      agents: { totalCount: 0 },
    });
    expect(await answer(app, DELETE, { ref })).toEqual(id);
  });

  test('that is a dry run leads where the resource would', async () => {
    const { app, url } = subject();
    await createDomain(app, { domainUri: 'leads.test' });
    await createAgent(app, { username: 'one', domains: ['leads.test'] });
    await createAgent(app, { username: 'two', domains: ['leads.test'] });
    await createPeer(app, { username: 'peer' });
    for (const user of ['one', 'two'])
      await registerContact(url, { username: user, domain: 'leads.test', contact: `sip:${user}@192.0.2.1` });
    const gatewayRef = await createGateway(app, { name: 'Leads', host: 'leads.test', maxCalls: 1 });
    await measureGateway(url, gatewayRef, { host: 'leads.test' });
    const fields = `aorLink gateway { name } target { ... on Agent { username domains { domainUri } } }
      again: target { ... on Agent { name } } contacts { addressOfRecord }
      targets { target order resource { __typename ... on Agent { username } ... on Peer { username } } }`;
    const created = { telUrl: 'tel:+15557001', aorLink: 'sip:one@leads.test', gatewayRef };
    const create = `mutation ($input: CreateDIDInput!, $dry: Boolean!) { did: createDID(input: $input, dryRun: $dry) { ${fields} } }`;
    const dry = await answer(app, create, { input: created, dry: true });
    expect(dry).toMatchObject({
      did: { target: { username: 'one' }, contacts: [{ addressOfRecord: 'sip:one@leads.test' }] },
    });
    expect(await answer(app, create, { input: { ...created, ref: 'leads' }, dry: false })).toEqual(dry);
    const input = { aorLink: 'sip:two@leads.test', furtherTargets: ['sip:one@leads.test', 'sip:peer@x.test after 5'] };
    const update = `mutation ($input: UpdateDIDInput!, $dry: Boolean!) { did: updateDID(ref: "leads", input: $input, dryRun: $dry) { ${fields} } }`;
    const changed = await answer(app, update, { input, dry: true });
    expect(changed).toMatchObject({
      did: {
        target: { username: 'two', domains: [{ domainUri: 'leads.test' }] },
        contacts: [{ addressOfRecord: 'sip:two@leads.test' }],
        targets: [
          { resource: { username: 'two' } },
          { resource: { username: 'one' } },
          { order: 2, resource: { username: 'peer' } },
        ],
      },
    });
    expect(await answer(app, `{ did(ref: "leads") { ${fields} } }`)).toEqual(dry);
    expect(await answer(app, update, { input, dry: false })).toEqual(changed);
    // What was measured of another host, and limits.
    const moved = `mutation ($dry: Boolean!) { updateGateway(ref: "${gatewayRef}", input: { host: "moved.test", maxCalls: 2 }, dryRun: $dry) {
      health { state } limits { maxCalls } } }`;
    const after = { updateGateway: { health: { state: 'UNKNOWN' }, limits: { maxCalls: 2 } } };
    expect(await answer(app, moved, { dry: true })).toEqual(after);
    expect(await answer(app, `{ gateway(ref: "${gatewayRef}") { health { state } limits { maxCalls } } }`)).toEqual({
      gateway: { health: { state: 'UP' }, limits: { maxCalls: 1 } },
    });
    expect(await answer(app, moved, { dry: false })).toEqual(after);
  });

  test('that is a dry run fails as the write would', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'Used', host: 'used.test' });
    await createDid(app, { gatewayRef: ref, telUrl: 'tel:+15550001' });
    const { token } = await createUser(app, 'VIEWER');
    const create = 'mutation ($input: CreateDIDInput!) { createDID(input: $input, dryRun: true) { ref } }';
    const did = { telUrl: 'tel:+15550002', aorLink: 'sip:a@b.test', gatewayRef: ref };
    const cases: readonly (readonly [string, Row, Row])[] = [
      [create, { input: { ...did, telUrl: 'x' } }, { code: 'BAD_USER_INPUT', fields: ['telUrl'] }],
      [create, { input: { ...did, telUrl: 'tel:+15550001' } }, { code: 'CONFLICT', fields: ['telUrl'] }],
      [create, { input: { ...did, gatewayRef: 'none' } }, { code: 'UNFULFILLED_DEPENDENCY', fields: ['gatewayRef'] }],
      [UPDATE, { ref: 'none', input: {}, dry: true }, { code: 'NOT_FOUND', fields: ['ref'] }],
      [DELETE, { ref, dry: true }, { code: 'DEPENDENT_OBJECTS' }],
    ];
    for (const [text, variables, error] of cases) {
      expect(await refusal(app, text, variables)).toMatchObject(error);
      expect(await refusal(app, text, variables, token)).toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  test('that is a dry run does not tell whether a secret is the stored one', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { host: 'guess.test', username: 'u', secret: 'the secret' });
    const version = await versionOf(app, ref);
    for (const secret of ['the secret', 'another']) {
      const { updated } = await answer(app, UPDATE, { ref, input: { secret }, dry: true });
      expect((updated as Row)['modifiedOn']).not.toBe(version);
    }
  });

  test('succeeds if the resource is unchanged since it was read, and otherwise says what was changed by whom', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'a', host: 'lock.test', username: 'u', secret: 's' });
    const since = await versionOf(app, ref);
    const input = { name: 'b', secret: 'the new secret' };
    expect(await answer(app, UPDATE, { ref, since, input })).toMatchObject({ updated: { name: 'b' } });
    await answer(app, UPDATE, { ref, input: { name: 'c', port: 5070 } });
    await answer(app, UPDATE, { ref, input: { port: null } });
    const modifiedOn = await versionOf(app, ref);
    const conflict = {
      code: 'CONFLICT',
      status: 409,
      fields: ['name', 'secret'],
      modifiedOn,
      changes: [
        { field: 'name', before: 'a', now: 'c', isSecret: false, by: 'admin', at: expect.any(String) },
        {
          field: 'secret',
          before: expect.any(String),
          now: expect.any(String),
          isSecret: true,
          by: 'admin',
          at: expect.any(String),
        },
      ],
    };
    const refused = await refusal(app, UPDATE, { ref, since, input: { name: 'lost' } });
    expect(refused).toMatchObject(conflict);
    expect(refused['message']).toContain(
      `Gateway ${ref} was changed since ${String(since)}: name from "a" to "c" by admin at `,
    );
    expect(JSON.stringify(refused)).not.toContain('the new secret');
    expect(await refusal(app, UPDATE, { ref, since, input: { name: 'lost' }, dry: true })).toMatchObject(conflict);
    expect(await refusal(app, DELETE, { ref, since })).toMatchObject(conflict);
    expect(await answer(app, READ, { ref })).toMatchObject({ gateway: { name: 'c', modifiedOn } });
    expect(await refusal(app, UPDATE, { ref: 'none', since, input: {} })).toMatchObject({ code: 'NOT_FOUND' });
    await answer(app, DELETE, { ref, since: modifiedOn });
  });

  test('fails without what was changed if that is too long to read for an error', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'long', host: 'long.test' });
    const since = await versionOf(app, ref);
    for (let n = 0; n < 6; n++) {
      const metadata = { name: 'long', text: String(n).repeat(250_000) };
      const body = { kind: 'Gateway', metadata, spec: { host: 'long.test', transport: 'udp' } };
      expect((await app.rest('PUT', `/gateways/${ref}`, { body })).status).toBe(200);
    }
    expect(await refusal(app, UPDATE, { ref, since, input: {} })).toMatchObject({
      code: 'CONFLICT',
      fields: ['ifUnchangedSince'],
      changes: [],
      modifiedOn: await versionOf(app, ref),
    });
  });

  test('of which 50 arrive at once and expect the same version succeeds once', async () => {
    const { app } = subject();
    const gateway = await createGateway(app, { host: 'raced.test' });
    const number = await createNumber(app);
    const route = await createRoute(app, { numberRefs: [number] });
    const updateRoute = `mutation ($ref: String!, $input: UpdateRouteInput!, $since: DateTimeISO) {
      updated: updateRoute(ref: $ref, input: $input, ifUnchangedSince: $since) { name modifiedOn }
    }`;
    for (const [text, ref] of [
      [UPDATE, gateway],
      [updateRoute, route],
    ] as const) {
      const read = await answer(app, text, { ref, input: { name: 'first' } });
      let since = (read['updated'] as Row)['modifiedOn'];
      for (let round = 0; round < 3; round++) {
        const writers = Array.from({ length: 50 }, (_, n) =>
          reply(app, text, { ref, since, input: { name: `${String(round)} ${String(n)}` } }),
        );
        const results = await Promise.all(writers);
        const won = results.filter(({ errors }) => !errors);
        expect(won).toHaveLength(1);
        const codes = results.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions['code']));
        expect(codes).toEqual(Array(49).fill('CONFLICT'));
        since = (won[0]?.data['updated'] as Row)['modifiedOn'];
      }
    }
  });

  test('fails if the resource was deleted and created again, whatever its modifiedOn is, or if the time is in the future', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'first', host: 'again.test' });
    const since = await versionOf(app, ref);
    await app.graphql('mutation ($ref: String!) { deleteGateway(ref: $ref) }', { ref });
    const old = '2001-01-01T00:00:00.000Z';
    const text = JSON.stringify({
      ...{ apiVersion: 'v1beta1', kind: 'Gateway' },
      metadata: { ref, name: 'another', createdOn: old, modifiedOn: old },
      spec: { host: 'again.test', transport: 'udp' },
    });
    const imported = await app.graphql('mutation ($text: String!) { importDocuments(text: $text) { count } }', {
      text,
    });
    expect(imported.errors).toBeUndefined();
    expect(await versionOf(app, ref)).toBe(old);
    const set = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }`;
    const refused = [
      [UPDATE, { ref, since, input: { name: 'x' } }],
      [DELETE, { ref, since }],
      [set, { changes: [{ delete: { kind: 'Gateway', ref, ifUnchangedSince: since } }] }],
    ] as const;
    for (const [document, variables] of refused)
      expect(await refusal(app, document, variables)).toMatchObject({ code: 'CONFLICT' });
    const future = { ref, since: '2099-01-01T00:00:00.000Z', input: { name: 'x' } };
    const { errors: [error] = [] } = await reply(app, UPDATE, future);
    expect(error).toMatchObject({
      message: 'ifUnchangedSince: 2099-01-01T00:00:00.000Z is in the future',
      extensions: { code: 'BAD_USER_INPUT' },
    });
    // Its own version, and a time at which it was read, are accepted.
    await answer(app, UPDATE, { ref, since: old, input: { name: 'second' } });
    await answer(app, UPDATE, { ref, since: new Date().toISOString(), input: { name: 'third' } });
  });

  test('takes the time of an entry of the history', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'first', host: 'entries.test' });
    for (const name of ['second', 'third']) await answer(app, UPDATE, { ref, input: { name } });
    const text = `query ($ref: String!) { gateway(ref: $ref) { history { nodes { at } } } }`;
    const { gateway } = (await answer(app, text, { ref })) as {
      gateway: { history: { nodes: readonly { at: string }[] } };
    };
    const [last, ...earlier] = gateway.history.nodes
      .map(({ at }) => at)
      .toSorted()
      .reverse();
    for (const since of earlier)
      expect(await refusal(app, UPDATE, { ref, since, input: { name: 'lost' } })).toMatchObject({ code: 'CONFLICT' });
    expect(await answer(app, UPDATE, { ref, since: last, input: { name: 'fourth' } })).toMatchObject({
      updated: { name: 'fourth' },
    });
  });

  test('fails with the time of an entry that shares its commit with later ones, unless that is the modifiedOn', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'first', host: 'shared.test' });
    const text = `query ($ref: String!) { gateway(ref: $ref) { modifiedOn history(first: 6) { nodes { at } } } }`;
    let refused = 0;
    for (let round = 0; round < 10; round++) {
      const updates = Array.from({ length: 6 }, (_, n) =>
        answer(app, UPDATE, { ref, input: { name: `${String(round)} ${String(n)}` } }),
      );
      await Promise.all(updates);
      const { gateway } = (await answer(app, text, { ref })) as {
        gateway: { modifiedOn: string; history: { nodes: readonly { at: string }[] } };
      };
      const since = gateway.history.nodes.at(-1)?.at;
      if (since === gateway.modifiedOn) continue;
      const conflict = await refusal(app, UPDATE, { ref, since, input: { name: 'lost' } });
      expect(conflict).toMatchObject({ code: 'CONFLICT', modifiedOn: gateway.modifiedOn });
      await answer(app, UPDATE, { ref, since: conflict['modifiedOn'], input: { name: 'seen' } });
      refused++;
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('that does not set a time is not conditional', async () => {
    const { app } = subject();
    const ref = await createAgent(app);
    const text = `mutation ($ref: String!) { updateAgent(ref: $ref, input: { name: "x" }, ifUnchangedSince: null) { name } }`;
    expect(await answer(app, text, { ref })).toEqual({ updateAgent: { name: 'x' } });
  });
});
