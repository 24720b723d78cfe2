import { createAgent, createDid, createDomain, createGateway, createNumber } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';

onEachDatabase('Mutations', (subject) => {
  async function mutate(mutation: string, input: object, ref?: string): Promise<unknown> {
    const [kind] = /[A-Z]\w+$/.exec(mutation) ?? [];
    const fields = {
      Gateway: 'name port username secretSet registries',
      DID: 'geoInfo { city country } aorLink gatewayRef',
      Domain: 'name domainUri egressPolicy { numberRef }',
      Agent: 'username domains { domainUri }',
    }[kind ?? ''];
    const { data, errors } = await subject().app.graphql<{ done: unknown }>(
      mutation.startsWith('update')
        ? `mutation ($ref: String!, $input: Update${kind ?? ''}Input!) { done: ${mutation}(ref: $ref, input: $input) { ${fields ?? 'ref'} } }`
        : `mutation ($input: Create${kind ?? ''}Input!) { done: ${mutation}(input: $input) { ref } }`,
      { input, ...(ref !== undefined && { ref }) },
    );
    if (errors) throw Object.assign(new Error(errors[0]?.message), errors[0]?.extensions);
    return data.done;
  }

  test('each wrong field has its own error', async () => {
    const { errors } = await subject().app.graphql(
      'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }',
      { input: { name: '', host: 'a b; c', transport: 'UDP', port: 0 } },
    );
    expect(errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      status: 400,
      fields: ['name', 'host', 'port'],
      errors: [
        { path: 'name', message: 'is empty' },
        { path: 'host', message: '"a b; c" is not a host name or IP address' },
        { path: 'port', message: expect.stringContaining('1 to 65535') },
      ],
    });
  });

  test.each([
    ['a missing field', { name: 'x' }, ['host']],
    ['an unknown field', { name: 'x', host: 'x.test', transport: 'UDP', colour: 'red' }, ['colour']],
    ['a value that is not of its enum', { name: 'x', host: 'x.test', transport: 'PIGEON' }, ['transport']],
  ])('%s of the input is named', async (_what, input, fields) => {
    const { errors } = await subject().app.graphql(
      'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }',
      { input },
    );
    expect(errors?.[0]?.extensions['fields']).toEqual(fields);
  });

  test('an update keeps absent fields, and clears fields that are null', async () => {
    const ref = await createGateway(subject().app, {
      name: 'Before',
      port: 5080,
      username: 'u',
      secret: 's',
      registries: ['a.test'],
    });
    expect(await mutate('updateGateway', { name: 'After' }, ref)).toEqual({
      name: 'After',
      port: 5080,
      username: 'u',
      secretSet: true,
      registries: ['a.test'],
    });
    expect(await mutate('updateGateway', { port: null, username: null, secret: null, registries: null }, ref)).toEqual({
      name: 'After',
      port: null,
      username: null,
      secretSet: false,
      registries: null,
    });
  });

  test('an update of a group keeps absent fields, clears null fields, and clears a group that is null', async () => {
    const ref = await createDid(subject().app, { geoInfo: { city: 'Berlin', country: 'Germany' } });
    expect(await mutate('updateDID', { geoInfo: { city: 'Bonn' } }, ref)).toMatchObject({
      geoInfo: { city: 'Bonn', country: 'Germany' },
    });
    expect(await mutate('updateDID', { geoInfo: { country: null } }, ref)).toMatchObject({
      geoInfo: { city: 'Bonn', country: null },
    });
    expect(await mutate('updateDID', { geoInfo: null }, ref)).toMatchObject({ geoInfo: null });
  });

  test('an update moves a number to another gateway, and an agent to other domains', async () => {
    const { app } = subject();
    const [did, gatewayRef] = [await createDid(app), await createGateway(app)];
    expect(await mutate('updateDID', { gatewayRef }, did)).toMatchObject({ gatewayRef });
    await createDomain(app, { domainUri: 'moved.test' });
    const agent = await createAgent(app);
    expect(await mutate('updateAgent', { domains: ['moved.test'], username: 'moved' }, agent)).toEqual({
      username: 'moved',
      domains: [{ domainUri: 'moved.test' }],
    });
  });

  test.each([
    ['updateGateway', { name: null }, 'name', 'is required'],
    ['updateGateway', { username: 'alone' }, 'secret', 'is required with username'],
    ['updateGateway', { port: 65_536 }, 'port', '65536 is not a whole number from 1 to 65535'],
    ['updateGateway', { name: 'x'.repeat(101) }, 'name', 'is longer than 100 characters'],
  ])('%s with %j is rejected, and the error names %s', async (mutation, input, field, message) => {
    const ref = await createGateway(subject().app);
    await expect(mutate(mutation, input, ref)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      status: 400,
      fields: [field],
      message: expect.stringContaining(message) as string,
    });
  });

  test('an update of an unknown ref is NOT_FOUND', async () => {
    await expect(mutate('updateGateway', { name: 'x' }, 'nope')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
    const { errors } = await subject().app.graphql('mutation { deleteGateway(ref: "nope") }');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', status: 404, fields: ['ref'] });
  });

  test('an update can fail with a conflict or a missing reference', async () => {
    const { app } = subject();
    const [one, two] = [await createGateway(app, { host: 'one.conflict.test' }), await createGateway(app)];
    await expect(mutate('updateGateway', { host: 'one.conflict.test' }, two)).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
    });
    await expect(mutate('updateDID', { gatewayRef: 'nope' }, await createDid(app))).rejects.toMatchObject({
      code: 'UNFULFILLED_DEPENDENCY',
      status: 4091,
      fields: ['gatewayRef'],
    });
    expect(one).not.toBe(two);
  });

  test('delete returns the id of the resource, and removes it', async () => {
    const { app } = subject();
    const ref = await createDid(app);
    const { data } = await app.graphql<{ did: { id: string } }>(`{ did(ref: "${ref}") { id } }`);
    expect((await app.graphql(`mutation { deleteDID(ref: "${ref}") }`)).data).toEqual({ deleteDID: data.did.id });
    expect((await app.graphql(`{ node(id: "${data.did.id}") { id } }`)).data).toEqual({ node: null });
  });

  test('a resource that others refer to cannot be deleted, and the error names them', async () => {
    const { app } = subject();
    const gateway = await createGateway(app);
    const number = await createNumber(app, { gatewayRef: gateway });
    await createDomain(app, {
      ref: 'dm-used',
      domainUri: 'used.test',
      egressPolicy: { rule: '.*', numberRef: number },
    });
    await createAgent(app, { ref: 'ag-user', domains: ['used.test'] });
    for (const [mutation, ref, by] of [
      ['deleteGateway', gateway, `Number ${number}`],
      ['deleteNumber', number, 'Domain dm-used'],
      ['deleteDomain', 'dm-used', 'Agent ag-user'],
    ] as const) {
      const { errors } = await app.graphql(`mutation { ${mutation}(ref: "${ref}") }`);
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining(`in use by ${by}`) as string,
        extensions: { code: 'DEPENDENT_OBJECTS', status: 4092 },
      });
    }
    for (const [mutation, ref] of [
      ['deleteAgent', 'ag-user'],
      ['deleteDomain', 'dm-used'],
      ['deleteNumber', number],
      ['deleteGateway', gateway],
    ] as const) {
      expect((await app.graphql(`mutation { ${mutation}(ref: "${ref}") }`)).errors).toBeUndefined();
    }
  });

  test.each([
    ['dids(first: 1000) { totalCount }', 'first'],
    ['dids(filter: "nonsense") { nodes { ref } }', 'filter'],
    ['...DIDs', 'filter'],
    ['... on Resource { ... on Gateway { alias: dids(first: $many) { nodes { ref } } } }', 'first'],
    ['dids(after: "nowhere") { nodes { ref } }', 'after'],
    ['dids(where: {telUrl: {matches: "("}}) { nodes { ref } }', 'where'],
    ['dids(first: 1) { nodes { gateway { numbers(last: 1000) { nodes { ref } } } } }', 'last'],
    ['dids { edges { node { gateway { dids(first: 1, last: 1) { totalCount } } } } }', 'first'],
    ['calls(first: 1000) { totalCount }', 'first'],
    ['history(last: 0) { nodes { event } }', 'last'],
  ])('a mutation that selects %s fails at %s, and writes nothing', async (selection, field) => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'Kept' });
    const count = async () => (await app.graphql('{ gateways { totalCount } }')).data;
    const before = await count();
    const fragment = selection.includes('...DIDs')
      ? 'fragment DIDs on Gateway { dids(filter: "@.nothing ===") { totalCount } }'
      : '';
    for (const [mutation, variables] of [
      ['createGateway(input: $input)', { input: { name: 'N', host: 'nested.test', transport: 'UDP' } }],
      [`updateGateway(ref: "${ref}", input: {name: "Other"})`, {}],
      [`updateManyGateways(refs: ["${ref}"], set: {name: "Other"}, expectedCount: 1)`, {}],
    ] as const) {
      const declared = mutation.startsWith('create') ? '$input: CreateGatewayInput!, ' : '';
      const selected = `ref name ${selection} __typename again: dids(first: $many) @include(if: false) { totalCount }`;
      const nested = mutation.startsWith('updateManyGateways')
        ? `sample { resource { ... on Gateway { ${selected} } } }`
        : selected;
      const { errors } = await app.graphql(
        `mutation (${declared}$many: Int) { ${mutation} { ${nested} } } ${fragment}`,
        { ...variables, many: 1000 },
      );
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining(field),
        extensions: { code: 'BAD_USER_INPUT' },
      });
    }
    expect(await count()).toEqual(before);
    const { data } = await app.graphql(`{ gateway(ref: "${ref}") { name } }`);
    expect(data).toEqual({ gateway: { name: 'Kept' } });
  });

  test('a mutation may select nested lists, and skipped ones are not checked', async () => {
    const { data, errors } = await subject().app.graphql(
      `mutation ($skip: Boolean!) { createGateway(input: {name: "N", host: "fine.test", transport: UDP}) {
         name dids(first: 5, orderBy: [{field: TEL_URL}]) { totalCount } more: dids(first: 1000) @skip(if: $skip) { totalCount }
       } }`,
      { skip: true },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ createGateway: { name: 'N', dids: { totalCount: 0 } } });
  });
});
