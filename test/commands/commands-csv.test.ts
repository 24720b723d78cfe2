import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand, type Ran } from '../support/command-line';
import { drivers } from '../support/databases/databases';
import { runSql } from '../support/databases/sql';
import type { TestDatabase } from '../support/databases/sqlite-database';

describe.each(drivers)('The command import-csv, on $name', ({ createDatabase }) => {
  let database: TestDatabase;
  let file: string;

  beforeAll(async () => {
    database = await createDatabase();
    file = join(await mkdtemp(join(tmpdir(), 'sipgraph-csv-')), 'gateways.csv');
    await runCommand({ DATABASE_URL: database.url }, 'migrate');
  });

  afterAll(() => database.drop());

  async function run(text: string | Buffer, ...args: readonly string[]): Promise<Ran> {
    await writeFile(file, text);
    return runCommand({ DATABASE_URL: database.url }, 'import-csv', ...args, file);
  }

  const report = async (): Promise<readonly string[]> =>
    (await readFile(`${file}.report.csv`, 'utf8')).trimEnd().split('\n');

  test('creates and updates resources of a kind, after a dry run that changes nothing', async () => {
    const csv = (name: string): string =>
      `ref;name;host;transport;username;secret;sources\ngw-csv;${name};a.test;udp;;;10.0.0.0/8 192.0.2.1\n;B;b.test;TLS;b;a-secret;\n`;
    const dry = await run(csv('A'), 'gateway', '--dry-run');
    expect(dry.out).toContain('2 rows: 2 to create, 0 to update, 0 unchanged; nothing was imported');
    expect(await runSql(database.url, 'SELECT COUNT(*) FROM gateways')).toEqual([[0]]);
    expect((await run(csv('A'), 'Gateways')).out).toContain('2 rows: 2 created, 0 updated, 0 unchanged');
    expect((await run(csv('A'), 'gateway')).out).toContain('2 rows: 0 created, 0 updated, 2 unchanged');
    const json = await run(csv('C'), 'gateway', '--dry-run', '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      ...{ dryRun: true, rows: 2, created: 0, updated: 1, failed: 0 },
      first: [
        { line: 2, result: 'updated', ref: 'gw-csv', issues: [] },
        { line: 3, result: expect.any(String), issues: [] },
      ],
    });
    expect(json.out).not.toContain('a-secret');
    expect((await run(csv('C'), 'gateway')).out).toContain('2 rows: 0 created, 1 updated, 1 unchanged');
    expect(await report()).toEqual([
      'line,ref,result,message',
      '2,gw-csv,updated,',
      expect.stringMatching(/^3,gw\w+,unchanged,$/),
    ]);
    expect(await runSql(database.url, 'SELECT name FROM gateways ORDER BY host')).toEqual([['C'], ['B']]);
  });

  test('imports nothing if a row is wrong, and reports each mistake with its column', async () => {
    const { code, err } = await run('Name,HOST,transport\nX,x.test,udp\nY,no host,pigeon\n', 'gateway');
    expect(code).toBe(1);
    expect(err).toContain('1 of 2 rows failed; nothing was imported');
    expect(await report()).toEqual([
      'line,ref,result,message',
      expect.stringMatching(/^2,gw\w+,new,$/),
      expect.stringMatching(/^3,,failed,.*HOST: .*; transport: /),
    ]);
    expect(await runSql(database.url, `SELECT COUNT(*) FROM gateways WHERE host = 'x.test'`)).toEqual([[0]]);
    expect((await run('name,colour\n', 'gateway')).err).toContain('unknown column colour; expected ref, name, host');
    expect((await run('name\n', 'colours')).err).toContain('Expected one of gateways, agents');
  });

  test.each([
    [
      'UTF-16 with a byte order mark',
      Buffer.from('\uFEFFname\tusername\tsecret\nZoë\tzoe16\ta-secret\n', 'utf16le'),
      'Zoë',
    ],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFname;username;secret\r\nZoë;zoe8;a-secret\r\n'), 'Zoë'],
  ])('reads %s', async (_what, bytes, name) => {
    const { out } = await run(bytes, 'peer');
    expect(out).toContain('1 row: 1 created');
    expect(await runSql(database.url, `SELECT name FROM peers ORDER BY id DESC LIMIT 1`)).toEqual([[name]]);
  });

  test('refuses text in another encoding, as import-numbers does', async () => {
    const refused = { code: 1, err: expect.stringContaining('is not a text in UTF-8') };
    const latin1 = Buffer.from('name,username,secret\nZoë,zoe1,a-secret\n', 'latin1');
    expect(await run(latin1, 'peer')).toMatchObject(refused);
    const numbers = `${file}.latin1`;
    const row = 'telUrl,aorLink,gatewayRef,geoInfo.city\ntel:+4922112345,sip:1001@sip.test,,Köln\n';
    await writeFile(numbers, Buffer.from(row, 'latin1'));
    expect(await runCommand({ DATABASE_URL: database.url }, 'import-numbers', numbers)).toMatchObject(refused);
  });
});
