import { eventually } from '../support/eventually';
import { createConnection } from 'mysql2/promise';

import { fetchToken, type GraphqlError, type GraphqlReply, type TestApp } from '../support/app';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { fill, fillDids } from '../support/many';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

interface Many {
  readonly count: number;
  readonly changed: number;
  readonly request: string;
  readonly sample: readonly {
    readonly ref: string;
    readonly changes: readonly object[];
    readonly resource: object | null;
  }[];
}

const FIELDS = `count changed request sample {
  ref changes { field before after isSecret } resource { ref }
}`;

type Args = Readonly<Record<string, unknown>>;

async function change(
  app: TestApp,
  what: 'update' | 'delete',
  kind: string,
  args: Args,
  token?: string,
): Promise<GraphqlReply<{ readonly many: Many }>> {
  const types = [
    `$refs: [String!], $where: ${kind}Where, $filter: String, $expectedCount: Int, $dryRun: Boolean`,
    ...(what === 'update' ? [`$set: Update${kind}Input!`] : []),
  ].join(', ');
  const given = [...(what === 'update' ? ['set: $set'] : []), 'where: $where, filter: $filter, refs: $refs'];
  return app.graphql<{ readonly many: Many }>(
    `mutation (${types}) { many: ${what}Many${kind}s(${given.join(', ')}, expectedCount: $expectedCount, dryRun: $dryRun) { ${FIELDS} } }`,
    { dryRun: false, ...args },
    { token },
  );
}

async function done(app: TestApp, what: 'update' | 'delete', kind: string, args: Args): Promise<Many> {
  const { data, errors } = await change(app, what, kind, args);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.many;
}

/** The error of a change that fails. */
async function refusal(
  app: TestApp,
  what: 'update' | 'delete',
  kind: string,
  args: Args,
  token?: string,
): Promise<GraphqlError> {
  const { errors = [] } = await change(app, what, kind, args, token);
  expect(errors).toHaveLength(1);
  const [error] = errors;
  if (!error) throw new Error('no error');
  return error;
}

async function valuesOf(app: TestApp, collection: string, refs: readonly string[], field: string): Promise<unknown[]> {
  const { data } = await app.graphql<Record<string, { nodes: Record<string, unknown>[] }>>(
    `query ($filter: String) { ${collection}(filter: $filter, first: 100) { nodes { ${field} } } }`,
    { filter: refs.map((ref) => `@.metadata.ref=='${ref}'`).join(' || ') },
  );
  return (data[collection]?.nodes ?? []).map((node) => node[field]);
}

/** The number of entries in the history of a resource. */
async function entriesOf(app: TestApp, ref: string): Promise<number> {
  const { data } = await app.graphql<{ history: { nodes: unknown[] } }>(
    `{ history(where: { ref: "${ref}" }) { nodes { entry } } }`,
  );
  return data.history.nodes.length;
}

async function revert(app: TestApp, id: string): Promise<readonly { readonly event: string }[]> {
  const { data, errors } = await app.graphql<{ revertRequest: { event: string }[] }>(
    'mutation ($id: String!) { revertRequest(id: $id) { event } }',
    { id },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.revertRequest;
}

const KINDS = [
  { kind: 'Gateway', collection: 'gateways', create: createGateway },
  { kind: 'Agent', collection: 'agents', create: createAgent },
  { kind: 'Peer', collection: 'peers', create: createPeer },
  { kind: 'Domain', collection: 'domains', create: createDomain },
] as const;

onEachDatabase('A change of many', (subject) => {
  test.each(KINDS)(
    'updates and deletes each selected $kind, and can be reverted',
    async ({ kind, collection, create }) => {
      const { app } = subject();
      const refs = [await create(app), await create(app), await create(app)];
      const preview = await done(app, 'update', kind, { refs, set: { name: 'the same' }, dryRun: true });
      expect(preview).toMatchObject({ count: 3, changed: 3, request: null });
      expect(await valuesOf(app, collection, refs, 'name')).not.toContain('the same');
      const updated = await done(app, 'update', kind, { refs, set: { name: 'the same' }, expectedCount: 3 });
      expect(updated).toEqual({ ...preview, request: updated.request });
      expect(updated.sample).toEqual(
        refs.map((ref) => ({
          ref,
          changes: [{ field: 'name', before: expect.any(String), after: 'the same', isSecret: false }],
          resource: { ref },
        })),
      );
      expect(await valuesOf(app, collection, refs, 'name')).toEqual(Array(3).fill('the same'));
      expect(await done(app, 'update', kind, { refs, set: { name: 'the same' }, expectedCount: 3 })).toEqual({
        count: 3,
        changed: 0,
        sample: [],
        request: null,
      });
      expect(await revert(app, updated.request)).toHaveLength(3);
      expect(await valuesOf(app, collection, refs, 'name')).not.toContain('the same');

      const deleted = await done(app, 'delete', kind, { refs, expectedCount: 3 });
      expect(deleted).toMatchObject({ count: 3, changed: 3, sample: [{ ref: refs[0], resource: null }, {}, {}] });
      expect(await valuesOf(app, collection, refs, 'ref')).toEqual([]);
      if (kind === 'Domain') expect(await revert(app, deleted.request)).toHaveLength(3);
    },
  );

  test.each([
    ['DID', 'dids', createDid],
    ['Number', 'numbers', createNumber],
  ] as const)(
    'moves each %s that a filter selects to another gateway and address of record',
    async (kind, collection, create) => {
      const { app } = subject();
      const [from, to] = [await createGateway(app), await createGateway(app)];
      const refs = [];
      for (let n = 0; n < 12; n++) refs.push(await create(app, { gatewayRef: from }));
      const where = { gatewayRef: { eq: from } };
      const set = { gatewayRef: to, aorLink: 'sip:reception@many.test', geoInfo: { city: 'Lyon' } };
      const moved = await done(app, 'update', kind, { where, set, expectedCount: 12 });
      expect(moved).toMatchObject({ count: 12, changed: 12 });
      expect(moved.sample.map(({ ref }) => ref)).toEqual(refs.slice(0, 10));
      expect(await valuesOf(app, collection, refs, 'gatewayRef')).toEqual(Array(12).fill(to));
      expect(await valuesOf(app, collection, refs, 'aorLink')).toEqual(Array(12).fill('sip:reception@many.test'));
      // Filters on the columns that are computed from the fields find the new values.
      const agent = await createAgent(app, { username: 'reception', domains: [await domainOf(app, 'many.test')] });
      const { data } = await app.graphql<{ agent: Record<string, { totalCount: number }> }>(
        `{ agent(ref: "${agent}") { ${collection} { totalCount } } }`,
      );
      expect(data.agent[collection]?.totalCount).toBe(12);
      await app.graphql(`mutation { deleteAgent(ref: "${agent}") }`);
      expect(await done(app, 'delete', kind, { filter: `@.metadata.gwRef=='${to}'`, expectedCount: 12 })).toMatchObject(
        {
          count: 12,
        },
      );
      expect(await done(app, 'delete', 'Gateway', { refs: [from, to], expectedCount: 2 })).toMatchObject({ count: 2 });
    },
  );

  test('changes lists of references, and the column that is repeated in their table', async () => {
    const { app } = subject();
    const uris = ['first.test', 'second.test', 'third.test'];
    for (const uri of uris) await domainOf(app, uri);
    const refs = [
      await createAgent(app, { username: 'one', domains: ['first.test'] }),
      await createAgent(app, { username: 'two', domains: ['first.test', 'second.test'] }),
    ];
    const set = { domains: ['third.test', 'first.test'], privacy: 'PRIVATE', maxContacts: 2, secret: 'a new secret' };
    const updated = await done(app, 'update', 'Agent', { refs, set, expectedCount: 2 });
    expect(JSON.stringify(updated)).not.toContain('a new secret');
    expect(updated.sample[0]?.changes).toContainEqual({
      ...{ field: 'secret', before: expect.stringMatching(/^\w{8}$/), after: expect.stringMatching(/^\w{8}$/) },
      isSecret: true,
    });
    const read = async (): Promise<unknown> =>
      (
        await app.graphql<{ agents: { nodes: unknown } }>(
          `{ agents(where: { ref: { in: ${JSON.stringify(refs)} } }) { nodes { username privacy maxContacts domains { domainUri } } } }`,
        )
      ).data.agents.nodes;
    const common = { privacy: 'PRIVATE', maxContacts: 2 };
    const domains = [{ domainUri: 'third.test' }, { domainUri: 'first.test' }];
    expect(await read()).toEqual([
      { username: 'one', ...common, domains },
      { username: 'two', ...common, domains },
    ]);
    await done(app, 'update', 'Agent', {
      refs: [refs[0]],
      set: { username: 'three', maxContacts: null },
      expectedCount: 1,
    });
    expect(await read()).toMatchObject([{ username: 'three', maxContacts: null, domains }, { username: 'two' }]);
    const error = await refusal(app, 'update', 'Agent', { refs, set: { username: 'two' }, expectedCount: 2 });
    expect(error).toMatchObject({
      message: expect.stringContaining(`${String(refs[0])}: An Agent with username "two"`),
      extensions: { code: 'CONFLICT', fields: expect.arrayContaining(['username']) },
    });
    expect(await read()).toMatchObject([{ username: 'three' }, { username: 'two' }]);
  });

  test.each([
    ['of an agent', 'Agent', createAgent, { secret: 'secret-of-agent' }],
    ['of a peer', 'Peer', createPeer, { secret: 'secret-of-peer' }],
    ['of a gateway', 'Gateway', createGateway, { username: 'u', secret: 'secret-of-gateway' }],
  ] as const)('does not tell in a preview whether a guessed secret %s is right', async (_what, kind, create, given) => {
    const { app } = subject();
    const refs = [await create(app, given)];
    const previews = [];
    for (const secret of [given.secret, 'a wrong guess']) {
      const { sample, ...rest } = await done(app, 'update', kind, { refs, set: { secret }, dryRun: true });
      previews.push([rest.count, rest.changed, sample.map(({ changes }) => changes)]);
    }
    const changes = [{ field: 'secret', before: expect.any(String), after: expect.any(String), isSecret: true }];
    expect(previews).toEqual(Array(2).fill([1, 1, [changes]]));
  });

  test('cuts long texts and lists in samples', async () => {
    const { app } = subject();
    const allow = Array.from({ length: 12 }, (_, n) => `10.0.0.${String(n)}`);
    const rule = `^${'1'.repeat(200)}`;
    const refs = [await createDomain(app, { accessControlList: { allow: allow.slice(0, 6) } })];
    const set = { accessControlList: { allow }, name: rule.slice(0, 100) };
    const { sample } = await done(app, 'update', 'Domain', { refs, set, expectedCount: 1 });
    expect(sample[0]?.changes).toContainEqual({
      field: 'accessControlList.allow',
      before: JSON.stringify([...allow.slice(0, 5), '… 1 more']),
      after: JSON.stringify([...allow.slice(0, 5), '… 7 more']),
      isSecret: false,
    });
    expect(sample[0]?.changes).toContainEqual(expect.objectContaining({ field: 'name', after: set.name }));
  });

  test.each([
    ['update', { set: { name: 'another name' } }],
    ['delete', {}],
  ] as const)('does not wait for locks in the preview of %s on a database server', async (what, args) => {
    const { app, url } = subject();
    const refs = [await createPeer(app), await createPeer(app)];
    // SQLite has one lock, which a preview needs, too.
    const other = url.startsWith('sqlite:') ? undefined : await createConnection(url);
    await other?.beginTransaction();
    await other?.query('SELECT id FROM peers WHERE ref IN (?, ?) FOR UPDATE', refs);
    try {
      expect(await done(app, what, 'Peer', { refs, ...args, dryRun: true })).toMatchObject({ count: 2, changed: 2 });
    } finally {
      await other?.end();
    }
  });

  test('finds a conflict between natural keys in a preview, too', async () => {
    const { app } = subject();
    const refs = [await createPeer(app), await createPeer(app)];
    for (const dryRun of [true, false]) {
      const args = { refs, set: { username: 'of-both' }, expectedCount: 2, dryRun };
      expect(await refusal(app, 'update', 'Peer', args)).toMatchObject({ extensions: { code: 'CONFLICT' } });
    }
  });

  test('leaves what has the values already, which needs no entry in the history', async () => {
    const { app } = subject();
    const refs = [await createPeer(app, { name: 'same' }), await createPeer(app, { name: 'other' })];
    const updated = await done(app, 'update', 'Peer', { refs, set: { name: 'same' }, expectedCount: 2 });
    expect(updated).toMatchObject({ count: 2, changed: 1, sample: [{ ref: refs[1] }] });
    expect([await entriesOf(app, String(refs[0])), await entriesOf(app, String(refs[1]))]).toEqual([1, 2]);
  });

  test('fails with both counts if another number is selected than expected, and changes nothing', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app);
    const refs = [await createNumber(app, { gatewayRef }), await createNumber(app, { gatewayRef })];
    const where = { gatewayRef: { eq: gatewayRef } };
    for (const selection of [{ where }, { refs: [...refs, 'none'] }, { where, refs: [...refs, gatewayRef] }])
      for (const [what, more] of [
        ['update', { set: { aorLink: 'sip:x@y.test' } }],
        ['delete', {}],
      ] as const)
        expect(await refusal(app, what, 'Number', { ...selection, ...more, expectedCount: 3 })).toMatchObject({
          message: 'expectedCount is 3, but 2 Number resources are selected; nothing was changed',
          extensions: { code: 'CONFLICT', status: 409, fields: ['expectedCount'] },
        });
    expect(await valuesOf(app, 'numbers', refs, 'aorLink')).not.toContain('sip:x@y.test');
  });

  test('says that others changed resources since they were selected, and counts them as selected', async () => {
    const { app } = subject();
    const refs = await Promise.all(Array.from({ length: 10 }, () => createPeer(app)));
    const messages: (string | undefined)[] = [];
    await eventually(60, async () => {
      const attempts = Array.from({ length: 4 }, (_, n) =>
        app.graphql<{ updateManyPeers: unknown } | null>(
          'mutation($refs: [String!], $name: String!) { updateManyPeers(refs: $refs, set: { name: $name }, expectedCount: 10) { count } }',
          {
            refs,
            name: `name ${String(n)} of ${String(messages.length)}`,
          },
        ),
      );
      for (const { data, errors } of await Promise.all(attempts))
        messages.push(data?.updateManyPeers ? undefined : errors?.[0]?.message);
      expect(messages.some((message) => message !== undefined)).toBe(true);
    });
    const refused = messages.filter((message) => message !== undefined);
    for (const message of refused)
      expect(message).toMatch(
        /^expectedCount is 10, but \d+ of them changed meanwhile: try again; nothing was changed$/,
      );
  });

  test('is all or nothing: a deletion that references forbid names the first resources in use', async () => {
    const { app } = subject();
    const refs = [await createGateway(app), await createGateway(app), await createGateway(app)];
    const users = [await createNumber(app, { gatewayRef: refs[1] }), await createDid(app, { gatewayRef: refs[2] })];
    for (const dryRun of [true, false])
      expect(await refusal(app, 'delete', 'Gateway', { refs, expectedCount: 3, dryRun })).toMatchObject({
        message: `Gateway ${String(refs[1])} is in use by Number ${String(users[0])}; Gateway ${String(refs[2])} is in use by DID ${String(users[1])}`,
        extensions: {
          code: 'DEPENDENT_OBJECTS',
          status: 4092,
          dependents: expect.arrayContaining([
            { kind: 'Number', ref: users[0], of: refs[1] },
            { kind: 'DID', ref: users[1], of: refs[2] },
          ]) as object,
        },
      });
    expect(await valuesOf(app, 'gateways', refs, 'ref')).toEqual(refs);
    expect(await entriesOf(app, String(refs[0]))).toBe(1);
  });

  test('is all or nothing: an invalid change names the first resources at fault', async () => {
    const { app } = subject();
    const refs = [
      await createGateway(app, { username: 'u', secret: 's3cret-of-it' }),
      await createGateway(app, { username: null }),
      await createGateway(app, { username: null }),
    ];
    const set = { secret: 'only a secret' };
    const error = await refusal(app, 'update', 'Gateway', { refs, set, expectedCount: 3 });
    expect(error.extensions['code']).toBe('BAD_USER_INPUT');
    expect(error.message).toBe(
      refs
        .slice(1)
        .map((ref) => `${ref}: username: is required with secret`)
        .join('; '),
    );
    expect(await valuesOf(app, 'gateways', refs, 'secretSet')).toEqual([true, false, false]);
  });

  test.each([
    ['without expectedCount', { where: {} }, 'BAD_USER_INPUT', 'expectedCount'],
    ['without a selection', { expectedCount: 1 }, 'BAD_USER_INPUT', 'where'],
    ['with too large a count', { where: {}, expectedCount: 25_001 }, 'BAD_USER_INPUT', 'expectedCount'],
    ['with an unknown target', { set: { gatewayRef: 'none' } }, 'UNFULFILLED_DEPENDENCY', 'gatewayRef'],
    ['with an invalid value', { set: { aorLink: 'nonsense' } }, 'BAD_USER_INPUT', 'aorLink'],
    ['with an invalid filter', { refs: null, filter: '@.(' }, 'BAD_USER_INPUT', 'filter'],
  ])('is refused %s', async (_what, args: Args, code, field) => {
    const { app } = subject();
    const isBare = !('set' in args) && !('filter' in args);
    const base = isBare ? {} : { refs: [await createNumber(app)], expectedCount: 1 };
    const error = await refusal(app, 'update', 'Number', { set: { aorLink: 'sip:x@y.test' }, ...base, ...args });
    expect(error).toMatchObject({ extensions: { code, fields: [field] } });
  });

  test('is refused to viewers, and in a preview, too', async () => {
    const { app } = subject();
    const user = { username: 'viewer-of-many', secret: 'secret of the viewer', role: 'VIEWER' };
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input: user });
    const token = await fetchToken(app.url, user.username, user.secret);
    const refs = [await createPeer(app)];
    for (const dryRun of [true, false])
      for (const [what, more] of [
        ['update', { set: { name: 'x' } }],
        ['delete', {}],
      ] as const)
        expect(await refusal(app, what, 'Peer', { refs, expectedCount: 1, dryRun, ...more }, token)).toMatchObject({
          extensions: { code: 'FORBIDDEN' },
        });
    expect(await valuesOf(app, 'peers', refs, 'ref')).toEqual(refs);
  });

  test('is repeated without effect with the same Idempotency-Key', async () => {
    const { app } = subject();
    const refs = [await createPeer(app), await createPeer(app)];
    const send = async (document: string): Promise<unknown> => {
      const response = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${await app.token()}`,
          'idempotency-key': `delete ${String(refs[0])}`.replaceAll(' ', '-'),
        },
        body: JSON.stringify({ query: document }),
      });
      return response.json();
    };
    const selection = `refs: ${JSON.stringify(refs)}, expectedCount: 2`;
    const document = `mutation { deleteManyPeers(${selection}) { count changed request sample { ref } } }`;
    const first = await send(document);
    expect(first).toMatchObject({ data: { deleteManyPeers: { count: 2, sample: refs.map((ref) => ({ ref })) } } });
    expect(await send(document)).toEqual(first);
    const other = document.replace('deleteManyPeers(', 'updateManyPeers(set: { name: "x" }, ');
    expect(await send(other)).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', status: 422 } }] });
  });

  test('is refused above 25,000 with the number that is selected', async () => {
    const { app, url } = subject();
    const columns = 'ref, created_on, modified_on, name, username, secret';
    await fill(url, 'peers', columns, 25_001, (n) => [`pe${String(n)}`, 1, 1, 'p', `user${String(n)}`, 's']);
    const error = await refusal(app, 'delete', 'Peer', {
      where: { ref: { startsWith: 'pe' }, name: { eq: 'p' } },
      dryRun: true,
    });
    expect(error.message).toBe('where: selects 25001 Peer resources; one request can change 25000');
  });
});

onEachDatabase(
  'A change of thousands',
  (subject) => {
    test.each([
      ['list entries', 'Agent', { domains: namesOf(1001) }],
      ['characters', 'Agent', { domains: namesOf(900, 100) }],
      ['list entries', 'Domain', { accessControlList: { allow: namesOf(600), deny: namesOf(600) } }],
    ])('is refused if the values have too many %s for all resources', async (what, kind, set) => {
      const { app, url } = subject();
      await fillBoth(url);
      const token = await fetchToken(app.url, 'admin', app.adminSecret);
      for (const dryRun of [true, false]) {
        const error = await refusal(app, 'update', kind, { where: {}, set, expectedCount: 100, dryRun }, token);
        expect(error).toMatchObject({
          message: expect.stringMatching(
            `^set: has .* ${what} for each of 100 resources; one request can write .*: select fewer`,
          ),
          extensions: { code: 'BAD_USER_INPUT', fields: ['set'] },
        });
      }
    });

    test('writes long lists and texts for each resource in parts, and reverts them', async () => {
      const { app, url } = subject();
      await fillBoth(url);
      const token = await fetchToken(app.url, 'admin', app.adminSecret);
      const refs = ['ag1', 'ag2', 'ag3'];
      const domains = namesOf(70);
      const { data, errors } = await change(
        app,
        'update',
        'Agent',
        { refs, set: { domains }, expectedCount: 3 },
        token,
      );
      expect(errors).toBeUndefined();
      expect(data.many).toMatchObject({ count: 3, changed: 3 });
      const { data: read } = await app.graphql<{ agents: { nodes: { domains: { domainUri: string }[] }[] } }>(
        `{ agents(where: { ref: { in: ${JSON.stringify(refs)} } }) { nodes { domains { domainUri } } } }`,
      );
      for (const { domains: found } of read.agents.nodes)
        expect(found.map(({ domainUri }) => domainUri)).toEqual(domains);
      const allow = Array.from({ length: 300 }, (_, n) => `2001:db8:aaaa:bbbb:cccc:dddd:eeee:${n.toString(16)}/128`);
      const lists = { refs: ['do1', 'do2'], set: { accessControlList: { allow } } };
      const { request } = await done(app, 'update', 'Domain', { ...lists, expectedCount: 2 });
      expect(await revert(app, request)).toHaveLength(2);
    });

    test.each([
      ['list entries', 'Agent', { domains: namesOf(60) }],
      ['characters', 'Agent', { domains: namesOf(30, 250) }],
    ])('is charged for the %s of its values', async (_what, kind, set) => {
      const { app, url } = subject();
      await fillBoth(url);
      const error = await refusal(app, 'update', kind, { where: {}, set, dryRun: true });
      expect(error).toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
    });

    test('keeps other requests going, is charged by row, and is refused beyond the budget', async () => {
      const { app, url } = subject();
      await fillDids(url, 3000);
      const set = { aorLink: 'sip:other@many.test' };
      const answered: number[] = [];
      const running = done(app, 'update', 'DID', { where: {}, set, expectedCount: 3000 }).finally(() =>
        answered.push(0),
      );
      const system = await app.graphql('{ systemInfo { version } }');
      answered.push(1);
      expect(system.errors).toBeUndefined();
      expect(await running).toMatchObject({ count: 3000, changed: 3000 });
      expect(answered[0]).toBe(1);
      const error = await refusal(app, 'update', 'DID', { where: {}, set, expectedCount: 3000 });
      expect(error).toMatchObject({ extensions: { code: 'RATE_LIMITED' } });
      expect(error.extensions).not.toHaveProperty('fields');
    });
  },
  { RATE_LIMIT_WORK: '50000' },
);

/** Creates 100 agents and 100 domains, if there are none. */
async function fillBoth(url: string): Promise<void> {
  const [row] = await runSql(url, 'SELECT COUNT(*) FROM agents');
  if (Number(row?.[0]) > 0) return;
  const agent = 'ref, created_on, modified_on, name, username, secret';
  await fill(url, 'agents', agent, 100, (n) => [`ag${String(n)}`, 1, 1, 'a', `user${String(n)}`, 's']);
  const domain = 'ref, created_on, modified_on, name, domain_uri';
  await fill(url, 'domains', domain, 100, (n) => [`do${String(n)}`, 1, 1, 'd', `d${String(n)}.test`]);
}

/** The names of this many domains, of at least this length. */
function namesOf(count: number, length = 0): readonly string[] {
  return Array.from({ length: count }, (_, n) => `d${String(n)}.test`.padStart(length, 'a.'));
}

async function domainOf(app: TestApp, domainUri: string): Promise<string> {
  const { data } = await app.graphql<{ domains: { totalCount: number } }>(
    `{ domains(where: { domainUri: { eq: "${domainUri}" } }) { totalCount } }`,
  );
  if (data.domains.totalCount === 0) await createDomain(app, { domainUri });
  return domainUri;
}
