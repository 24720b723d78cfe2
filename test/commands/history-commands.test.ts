import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startApp } from '../support/app';
import { runCommand, type Ran } from '../support/command-line';
import { drivers } from '../support/databases/databases';
import { eventually } from '../support/eventually';
import { createGateway, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

onEachDriver('The commands of the history', (subject) => {
  const run = (...args: readonly string[]): Promise<Ran> => runCommand({ DATABASE_URL: subject().url }, ...args);

  test('print the history with a readable diff, and revert a change', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'one', host: 'c.test', username: 'u', secret: 'a secret' });
    await app.graphql(
      `mutation { updateGateway(ref: "${ref}", input: { name: "two", port: 5070, secret: "b" }) { ref } }`,
    );
    const { out } = await run('history', '--ref', ref);
    expect(out.replace(/^(\d+) \S+Z/gm, '$1 TIME').replace(/[0-9a-f-]{36}/g, 'ID')).toMatch(
      new RegExp(
        `^\\d+ TIME UPDATED Gateway ${ref} by admin \\(GRAPHQL, 127.0.0.1, ID\\)
    name: "one" -> "two"
    secret: changed
    port: "5070"
\\d+ TIME CREATED Gateway ${ref} by admin \\(GRAPHQL, 127.0.0.1, ID\\)
    name: "one"
    host: "c.test"
    username: "u"
    secret: set
    transport: "udp"
$`,
      ),
    );
    const entry = /^\d+/.exec(out)?.[0] ?? '';
    expect((await run('revert', entry)).err).toContain('secret');
    const dry = await run('revert', entry, '--dry-run', '--secret', 'secret=old');
    expect(dry.out).toContain(`UPDATED Gateway ${ref}\n    name: "two" -> "one"\n`);
    const done = await run('revert', entry, '--secret', `${ref}:secret=old`, '--json');
    expect(JSON.parse(done.out)).toMatchObject({ dryRun: false, reverted: [{ ref, event: 'UPDATED' }] });
    const newest = JSON.parse((await run('history', '--ref', ref, '--limit', '1', '--json')).out) as object;
    expect(newest).toMatchObject({ more: true, entries: [{ way: 'COMMAND_LINE', reverts: Number(entry) }] });
    expect((await run('history', '--ref', ref, '--limit', '1')).out).toMatch(
      new RegExp(`UPDATED Gateway ${ref} by .* \\(COMMAND_LINE, [0-9a-f-]{36}, reverts ${entry}\\)`),
    );
    expect((await run('history', '--kind', 'User', '--since', '1h', '--user', 'system')).out).toContain('CREATED User');
    for (const time of ['yesterday', '7', '2026-02-30', '2026-03-01T10:15'])
      expect(await run('history', '--since', time)).toMatchObject({ code: 2 });
    const printed = ['2026-03-01T10:15:30+0100', '2026-03-01 10:15:30+01:00', '2026-03-01T10:15:30.123456+00:00'];
    for (const time of ['2026-03-01', '2026-03-01T10:15Z', '2026-03-01T10:15:30+01:00', ...printed])
      expect(await run('history', '--since', time)).toMatchObject({ code: 0 });
  });

  test('revert an import', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'history-')), 'all.json');
    const domains = ['one', 'two', 'three'].map((name) => ({
      kind: 'Domain',
      metadata: { name, ref: `import-${name}` },
      spec: { context: { domainUri: `${name}.import` } },
    }));
    await writeFile(file, JSON.stringify(domains));
    expect((await run('import', file)).code).toBe(0);
    const { entries } = JSON.parse((await run('history', '--ref', 'import-one', '--json')).out) as {
      entries: { requestId: string; way: string }[];
    };
    expect(entries[0]?.way).toBe('IMPORT');
    const reverted = await run('revert', '--request', entries[0]?.requestId ?? '');
    expect(reverted.out).toContain('3 changes reverted');
    expect(await runSql(subject().url, "SELECT COUNT(*) FROM domains WHERE ref LIKE 'import-%'")).toEqual([[0]]);
  });

  test('verify finds a changed, a missing and an inserted entry, and rewritten ends', async () => {
    const { app, url } = subject();
    // The entry on the sign-in of the test is written soon after it.
    await eventually(5, async () => {
      expect(await runSql(url, "SELECT COUNT(*) FROM changes WHERE did = 'SIGNED_IN'")).not.toEqual([[0]]);
    });
    for (let n = 0; n < 4; n++) await createPeer(app);
    const verified = await run('history', 'verify', '--json');
    expect(verified.err).toBe('');
    const { last, hash } = JSON.parse(verified.out) as { last: number; hash: string };
    expect((await run('history', 'verify', '--expect', `${last}:${hash}`)).code).toBe(0);
    expect((await run('history', 'verify', '--expect', `${last}:${'0'.repeat(64)}`)).err).toContain('another hash');

    const tampered = async (change: string, back: string): Promise<string> => {
      await runSql(url, change);
      const { code, err } = await run('history', 'verify');
      expect(code).toBe(1);
      await runSql(url, back);
      return err;
    };
    const [entry = []] = await runSql(url, `SELECT details FROM changes WHERE id = ${last - 2}`);
    const details = String(entry[0]);
    const changed = await tampered(
      `UPDATE changes SET details = REPLACE(details, 'Peer', 'peer') WHERE id = ${last - 2}`,
      `UPDATE changes SET details = '${details}' WHERE id = ${last - 2}`,
    );
    expect(changed).toContain(`entry ${last - 2} was changed`);
    const who = await tampered(
      `UPDATE changes SET who = 'someone' WHERE id = ${last}`,
      `UPDATE changes SET who = 'admin' WHERE id = ${last}`,
    );
    expect(who).toContain(`entry ${last} was changed`);
    const rewound = await tampered(
      `UPDATE history_head SET chained = ${last - 2}`,
      `UPDATE history_head SET chained = ${last}`,
    );
    expect(rewound).toContain('entries have a hash after the last one');
    const inserted = await tampered(
      `INSERT INTO changes (id, at, kind, ref, did, way) VALUES (${last + 1000}, 1, 'Peer', 'x', 'CREATED', 'REST')`,
      `DELETE FROM changes WHERE id = ${last + 1000}`,
    );
    expect(inserted).toContain(`entry ${last + 1000} was inserted`);
    await runSql(url, `UPDATE changes SET id = ${last + 500} WHERE id = ${last - 1}`);
    const { err } = await run('history', 'verify');
    expect(err).toContain(`entry ${last - 1} is missing`);
    await runSql(url, `UPDATE changes SET id = ${last - 1} WHERE id = ${last + 500}`);
    expect((await run('history', 'verify')).code).toBe(0);
    await runSql(url, `DELETE FROM changes WHERE id = ${last}`);
    await runSql(url, `DELETE FROM history_hashes WHERE id = ${last}`);
    expect((await run('history', 'verify')).err).toContain('later ones are missing');
    // As somebody who also rewrites the end, which only the printed line reveals.
    const [[end] = []] = await runSql(url, 'SELECT hash FROM history_hashes ORDER BY id DESC LIMIT 1');
    await runSql(url, `UPDATE history_head SET hash = '${String(end)}'`);
    await createPeer(app);
    const expected = await run('history', 'verify', '--expect', `${last}:${hash}`);
    expect(expected).toMatchObject({
      code: 1,
      err: expect.stringContaining(`entry ${last} is expected and missing`),
    });
  });
});

describe.each(drivers)('The history, of which HISTORY_DAYS keeps a part, on $name', ({ createDatabase }) => {
  test('is verified from the last deleted entry on, and changed, missing and inserted entries are found', async () => {
    const { url, drop } = await createDatabase();
    const env = { DATABASE_URL: url };
    const run = (...args: readonly string[]): Promise<Ran> => runCommand(env, ...args);
    expect((await run('migrate')).code).toBe(0);
    const domain = async (name: string): Promise<void> => {
      const file = join(mkdtempSync(join(tmpdir(), 'history-')), 'one.json');
      const spec = { context: { domainUri: `${name}.trim` } };
      await writeFile(file, JSON.stringify([{ kind: 'Domain', metadata: { name, ref: name }, spec }]));
      expect((await run('import', file)).code).toBe(0);
    };
    for (const name of ['old1', 'old2', 'old3']) await domain(name);
    const verify = async (...args: readonly string[]) => {
      const { out, err, code } = await run('history', 'verify', '--json', ...args);
      return { ...(code === 0 ? (JSON.parse(out) as { entries: number; last: number; hash: string }) : {}), err, code };
    };
    await verify();
    // As if these entries were made three days ago.
    const start = '0'.repeat(64);
    await runSql(url, 'UPDATE changes SET at = at - 3 * 86400000');
    await runSql(url, 'DELETE FROM history_hashes');
    await runSql(url, 'UPDATE history_head SET chained = 0, hash = ?, trimmed = 0, anchor = ?', [start, start]);
    const before = await verify();
    expect(before).toMatchObject({ code: 0, entries: expect.any(Number) });
    const expected = `${before.last ?? 0}:${before.hash ?? ''}`;
    for (const name of ['new1', 'new2', 'new3', 'new4']) await domain(name);
    const trimming = await startApp({ ...env, HISTORY_DAYS: '1', OUTBOX_HOURS: '24' });
    await eventually(10, async () => {
      expect(await runSql(url, "SELECT COUNT(*) FROM changes WHERE ref LIKE 'old%'")).toEqual([[0]]);
      expect(await runSql(url, 'SELECT COUNT(*) FROM history_head WHERE anchor = ?', [before.hash ?? ''])).toEqual([
        [1],
      ]);
    });
    await trimming.close();
    const kept = await verify();
    expect(kept).toMatchObject({ code: 0, err: '' });
    expect(kept.entries).toBeGreaterThanOrEqual(4);
    // The hash that was printed before is that of the last deleted entry.
    expect((await verify('--expect', expected)).code).toBe(0);
    expect((await verify('--expect', `${before.last ?? 0}:${'1'.repeat(64)}`)).err).toContain('has another hash');
    expect((await verify('--expect', `1:${'1'.repeat(64)}`)).err).toContain('entry 1 was deleted');

    const [[id] = []] = await runSql(url, "SELECT id FROM changes WHERE ref = 'new2'");
    const found = async (change: string, back: string): Promise<string> => {
      await runSql(url, change);
      const { err } = await verify();
      await runSql(url, back);
      expect((await verify()).code).toBe(0);
      return err;
    };
    const set = (column: string, to: string, from: string, where: number): [string, string] => [
      `UPDATE changes SET ${column} = ${to} WHERE id = ${where}`,
      `UPDATE changes SET ${column} = ${from} WHERE ${column === 'id' ? `id = ${to}` : `id = ${where}`}`,
    ];
    const entry = Number(id);
    expect(await found(...set('did', "'DELETED'", "'CREATED'", entry))).toContain(`entry ${entry} was changed`);
    expect(await found(...set('id', String(entry + 500), String(entry), entry))).toContain(`entry ${entry} is missing`);
    const columns = '(id, at, kind, ref, did, way)';
    const insert = (at: number): [string, string] => [
      `INSERT INTO changes ${columns} VALUES (${at}, 1, 'Peer', 'x', 'CREATED', 'REST')`,
      `DELETE FROM changes WHERE id = ${at}`,
    ];
    for (const place of [1, (kept.last ?? 0) + 500])
      expect(await found(...insert(place))).toContain(`entry ${place} was inserted`);
    for (const [column, value] of [
      ['who', 'admin'],
      ['who_ref', 'us-admin'],
      ['api_token', 'at-x'],
      ['address', '127.0.0.1'],
      ['request', 'x'],
      ['details', '{}'],
      ['who', null],
    ]) {
      const text = `INSERT INTO changes (id, at, kind, ref, did, ${column}) VALUES (2, 1, 'Peer', 'x', 'CREATED', ?)`;
      await runSql(url, text, [value ?? null]);
      expect((await verify()).err).toContain('entry 2 was inserted');
      await runSql(url, 'DELETE FROM changes WHERE id = 2');
    }
    expect((await run('history', 'verify')).out).toMatch(/\nthe history starts at \d{4}-\S+Z; earlier entries/);
    // Whoever deletes entries does not choose what is printed.
    await runSql(url, 'UPDATE history_head SET trimmed_at = 0');
    expect((await run('history', 'verify')).out).toMatch(/\nthe history starts at 20\d\d-\S+Z; earlier entries/);
    const [[first] = []] = await runSql(url, "SELECT id FROM changes WHERE ref = 'new1'");
    await runSql(url, `DELETE FROM changes WHERE id = ${Number(first)}`);
    await runSql(url, `DELETE FROM history_hashes WHERE id = ${Number(first)}`);
    expect((await verify()).err).toContain('it does not fit its hash');
    await drop();
  });
});
