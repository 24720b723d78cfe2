import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { startApp, type TestApp } from '../support/app';
import { writeNpx } from '../support/cli';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/sqlite-database';

const ROOT = resolve(__dirname, '../..');
const text = readFileSync(join(ROOT, 'docs/history.md'), 'utf8');
const documents = [...text.matchAll(/```graphql\n([^]*?)```/g)].map(([, document = '']) => document);
const [block = ''] = /```sh\n([^`]*)```/.exec(text)?.slice(1) ?? [];

describe('docs/history.md', () => {
  let app: TestApp;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp({ SAMPLE_DATA: 'true', DATABASE_URL: database.url });
    await app.graphql('mutation { updateGateway(ref: "gweef506", input: { name: "Renamed" }) { ref } }');
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  test('has examples that work', async () => {
    expect(documents).toHaveLength(4);
    const [history = '', requests = '', past = '', revert = ''] = documents;
    const found = await app.graphql<{ history: { nodes: { entry: string; at: string }[] } }>(history);
    const [newest] = found.data.history.nodes;
    expect(newest).toMatchObject({ event: 'UPDATED', ref: 'gweef506', who: { username: 'admin' } });
    const { data } = await app.graphql<{ historyRequests: { nodes: { parts: unknown }[] } }>(requests);
    expect(data.historyRequests.nodes[0]?.parts).toMatchObject([
      { kind: 'Gateway', event: 'UPDATED', count: 1, shared: [{ field: 'name', after: 'Renamed' }] },
    ]);
    const asOf = new Date(Date.parse(newest?.at ?? '') - 1).toISOString();
    const before = await app.graphql<{ gateway: { name: string } }>(past, { asOf });
    expect(before.errors).toBeUndefined();
    const { name } = before.data.gateway;
    expect(name).not.toBe('Renamed');
    const reverted = await app.graphql(revert, { entry: newest?.entry });
    expect(reverted.data).toEqual({
      revert: [
        {
          ...{ event: 'UPDATED', kind: 'Gateway', ref: 'gweef506' },
          changes: [{ field: 'name', before: 'Renamed', after: name }],
        },
      ],
    });
  });

  test('has commands that work', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'history-docs-'));
    await writeNpx(directory);
    const { stdout } = await promisify(execFile)('sh', ['-ec', block], {
      env: {
        PATH: [join(directory, 'bin'), process.env['PATH']].join(delimiter),
        DATABASE_URL: database.url,
        LOG_LEVEL: 'silent',
      },
    });
    expect(stdout).toContain('UPDATED Gateway gweef506 by admin');
    expect(stdout).toMatch(/\d+ verified; the last entry and its hash are \d+:[0-9a-f]{64}/);
  });
});
