import { fetchToken } from '../support/app';
import { databases } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { build, killAll, listening, start, type Run } from '../support/process';
import { runSql } from '../support/databases/sql';
import { transports, type Transport } from '../support/subscriptions';

interface Heard {
  readonly cursor: string;
  readonly event: string;
  readonly ref: string;
}

const SECRET = 'the secret of the replicas';
const WRITES = 120;

describe.each(databases)('Two processes on one database, on $name', ({ name, createDatabase }) => {
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    build();
    ({ url, drop } = await createDatabase());
  });

  afterAll(async () => {
    killAll();
    await drop();
  });

  const replica = (): Run =>
    start({ DATABASE_URL: url, ADMIN_SECRET: SECRET, SAMPLE_DATA: 'false', PLAYGROUND: 'false' });

  /** Creates a gateway. If the process dies in the meantime, the result is unknown. */
  async function create(at: string, token: string, n: number, protocol: 'REST' | 'GraphQL'): Promise<void> {
    const host = `gateway${String(n)}.test`;
    const [path, body] =
      protocol === 'REST'
        ? [
            `/api/v1beta1/gateways?token=${token}`,
            { kind: 'Gateway', metadata: { name: host }, spec: { host, transport: 'udp' } },
          ]
        : [
            '/graphql',
            {
              query: `mutation { createGateway(input: { name: "${host}", host: "${host}", transport: UDP }) { ref } }`,
            },
          ];
    await fetch(at + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  }

  // Both transports on MySQL; one is enough elsewhere.
  test.each(name === 'MySQL' ? transports : transports.slice(0, 1))(
    'every change arrives once and in order over $name, while one process is killed and restarted',
    async ({ subscribe }: Transport) => {
      await runSql(url, 'DELETE FROM gateways').catch(() => undefined);
      const one = await listening(replica());
      let other = replica();
      let at = await listening(other);
      const token = await fetchToken(one, 'admin', SECRET);

      const heard: Heard[] = [];
      const query =
        'subscription($since: String) { resourceChanged(kinds: [Gateway], since: $since) { cursor event ref } }';
      const listen = async (since: string): Promise<{ readonly done: Promise<void>; close(): Promise<void> }> => {
        const subscription = await subscribe(at, token, query, { since });
        const take = async (): Promise<void> => {
          for (;;) {
            const { data } = await subscription.next(60);
            if (!data) return;
            heard.push(data['resourceChanged'] as Heard);
          }
        };
        return { done: take().catch(() => undefined), close: subscription.close };
      };

      // The process may be killed before it has delivered a change.
      const { data } = (await (
        await fetch(`${one}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ query: '{ changeCursor }' }),
        })
      ).json()) as { readonly data: { readonly changeCursor: string } };
      const first = await listen(data.changeCursor);
      const writing = (async () => {
        for (let n = 0; n < WRITES; n++) {
          // The other process is down for a while, and its requests fail.
          const target = n % 3 === 0 ? at : one;
          await create(target, token, n, n % 2 === 0 ? 'REST' : 'GraphQL').catch(() => undefined);
        }
      })();
      await new Promise((resolve) => setTimeout(resolve, 400));
      other.child.kill('SIGKILL');
      await first.done;
      other = replica();
      at = await listening(other);
      const second = await listen(heard.at(-1)?.cursor ?? data.changeCursor);
      await writing;
      await create(one, token, WRITES, 'REST');

      const made = (await runSql(url, 'SELECT ref FROM gateways ORDER BY id')).map(([ref]) => String(ref));
      await eventually(10, () => expect(heard.at(-1)?.ref).toBe(made.at(-1)));
      expect(heard.map(({ ref }) => ref)).toEqual(made);
      expect(made.length).toBeGreaterThan(WRITES / 2);
      await second.close();
      killAll();
    },
  );
});
