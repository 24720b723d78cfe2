import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fetchToken, startApp } from '../support/app';
import { runCommand, type Ran } from '../support/command-line';
import { drivers } from '../support/databases/databases';
import { runSql } from '../support/databases/sql';
import type { TestDatabase } from '../support/databases/sqlite-database';

const LEGACY = join(__dirname, '../legacy');
/** The refs of these resources in Routr v1: xxHash32 of the natural key with the seed 0xABCD. */
const REFS = ['gw50a1a4ca', 'dd76afc94b', 'agc300a1c6', 'dmba89f9f', 'pr83f9a0ab'];

describe.each(drivers)('The command line, on $name', ({ name, createDatabase }) => {
  let database: TestDatabase;
  let directory: string;

  beforeEach(async () => {
    database = await createDatabase();
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-commands-'));
  });

  afterEach(() => database.drop());

  async function run(...args: readonly string[]): Promise<Ran> {
    return runCommand({ DATABASE_URL: database.url }, ...args);
  }

  /** Makes the last insert of the first two transactions fail with a deadlock. */
  async function failTwice(table: string): Promise<void> {
    // A rollback does not take back generated ids.
    await runSql(database.url, 'CREATE TABLE attempts (id int AUTO_INCREMENT PRIMARY KEY)');
    await runSql(
      database.url,
      `CREATE TRIGGER failing BEFORE INSERT ON ${table} FOR EACH ROW
       IF NEW.tel_url = 'tel:+1999' THEN
         INSERT INTO attempts VALUES (NULL);
         IF LAST_INSERT_ID() <= 2 THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1213; END IF;
       END IF`,
    );
  }

  async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
    const names = (await readdir(folder)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
  }

  test("Routr v1's files are imported with the refs of Routr v1, and a second import changes nothing", async () => {
    await run('migrate');
    const dry = await run('import', '--dry-run', LEGACY);
    expect(dry.out).toContain('create    Gateway gw50a1a4ca (gateways.yml:1)');
    expect(dry.out).toContain('9 to create, 0 to update, 0 unchanged; nothing was imported');
    const [, userRef = ''] = /create    User (us[0-9a-f]+) \(users\.yml:1\)/.exec(dry.out) ?? [];
    expect(await runSql(database.url, 'SELECT COUNT(*) FROM gateways')).toEqual([[0]]);

    expect(await run('import', LEGACY)).toMatchObject({
      out: '9 created, 0 updated, 0 unchanged\n',
      code: 0,
    });
    const refs = await Promise.all(
      ['gateways', 'numbers', 'agents', 'domains', 'peers'].map((table) =>
        runSql(database.url, `SELECT ref FROM ${table} ORDER BY id`),
      ),
    );
    expect(refs.map(([row]) => row?.[0])).toEqual(REFS);
    expect(await runSql(database.url, "SELECT ref FROM users WHERE username = 'admin'")).toEqual([[userRef]]);
    expect(await run('import', LEGACY)).toMatchObject({ out: '0 created, 0 updated, 9 unchanged\n' });

    const app = await startApp({ DATABASE_URL: database.url });
    const token = await fetchToken(app.url, 'admin', 'changeit1');
    const { body } = await app.rest<{ spec: unknown }>('GET', '/agents/agc300a1c6', { token });
    expect(body.data.spec).toMatchObject({ domains: ['sip.local', 'other.local'], ex_maxContact: 2 });
    const { data } = await app.graphql(
      '{ domains { nodes { egressNumber { ref gateway { name } } } } }',
      {},
      { token },
    );
    expect(data).toMatchObject({
      domains: { nodes: [{ egressNumber: { ref: 'dd76afc94b', gateway: { name: 'Provider' } } }, {}] },
    });
    expect(await fetchToken(app.url, 'helper', 'helpful1')).toBeTruthy();
    await app.close();
  });

  test('importing an export into an empty database and exporting again produces the same files', async () => {
    const app = await startApp({ DATABASE_URL: database.url, SAMPLE_DATA: 'true' });
    await app.close();
    await run('import', join(LEGACY, 'gateways.yml'), join(LEGACY, 'numbers.yml').replace('numbers', 'peers'));
    const [first, second] = [join(directory, '1'), join(directory, '2')];
    expect((await run('export', first)).out).toMatch(/^3 gateways, 3 agents/);
    expect(await run('import', first)).toMatchObject({
      out: expect.stringMatching(/^0 created, 0 updated, \d+ unchanged\n$/) as string,
    });
    const other = await createDatabase();
    try {
      expect(await runCommand({ DATABASE_URL: other.url }, 'import', first)).toMatchObject({ err: '', code: 0 });
      await runCommand({ DATABASE_URL: other.url }, 'export', second);
      expect(await contentsOf(second)).toEqual(await contentsOf(first));
      expect(Object.keys(await contentsOf(first))).toHaveLength(8);
    } finally {
      await other.drop();
    }
  });

  test('in a directory, the files that are named after a collection are read; the others are reported', async () => {
    const { err, code } = await run('import', LEGACY);
    expect(code).toBe(0);
    expect(err.split('\n').filter((line) => line.includes('was skipped'))).toEqual(
      ['config.yml', 'log4j2.yml', 'stack.properties'].map(
        (name) =>
          expect.stringMatching(new RegExp(`/${name} was skipped: import reads only gateways, agents, `)) as string,
      ),
    );
    // A file that is named in the command is read, whatever its name.
    expect((await run('import', join(LEGACY, 'config.yml'))).err).toContain(
      'config.yml:1: kind: nothing is not one of',
    );
  });

  test('a file in another encoding than UTF-8 is refused, and one in UTF-16 with a byte order mark is read', async () => {
    await run('migrate');
    const file = join(directory, 'latin1.yml');
    const text = '- kind: Gateway\n  metadata: {name: M\u00fcller}\n  spec: {host: one.test, transport: udp}\n';
    await writeFile(file, text, 'latin1');
    const ran = await run('import', file);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('latin1.yml is not a text in UTF-8')]);
    await writeFile(file, `\uFEFF${text}`, 'utf16le');
    expect(await run('import', file)).toMatchObject({ out: '1 created, 0 updated, 0 unchanged\n', code: 0 });
    expect(await runSql(database.url, "SELECT name FROM gateways WHERE host = 'one.test'")).toEqual([['Müller']]);
  });

  test('a directory without resources is an error', async () => {
    await writeFile(join(directory, 'config.yml'), 'spec: {}\n');
    const { err } = await run('import', directory);
    expect(err).toContain('1 error; nothing was imported');
    expect(err).toContain(`${directory}: no files to import: expected gateways, agents, `);
  });

  test('an import warns about sample data in the database, and not without it', async () => {
    expect((await run('import', LEGACY)).err).not.toContain('sample data');
    // Nor about a gateway of a directory that is one of the samples.
    await writeFile(
      join(directory, 'gateways.yml'),
      'kind: Gateway\nmetadata: { ref: gweef506, name: One }\nspec: { host: sip.provider.net, transport: udp }\n',
    );
    for (let times = 0; times < 2; times++) expect((await run('import', directory)).err).not.toContain('sample data');
    const sample = await createDatabase();
    try {
      await (await startApp({ DATABASE_URL: sample.url, SAMPLE_DATA: 'true' })).close();
      const { err, out } = await runCommand({ DATABASE_URL: sample.url }, 'import', join(LEGACY, 'peers.yml'));
      expect(out).toBe('0 created, 1 updated, 0 unchanged\n');
      expect(err).toContain('The database contains sample data (gateways gweef506, gw7c10f2, gw0b93de, ');
    } finally {
      await sample.drop();
    }
  });

  test('all errors are reported with file and line, and nothing is imported', async () => {
    const file = join(directory, 'wrong.yml');
    await writeFile(
      file,
      `- kind: Gateway
  metadata: {name: ok}
  spec: {host: ok.test, transport: udp}
- kind: Gateway
  metadata: {}
  spec: {host: 'not a host', transport: udp}
- kind: Number
  metadata: {gwRef: nobody}
  spec: {location: {telUrl: 'tel:+1', aorLink: 'sip:a@b'}}
- kind: Nothing
- kind: User
  spec: {credentials: {username: x}}
- kind: User
  spec: {credentials: {username: y, secretHash: no hash}}
- kind: User
  spec: {credentials: {username: z, secret: 00421234}}
`,
    );
    const { err, code } = await run('import', file);
    expect(code).toBe(1);
    expect(err).toMatch(/\n7 errors; nothing was imported\n$/);
    for (const complaint of [
      'wrong.yml:4: metadata.name: is required',
      'wrong.yml:4: spec.host: "not a host"',
      'wrong.yml:7: metadata.gwRef: Gateway "nobody" does not exist',
      'wrong.yml:10: kind: "Nothing" is not one of',
      'wrong.yml:11: spec.credentials.secret: is required',
      'wrong.yml:13: spec.credentials.secretHash: is not a hash of argon2',
      'wrong.yml:15: spec.credentials.secret: is not a string: write it in quotes',
    ])
      expect(err).toContain(complaint);
    expect(await runSql(database.url, 'SELECT COUNT(*) FROM gateways')).toEqual([[0]]);
  });

  test('resources that changed in a file are updated, by ref or by natural key', async () => {
    await run('import', LEGACY);
    const file = join(directory, 'changed.yml');
    await writeFile(
      file,
      `- {kind: Gateway, metadata: {name: Renamed}, spec: {host: sip.provider.net, transport: udp, credentials: {username: '215706'}}}
- {kind: Peer, metadata: {ref: pr83f9a0ab, name: Asterisk}, spec: {device: FreeSWITCH}}
`,
    );
    expect(await run('import', file)).toMatchObject({ out: '0 created, 2 updated, 0 unchanged\n', err: '' });
    expect(await runSql(database.url, 'SELECT name, secret FROM gateways')).toEqual([['Renamed', 'changeit']]);
    expect(await runSql(database.url, 'SELECT device FROM peers')).toEqual([['FreeSWITCH']]);
  });

  test('users are added, listed, changed and deleted', async () => {
    expect((await run('user', 'add', 'boss', '--role', 'admin', '--secret', 'secret-of-boss')).code).toBe(0);
    expect((await run('user', 'add', 'boss')).err).toContain('boss');
    expect((await run('user', 'add', 'other')).out).toMatch(/^The secret is \S{20}\n/);
    expect((await run('user', 'role', 'other', 'viewer')).code).toBe(0);
    expect((await run('user', 'secret', 'other', '--secret', 'another-secret')).code).toBe(0);
    expect((await run('user', 'list')).out).toMatch(/^us\w+ +admin +boss\nus\w+ +viewer +other\n$/);
    expect((await run('user', 'delete', 'boss')).err).toContain('last admin');
    expect((await run('user', 'delete', 'other')).code).toBe(0);
    expect((await run('user', 'delete', 'other')).err).toContain('other');
  });

  test('user list shows all users, however many there are', async () => {
    await run('user', 'add', 'boss', '--role', 'admin', '--secret', 'secret-of-boss');
    const names = Array.from({ length: 10_050 }, (_, n) => `many${String(n).padStart(5, '0')}`);
    for (let at = 0; at < names.length; at += 1000) {
      const rows = names.slice(at, at + 1000).map((name) => `('us${name}', '${name}', 'viewer', 'x', 0, 1, 1)`);
      await runSql(
        database.url,
        `INSERT INTO users (ref, username, role, secret_hash, generation, created_on, modified_on) VALUES ${rows.join()}`,
      );
    }
    const { out } = await run('user', 'list');
    expect(names.filter((name) => !out.includes(name))).toEqual([]);
    await runSql(database.url, "DELETE FROM users WHERE username LIKE 'many%' OR username = 'boss'");
  });

  test('numbers are imported from CSV, and a second import changes nothing', async () => {
    await run('import', join(LEGACY, 'gateways.yml'));
    const file = join(directory, 'numbers.csv');
    const rows = Array.from(
      { length: 1200 },
      (_, n) => `tel:+1706${String(n).padStart(7, '0')},sip:1001@sip.local,gw50a1a4ca,Columbus`,
    );
    await writeFile(file, ['telUrl,aorLink,gwRef,city', ...rows].join('\n'));
    expect((await run('import-numbers', file)).out).toContain('1200 rows: 1200 created, 0 unchanged');
    expect((await run('import-numbers', file)).out).toContain('1200 rows: 0 created, 1200 unchanged');
    expect((await readFile(`${file}.report.csv`, 'utf8')).split('\n').slice(0, 2)).toEqual([
      'line,telUrl,result,message',
      '2,tel:+17060000000,unchanged,',
    ]);
    expect(await runSql(database.url, 'SELECT COUNT(*) FROM numbers')).toEqual([[1200]]);
  });

  test('an import counts the rows of its last attempt only, and fails if the report cannot be written', async () => {
    await run('import', join(LEGACY, 'gateways.yml'));
    const file = join(directory, 'numbers.csv');
    const rows = Array.from({ length: 1000 }, (_, n) => `tel:+${String(n + 1000)},sip:1001@sip.local,gw50a1a4ca`);
    await writeFile(file, ['telUrl,aorLink,gwRef', ...rows].join('\n'));
    expect(await run('import-numbers', file, '--report', '/dev/full')).toMatchObject({
      code: 1,
      err: '/dev/full cannot be written: no space left on device\n',
    });
    expect(await runSql(database.url, 'SELECT COUNT(*) FROM numbers')).toEqual([[0]]);
    if (name !== 'SQLite') await failTwice('numbers');
    expect((await run('import-numbers', file)).out).toContain('1000 rows: 1000 created, 0 unchanged');
    expect((await readFile(`${file}.report.csv`, 'utf8')).split('\n')).toHaveLength(1002);
  });

  test('nothing is imported from a CSV file with errors, and the report contains each error', async () => {
    await run('import', join(LEGACY, 'gateways.yml'));
    const file = join(directory, 'wrong.csv');
    await writeFile(
      file,
      `telUrl,aorLink,gwRef,city,countryISOCode
tel:+1,sip:a@b,gw50a1a4ca,,
tel:+1,sip:a@b,gw50a1a4ca,,
nonsense,sip:a@b,gw50a1a4ca,,
tel:+2,sip:a@b,nobody,,
tel:+3,sip:a@b,gw50a1a4ca,Columbus,nowhere
`,
    );
    expect((await run('import-numbers', file, '--kind', 'DID')).err).toContain(
      '4 of 5 rows failed; nothing was imported',
    );
    const report = await readFile(`${file}.report.csv`, 'utf8');
    expect(report).toContain('2,tel:+1,new,\n');
    expect(report).toContain('3,tel:+1,failed,telUrl: duplicates an earlier row');
    expect(report).toMatch(/4,nonsense,failed,"?telUrl: /);
    expect(report).toMatch(/5,tel:\+2,failed,.*gwRef: .*nobody/);
    expect(report).toMatch(/6,tel:\+3,failed,"?countryISOCode: /);
    expect(await runSql(database.url, 'SELECT COUNT(*) FROM numbers')).toEqual([[0]]);
    await writeFile(file, `telUrl,aorLink,gwRef\n"tel:+1,sip:a@b,gw50a1a4ca\n${'tel:+2,sip:a@b,gw\n'.repeat(10_000)}`);
    expect((await run('import-numbers', file)).err).toMatch(/Line \d+: the row has more than 65536 characters/);
    await writeFile(file, 'telUrl,colour\n');
    expect((await run('import-numbers', file)).err).toContain(
      'unknown column colour, missing column aorLink, missing column gwRef',
    );
  });
});
