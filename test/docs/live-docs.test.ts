import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { describeWith } from '../support/runner/programs';
import { transports } from '../support/subscriptions';

const text = readFileSync(join(__dirname, '../../docs/live.md'), 'utf8');
const documents = [...text.matchAll(/```graphql\n([^]*?)```/g)].map(([, document = '']) => document);
const [subscription = ''] = documents.filter((document) => document.startsWith('subscription'));
const [answer = ''] = /```json\n([^]*?)```/.exec(text)?.slice(1) ?? [];
const [command = ''] = /```sh\n(curl -N[^]*?)```/.exec(text)?.slice(1) ?? [];

describe('docs/live.md', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
  });

  afterAll(() => app.close());

  test('has examples', () => {
    expect([documents.length, subscription, answer, command]).not.toContain('');
    expect(documents).toHaveLength(6);
  });

  test('explains a number of the sample data as on the page', async () => {
    const { data } = await app.graphql(documents[0] ?? '');
    const told = JSON.stringify({ data }).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
    expect(JSON.parse(told)).toEqual(JSON.parse(answer));
  });

  test('finds broken numbers', async () => {
    const { errors } = await app.graphql(documents[1] ?? '');
    expect(errors).toBeUndefined();
  });

  test('reads the state over time', async () => {
    const { errors } = await app.graphql(documents[2] ?? '');
    expect(errors).toBeUndefined();
  });

  test.each(transports)('its subscription receives a new DID over $name', async ({ name, subscribe }) => {
    const changes = await subscribe(app.url, await app.token(), subscription);
    const gatewayRef = await createGateway(app);
    const telUrl = `tel:+1555${String(name.length)}`;
    const { data } = await app.graphql<{ createDID: { ref: string } }>(
      'mutation($input: CreateDIDInput!) { createDID(input: $input) { ref } }',
      { input: { gatewayRef, telUrl, aorLink: 'sip:1001@sip.local' } },
    );
    const { ref } = data.createDID;
    expect(await changes.next()).toMatchObject({
      data: { resourceChanged: { event: 'CREATED', ref, resource: { telUrl } } },
    });
    await changes.close();
  });

  describeWith(['curl'], 'The event stream of docs/live.md', () => {
    test('works with curl', async () => {
      const own = command.replaceAll('localhost:4567', new URL(app.url).host);
      const curl = spawn('bash', ['-c', `exec ${own}`], {
        env: { PATH: process.env['PATH'], TOKEN: await app.token() },
      });
      let output = '';
      curl.stdout.on('data', (data: Buffer) => (output += data.toString()));
      try {
        await eventually(10, () => expect(output).not.toBe(''));
        const ref = await createGateway(app);
        const told = { data: { resourceChanged: { event: 'CREATED', kind: 'Gateway', ref } } };
        await eventually(10, () => expect(output).toContain(`event: next\ndata: ${JSON.stringify(told)}\n\n`));
      } finally {
        curl.kill();
      }
    });
  });

  test('live/follow.mjs prints each change once, including those made while it was not running', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'follow-'));
    const env = {
      PATH: process.env['PATH'],
      SIPGRAPH: `${app.url.replace('http', 'ws')}/graphql`,
      TOKEN: await app.token(),
      CURSOR_FILE: join(directory, 'cursor'),
    };
    const follow = async (whatever: () => Promise<unknown>, last: () => string): Promise<string> => {
      const follower = spawn(process.execPath, [join(__dirname, '../../docs/live/follow.mjs')], { env });
      let output = '';
      for (const stream of [follower.stdout, follower.stderr])
        stream.on('data', (data: Buffer) => (output += data.toString()));
      await whatever();
      for (let turn = 0; turn < 100 && !output.includes(last()); turn++) await pause(100);
      await pause(200); // it keeps the cursor after it has printed
      follower.kill();
      await once(follower, 'exit');
      return output;
    };
    const refs: string[] = [];
    const make = async (): Promise<unknown> => refs.push(await createGateway(app));
    const begun = async (): Promise<void> => {
      await eventually(15, () => expect(existsSync(env.CURSOR_FILE)).toBe(true));
      await make();
    };
    const line = (ref: string | undefined): string => `CREATED Gateway ${String(ref)}\n`;

    expect(await follow(begun, () => line(refs[0]))).toBe(line(refs[0]));
    await make();
    await make();
    expect(await follow(make, () => line(refs[3]))).toBe(refs.slice(1).map(line).join(''));
    rmSync(directory, { recursive: true });
  });
});
