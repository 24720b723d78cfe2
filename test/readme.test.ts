import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { loadConfig } from '../src/config/config';
import { startApp, type TestApp } from './support/app';
import { describeWith } from './support/programs';

const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
const requests = readme.slice(readme.indexOf('## First requests'), readme.indexOf('## The playground'));
const [prelude = ''] = /```sh\n(TOKEN=[^]*?)```/.exec(requests)?.slice(1) ?? [];
const examples = [...requests.matchAll(/\n([^\n]+):\n\n```sh\n([^`]*)```\n\n```json\n([^`]*)```/g)].map(
  ([, title = '', command = '', answer = '']) => ({ title, command, answer: JSON.parse(answer) as unknown }),
);

describe('The README', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
  });

  afterAll(() => app.close());

  test('has ten requests', () => {
    expect(examples).toHaveLength(10);
  });

  describeWith(['curl'], 'The requests of the README', () => {
    test.each(examples)('return what the page shows: $title', async ({ command, answer }) => {
      const script = `${prelude}\n${command}`.replaceAll('localhost:4567', new URL(app.url).host);
      const env = { PATH: process.env['PATH'], SECRET: app.adminSecret };
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
      expect(withoutTimes(JSON.parse(stdout))).toEqual(withoutTimes(answer));
    });
  });

  test('lists every configuration variable, and no others', () => {
    const asked = new Set<string>();
    const environment = new Proxy(
      {},
      {
        get: (_target, name) => {
          asked.add(String(name));
          return name === 'SIP_SERVER' ? 'kamailio' : undefined; // which requires more variables
        },
      },
    );
    expect(() => loadConfig(environment)).toThrow('KAMAILIO_PASSWORD');
    const table = readme.slice(readme.indexOf('## Configuration'), readme.indexOf('## Errors'));
    const names = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
    expect(names.sort()).toEqual([...asked].sort());
  });
});

function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"')) as unknown;
}
