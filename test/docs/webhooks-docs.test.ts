import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { VERIFICATION } from '../../web/console/src/webhooks/verification';
import { startApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { freePort } from '../support/databases/servers';
import { describeWith } from '../support/runner/programs';
import { startReceiver, type Received } from '../support/receiver';

const ROOT = join(__dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'))].map(([, block = '']) => block);

test('the examples of docs/webhooks.md create a webhook, and receive and verify its messages', async () => {
  const app = await startApp({ WEBHOOK_ALLOW: '127.0.0.1' });
  const port = await freePort();
  const [create = '', failed = '', rotate = '', ping = ''] = blocks('graphql');
  const { data } = await app.graphql<{ createWebhook: { secret: string; webhook: { ref: string } } }>(
    create.replace('https://receiver.example', `http://127.0.0.1:${String(port)}`),
  );
  const { secret, webhook } = data.createWebhook;
  expect((await app.graphql(failed)).errors).toBeUndefined();
  const receiver = spawn(process.execPath, ['-e', blocks('js')[0] ?? ''], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
  });
  let output = '';
  receiver.stdout.on('data', (part: Buffer) => (output += part.toString()));
  await eventually(15, async () => {
    const pinged = await app.graphql(ping, { ref: webhook.ref });
    expect(pinged.data).toMatchObject({ pingWebhook: { delivered: true, outcome: 'status 204' } });
  });
  // The receiver has the secret from before the rotation, which stays valid for a time.
  const rotated = await app.graphql(rotate, { ref: webhook.ref });
  expect(rotated.errors).toBeUndefined();
  const gateway = await createGateway(app);
  await eventually(15, () => expect(output).toContain(`ref: '${gateway}'`));
  expect(output).toMatch(/^ping .*\n[^]*resource\.created/);
  receiver.kill();
  await app.close();
});

test('docs/webhooks.md has the code of the console that verifies signatures', () => {
  const [node, python, shell] = [VERIFICATION['Node.js'], VERIFICATION.Python, VERIFICATION.Shell];
  expect(blocks('js')).toContain(node);
  expect(blocks('python')).toContain(python);
  expect(blocks('sh')).toContain(shell);
});

/** How to run the code with a message in files, and the secret: it ends with the code 0 if the message is right. */
const RUN: Readonly<Record<keyof typeof VERIFICATION, (message: Message) => readonly [string, ...string[]]>> = {
  'Node.js': () => [
    process.execPath,
    '-e',
    `${VERIFICATION['Node.js']}
     const { readFileSync } = require('node:fs');
     const headers = JSON.parse(process.env.HEADERS);
     process.exit(verify(process.env.WEBHOOK_SECRET, headers, readFileSync(process.env.BODY)) ? 0 : 1);`,
  ],
  Python: () => [
    'python3',
    '-c',
    `${VERIFICATION.Python}
import json, os, sys
with open(os.environ["BODY"], "rb") as file:
    body = file.read()
sys.exit(0 if verify(os.environ["WEBHOOK_SECRET"], json.loads(os.environ["HEADERS"]), body) else 1)`,
  ],
  Shell: ({ file }) => ['sh', '-c', VERIFICATION.Shell, 'sh', file],
};

interface Message {
  readonly file: string;
  readonly headers: Received['headers'];
  readonly secret: string;
}

describeWith(['python3', 'openssl', 'sh'], 'The code that verifies signatures', () => {
  let directory: string;
  let received: Received;
  let secret: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-webhook-'));
    const app = await startApp({ WEBHOOK_ALLOW: '127.0.0.1' });
    const receiver = await startReceiver();
    const { data } = await app.graphql<{ createWebhook: { secret: string; webhook: { ref: string } } }>(
      'mutation($url: String!) { createWebhook(url: $url, events: [RESOURCE_CHANGED]) { secret webhook { ref } } }',
      { url: receiver.url },
    );
    ({ secret } = data.createWebhook);
    // Messages have two signatures for a time: that with the old secret is the second one.
    await app.graphql(
      'mutation($ref: String!) { rotateWebhookSecret(ref: $ref) { secret } }',
      data.createWebhook.webhook,
    );
    receiver.trust(secret);
    await createGateway(app, { name: 'Ünïcode “quotes” ✓' });
    await eventually(30, () => expect(receiver.accepted).toHaveLength(1));
    const [first] = receiver.accepted;
    if (!first) throw new Error('no message');
    received = first;
    await app.close();
    await receiver.stop();
  });

  afterAll(() => rm(directory, { recursive: true }));

  async function accepts(language: keyof typeof VERIFICATION, changed: Partial<Message> & { body?: string }) {
    const file = join(directory, 'body');
    await writeFile(file, changed.body ?? received.body);
    const message = { file, headers: received.headers, secret, ...changed };
    const [program, ...args] = RUN[language](message);
    const header = (name: string): string => String(message.headers[name] ?? '');
    const env = {
      PATH: process.env['PATH'],
      BODY: file,
      HEADERS: JSON.stringify(message.headers),
      WEBHOOK_SECRET: message.secret,
      WEBHOOK_ID: header('webhook-id'),
      WEBHOOK_TIMESTAMP: header('webhook-timestamp'),
      WEBHOOK_SIGNATURE: header('webhook-signature'),
    };
    try {
      await promisify(execFile)(program, args, { env });
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 1, stderr: '' });
      return false;
    }
  }

  describe.each(['Node.js', 'Python', 'Shell'] as const)('in %s', (language) => {
    const having = (name: string, value: string) => ({ headers: { ...received.headers, [name]: value } });

    test('accepts a message that was delivered', async () => {
      expect(received.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
      expect(await accepts(language, {})).toBe(true);
    });

    test('rejects everything else', async () => {
      const signature = String(received.headers['webhook-signature']);
      for (const changed of [
        { body: `${received.body} ` },
        { body: '' },
        { secret: `whsec_${Buffer.alloc(24).toString('base64')}` },
        having('webhook-id', 'msg_other'),
        having('webhook-timestamp', String(Number(received.headers['webhook-timestamp']) - 301)),
        having('webhook-timestamp', String(Number(received.headers['webhook-timestamp']) + 1)),
        having('webhook-timestamp', 'x[$(exit 3)]'),
        having('webhook-timestamp', ''),
        having('webhook-signature', ''),
        having('webhook-signature', 'v1,'),
        having('webhook-signature', 'v1,ü*'),
        having('webhook-signature', signature.replaceAll(/.v1,.{4}/g, ' v1,AAAA').replace(/^v1,.{4}/, 'v1,AAAA')),
      ])
        expect({ changed, isAccepted: await accepts(language, changed) }).toEqual({ changed, isAccepted: false });
    });
  });
});
