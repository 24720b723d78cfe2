import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startApp } from '../support/app';
import { createDid, createDomain, createGateway, createRoute } from '../support/factories';
import { transports } from '../support/subscriptions';

const text = readFileSync(join(__dirname, '../../docs/bulk.md'), 'utf8');
const documents = [...text.matchAll(/```graphql\n([^]*?)```/g)].map(([, document = '']) => document);

test('docs/bulk.md has examples that work', async () => {
  const app = await startApp();
  const [from, to] = [await createGateway(app), await createGateway(app)];
  const ref = await createDid(app, { gatewayRef: from });
  expect(documents).toHaveLength(10);
  const [
    preview = '',
    move = '',
    apply = '',
    simulate = '',
    csvOf = '',
    numbers = '',
    importing = '',
    progress = '',
    start = '',
    exports = '',
  ] = documents;
  const previewed = await app.graphql(preview, { from, to });
  expect(previewed.data).toEqual({
    updateManyDIDs: {
      count: 1,
      changed: 1,
      sample: [{ ref, changes: [{ field: 'gatewayRef', before: from, after: to }] }],
    },
  });
  expect((await app.graphql(move, { from, to, count: 2 })).errors).toMatchObject([
    { extensions: { code: 'CONFLICT' } },
  ]);
  const moved = await app.graphql(move, { from, to, count: 1 });
  expect(moved.data).toEqual({ updateManyDIDs: { changed: 1, request: expect.any(String) } });
  const [domain, route] = [await createDomain(app), await createRoute(app)];
  const applied = await app.graphql<{ applyChanges: { changes: { outcome: string }[] } }>(apply, { domain, route });
  expect(applied.data.applyChanges.changes.map(({ outcome }) => outcome)).toEqual([
    'CREATED',
    'CREATED',
    'UPDATED',
    'DELETED',
  ]);
  const simulated = await app.graphql(simulate, { gateway: to });
  expect(simulated.data).toEqual({
    simulate: {
      calls: {
        ...{ counts: { stops: 0, starts: 0, moves: 0, other: 1 }, examined: 1, endCursor: null },
        numbers: [
          {
            ...{ effect: 'OTHER', telUrl: expect.any(String) },
            before: { state: 'DOMAIN_MISSING', summary: expect.any(String) },
            after: { state: 'GATEWAY_DRAINING', summary: expect.any(String) },
          },
        ],
      },
    },
  });
  const csv = `telUrl,aorLink,gwRef\ntel:+1,sip:a@b.test,${to}\nnonsense,sip:a@b.test,${to}\n`;
  const imported = await app.graphql(numbers, { csv });
  expect(imported.data).toEqual({
    importNumbers: {
      ...{ imported: false, created: 1, failed: 1 },
      rows: [{ line: 3, errors: [{ field: 'telUrl', message: expect.any(String) }] }],
    },
  });
  for (const domainUri of ['sip.local', 'pbx.local']) await createDomain(app, { domainUri });
  const [, table = ''] = /```csv\n([^]*?)```/.exec(text) ?? [];
  const agents = await app.graphql(csvOf, { csv: `${table}Bob;b@b;a-long-secret;sip.local;\n` });
  expect(agents.data).toEqual({
    importCsv: {
      ...{ imported: false, created: 1, updated: 0, unchanged: 0, failed: 1 },
      rows: [{ line: 3, errors: [{ field: 'username', value: 'b@b', message: expect.any(String) }] }],
    },
  });
  const spec = { host: 'new.test', transport: 'udp' };
  const gateway = { apiVersion: 'v1', kind: 'Gateway', metadata: { name: 'New' }, spec };
  const read = await app.graphql(importing, { text: JSON.stringify(gateway) });
  expect(read.data).toEqual({ importDocuments: { imported: false, created: 1, updated: 0, rows: [] } });
  for (const { subscribe } of transports) {
    const subscription = await subscribe(app.url, await app.token(), progress, { id: 'documented' });
    expect(await subscription.next()).toEqual({ data: { importProgress: { phase: 'WAITING', done: 0, total: 0 } } });
    await subscription.close();
  }
  expect((await app.graphql(start)).errors).toBeUndefined();
  expect((await app.graphql(exports)).data).toMatchObject({ exports: [{ source: 'calls' }] });
  await app.close();
});
