import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { load } from 'js-yaml';

import { startApp } from '../support/app';
import { drivers } from '../support/databases/databases';
import { describeWith } from '../support/runner/programs';

const PROMETHEUS = resolve(__dirname, '../../deploy/prometheus');
const rules = readFileSync(resolve(PROMETHEUS, 'sipgraph.rules.yml'), 'utf8');
const dashboard = readFileSync(resolve(__dirname, '../../deploy/grafana/sipgraph.json'), 'utf8');
const operations = readFileSync(resolve(__dirname, '../../docs/operating/operations.md'), 'utf8');

const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/\b(?:sipgraph|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name)),
];
const alerts = (load(rules) as { groups: readonly { rules: readonly { alert: string }[] }[] }).groups.flatMap((group) =>
  group.rules.map(({ alert }) => alert),
);

describe('Monitoring', () => {
  const withReplicas = drivers.find(({ name }) => name !== 'SQLite');
  let metrics: string;

  async function metricsWith(env: Readonly<Record<string, string>>): Promise<string> {
    const app = await startApp(env);
    const headers = { authorization: `Bearer ${await app.token()}` };
    await fetch(`${app.url}/metrics`, { headers });
    const text = await (await fetch(`${app.url}/metrics`, { headers })).text();
    await app.close();
    return text;
  }

  beforeAll(async () => {
    // Nothing listens there.
    metrics = await metricsWith({ SIP_RPC_URL: 'http://127.0.0.1:9/RPC', SIP_RPC_TOKEN: 'token' });
    if (!withReplicas) return;
    const { url, drop } = await withReplicas.createDatabase();
    metrics += await metricsWith({ DATABASE_URL: url, DATABASE_READ_URL: url });
    await drop();
  });

  test.each([
    ['the alerts', rules],
    ['the dashboard', dashboard],
    ['docs/operating/operations.md', /^## Metrics$[^]*?(?=^## )/m.exec(operations)?.[0] ?? ''],
  ])('every metric in %s exists', (_, text) => {
    const names = namesIn(text).filter((name) => withReplicas !== undefined || !name.startsWith('sipgraph_replica_'));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(metrics).toMatch(new RegExp(`^${name}(?:\\{| )`, 'm'));
  });

  test('docs/operating/operations.md says what to do about every alert', () => {
    expect(alerts.length).toBeGreaterThan(10);
    for (const alert of alerts) expect(operations).toContain(`\`${alert}\``);
  });

  test('the dashboard is one that Grafana can import: panels with ids of their own, and queries', () => {
    const { title, uid, panels } = JSON.parse(dashboard) as {
      title: string;
      uid: string;
      panels: readonly { id: number; targets: readonly { expr: string }[] }[];
    };
    expect([title, uid]).toEqual(['sipgraph', 'sipgraph']);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { targets } of panels) for (const { expr } of targets) expect(expr).toContain('instance=~"$instance"');
  });
});

describeWith(['promtool'], 'promtool', () => {
  const promtool = (...args: readonly string[]) => promisify(execFile)('promtool', args, { cwd: PROMETHEUS });

  test('accepts the alerts', async () => {
    expect((await promtool('check', 'rules', 'sipgraph.rules.yml')).stdout).toContain('SUCCESS');
  });

  test('raises the alerts for what breaks, and none for a healthy server', async () => {
    await promtool('test', 'rules', 'sipgraph.rules.test.yml');
  });
});
