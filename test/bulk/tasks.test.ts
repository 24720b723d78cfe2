import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { fetchToken, startApp, type GraphqlReply } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway, createUser, operatorToken } from '../support/factories';
import { whileLocked } from '../support/databases/locks';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const FIXTURES = resolve(__dirname, '../fixtures/moving');
const PATIENCE = 60;

interface Task {
  readonly ref: string;
  readonly state: string;
  readonly done: number;
  readonly total: number | null;
  readonly written: number;
  readonly request: string | null;
  readonly problem: string | null;
  readonly move: {
    readonly moved: boolean;
    readonly request: string | null;
    readonly kinds: readonly { readonly kind: string; readonly created: number; readonly unchanged: number }[];
    readonly failed: number;
    readonly failures: readonly { readonly place: string; readonly message: string }[];
    readonly skippedCount: number;
    readonly missing: readonly { readonly count: number }[];
  } | null;
}

const FIELDS = `ref type state done total written request problem
  move { moved request kinds { kind created unchanged } failed failures { place message } skippedCount missing { count } }`;
const UPLOAD = `mutation ($task: ID, $number: Int!, $part: String!, $dryRun: Boolean! = false) {
  task: uploadDump(task: $task, number: $number, part: $part, dryRun: $dryRun) { ${FIELDS} } }`;
const START = `mutation ($task: ID!, $system: MovingSystem!, $gateway: String, $skipInvalid: Boolean! = false, $dryRun: Boolean!) {
  task: startMove(task: $task, system: $system, gateway: $gateway, skipInvalid: $skipInvalid, dryRun: $dryRun) { ${FIELDS} } }`;
const REVERT = `mutation ($request: String!) { task: startRevert(request: $request) { ${FIELDS} } }`;
const CANCEL = `mutation ($ref: String!) { task: cancelTask(ref: $ref) { ${FIELDS} } }`;

/** A dump of dSIPRouter with this many numbers, and users in these domains. */
function dumpOf(numbers: number, users: number, domains: readonly string[]): string {
  const statement = (table: string, count: number, row: (index: number) => string): readonly string[] =>
    count === 0 ? [] : [`INSERT INTO ${table} VALUES ${Array.from({ length: count }, (_, n) => row(n)).join(', ')};`];
  return [
    'CREATE TABLE dr_gw_lists (id int, gwlist text, description text);',
    'CREATE TABLE dr_gateways (gwid int, type int, address text, strip int, pri_prefix text, attrs text, description text);',
    'CREATE TABLE dr_rules (ruleid int, groupid text, prefix text, timerec text, priority int, routeid text, gwlist text, description text);',
    'CREATE TABLE subscriber (id int, username text, domain text, password text, rpid text);',
    "INSERT INTO dr_gw_lists VALUES (3, '21', 'name:Carrier,type:8,lb:3'), (11, '56', 'name:Office,type:9,lb:11');",
    "INSERT INTO dr_gateways VALUES (21, 8, '192.0.2.112:5060', 0, '', '', 'name:West,gwgroup:3'), (56, 9, '192.0.2.56', 0, '', '', 'name:Office,gwgroup:11');",
    "INSERT INTO dr_rules VALUES (1, '8000', '', '', 0, '', '#3', '');",
    ...statement(
      'dr_rules',
      numbers,
      (n) => `(${String(n + 2)}, '9000', '+1313${String(2_000_000 + n)}', '', 0, '', '#11', '')`,
    ),
    ...statement(
      'subscriber',
      users,
      (n) => `(${String(n)}, 'u${String(n)}', '${domains[n % domains.length] ?? ''}', 'secret-${String(n)}', '')`,
    ),
  ].join('\n');
}

onEachDatabase(
  'A task',
  (subject, name) => {
    const asked = async (document: string, variables: object, token?: string) =>
      subject().app.graphql<{ task: Task }>(document, { ...variables }, { token });
    const own = async (token?: string): Promise<Task | null> =>
      (await subject().app.graphql<{ task: Task | null }>(`{ task { ${FIELDS} } }`, {}, { token })).data.task;
    /** Uploads a dump in parts of so many bytes. */
    const upload = async (dump: string, size = 20_000): Promise<string> => {
      const bytes = gzipSync(dump);
      let task: string | undefined;
      for (let at = 0; at < bytes.length; at += size) {
        const part = bytes.subarray(at, at + size).toString('base64');
        const { data, errors } = await asked(UPLOAD, { task, number: at / size, part });
        expect(errors).toBeUndefined();
        task = data.task.ref;
      }
      return String(task);
    };
    const start = async (task: string, variables: object = {}): Promise<GraphqlReply<{ task: Task }>> =>
      asked(START, { task, system: 'DSIPROUTER', dryRun: false, ...variables });
    const ended = async (): Promise<Task> => {
      let found: Task | null = null;
      await eventually(PATIENCE, async () => {
        found = await own();
        expect(['CHECKED', 'DONE', 'FAILED', 'CANCELLED']).toContain(found?.state);
      });
      return found as unknown as Task; // as expected above
    };
    const run = async (task: string, variables: object = {}): Promise<Task> => {
      const { errors } = await start(task, variables);
      expect(errors).toBeUndefined();
      return ended();
    };
    const totals = async (): Promise<readonly number[]> => {
      const { data } = await subject().app.graphql<Record<string, { totalCount: number }>>(
        '{ gateways { totalCount } numbers { totalCount } domains { totalCount } agents { totalCount } peers { totalCount } routes { totalCount } }',
      );
      return Object.values(data).map(({ totalCount }) => totalCount);
    };
    const parts = async (): Promise<number> => (await runSql(subject().url, 'SELECT id FROM task_parts')).length;
    const counts = ({ move }: Task, of: 'created' | 'unchanged' = 'created'): object =>
      Object.fromEntries((move?.kinds ?? []).map((each) => [each.kind, each[of]]));
    const revert = async (request: string): Promise<Task> => {
      expect((await asked(REVERT, { request })).errors).toBeUndefined();
      return ended();
    };
    const NONE = [0, 0, 0, 0, 0, 0];

    test('moves in a dump that was uploaded in parts, in pieces that are one request, and takes it back as one', async () => {
      const all = { Gateway: 1, Number: 700, Domain: 3, Agent: 500, Peer: 1, Route: 3 };
      const task = await upload(dumpOf(700, 500, ['one.example', 'two.example', 'three.example']), 2000);
      expect(await parts()).toBeGreaterThan(2);
      const checked = await run(task, { dryRun: true });
      expect(checked).toMatchObject({ state: 'CHECKED', done: 1208, written: 0, request: null, problem: null });
      expect(checked.move).toMatchObject({ moved: false, request: null, failed: 0 });
      expect(counts(checked)).toEqual(all);
      expect(await totals()).toEqual(NONE);

      const made = await run(task);
      expect(made).toMatchObject({ state: 'DONE', done: 1208, total: 1208, written: 1208, move: { moved: true } });
      expect(counts(made)).toEqual(all);
      expect(made.request).toEqual(made.move?.request);
      expect(await totals()).toEqual([1, 700, 3, 500, 1, 3]);
      expect(await parts()).toBe(0);
      const entriesOf = async (of: string | null) =>
        (
          await subject().app.graphql(
            'query ($of: String!) { history(first: 1, where: { request: $of }) { totalCount nodes { way } } }',
            { of },
          )
        ).data;
      // The total does not wait for numbers.
      await eventually(PATIENCE, async () =>
        expect(await entriesOf(made.request)).toEqual({ history: { totalCount: 1208, nodes: [{ way: 'IMPORT' }] } }),
      );

      const again = await run(await upload(dumpOf(700, 500, ['one.example', 'two.example', 'three.example'])));
      expect(again).toMatchObject({ state: 'DONE', written: 0, request: null });
      expect(counts(again, 'unchanged')).toEqual(all);

      const reverted = await revert(String(made.request));
      expect(reverted).toMatchObject({ state: 'DONE', done: 1208, total: 1208, written: 1208, move: null });
      expect(await totals()).toEqual(NONE);
      await eventually(PATIENCE, async () =>
        expect(await entriesOf(reverted.request)).toEqual({
          history: { totalCount: 1208, nodes: [{ way: 'GRAPHQL' }] },
        }),
      );
    });

    test.each([
      ['KAMAILIO', 'kamailio.sql', 'sip.carrier.example'],
      ['DSIPROUTER', 'dsiprouter.sql', undefined],
      ['ROUTR2', 'routr2.sql', undefined],
    ])('checks and moves %s as importFrom does', async (system, name, gateway) => {
      const dump = await readFile(join(FIXTURES, name), 'utf8');
      const { data } = await subject().app.graphql<{ importFrom: Task['move'] }>(
        `mutation ($system: MovingSystem!, $source: String!, $gateway: String) {
           importFrom(system: $system, source: $source, gateway: $gateway, dryRun: true) {
             moved request kinds { kind created unchanged } failed failures { place message } skippedCount missing { count } } }`,
        { system, source: dump, gateway },
      );
      const task = await upload(dump);
      expect((await run(task, { system, gateway, dryRun: true })).move).toEqual(data.importFrom);
      const made = await run(task, { system, gateway });
      expect(made.move?.kinds).toEqual(data.importFrom?.kinds);
      expect((await revert(String(made.request))).state).toBe('DONE');
      expect(await totals()).toEqual(NONE);
    });

    test('changes nothing if a record is wrong, names it, and can leave it out', async () => {
      const dump = dumpOf(0, 450, ['one.example']).replace("'u440'", "'a:b'").replace("'u449'", "'u3'");
      const task = await upload(dump);
      const wrong = await run(task);
      expect(wrong).toMatchObject({ state: 'CHECKED', written: 0, request: null, move: { moved: false, failed: 2 } });
      const failures = new Map(wrong.move?.failures.map(({ place, message }) => [place, message]));
      expect([...failures.keys()].sort()).toEqual(['subscriber 440', 'subscriber 449']);
      expect(failures.get('subscriber 449')).toBe('record: duplicates subscriber 3');
      expect(JSON.stringify(wrong)).not.toContain('secret-');
      expect(await totals()).toEqual(NONE);
      const made = await run(task, { skipInvalid: true });
      expect(made).toMatchObject({ state: 'DONE', move: { failed: 0, skippedCount: 2 } });
      expect((await totals())[3]).toBe(448);
      expect((await revert(String(made.request))).state).toBe('DONE');
    });

    test('that is cancelled stops, leaves nothing of its upload, and says what it has written', async () => {
      const task = await upload(dumpOf(2000, 0, ['one.example']));
      await start(task);
      await eventually(PATIENCE, async () => expect((await own())?.written).toBeGreaterThan(0));
      const other = await asked(UPLOAD, { number: 0, part: 'QUJD' });
      expect(other.errors?.[0]?.message).toBe(`Your task ${task} is running: wait until it has ended, or cancel it`);
      const { data } = await asked(CANCEL, { ref: task });
      expect(data.task.state).toBe('CANCELLED');
      expect(await parts()).toBe(0);
      const { written, request } = data.task;
      expect((await start(task)).errors?.[0]?.message).toBe('The task has no dump any more: upload it again');
      const [gateways, numbers = 0] = await totals();
      expect(written).toBeLessThan(2000);
      expect(Number(gateways) + numbers).toBe(written);
      expect((await revert(String(request))).written).toBe(written);
      expect(await totals()).toEqual(NONE);
    });

    test.each([
      ['', -60],
      [' before the clock was set back by a day', 86_400],
    ])('of a process that has ended%s has failed, says so, and is started again', async (_, seconds) => {
      const until = Math.floor(Date.now() / 1000) + seconds;
      const task = await upload(dumpOf(10, 10, ['one.example']));
      await run(task, { dryRun: true });
      await runSql(
        subject().url,
        `UPDATE tasks SET state = 'WRITING', is_open = 1, holder = 'killed', until_on = ${String(until)}, written = 3 WHERE ref = '${task}'`,
      );
      const failed = await ended();
      expect(failed).toMatchObject({ state: 'FAILED', written: 3 });
      expect(failed.problem).toBe(
        'The server that ran it has ended, or lost its database for too long: start it again, which leaves alone what is done already',
      );
      const made = await run(task);
      expect(made).toMatchObject({ state: 'DONE', request: failed.request });
      expect((await revert(String(made.request))).state).toBe('DONE');
    });

    // It waits for attempts of the server to end, and is the same on MySQL. SQLite has no lock of a row.
    if (name === 'MariaDB')
      test('waits while the database refuses to store how far it is, and goes on', async () => {
        const task = await upload(dumpOf(3000, 0, ['one.example']));
        await start(task, { dryRun: true });
        await eventually(PATIENCE, async () => expect((await own())?.done).toBeGreaterThan(0));
        const row = `SELECT id FROM tasks WHERE ref = '${task}' FOR UPDATE`;
        const checked = await whileLocked(subject().url, row, ended, () => setTimeout(12_000));
        expect(checked).toMatchObject({ state: 'CHECKED', done: 3002, problem: null });
      });

    test('that ended early is checked and started again, and taken back with what it had written before', async () => {
      const { app } = subject();
      const { data } = await app.graphql<{ createApiToken: { token: string; apiToken: { ref: string } } }>(
        'mutation { createApiToken(name: "moves", role: ADMIN) { token apiToken { ref } } }',
      );
      const { token, apiToken } = data.createApiToken;
      const task = await upload(dumpOf(3000, 0, ['one.example']));
      expect((await asked(START, { task, system: 'DSIPROUTER', dryRun: false }, token)).errors).toBeUndefined();
      await eventually(PATIENCE, async () => expect((await own())?.written).toBeGreaterThan(0));
      const END = 'mutation ($ref: String!) { deleteApiToken(ref: $ref) }';
      expect((await app.graphql(END, { ref: apiToken.ref })).errors).toBeUndefined();
      const failed = await ended();
      const { written, request } = failed;
      expect(failed).toMatchObject({ state: 'FAILED', problem: 'The API token that started it has ended' });
      expect(written).toBeLessThan(3000);
      const checked = await run(task, { dryRun: true });
      expect(checked).toMatchObject({ state: 'CHECKED', written, request, move: { moved: false, request } });
      const made = await run(task);
      expect(made).toMatchObject({ state: 'DONE', written: made.total, request, move: { moved: true, request } });
      expect(await revert(String(request))).toMatchObject({ state: 'DONE', written: made.total });
      expect(await totals()).toEqual(NONE);
    });

    test('ends when its user gets a new secret, as the sign-in that started it does', async () => {
      const { app } = subject();
      const made = await run(await upload(dumpOf(3000, 0, ['one.example'])));
      const { ref, token } = await createUser(app, 'OPERATOR');
      expect((await asked(REVERT, { request: made.request }, token)).errors).toBeUndefined();
      await eventually(PATIENCE, async () => expect((await own(token))?.written).toBeGreaterThan(0));
      const secret = 'another secret of the user';
      const SECRET =
        'mutation ($ref: String!, $secret: String!) { setUserSecret(ref: $ref, secret: $secret) { username } }';
      const { data, errors } = await app.graphql<{ setUserSecret: { username: string } }>(SECRET, { ref, secret });
      expect(errors).toBeUndefined();
      const again = await fetchToken(app.url, data.setUserSecret.username, secret);
      await eventually(PATIENCE, async () => expect((await own(again))?.state).toBe('FAILED'));
      const failed = await own(again);
      expect(failed?.problem).toBe(
        'The sign-in that started it has ended: its user has a new secret, or has ended all sessions',
      );
      expect(failed?.written).toBeLessThan(Number(failed?.total));
      expect((await revert(String(made.request))).state).toBe('DONE');
      expect(await totals()).toEqual(NONE);
    });

    test('that reverts ends where somebody changed something later, and goes on when that is undone', async () => {
      const made = await run(await upload(dumpOf(450, 0, ['one.example'])));
      const { data } = await subject().app.graphql<{ gateways: { nodes: readonly { ref: string }[] } }>(
        '{ gateways { nodes { ref } } }',
      );
      const ref = data.gateways.nodes[0]?.ref;
      const RENAME =
        'mutation ($ref: String!, $name: String!) { updateGateway(ref: $ref, input: { name: $name }) { ref } }';
      expect((await subject().app.graphql(RENAME, { ref, name: 'Renamed' })).errors).toBeUndefined();
      const failed = await revert(String(made.request));
      expect(failed).toMatchObject({ state: 'FAILED' });
      expect(failed.problem).toMatch(/^entry \d+: Gateway "\S+": name was changed later/);
      expect(failed.written).toBeGreaterThan(200);
      await subject().app.graphql(RENAME, { ref, name: 'Carrier' });
      expect(await revert(String(made.request))).toMatchObject({ state: 'DONE' });
      expect(await totals()).toEqual(NONE);
    });

    test('refuses what is wrong, and says which argument', async () => {
      const first = { number: 0, part: 'QUJD' };
      const { data } = await asked(UPLOAD, first);
      const task = data.task.ref;
      const cases: readonly (readonly [Promise<GraphqlReply<unknown>>, string | RegExp])[] = [
        [asked(UPLOAD, { ...first, number: 1 }), 'number: 1 is not 0, and the first part has no task'],
        [asked(UPLOAD, { ...first, task, number: 1000 }), 'number: 1000 is not between 0 and 999'],
        [asked(UPLOAD, { ...first, task, part: '***' }), 'part: is not base64'],
        [asked(UPLOAD, { ...first, task: 'tkother' }), /tkother/],
        [start('tkother'), /tkother/],
        [asked(CANCEL, { ref: 'tkother' }), /tkother/],
        [asked(REVERT, { request: 'unknown' }), /unknown/],
      ];
      for (const [reply, message] of cases)
        expect((await reply).errors?.[0]?.message).toEqual(
          typeof message === 'string' ? message : expect.stringMatching(message),
        );
      const store = (characters: number) => runSql(subject().url, 'UPDATE tasks SET stored_size = ?', [characters]);
      await store(8 * 1024 * 1024 - 3);
      expect((await asked(UPLOAD, { ...first, task, number: 1 })).errors?.[0]?.message).toBe(
        'part: makes the compressed dump larger than 6 MiB: use sipgraph import-from',
      );
      await store(first.part.length);
      expect(await run(task)).toMatchObject({ state: 'FAILED', problem: 'source: cannot be decompressed', written: 0 });
      await asked(UPLOAD, first);
      expect(await run((await own())?.ref ?? '', { system: 'KAMAILIO' })).toMatchObject({ state: 'FAILED' });
    });

    test('is what a dry run says, and is not stored then', async () => {
      const before = await own();
      const { data } = await asked(UPLOAD, { number: 0, part: 'QUJD', dryRun: true });
      expect(data.task.state).toBe('UPLOADING');
      expect(await own()).toEqual(before);
    });

    test('moves only for admins, reverts for operators, and is seen by its user only', async () => {
      const token = await operatorToken(subject().app);
      for (const reply of [
        asked(UPLOAD, { number: 0, part: 'QUJD' }, token),
        asked(START, { task: 'x', system: 'KAMAILIO', dryRun: true }, token),
      ])
        expect((await reply).errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
      expect(await own(token)).toBeNull();
      const { data } = await asked(UPLOAD, { number: 0, part: 'QUJD' });
      expect((await asked(CANCEL, { ref: data.task.ref }, token)).errors?.[0]?.extensions).toMatchObject({
        code: 'NOT_FOUND',
      });
      const gateway = await createGateway(subject().app);
      const last = async () =>
        (
          await subject().app.graphql<{ history: { nodes: readonly { ref: string; request: string }[] } }>(
            '{ history(first: 1) { nodes { ref request } } }',
          )
        ).data.history.nodes[0];
      await eventually(PATIENCE, async () => expect((await last())?.ref).toBe(gateway));
      expect((await asked(REVERT, { request: 'nope' }, token)).errors?.[0]?.extensions).toMatchObject({
        code: 'NOT_FOUND',
        fields: ['request'],
      });
      const { data: begun } = await asked(REVERT, { request: (await last())?.request }, token);
      expect(begun.task).toMatchObject({ type: 'REVERT' });
      await eventually(PATIENCE, async () => expect((await own(token))?.state).toBe('DONE'));
    });

    test('is deleted an hour after its last step, with its upload', async () => {
      await upload(dumpOf(10, 0, ['one.example']));
      await runSql(subject().url, 'UPDATE tasks SET touched_on = touched_on - 3600000');
      await eventually(PATIENCE, async () => expect([await own(), await parts()]).toEqual([null, 0]));
    });

    test('is not started by a server that only reads', async () => {
      const app = await startApp({ DATABASE_URL: subject().url, READ_ONLY: 'true' });
      const { errors } = await app.graphql(UPLOAD, { number: 0, part: 'QUJD' });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_SUPPORTED' });
      await app.close();
    });
  },
  { BODY_LIMIT: '65536' },
  { tasksReadEvery: 200 },
);
