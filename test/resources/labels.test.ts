import type { TestApp } from '../support/app';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';

type Row = Readonly<Record<string, unknown>>;
type Create = (app: TestApp, input?: Row) => Promise<string>;

const KINDS: readonly (readonly [kind: string, collection: string, create: Create])[] = [
  ['Gateway', 'gateways', createGateway],
  ['Agent', 'agents', createAgent],
  ['Peer', 'peers', createPeer],
  ['Domain', 'domains', createDomain],
  ['DID', 'dids', createDid],
  ['Number', 'numbers', createNumber],
  ['Route', 'routes', createRoute],
];

async function answer(app: TestApp, text: string, variables: Row = {}): Promise<Row> {
  const { data, errors } = await app.graphql<Row>(text, variables);
  expect(errors).toBeUndefined();
  return data;
}

const update = (kind: string): string =>
  `mutation ($ref: String!, $input: Update${kind}Input!) { updated: update${kind}(ref: $ref, input: $input) { labels note } }`;

onEachDatabase('Labels and notes', (subject) => {
  test.each(KINDS)(
    'of a %s are written, filtered, changed in bulk, imported and in the history',
    async (kind, collection, create) => {
      const { app } = subject();
      const plain = await create(app);
      const one = await create(app, { labels: ['tier=gold', 'site=berlin'], note: 'Ask Ada first.' });
      const two = await create(app, { labels: ['site=paris'] });
      const refs = async (where: string): Promise<unknown> => {
        const { found } = await answer(app, `{ found: ${collection}(where: ${where}) { nodes { ref } } }`);
        return (found as { nodes: readonly { ref: string }[] }).nodes.map(({ ref }) => ref);
      };
      const own = `ref: { in: ["${plain}", "${one}", "${two}"] }`;
      expect(await refs(`{ ${own}, labels: { contains: "site=berlin" } }`)).toEqual([one]);
      expect(await refs(`{ ${own}, labels: { startsWith: "site=" } }`)).toEqual([one, two]);
      expect(await refs(`{ ${own}, labels: { containsAll: ["site=berlin", "tier=gold"] } }`)).toEqual([one]);
      expect(await refs(`{ ${own}, labels: { isNull: true } }`)).toEqual([plain]);
      expect(await refs(`{ ${own}, note: { contains: "Ada" } }`)).toEqual([one]);
      const { found } = await answer(app, `{ found: ${collection}(where: { ${own} }) { nodes { labels note } } }`);
      expect(found).toEqual({
        nodes: [
          { labels: null, note: null },
          { labels: ['site=berlin', 'tier=gold'], note: 'Ask Ada first.' },
          { labels: ['site=paris'], note: null },
        ],
      });

      const many = `mutation ($refs: [String!]!) { many: updateMany${kind}s(refs: $refs, set: { labels: ["moved=yes"] }, expectedCount: 2) { changed request } }`;
      const { many: changed } = await answer(app, many, { refs: [one, plain] });
      expect(changed).toMatchObject({ changed: 2 });
      const history = `{ history(where: { kind: ${kind}, ref: "${one}" }, first: 1) { nodes { changes { field before after } } } }`;
      expect(await answer(app, history)).toEqual({
        history: {
          nodes: [{ changes: [{ field: 'labels', before: '["site=berlin","tier=gold"]', after: '["moved=yes"]' }] }],
        },
      });
      await answer(app, 'mutation ($id: String!) { revertRequest(id: $id) { event } }', {
        id: (changed as Row)['request'],
      });
      const csv = `ref,labels,note\n${one},site=rome;tier=gold,\n${plain},,"=1, or not"\n`;
      const imported = await answer(
        app,
        `mutation ($csv: String!) { importCsv(kind: ${kind}, csv: $csv) { imported rows { errors { message } } } }`,
        { csv },
      );
      expect(imported).toMatchObject({ importCsv: { imported: true } });
      expect(await answer(app, `{ found: ${collection}(where: { ${own} }) { nodes { labels note } } }`)).toEqual({
        found: {
          nodes: [
            { labels: null, note: '=1, or not' },
            { labels: ['site=rome', 'tier=gold'], note: null },
            { labels: ['site=paris'], note: null },
          ],
        },
      });
    },
  );

  test('that are invalid are refused with the reason', async () => {
    const { app } = subject();
    const ref = await createGateway(app);
    const key = 'k'.repeat(63);
    const cases: readonly (readonly [Row, string])[] = [
      [{ labels: ['site'] }, '"site" is not key=value'],
      [{ labels: ['Site=x'] }, '"Site=x" is not key=value'],
      [{ labels: ['-a=x'] }, '"-a=x" is not key=value'],
      [{ labels: [`${key}k=x`] }, 'is not key=value'],
      [{ labels: [`a=${'v'.repeat(64)}`] }, 'is not key=value'],
      [{ labels: ['a=x y'] }, 'is not key=value'],
      [{ labels: ['a=x;b=y'] }, 'is not key=value'],
      [{ labels: ['a=1', 'a=2'] }, 'the key "a" is listed twice'],
      [{ labels: Array.from({ length: 17 }, (_, n) => `k${String(n)}=v`) }, 'has more than 16 entries'],
      [{ note: 'n'.repeat(1001) }, 'is longer than 1000 characters'],
    ];
    for (const [input, message] of cases) {
      const { errors } = await app.graphql(update('Gateway'), { ref, input });
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: Object.keys(input) } }]);
      expect(errors?.[0]?.message).toContain(message);
    }
    const most = [`${key}=${'ü'.repeat(63)}`, 'a./-b=', 'a=x=y'];
    const { updated } = await answer(app, update('Gateway'), { ref, input: { labels: most, note: '😀'.repeat(1000) } });
    expect(updated).toEqual({ labels: [most[2], most[1], most[0]], note: '😀'.repeat(1000) });
  });

  test('are in documents where they are set, and members that clients stored before under these names stay as they are', async () => {
    const { app } = subject();
    const document = (host: string, more: Row = {}): Row => ({
      apiVersion: 'v1beta1',
      kind: 'Gateway',
      metadata: { name: 'doc', ...more },
      spec: { host, transport: 'udp' },
    });
    const post = async (host: string, more?: Row): Promise<string> => {
      const { status, body } = await app.rest<string>('POST', '/gateways', { body: document(host, more) });
      expect(status).toBe(201);
      return body.data;
    };
    const metadata = async (ref: string): Promise<Row> =>
      (await app.rest<{ readonly metadata: Row }>('GET', `/gateways/${ref}`)).body.data.metadata;
    const plain = await post('plain.test');
    expect(Object.keys(await metadata(plain))).toEqual(['name', 'ref', 'createdOn', 'modifiedOn']);
    const ours = await post('ours.test', { labels: ['site=berlin'], note: 'Ours' });
    expect(await metadata(ours)).toMatchObject({ labels: ['site=berlin'], note: 'Ours' });
    expect(await answer(app, `{ gateway(ref: "${ours}") { labels note } }`)).toEqual({
      gateway: { labels: ['site=berlin'], note: 'Ours' },
    });
    const refused = await app.rest('POST', '/gateways', { body: document('x.test', { labels: ['A=b'] }) });
    expect(refused.status).toBe(400);
    const cleared = await app.rest('PUT', `/gateways/${ours}`, { body: document('ours.test', { note: null }) });
    expect(cleared.status).toBe(200);
    expect(await metadata(ours)).not.toHaveProperty('note');

    const foreign: readonly Row[] = [
      { labels: { team: 'x' }, note: { by: 'Ada' } },
      { labels: ['old', 'style'], note: 'n'.repeat(2000) },
      { labels: 'text', note: 7 },
    ];
    for (const [index, more] of foreign.entries()) {
      const host = `foreign${String(index)}.test`;
      const ref = await post(host, more);
      expect(await metadata(ref)).toMatchObject(more);
      expect((await app.rest('PUT', `/gateways/${ref}`, { body: document(host, more) })).status).toBe(200);
      expect(await metadata(ref)).toMatchObject(more);
      expect(await answer(app, `{ gateway(ref: "${ref}") { labels note } }`)).toEqual({
        gateway: { labels: null, note: null },
      });
    }
    // What a PUT sends takes the place of the other: neither comes back when the other is cleared.
    const put = async (more: Row): Promise<Row> => {
      expect((await app.rest('PUT', `/gateways/${ours}`, { body: document('ours.test', more) })).status).toBe(200);
      return metadata(ours);
    };
    const ownLabels = { labels: ['site=berlin'], note: 'Ours' };
    const others = { labels: ['berlin'], note: 'Two\nlines' };
    expect(await put(ownLabels)).toMatchObject(ownLabels);
    expect(await put(others)).toMatchObject(others);
    expect(await answer(app, `{ gateway(ref: "${ours}") { labels note } }`)).toEqual({
      gateway: { labels: null, note: null },
    });
    await answer(app, update('Gateway'), { ref: ours, input: { note: 'New' } });
    expect(await metadata(ours)).toMatchObject({ labels: ['berlin'], note: 'New' });
    await answer(app, update('Gateway'), { ref: ours, input: { note: null } });
    expect(Object.keys(await metadata(ours))).not.toContain('note');
    expect(Object.keys(await put({ labels: null }))).not.toContain('labels');
    expect(await put({ ...ownLabels, other: 1 })).toMatchObject({ ...ownLabels, other: 1 });
    expect(await put({ ...others, other: 2 })).toMatchObject({ ...others, other: 2 });

    const found = async (filter: string): Promise<number> =>
      (await app.rest<readonly object[]>('GET', `/gateways?filter=${encodeURIComponent(filter)}`)).body.data.length;
    expect(await found('@.metadata.labels.team == "x"')).toBe(1);
    expect(await found('@.metadata.labels == "text"')).toBe(1);
    expect(await found('"berlin" in @.metadata.labels')).toBe(1);
    expect(await found('@.metadata.note == 7')).toBe(1);
  });
});
