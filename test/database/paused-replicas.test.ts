import { createConnection } from 'mysql2/promise';

import { fetchToken } from '../support/app';
import { databases } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { build, killAll, listening, start, type Run } from '../support/process';
import { runSql } from '../support/databases/sql';
import { transports, type Subscription } from '../support/subscriptions';

type Level = 'REPEATABLE READ' | 'READ COMMITTED';

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
// Between two looks at the transactions: innodb_trx is filled again only if nobody has read it for 100 ms.
const LOOK = 150;

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

  /** Creates gateways at the other replica all the time; returns a function that stops this. */
  function load(): () => void {
    let isOver = false;
    const write = async (): Promise<void> => {
      while (!isOver) await create(there).catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
    };
    for (let n = 0; n < 8; n++) void write();
    return () => (isOver = true);
  }

  /** The transactions of an isolation level that wait for a lock, or that have one and run. */
  async function transactions(level: Level, state: 'LOCK WAIT' | 'RUNNING'): Promise<readonly unknown[]> {
    return runSql(
      url,
      `SELECT t.trx_id FROM information_schema.innodb_trx t
       JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
       WHERE p.db = DATABASE() AND t.trx_rows_locked > 0 AND t.trx_state = ? AND t.trx_isolation_level = ?`,
      [state, level],
    );
  }

  /**
   * Pauses the other replica within a transaction: it waits for a row that the test has locked, and gets the lock when
   * it is paused. `waiting` is the number of transactions that the work causes to wait.
   */
  async function pauseWithin(level: Level, lock: string, work: () => Promise<unknown>, waiting = 1): Promise<void> {
    const holder = await createConnection(url);
    await holder.beginTransaction();
    await holder.query(lock);
    void work().catch(() => undefined);
    await eventually(30, async () => expect(await transactions(level, 'LOCK WAIT')).toHaveLength(waiting), LOOK);
    paused.child.kill('SIGSTOP');
    await holder.rollback();
    await holder.end();
    await eventually(10, async () => expect(await transactions(level, 'RUNNING')).not.toEqual([]), LOOK);
  }

  const lockOf = (ref: string): string => `SELECT id FROM gateways WHERE ref = '${ref}' FOR UPDATE`;
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
  });

  // A process that is paused in a transaction of SQLite holds the lock of the whole file.
  if (name !== 'SQLite') {
    test('in the transaction of a write, others write and are heard', async () => {
      const locked = await create(here);
      await pauseWithin('REPEATABLE READ', lockOf(locked), () => rename(there, locked));
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
      await pauseWithin('REPEATABLE READ', lockOf(shared), () => rename(there, shared));
      const name = await rename(here, shared);
      expect(await runSql(url, 'SELECT name FROM gateways WHERE ref = ?', [shared])).toEqual([[name]]);
      paused.child.kill('SIGCONT');
      await eventually(20, async () => expect(await rename(there, shared)).not.toBe(name), 10);
    }, 90_000);

    test('while it numbers changes, others write at once and take over the numbering', async () => {
      const last = await subscribe(there);
      const both = (): Promise<unknown> => Promise.all([create(there), create(here)]);
      await pauseWithin('READ COMMITTED', 'SELECT last FROM change_head WHERE id = 1 FOR UPDATE', both, 2);
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
