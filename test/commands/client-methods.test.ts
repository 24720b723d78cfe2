import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  Kind,
  buildSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from 'graphql';

import { createClient, signIn, type Client } from '../../clients/typescript/src/index';
import * as operations from '../../clients/typescript/src/operations';
import { startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { metric } from '../support/metrics';

type Variables = Readonly<Record<string, unknown>>;
type Method = (variables: Variables, options?: object) => Promise<unknown> & AsyncIterable<unknown>;
type Fields = readonly GraphQLField<unknown, unknown>[];
type Argument = Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue'>;

const schema = buildSchema(readFileSync(join(__dirname, '../../schema/schema.graphql'), 'utf8'));
const fieldsOf = (type: GraphQLObjectType | null | undefined): Fields => Object.values(type?.getFields() ?? {});
const queries = fieldsOf(schema.getQueryType());
const mutations = fieldsOf(schema.getMutationType());
const subscriptions = fieldsOf(schema.getSubscriptionType());

/** The variables of the document of each method. */
const variables = new Map(
  Object.values(operations).flatMap((text) => {
    const [definition] = typeof text === 'function' ? [] : parse(text as unknown as string).definitions;
    if (definition?.kind !== Kind.OPERATION_DEFINITION) return [];
    const names = definition.variableDefinitions?.map(({ variable }) => variable.name.value);
    return [[definition.name?.value ?? '', names ?? []] as const];
  }),
);

/** A value of a type: a string that names nothing, the first value of an enum, an empty list or an object with what it needs. */
function valueOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return variablesOf(Object.values(type.getFields()));
  return { Int: 1, Float: 1, Boolean: true, DateTimeISO: '2026-03-01T10:15:30.000Z' }[type.name] ?? 'nothing';
}

function isNeeded({ type, defaultValue }: Argument): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

/** The arguments that must be given, a dry run, and the longest page. */
function variablesOf(args: readonly Argument[]): Variables {
  const has = (...names: readonly string[]): boolean => names.every((name) => args.some((arg) => arg.name === name));
  return {
    ...Object.fromEntries(args.filter(isNeeded).map(({ name, type }) => [name, valueOf(type)])),
    ...(has('dryRun') && { dryRun: true }),
    ...(has('first', 'after') && { first: has('by') ? 30 : 100 }),
  };
}

describe('Of the methods of the client,', () => {
  let app: TestApp;
  let client: Client;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
    const url = `${app.url}/graphql`;
    client = createClient(url, { token: signIn(url, 'admin', app.adminSecret) });
  });

  afterAll(() => app.close());

  function methodOf(name: string): Method {
    const method = (client as unknown as Readonly<Record<string, Method>>)[name];
    if (!method) throw new Error(`There is no method ${name}`);
    return method;
  }

  test.each([...queries, ...mutations, ...subscriptions])('$name has all arguments of the field', ({ name, args }) => {
    // The links that are selected of these kinds cannot be read as of an earlier time.
    const isWithoutPast = ['agent', 'peer', 'route'].includes(name);
    const names = args.map((arg) => arg.name).filter((arg) => arg !== 'asOf' || !isWithoutPast);
    expect(methodOf(name)).toBeInstanceOf(Function);
    expect(variables.get(name)).toEqual(expect.arrayContaining(names));
  });

  // `explainCall` has optional arguments, and needs some of them.
  test.each(queries.filter(({ args, name }) => !args.some(isNeeded) && name !== 'explainCall'))(
    '$name returns its longest page',
    async ({ name, args }) => {
      expect(await methodOf(name)(variablesOf(args))).toHaveProperty(name);
    },
  );

  test.each([...queries.filter(({ args }) => args.some(isNeeded)), ...mutations])(
    '$name is executed',
    async ({ name, args }) => {
      const { code } = await methodOf(name)(variablesOf(args)).then(
        () => ({ code: 'NONE' }),
        (error: unknown) => error as { readonly code: string },
      );
      // Not GRAPHQL_VALIDATION_FAILED, as documents beyond the limits.
      expect(['NONE', 'BAD_USER_INPUT', 'UNAUTHENTICATED', 'NOT_FOUND', 'NOT_SUPPORTED']).toContain(code);
    },
  );

  test.each(subscriptions)('$name is open until it is ended', async ({ name, args }) => {
    const opened = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_subscribers');
    await eventually(5, async () => expect(await opened()).toBe(0));
    const stop = new AbortController();
    const next = methodOf(name)(variablesOf(args), { signal: stop.signal })[Symbol.asyncIterator]().next();
    // The first event of an import comes immediately.
    if (name === 'importProgress') {
      expect(await next).toMatchObject({ value: { importProgress: { done: 0 } } });
      stop.abort();
      return;
    }
    await eventually(5, async () => expect(await opened()).toBeGreaterThan(0));
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  test('those of waiting changes, the history and the past have what the next one needs', async () => {
    const gateway = { ref: 'waits', name: 'Waits', host: 'waits.test', transport: 'UDP' } as const;
    const { applyChanges } = await client.applyChanges({ changes: [{ create: { gateway } }], confirmWithin: 60 });
    const id = applyChanges.pending?.id ?? '';
    expect((await client.pendingChanges({ states: ['UNCONFIRMED'] })).pendingChanges.nodes).toMatchObject([{ id }]);
    expect((await client.confirmChanges({ id })).confirmChanges.state).toBe('CONFIRMED');

    const { updateGateway } = await client.updateGateway({ ref: 'waits', input: { name: 'Later' } });
    const [last, first] = (await client.history({ where: { ref: 'waits' } })).history.nodes;
    expect(last).toMatchObject({ event: 'UPDATED', changes: [{ field: 'name', before: 'Waits', after: 'Later' }] });
    const asOf = first?.at ?? '';
    expect((await client.gateway({ ref: 'waits', asOf })).gateway?.name).toBe('Waits');
    expect((await client.node({ id: updateGateway.id })).node).toMatchObject({ name: 'Later', host: 'waits.test' });

    await client.revert({ entry: last?.entry ?? '' });
    const { changeCursor } = await client.changeCursor();
    const { revertRequest } = await client.revertRequest({ id: first?.request ?? '' });
    expect(revertRequest).toMatchObject([{ event: 'DELETED', ref: 'waits' }]);
    for await (const { resourceChanged } of client.resourceChanged({ since: changeCursor })) {
      expect(resourceChanged).toMatchObject({ event: 'DELETED', former: { name: 'Waits' }, resource: null });
      break;
    }
  });

  test('simulate names the numbers whose calls change, and search the resources', async () => {
    const { search } = await client.search({ text: 'sip.provider.net' });
    expect(search).toMatchObject([{ __typename: 'Gateway', host: 'sip.provider.net' }]);
    const update = { ref: search[0]?.ref ?? '', gateway: { enabled: false } };
    const { calls } = (await client.simulate({ changes: [{ update }] })).simulate;
    expect(calls.numbers.map(({ effect }) => effect)).toContain('STOPS');
  });
});
