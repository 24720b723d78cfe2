import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { startApp } from './support/app';
import { eventually } from './support/eventually';
import { createGateway } from './support/factories';

const ROOT = join(__dirname, '..');
const page = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``, 'g'))].map(([, block = '']) => block);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((done) => server.close(done));
  return port;
}

test('the examples of docs/webhooks.md create a webhook, and receive and verify its messages', async () => {
  const app = await startApp({ WEBHOOK_ALLOW: '127.0.0.1' });
  const port = await freePort();
  const [create = '', rotate = '', ping = ''] = blocks('graphql');
  const { data } = await app.graphql<{ createWebhook: { secret: string; webhook: { ref: string } } }>(
    create.replace('https://receiver.example', `http://127.0.0.1:${String(port)}`),
  );
  const { secret, webhook } = data.createWebhook;
  const receiver = spawn(process.execPath, ['-e', blocks('js')[0] ?? ''], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
  });
  let output = '';
  receiver.stdout.on('data', (part: Buffer) => (output += part.toString()));
  await eventually(15, async () => {
    const pinged = await app.graphql(ping, { ref: webhook.ref });
    expect(pinged.data).toEqual({ pingWebhook: { delivered: true, outcome: 'status 204' } });
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
