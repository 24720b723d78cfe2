import { gzipSync } from 'node:zlib';

import { startApp, useTimings } from '../support/app';
import { eventually } from '../support/eventually';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createPeer,
  createRoute,
  createUser,
} from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql, storeCall } from '../support/databases/sql';

useTimings({ exports: { jobs: 200, old: 500 } });

interface Export {
  readonly ref: string;
  readonly state: string;
  readonly rows: number;
  readonly total: number | null;
  readonly size: number;
  readonly problem: string | null;
  readonly address: string | null;
  readonly expiresOn: string | null;
}

const PATIENCE = 40;
const NOW = Date.now() - 60_000;
const FIELDS = 'ref source format state rows total size problem createdOn finishedOn address expiresOn';
const START = `mutation ($of: ExportOf!, $format: ExportFormat, $filter: String) {
  export: startExport(of: $of, format: $format, filter: $filter) { ${FIELDS} }
}`;

onEachDriver(
  'Exports',
  (subject) => {
    const tokens: Record<string, string> = {};

    const start = (
      of: object,
      {
        format = 'CSV',
        filter,
        token,
      }: { format?: string | undefined; filter?: string; token?: string | undefined } = {},
    ) => subject().app.graphql<{ export: Export }>(START, { of, format, filter }, { token });

    const list = async (token?: string) =>
      (await subject().app.graphql<{ exports: readonly Export[] }>(`{ exports { ${FIELDS} } }`, {}, { token })).data
        .exports;

    async function done(ref: string, token?: string): Promise<Export> {
      let found: Export | undefined;
      await eventually(PATIENCE, async () => {
        found = (await list(token)).find((each) => each.ref === ref);
        expect([found?.state, found?.problem]).toEqual(['DONE', null]);
      });
      return found as unknown as Export; // as expected above
    }

    const get = (address: string | null, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${subject().app.url}${address ?? ''}`, { headers, method });

    /** The text of what is exported. */
    async function exported(of: object, options: Parameters<typeof start>[1] = {}): Promise<string> {
      const { data, errors } = await start(of, options);
      expect(errors).toBeUndefined();
      const { address, size } = await done(data.export.ref, options.token);
      const text = await (await get(address)).text();
      expect(Buffer.byteLength(text)).toBe(size);
      await cancel(data.export.ref, options.token);
      return text;
    }

    const cancel = (ref: string, token?: string) =>
      subject().app.graphql<{ cancelExport: string }>(
        'mutation ($ref: String!) { cancelExport(ref: $ref) }',
        { ref },
        { token },
      );

    const linesIn = (text: string) => text.split('\n').filter((line) => line !== '');

    beforeAll(async () => {
      const { app } = subject();
      for (const role of ['VIEWER', 'OPERATOR'] as const) tokens[role] = (await createUser(app, role)).token;
    });

    test('resources are exported as CSV that an import reads, without secrets, and with no formulas', async () => {
      const { app } = subject();
      await createDomain(app, { domainUri: 'csv.test' });
      await createAgent(app, {
        name: '=1+1',
        username: 'csv1',
        secret: 'top-secret-1',
        domains: ['csv.test'],
        labels: ['a=b', 'c=d'],
      });
      await createAgent(app, { name: '＝1+1', username: 'csv0', secret: 'top-secret-0', domains: ['csv.test'] });
      await createAgent(app, {
        name: 'Two, "quoted";"=1+1;""-2',
        username: 'csv2',
        secret: 'top-secret-2',
        domains: ['csv.test'],
      });
      const text = await exported({ agents: { username: { startsWith: 'csv' } } });
      const [header, one, wide, two] = text.split('\r\n');
      expect(header).toMatch(/^ref,name,username,domains,/);
      expect(one).toContain(`,'=1+1,csv1,csv.test,`);
      expect(wide).toContain(`,'＝1+1,csv0,`);
      // Some spreadsheets begin a cell after a semicolon, and ignore the quotes that it begins with.
      expect(two).toContain(`,"Two, ""quoted"";'""=1+1;'""""-2",csv2,`);
      expect(text).not.toContain('top-secret');
      const { data } = await app.graphql<{ importCsv: { unchanged: number } }>(
        'mutation ($csv: String!) { importCsv(kind: Agent, csv: $csv) { unchanged: count(outcome: UNCHANGED) } }',
        { csv: text },
      );
      expect(data.importCsv.unchanged).toBe(3);
      expect(linesIn(await exported({ agents: {} }, { filter: '@.spec.credentials.username=="csv2"' }))).toHaveLength(
        2,
      );
    });

    test('resources are exported as JSONL, a document each, as REST has them without secrets', async () => {
      const { app } = subject();
      const ref = await createGateway(app, { name: 'Lines', username: 'u', secret: 'top-secret-3' });
      const text = await exported(
        { gateways: { name: { eq: 'Lines' } } },
        { format: 'JSONL', token: tokens['VIEWER'] },
      );
      expect(JSON.parse(text)).toMatchObject({ kind: 'Gateway', metadata: { ref, name: 'Lines' } });
      expect(text).not.toContain('top-secret');
    });

    test('each list that ExportOf names is exported', async () => {
      const { app, url } = subject();
      await storeCall(url, { callId: 'exported-of-all' });
      for (const create of [createAgent, createPeer, createDid, createRoute]) await create(app);
      const { data } = await app.graphql<{ __type: { inputFields: readonly { name: string }[] } }>(
        '{ __type(name: "ExportOf") { inputFields { name } } }',
      );
      const names = data.__type.inputFields.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['agents', 'calls', 'history', 'routes']));
      for (const name of names) {
        const lines = linesIn(await exported({ [name]: {} }, { format: 'JSONL' }));
        expect({ name, isEmpty: lines.length === 0 }).toEqual({ name, isEmpty: false });
        for (const line of lines) expect(JSON.parse(line)).toEqual(expect.any(Object));
      }
      await runSql(url, 'DELETE FROM calls');
    });

    test('calls are exported newest first, with all conditions, and viewers get shortened numbers', async () => {
      const { url } = subject();
      const call = { from_uri: 'sip:+4930123456@198.51.100.7', source: '198.51.100.7', gateway_ref: 'gw-export' };
      for (let n = 0; n < 3; n++)
        await storeCall(url, { ...call, callId: `exported-${String(n)}`, begun: NOW + n, state: n === 2 ? 6 : 5 });
      const where = { calls: { gatewayRef: 'gw-export', state: 'FAILED' } };
      const rows = linesIn(await exported(where, { format: 'JSONL', token: tokens['OPERATOR'] })).map(
        (line) => JSON.parse(line) as Record<string, unknown>,
      );
      expect(rows).toMatchObject([
        { callId: 'exported-1', begunOn: new Date(NOW + 1).toISOString(), from: call.from_uri, source: call.source },
        { callId: 'exported-0' },
      ]);
      const shortened = await exported(where, { token: tokens['VIEWER'] });
      expect(linesIn(shortened)).toHaveLength(3);
      expect(shortened).not.toMatch(/123456|198\.51\.100\.7/);
      const { errors } = await start({ calls: { search: '3456' } }, { token: tokens['VIEWER'] });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
    });

    test('the history is exported as far as its reader may see it', async () => {
      const { app } = subject();
      await createGateway(app, { name: 'In the history', username: 'u', secret: 'top-secret-4' });
      const all = await exported({ history: {} });
      const seen = await exported({ history: {} }, { token: tokens['VIEWER'] });
      expect([all.includes(',User,'), seen.includes(',User,')]).toEqual([true, false]);
      expect([all.includes('127.0.0.1'), seen.includes('127.0.0.1')]).toEqual([true, false]);
      expect(seen).toContain('In the history');
      expect(all + seen).not.toContain('top-secret');
      const { errors } = await start({ history: { kind: 'User' } }, { token: tokens['VIEWER'] });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
    });

    test('a download continues with the rest of the file, and only the right address has it, for an hour', async () => {
      const { app, url } = subject();
      await createDomain(app, { domainUri: 'ranges.test' });
      const { data } = await start({ domains: {} });
      const { ref, size, address, expiresOn } = await done(data.export.ref);
      expect(Date.parse(String(expiresOn)) - Date.now()).toBeGreaterThan(3_500_000);
      const whole = await get(address);
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="domains.csv"',
        'content-length': String(size),
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        etag: `"${ref}"`,
      });
      const text = await whole.text();
      const head = await get(address, {}, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)]);
      for (const [range, status, part, shown] of [
        ['bytes=0-9', 206, text.slice(0, 10), `bytes 0-9/${String(size)}`],
        ['bytes=10-', 206, text.slice(10), `bytes 10-${String(size - 1)}/${String(size)}`],
        ['bytes=-5', 206, text.slice(-5), `bytes ${String(size - 5)}-${String(size - 1)}/${String(size)}`],
        ['bytes=0-1,4-5', 200, text, null],
        ['bytes=x', 200, text, null],
      ] as const) {
        const reply = await get(address, { range });
        expect([reply.status, reply.headers.get('content-range')]).toEqual([status, shown]);
        expect(await reply.text()).toBe(part);
      }
      expect((await get(address, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
      const beyond = await get(address, { range: `bytes=${String(size)}-` });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${String(size)}`]);
      for (const wrong of [
        address?.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
        address?.replace(/key=[^&]*/, 'key=none'),
        address?.replace(ref, 'ex00'),
        `/exports/${ref}/domains.csv`,
      ])
        expect((await get(wrong ?? null)).status).toBe(404);
      await runSql(url, 'UPDATE export_jobs SET finished_on = finished_on - 3600001 WHERE ref = ?', [ref]);
      expect((await get(address)).status).toBe(404);
      const [late] = (await list()).filter((each) => each.ref === ref);
      expect((await get(late?.address ?? null)).status).toBe(404);
      await cancel(ref);
    });

    test('another process continues an export where it was, and every row is in the file once', async () => {
      const { url } = subject();
      const rows = Array.from({ length: 12_000 }, (_, n) => n);
      for (let at = 0; at < rows.length; at += 1000) {
        const values = rows
          .slice(at, at + 1000)
          .map((n) => `('many-${String(n)}', 't', '1.1', 'n', ${String(NOW + n)}, 6, 'gw-many')`);
        await runSql(
          url,
          `INSERT INTO calls (call_id, from_tag, dialog, node, begun, state, gateway_ref) VALUES ${values.join(', ')}`,
        );
      }
      const { data } = await start({ calls: { gatewayRef: 'gw-many' } });
      const other = await startApp({ DATABASE_URL: url });
      const { ref } = data.export;
      // As if a process was killed after each step: the next one takes the job at once.
      let steps = 0;
      await eventually(PATIENCE, async () => {
        const { rows: seen } = (await list()).find((each) => each.ref === ref) ?? {};
        if (steps++ % 2 === 0)
          await runSql(url, "UPDATE export_jobs SET holder = 'killed', until_on = ? WHERE ref = ? AND is_open = 1", [
            // Also before the clock was set back by a day.
            steps === 1 ? 0 : Math.floor(Date.now() / 1000) + 86_400,
            ref,
          ]);
        expect(seen).toBe(rows.length);
      });
      const { total, address } = await done(ref);
      expect(total).toBe(rows.length);
      const ids = linesIn(await (await get(address)).text()).map((line) => line.split(',')[1]);
      expect(ids).toEqual(['callId', ...rows.map((n) => `many-${String(n)}`).reverse()]);
      await other.close();
      await cancel(ref);
      await eventually(PATIENCE, async () => expect(await list()).toEqual([]));
      await runSql(url, 'DELETE FROM calls');
    });

    test('exports belong to their user, who can have five, and cancels them', async () => {
      const { app } = subject();
      const [{ token }, { token: viewer }] = [await createUser(app, 'OPERATOR'), await createUser(app, 'VIEWER')];
      const refs: string[] = [];
      for (let n = 0; n < 5; n++) refs.push((await start({ domains: {} }, { token })).data.export.ref);
      const [first = ''] = refs;
      expect((await start({ domains: {} }, { token })).errors?.[0]?.extensions).toMatchObject({
        code: 'CONFLICT',
      });
      expect(await list(viewer)).toEqual([]);
      expect((await cancel(first, viewer)).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
      const { address } = await done(first, token);
      expect((await cancel(first, token)).data.cancelExport).toBe(first);
      expect((await get(address)).status).toBe(404);
      expect((await list(token)).map(({ ref }) => ref)).toEqual(refs.slice(1).reverse());
      for (const ref of refs.slice(1)) await cancel(ref, token);
    });

    test('clients that disconnect early leave room for other downloads, and cancelled exports for new ones', async () => {
      const { url } = subject();
      const { token } = await createUser(subject().app, 'OPERATOR');
      const { data } = await start({ domains: {} }, { token });
      const { address, ref } = await done(data.export.ref, token);
      const leave = async (): Promise<void> => {
        const stopping = new AbortController();
        const reply = fetch(`${subject().app.url}${String(address)}`, { signal: stopping.signal });
        setImmediate(() => stopping.abort());
        await reply.catch(() => undefined);
      };
      await Promise.all(Array.from({ length: 100 }, leave));
      await eventually(PATIENCE, async () => expect((await get(address)).status).toBe(200));
      for (let n = 0; n < 6; n++) {
        const { data: next, errors } = await start({ domains: {} }, { token });
        expect(errors).toBeUndefined();
        await cancel(next.export.ref, token);
      }
      // As if the files of all users had filled the database while this one was written.
      await runSql(
        url,
        "UPDATE export_jobs SET state = 'RUNNING', is_open = 1, finished_on = NULL, kept_bytes = 5000000000 WHERE ref = ?",
        [ref],
      );
      await eventually(PATIENCE, async () =>
        expect(await runSql(url, 'SELECT state, problem, kept_bytes FROM export_jobs WHERE ref = ?', [ref])).toEqual([
          ['FAILED', expect.stringContaining('too much room'), 0],
        ]),
      );
      await cancel(ref, token);
    });

    test('an export of a user who has lost the role fails, and its file is no longer served', async () => {
      const { app, url } = subject();
      const { ref: userRef, token } = await createUser(app, 'OPERATOR');
      const file = (await start({ domains: {} }, { token })).data.export;
      const { address } = await done(file.ref, token);
      const { errors } = await app.graphql(
        'mutation ($ref: String!) { setUserRole(ref: $ref, role: VIEWER) { ref } }',
        {
          ref: userRef,
        },
      );
      expect(errors).toBeUndefined();
      expect((await get(address)).status).toBe(404);
      await runSql(url, "UPDATE export_jobs SET state = 'RUNNING', is_open = 1, finished_on = NULL WHERE ref = ?", [
        file.ref,
      ]);
      await eventually(PATIENCE, async () =>
        expect(await runSql(url, 'SELECT state, problem FROM export_jobs WHERE ref = ?', [file.ref])).toEqual([
          ['FAILED', 'The user who started it no longer has the role operator'],
        ]),
      );
    });

    test('a download that has begun ends when its user loses the role', async () => {
      const { app, url } = subject();
      const { ref: userRef, token } = await createUser(app, 'OPERATOR');
      const file = (await start({ domains: {} }, { token })).data.export;
      const { address, size } = await done(file.ref, token);
      // As if it were so long that no buffer between server and client holds all of it.
      const [[id] = []] = await runSql(url, 'SELECT id FROM export_jobs WHERE ref = ?', [file.ref]);
      const part = 4 * 1024 * 1024;
      const content = gzipSync(Buffer.alloc(part)).toString('base64');
      for (let n = 0; n < 8; n++)
        await runSql(url, 'INSERT INTO export_chunks (job_id, start, size, content) VALUES (?, ?, ?, ?)', [
          ...[Number(id), size + n * part, part, content],
        ]);
      const whole = size + 8 * part;
      await runSql(url, 'UPDATE export_jobs SET size = ? WHERE ref = ?', [whole, file.ref]);
      const received = async (whileOpen: () => Promise<unknown>): Promise<number> => {
        const { body } = await get(address);
        await whileOpen();
        let bytes = 0;
        for await (const each of body ?? []) bytes += (each as Uint8Array).length;
        return bytes;
      };
      expect(await received(() => Promise.resolve())).toBe(whole);
      const demote = 'mutation ($ref: String!) { setUserRole(ref: $ref, role: VIEWER) { ref } }';
      await expect(received(() => app.graphql(demote, { ref: userRef }))).rejects.toThrow('terminated');
    });

    test.each([
      ['a new secret', 'setUserSecret(ref: $ref, secret: "another-secret-1") { ref }'],
      ['the end of all sessions', 'endAllSessions(userRef: $ref)'],
    ])('%s of its user ends the addresses that were given away', async (_what, end) => {
      const { app } = subject();
      const { ref: userRef, token } = await createUser(app, 'VIEWER');
      const { ref } = (await start({ domains: {} }, { token })).data.export;
      const { address } = await done(ref, token);
      expect((await get(address)).status).toBe(200);
      const { errors } = await app.graphql(`mutation ($ref: String!) { ${end} }`, { ref: userRef });
      expect(errors).toBeUndefined();
      expect((await get(address)).status).toBe(404);
    });

    test.each(['is deleted', 'expires'])(
      'when an API token %s, the exports that it started are cancelled, and only those',
      async (end) => {
        const { app, url } = subject();
        const { token: own } = await createUser(app, 'OPERATOR');
        const { data } = await app.graphql<{ made: { token: string; apiToken: { ref: string } } }>(
          'mutation { made: createApiToken(name: "leaked", role: OPERATOR) { token apiToken { ref } } }',
          {},
          { token: own },
        );
        const { token, apiToken } = data.made;
        const [leaked, kept] = [await start({ domains: {} }, { token }), await start({ domains: {} }, { token: own })];
        const file = await done(leaked.data.export.ref, own);
        const keptFile = await done(kept.data.export.ref, own);
        expect((await list(token)).map(({ ref }) => ref)).toEqual([file.ref]);
        const download = await get(file.address);
        expect(download.status).toBe(200);
        await download.text();
        if (end === 'expires')
          await runSql(url, 'UPDATE api_tokens SET expires_on = ? WHERE ref = ?', [Date.now(), apiToken.ref]);
        else
          await app.graphql(
            'mutation ($ref: String!) { deleteApiToken(ref: $ref) }',
            { ref: apiToken.ref },
            { token: own },
          );
        expect((await get(file.address)).status).toBe(404);
        expect((await list(own)).map(({ ref }) => ref)).toEqual([keptFile.ref]);
        await eventually(PATIENCE, async () =>
          expect(await runSql(url, 'SELECT id FROM export_jobs WHERE ref = ?', [file.ref])).toEqual([]),
        );
        const other = await get(keptFile.address);
        expect(other.status).toBe(200);
        await other.text();
        await cancel(keptFile.ref, own);
      },
    );

    test.each<[string, object, object, string, string]>([
      ['nothing', {}, {}, 'of', 'BAD_USER_INPUT'],
      ['two lists', { agents: {}, domains: {} }, {}, 'of', 'BAD_USER_INPUT'],
      ['null', { agents: null }, {}, 'of', 'BAD_USER_INPUT'],
      ['a wrong condition', { agents: { name: { matches: '(' } } }, {}, 'where', 'BAD_USER_INPUT'],
      ['a wrong filter', { agents: {} }, { filter: '@.x==' }, 'filter', 'BAD_USER_INPUT'],
      ['calls with a filter', { calls: {} }, { filter: '@.x==1' }, 'filter', 'BAD_USER_INPUT'],
    ])('startExport refuses %s', async (_what, of, options, field, code) => {
      const { errors } = await start(of, options);
      expect(errors?.[0]?.extensions).toMatchObject({ code, fields: [field] });
      expect(await list()).toEqual([]);
    });

    test('exports require a token', async () => {
      const { errors } = await subject().app.graphql('{ exports { ref } }', {}, { token: null });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
    });
  },
  { CALLS_PRIVACY: 'on' },
);

test('in read-only mode, no export is started', async () => {
  const app = await startApp({ READ_ONLY: 'true' });
  const { errors } = await app.graphql(START, { of: { agents: {} } });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_SUPPORTED' });
  await app.close();
});
