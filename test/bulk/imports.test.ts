import { randomUUID } from 'node:crypto';

import { fetchToken, type GraphqlReply, type TestApp } from '../support/app';
import { createGateway, createNumber, createPeer } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { transportsOn } from '../support/subscriptions';

interface Row {
  readonly line: number;
  readonly outcome: string;
  readonly kind: string | null;
  readonly ref: string | null;
  readonly errors: readonly { readonly field: string | null; readonly message: string }[];
}

interface Import {
  readonly imported: boolean;
  readonly request: string;
  readonly created: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly rows: readonly Row[];
}

const FIELDS = `imported request
  created: count(outcome: CREATED) unchanged: count(outcome: UNCHANGED) failed: count(outcome: FAILED)
  rows { line outcome kind ref errors { field message } }`;

type Args = Readonly<Record<string, unknown>>;

function importing(
  app: TestApp,
  what: 'Numbers' | 'Documents',
  args: Args,
  token?: string,
): Promise<GraphqlReply<{ readonly imported: Import }>> {
  const [content, kind] = what === 'Numbers' ? ['csv', 'kind: $kind,'] : ['text', ''];
  return app.graphql<{ readonly imported: Import }>(
    `mutation ($content: String!, ${kind && '$kind: NumberKind! = Number,'} $dryRun: Boolean! = false, $id: ID) {
      imported: import${what}(${content}: $content, ${kind} dryRun: $dryRun, progressId: $id) { ${FIELDS} }
    }`,
    args,
    { token },
  );
}

async function imported(app: TestApp, what: 'Numbers' | 'Documents', args: Args): Promise<Import> {
  const { data, errors } = await importing(app, what, args);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.imported;
}

async function countOf(app: TestApp, collection: string, where: string): Promise<number> {
  const { data, errors } = await app.graphql<Record<string, { totalCount: number }>>(
    `{ ${collection}(where: ${where}) { totalCount } }`,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data[collection]?.totalCount ?? NaN;
}

/** The outcome of the first document. */
async function outcomeOf(app: TestApp, content: string, dryRun: boolean): Promise<string | undefined> {
  return (await imported(app, 'Documents', { content, dryRun })).rows[0]?.outcome;
}

let prefix = 1000;

/** CSV of numbers that no other test has. */
function csvOf(gateway: string, count: number): string {
  const area = ++prefix;
  const rows = Array.from(
    { length: count },
    (_, n) => `tel:+49${String(area)}${String(n).padStart(5, '0')},sip:1001@sip.local,${gateway},Columbus`,
  );
  return ['telUrl,aorLink,gwRef,city', ...rows].join('\n');
}

async function revert(app: TestApp, id: string): Promise<number> {
  const { data, errors } = await app.graphql<{ revertRequest: unknown[] }>(
    'mutation ($id: String!) { revertRequest(id: $id) { event } }',
    { id },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.revertRequest.length;
}

onEachDatabase('An import', (subject, database) => {
  test.each([
    ['Number', 'numbers'],
    ['DID', 'dids'],
  ])(
    'of CSV creates a %s for each row, after a dry run that changes nothing, and can be reverted',
    async (kind, collection) => {
      const { app } = subject();
      const gateway = await createGateway(app);
      const content = csvOf(gateway, 1100);
      const where = `{ gatewayRef: { eq: "${gateway}" }, geoInfo: { city: { eq: "Columbus" } } }`;
      const dry = await imported(app, 'Numbers', { content, kind, dryRun: true });
      expect(dry).toMatchObject({ imported: false, created: 1100, failed: 0, request: null });
      expect(await countOf(app, collection, where)).toBe(0);
      const first = await imported(app, 'Numbers', { content, kind });
      expect(first).toMatchObject({ imported: true, created: 1100, unchanged: 0, failed: 0 });
      expect(first.rows).toHaveLength(1000);
      expect(first.rows[0]).toEqual({ line: 2, outcome: 'CREATED', kind, ref: expect.any(String), errors: [] });
      expect(await countOf(app, collection, where)).toBe(1100);
      const second = await imported(app, 'Numbers', { content, kind });
      expect(second).toMatchObject({ imported: true, created: 0, unchanged: 1100, request: null });
      expect(second.rows[0]).toEqual({ ...first.rows[0], outcome: 'UNCHANGED' });
      expect(await revert(app, first.request)).toBe(1100);
      expect(await countOf(app, collection, where)).toBe(0);
    },
    60_000,
  );

  test('of CSV with an error in the third row changes nothing, and reports the column of each error', async () => {
    const { app } = subject();
    const gateway = await createGateway(app);
    const taken = await createNumber(app, { telUrl: 'tel:+4930123', gatewayRef: gateway });
    const content = `telUrl,aorLink,gwRef,countryISOCode
tel:+4930001,sip:1001@sip.local,${gateway},DE
tel:+4930002,sip:1001@sip.local,${gateway},
nonsense,sip:1001@sip.local,${gateway},
tel:+4930002,sip:1001@sip.local,${gateway},
tel:+4930003,sip:1001@sip.local,nobody,nowhere
tel:+4930004,sip:1001@sip.local,nobody,
tel:+4930123,sip:other@sip.local,${gateway},
`;
    const report = await imported(app, 'Numbers', { content });
    expect(report).toMatchObject({ imported: false, created: 2, failed: 5 });
    expect(report.rows.map(({ line, outcome, errors }) => [line, outcome, errors.map(({ field }) => field)])).toEqual([
      [2, 'CREATED', []],
      [3, 'CREATED', []],
      [4, 'FAILED', ['telUrl']],
      [5, 'FAILED', ['telUrl']],
      [6, 'FAILED', ['gwRef', 'countryISOCode']],
      [7, 'FAILED', ['gwRef']],
      [8, 'FAILED', ['telUrl']],
    ]);
    expect(report.rows[5]?.errors[0]?.message).toBe('Gateway "nobody" does not exist');
    expect(await countOf(app, 'numbers', `{ gatewayRef: { eq: "${gateway}" } }`)).toBe(1);
    const { data } = await app.graphql(
      `mutation ($csv: String!) { importNumbers(csv: $csv) { all: count rows(outcomes: [FAILED], first: 2) { line } } }`,
      { csv: content },
    );
    expect(data).toEqual({ importNumbers: { all: 7, rows: [{ line: 4 }, { line: 5 }] } });
    await app.graphql(`mutation { deleteNumber(ref: "${taken}") }`);
  });

  test.each([
    ['an unknown column', 'telUrl,colour\n', 'header', /unknown column colour, missing column aorLink/],
    ['a row that is too short', 'telUrl,aorLink,gwRef\ntel:+1,sip:a@b\n', 'Line 2', /Invalid Record Length/],
    ['an unclosed quote', `telUrl,aorLink,gwRef\n"tel:+1,sip:a@b,gw`, 'Line 2', /Quote Not Closed/],
    ['a very long row', `telUrl,aorLink,gwRef\n"${'tel:+2,\n'.repeat(10_000)}`, /^Line \d+$/, /unclosed quote/],
  ])('of CSV is refused for %s', async (_what, content, field, message) => {
    const { app } = subject();
    const { errors } = await importing(app, 'Numbers', { content });
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(message),
        extensions: { code: 'BAD_USER_INPUT', fields: [expect.stringMatching(field)] },
      },
    ]);
  });

  test("of documents in Routr's format creates and updates in the order of references, and can be reverted", async () => {
    const { app } = subject();
    const text = `
- apiVersion: v1beta1
  kind: Agent
  metadata: { name: Ada, ref: ag-ada }
  spec: { credentials: { username: ada, secret: a-new-secret }, domains: [imports.test] }
---
apiVersion: v1beta1
kind: Domain
metadata: { name: Imported, ref: dm-imports }
spec: { context: { domainUri: imports.test } }
`;
    const dry = await imported(app, 'Documents', { content: text, dryRun: true });
    expect(dry).toMatchObject({ imported: false, created: 2 });
    expect(await countOf(app, 'domains', '{ ref: { eq: "dm-imports" } }')).toBe(0);
    const first = await imported(app, 'Documents', { content: text });
    expect(first.rows).toEqual([
      { line: 2, outcome: 'CREATED', kind: 'Agent', ref: 'ag-ada', errors: [] },
      { line: 7, outcome: 'CREATED', kind: 'Domain', ref: 'dm-imports', errors: [] },
    ]);
    const second = await imported(app, 'Documents', { content: text.replace('name: Ada', 'name: Ada L.') });
    expect(second.rows.map(({ outcome }) => outcome)).toEqual(['UPDATED', 'UNCHANGED']);
    expect(await revert(app, second.request)).toBe(1);
    expect(await countOf(app, 'agents', '{ name: { eq: "Ada" } }')).toBe(1);
    expect(await revert(app, first.request)).toBe(2);
    expect(await countOf(app, 'agents', '{ name: { eq: "Ada" } }')).toBe(0);
  });

  test.each([
    ['2020-02-03T04:05:06.000Z', true],
    ['1970-01-01T00:00:00.000Z', true],
    ['1969-12-31T23:59:59.999Z', false],
    ['+275760-09-12T00:00:00.000Z', false],
    [new Date(Date.now() + 3 * 86_400_000).toISOString(), false],
  ])('of a document with the time %s keeps it: %s', async (time, isKept) => {
    const { app } = subject();
    const metadata = { name: 'Dated', ref: 'dm-dated', createdOn: time, modifiedOn: time };
    const content = JSON.stringify({ kind: 'Domain', metadata, spec: { context: { domainUri: 'dated.test' } } });
    const since = Date.now();
    const { request } = await imported(app, 'Documents', { content });
    const query = '{ domain(ref: "dm-dated") { createdOn modifiedOn } }';
    const { domain } = (await app.graphql<{ domain: Readonly<Record<string, string>> }>(query)).data;
    for (const shown of [domain['createdOn'] ?? '', domain['modifiedOn'] ?? '']) {
      if (isKept) expect(shown).toBe(time);
      else expect(Math.abs(Date.parse(shown) - since)).toBeLessThan(60_000);
    }
    await revert(app, request);
  });

  test('of documents changes nothing if one is wrong, and reports the line and the member of each error', async () => {
    const { app } = subject();
    const gateway = (ref: string, spec: string): string =>
      `- {kind: Gateway, metadata: {name: g, ref: ${ref}}, spec: ${spec}}\n`;
    const content = [
      gateway('gw-import-1', '{host: import-1.test, transport: udp}'),
      gateway('gw-import-2', '{host: "no host", transport: pigeon}'),
      '- {kind: User, spec: {credentials: {username: eve, secret: a-secret-of-eve}}}\n',
      '- {kind: DID, metadata: {gwRef: nobody}, spec: {location: {telUrl: "tel:+1", aorLink: "sip:a@b.c"}}}\n',
    ].join('');
    const report = await imported(app, 'Documents', { content });
    expect(report.imported).toBe(false);
    expect(
      report.rows.map(({ line, outcome, kind, errors }) => [line, outcome, kind, errors.map((each) => each.field)]),
    ).toEqual([
      [1, 'CREATED', 'Gateway', []],
      [2, 'FAILED', 'Gateway', ['spec.host', 'spec.transport']],
      [3, 'FAILED', null, ['kind']],
      [4, 'FAILED', 'DID', ['metadata.gwRef']],
    ]);
    expect(await countOf(app, 'gateways', '{ ref: { in: ["gw-import-1", "gw-import-2"] } }')).toBe(0);
    const broken = await imported(app, 'Documents', { content: 'kind: Gateway\n  - {' });
    expect(broken).toMatchObject({ imported: false, rows: [{ outcome: 'FAILED', kind: null, ref: null }] });
  });

  test.each([
    ['a dry run', '', true],
    ['an import with a mistake', '- 1\n', false],
  ])('of documents does not tell in %s whether a guessed secret is right', async (_what, mistake, dryRun) => {
    const { app } = subject();
    const ref = await createPeer(app, { name: 'guessed', secret: 'secret-of-peer' });
    const document = (more: string): string =>
      `- {kind: Peer, metadata: {name: guessed, ref: ${ref}}${more}}\n${mistake}`;
    const outcomes = [];
    for (const secret of ['secret-of-peer', 'a-wrong-guess'])
      outcomes.push(await outcomeOf(app, document(`, spec: {credentials: {secret: ${secret}}}`), dryRun));
    expect(outcomes).toEqual(['UPDATED', 'UPDATED']);
    expect(await outcomeOf(app, document(''), dryRun)).toBe('UNCHANGED');
    // REST_HIDE_SECRETS hides members that are named like secrets, too.
    const withKey = { kind: 'Peer', metadata: { name: 'guessed', apiKey: 'K-4711', color: 'red' } };
    expect((await app.rest('PUT', `/peers/${ref}`, { body: withKey })).status).toBe(200);
    for (const key of ['K-4710', 'K-4711'])
      expect(await outcomeOf(app, document('').replace('guessed,', `guessed, apiKey: ${key},`), dryRun)).toBe(
        'UPDATED',
      );
    expect(await outcomeOf(app, document('').replace('guessed,', 'guessed, color: red,'), dryRun)).toBe('UNCHANGED');
  });

  test.each([
    ['documents', '---\n- 1\n'.repeat(1001)],
    ['items of a list', '- 1\n'.repeat(1001)],
    ['items of lists', `${'- 1\n'.repeat(600)}---\n${'- {kind: Agent}\n'.repeat(600)}`],
  ])('of more than 1,000 %s is refused as one mistake', async (_what, content) => {
    const { app } = subject();
    const { rows, failed } = await imported(app, 'Documents', { content, dryRun: true });
    expect(failed).toBe(1);
    expect(rows).toMatchObject([
      { line: 1, errors: [{ message: expect.stringMatching(/^the .* has more than 1000/) }] },
    ]);
  });

  test('of documents swaps unique values in any order, is reverted as a whole, and names what others keep', async () => {
    const { app } = subject();
    const [ann = '', bob = '', cy = ''] = await Promise.all(
      ['ann', 'bob', 'cy'].map((name) => createPeer(app, { username: `swap-${name}` })),
    );
    const documents = (given: readonly (readonly [ref: string, username: string])[]): string =>
      given
        .map(
          ([ref, name]) => `kind: Peer\nmetadata: { ref: ${ref} }\nspec: { credentials: { username: swap-${name} } }\n`,
        )
        .join('---\n');
    const names = async (): Promise<unknown> => {
      const { data } = await app.graphql<{ peers: unknown }>(
        `{ peers(where: { ref: { in: ${JSON.stringify([ann, bob, cy])} } }) { nodes { ref username } } }`,
      );
      return data.peers;
    };
    const before = await names();
    const content = documents([
      [ann, 'bob'],
      [bob, 'cy'],
      [cy, 'ann'],
    ]);
    expect(await imported(app, 'Documents', { content, dryRun: true })).toMatchObject({ imported: false, failed: 0 });
    const { request, ...done } = await imported(app, 'Documents', { content });
    expect(done).toMatchObject({ imported: true, failed: 0 });
    expect(await names()).not.toEqual(before);
    const { errors } = await app.graphql(`mutation { revertRequest(id: "${request}") { event } }`);
    expect(errors).toBeUndefined();
    expect(await names()).toEqual(before);
    const kept = documents([
      [ann, 'bob'],
      [bob, 'ann'],
      [cy, 'bob'],
    ]);
    const refused = await imported(app, 'Documents', { content: kept });
    expect(refused).toMatchObject({ imported: false, failed: 1 });
    expect(
      refused.rows.flatMap(({ line, errors: own }) => own.map(({ field, message }) => [line, field, message])),
    ).toEqual([[1, 'spec.credentials.username', '"swap-bob" is taken']]);
    expect(await names()).toEqual(before);
  });

  test('is refused to viewers', async () => {
    const { app } = subject();
    const user = { username: 'viewer-of-imports', secret: 'secret of the viewer', role: 'VIEWER' };
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input: user });
    const token = await fetchToken(app.url, user.username, user.secret);
    for (const what of ['Numbers', 'Documents'] as const)
      expect((await importing(app, what, { content: '', dryRun: true }, token)).errors).toMatchObject([
        { extensions: { code: 'FORBIDDEN' } },
      ]);
  });

  test.each(transportsOn(database))('reports its progress over $name', async ({ subscribe }) => {
    const { app } = subject();
    const gateway = await createGateway(app);
    const id = randomUUID();
    const document = 'subscription ($id: ID!) { importProgress(progressId: $id) { phase done total } }';
    const progress = await subscribe(app.url, await app.token(), document, { id });
    const next = async (): Promise<Readonly<Record<string, unknown>>> =>
      ((await progress.next()).data?.['importProgress'] ?? {}) as Readonly<Record<string, unknown>>;
    expect(await next()).toEqual({ phase: 'WAITING', done: 0, total: 0 });
    const running = imported(app, 'Numbers', { content: csvOf(gateway, 1200), id });
    const told = [await next()];
    while (told.at(-1)?.['phase'] === 'RUNNING') told.push(await next());
    expect((await running).imported).toBe(true);
    expect(told.length).toBeGreaterThan(1);
    expect(told.every(({ total }) => total === 1200)).toBe(true);
    expect(told.at(-1)).toEqual({ phase: 'DONE', done: 1200, total: 1200 });
    await progress.close();
  });

  test.each(transportsOn(database).slice(0, 1))('has progress that other users do not see', async ({ subscribe }) => {
    const { app } = subject();
    const user = { username: 'other-importer', secret: 'secret of the other', role: 'OPERATOR' };
    await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', { input: user });
    const token = await fetchToken(app.url, user.username, user.secret);
    const document = 'subscription { importProgress(progressId: "shared") { phase } }';
    const [own, others] = [
      await subscribe(app.url, await app.token(), document),
      await subscribe(app.url, token, document),
    ];
    const waiting = { data: { importProgress: { phase: 'WAITING' } } };
    expect([await own.next(), await others.next()]).toMatchObject([waiting, waiting]);
    const { imported: isImported } = await imported(app, 'Documents', { content: '[]', id: 'shared' });
    expect(isImported).toBe(true);
    expect(await own.next()).toMatchObject({ data: { importProgress: {} } });
    await others.close();
    expect(others.heard).toEqual([]);
    await own.close();
    const wrong = await importing(app, 'Documents', { content: '[]', id: 'not an id' });
    expect(wrong.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: ['progressId'] } }]);
  });
});

onEachDatabase(
  'The budget',
  (subject) => {
    test('refuses an import of more rows than it pays for', async () => {
      const { app } = subject();
      const gateway = await createGateway(app);
      await imported(app, 'Numbers', { content: csvOf(gateway, 1200) });
      const { errors } = await importing(app, 'Numbers', { content: csvOf(gateway, 1200) });
      expect(errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED', status: 429 } }]);
      const token = await fetchToken(app.url, 'admin', app.adminSecret);
      expect(token).not.toBe('');
    });

    test('is charged for documents that are mistakes as for others', async () => {
      const { app } = subject();
      const { errors } = await importing(app, 'Documents', { content: '- 1\n'.repeat(900) });
      expect(errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED', status: 429 } }]);
    });
  },
  { RATE_LIMIT_WORK: '20000' },
);
