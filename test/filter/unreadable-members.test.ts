import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const IMPORT = 'mutation ($text: String!) { importDocuments(text: $text) { rows { outcome errors { message } } } }';
const UNREADABLE = 'has U+0000 or a lone surrogate';

const nested = (levels: number, value: unknown = 1): unknown =>
  levels === 0 ? value : { a: nested(levels - 1, value) };
const listed = (levels: number): unknown => (levels === 0 ? 1 : [listed(levels - 1)]);
// The document and `spec` are two levels.
const DEEP = 29;
const fieldAt = (levels: number, name: string): string => ['spec.z', ...Array<string>(levels).fill(name)].join('.');

onEachDatabase('Unknown members that some database could not read', (subject) => {
  const gateway = (ref: string, spec: object) => ({
    kind: 'Gateway',
    metadata: { ref, name: ref },
    spec: { host: `${ref}.example`, transport: 'udp', keep: true, ...spec },
  });

  const create = (ref: string, spec: object) => subject().app.rest('POST', '/gateways', { body: gateway(ref, spec) });

  async function found(filter: string): Promise<readonly string[]> {
    const path = `/gateways?filter=${encodeURIComponent(filter)}`;
    const { status, body } = await subject().app.rest<readonly { metadata: { ref: string } }[]>('GET', path);
    expect(status).toBe(200);
    return body.data.map(({ metadata }) => metadata.ref);
  }

  const REFUSED: readonly (readonly [what: string, value: unknown, field: string, message: string])[] = [
    ['the first half of a surrogate pair', '\ud83d', 'spec.z', UNREADABLE],
    ['the second half of a surrogate pair', 'x\udc00', 'spec.z', UNREADABLE],
    ['half of a surrogate pair in a list', ['a', '\ud83d'], 'spec.z.1', UNREADABLE],
    [
      'half of a surrogate pair in a name',
      { '\ud83d': 1 },
      'spec.z',
      `has a member whose name "\\ud83d" ${UNREADABLE}`,
    ],
    ['U+0000', { y: 'a\u0000b' }, 'spec.z.y', UNREADABLE],
    ['U+0000 in a name', { 'a\u0000': 1 }, 'spec.z', `has a member whose name "a\\u0000" ${UNREADABLE}`],
    [
      'more than 31 levels of objects',
      nested(DEEP + 1),
      fieldAt(DEEP, 'a'),
      'is too deep: a document may have 31 levels',
    ],
    [
      'more than 31 levels of lists',
      listed(DEEP + 1),
      fieldAt(DEEP, '0'),
      'is too deep: a document may have 31 levels',
    ],
  ];

  test.each(REFUSED)('are refused in creates, updates and imports: %s', async (_what, z, field, message) => {
    const { app } = subject();
    const refused = { status: 400, body: { data: [`${field}: ${message}`] } };
    expect(await create('bad', { z })).toMatchObject(refused);
    await create('good', {});
    const body = { kind: 'Gateway', spec: { z } };
    expect(await app.rest('PUT', '/gateways/good', { body })).toMatchObject(refused);
    const text = JSON.stringify([gateway('bad', { z })]);
    const { data } = await app.graphql<{ importDocuments: { rows: readonly object[] } }>(IMPORT, { text });
    expect(data.importDocuments.rows).toEqual([{ outcome: 'FAILED', errors: [{ message }] }]);
    expect((await app.rest('GET', '/gateways/bad')).status).toBe(404);
  });

  test('do not include whole surrogate pairs and 31 levels, which filters find', async () => {
    expect((await create('pair', { z: { '😀': '😀' } })).status).toBe(201);
    expect((await create('deep', { z: nested(DEEP) })).status).toBe(201);
    expect((await create('long', { z: listed(DEEP) })).status).toBe(201);
    expect(await found('@.metadata.ref in ["pair", "deep", "long"] && @.spec.keep == true')).toEqual([
      ...['pair', 'deep', 'long'],
    ]);
    expect(await found('@.spec.z["😀"] == "😀"')).toEqual(['pair']);
    const path = encodeURIComponent('@.metadata.ref in ["pair", "deep", "long"] && !@.spec.keep');
    const { body } = await subject().app.rest('DELETE', `/gateways?filter=${path}`);
    expect(body.data).toBe(0);
  });

  test.each([
    ['half of a surrogate pair', 'old1', '\ud83d'],
    ['more than 31 levels', 'old2', nested(DEEP + 1)],
  ])(
    'keep no filter from working if they are stored already, and a DELETE spares their resource: %s',
    async (...given) => {
      const [, ref, z] = given;
      const { app, url } = subject();
      await create(ref, {});
      await create(`${ref}-other`, { drop: true });
      const stored = JSON.stringify({ spec: { keep: true, z } });
      await runSql(url, 'UPDATE gateways SET extra = ? WHERE ref = ?', [stored, ref]);
      const own = `@.metadata.ref in ["${ref}", "${ref}-other"]`;
      expect(await found(`${own} && @.spec.drop == true`)).toEqual([`${ref}-other`]);
      for (const condition of [
        '!@.spec.keep',
        '!(@.spec.keep || @.spec.port == 1)',
        '!@.spec.keep || @.spec.keep == false',
      ]) {
        const path = `/gateways?filter=${encodeURIComponent(`${own} && (${condition})`)}`;
        expect(await app.rest('DELETE', path)).toMatchObject({ status: 200, body: { data: 0 } });
      }
      expect(await found(own)).toEqual([ref, `${ref}-other`]);
    },
  );
});
