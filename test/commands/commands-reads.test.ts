import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { CLI, cliEnvironment } from '../support/cli';
import { runCommand } from '../support/command-line';
import { onEachDriver } from '../support/databases/on-each-database';
import { build } from '../support/process';
import { describeWith } from '../support/runner/programs';
import { runSql } from '../support/databases/sql';
import { createSqliteDatabase, type TestDatabase } from '../support/databases/sqlite-database';

const STEPS = 'steps { state summary suggestion }';
/** A command, and the query whose result it prints with `--json`. */
const SAME: readonly (readonly [args: readonly string[], query: string])[] = [
  [
    ['explain', '+1 706 604-1490'],
    `{ result: explainNumber(telUrl: "+1 706 604-1490") { telUrl digits state reachable summary ${STEPS} } }`,
  ],
  [['explain', '404'], `{ result: explainNumber(telUrl: "404") { telUrl digits state reachable summary ${STEPS} } }`],
  [
    ['explain', '1001@sip.local'],
    `{ result: explainAddress(addressOfRecord: "1001@sip.local") { addressOfRecord state reachable summary ${STEPS} } }`,
  ],
  [
    ['explain', '--from', '1001@sip.local', '--source', '192.0.2.1', '+44 20 7946 0958'],
    `{ result: explainCall(from: "1001@sip.local", to: "+44 20 7946 0958", sourceAddress: "192.0.2.1") {
      outcome status reason summary ${STEPS} attempts { requestUri nextHop from assertedIdentity health }
    } }`,
  ],
  [['health'], '{ result: numberHealthCounts { examined states { state count } } }'],
  [
    ['health', '--gateway', 'gw7c10f2'],
    '{ result: numberHealthCounts(gatewayRef: "gw7c10f2") { examined states { state count } } }',
  ],
];

onEachDriver(
  'The commands that read',
  (subject) => {
    const run = (...args: readonly string[]) => runCommand({ DATABASE_URL: subject().url }, ...args);
    const json = async (...args: readonly string[]): Promise<unknown> => {
      const { code, out, err } = await run(...args, '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return JSON.parse(out) as unknown;
    };

    test.each(SAME)('%j prints what GraphQL returns', async (args, query) => {
      const { data, errors } = await subject().app.graphql<{ result: object }>(query);
      expect(errors).toBeUndefined();
      expect(await json(...args)).toMatchObject(withoutNulls(data.result));
    });

    test('trunks and devices print what GraphQL returns', async () => {
      const { data } = await subject().app.graphql<{
        trunks: { nodes: readonly { state: string; since: string | null; gateway: object }[] };
        contacts: { nodes: readonly object[] };
      }>(`{
        trunks { nodes { state since gateway { ref name host } } }
        contacts { nodes { addressOfRecord uri transport nat expires expiresOn userAgent } }
      }`);
      const trunks = data.trunks.nodes.map(({ gateway, ...trunk }) => ({ ...trunk, ...gateway }));
      expect(trunks).toHaveLength(2);
      expect(await json('trunks')).toMatchObject({ trunks, more: false });
      expect(await json('trunks', '--state', 'REGISTERED')).toMatchObject({ trunks: [{ ref: 'gweef506' }] });
      expect(data.contacts.nodes).toHaveLength(2);
      expect(await json('devices')).toMatchObject({ devices: data.contacts.nodes, more: false });
      expect(await json('devices', '--search', 'zoiper')).toMatchObject({
        devices: [{ addressOfRecord: 'sip:1002@sip.local' }],
      });
    });

    test('get and list print the documents of REST, without secrets', async () => {
      const { body } = await subject().app.rest<object>('GET', '/gateways/gweef506');
      expect(JSON.stringify(body)).toContain('changeit');
      const document = withoutSecret(body.data);
      expect(await json('get', 'gateway', 'gweef506')).toEqual(document);
      expect(await json('get', 'GATEWAYS', 'gweef506')).toEqual(document);
      expect(await json('list', 'gateways', '--filter', '@.metadata.ref=="gweef506"')).toEqual({
        items: [document],
        more: false,
      });
      for (const args of [['get', 'gateway', 'gweef506'], ['list', 'gateways'], ['list', 'agents'], ['trunks']])
        for (const more of [[], ['--json']]) expect((await run(...args, ...more)).out).not.toMatch(/changeit|1234\b/);
    });

    test('list says that more resources follow', async () => {
      const { out } = await run('list', 'gateways', '--limit', '2');
      expect(out.split('\n')).toEqual([
        expect.stringMatching(/^REF +NAME +HOST +TRANSPORT$/),
        expect.stringMatching(/^gweef506 +SP 001 +sip\.provider\.net +udp$/),
        expect.stringMatching(/^gw7c10f2 +SP 002 +sbc\.example\.net +tls$/),
        '(more gateways follow: --limit 4)',
        '',
      ]);
      expect(await json('list', 'gateways', '--limit', '3')).toMatchObject({ more: false });
    });

    test('what a phone sends cannot control the terminal', async () => {
      const { url } = subject();
      await runSql(url, "UPDATE location SET user_agent = ? WHERE username = '1002'", ['Evil\u001b[2J\u202e\tphone']);
      const { out } = await run('devices');
      expect(out).toContain('Evil\uFFFD[2J\uFFFD\uFFFDphone');
      expect(out).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
    });

    test('an error, and JSON, have no characters that are invisible or change the direction of text', async () => {
      const name = 'no\u202e\u200ebody\u{e0001}\u2066';
      expect(await run('get', 'did', name)).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining('DID "no\\u202e\\u200ebody\\u{e0001}\\u2066" does not exist') as string,
      });
      const { err } = await run('get', 'did', name, '--json');
      expect(err).not.toMatch(/\p{Cf}/u);
      expect(JSON.parse(err)).toMatchObject({ error: { message: `DID "${name}" does not exist` } });
      const hidden = await run('import-numbers', '--dry-run', 'no\u001b[8mfile.csv');
      expect(hidden.err).toContain('no\\u001b[8mfile.csv: no such file');
    });

    test('the dry run of import-numbers prints the rows, and creates nothing', async () => {
      const file = join(await directory(), 'numbers.csv');
      const rows = ['tel:+17066041488,sip:1003@sip.local,gweef506', 'tel:+15550001,sip:1001@sip.local,gweef506'];
      await writeFile(file, ['telUrl,aorLink,gwRef', ...rows, ''].join('\n'));
      const dry = await run('import-numbers', '--dry-run', file);
      expect(dry).toMatchObject({ code: 0 });
      expect(dry.out).toMatch(/\nunchanged +2 +tel:\+17066041488\nnew +3 +tel:\+15550001\n2 rows: 1 to create, 1 unch/);
      await writeFile(file, ['telUrl,aorLink,gwRef', ...rows, 'tel:+15550002,sip:1001@sip.local,none'].join('\n'));
      const failed = await run('import-numbers', '--dry-run', file);
      expect(failed).toMatchObject({ code: 1, out: '' });
      expect(failed.err).toMatch(
        /\nfailed +4 +tel:\+15550002 +gwRef: Gateway "none" does not exist\n1 of 3 rows failed/,
      );
      expect(await runSql(subject().url, "SELECT COUNT(*) FROM numbers WHERE tel_url LIKE 'tel:+1555%'")).toEqual([
        [0],
      ]);
    });

    test.each([
      [['explain', 'abc'], 'telUrl: "abc" is not a telephone number'],
      [['explain', '@'], 'addressOfRecord: "@" is not an address of record such as sip:1001@sip.local'],
      [['explain', '--source', '192.0.2.1', '404'], '--source: requires --from'],
      [['explain', '--from', '404', '--source', 'x', '404'], 'sourceAddress: "x" is not an IP address'],
      [['get', 'did', 'nobody'], 'DID "nobody" does not exist'],
      [['health', '--agent', 'nobody'], 'Agent "nobody" does not exist'],
      [['list', 'dids', '--filter', '@.'], 'filter: '],
    ])('%j fails with exit code 1', async (args, message) => {
      const { code, out, err } = await run(...args);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(message);
    });
  },
  { SAMPLE_DATA: 'true' },
);

/** `toMatchObject` with the members that are null in GraphQL, and missing in the output of a command. */
function withoutNulls(value: unknown): object {
  return JSON.parse(JSON.stringify(value, (_key, each: unknown) => (each === null ? undefined : each))) as object;
}

/** A document of REST without the secret of its credentials. */
function withoutSecret(document: object): unknown {
  return JSON.parse(JSON.stringify(document, (key, each: unknown) => (key === 'secret' ? undefined : each)));
}

function directory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sipgraph-reads-'));
}

describeWith(['script'], 'The command line on a terminal', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    await runCommand({ DATABASE_URL: database.url }, 'migrate');
  });

  afterAll(() => database.drop());

  /** Runs `explain 404`. */
  const explain = (env: Readonly<Record<string, string>>, ...options: readonly string[]): Promise<string> =>
    onTerminal(env, 'explain', '404', ...options);

  /** Runs a command that `script` connects to a terminal. */
  async function onTerminal(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
    build();
    const command = [process.execPath, ...CLI, ...args].map((part) => `'${part}'`).join(' ');
    const { stdout } = await promisify(execFile)('script', ['--quiet', '--command', command, '/dev/null'], {
      env: { ...cliEnvironment({ DATABASE_URL: database.url, TERM: 'xterm-256color', ...env }) },
    });
    return stdout;
  }

  test('prints colors, unless NO_COLOR is set or the result is JSON', async () => {
    expect(await explain({})).toContain('\u001b[31mMISSING\u001b[39m');
    expect(await explain({ NO_COLOR: '1' })).toMatch(/^MISSING: [^\u001b]+$/);
    expect(await explain({}, '--json')).toMatch(/^\{[^\u001b]+\}\s*$/);
  });

  test('prints a document without characters that are invisible or change the direction of text, and a file with them', async () => {
    const name = 'Bank\u202e\u200fknaB';
    const columns = 'ref, created_on, modified_on, name, domain_uri';
    await runSql(database.url, `INSERT INTO domains (${columns}) VALUES ('dm1', 1, 1, ?, 'bank.test')`, [name]);
    const shown = await onTerminal({}, 'get', 'domain', 'dm1');
    expect(shown).toContain('Bank\\u202e\\u200fknaB');
    expect(shown).not.toMatch(/\p{Cf}/u);
    const { out } = await runCommand({ DATABASE_URL: database.url }, 'get', 'domain', 'dm1');
    expect(out).toContain(name);
  });
});
