import { setTimeout } from 'node:timers/promises';

import { fetchToken } from '../support/app';
import { drivers } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { isFull } from '../support/runner/full';
import { build, killAll, listening, start, type Run } from '../support/process';
import { once, startReceiver } from '../support/receiver';

const SECRET = 'the-admin-secret-of-the-tests';
const KILLS = isFull ? 20 : 5;
const GATEWAYS = 3;

describe.each(drivers)('Webhooks of processes that are killed, on $name', ({ createDatabase }) => {
  beforeAll(build);
  afterEach(killAll);

  test(`nothing is lost and the order is kept, although the server is killed ${String(KILLS)} times`, async () => {
    const database = await createDatabase();
    const receiver = await startReceiver();
    const env = {
      DATABASE_URL: database.url,
      ADMIN_SECRET: SECRET,
      SAMPLE_DATA: 'false',
      WEBHOOK_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
    };
    const boot = async (): Promise<readonly [Run, string]> => {
      const run = start(env);
      return [run, await listening(run)];
    };
    let servers = [await boot(), await boot()];
    const token = await fetchToken(servers[0]?.[1] ?? '', 'admin', SECRET);
    const call = async <T>(query: string): Promise<T> => {
      const response = await fetch(`${servers[0]?.[1] ?? ''}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      return data;
    };
    const { createWebhook } = await call<{ createWebhook: { secret: string } }>(
      `mutation { createWebhook(url: "${receiver.url}", events: [RESOURCE_CHANGED]) { secret } }`,
    );
    receiver.trust(createWebhook.secret);
    // Some messages are answered late, and some with an error.
    let count = 0;
    receiver.respond((_message, response) => {
      const status = ++count % 7 === 0 ? 503 : 204;
      void setTimeout(count % 3 === 0 ? 100 : 0).then(() => response.writeHead(status).end());
    });
    const expected = new Map<string, string[]>();
    for (let i = 0; i < GATEWAYS; i++) {
      const ref = `gw-kill-${String(i)}`;
      const input = `{ ref: "${ref}", name: "0", host: "${ref}.test", transport: UDP }`;
      await call(`mutation { createGateway(input: ${input}) { ref } }`);
      expected.set(ref, ['resource.created']);
    }
    for (let round = 0; round < KILLS; round++) {
      for (const [ref, types] of expected)
        for (let i = 0; i < 2; i++) {
          await call(
            `mutation { updateGateway(ref: "${ref}", input: { name: "${String(round)}-${String(i)}" }) { ref } }`,
          );
          types.push('resource.updated');
        }
      await setTimeout(Math.random() * 500);
      // The older process is killed, at a random moment of a delivery, and a new one is started.
      const [oldest, ...rest] = servers;
      oldest?.[0].child.kill('SIGKILL');
      await oldest?.[0].ended();
      servers = [...rest, await boot()];
    }
    const total = [...expected.values()].flat().length;
    await eventually(90, () => expect(once(receiver.accepted)).toHaveLength(total), 500);
    for (const [ref, types] of expected)
      expect(
        once(receiver.accepted)
          .filter(({ data }) => data['ref'] === ref)
          .map(({ type }) => type),
      ).toEqual(types);
    for (const [run] of servers) run.child.kill('SIGKILL');
    await Promise.all(servers.map(([run]) => run.ended()));
    await receiver.stop();
    await database.drop();
  }, 400_000);
});
