import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse, validate } from 'graphql';

import { clientOperations } from '../src/client-operations';
import { SYSTEM } from '../src/changes/actor';
import { exportTo } from '../src/commands/export';
import { importFiles } from '../src/commands/import';
import { loadConfig } from '../src/config/config';
import type { Database } from '../src/database/database';
import { openDatabase } from '../src/database/open';
import { graphSchema } from '../src/graphql/schema';
import { KindOf, Property } from '../src/model/declare';
import { text } from '../src/model/format/format';
import { Resource } from '../src/model/kind';
import { kinds as sipKinds } from '../src/model/kinds';
import { modelOf } from '../src/model/model';
import type { KindOptions } from '../src/model/options';
import { entitiesFor } from '../src/resources/entities';
import { draftMigration } from '../src/resources/migration-draft';
import { migrate } from '../src/start';
import { CreateTrunks1763700000000 } from './seventh-kind/create-trunks';
import { Trunk } from './seventh-kind/trunk';
import { startApp, fetchToken, type TestApp } from './support/app';
import { databases } from './support/databases';
import { createDomain, createGateway } from './support/factories';
import { transportsOn } from './support/subscriptions';

const kinds = [...sipKinds, Trunk];
const model = modelOf(kinds);
const trunk = model.kindOf('Trunk');

type Input = Readonly<Record<string, unknown>>;

async function open(url: string, scheme: string): Promise<Database> {
  const config = loadConfig({ DATABASE_URL: url.replace(/^mysql:/, scheme) }).database;
  return openDatabase(config, entitiesFor(model.kinds, config.dialect), { log: { warn: () => undefined } });
}

/** Migrates a database as `npm run migrate` would if migrations.ts listed the migration of the kind. */
async function migrateAll(database: Database): Promise<void> {
  await migrate(database);
  const runner = database.dataSource.createQueryRunner();
  try {
    await new CreateTrunks1763700000000().up(runner);
  } finally {
    await runner.release();
  }
}

test('the migration of the kind is what `npm run migrate:generate` drafts', async () => {
  const source = await readFile(join(__dirname, 'seventh-kind/create-trunks.ts'), 'utf8');
  expect(draftMigration(trunk, CreateTrunks1763700000000.name, '../../src/database/ddl')).toBe(source);
});

test('the client has operations on the kind that fit the schema', async () => {
  const operations = clientOperations(model.kinds);
  const common = await readFile(join(__dirname, '../clients/typescript/operations/common.graphql'), 'utf8');
  const fragments = common.slice(0, common.indexOf('query'));
  expect(validate(graphSchema(model), parse(operations + fragments))).toEqual([]);
  for (const name of ['query trunk(', 'query trunks(', 'createTrunk(', 'updateTrunk(', 'deleteTrunk(', '  pinSet'])
    expect(operations).toContain(name);
});

describe.each(databases)('A seventh kind, on $name', ({ name: product, createDatabase }) => {
  const scheme = product === 'MariaDB' ? 'mariadb:' : 'mysql:';
  const logged: string[] = [];
  let url: string;
  let drop: () => Promise<void>;
  let app: TestApp;
  let viewer: string;
  let gateway: string;
  let host: string;
  let count = 0;

  beforeAll(async () => {
    ({ url, drop } = await createDatabase());
    const database = await open(url, scheme);
    await migrateAll(database).finally(() => database.close());
    const log = { write: (line: string) => void logged.push(line) };
    app = await startApp({ DATABASE_URL: url, LOG_LEVEL: 'trace' }, log, { kinds });
    const user = { username: 'a-viewer', secret: 'secret of the viewer', role: 'VIEWER' };
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input: user });
    viewer = await fetchToken(app.url, user.username, user.secret);
    host = 'provider.test';
    gateway = await createGateway(app, { host });
  });

  afterAll(async () => {
    await app.close();
    await drop();
  });

  const inputOf = (input: Input = {}): Input => ({
    name: `Trunk ${String(++count)}`,
    label: `label-${String(count)}`,
    gatewayRef: gateway,
    pin: '7319',
    ...input,
  });

  async function create(input: Input = {}): Promise<string> {
    const { data, errors } = await app.graphql<{ readonly createTrunk: { readonly ref: string } }>(
      'mutation ($input: CreateTrunkInput!) { createTrunk(input: $input) { ref } }',
      { input: inputOf(input) },
    );
    expect(errors).toBeUndefined();
    return data.createTrunk.ref;
  }

  async function labels(args: string): Promise<readonly string[]> {
    const { data, errors } = await app.graphql<{ readonly trunks: { readonly nodes: readonly { label: string }[] } }>(
      `{ trunks(${args}) { nodes { label } } }`,
    );
    expect(errors).toBeUndefined();
    return data.trunks.nodes.map(({ label }) => label);
  }

  test('has the table that its class declares', async () => {
    const database = await open(url, scheme);
    try {
      const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
    } finally {
      await database.close();
    }
  });

  test('is created, read, updated and deleted in GraphQL; of its secrets, GraphQL has whether they are set', async () => {
    const fields = 'ref kind label channels mode prefixes pinSet billing { account codeSet }';
    const created = await app.graphql<{ readonly createTrunk: { readonly ref: string } }>(
      `mutation ($input: CreateTrunkInput!) { createTrunk(input: $input) { ${fields} } }`,
      {
        input: inputOf({
          label: 'first',
          channels: 30,
          mode: 'BOTH',
          prefixes: ['+44', '+1'],
          billing: { account: 'a' },
        }),
      },
    );
    expect(created.data.createTrunk).toEqual({
      ref: expect.stringMatching(/^tr/),
      kind: 'Trunk',
      label: 'first',
      channels: 30,
      mode: 'BOTH',
      prefixes: ['+44', '+1'],
      pinSet: true,
      billing: { account: 'a', codeSet: false },
    });
    const { ref } = created.data.createTrunk;
    const updated = await app.graphql(
      `mutation ($ref: String!, $input: UpdateTrunkInput!) { updateTrunk(ref: $ref, input: $input) { ${fields} } }`,
      { ref, input: { channels: null, billing: { code: '00-code-00' } } },
    );
    expect(updated.data).toMatchObject({ updateTrunk: { channels: null, billing: { account: 'a', codeSet: true } } });
    const read = await app.graphql<{ trunk: { id: string } }>('query ($ref: String!) { trunk(ref: $ref) { id } }', {
      ref,
    });
    const node = await app.graphql(
      'query ($id: ID!) { node(id: $id) { id ... on Trunk { label pinSet } } }',
      read.data.trunk,
    );
    expect(node.data).toEqual({ node: { ...read.data.trunk, label: 'first', pinSet: true } });
    const deleted = await app.graphql('mutation ($ref: String!) { deleteTrunk(ref: $ref) }', { ref });
    expect(deleted.data).toEqual({ deleteTrunk: read.data.trunk.id });
    const gone = await app.graphql('query ($ref: String!) { trunk(ref: $ref) { id } }', { ref });
    expect(gone.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', status: 404 } }]);
  });

  test('links to its gateway and its domain, and back', async () => {
    const domainUri = `linked.test`;
    const [domain, own] = [await createDomain(app, { domainUri }), await createGateway(app)];
    await create({ label: 'linked', gatewayRef: own, domainUri });
    const { data } = await app.graphql(
      `query ($gateway: String!, $domain: String!) {
        gateway(ref: $gateway) { trunks { totalCount nodes { label gateway { ref } domain { domainUri } } } }
        domain(ref: $domain) { trunks(where: { label: { eq: "linked" } }) { nodes { label gatewayRef domainUri } } }
      }`,
      { gateway: own, domain },
    );
    expect(data).toEqual({
      gateway: {
        trunks: { totalCount: 1, nodes: [{ label: 'linked', gateway: { ref: own }, domain: { domainUri } }] },
      },
      domain: { trunks: { nodes: [{ label: 'linked', gatewayRef: own, domainUri }] } },
    });
  });

  describe('in lists', () => {
    let listed: string;

    beforeAll(async () => {
      listed = await createGateway(app, { name: 'listed', host: 'listed.test' });
      const common = { gatewayRef: listed, pin: '4242' };
      const billing = { account: 'x-1', code: '4242' };
      await create({ ...common, label: 'a', channels: 3, mode: 'IN', prefixes: ['+44'], billing });
      await create({ ...common, label: 'b', channels: 1, mode: 'OUT' });
      await create({ ...common, label: 'c', channels: 2, prefixes: [] });
      await create({ ...common, label: 'd' });
    });

    test.each([
      ['label: { startsWith: "a" }', ['a']],
      ['channels: { gte: 2 }', ['a', 'c']],
      ['mode: { in: [IN, OUT] }', ['a', 'b']],
      ['prefixes: { contains: "+44" }', ['a']],
      ['billing: { account: { eq: "x-1" } }', ['a']],
      ['domain: { name: { isNull: false } }', []],
      ['not: { channels: { isNull: true } }', ['a', 'b', 'c']],
    ])('where { %s } selects %j', async (where, expected) => {
      expect(await labels(`where: { gateway: { name: { eq: "listed" } }, ${where} }`)).toEqual(expected);
    });

    test.each([
      ["@.spec.label=='b'", ['b']],
      ['@.spec.channels>1', ['a', 'c']],
      ["'+44' in @.spec.prefixes", ['a']],
      ['@.spec.billing.account =~ /x.*/', ['a']],
      ["@.kind=='Trunk' && @.spec.mode=='out'", ['b']],
      ["@..account=='x-1'", ['a']],
      ["@.spec.pin=='4242'", []],
      ['@.spec.pin', []],
      ["@..pin=='4242'", []],
      ["@.spec.billing.code=='4242'", []],
      ["@..code=='4242'", []],
    ])('the filter %s selects %j, in GraphQL and in REST', async (filter, expected) => {
      const whole = `@.metadata.gwRef=='${listed}' && (${filter})`;
      expect(await labels(`filter: ${JSON.stringify(whole)}`)).toEqual(expected);
      const { body } = await app.rest<readonly { spec: { label: string } }[]>(
        'GET',
        `/trunks?filter=${encodeURIComponent(whole)}`,
      );
      expect(body.data.map(({ spec }) => spec.label)).toEqual(expected);
    });

    test('are found from the gateways that they belong to', async () => {
      const { data } = await app.graphql('{ gateways(where: { trunks: { channels: { eq: 3 } } }) { nodes { name } } }');
      expect(data).toEqual({ gateways: { nodes: [{ name: 'listed' }] } });
    });

    test('are sorted, in pages that cursors continue', async () => {
      const page = async (
        gatewayRef: string,
        after: string | null,
      ): Promise<{ found: string[]; end: string | null }> => {
        const { data } = await app.graphql<{
          trunks: { nodes: { label: string }[]; pageInfo: { endCursor: string | null } };
        }>(
          `query ($filter: String, $after: String) {
            trunks(filter: $filter, first: 3, after: $after, orderBy: [{ field: CHANNELS, direction: DESC }]) {
              nodes { label } pageInfo { endCursor }
            }
          }`,
          { filter: `@.metadata.gwRef=='${gatewayRef}'`, after },
        );
        return { found: data.trunks.nodes.map(({ label }) => label), end: data.trunks.pageInfo.endCursor };
      };
      const first = await page(listed, null);
      expect(first.found).toEqual(['a', 'c', 'b']);
      expect((await page(listed, first.end)).found).toEqual(['d']);
    });

    test.each([
      '{ trunks(where: { pin: { eq: "4242" } }) { totalCount } }',
      '{ trunks(where: { billing: { code: { eq: "4242" } } }) { totalCount } }',
      '{ trunks(orderBy: [{ field: PIN }]) { totalCount } }',
      '{ trunks { nodes { pin } } }',
      '{ trunks { nodes { billing { code } } } }',
    ])('no document has a secret: %s', async (document) => {
      const { errors } = await app.graphql(document);
      expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    });
  });

  describe('is refused', () => {
    test.each([
      ['a gateway that does not exist', { gatewayRef: 'none' }, 'UNFULFILLED_DEPENDENCY', 4091, 'gatewayRef'],
      ['a domain that does not exist', { domainUri: 'none.test' }, 'UNFULFILLED_DEPENDENCY', 4091, 'domainUri'],
      ['a natural key that exists', { label: 'taken' }, 'CONFLICT', 409, 'label'],
      ['a PIN that is not one', { pin: '73-19-55' }, 'BAD_USER_INPUT', 400, 'pin'],
      ['a PIN that is too long', { pin: '731955731955' }, 'BAD_USER_INPUT', 400, 'pin'],
      ['a code without an account', { billing: { code: '731955' } }, 'BAD_USER_INPUT', 400, 'billing.account'],
    ])('with %s', async (_what, input, code, status, field) => {
      if (code === 'CONFLICT') await create({ label: 'taken' });
      const { data, errors } = await app.graphql(
        'mutation ($input: CreateTrunkInput!) { createTrunk(input: $input) { ref } }',
        { input: inputOf(input) },
      );
      expect(errors).toMatchObject([{ extensions: { code, status, fields: expect.arrayContaining([field]) } }]);
      expect(JSON.stringify([data, errors])).not.toMatch(/7319|73-19/);
    });

    test('with a PIN that is a number, which the error does not repeat', async () => {
      const variables = { input: inputOf({ pin: 73_195_573 }) };
      const inDocument = `mutation { createTrunk(input: { name: "x", label: "x", gatewayRef: "x", pin: 73195573 }) { ref } }`;
      const document = 'mutation ($input: CreateTrunkInput!) { createTrunk(input: $input) { ref } }';
      for (const { errors } of [await app.graphql(document, variables), await app.graphql(inDocument)]) {
        expect(errors).toHaveLength(1);
        expect(JSON.stringify(errors)).not.toContain('73195573');
      }
    });

    test('deletion of a gateway that it refers to: 4092, which names the trunk', async () => {
      const [own, domainUri] = [await createGateway(app), 'kept.test'];
      const domain = await createDomain(app, { domainUri });
      const ref = await create({ gatewayRef: own, domainUri });
      for (const [kind, used] of [
        ['Gateway', own],
        ['Domain', domain],
      ] as const) {
        const { errors } = await app.graphql(`mutation ($ref: String!) { delete${kind}(ref: $ref) }`, { ref: used });
        expect(errors).toMatchObject([
          {
            message: `${kind} ${used} is in use by Trunk ${ref}`,
            extensions: { code: 'DEPENDENT_OBJECTS', status: 4092 },
          },
        ]);
      }
    });
  });

  describe('in REST', () => {
    const document = (more: { metadata?: Input; spec?: Input } = {}): object => ({
      apiVersion: 'v1beta1',
      kind: 'Trunk',
      metadata: { name: `Trunk ${String(++count)}`, gwRef: gateway, ...more.metadata },
      spec: { label: `rest-${String(count)}`, pin: '9001', billing: { account: 'r', code: '9001' }, ...more.spec },
    });

    test('has all methods, and the legacy document with what the model does not know', async () => {
      const metadata = { ref: 'tr-rest', name: 'By REST', ex_note: 'kept' };
      const created = await app.rest('POST', '/trunks', { body: document({ metadata, spec: { label: 'rest' } }) });
      expect([created.status, created.body]).toEqual([201, { status: '201', message: 'Created', data: 'tr-rest' }]);
      expect(
        await app.rest('PUT', '/trunks/tr-rest', { body: { kind: 'Trunk', spec: { channels: 5 } } }),
      ).toMatchObject({
        status: 200,
      });
      const { body } = await app.rest('GET', '/trunks/tr-rest');
      expect(body.data).toEqual({
        apiVersion: 'v1beta1',
        kind: 'Trunk',
        metadata: {
          ...metadata,
          gwRef: gateway,
          createdOn: expect.any(String),
          modifiedOn: expect.any(String),
        },
        spec: { label: 'rest', pin: '9001', channels: 5, billing: { account: 'r', code: '9001' } },
      });
      const moved = await app.rest('PUT', '/trunks/tr-rest', { body: { kind: 'Trunk', spec: { label: 'other' } } });
      expect([moved.status, moved.body.data]).toEqual([400, ['spec.label: cannot be changed']]);
      const filter = encodeURIComponent("@.spec.label=='rest'");
      expect((await app.rest('DELETE', `/trunks?filter=${filter}`)).body.data).toBe(1);
      expect((await app.rest('GET', '/trunks/tr-rest')).status).toBe(404);
      expect((await app.rest('DELETE', '/trunks/tr-rest')).status).toBe(404);
      expect((await app.rest('PATCH', '/trunks')).status).toBe(405);
    });

    test('returns 409 for a duplicate natural key, a missing reference, and a gateway that a trunk refers to', async () => {
      const body = document({ spec: { label: 'twice' } });
      expect((await app.rest('POST', '/trunks', { body })).status).toBe(201);
      expect(await app.rest('POST', '/trunks', { body })).toMatchObject({ status: 409, body: { status: '409' } });
      const lost = document({ metadata: { gwRef: 'none' } });
      expect(await app.rest('POST', '/trunks', { body: lost })).toMatchObject({
        status: 409,
        body: { status: '4091' },
      });
      expect(await app.rest('DELETE', `/gateways/${gateway}`)).toMatchObject({ status: 409, body: { status: '4092' } });
    });

    test('returns its secrets to operators, but not to viewers', async () => {
      await app.rest('POST', '/trunks', { body: document({ metadata: { ref: 'tr-shown' } }) });
      for (const path of ['/trunks/tr-shown', '/trunks?itemsPerPage=100']) {
        expect((await app.rest('GET', path)).text).toContain('9001');
        const { status, text: shown } = await app.rest('GET', path, { token: viewer });
        expect([status, shown.includes('9001')]).toEqual([200, false]);
      }
      expect((await app.rest('POST', '/trunks', { token: viewer, body: document() })).status).toBe(403);
      const { errors } = await app.graphql('mutation { deleteTrunk(ref: "tr-shown") }', {}, { token: viewer });
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    });

    test('is in the OpenAPI document', async () => {
      const openApi = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
        readonly paths: Readonly<Record<string, object>>;
        readonly components: { readonly schemas: Readonly<Record<string, object>> };
      };
      expect(Object.keys(openApi.paths['/trunks'] ?? {})).toEqual(['get', 'post', 'delete']);
      expect(Object.keys(openApi.paths['/trunks/{ref}'] ?? {})).toEqual(['get', 'put', 'delete']);
      expect(openApi.components.schemas['NewTrunk']).toMatchObject({
        properties: {
          metadata: { required: ['name', 'gwRef'] },
          spec: {
            required: ['label', 'pin'],
            properties: { mode: { enum: ['in', 'out', 'both'] }, billing: { required: ['account'] } },
          },
        },
      });
    });
  });

  test('subscribers receive its changes, without its secrets', async () => {
    const [transport] = transportsOn(product);
    if (!transport) throw new Error('there is no transport');
    const events = await transport.subscribe(
      app.url,
      viewer,
      `subscription { resourceChanged(kinds: [Trunk]) {
        event kind ref resource { ref ... on Trunk { label pinSet gateway { host } } }
      } }`,
    );
    await createGateway(app);
    const ref = await create({ label: 'heard', pin: '5150' });
    const trunkNow = { ref, label: 'heard', pinSet: true, gateway: { host } };
    expect(await events.next()).toEqual({
      data: { resourceChanged: { event: 'CREATED', kind: 'Trunk', ref, resource: trunkNow } },
    });
    await app.rest('DELETE', `/trunks/${ref}`);
    expect(await events.next()).toEqual({
      data: { resourceChanged: { event: 'DELETED', kind: 'Trunk', ref, resource: null } },
    });
    await events.close();
  });

  describe('in files', () => {
    let directory: string;
    let source: Database;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'sipgraph-seventh-'));
      source = await open(url, scheme);
    });

    afterAll(async () => {
      await source.close();
      await rm(directory, { recursive: true, force: true });
    });

    test('an export contains it, and importing the export produces the same export', async () => {
      await create({ label: 'exported', channels: 7, billing: { account: 'e', code: '2468' } });
      const [first, second] = [join(directory, 'first'), join(directory, 'second')];
      const counts = await exportTo(source, model, first, { allowEmpty: false });
      expect(counts.get('trunks')).toBeGreaterThan(0);
      const target = await createDatabase();
      const database = await open(target.url, scheme);
      try {
        await migrateAll(database);
        expect((await importFiles(database, model, [first], SYSTEM, true)).mistakes).toEqual([]);
        await exportTo(database, model, second, { allowEmpty: false });
        const again = await importFiles(database, model, [first], SYSTEM, true);
        expect(again.outcomes.filter(({ result }) => result !== 'unchanged')).toEqual([]);
      } finally {
        await database.close();
        await target.drop();
      }
      const trunks = await readFile(join(first, 'trunks.yml'), 'utf8');
      expect(trunks).toContain("code: '2468'");
      expect(await readFile(join(second, 'trunks.yml'), 'utf8')).toBe(trunks);
    });

    test('an entry without a ref is the trunk with the same natural key, or a new one', async () => {
      const ref = await create({ label: 'keyed', channels: 1 });
      const file = join(directory, 'trunks.yml');
      const entry = (label: string): object => ({
        kind: 'trunk',
        metadata: { name: 'From a file', gwRef: gateway },
        spec: { label, pin: '1111', channels: 9 },
      });
      await writeFile(file, JSON.stringify([entry('keyed'), entry('fresh')]));
      const { outcomes, mistakes } = await importFiles(source, model, [file], SYSTEM, true);
      expect(mistakes).toEqual([]);
      expect(outcomes).toMatchObject([
        { kind: 'Trunk', ref, result: 'update' },
        { kind: 'Trunk', ref: expect.stringMatching(/^tr/), result: 'create' },
      ]);
      expect(await labels('filter: "@.spec.channels==9"')).toEqual(['keyed', 'fresh']);
    });
  });

  test('no line of the log has its secrets', () => {
    expect(logged.join('')).toContain('POST');
    expect(logged.join('')).not.toMatch(/\b(?:7319|73-19-55|731955731955|73195573|9001|5150|2468|00-code-00)\b/);
  });
});

describe('A kind that is declared wrongly', () => {
  function declared(options: Partial<KindOptions>, property?: Parameters<typeof Property>[0]): typeof Trunk {
    class Wrong extends Resource {
      name!: string;
    }
    Property(property ?? { path: 'metadata.name', format: text(10), about: 'Name.' })(Wrong.prototype, 'name');
    KindOf({ name: 'Wrong', collection: 'wrongs', prefix: 'wr', table: 'wrongs', about: 'x', unique: [], ...options })(
      Wrong,
    );
    return Wrong as typeof Trunk;
  }

  const path = 'metadata.name';
  const link = { kind: 'Gateway', by: 'ref', link: 'gateway', linkAbout: 'x', column: 'gateway_id' };

  test.each([
    ['a name that the outbox does not hold', declared({ name: 'LongerThanSixteen' }), 'at most 16 characters'],
    ['a collection of another kind', declared({ collection: 'agents' }), 'kind Agent has the same name or collection'],
    ['a table of another kind', declared({ table: 'agents' }), 'kind Agent has the same table'],
    [
      'a secret that errors may repeat',
      declared({}, { path, format: text(9), secret: true, about: 'x' }),
      'use secretText',
    ],
    [
      'a link to no kind',
      declared({}, { path, format: text(9), about: 'x', refersTo: { ...link, kind: 'None' } }),
      'no kind None',
    ],
    [
      'a link without an index',
      declared({}, { path, format: text(9), about: 'x', refersTo: link }),
      'an index on gateway_id',
    ],
    [
      'a link to itself',
      declared(
        { indices: { name: ['wrong_id'] } },
        { path, format: text(9), about: 'x', refersTo: { ...link, kind: 'Wrong', column: 'wrong_id' } },
      ),
      'form a cycle: Wrong -> Wrong',
    ],
  ])('with %s ends the start with an error that says so', async (_what, wrong, message) => {
    await expect(startApp({}, undefined, { kinds: [...sipKinds, wrong] })).rejects.toThrow(message);
  });
});
