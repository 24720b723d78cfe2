import { onEachDriver } from '../support/databases/on-each-database';

const members = (count: number, name = 'm') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${String(index)}`, 'v']));

onEachDriver('Unknown members of a document', (subject) => {
  let domains = 0;

  const domain = (spec: object) => ({ kind: 'Domain', metadata: { name: `Domain ${String(domains)}` }, spec });

  async function create(x: object) {
    const context = { domainUri: `d${String(++domains)}.example` };
    return subject().app.rest<string>('POST', '/domains', { body: domain({ context, x }) });
  }

  test('may be 1,000 with the objects that they are in', async () => {
    const { status, body } = await create(members(998));
    expect(status).toBe(201);
    const stored = await subject().app.rest<{ spec: { x: object } }>('GET', `/domains/${body.data}`);
    expect(Object.keys(stored.body.data.spec.x)).toHaveLength(998);
  });

  test.each([
    ['in one object', members(1001), 'spec.x'],
    ['deep in the document', { a: { b: members(600) }, c: { d: members(600) } }, 'spec.x.c.d'],
  ])('are refused when they are more, %s', async (_where, x, path) => {
    const { status, body } = await create(x);
    expect([status, body.data]).toEqual([400, [`${path}: has too many unknown members: a document may have 1000`]]);
  });

  test('may be lists of 1,000 entries', async () => {
    const { status } = await create({ tags: Array.from({ length: 1000 }, () => 'v') });
    expect(status).toBe(201);
  });

  test('cannot become more by updates', async () => {
    const { body } = await create(members(600, 'a'));
    const update = (x: object) => subject().app.rest('PUT', `/domains/${body.data}`, { body: domain({ x }) });
    expect((await update(members(300, 'b'))).status).toBe(200);
    expect((await update(members(300, 'c'))).status).toBe(400);
    const stored = await subject().app.rest<{ spec: { x: object } }>('GET', `/domains/${body.data}`);
    expect(Object.keys(stored.body.data.spec.x)).toHaveLength(900);
  });

  test('cannot become larger by updates', async () => {
    const { body } = await create({ a: 'x'.repeat(200_000) });
    const update = (x: object) => subject().app.rest('PUT', `/domains/${body.data}`, { body: domain({ x }) });
    const { status, body: refused } = await update({ b: 'x'.repeat(200_000) });
    expect([status, refused.data]).toEqual([400, ['body: has unknown members of more than 262144 characters']]);
    expect((await update({ a: 'x'.repeat(210_000) })).status).toBe(200);
  });
});
