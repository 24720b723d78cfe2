import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startApp, type TestApp } from '../support/app';
import { describeWith } from '../support/runner/programs';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const tour = readFileSync(join(__dirname, '../../docs/tour.md'), 'utf8');
const [prelude = ''] = /```sh\n(TOKEN=[^]*?)```/.exec(tour)?.slice(1) ?? [];
const examples = [...tour.matchAll(/\n([^\n]+):\n\n```sh\n([^`]*)```\n\n```json\n([^`]*)```/g)].map(
  ([, title = '', command = '', answer = '']) => ({ title, command: `${prelude}\n${command}`, answer: parse(answer) }),
);
const [query = '', result = ''] = /```graphql\n([^`]*)```\n\n```json\n([^`]*)```/.exec(readme)?.slice(1) ?? [];
const [request = '', response = ''] = /```sh\n(TOKEN=[^`]*)```\n\n```json\n([^`]*)```/.exec(readme)?.slice(1) ?? [];

describe('The README and docs/tour.md', () => {
  let app: TestApp;
  const curl = async (command: string): Promise<unknown> => {
    const script = command.replaceAll('localhost:4567', new URL(app.url).host);
    const env = { PATH: process.env['PATH'], SECRET: app.adminSecret };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
    return parse(stdout);
  };

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
  });

  afterAll(() => app.close());

  test('The query of the README returns what the page shows', async () => {
    const { data, errors } = await app.graphql(query);
    expect(errors).toBeUndefined();
    expect({ data }).toEqual(parse(result));
  });

  test('The tour has 13 requests', () => {
    expect(examples).toHaveLength(13);
  });

  describeWith(['curl'], 'Requests with curl', () => {
    test('The REST request of the README returns what the page shows', async () => {
      expect(await curl(request)).toEqual(parse(response));
    });

    test.each(examples)('The tour returns what the page shows: $title', async ({ command, answer }) => {
      expect(await curl(command)).toEqual(answer);
    });
  });
});

/** Parses JSON without its times. */
function parse(json: string): unknown {
  return JSON.parse(json.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"')) as unknown;
}
