import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse, validate } from 'graphql';

import { clientOperations } from '../../tools/client-operations';
import { SYSTEM } from '../../src/changes/actor';
import { exportTo } from '../../src/commands/export';
import { importFiles } from '../../src/commands/imports/import';
import type { Database } from '../../src/database/database';
import { graphSchema } from '../../src/graphql/schema';
import { KindOf, Property } from '../../src/model/declare';
import { text } from '../../src/model/format/format';
import { Resource } from '../../src/model/kind';
import { kinds as sipKinds } from '../../src/model/kinds';
import type { KindOptions } from '../../src/model/options';
import { draftMigration } from '../../tools/migration-draft';
import { CreateBundles1763700000000 } from '../another-kind/create-bundles';
import { kinds, migrateBundles, model, openBundles } from '../another-kind/database';
import type { Bundle } from '../another-kind/bundle';
import { startApp, fetchToken, type TestApp } from '../support/app';
import { databases } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { createDomain, createGateway } from '../support/factories';
import { transportsOn } from '../support/subscriptions';
import { runSql } from '../support/databases/sql';

const bundle = model.kindOf('Bundle');

type Input = Readonly<Record<string, unknown>>;

test('the migration of the kind is what `npm run migrate:generate` drafts', async () => {
  const source = await readFile(join(__dirname, '../another-kind/create-bundles.ts'), 'utf8');
  expect(draftMigration(bundle, CreateBundles1763700000000.name, '../../src/database/ddl')).toBe(source);
});

test('the client has operations on the kind that fit the schema', () => {
  const operations = clientOperations(model);
  expect(validate(graphSchema(model), parse(operations))).toEqual([]);
  for (const name of [
    'query bundle(',
    'query bundles(',
    'createBundle(',
    'updateBundle(',
    'deleteBundle(',
    'updateManyBundles(',
    'deleteManyBundles(',
    '  pinSet',
  ])
    expect(operations).toContain(name);
});

describe.each(databases)('Another kind, on $name', ({ name: product, createDatabase }) => {
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
    const database = await openBundles(url, scheme);
    await migrateBundles(database).finally(() => database.close());
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
    name: `Bundle ${String(++count)}`,
    label: `label-${String(count)}`,
    gatewayRef: gateway,
    pin: '73197319',
    ...input,
  });

  async function create(input: Input = {}): Promise<string> {
    const { data, errors } = await app.graphql<{ readonly createBundle: { readonly ref: string } }>(
      'mutation ($input: CreateBundleInput!) { createBundle(input: $input) { ref } }',
      { input: inputOf(input) },
    );
    expect(errors).toBeUndefined();
    return data.createBundle.ref;
  }

  async function labels(args: string): Promise<readonly string[]> {
    const { data, errors } = await app.graphql<{ readonly bundles: { readonly nodes: readonly { label: string }[] } }>(
      `{ bundles(${args}) { nodes { label } } }`,
    );
    expect(errors).toBeUndefined();
    return data.bundles.nodes.map(({ label }) => label);
  }

  test('uses of its deprecated fields are counted for each API token, and for each user without one', async () => {
    const old = '{ bundles { nodes { label prefixes } } }';
    const { data } = await app.graphql<{ createApiToken: { token: string; apiToken: { ref: string } } }>(
      'mutation { createApiToken(name: "old", role: VIEWER) { token apiToken { ref } } }',
    );
    const { token, apiToken } = data.createApiToken;
    interface Uses {
      readonly apiTokens: readonly { readonly ref: string; readonly deprecatedUses: readonly object[] }[];
      readonly viewer: { readonly deprecatedUses: readonly object[] };
      readonly users: {
        readonly nodes: readonly { readonly username: string; readonly deprecatedUses: readonly object[] }[];
      };
    }
    const uses = async (): Promise<readonly unknown[]> => {
      const fields = 'deprecatedUses { field count lastUsedOn }';
      const reply = await app.graphql<Uses>(
        `{ apiTokens { ref ${fields} } viewer { ${fields} } users(first: 10) { nodes { username ${fields} } } }`,
      );
      expect(reply.errors).toBeUndefined();
      const { apiTokens, viewer: own, users } = reply.data;
      return [
        apiTokens.find(({ ref }) => ref === apiToken.ref)?.deprecatedUses,
        own.deprecatedUses,
        users.nodes.find(({ username }) => username === 'a-viewer')?.deprecatedUses,
      ];
    };
    expect(await uses()).toEqual([[], [], []]);
    // The last ones are compiled, and one is invalid.
    for (let times = 0; times < 6; times++) await app.graphql(old, {}, { token });
    await app.graphql('{ bundles { nodes { prefixes unknown } } }', {}, { token });
    await app.graphql(old, {}, { token: viewer });
    await app.graphql('{ bundles { nodes { label } } }', {}, { token: viewer });
    const used = (count: number): readonly object[] => [
      { field: 'Bundle.prefixes', count, lastUsedOn: expect.stringMatching(/T00:00:00.000Z$/) },
    ];
    // Counts are written every ten seconds.
    await eventually(30, async () => expect(await uses()).toEqual([used(6), [], used(1)]));
    await app.graphql('mutation ($ref: String!) { deleteApiToken(ref: $ref) }', { ref: apiToken.ref });
    expect((await uses())[0]).toBeUndefined();
    expect(await runSql(url, 'SELECT COUNT(*) FROM deprecated_uses WHERE subject = ?', [apiToken.ref])).toEqual([[0]]);
  });

  test('has the table that its class declares', async () => {
    const database = await openBundles(url, scheme);
    try {
      const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
    } finally {
      await database.close();
    }
  });

  test('is created, read, updated and deleted in GraphQL; of its secrets, GraphQL has whether they are set', async () => {
    const fields = 'ref kind label channels mode prefixes pinSet billing { account codeSet }';
    const created = await app.graphql<{ readonly createBundle: { readonly ref: string } }>(
      `mutation ($input: CreateBundleInput!) { createBundle(input: $input) { ${fields} } }`,
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
    expect(created.data.createBundle).toEqual({
      ref: expect.stringMatching(/^tr/),
      kind: 'Bundle',
      label: 'first',
      channels: 30,
      mode: 'BOTH',
      prefixes: ['+44', '+1'],
      pinSet: true,
      billing: { account: 'a', codeSet: false },
    });
    const { ref } = created.data.createBundle;
    const updated = await app.graphql(
      `mutation ($ref: String!, $input: UpdateBundleInput!) { updateBundle(ref: $ref, input: $input) { ${fields} } }`,
      { ref, input: { channels: null, billing: { code: '00-code-00' } } },
    );
    expect(updated.data).toMatchObject({ updateBundle: { channels: null, billing: { account: 'a', codeSet: true } } });
    const read = await app.graphql<{ bundle: { id: string } }>('query ($ref: String!) { bundle(ref: $ref) { id } }', {
      ref,
    });
    const node = await app.graphql(
      'query ($id: ID!) { node(id: $id) { id ... on Bundle { label pinSet } } }',
      read.data.bundle,
    );
    expect(node.data).toEqual({ node: { ...read.data.bundle, label: 'first', pinSet: true } });
    const deleted = await app.graphql('mutation ($ref: String!) { deleteBundle(ref: $ref) }', { ref });
    expect(deleted.data).toEqual({ deleteBundle: read.data.bundle.id });
    const gone = await app.graphql('query ($ref: String!) { bundle(ref: $ref) { id } }', { ref });
    expect(gone.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', status: 404 } }]);
  });

  test('links to its gateway and its domain, and back', async () => {
    const domainUri = `linked.test`;
    const [domain, own] = [await createDomain(app, { domainUri }), await createGateway(app)];
    await create({ label: 'linked', gatewayRef: own, domainUri });
    const { data } = await app.graphql(
      `query ($gateway: String!, $domain: String!) {
        gateway(ref: $gateway) { bundles { totalCount nodes { label gateway { ref } domain { domainUri } } } }
        domain(ref: $domain) { bundles(where: { label: { eq: "linked" } }) { nodes { label gatewayRef domainUri } } }
      }`,
      { gateway: own, domain },
    );
    expect(data).toEqual({
      gateway: {
        bundles: { totalCount: 1, nodes: [{ label: 'linked', gateway: { ref: own }, domain: { domainUri } }] },
      },
      domain: { bundles: { nodes: [{ label: 'linked', gatewayRef: own, domainUri }] } },
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
      ["@.kind=='Bundle' && @.spec.mode=='out'", ['b']],
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
        `/bundles?filter=${encodeURIComponent(whole)}`,
      );
      expect(body.data.map(({ spec }) => spec.label)).toEqual(expected);
    });

    test('are found from the gateways that they belong to', async () => {
      const { data } = await app.graphql(
        '{ gateways(where: { bundles: { channels: { eq: 3 } } }) { nodes { name } } }',
      );
      expect(data).toEqual({ gateways: { nodes: [{ name: 'listed' }] } });
    });

    test('are sorted, in pages that cursors continue', async () => {
      const page = async (
        gatewayRef: string,
        after: string | null,
      ): Promise<{ found: string[]; end: string | null }> => {
        const { data } = await app.graphql<{
          bundles: { nodes: { label: string }[]; pageInfo: { endCursor: string | null } };
        }>(
          `query ($filter: String, $after: String) {
            bundles(filter: $filter, first: 3, after: $after, orderBy: [{ field: CHANNELS, direction: DESC }]) {
              nodes { label } pageInfo { endCursor }
            }
          }`,
          { filter: `@.metadata.gwRef=='${gatewayRef}'`, after },
        );
        return { found: data.bundles.nodes.map(({ label }) => label), end: data.bundles.pageInfo.endCursor };
      };
      const first = await page(listed, null);
      expect(first.found).toEqual(['a', 'c', 'b']);
      expect((await page(listed, first.end)).found).toEqual(['d']);
    });

    test.each([
      '{ bundles(where: { pin: { eq: "4242" } }) { totalCount } }',
      '{ bundles(where: { billing: { code: { eq: "4242" } } }) { totalCount } }',
      '{ bundles(orderBy: [{ field: PIN }]) { totalCount } }',
      '{ bundles { nodes { pin } } }',
      '{ bundles { nodes { billing { code } } } }',
    ])('no document has a secret: %s', async (document) => {
      const { errors } = await app.graphql(document);
      expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    });
  });

  test('many are updated and deleted in one request', async () => {
    const labelled = [await create({ label: 'many-1', channels: 1 }), await create({ label: 'many-2', channels: 2 })];
    const where = '{ label: { startsWith: "many-" } }';
    const updated = await app.graphql(
      `mutation { updateManyBundles(where: ${where}, set: { channels: 2, pin: "47114711" }, expectedCount: 2) {
        count changed sample { ref changes { field after isSecret } }
      } }`,
    );
    expect(JSON.stringify(updated.data)).not.toContain('47114711');
    expect(updated.data).toMatchObject({
      updateManyBundles: {
        count: 2,
        changed: 2,
        sample: [
          { ref: labelled[0], changes: expect.arrayContaining([{ field: 'channels', after: '2', isSecret: false }]) },
          { ref: labelled[1], changes: [{ field: 'pin', after: expect.any(String), isSecret: true }] },
        ],
      },
    });
    const label = await app.graphql(
      `mutation { updateManyBundles(where: ${where}, set: { label: "many-2" }, expectedCount: 2) { count } }`,
    );
    expect(label.errors).toMatchObject([
      { message: `${labelled[0] ?? ''}: A Bundle with gatewayRef "${gateway}", label "many-2" exists already` },
    ]);
    const deleted = await app.graphql(`mutation { deleteManyBundles(where: ${where}, expectedCount: 2) { count } }`);
    expect(deleted.data).toEqual({ deleteManyBundles: { count: 2 } });
    expect(await labels(`where: ${where}`)).toEqual([]);
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
        'mutation ($input: CreateBundleInput!) { createBundle(input: $input) { ref } }',
        { input: inputOf(input) },
      );
      expect(errors).toMatchObject([{ extensions: { code, status, fields: expect.arrayContaining([field]) } }]);
      expect(JSON.stringify([data, errors])).not.toMatch(/73197319|73-19/);
    });

    test('with a PIN that is a number, which the error does not repeat', async () => {
      const variables = { input: inputOf({ pin: 73_195_573 }) };
      const inDocument = `mutation { createBundle(input: { name: "x", label: "x", gatewayRef: "x", pin: 73195573 }) { ref } }`;
      const document = 'mutation ($input: CreateBundleInput!) { createBundle(input: $input) { ref } }';
      for (const { errors } of [await app.graphql(document, variables), await app.graphql(inDocument)]) {
        expect(errors).toHaveLength(1);
        expect(JSON.stringify(errors)).not.toContain('73195573');
      }
    });

    test('deletion of a gateway that it refers to: 4092, which names the bundle', async () => {
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
            message: `${kind} ${used} is in use by Bundle ${ref}`,
            extensions: { code: 'DEPENDENT_OBJECTS', status: 4092 },
          },
        ]);
      }
    });
  });

  describe('in REST', () => {
    const document = (more: { metadata?: Input; spec?: Input } = {}): object => ({
      apiVersion: 'v1beta1',
      kind: 'Bundle',
      metadata: { name: `Bundle ${String(++count)}`, gwRef: gateway, ...more.metadata },
      spec: {
        label: `rest-${String(count)}`,
        pin: '90019001',
        billing: { account: 'r', code: '90019001' },
        ...more.spec,
      },
    });

    test('has all methods, and the legacy document with what the model does not know', async () => {
      const metadata = { ref: 'tr-rest', name: 'By REST', ex_note: 'kept' };
      const created = await app.rest('POST', '/bundles', { body: document({ metadata, spec: { label: 'rest' } }) });
      expect([created.status, created.body]).toEqual([201, { status: '201', message: 'Created', data: 'tr-rest' }]);
      expect(
        await app.rest('PUT', '/bundles/tr-rest', { body: { kind: 'Bundle', spec: { channels: 5 } } }),
      ).toMatchObject({
        status: 200,
      });
      const { body } = await app.rest('GET', '/bundles/tr-rest');
      expect(body.data).toEqual({
        apiVersion: 'v1beta1',
        kind: 'Bundle',
        metadata: {
          ...metadata,
          gwRef: gateway,
          createdOn: expect.any(String),
          modifiedOn: expect.any(String),
        },
        spec: { label: 'rest', pin: '90019001', channels: 5, billing: { account: 'r', code: '90019001' } },
      });
      const moved = await app.rest('PUT', '/bundles/tr-rest', { body: { kind: 'Bundle', spec: { label: 'other' } } });
      expect([moved.status, moved.body.data]).toEqual([400, ['spec.label: cannot be changed']]);
      const filter = encodeURIComponent("@.spec.label=='rest'");
      expect((await app.rest('DELETE', `/bundles?filter=${filter}`)).body.data).toBe(1);
      expect((await app.rest('GET', '/bundles/tr-rest')).status).toBe(404);
      expect((await app.rest('DELETE', '/bundles/tr-rest')).status).toBe(404);
      expect((await app.rest('PATCH', '/bundles')).status).toBe(405);
    });

    test('returns 409 for a duplicate natural key, a missing reference, and a gateway that a bundle refers to', async () => {
      const body = document({ spec: { label: 'twice' } });
      expect((await app.rest('POST', '/bundles', { body })).status).toBe(201);
      expect(await app.rest('POST', '/bundles', { body })).toMatchObject({ status: 409, body: { status: '409' } });
      const lost = document({ metadata: { gwRef: 'none' } });
      expect(await app.rest('POST', '/bundles', { body: lost })).toMatchObject({
        status: 409,
        body: { status: '4091' },
      });
      expect(await app.rest('DELETE', `/gateways/${gateway}`)).toMatchObject({ status: 409, body: { status: '4092' } });
    });

    test('returns its secrets to operators, but not to viewers', async () => {
      await app.rest('POST', '/bundles', { body: document({ metadata: { ref: 'tr-shown' } }) });
      for (const path of ['/bundles/tr-shown', '/bundles?itemsPerPage=100']) {
        expect((await app.rest('GET', path)).text).toContain('90019001');
        const { status, text: shown } = await app.rest('GET', path, { token: viewer });
        expect([status, shown.includes('90019001')]).toEqual([200, false]);
      }
      expect((await app.rest('POST', '/bundles', { token: viewer, body: document() })).status).toBe(403);
      const { errors } = await app.graphql('mutation { deleteBundle(ref: "tr-shown") }', {}, { token: viewer });
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    });

    test('is in the OpenAPI document', async () => {
      const openApi = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
        readonly paths: Readonly<Record<string, object>>;
        readonly components: { readonly schemas: Readonly<Record<string, object>> };
      };
      expect(Object.keys(openApi.paths['/bundles'] ?? {})).toEqual(['get', 'post', 'delete']);
      expect(Object.keys(openApi.paths['/bundles/{ref}'] ?? {})).toEqual(['get', 'put', 'delete']);
      expect(openApi.components.schemas['NewBundle']).toMatchObject({
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

  test('has a history, past states and reverts, without its secrets', async () => {
    const moment = async (): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return new Date().toISOString();
    };
    const ref = await create({
      label: 'past',
      channels: 3,
      pin: '73197319',
      billing: { account: 'a', code: '24682468' },
    });
    const created = await moment();
    await app.graphql(
      'mutation ($ref: String!, $input: UpdateBundleInput!) { updateBundle(ref: $ref, input: $input) { ref } }',
      { ref, input: { channels: null, prefixes: ['+44'], pin: '90019001' } },
    );
    const updated = await moment();
    await app.graphql('mutation ($ref: String!) { deleteBundle(ref: $ref) }', { ref });
    const entries = `history(where: { kind: Bundle, ref: "${ref}" }) {
      nodes { entry event resource { ref } changes { field before after isSecret } }
    }`;
    const { data } = await app.graphql<{ history: { nodes: { entry: string }[] } }>(`{ ${entries} }`);
    const fingerprint = expect.stringMatching(/^[0-9a-f]{8}$/);
    expect(data.history.nodes).toMatchObject([
      { event: 'DELETED', resource: null },
      {
        event: 'UPDATED',
        changes: [
          { field: 'pin', before: fingerprint, after: fingerprint, isSecret: true },
          { field: 'channels', before: '3', after: null },
          { field: 'prefixes', before: null, after: '["+44"]' },
        ],
      },
      { event: 'CREATED' },
    ]);
    const at = async (asOf: string): Promise<unknown> => {
      const query = `{ bundle(ref: "${ref}", asOf: "${asOf}") { channels prefixes pinSet billing { account codeSet } } }`;
      const { data: found, errors } = await app.graphql(query);
      expect(errors).toBeUndefined();
      return found;
    };
    const billing = { account: 'a', codeSet: true };
    expect(await at(created)).toEqual({ bundle: { channels: 3, prefixes: null, pinSet: true, billing } });
    expect(await at(updated)).toEqual({ bundle: { channels: null, prefixes: ['+44'], pinSet: true, billing } });
    const [deletion, update] = data.history.nodes.map(({ entry }) => entry);
    const revert = (entry: string | undefined, secrets: string) =>
      app.graphql(`mutation { revert(entry: "${entry}", secrets: ${secrets}) { event kind ref } }`);
    const refused = await revert(deletion, '[{ field: "pin", value: "90019001" }]');
    expect(refused.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: ['billing.code'] } }]);
    const secrets = '[{ field: "pin", value: "90019001" }, { field: "billing.code", value: "24682468" }]';
    expect((await revert(deletion, secrets)).data).toEqual({ revert: [{ event: 'CREATED', kind: 'Bundle', ref }] });
    const old = '[{ field: "pin", value: "73197319" }]';
    expect((await revert(update, old)).data).toEqual({ revert: [{ event: 'UPDATED', kind: 'Bundle', ref }] });
    const now = await app.graphql(`{ bundle(ref: "${ref}") { channels prefixes history { totalCount } } }`);
    expect(now.data).toEqual({ bundle: { channels: 3, prefixes: null, history: { totalCount: 5 } } });
  });

  test('subscribers receive its changes, without its secrets', async () => {
    const [transport] = transportsOn(product);
    if (!transport) throw new Error('there is no transport');
    const events = await transport.subscribe(
      app.url,
      viewer,
      `subscription { resourceChanged(kinds: [Bundle]) {
        event kind ref resource { ref ... on Bundle { label pinSet gateway { host } } }
      } }`,
    );
    await createGateway(app);
    const ref = await create({ label: 'heard', pin: '51505150' });
    const bundleNow = { ref, label: 'heard', pinSet: true, gateway: { host } };
    expect(await events.next()).toEqual({
      data: { resourceChanged: { event: 'CREATED', kind: 'Bundle', ref, resource: bundleNow } },
    });
    await app.rest('DELETE', `/bundles/${ref}`);
    expect(await events.next()).toEqual({
      data: { resourceChanged: { event: 'DELETED', kind: 'Bundle', ref, resource: null } },
    });
    await events.close();
  });

  describe('in files', () => {
    let directory: string;
    let source: Database;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'sipgraph-another-'));
      source = await openBundles(url, scheme);
    });

    afterAll(async () => {
      await source.close();
      await rm(directory, { recursive: true, force: true });
    });

    test('an export contains it, and importing the export produces the same export', async () => {
      await create({ label: 'exported', channels: 7, billing: { account: 'e', code: '24682468' } });
      const [first, second] = [join(directory, 'first'), join(directory, 'second')];
      const counts = await exportTo(source, model, first, { allowEmpty: false });
      expect(counts.get('bundles')).toBeGreaterThan(0);
      const target = await createDatabase();
      const database = await openBundles(target.url, scheme);
      try {
        await migrateBundles(database);
        expect((await importFiles(database, model, [first], SYSTEM, true)).mistakes).toEqual([]);
        await exportTo(database, model, second, { allowEmpty: false });
        const again = await importFiles(database, model, [first], SYSTEM, true);
        expect(again.outcomes.filter(({ result }) => result !== 'unchanged')).toEqual([]);
      } finally {
        await database.close();
        await target.drop();
      }
      const bundles = await readFile(join(first, 'bundles.yml'), 'utf8');
      expect(bundles).toContain("code: '24682468'");
      expect(await readFile(join(second, 'bundles.yml'), 'utf8')).toBe(bundles);
    });

    test('an entry without a ref is the bundle with the same natural key, or a new one', async () => {
      const ref = await create({ label: 'keyed', channels: 1 });
      const file = join(directory, 'bundles.yml');
      const entry = (label: string): object => ({
        kind: 'bundle',
        metadata: { name: 'From a file', gwRef: gateway },
        spec: { label, pin: '1111', channels: 9 },
      });
      await writeFile(file, JSON.stringify([entry('keyed'), entry('fresh')]));
      const { outcomes, mistakes } = await importFiles(source, model, [file], SYSTEM, true);
      expect(mistakes).toEqual([]);
      expect(outcomes).toMatchObject([
        { kind: 'Bundle', ref, result: 'update' },
        { kind: 'Bundle', ref: expect.stringMatching(/^tr/), result: 'create' },
      ]);
      expect(await labels('filter: "@.spec.channels==9"')).toEqual(['keyed', 'fresh']);
    });
  });

  test('no line of the log has its secrets', () => {
    expect(logged.join('')).toContain('POST');
    expect(logged.join('')).not.toMatch(
      /\b(?:73197319|73-19-55|731955731955|73195573|90019001|51505150|24682468|00-code-00)\b/,
    );
  });
});

describe('A kind that is declared wrongly', () => {
  function declared(options: Partial<KindOptions>, property?: Parameters<typeof Property>[0]): typeof Bundle {
    class Wrong extends Resource {
      name!: string;
    }
    Property(property ?? { path: 'metadata.name', format: text(10), about: 'Name.' })(Wrong.prototype, 'name');
    KindOf({ name: 'Wrong', collection: 'wrongs', prefix: 'wr', table: 'wrongs', about: 'x', unique: [], ...options })(
      Wrong,
    );
    return Wrong as typeof Bundle;
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
