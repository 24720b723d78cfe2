import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createAgent, createDomain, createGateway, createNumber, createRoute } from '../support/factories';
import { runCommand } from '../support/command-line';
import { onEachDriver } from '../support/databases/on-each-database';

onEachDriver('A route', (subject) => {
  let domainRef = '';
  let gatewayRef = '';
  let numberRefs: readonly string[] = [];
  const route = { name: 'Abroad', prefix: '+' };

  beforeEach(async () => {
    const { app } = subject();
    [domainRef, gatewayRef] = [await createDomain(app), await createGateway(app)];
    numberRefs = [
      await createNumber(app, { gatewayRef }),
      await createNumber(app),
      await createNumber(app, { gatewayRef }),
    ];
  });

  /** Creates a route of the domain. Returns its prefix, or its error. */
  async function created(input: object): Promise<unknown> {
    const { data, errors } = await subject().app.graphql<{ readonly createRoute: { readonly prefix: string } }>(
      'mutation ($input: CreateRouteInput!) { createRoute(input: $input) { prefix } }',
      { input: { ...route, domainRef, numberRefs, ...input } },
    );
    return errors ? { message: errors[0]?.message, ...errors[0]?.extensions } : data.createRoute.prefix;
  }

  async function update(ref: string, input: object): Promise<unknown> {
    const { data, errors } = await subject().app.graphql<{ readonly updateRoute: unknown }>(
      'mutation ($ref: String!, $input: UpdateRouteInput!) { updateRoute(ref: $ref, input: $input) { numbers { ref } } }',
      { ref, input },
    );
    return errors ? { message: errors[0]?.message, ...errors[0]?.extensions } : data.updateRoute;
  }

  test.each([
    ['', ''],
    ['+', '+'],
    ['+49 (30) 12-34.5', '+493012345'],
    ['0049', '+49'],
    ['00', '+'],
    ['tel:+49', '+49'],
    ['*31#', '*31#'],
    ['+49*', '+49*'],
    ['1'.repeat(24), '1'.repeat(24)],
  ])('with the prefix %j is stored with %j', async (prefix, stored) => {
    expect(await created({ prefix })).toBe(stored);
  });

  test.each(['1'.repeat(25), '49+', '++49', 'a', '+49;ext=1', '1.2.3.4', '+49%', "'"])(
    'with the prefix %j is rejected, and the error names it',
    async (prefix) => {
      expect(await created({ prefix })).toMatchObject({
        message: expect.stringContaining(`"${prefix}" is not the beginning of a number`) as string,
        code: 'BAD_USER_INPUT',
        fields: ['prefix'],
      });
    },
  );

  test.each([
    ['no number', { numberRefs: [] }, 'BAD_USER_INPUT', 'numberRefs'],
    [
      'nine numbers',
      { numberRefs: Array.from({ length: 9 }, (_, n) => `n${String(n)}`) },
      'BAD_USER_INPUT',
      'numberRefs',
    ],
    ['an unknown number', { numberRefs: ['none'] }, 'UNFULFILLED_DEPENDENCY', 'numberRefs'],
    ['an unknown domain', { domainRef: 'none' }, 'UNFULFILLED_DEPENDENCY', 'domainRef'],
    ['shares of some numbers', { shares: [{ priority: 1 }] }, 'BAD_USER_INPUT', 'shares'],
    [
      'a weight of 0',
      { shares: [{ priority: 1, weight: 0 }, { priority: 1 }, { priority: 2 }] },
      'BAD_USER_INPUT',
      'shares[0].weight',
    ],
    ['an emergency number that is empty', { emergency: true, prefix: '' }, 'BAD_USER_INPUT', 'prefix'],
    ['an emergency number without a digit', { emergency: true, prefix: '00' }, 'BAD_USER_INPUT', 'prefix'],
  ])('with %s is rejected', async (_, input, code, field) => {
    expect(await created(input)).toMatchObject({ code, fields: [field] });
  });

  test('with the prefix of another one of its domain is a conflict, and of another domain is none', async () => {
    expect(await created({ prefix: '+49' })).toBe('+49');
    expect(await created({ prefix: '0049' })).toMatchObject({ code: 'CONFLICT', fields: ['domainRef', 'prefix'] });
    expect(await created({ prefix: '+49', domainRef: await createDomain(subject().app) })).toBe('+49');
  });

  test('does not become an emergency number without a prefix, also by an update of many', async () => {
    const ref = await createRoute(subject().app, { domainRef, prefix: '' });
    expect(await update(ref, { emergency: true })).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['prefix'] });
    const { errors } = await subject().app.graphql(
      `mutation { updateManyRoutes(refs: ["${ref}"], set: { emergency: true }, expectedCount: 1) { count } }`,
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  test('keeps the order of its numbers, links to them and from them, and is in the history', async () => {
    const { app } = subject();
    const ref = await createRoute(app, { domainRef, numberRefs, prefix: '+49', emergency: false });
    const [first = '', second = '', third = ''] = numberRefs;
    const reordered = [third, first];
    expect(await update(ref, { numberRefs: reordered })).toEqual({
      numbers: reordered.map((number) => ({ ref: number })),
    });
    const { data } = await app.graphql<object>(
      `{ route(ref: "${ref}") { emergency numbers { ref gateway { ref } } domain { ref routes { nodes { ref } } } }
         number(ref: "${third}") { routes { totalCount nodes { ref } } }
         dropped: number(ref: "${second}") { routes { totalCount } }
         routes(where: { numbers: { ref: { eq: "${first}" } }, domain: { ref: { eq: "${domainRef}" } } }) { nodes { ref } }
         history(where: { kind: Route, ref: "${ref}" }, first: 1) { nodes { changes { field before after } } } }`,
    );
    expect(data).toEqual({
      route: {
        emergency: false,
        numbers: reordered.map((number) => ({ ref: number, gateway: { ref: gatewayRef } })),
        domain: { ref: domainRef, routes: { nodes: [{ ref }] } },
      },
      number: { routes: { totalCount: 1, nodes: [{ ref }] } },
      dropped: { routes: { totalCount: 0 } },
      routes: { nodes: [{ ref }] },
      history: {
        nodes: [
          { changes: [{ field: 'numberRefs', before: JSON.stringify(numberRefs), after: JSON.stringify(reordered) }] },
        ],
      },
    });
  });

  test('shares calls among the numbers of one priority by weight, as explainCall and documents say', async () => {
    const { app, url } = subject();
    const shares = [{ priority: 2, weight: 30 }, { priority: 1 }, { priority: 2, weight: 70 }];
    const domainUri = `shares${String(Date.now())}.test`;
    const own = await createDomain(app, { domainUri });
    await createAgent(app, { username: 'anna', domains: [domainUri] });
    const ref = await createRoute(app, { domainRef: own, numberRefs, prefix: '+', shares });
    const explained = async (): Promise<readonly (readonly [string | undefined, number | null])[]> => {
      const { data, errors } = await app.graphql<{
        readonly explainCall: {
          readonly attempts: readonly {
            readonly number: { readonly ref: string } | null;
            readonly share: number | null;
          }[];
        };
      }>(`{ explainCall(from: "anna@${domainUri}", to: "+33123") { attempts { share number { ref } } } }`);
      expect(errors).toBeUndefined();
      return data.explainCall.attempts.map(({ number, share }) => [number?.ref, share]);
    };
    const [first = '', second = '', third = ''] = numberRefs;
    expect(await explained()).toEqual([
      [second, null],
      [third, 70],
      [first, 30],
    ]);
    const { data } = await app.graphql(
      `{ explainCall(from: "anna@${domainUri}", to: "+33123") { steps { summary } }
         routes(where: { ref: { eq: "${ref}" }, shares: { weight: { contains: 70 } } }) { nodes { shares { priority weight } } } }`,
    );
    expect(JSON.stringify(data)).toContain(', by weight first in 70 % of the calls');
    expect(data).toMatchObject({
      routes: { nodes: [{ shares: [shares[0], { priority: 1, weight: null }, shares[2]] }] },
    });
    const { body } = await app.rest('GET', `/routes/${ref}`);
    expect(body).toMatchObject({ data: { spec: { shares } } });
    // Numbers that are left out need other shares, and none lets the order of the list decide again.
    const two = numberRefs.slice(0, 2);
    expect(await update(ref, { numberRefs: two })).toMatchObject({
      message: 'shares: needs an entry for each number in numberRefs',
    });
    expect(await update(ref, { numberRefs: two, shares: [{ priority: 1 }, { priority: 1 }] })).toBeDefined();
    expect(await explained()).toEqual([
      [first, 50],
      [second, 50],
    ]);
    await update(ref, { shares: null });
    expect(await explained()).toEqual([
      [first, null],
      [second, null],
    ]);
    const { data: history } = await app.graphql(
      `{ history(where: { kind: Route, ref: "${ref}" }, first: 1) { nodes { changes { field after } } } }`,
    );
    expect(history).toEqual({ history: { nodes: [{ changes: [{ field: 'shares', after: null }] }] } });
    expect((await app.rest('GET', `/routes/${ref}`)).text).not.toContain('shares');
    const csv = `name,domainRef,prefix,numberRefs,shares\nRow,${own},+1,${two.join(' ')},"[{""priority"":1,""weight"":3},{""priority"":1}]"\n`;
    const imported = await app.graphql('mutation ($csv: String!) { importCsv(kind: Route, csv: $csv) { imported } }', {
      csv,
    });
    expect(imported.data).toEqual({ importCsv: { imported: true } });
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-shares-'));
    try {
      expect((await runCommand({ DATABASE_URL: url }, 'export', join(directory, 'export'))).code).toBe(0);
      expect(await readFile(join(directory, 'export', 'routes.yml'), 'utf8')).toMatch(
        /shares:\s+- priority: 1\s+weight: 3/,
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('keeps its domain and its numbers from being deleted', async () => {
    const { app } = subject();
    const ref = await createRoute(app, { domainRef, numberRefs });
    for (const [kind, used] of [
      ['Domain', domainRef],
      ['Number', numberRefs[2]],
    ] as const) {
      const { errors } = await app.graphql(`mutation { delete${kind}(ref: "${String(used)}") }`);
      expect(errors).toMatchObject([{ message: `${kind} ${String(used)} is in use by Route ${ref}` }]);
    }
    await app.graphql(`mutation { deleteRoute(ref: "${ref}") }`);
    expect((await app.graphql(`mutation { deleteDomain(ref: "${domainRef}") }`)).errors).toBeUndefined();
  });

  test('is a document in REST, whose natural key PUT cannot change', async () => {
    const { app } = subject();
    const metadata = { name: 'Abroad', domainRef };
    const body = { kind: 'Route', metadata, spec: { prefix: '', numberRefs } };
    const { status, body: answer } = await app.rest('POST', '/routes', { body });
    expect([status, answer.message]).toEqual([201, 'Created']);
    const ref = String(answer.data);
    expect(ref).toMatch(/^rt[0-9a-f]{8}$/);
    const read = await app.rest<object>('GET', `/routes/${ref}`);
    expect(read.body.data).toMatchObject({
      kind: 'Route',
      metadata: { ...metadata, ref },
      spec: { prefix: '', numberRefs },
    });
    expect(JSON.stringify(read.body.data)).not.toContain('emergency');
    expect((await app.rest('POST', '/routes', { body })).status).toBe(409);
    const put = (spec: object) => app.rest('PUT', `/routes/${ref}`, { body: { kind: 'Route', spec } });
    expect((await put({ prefix: '+1' })).body.data).toEqual(['spec.prefix: cannot be changed']);
    expect((await put({ numberRefs: numberRefs.slice(0, 1) })).status).toBe(200);
    const filter = encodeURIComponent(`@.spec.numberRefs[0]=="${numberRefs[0] ?? ''}"`);
    expect((await app.rest<unknown[]>('GET', `/routes?filter=${filter}`)).body.data).toHaveLength(1);
    expect((await app.rest('DELETE', `/routes/${ref}`)).status).toBe(200);
  });

  test('is imported from CSV, by its natural key, also with an empty prefix', async () => {
    const { app } = subject();
    const importing = async (csv: string): Promise<unknown> => {
      const { data, errors } = await app.graphql<{ importCsv: object }>(
        'mutation ($csv: String!) { importCsv(kind: Route, csv: $csv, dryRun: false) { created: count(outcome: CREATED) updated: count(outcome: UPDATED) unchanged: count(outcome: UNCHANGED) } }',
        { csv },
      );
      expect(errors).toBeUndefined();
      return data.importCsv;
    };
    const rows = (name: string): string =>
      [
        'name,domainRef,prefix,numberRefs',
        ...['', '0044', '112'].map((prefix) => `${name},${domainRef},${prefix},${numberRefs.join(' ')}`),
      ].join('\n');
    expect(await importing(rows('One'))).toEqual({ created: 3, updated: 0, unchanged: 0 });
    expect(await importing(rows('One'))).toEqual({ created: 0, updated: 0, unchanged: 3 });
    expect(await importing(rows('Two'))).toEqual({ created: 0, updated: 3, unchanged: 0 });
    const { data } = await app.graphql(`{ domain(ref: "${domainRef}") { routes { nodes { name prefix } } } }`);
    expect(data).toEqual({
      domain: { routes: { nodes: ['', '+44', '112'].map((prefix) => ({ name: 'Two', prefix })) } },
    });
  });

  test('is exported, and the export imports again', async () => {
    const { app, url } = subject();
    const ref = await createRoute(app, { domainRef, numberRefs, prefix: '112', emergency: true });
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-routes-'));
    try {
      const target = join(directory, 'export');
      expect((await runCommand({ DATABASE_URL: url }, 'export', target)).code).toBe(0);
      expect(await readFile(join(target, 'routes.yml'), 'utf8')).toContain(`ref: ${ref}`);
      const { code, out } = await runCommand({ DATABASE_URL: url }, 'import', target, '--dry-run');
      expect([code, /^(?!unchanged).*Route/m.exec(out)]).toEqual([0, null]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
