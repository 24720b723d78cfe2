import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  buildSchema,
  type GraphQLNamedType,
} from 'graphql';
import { serverAudits } from 'graphql-http';

import { startApp, type TestApp } from '../support/app';
import { model } from '../support/model';

const schema = buildSchema(readFileSync(join(__dirname, '../../schema/schema.graphql'), 'utf8'));

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
}

function partsOf(type: GraphQLNamedType): readonly (readonly [string, Described])[] {
  if (isEnumType(type)) return type.getValues().map((value) => [`${type.name}.${value.name}`, value]);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field]);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    [`${type.name}.${field.name}`, field] as const,
    ...field.args.map((argument) => [`${type.name}.${field.name}(${argument.name}:)`, argument] as const),
  ]);
}

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !type.name.startsWith('__'),
);

test('every type, field, argument and error code in the schema has a description', () => {
  const parts = types.flatMap((type) => [[type.name, type as Described] as const, ...partsOf(type)]);
  const bare = parts.filter(([, { description }]) => (description ?? '') === '').map(([name]) => name);
  expect(parts.length).toBeGreaterThan(300);
  // Built-in scalars.
  expect(bare.filter((name) => !['String', 'Int', 'Boolean', 'ID', 'Float'].includes(name))).toEqual([]);
});

test('every custom scalar has a specification URL', () => {
  const own = types.filter(isScalarType).filter((type) => !isSpecifiedScalarType(type));
  expect(own.map(({ name, specifiedByURL }) => [name, specifiedByURL])).toEqual([
    ['DateTimeISO', 'https://scalars.graphql.org/andimarek/date-time.html'],
  ]);
});

test('descriptions are written with the right article', () => {
  const described = types.flatMap((type) => [type as Described, ...partsOf(type).map(([, part]) => part)]);
  expect(described.filter(({ description }) => /\ba (Agent|Address|Edge)/i.test(description ?? ''))).toEqual([]);
});

test('no output type has a secret, except that of a new webhook, which is shown once', () => {
  const shown = types.filter((type) => isObjectType(type) || isInterfaceType(type)).flatMap(partsOf);
  expect(
    shown.map(([name]) => name).filter((name) => /\.(secret|password|hash)\b/i.test(name) && !name.includes('(')),
  ).toEqual(['CreatedWebhook.secret']);
});

describe('The server', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
  });

  afterAll(() => app.close());

  test.each(
    serverAudits({ url: () => `${app.url}/graphql`, fetchFn: fetch }).map((audit) => [audit.name, audit] as const),
  )('passes the audit of GraphQL over HTTP: %s', async (_name, audit) => {
    const result = await audit.fn();
    // `warn` and `notice` are what servers SHOULD and MAY do.
    expect(result).not.toMatchObject({ status: 'error' });
  });

  test('serves the committed OpenAPI document, with an operation for each path of the specification', async () => {
    const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: Record<string, object> };
    expect(document).toEqual(JSON.parse(readFileSync(join(__dirname, '../../schema/openapi.json'), 'utf8')));
    expect(
      Object.entries(document.paths)
        .map(([path, operations]) => `${Object.keys(operations).join(',')} ${path}`)
        .sort(),
    ).toEqual(
      [
        ...model.kinds.map(({ collection }) => `get,post,delete /${collection}`),
        ...model.kinds.map(({ collection }) => `get,put,delete /${collection}/{ref}`),
        ...[
          'get /credentials',
          'get,delete /location',
          'delete /location/{addressOfRecord}',
          'get /system/config',
          'get /registry',
          'get /system/info',
          'get /system/logs',
          'get /system/status',
          'get /token',
        ],
      ].sort(),
    );
  });

  test.each(model.kinds.map(({ name, collection }) => [name, collection]))(
    'the example of a document of the kind %s is accepted',
    async (_name, collection) => {
      const own = await startApp({ SAMPLE_DATA: 'true' });
      try {
        const { paths } = (await (await fetch(`${own.url}/openapi.json`)).json()) as {
          paths: Record<string, { post: { requestBody: { content: Record<string, { example: object }> } } }>;
        };
        const { example } = paths[`/${collection}`]?.post.requestBody.content['application/json'] ?? {};
        expect(await own.rest('POST', `/${collection}`, { body: example })).toMatchObject({ status: 201 });
      } finally {
        await own.close();
      }
    },
  );

  test.each(model.kinds.map(({ collection }) => collection))(
    'the OpenAPI document describes PUT of /%s as changes: no member is required',
    async (collection) => {
      const { paths, components } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
        paths: Record<string, { put: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>;
        components: { schemas: Record<string, { required?: string[]; properties: Record<string, object> }> };
      };
      const { schema } = paths[`/${collection}/{ref}`]?.put.requestBody.content['application/json'] ?? {};
      const { required, properties } = components.schemas[schema?.$ref.split('/').pop() ?? ''] ?? {};
      expect([
        required,
        ...Object.values(properties ?? {}).map((each) => Object.keys(each).includes('required')),
      ]).toEqual([undefined, false, false, false, false]);
    },
  );

  test.each(['/openapi.json', '/healthz', '/readyz'])('serves GET %s without a token', async (path) => {
    expect((await fetch(`${app.url}${path}`)).status).toBe(200);
  });

  test.each(Object.keys(schema.getQueryType()?.getFields() ?? {}))(
    'rejects the query %s without a token',
    async (field) => {
      await expectRefusal('query', schema.getQueryType()?.getFields()[field]);
    },
  );

  test.each(Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) => name !== 'createToken'))(
    'rejects the mutation %s without a token',
    async (field) => {
      await expectRefusal('mutation', schema.getMutationType()?.getFields()[field]);
    },
  );

  interface FieldLike {
    readonly name: string;
    readonly type: unknown;
    readonly args: readonly { readonly name: string; readonly type: unknown }[];
  }

  const VALUES: Readonly<Record<string, string>> = {
    'String!': '"x"',
    'ID!': '"x"',
    '[ID!]!': '["x"]',
    'Role!': 'VIEWER',
  };

  async function expectRefusal(operation: string, field: FieldLike | undefined): Promise<void> {
    if (!field) throw new Error('the schema has no such field');
    const inputs = field.args.filter(({ type }) => String(type).endsWith('Input!'));
    const args = field.args
      .filter(({ type }) => String(type).endsWith('!'))
      .map(
        (argument) =>
          `${argument.name}: ${inputs.includes(argument) ? '$input' : (VALUES[String(argument.type)] ?? '')}`,
      );
    const selection = /^(ID|String|Int)!?$/.test(String(field.type)) ? '' : '{ __typename }';
    const variables = inputs.map(({ type }) => `($input: ${String(type).replace('!', '')}! )`).join('');
    const call = `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}`;
    const { errors } = await app.graphql(
      `${operation} ${variables} { ${call} ${selection} }`,
      { input: SAMPLE[field.name] },
      { token: null },
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED', status: 401 });
  }

  const GATEWAY = { name: 'x', host: 'x.test', transport: 'UDP' };
  const NUMBER = { gatewayRef: 'x', telUrl: 'tel:1', aorLink: 'sip:a@b' };
  const SAMPLE: Readonly<Record<string, object>> = {
    createGateway: GATEWAY,
    createAgent: { name: 'x', username: 'x', secret: 'x', domains: ['x'] },
    createPeer: { name: 'x', username: 'x', secret: 'x' },
    createDomain: { name: 'x', domainUri: 'x' },
    createDID: NUMBER,
    createNumber: NUMBER,
    createUser: { username: 'x', secret: 'long enough', role: 'VIEWER' },
    ...Object.fromEntries(['Gateway', 'Agent', 'Peer', 'Domain', 'DID', 'Number'].map((kind) => [`update${kind}`, {}])),
  };
});
