import { fetchToken } from '../support/app';
import { createAgent, createDomain, createGateway, createNumber } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { model } from '../support/model';

interface Document {
  readonly metadata: Record<string, unknown>;
  readonly spec: Record<string, unknown>;
}

/** For each kind: a document, a change, and the error for a change of its natural key. */
const KINDS = [
  {
    name: 'Gateway',
    metadata: { name: 'New' },
    spec: { host: 'new.test', transport: 'udp', credentials: { username: 'u', secret: 'kept' } },
    change: { metadata: { name: 'Changed' }, spec: { registries: ['b.test', 'a.test'] } },
    fixed: [{ spec: { host: 'else.test' } }],
  },
  {
    name: 'Agent',
    metadata: { name: 'New' },
    spec: { credentials: { username: 'new', secret: 'kept' }, domains: ['two.test', 'one.test'] },
    change: { metadata: { name: 'Changed' }, spec: { domains: ['one.test', 'two.test'] } },
    fixed: [{ spec: { credentials: { username: 'v' } } }],
  },
  {
    name: 'Peer',
    metadata: { name: 'New' },
    spec: { credentials: { username: 'new', secret: 'kept' } },
    change: { metadata: { name: 'Changed' }, spec: { device: 'Asterisk' } },
    fixed: [{ spec: { credentials: { username: 'v' } } }],
  },
  {
    name: 'Domain',
    metadata: { name: 'New' },
    spec: { context: { domainUri: 'new.test' } },
    change: { spec: { context: { accessControlList: { deny: ['10.0.0.0/8'], allow: ['10.1.1.1'] } } } },
    fixed: [{ spec: { context: { domainUri: 'else.test' } } }],
  },
  {
    name: 'DID',
    metadata: { gwRef: 'gw' },
    spec: { location: { telUrl: 'tel:+1', aorLink: 'sip:a@one.test' } },
    change: { metadata: { geoInfo: { city: 'Berlin' } }, spec: { location: { aorLink: 'sip:b@one.test' } } },
    fixed: [{ metadata: { gwRef: 'other' } }, { spec: { location: { telUrl: 'tel:+2' } } }],
  },
  {
    name: 'Number',
    metadata: { gwRef: 'gw' },
    spec: { location: { telUrl: 'tel:+1', aorLink: 'sip:a@one.test' } },
    change: { metadata: { geoInfo: { countryISOCode: 'DE' } } },
    fixed: [{ metadata: { gwRef: 'other' } }, { spec: { location: { telUrl: 'tel:+2' } } }],
  },
].map((each) => {
  const kind = model.kinds.find(({ name }) => name === each.name);
  if (!kind) throw new Error(each.name);
  return { ...each, path: `/${kind.collection}`, member: kind.envelope ?? 'data' };
});

onEachDatabase('The REST API', (subject) => {
  const rest = (method: string, path: string, body?: unknown) => subject().app.rest<Document>(method, path, { body });
  const member = (body: object, name: string): Document =>
    (body as Record<string, Document>)[name] ?? { metadata: {}, spec: {} };

  beforeAll(async () => {
    const { app } = subject();
    await createGateway(app, { ref: 'gw' });
    await createGateway(app, { ref: 'other' });
    await createDomain(app, { domainUri: 'one.test' });
    await createDomain(app, { domainUri: 'two.test' });
  });

  test.each(KINDS)(
    '$path is created, read, changed and deleted',
    async ({ name, path, member: payload, metadata, spec, change }) => {
      const extra = { ...spec, ex_flag: { deep: [1, { a: 1 }], kept: true } };
      const document = {
        apiVersion: 'v1beta1',
        kind: name.toLowerCase(),
        metadata: { ...metadata, ref: 'mine', accessKeyId: 'k' },
        spec: extra,
      };
      const created = await rest('POST', path, document);
      expect([created.status, created.body]).toEqual([201, { status: '201', message: 'Created', [payload]: 'mine' }]);

      const one = member((await rest('GET', `${path}/mine`)).body, payload);
      expect(one).toMatchObject({ kind: name, metadata: { ...metadata, accessKeyId: 'k' }, spec: extra });
      const list = await rest('GET', `${path}?filter=@.metadata.ref=='mine'`);
      expect(list.body.data).toEqual([one]);
      if (payload === 'result') expect(member(list.body, 'result')).toEqual([one]);

      const put = await rest('PUT', `${path}/mine`, {
        kind: name,
        ...change,
        spec: { ...change.spec, ex_flag: { deep: [2], more: null } },
      });
      expect([put.status, put.body]).toEqual([
        200,
        { status: '200', message: 'Successful request', data: 'mine', [payload]: 'mine' },
      ]);
      const changed = member((await rest('GET', `${path}/mine`)).body, payload);
      expect(changed).toMatchObject({ ...change, metadata: { accessKeyId: 'k', ...change.metadata } });
      expect(changed.spec).toMatchObject({ ...change.spec, ex_flag: { deep: [2], kept: true, more: null } });
      expect(changed.metadata['createdOn']).toBe(one.metadata['createdOn']);
      const secret = (of: Document): unknown => (of.spec['credentials'] as { secret?: string } | undefined)?.secret;
      expect(secret(changed)).toBe(secret(one));

      const again = await rest('PUT', `${path}/mine`, changed);
      expect(again.status).toBe(200);

      const gone = await rest('DELETE', `${path}/mine?filter=`);
      expect([gone.status, gone.body]).toEqual([200, { status: '200', message: 'Successful request' }]);
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const { status, body } = await rest(method, `${path}/mine`, method === 'PUT' ? { kind: name } : undefined);
        expect([status, body]).toEqual([404, { status: '404', message: 'Not found' }]);
      }
    },
  );

  test('PUT of null for an object clears it, and for one with a required field is 400', async () => {
    const { app } = subject();
    const numberRef = await createNumber(app);
    const context = {
      domainUri: 'nulls.test',
      egressPolicy: { rule: '.*', numberRef },
      accessControlList: { deny: ['10.0.0.0/8'] },
    };
    const document = { kind: 'Domain', metadata: { name: 'nulls', ref: 'nulls' } };
    expect((await app.rest('POST', '/domains', { body: { ...document, spec: { context } } })).status).toBe(201);
    const put = (changes: object | null) =>
      app.rest<string[]>('PUT', '/domains/nulls', { body: { ...document, spec: { context: changes } } });
    const stored = async (): Promise<object> =>
      (await app.rest<{ spec: { context: object } }>('GET', '/domains/nulls')).body.data.spec.context;
    expect(await stored()).toEqual(context);
    expect((await put({ egressPolicy: null })).status).toBe(200);
    expect(await stored()).toEqual({ domainUri: 'nulls.test', accessControlList: context.accessControlList });
    const { status, body } = await put(null);
    expect([status, body.data]).toEqual([400, ['spec.context.domainUri: is required']]);
    expect((await put({ accessControlList: null })).status).toBe(200);
    expect(await stored()).toEqual({ domainUri: 'nulls.test' });
  });

  test.each(KINDS)('$path keeps its natural key: PUT returns 400', async ({ name, path, metadata, spec, fixed }) => {
    await rest('POST', path, { kind: name, metadata: { ...metadata, ref: 'fixed' }, spec });
    const before = (await rest('GET', `${path}/fixed`)).text;
    for (const change of [...fixed, { metadata: { ref: 'else' } }, { kind: 'Nothing' }]) {
      const { status, body } = await subject().app.rest<string[]>('PUT', `${path}/fixed`, {
        body: { kind: name, ...change },
      });
      expect([status, body.message, body.data.length]).toEqual([400, 'Bad Request', 1]);
    }
    expect((await rest('GET', `${path}/fixed`)).text).toBe(before);
    expect((await rest('DELETE', `${path}/fixed`)).status).toBe(200);
  });

  test('the username, port and transport of a gateway can be changed, with the checks of a create', async () => {
    const spec = { host: 'moves.test', transport: 'udp', credentials: { username: 'u', secret: 'kept' } };
    const gateway = (ref: string, changes: object): object => ({
      kind: 'Gateway',
      metadata: { name: 'Moves', ref },
      spec: { ...spec, ...changes },
    });
    await rest('POST', '/gateways', gateway('moves', {}));
    await rest('POST', '/gateways', gateway('stays', { port: 5070 }));
    const changes = { port: 5080, transport: 'tls', credentials: { username: 'v' } };
    expect((await rest('PUT', '/gateways/moves', gateway('moves', changes))).status).toBe(200);
    const changed = member((await rest('GET', '/gateways/moves')).body, 'data');
    expect(changed.spec).toEqual({ ...spec, ...changes, credentials: { username: 'v', secret: 'kept' } });

    const taken = await rest('PUT', '/gateways/moves', gateway('moves', { port: 5070 }));
    expect([taken.status, taken.body.status]).toEqual([409, '409']);
    const wrong = await rest('PUT', '/gateways/moves', gateway('moves', { port: 70_000, transport: 'pigeon' }));
    expect(wrong.body).toMatchObject({
      status: '400',
      data: [
        'spec.transport: "pigeon" is not one of udp, tcp, tls, ws, wss, sctp',
        'spec.port: 70000 is not a whole number from 1 to 65535',
      ],
    });
    expect(member((await rest('GET', '/gateways/moves')).body, 'data')).toEqual(changed);

    // The previous natural key can be used again.
    expect((await rest('POST', '/gateways', gateway('again', {}))).status).toBe(201);
    for (const ref of ['moves', 'stays', 'again']) expect((await rest('DELETE', `/gateways/${ref}`)).status).toBe(200);
  });

  test('a resource that others refer to is in use: 4092, and is not deleted', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app);
    const numberRef = await createNumber(app, { gatewayRef });
    const domainRef = await createDomain(app, { domainUri: 'used.test', egressPolicy: { rule: '.*', numberRef } });
    const agentRef = await createAgent(app, { domains: ['used.test'] });
    for (const path of [`/gateways/${gatewayRef}`, `/numbers/${numberRef}`, `/domains/${domainRef}`]) {
      const { status, body } = await rest('DELETE', path);
      expect([status, body]).toEqual([409, { status: '4092', message: 'Found one or more dependent objects' }]);
    }
    for (const path of [
      `/agents/${agentRef}`,
      `/domains/${domainRef}`,
      `/numbers/${numberRef}`,
      `/gateways/${gatewayRef}`,
    ]) {
      expect((await rest('DELETE', path)).status).toBe(200);
    }
  });

  test('a deletion by filter deletes all matches, and returns how many', async () => {
    const { app } = subject();
    const gatewayRef = await createGateway(app);
    for (let made = 0; made < 3; made++) await createNumber(app, { gatewayRef });
    const { status, body } = await rest('DELETE', `/numbers/?filter=@.metadata.gwRef=='${gatewayRef}'`);
    expect([status, body]).toEqual([200, { status: '200', message: 'Successful request', data: 3 }]);
    expect((await rest('DELETE', `/gateways?filter=@.metadata.ref=='${gatewayRef}'`)).body.data).toBe(1);
    expect((await rest('DELETE', "/gateways?filter=@.metadata.ref=='nobody'")).body.data).toBe(0);
  });

  test('a deletion by filter deletes all matches or none', async () => {
    const { app } = subject();
    const free = await createGateway(app, { host: 'both1.test' });
    const used = await createGateway(app, { host: 'both2.test' });
    await createNumber(app, { gatewayRef: used });
    const { status, body } = await rest('DELETE', '/gateways?filter=@.spec.host=~/both.*/');
    expect([status, body.status]).toEqual([409, '4092']);
    expect((await rest('GET', `/gateways/${free}`)).status).toBe(200);
  });

  test.each(['', '?filter=', '?filter=*', '?filter=@', '?filter=(('])(
    'DELETE /agents%s is 400, and deletes nothing',
    async (query) => {
      const before = (await rest('GET', '/agents')).body.meta;
      const { status, body } = await subject().app.rest<string[]>('DELETE', `/agents${query}`);
      expect([status, body.data]).toEqual([400, [expect.stringContaining('filter: ')]]);
      expect((await rest('GET', '/agents')).body.meta).toEqual(before);
    },
  );

  const form = (text: string, part = 'file'): { body: string; headers: Record<string, string> } => ({
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\nContent-Disposition: form-data; name="${part}"; filename="x.yml"\r\nContent-Type: text/yaml\r\n\r\n${text}\r\n--b--\r\n`,
  });

  test('a truncated form is 400, and the server keeps running', async () => {
    const { body, headers } = form('kind: Peer');
    const cut = body.slice(0, body.indexOf('Peer'));
    const { status, body: answer } = await subject().app.rest<string[]>('POST', '/peers', { headers, body: cut });
    expect([status, answer.data]).toEqual([400, ['body: is not a well-formed form']]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await rest('GET', '/peers')).status).toBe(200);
  });

  test('the body of a caller without write permission is not read', async () => {
    const { app } = subject();
    const secret = 'only for looking';
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
      input: { username: 'looks', secret, role: 'VIEWER' },
    });
    const token = await fetchToken(app.url, 'looks', secret);
    for (const [method, path] of [
      ['POST', '/peers'],
      ['PUT', '/peers/any'],
    ] as const)
      expect((await app.rest(method, path, { token, body: 'no JSON' })).status).toBe(403);
  });

  const peers = (...names: readonly string[]): string =>
    names
      .map((name) => `- kind: Peer\n  metadata: {name: P}\n  spec: {credentials: {username: '${name}', secret: x}}\n`)
      .join('');

  test.each([
    ['YAML', peers('up1', 'up2'), 2],
    [
      'JSON',
      JSON.stringify([
        { kind: 'Peer', metadata: { name: 'P' }, spec: { credentials: { username: 'up3', secret: 'x' } } },
      ]),
      1,
    ],
    ['one document', 'kind: Peer\nmetadata: {name: P}\nspec: {credentials: {username: up4, secret: x}}', 1],
    [
      'several documents',
      '---\nkind: peer\nmetadata: {name: P}\nspec: {credentials: {username: up5, secret: x}}\n---\nkind: peer\nmetadata: {name: P}\nspec: {credentials: {username: up6, secret: x}}',
      2,
    ],
  ])('a form with %s creates all of its documents', async (_what, text, count) => {
    const { status, body } = await subject().app.rest<string[]>('POST', '/peers', form(text));
    expect([status, body.status, body.data.length]).toEqual([201, '201', count]);
  });

  test.each([
    [
      'an error in an entry',
      peers('n1') + '- kind: Peer\n  metadata: {}\n  spec: {credentials: {username: n2, secret: x}}',
      400,
      'file[1].metadata.name: is required',
    ],
    ['a duplicate name', peers('n1', 'n2', 'n1'), 409, 'file[2].spec.credentials.username'],
    ['no YAML', 'a: [', 400, 'file: line 1'],
    ['nothing', '', 400, 'file: contains no resource'],
    ['a wrong kind', '- kind: Agent', 400, 'file[0].kind: "Agent" is not Peer'],
    ['too many entries', '- {}\n'.repeat(10_001), 400, 'has more than 10000 documents and items of lists'],
  ])('a form with %s creates nothing, and the error names the entry', async (_what, text, expected, complaint) => {
    const { status, body } = await subject().app.rest<string[]>('POST', '/peers', form(text));
    expect([status, body.data[0]]).toEqual([expected, expect.stringContaining(complaint)]);
    expect(
      await runSql(subject().url, "SELECT COUNT(*) FROM peers WHERE username LIKE 'n%' AND username <> 'new'"),
    ).toEqual([[0]]);
  });

  test('a form without the file part is 400', async () => {
    const { status, body } = await subject().app.rest('POST', '/peers', form('x', 'other'));
    expect([status, body.data]).toEqual([400, ['file: is missing in the form']]);
  });
});
