import { fetchToken } from './support/app';
import { databases } from './support/databases';
import { eventually } from './support/eventually';
import { build, killAll, listening, start, type Run } from './support/process';
import { runSql } from './support/sql';
import { transports, type Subscription } from './support/subscriptions';

interface Heard {
  readonly cursor: string;
  readonly event: string;
  readonly ref: string;
}

const SECRET = 'the secret of the replicas';
const SUBSCRIPTION = 'subscription($since: String) { resourceChanged(since: $since) { cursor event ref } }';
// Milliseconds. The goals are 20 and 500; tests may run on a busy machine.
const SAME_PROCESS = 200;
const OTHER_PROCESS = 5000;

describe.each(databases)('While a replica is paused or killed, on $name', ({ name, createDatabase }) => {
  let url: string;
  let drop: () => Promise<void>;
  let paused: Run;
  let [there, here] = ['', ''];
  let token: string;
  let beginning: unknown;
  const heard: Heard[] = [];
  let hearing: Promise<void>;

  beforeAll(async () => {
    build();
    ({ url, drop } = await createDatabase());
    const replica = (): Run =>
      start({ DATABASE_URL: url, ADMIN_SECRET: SECRET, SAMPLE_DATA: 'false', RATE_LIMIT: 'off' });
    paused = replica();
    there = await listening(paused);
    here = await listening(replica());
    token = await fetchToken(here, 'admin', SECRET);
    beginning = (await graphql(here, '{ changeCursor }'))['changeCursor'];
    const subscription = await subscribe(here);
    hearing = (async () => {
      for (;;) {
        const { data } = await subscription.next(120);
        if (!data) return;
        heard.push(data['resourceChanged'] as Heard);
      }
    })();
  }, 120_000);

  afterAll(async () => {
    killAll();
    await hearing;
    await drop();
  });

  async function subscribe(at: string, since?: unknown): Promise<Subscription> {
    const [transport] = transports;
    if (!transport) throw new Error('there is no transport');
    return transport.subscribe(at, token, SUBSCRIPTION, { since });
  }

  async function graphql(at: string, query: string): Promise<Readonly<Record<string, unknown>>> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(`${at}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return ((await response.json()) as { data: Readonly<Record<string, unknown>> }).data;
  }

  async function create(at: string): Promise<string> {
    const host = `h${String(Math.random()).slice(2)}.test`;
    const { made } = await graphql(
      at,
      `mutation { made: createGateway(input: { name: "G", host: "${host}", transport: UDP }) { ref } }`,
    );
    return (made as { readonly ref: string }).ref;
  }

  /** Renames a gateway, and returns its new name. */
  async function rename(at: string, ref: string): Promise<string> {
    const name = `n${String(Math.random()).slice(2)}`;
    const { renamed } = await graphql(
      at,
      `mutation { renamed: updateGateway(ref: "${ref}", input: { name: "${name}" }) { name } }`,
    );
    expect(renamed).toEqual({ name });
    return name;
  }

  /** Writes at the other replica, by default creates gateways, all the time; returns a function that stops this. */
  function load(work: () => Promise<unknown> = () => create(there)): () => void {
    let isOver = false;
    const write = async (): Promise<void> => {
      while (!isOver) await work().catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
    };
    for (let n = 0; n < 8; n++) void write();
    return () => (isOver = true);
  }

  /** Pauses the other replica again and again, until this happens within a transaction of that isolation level. */
  async function pauseWithin(level: 'REPEATABLE READ' | 'READ COMMITTED'): Promise<void> {
    const open = async (): Promise<readonly unknown[]> =>
      (
        await runSql(
          url,
          `SELECT t.trx_id FROM information_schema.innodb_trx t
           JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
           WHERE p.db = DATABASE() AND t.trx_rows_locked + t.trx_rows_modified > 0 AND t.trx_state = 'RUNNING' AND t.trx_isolation_level = ?`,
          [level],
        )
      ).map(([id]) => String(id));
    for (let attempt = 0; attempt < 500; attempt++) {
      paused.child.kill('SIGSTOP');
      const before = await open();
      // A transaction of the replica that goes on is over by then.
      if (before.length > 0) await new Promise((resolve) => setTimeout(resolve, 300));
      const after = before.length > 0 ? await open() : [];
      if (before.some((id) => after.includes(id))) return;
      paused.child.kill('SIGCONT');
      await new Promise((resolve) => setTimeout(resolve, 20 + 50 * Math.random()));
    }
    throw new Error('It was never paused within a transaction');
  }

  const isHeard = (ref: string): void => expect(heard.map((each) => each.ref)).toContain(ref);
  const numberOf = ({ cursor }: Heard): number => Number(Buffer.from(cursor, 'base64url').toString().split(':')[1]);

  test('a change reaches the subscribers of its process, and those of the other one', async () => {
    const timeOf = async (at: string): Promise<number> => {
      const ref = await create(at);
      const begun = Date.now();
      await eventually(20, () => isHeard(ref), 1);
      return Date.now() - begun;
    };
    const times = async (at: string): Promise<number> => {
      const taken: number[] = [];
      for (let n = 0; n < 21; n++) taken.push(await timeOf(at));
      return taken.sort((one, other) => one - other)[10] ?? 0;
    };
    const medians = [await times(here), await times(there)] as const;
    expect(medians[0]).toBeLessThan(SAME_PROCESS);
    expect(medians[1]).toBeLessThan(OTHER_PROCESS);
  }, 60_000);

  // A process that is paused in a transaction of SQLite holds the lock of the whole file.
  if (name !== 'SQLite') {
    test('in the transaction of a write, others write and are heard', async () => {
      const stop = load();
      await pauseWithin('REPEATABLE READ');
      stop();
      const begun = Date.now();
      for (let n = 0; n < 5; n++) {
        const ref = await create(here);
        await eventually(20, () => isHeard(ref), 10);
      }
      expect(Date.now() - begun).toBeLessThan(20_000);
      paused.child.kill('SIGCONT');
      const ref = await create(there);
      await eventually(20, () => isHeard(ref), 10);
    }, 90_000);

    test('in the transaction of a write, others soon change the resource that it has locked', async () => {
      const shared = await create(here);
      const stop = load(() => rename(there, shared));
      await pauseWithin('REPEATABLE READ');
      stop();
      const name = await rename(here, shared);
      expect(await runSql(url, 'SELECT name FROM gateways WHERE ref = ?', [shared])).toEqual([[name]]);
      paused.child.kill('SIGCONT');
      await eventually(20, async () => expect(await rename(there, shared)).not.toBe(name), 10);
    }, 90_000);

    test('while it numbers changes, others write at once and take over the numbering', async () => {
      const stop = load();
      const last = await subscribe(there);
      await pauseWithin('READ COMMITTED');
      stop();
      const begun = Date.now();
      const ref = await create(here);
      expect(Date.now() - begun).toBeLessThan(20_000);
      await eventually(30, () => isHeard(ref), 10);
      paused.child.kill('SIGCONT');
      const later = await create(there);
      await eventually(20, () => isHeard(later), 10);
      await last.close();
    }, 90_000);
  }

  test('at the end, after it was killed, all changes were heard once, without a gap', async () => {
    const stop = load();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    paused.child.kill('SIGKILL');
    stop();
    const last = await create(here);
    await eventually(30, () => isHeard(last), 10);
    const refs = (await runSql(url, 'SELECT ref FROM gateways')).map(([ref]) => String(ref));
    const created = (): string[] => heard.flatMap(({ event, ref }) => (event === 'CREATED' ? [ref] : []));
    await eventually(30, () => expect(created()).toHaveLength(refs.length), 100);
    expect(created().sort()).toEqual(refs.sort());
    const numbers = heard.map(numberOf);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));

    const replay = await subscribe(here, beginning);
    const again: unknown[] = [];
    while (again.length < heard.length) again.push((await replay.next(30)).data?.['resourceChanged']);
    expect(again).toEqual(heard);
    expect(await runSql(url, 'SELECT COUNT(*) FROM unnumbered_entries')).toEqual([[0]]);
  }, 90_000);
});
