import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { startApp } from '../support/app';
import { certify } from '../support/certificates';
import { runCommand, type Ran } from '../support/command-line';
import { createSqliteDatabase, databases, type TestDatabase } from '../support/databases/databases';
import {
  createAgent,
  createDomain,
  createGateway,
  createNumber,
  createRoute,
  operatorToken,
} from '../support/factories';
import { onEachDatabase, onSqlite } from '../support/databases/on-each-database';
import { ownPostgres, type OwnPostgres } from '../support/databases/own-postgres';
import { describeWith } from '../support/runner/programs';
import { runSql } from '../support/databases/sql';

const FIXTURES = resolve(__dirname, '../fixtures/moving');

/** What `import-from` prints with --json. */
interface Report {
  readonly applied: boolean;
  readonly kinds: readonly (Readonly<Record<'created' | 'updated' | 'unchanged' | 'failed', number>> & {
    kind: string;
  })[];
  readonly missing: readonly { readonly what: string; readonly count: number; readonly first: string }[];
  readonly checks: readonly unknown[];
  readonly newSecrets: readonly unknown[];
  readonly failures: readonly { readonly place: string; readonly message: string }[];
  readonly skipped: readonly { readonly place: string }[];
}

/** A text that is repeated, compressed as the graph takes it. */
function packed(text: string, times: number, start = '', end = ''): string {
  return gzipSync(start + text.repeat(times) + end).toString('base64');
}

/** Sources, their options, what they become, and how many records have no counterpart. */
const SOURCES = [
  {
    system: 'kamailio',
    source: 'kamailio.sql',
    options: ['--gateway', 'sip.carrier.example'],
    counts: { Gateway: 3, Number: 2, Domain: 2, Agent: 3, Route: 1 },
    missing: 14,
    sees: 'speed_dial: the table has no counterpart',
  },
  {
    system: 'dsiprouter',
    source: 'dsiprouter.sql',
    options: [],
    counts: { Gateway: 2, Number: 2, Domain: 1, Agent: 1, Peer: 2, Route: 1 },
    missing: 10,
    sees: 'dsip_hardfwd: the table has no counterpart',
  },
  {
    system: 'routr2',
    source: 'routr2',
    options: [],
    counts: { Gateway: 1, Number: 2, Domain: 1, Agent: 1, Peer: 1 },
    missing: 5,
    sees: 'Number: sessionAffinityHeader',
  },
] as const;

onEachDatabase('An import from another system', (subject) => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-moving-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  const run = (...args: readonly string[]): Promise<Ran> => runCommand({ DATABASE_URL: subject().url }, ...args);
  const report = async (...args: readonly string[]): Promise<Report> => {
    const { out, err, code } = await run('import-from', ...args, '--json');
    expect({ err, code }).toEqual({ err: '', code: 0 });
    return JSON.parse(out) as Report;
  };
  const empty = async (): Promise<void> => {
    for (const kind of ['routes', 'agents', 'peers', 'domains', 'numbers', 'dids', 'gateways'])
      await subject().app.rest('DELETE', `/${kind}?filter=${encodeURIComponent('@.metadata.ref!="none"')}`);
  };

  test.each(SOURCES)(
    'from $system shows what it would do, does it once, and can be taken back',
    async ({ system, source, options, counts, missing, sees }) => {
      await empty();
      const path = join(FIXTURES, source);
      const all = Object.values(counts).reduce((sum, many) => sum + many, 0);
      const planned = await report(system, path, ...options);
      expect(planned.applied).toBe(false);
      expect(Object.fromEntries(planned.kinds.map(({ kind, created }) => [kind, created]))).toEqual(counts);
      expect(planned.missing.reduce((sum, { count }) => sum + count, 0)).toBe(missing);
      expect(planned.missing).toContainEqual(expect.objectContaining({ what: sees, first: expect.any(String) }));
      expect(await totals()).toBe(0);
      const { out } = await run('import-from', system, path, ...options, '--apply');
      expect(out).toContain(
        `\n${String(all)} resources created or updated; to take it back: sipgraph revert --request `,
      );
      expect(await totals()).toBe(all);
      const again = await report(system, path, ...options, '--apply');
      expect(again.kinds.map(({ kind, unchanged }) => [kind, unchanged])).toEqual(Object.entries(counts));
      const request = /--request (\S+)/.exec(out)?.[1] ?? '';
      expect(await run('revert', '--request', request)).toMatchObject({ err: '', code: 0 });
      expect(await totals()).toBe(0);
    },
  );

  const totals = async (): Promise<number> => {
    const { data } = await subject().app.graphql<Record<string, { totalCount: number }>>(
      `{ gateways { totalCount } numbers { totalCount } domains { totalCount } agents { totalCount } peers { totalCount }
         routes { totalCount } }`,
    );
    return Object.values(data).reduce((sum, { totalCount }) => sum + totalCount, 0);
  };

  test('keeps what the other system knows: credentials, destinations, sources, owners of numbers', async () => {
    await empty();
    for (const { system, source, options } of SOURCES)
      await report(system, join(FIXTURES, source), ...options, '--apply');
    const { data, errors } = await subject().app.graphql(
      `{ gateways(orderBy: [{ field: HOST }]) { nodes {
           host port transport username authUsername secretSet sendRegister expires technicalPrefix maxCalls sources
           destinations { host port transport priority weight enabled } } }
         numbers(orderBy: [{ field: TEL_URL }]) { nodes {
           telUrl aorLink gateway { host } target { ... on Agent { username } ... on Peer { username } } } }
         routes { nodes { prefix name domain { domainUri } numbers { telUrl } } }
         peers(orderBy: [{ field: USERNAME }]) { nodes { username contactAddr sources } }
         domains(orderBy: [{ field: DOMAIN_URI }]) { nodes {
           domainUri accessControlList { allow deny } egressPolicy { rule } egressNumber { telUrl } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual(JSON.parse(await readFile(join(FIXTURES, 'moved.json'), 'utf8')));
    const secret = async (username: string): Promise<unknown> => {
      const { body: found } = await subject().app.rest<readonly { spec: { credentials: { secret: string } } }[]>(
        'GET',
        `/agents?filter=${encodeURIComponent(`@.spec.credentials.username=="${username}"`)}`,
      );
      return found.data[0]?.spec.credentials.secret;
    };
    expect(await secret('1001')).toMatch(/^(?:it's a secret; yes|agent-secret)$/);
    expect(await secret('2001')).toBe('phone-secret');
  });

  test("of Routr v2 reads PostgreSQL's dumps", async () => {
    await empty();
    const { missing, kinds } = await report('routr2', join(FIXTURES, 'routr2.sql'), '--apply');
    expect(missing).toEqual([]);
    expect(kinds.map(({ kind, created }) => `${String(created)} ${kind}`).sort()).toEqual([
      '1 Domain',
      '1 Gateway',
      '1 Number',
      '1 Peer',
      '2 Agent',
    ]);
    const { data } = await subject().app.graphql(
      `{ gateways { nodes { name host port transport username sendRegister } }
         domains { nodes { name domainUri accessControlList { allow } egressPolicy { rule } egressNumber { telUrl } } }
         agents(orderBy: [{ field: USERNAME }]) { nodes { username privacy enabled } }
         peers { nodes { username contactAddr sources } }
         numbers { nodes { telUrl geoInfo { countryISOCode } target { ... on Peer { username } } } } }`,
    );
    expect(data).toMatchObject({
      gateways: {
        nodes: [{ name: 'Provider', host: 'sip.provider.example', port: 7060, transport: 'TLS', username: 'pbx-1' }],
      },
      domains: {
        nodes: [
          {
            name: "O'Hara \\ Local",
            accessControlList: { allow: ['192.0.2.0/25', '198.51.100.7'] },
            egressPolicy: { rule: '.*' },
            egressNumber: { telUrl: 'tel:+17066041487' },
          },
        ],
      },
      agents: {
        nodes: [
          { username: '1001', privacy: 'PRIVATE' },
          { username: '1002', enabled: false },
        ],
      },
      peers: {
        nodes: [{ username: 'media', contactAddr: '192.0.2.9:5062', sources: ['192.0.2.0/25', '198.51.100.7'] }],
      },
      numbers: { nodes: [{ geoInfo: { countryISOCode: 'US' }, target: { username: 'media' } }] },
    });
  });

  test('of Routr v2 leads numbers to the peer whose address of record they name, and reads both spellings of countryISOCode', async () => {
    await empty();
    const file = join(directory, 'v2beta1.yaml');
    await writeFile(
      file,
      `- { kind: Domain, ref: d, metadata: { name: Local }, spec: { context: { domainUri: sip.example } } }
- { kind: Peer, ref: p, metadata: { name: Media }, spec: { aor: 'sip:conference@sip.example', username: media } }
- { kind: Peer, ref: q, metadata: { name: Voice }, spec: { aor: 'sip:voice@sip.example', username: voice } }
- kind: Trunk
  ref: t
  metadata: { name: Provider }
  spec: { outbound: { uris: [{ uri: { host: sip.provider.example } }] } }
- kind: Number
  ref: n
  metadata: { geoInfo: { city: Columbus, country: USA, countryIsoCode: US } }
  spec: { trunkRef: t, location: { telUrl: 'tel:+17066041487', aorLink: 'sip:conference@sip.example' } }
- kind: Number
  ref: m
  metadata: { geoInfo: { countryISOCode: DE } }
  spec: { trunkRef: t, location: { telUrl: 'tel:+493012345601', aorLink: 'sip:1001@sip.example' } }
`,
    );
    const { missing } = await report('routr2', file, '--apply');
    expect(missing).toEqual([
      {
        what: 'Peer: an aor that is dialed, where here the user name of the peer is',
        count: 1,
        first: 'v2beta1.yaml:2',
      },
    ]);
    const { data } = await subject().app.graphql(
      `{ numbers(orderBy: [{ field: TEL_URL }]) { nodes {
           aorLink geoInfo { countryISOCode } target { ... on Peer { username } } } } }`,
    );
    expect(data).toEqual({
      numbers: {
        nodes: [
          { aorLink: 'sip:media@sip.example', geoInfo: { countryISOCode: 'US' }, target: { username: 'media' } },
          { aorLink: 'sip:1001@sip.example', geoInfo: { countryISOCode: 'DE' }, target: null },
        ],
      },
    });
  });

  test('of Routr v2 takes no encrypted password for the secret, and -1 contacts for no limit', async () => {
    await empty();
    const dump = join(directory, 'encrypted.sql');
    const encrypted = 'v1.aesgcm256.857b0bd3.E4B0PLvOdhoKxl91.FRBOBX7AFY8gDKuiVG8xvkA0cVU=';
    await writeFile(
      dump,
      `INSERT INTO credentials (ref, name, username, password) VALUES ('c', 'John', '1001', '${encrypted}'), ('d', 'Jane', '1002', '1234');
       INSERT INTO domains (ref, name, domain_uri) VALUES ('d', 'Local', 'sip.example');
       INSERT INTO agents (ref, domain_ref, credentials_ref, name, username, privacy, max_contacts, enabled) VALUES
         ('a', 'd', 'c', 'John', '1001', 'NONE', 3, true), ('b', 'd', 'd', 'Jane', '1002', 'NONE', 2, true), ('e', 'd', 'd', 'Jim', '1003', 'NONE', -1, true);
       INSERT INTO peers (ref, credentials_ref, name, username, aor, balancing_algorithm, max_contacts, enabled) VALUES ('p', 'd', 'Media', 'media', 'backend:media', NULL, 4, true);`,
    );
    const { missing } = await report('routr2', dump, '--apply');
    expect(missing.map(({ what, first }) => [what, first])).toEqual([
      ['Credentials: a password that Routr encrypted (CLOAK_ENCRYPTION_KEY)', 'credentials c'],
      ['Agent: an agent without credentials (--new-secrets gives it new ones)', 'agents a'],
      ['Peer: maxContacts', 'peers p'],
    ]);
    const { data } = await subject().app.graphql(
      '{ agents(orderBy: [{ field: USERNAME }]) { nodes { username maxContacts } } }',
    );
    expect(data).toEqual({
      agents: {
        nodes: [
          { username: '1002', maxContacts: 2 },
          { username: '1003', maxContacts: null },
        ],
      },
    });
  });

  test('of Routr v2 takes two users at a provider, whose passwords are encrypted, for no single gateway', async () => {
    await empty();
    const file = join(directory, 'accounts.json');
    const encrypted = 'v1.aesgcm256.857b0bd3.E4B0PLvOdhoKxl91.FRBOBX7AFY8gDKuiVG8xvkA0cVU=';
    const account = (ref: string, username: string, number: string): readonly object[] => [
      { kind: 'Credentials', ref, spec: { credentials: { username, password: encrypted } } },
      {
        kind: 'Trunk',
        ref,
        metadata: { name: ref },
        spec: { outbound: { credentialsRef: ref, uris: [{ uri: { host: 'sip.provider.example' } }] } },
      },
      {
        kind: 'Number',
        ref,
        spec: { trunkRef: ref, location: { telUrl: `tel:${number}`, aorLink: 'sip:1001@sip.example' } },
      },
    ];
    await writeFile(
      file,
      JSON.stringify([
        ...account('one', 'pbx-1', '+493012345601'),
        ...account('two', 'pbx-2', '+493012345602'),
        ...account('three', 'pbx-1', '+493012345603'),
      ]),
    );
    const { missing, checks } = await report('routr2', file, '--apply');
    expect(missing.map(({ what, count }) => [what, count])).toEqual([
      ['Credentials: a password that Routr encrypted (CLOAK_ENCRYPTION_KEY)', 3],
      ['Trunk: the user at a provider, whose password is missing or encrypted: set both on the gateway', 3],
      ['Trunk: another user at the server of another trunk, without a password that can be moved', 1],
      ['a number whose gateway is not known: name one with --gateway', 1],
    ]);
    expect(checks).toMatchObject([{ what: expect.stringContaining('the same server and user'), count: 1 }]);
    const { data } = await subject().app.graphql(
      '{ gateways { nodes { name username } } numbers(orderBy: [{ field: TEL_URL }]) { nodes { telUrl gateway { name } } } }',
    );
    expect(data).toEqual({
      gateways: { nodes: [{ name: 'one', username: null }] },
      numbers: {
        nodes: [
          { telUrl: 'tel:+493012345601', gateway: { name: 'one' } },
          { telUrl: 'tel:+493012345603', gateway: { name: 'one' } },
        ],
      },
    });
  });

  test('of drouting says where lists are too long, and rules too many', async () => {
    await empty();
    const dump = join(directory, 'rules.sql');
    const list = (count: number): string => Array.from({ length: count }, (_, index) => index).join(',');
    const rows = (count: number): string =>
      Array.from(
        { length: count },
        (_, index) => `(${String(index)}, '${list(128)}', '${String(index)}', '#1')`,
      ).join();
    await writeFile(
      dump,
      `INSERT INTO dr_gw_lists (id, gwlist) VALUES (1, '${list(129)}'), (2, '${list(128)}');
       INSERT INTO dr_gateways (gwid, address) VALUES ('0', '192.0.2.1');
       INSERT INTO dbaliases (id, alias_username, username, domain) VALUES (1, '+493012345601', '1001', 'a.example');
       INSERT INTO dr_rules (ruleid, groupid, prefix, gwlist) VALUES ${rows(3907)}, (4000, '${list(129)}', '0', '${list(129)}');`,
    );
    const { missing } = await report('kamailio', dump, '--skip-invalid');
    expect(missing.filter(({ what }) => !/no domain uses|lower priority/.test(what))).toEqual([
      { what: 'dr_gw_lists: gateways of a list after the 128th', count: 1, first: 'dr_gw_lists 1' },
      { what: 'dr_rules: more than 500000 pairs of a group and a prefix', count: 96, first: 'dr_rules 3906' },
      { what: 'dr_rules: gateways of a list after the 128th', count: 1, first: 'dr_rules 4000' },
      { what: 'dr_rules: groups of a list after the 128th', count: 1, first: 'dr_rules 4000' },
    ]);
    expect(missing.find(({ what }) => what.includes('lower priority'))).toMatchObject({ count: 128 });
  });

  test.each([
    [
      'a destination that is not used is no host, and the highest priority is first',
      "(1, 1, 'sip:off.example', 4, 90, '', ''), (2, 1, 'sip:second.example', 0, 0, '', ''), (3, 1, 'sip:first.example', 8, 50, '', 'Set')",
      {
        name: 'Set',
        host: 'first.example',
        enabled: null,
        destinations: [
          { host: 'second.example', priority: 50, weight: null, enabled: null },
          { host: 'off.example', priority: 0, weight: null, enabled: false },
        ],
      },
    ],
    [
      'destinations of the same priority share the calls by their weights',
      "(1, 1, 'sip:a.example', 0, 0, 'weight=70', ''), (2, 1, 'sip:b.example', 0, 0, 'weight=30', ''), (3, 1, 'sip:c.example', 0, 0, '', '')",
      {
        name: 'dispatcher 1',
        host: 'a.example',
        enabled: null,
        destinations: [
          { host: 'b.example', priority: 0, weight: 4, enabled: null },
          { host: 'c.example', priority: 0, weight: null, enabled: null },
        ],
      },
    ],
    [
      'a set without a destination that is used is a gateway that is not enabled',
      "(1, 1, 'sip:a.example', 4, 0, '', ''), (2, 1, 'sip:b.example', 5, -100000, '', '')",
      {
        name: 'dispatcher 1',
        host: 'a.example',
        enabled: false,
        destinations: [{ host: 'b.example', priority: 65_535, weight: null, enabled: false }],
      },
    ],
  ])('of the sets of a dispatcher keeps the order and the shares of calls: %s', async (_, rows, gateway) => {
    await empty();
    const dump = join(directory, 'dispatcher.sql');
    const columns = 'id, setid, destination, flags, priority, attrs, description';
    await writeFile(dump, `INSERT INTO dispatcher (${columns}) VALUES ${rows};`);
    await report('kamailio', dump, '--apply');
    const { data } = await subject().app.graphql(
      '{ gateways { nodes { name host enabled destinations { host priority weight enabled } } } }',
    );
    expect(data).toEqual({ gateways: { nodes: [gateway] } });
  });

  test('writes documents that make an empty server the same, and secrets only where they are asked for', async () => {
    await empty();
    const [out, secrets] = [join(directory, 'documents'), join(directory, 'secrets')];
    const source = join(FIXTURES, 'kamailio.sql');
    const given = ['kamailio', source, '--gateway', 'sip.carrier.example', '--out', out];
    expect(await run('import-from', ...given)).toMatchObject({ err: '', code: 0 });
    const texts = await Promise.all((await readdir(out)).map((name) => readFile(join(out, name), 'utf8')));
    expect(texts.join('')).not.toMatch(/secret/i);
    expect(await run('import-from', ...given)).toMatchObject({
      err: `${out} is not empty: use a new directory, or empty this one\n`,
      code: 1,
    });
    await rm(out, { recursive: true });
    const written = await run('import-from', ...given, '--secrets', secrets);
    expect(written).toMatchObject({ err: '', code: 0 });
    expect(written.out).toContain(
      `Nothing was changed: compare the documents with the server: sipgraph plan ${out} --secrets ${secrets}\n`,
    );
    expect((await stat(join(secrets, 'agent-1'))).mode & 0o777).toBe(0o600);
    const plan = join(directory, 'plan.json');
    expect(await run('plan', out, '--secrets', secrets, '--out', plan)).toMatchObject({ err: '', code: 2 });
    expect(await run('apply', '--plan', plan, '--secrets', secrets)).toMatchObject({ err: '', code: 0 });
    expect((await report(...given.slice(0, 4))).kinds.map(({ created, updated }) => created + updated)).toEqual([
      0, 0, 0, 0, 0,
    ]);
  });

  test('creates nothing if a record is wrong, names it, and can leave it out', async () => {
    await empty();
    const dump = join(directory, 'dump.sql');
    await writeFile(
      dump,
      [
        '/*!40101 SET NAMES utf8mb4 */;',
        'CREATE TABLE `subscriber` (\n  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,\n  `username` varchar(64) NOT NULL,',
        "  `domain` varchar(64) NOT NULL DEFAULT ',)',\n  `password` varchar(64) NOT NULL,\n  PRIMARY KEY (`id`),",
        '  UNIQUE KEY `account_idx` (`username`,`domain`)\n) ENGINE=InnoDB;',
        'DELIMITER ;;',
        "CREATE TRIGGER t BEFORE INSERT ON subscriber FOR EACH ROW BEGIN INSERT INTO other VALUES (1, 'it''s'); END ;;",
        'DELIMITER ;',
        "INSERT INTO `subscriber` VALUES\n(1,'a','one.example','quo\\'te; \\\\ — ü'),\n(2,'a:b','one.example','wrong-user');",
        "INSERT INTO `subscriber` VALUES (3,'c','one.example','a-secret');",
      ].join('\n'),
    );
    const wrong = await run('import-from', 'kamailio', dump, '--apply');
    expect(wrong).toMatchObject({ err: '', code: 1 });
    expect(wrong.out).toMatch(
      /\nsubscriber 2 \(Agent\): username \("a:b"\): .*\n[^]*1 record cannot be imported; nothing/,
    );
    expect(wrong.out).not.toContain('wrong-user');
    expect(await totals()).toBe(0);
    const left = await report('kamailio', dump, '--apply', '--skip-invalid');
    expect(left.skipped).toMatchObject([{ place: 'subscriber 2' }]);
    expect(await totals()).toBe(3);
    const { body } = await subject().app.rest<readonly { spec: { credentials: { secret: string } } }[]>(
      'GET',
      `/agents?filter=${encodeURIComponent('@.spec.credentials.username=="a"')}`,
    );
    expect(body.data[0]?.spec.credentials.secret).toBe("quo'te; \\ — ü");
  });

  test.each([
    ['MySQL', '', String.raw`it\'s\\na-secret\\`],
    ['SQLite', 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n', String.raw`it''s\na-secret${'\\'}`],
    [
      'PostgreSQL',
      '--\n-- PostgreSQL database dump\n--\n',
      String.raw`it''s\na-secret${'\\'}`,
      '-- PostgreSQL database dump complete\n',
    ],
  ])('reads backslashes in texts as %s writes them', async (_, start, written, end = '') => {
    await empty();
    const dump = join(directory, 'backslashes.sql');
    const columns = 'id, username, domain, password';
    await writeFile(
      dump,
      `${start}INSERT INTO subscriber (${columns}) VALUES (1, 'a', 'one.example', '${written}');\nCREATE TABLE later (a TEXT);\n${end}`,
    );
    await report('kamailio', dump, '--apply');
    const { body } = await subject().app.rest<readonly { spec: { credentials: { secret: string } } }[]>(
      'GET',
      '/agents',
    );
    expect(body.data.map(({ spec }) => spec.credentials.secret)).toEqual(["it's\\na-secret\\"]);
  });

  test('names all users who get a new secret, and none of them again', async () => {
    await empty();
    const dump = join(directory, 'digests.sql');
    const rows = Array.from({ length: 60 }, (_, id) => `(${String(id)}, 'u${String(id)}', 'one.example', '')`);
    await writeFile(dump, `INSERT INTO subscriber (id, username, domain, password) VALUES ${rows.join(', ')};`);
    const { out } = await run('import-from', 'kamailio', dump, '--new-secrets');
    expect(out).toMatch(
      /\nNew secrets, [^]*:\nAgent u0@one.example \(subscriber 0\)\n(?:Agent .*\n){49}and 10 more, which --json names\n/,
    );
    const { newSecrets, checks } = await report('kamailio', dump, '--new-secrets', '--apply');
    expect(newSecrets).toHaveLength(60);
    expect(newSecrets[59]).toEqual({ kind: 'Agent', name: 'u59@one.example', place: 'subscriber 59' });
    expect(checks).toEqual([expect.objectContaining({ count: 60, first: 'subscriber 0' })]);
    expect(await report('kamailio', dump, '--new-secrets', '--apply')).toMatchObject({ newSecrets: [], checks: [] });
  });

  test('takes a short alias with + for a number, and one without it for an extension', async () => {
    await empty();
    const dump = join(directory, 'short.sql');
    await writeFile(
      dump,
      `CREATE TABLE dbaliases (id INTEGER PRIMARY KEY, alias_username VARCHAR(64), username VARCHAR(64), domain VARCHAR(64));
INSERT INTO dbaliases VALUES (1, '+493099', 'a', 'one.example'), (2, '493099', 'a', 'one.example'), (3, '+49', 'a', 'one.example');`,
    );
    const { missing } = await report('kamailio', dump);
    expect(missing).toEqual(
      expect.arrayContaining([
        { what: 'a number whose gateway is not known: name one with --gateway', count: 1, first: 'dbaliases 1' },
        { what: 'dbaliases: an alias that is no number', count: 2, first: 'dbaliases 2' },
      ]),
    );
  });

  test('reads a dump with a statement for each row once, whatever columns they list', async () => {
    await empty();
    const dump = join(directory, 'rows.sql');
    const many = 20_000;
    await writeFile(
      dump,
      [
        "INSERT INTO subscriber (id, username, domain, password) VALUES (1, 'a', 'one.example', 'secret-a');",
        'CREATE TABLE domain (id INTEGER PRIMARY KEY, domain VARCHAR(64), did VARCHAR(64));',
        "INSERT INTO domain (domain, id) VALUES ('one.example', 1);",
        "INSERT INTO domain VALUES (2, 'two.example', NULL);",
        'CREATE TABLE dbaliases (id INTEGER PRIMARY KEY, alias_username VARCHAR(64));',
        ...Array.from({ length: many }, (_, row) => `INSERT INTO dbaliases VALUES (${String(row)}, 'alias');`),
        "INSERT INTO subscriber (id, password, username, domain) VALUES (2, 'secret-b', 'b', 'two.example');",
      ].join('\n'),
    );
    const { missing } = await report('kamailio', dump, '--apply');
    expect(missing).toEqual([{ what: 'dbaliases: an alias that is no number', count: many, first: 'dbaliases 0' }]);
    const { data } = await subject().app.graphql(
      '{ agents(orderBy: [{ field: USERNAME }]) { nodes { username domains { domainUri } } } }',
    );
    expect(data).toEqual({
      agents: {
        nodes: [
          { username: 'a', domains: [{ domainUri: 'one.example' }] },
          { username: 'b', domains: [{ domainUri: 'two.example' }] },
        ],
      },
    });
  }, 15_000); // a file that is opened for each row takes longer

  test('that leaves out wrong records keeps the routes that can do without them', async () => {
    await empty();
    const dump = join(directory, 'routes.sql');
    await writeFile(
      dump,
      [
        "INSERT INTO domain (id, domain) VALUES (1, 'one.example');",
        "INSERT INTO dr_gateways (gwid, address) VALUES (1, 'sip.carrier.example');",
        'INSERT INTO dbaliases (id, alias_username, username, domain) VALUES',
        "(1, '+493012345601', 'a b', 'one.example'), (2, '+493012345602', 'a', 'one.example');",
        "INSERT INTO dr_rules (ruleid, groupid, prefix, gwlist) VALUES (1, '0', '+49', '1'), (2, '0', '+x', '1');",
      ].join('\n'),
    );
    const wrong = await run('import-from', 'kamailio', dump, '--apply', '--json');
    expect(wrong.code).toBe(1);
    expect(await totals()).toBe(0);
    const { skipped } = await report('kamailio', dump, '--apply', '--skip-invalid');
    expect(skipped.map(({ place }) => place)).toEqual(['dbaliases 1', 'dr_rules 2']);
    const { data } = await subject().app.graphql(
      '{ numbers { nodes { telUrl } } routes { nodes { prefix numbers { telUrl } } } }',
    );
    expect(data).toEqual({
      numbers: { nodes: [{ telUrl: 'tel:+493012345602' }] },
      routes: { nodes: [{ prefix: '+49', numbers: [{ telUrl: 'tel:+493012345602' }] }] },
    });
  });

  test('that leaves out the first user of a domain keeps the domain and its other users', async () => {
    await empty();
    const dump = join(directory, 'users.sql');
    await writeFile(
      dump,
      "INSERT INTO subscriber (id, username, domain, password) VALUES (1, 'a:b', 'one.example', 'secret-1'), (2, 'b', 'one.example', 'secret-2');",
    );
    const { skipped } = await report('kamailio', dump, '--apply', '--skip-invalid');
    expect(skipped.map(({ place }) => place)).toEqual(['subscriber 1']);
    const { data } = await subject().app.graphql('{ agents { nodes { username domains { domainUri } } } }');
    expect(data).toEqual({ agents: { nodes: [{ username: 'b', domains: [{ domainUri: 'one.example' }] }] } });
  });

  test('says how many wrong records there are, besides those that it names', async () => {
    await empty();
    const dump = join(directory, 'many.sql');
    const rows = Array.from({ length: 130 }, (_, id) => `(${String(id)}, 'a:b', 'one.example', 'a-secret')`);
    await writeFile(dump, `INSERT INTO subscriber (id, username, domain, password) VALUES ${rows.join(', ')};`);
    const wrong = await run('import-from', 'kamailio', dump);
    expect(wrong.out).toMatch(/\nCannot be imported:\n(?:subscriber .*\n){100}and 30 more records\n/);
    const left = await run('import-from', 'kamailio', dump, '--skip-invalid');
    expect(left.out).toMatch(/\nLeft out:\n(?:subscriber .*\n){100}and 30 more records\n/);
  });

  test.each([
    ['a wrong one', 'bad..example'],
    ['one with a space', 'bad example'],
  ])('that leaves out a domain, %s, keeps the routes of the others', async (_, domain) => {
    await empty();
    const dump = join(directory, 'domains.sql');
    await writeFile(
      dump,
      [
        `INSERT INTO domain (id, domain) VALUES (1, '${domain}'), (2, 'one.example');`,
        "INSERT INTO dr_gateways (gwid, address) VALUES (1, 'sip.carrier.example');",
        "INSERT INTO dbaliases (id, alias_username, username, domain) VALUES (1, '+493012345602', 'a', 'one.example');",
        "INSERT INTO dr_rules (ruleid, groupid, prefix, gwlist) VALUES (1, '0', '+49', '1');",
      ].join('\n'),
    );
    const { skipped } = await report('kamailio', dump, '--apply', '--skip-invalid');
    expect(skipped.map(({ place }) => place)).toEqual(['domain 1']);
    const { data } = await subject().app.graphql('{ routes { nodes { prefix domain { domainUri } } } }');
    expect(data).toEqual({ routes: { nodes: [{ prefix: '+49', domain: { domainUri: 'one.example' } }] } });
  });

  test.each([
    ['that --gateway names', ['--gateway', 'sip.one.example'], true],
    ['that is the only one', [], false],
  ])('of Routr v2 gives numbers without a trunk to the gateway %s', async (_, options, hasOther) => {
    await empty();
    const file = join(directory, 'numbers.yml');
    const trunk = (ref: string): object => ({
      kind: 'Trunk',
      ref,
      spec: { outbound: { uris: [{ uri: { host: `sip.${ref}.example` } }] } },
    });
    const location = { telUrl: 'tel:+17066041487', aorLink: 'sip:1001@sip.example' };
    const number = { kind: 'Number', ref: 'number', spec: { location } };
    await writeFile(file, JSON.stringify([...(hasOther ? [trunk('other')] : []), trunk('one'), number]));
    await report('routr2', file, ...options, '--apply');
    const { data } = await subject().app.graphql('{ numbers { nodes { gateway { host } } } }');
    expect(data).toEqual({ numbers: { nodes: [{ gateway: { host: 'sip.one.example' } }] } });
  });

  test.each(['Here already', 'gwhere'])(
    'of Routr v2 gives numbers without a trunk to the gateway here with the name or ref %s',
    async (given) => {
      await empty();
      await createGateway(subject().app, { ref: 'gwhere', name: 'Here already', host: 'here.test' });
      const file = join(directory, 'numbers.yml');
      const location = { telUrl: 'tel:+17066041487', aorLink: 'sip:1001@sip.example' };
      await writeFile(file, JSON.stringify([{ kind: 'Number', ref: 'number', spec: { location } }]));
      await report('routr2', file, '--gateway', given, '--apply');
      const { data } = await subject().app.graphql('{ numbers { nodes { gateway { host } } } }');
      expect(data).toEqual({ numbers: { nodes: [{ gateway: { host: 'here.test' } }] } });
    },
  );

  test('of Routr v2 with the words of SQL in a comment is read as documents', async () => {
    await empty();
    const trunk = { kind: 'Trunk', ref: 'one', spec: { outbound: { uris: [{ uri: { host: 'sip.one.example' } }] } } };
    const source = `# SET your own domain here, then CREATE or INSERT the rest\n${JSON.stringify(trunk)}`;
    const { data } = await subject().app.graphql<{ importFrom: { kinds: readonly unknown[] } }>(
      'mutation ($source: String!) { importFrom(system: ROUTR2, source: $source, dryRun: true) { kinds { kind created } } }',
      { source },
    );
    expect(data.importFrom.kinds).toContainEqual({ kind: 'Gateway', created: 1 });
  });

  test('of a dump that ends within the rows of COPY is refused', async () => {
    const whole = `-- PostgreSQL database dump
CREATE TABLE public.domains (ref character varying, name character varying, domain_uri character varying);
COPY public.domains (ref, name, domain_uri) FROM stdin;
d1\tA\\fB\ta.test
d2\tB\tb.test
\\.
-- PostgreSQL database dump complete
`;
    const file = join(directory, 'cut.sql');
    await writeFile(file, whole.slice(0, whole.indexOf('\\.')));
    const refused = await runCommand({ DATABASE_URL: subject().url }, 'import-from', 'routr2', file);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('ends within the rows of COPY') });
    await writeFile(file, whole);
    const read = await runCommand({ DATABASE_URL: subject().url }, 'import-from', 'routr2', file);
    // `\f` is a form feed, which a name cannot have.
    expect(read.out).toContain(String.raw`d1 (Domain): name ("A\fB")`);
    expect(read.out).toContain('1 record cannot be imported');
  });

  test('of Routr v2 keeps the networks of a peer, and reports what is none', async () => {
    await empty();
    const file = join(directory, 'networks.yml');
    const allow = ['2001:db8::/32', '192.0.2.0/24', '192.0.2.1', '0.0.0.0/0', '10.0.0.0/255.0.0.0'];
    const list = { kind: 'AccessControlList', ref: 'list', spec: { accessControlList: { allow } } };
    const peer = { kind: 'Peer', ref: 'peer', spec: { username: 'media', accessControlListRef: 'list' } };
    await writeFile(file, JSON.stringify([list, peer]));
    const { missing } = await report('routr2', file, '--apply');
    expect(missing).toMatchObject([{ count: 2 }]);
    const { data } = await subject().app.graphql('{ peers { nodes { sources } } }');
    expect(data).toEqual({ peers: { nodes: [{ sources: ['2001:db8::/32', '192.0.2.0/24', '192.0.2.1'] }] } });
  });

  test('from dsiprouter makes no routes of a domain that only an endpoint group names', async () => {
    await empty();
    const dump = join(directory, 'endpoint.sql');
    await writeFile(
      dump,
      [
        "INSERT INTO domain (id, domain) VALUES (1, 'one.example');",
        "INSERT INTO subscriber (id, username, domain, password, rpid) VALUES (1, 'branch', 'branch.example', 'secret', '12');",
        "INSERT INTO dr_gw_lists (id, gwlist, description) VALUES (3, '21', 'type:8'), (12, '57', 'type:9');",
        "INSERT INTO dr_gateways (gwid, address) VALUES (21, '192.0.2.112'), (57, '192.0.2.57');",
        "INSERT INTO dr_rules (ruleid, groupid, prefix, gwlist) VALUES (1, '9000', '+13132468974', '#12'), (2, '8000', '', '#3');",
      ].join('\n'),
    );
    await report('dsiprouter', dump, '--apply');
    const { data } = await subject().app.graphql(
      '{ routes { nodes { domain { domainUri } } } domains { totalCount } }',
    );
    expect(data).toEqual({ routes: { nodes: [{ domain: { domainUri: 'one.example' } }] }, domains: { totalCount: 1 } });
  });

  test('from dsiprouter names the users of an endpoint group that it leaves out', async () => {
    await empty();
    const dump = join(directory, 'users.sql');
    await writeFile(
      dump,
      [
        "INSERT INTO subscriber (id, username, domain, password, rpid) VALUES (1, 'digest', 'a.example', '', '12'), (2, 'branch', 'a.example', 'secret-one', '12'), (3, 'second', 'a.example', 'secret-two', '12');",
        "INSERT INTO dr_gw_lists (id, gwlist, description) VALUES (12, '57', 'type:9');",
        "INSERT INTO dr_gateways (gwid, address) VALUES (57, '192.0.2.57');",
      ].join('\n'),
    );
    const { missing } = await report('dsiprouter', dump, '--apply');
    expect(missing.map(({ what, first }) => [what, first])).toEqual([
      ['subscriber: a user of an endpoint group of whose password only digests are stored', 'subscriber 1'],
      ['subscriber: users of an endpoint group after the first', 'subscriber 3'],
    ]);
    const { data } = await subject().app.graphql('{ peers { nodes { username } } }');
    expect(data).toEqual({ peers: { nodes: [{ username: 'branch' }] } });
  });

  test('says which gateways register at another domain than before', async () => {
    await empty();
    const dump = join(directory, 'registrations.sql');
    const row = (id: number, domain: string, proxy: string): string =>
      `INSERT INTO uacreg (id, r_username, r_domain, auth_password, auth_proxy) VALUES (${String(id)}, 'u', '${domain}', 'secret', '${proxy}');`;
    await writeFile(
      dump,
      [
        "INSERT INTO dr_gateways (gwid, address) VALUES ('1', '192.0.2.1'), ('2', 'sip.two.example');",
        row(1, 'sip.one.example', 'sip:192.0.2.1'),
        row(2, 'sip.two.example', 'sip:192.0.2.2'),
      ].join('\n'),
    );
    const { checks } = await report('kamailio', dump, '--apply');
    expect(checks).toEqual([
      {
        what: 'a registration at a domain that is no host of its gateway, which registers at its own host',
        count: 1,
        first: 'uacreg 1',
      },
    ]);
  });

  test('of drouting makes one route of the rules for a prefix in several groups of a domain', async () => {
    await empty();
    const dump = join(directory, 'groups.sql');
    await writeFile(
      dump,
      [
        "INSERT INTO domain (id, domain) VALUES (1, 'one.example');",
        "INSERT INTO dr_gateways (gwid, address) VALUES ('1', '192.0.2.1');",
        "INSERT INTO dbaliases (id, alias_username, username, domain) VALUES (1, '+493012345678', '1001', 'one.example');",
        "INSERT INTO dr_rules (ruleid, groupid, prefix, gwlist) VALUES (1, '1,2', '49', '1'), (2, '3', '44', '1'), (3, '4', '44', '1');",
      ].join('\n'),
    );
    const { missing } = await report('kamailio', dump, '--apply');
    expect(missing).toEqual([
      {
        what: 'dr_rules: a rule for a prefix that a rule of another group of the domain has',
        count: 1,
        first: 'dr_rules 3',
      },
    ]);
    const { data } = await subject().app.graphql('{ routes { nodes { prefix } } }');
    expect(data).toEqual({ routes: { nodes: [{ prefix: '49' }, { prefix: '44' }] } });
  });

  test('of Routr v2 gives nobody the password of credentials that it does not name', async () => {
    await empty();
    const file = join(directory, 'credentials.json');
    const credentials = (ref: string | undefined, username: string): object => ({
      ...{ kind: 'Credentials', ref },
      spec: { credentials: { username, password: `secret-of-${username}` } },
    });
    const domain = { kind: 'Domain', ref: 'd1', spec: { context: { domainUri: 'one.example' } } };
    const agent = { kind: 'Agent', ref: 'a1', spec: { username: 'ada', domainRef: 'd1' } };
    await writeFile(file, JSON.stringify([credentials(undefined, 'someone'), domain, agent]));
    const { missing } = await report('routr2', file);
    expect(missing).toMatchObject([{ what: expect.stringContaining('an agent without credentials') as string }]);
    await writeFile(file, JSON.stringify([credentials('c1', 'ada'), domain, credentials('c1', 'bob')], null, 1));
    const { err, code } = await run('import-from', 'routr2', file);
    expect([err, code]).toEqual([
      expect.stringContaining('the Credentials has the ref "c1" of that at credentials.json:2'),
      1,
    ]);
  });

  test.each([
    [
      // The password would be another one, with which no phone registers.
      'kamailio',
      'latin1.sql',
      "CREATE TABLE subscriber (id int, username text, domain text, password text);\nINSERT INTO subscriber VALUES (7,'a','one.example','p\u00e4ssword');\n",
      /^source: .*latin1\.sql: password of subscriber 7 is not in UTF-8/,
    ],
    [
      'routr2',
      'latin1.yaml',
      'apiVersion: v2\nkind: Domain\nref: d\nmetadata: {name: M\u00fcller}\nspec: {context: {domainUri: one.example}}\n',
      /latin1\.yaml is not a text in UTF-8/,
    ],
    [
      'kamailio',
      'cut-off.sql',
      "-- MySQL dump 10.13  Distrib 8.0.36\nCREATE TABLE domain (id int, domain text);\nINSERT INTO domain VALUES (1,'one.example');\n",
      /^source: .*cut-off\.sql is not complete: it lacks the comment that ends it/,
    ],
  ])('of %s, %s is refused, because it would lose something', async (system, name, text, message) => {
    const file = join(directory, name);
    await writeFile(file, text, 'latin1');
    const ran = await run('import-from', system, file, '--apply');
    expect(ran).toMatchObject({ out: '', code: 1 });
    expect(ran.err).toMatch(message);
    await writeFile(file, `${text}${name.endsWith('.sql') ? '\n-- Dump completed on 2026-11-30\n' : ''}`);
    expect(await run('import-from', system, file, '--apply')).toMatchObject({ err: '', code: 0 });
  });

  test.each([
    ['an unknown system', ['asterisk', 'x.sql'], 2, /Allowed choices are kamailio, dsiprouter, routr2/],
    ['a missing file', ['kamailio', 'missing.sql'], 1, /missing.sql: no such file or directory/],
    [
      'PostgreSQL that is not there',
      ['routr2', 'postgresql://u:secret@127.0.0.1:1/routr'],
      1,
      /^source: the database cannot be read \(ECONNREFUSED\)/,
    ],
    ['a wrong URL of PostgreSQL', ['routr2', 'postgresql://u:secret@host'], 1, /^source: is not postgresql:\/\/USER:/],
    [
      'PostgreSQL with a parameter that is not supported',
      ['routr2', 'postgres://u:secret@host/x?sslmode=disable'],
      1,
      /^source: has the unknown parameter "sslmode"; only ssl and ssl-ca are supported/,
    ],
    ['a wrong URL', ['kamailio', 'mysql://u:secret@/x'], 1, /^source: is neither sqlite:FILE nor mysql/],
    [
      'a server that is not there',
      ['kamailio', 'mysql://u:secret@127.0.0.1:1/x'],
      1,
      /^source: the database cannot be read/,
    ],
    ['a file that is no dump', ['kamailio', __filename], 1, /^source: .* is no dump of a database/],
    [
      'a file that is no SQLite database',
      ['kamailio', `sqlite:${__filename}`],
      1,
      /^source: .* cannot be read as a SQLite database/,
    ],
    [
      'another system than it names',
      ['routr2', join(FIXTURES, 'dsiprouter.sql')],
      1,
      /^source: has no table of routr2, such as trunks, /,
    ],
    [
      'Kamailio that is Routr v2',
      ['kamailio', join(FIXTURES, 'routr2.sql')],
      1,
      /^source: has no table of kamailio, such as domain, /,
    ],
    ['secrets without documents', ['kamailio', 'x.sql', '--secrets', 'x'], 1, /^--secrets requires --out/],
  ])('of %s fails, and says why without a secret', async (_, args, code, message) => {
    const ran = await run('import-from', ...args);
    expect(ran).toMatchObject({ out: '', code });
    expect(ran.err).toMatch(message);
    expect(ran.err).not.toContain('secret@');
  });
});

onSqlite('A dump that takes long to read', () => {
  const MOVE =
    'mutation ($source: String!) { importFrom(system: KAMAILIO, source: $source, dryRun: true) { kinds { kind created } } }';
  interface Moved {
    readonly importFrom: { readonly kinds: readonly object[] };
  }

  test('costs what its length does, whatever the order of its statements', async () => {
    const app = await startApp();
    const cpuOf = async (text: string, times: number): Promise<number> => {
      const tables = 'CREATE TABLE domain (id int, domain text); CREATE TABLE other (id int);\n';
      const before = process.cpuUsage();
      const source = gzipSync(tables + text.repeat(times)).toString('base64');
      const { data } = await app.graphql<Moved>(MOVE, { source });
      expect(data.importFrom.kinds).toContainEqual({ kind: 'Domain', created: 1 });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const [one, other] = ["INSERT INTO domain VALUES (1, 'a.example');\n", 'INSERT INTO other VALUES (1);\n'];
    await cpuOf(one + other, 10);
    const together = await cpuOf(one.repeat(8000) + other.repeat(8000), 1);
    expect(await cpuOf(one + other, 8000)).toBeLessThan(4 * together);
  });

  test('leaves the process to others within a long text', async () => {
    const app = await startApp();
    const begun = performance.now();
    let [last, longest] = [begun, 0];
    const look = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      looking = setImmediate(look);
    };
    let looking = setImmediate(look);
    const source = packed("''", 1_000_000, "INSERT INTO domain (id, domain) VALUES (1, '", "');");
    const { data } = await app.graphql<Moved>(MOVE, { source });
    clearImmediate(looking);
    expect(data.importFrom.kinds).toContainEqual({ kind: 'Domain', created: 0 });
    expect(longest).toBeLessThan((performance.now() - begun) / 3);
  });

  test('is not read on when the time of its request has ended', async () => {
    const app = await startApp({ REQUEST_TIMEOUT: '1' });
    const source = packed(', (1)', 3_000_000, 'INSERT INTO other (id) VALUES (1)', ';');
    const { errors } = await app.graphql(MOVE, { source });
    expect(errors?.[0]?.message).toMatch(/1 s/);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAVAILABLE' });
    await setTimeout(500);
    const before = performance.eventLoopUtilization();
    await setTimeout(500);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });
});

onSqlite('A dump whose records refer to many others', () => {
  const MOVE = `mutation ($system: MovingSystem!, $source: String!) {
    importFrom(system: $system, source: $source, dryRun: true, newSecrets: true) { failed kinds { kind created } missing { what count } } }`;
  const many = (count: number, rowOf: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => rowOf(index)).join(',');
  const SECOND = 1_000_000; // in microseconds
  // Most records cannot be imported, so that what is measured is how they are read.
  const lists = (rule: string, count = 20): string =>
    `CREATE TABLE dr_gateways (gwid text, address text); INSERT INTO dr_gateways VALUES ('1', '192.0.2.1');
    CREATE TABLE dr_gw_lists (id text, gwlist text); INSERT INTO dr_gw_lists VALUES ('1', '${'1,'.repeat(8000)}');
    CREATE TABLE dr_rules (ruleid int, groupid text, prefix text, gwlist text);
    INSERT INTO dr_rules VALUES ${many(count, (n) => `(${String(n)}, '0', '${String(n)}', '${rule.repeat(count > 20 ? 128 : 5000)}')`)};`;
  const groups = (domain: string): string =>
    `CREATE TABLE domain (id int, domain text); INSERT INTO domain VALUES ${many(9000, (n) => `(${String(n)}, 'no ${String(n)}')`)};
    CREATE TABLE dr_groups (id int, username text, domain text, groupid text);
    INSERT INTO dr_groups VALUES ${many(40_000, (n) => `(${String(n)}, '', '${domain}', '0')`)};`;
  const peers = (aor: (index: number) => string): string =>
    `CREATE TABLE peers (ref text, name text, username text, aor text);
    INSERT INTO peers VALUES ${many(9000, (n) => `('p${String(n)}', 'p', 'a b', '${aor(n)}')`)};
    CREATE TABLE numbers (ref text, tel_url text, aor_link text);
    INSERT INTO numbers VALUES ${many(40_000, (n) => `('${String(n)}', 'x', 'backend:a')`)};`;
  const addresses = (ref: string): string =>
    [
      `{"kind":"AccessControlList","ref":"l","spec":{"accessControlList":{"deny":[${many(60_000, (n) => `"10.0.${String(n >> 8)}.${String(n % 256)}"`)}]}}}`,
      ...Array.from(
        { length: 300 },
        (_, n) =>
          `{"kind":"Domain","ref":"d${String(n)}","spec":{"accessControlListRef":"${ref}","context":{"domainUri":"no ${String(n)}"}}}`,
      ),
    ].join('\n---\n');

  const trunks = (ref: string): string =>
    `CREATE TABLE access_control_lists (ref text, allow text);
    INSERT INTO access_control_lists VALUES ('l', '{${many(1001, () => '10.0.0.1/32')}}');
    CREATE TABLE trunks (ref text, name text, acl_ref text);
    INSERT INTO trunks VALUES ${many(9000, (n) => `('t${String(n)}', 't', '${ref}')`)};
    CREATE TABLE trunk_uris (trunk_ref text, host text);
    INSERT INTO trunk_uris VALUES ${many(9000, (n) => `('t${String(n)}', 'no ${String(n)}')`)};`;

  test.each([
    ['rules that name lists of gateways', 'KAMAILIO', lists('2,,'), lists('#1,')],
    ['many rules that name a list of gateways', 'KAMAILIO', lists('2,,', 9000), lists('#1,', 9000)],
    ['trunks with the same list of addresses', 'ROUTR2', trunks('m'), trunks('l')],
    ['groups of all domains', 'KAMAILIO', groups('no 1'), groups('')],
    [
      'peers and numbers with the same address',
      'ROUTR2',
      peers((n) => `backend:${String(n)}`),
      peers(() => 'backend:a'),
    ],
    ['domains with the same list of addresses', 'ROUTR2', addresses('m'), addresses('l')],
  ])('costs what its length does: %s', async (_, system, few, much) => {
    const app = await startApp();
    const cpuOf = async (text: string): Promise<number> => {
      const before = process.cpuUsage();
      const { data } = await app.graphql(MOVE, { system, source: gzipSync(text).toString('base64') });
      expect(data).toMatchObject({ importFrom: { kinds: expect.any(Array) } });
      const { user, system: kernel } = process.cpuUsage(before);
      return user + kernel;
    };
    await cpuOf(few);
    const less = await cpuOf(few);
    expect(await cpuOf(much)).toBeLessThan(4 * less + SECOND);
  });
});

onEachDatabase('The graph', (subject) => {
  const MOVE = `mutation ($system: MovingSystem!, $source: String!, $gateway: String, $dryRun: Boolean!, $confirmWithin: Int, $at: DateTimeISO, $skipInvalid: Boolean! = false) {
    importFrom(system: $system, source: $source, gateway: $gateway, dryRun: $dryRun, confirmWithin: $confirmWithin, at: $at, skipInvalid: $skipInvalid) {
      moved request kinds { kind created updated unchanged failed } missing { what count first } failures { place kind message } failed skippedCount
      pending { id state } calls { counts { starts } } } }`;
  interface Moved {
    readonly importFrom: {
      readonly request: string | null;
      readonly kinds: Report['kinds'];
      readonly missing: Report['missing'];
      readonly pending: { readonly id: string } | null;
    };
  }
  const names = { kamailio: 'KAMAILIO', dsiprouter: 'DSIPROUTER', routr2: 'ROUTR2' } as const;
  const sourceOf = async (source: string): Promise<string> =>
    source === 'routr2'
      ? (
          await Promise.all(
            (await readdir(join(FIXTURES, source)))
              .sort()
              .map((name) => readFile(join(FIXTURES, source, name), 'utf8')),
          )
        ).join('\n---\n')
      : readFile(join(FIXTURES, source), 'utf8');
  const move = (variables: object, caller?: { readonly token: string }) =>
    subject().app.graphql<Moved>(MOVE, { dryRun: false, ...variables }, caller);

  test.each(SOURCES)(
    'moves in $system as the command does, as one request that is taken back',
    async ({ system, source, options, counts }) => {
      const text = await sourceOf(source);
      const { out } = await runCommand(
        { DATABASE_URL: subject().url },
        'import-from',
        system,
        join(FIXTURES, source),
        ...options,
        '--json',
      );
      const { kinds, missing } = JSON.parse(out) as Report;
      const given = { system: names[system], source: text, gateway: options[1] };
      const { data: dry } = await move({ ...given, dryRun: true });
      expect(dry.importFrom).toMatchObject({ moved: false, request: null, kinds, failed: 0, calls: { counts: {} } });
      expect(dry.importFrom.missing.map(({ count }) => count)).toEqual(missing.map(({ count }) => count));
      const packed = gzipSync(text).toString('base64');
      const { data: made } = await move({ ...given, source: packed });
      expect(made.importFrom).toMatchObject({ moved: true, kinds, pending: null, calls: null });
      expect(Object.fromEntries(made.importFrom.kinds.map(({ kind, created }) => [kind, created]))).toEqual(counts);
      const reverted = await runCommand(
        { DATABASE_URL: subject().url },
        'revert',
        '--request',
        String(made.importFrom.request),
      );
      expect(reverted).toMatchObject({ err: '', code: 0 });
    },
  );

  test('moves in a system for a time, until that is confirmed', async () => {
    const given = { system: 'KAMAILIO', source: await sourceOf('kamailio.sql'), gateway: 'sip.carrier.example' };
    const { data } = await move({ ...given, confirmWithin: 600 });
    expect(data.importFrom).toMatchObject({ moved: true, pending: { state: 'UNCONFIRMED' } });
    const id = String(data.importFrom.pending?.id);
    expect(id).toBe(data.importFrom.request);
    const { data: cancelled } = await subject().app.graphql(`mutation { cancelChanges(id: "${id}") { state } }`);
    expect(cancelled).toEqual({ cancelChanges: { state: 'REVERTED' } });
    const { data: left } = await subject().app.graphql('{ agents { totalCount } gateways { totalCount } }');
    expect(left).toEqual({ agents: { totalCount: 0 }, gateways: { totalCount: 0 } });
  });

  test('moves in a system later, unless it has passwords', async () => {
    const at = new Date(Date.now() + 3600_000).toISOString();
    const source = "INSERT INTO domain (id, domain) VALUES (1, 'later.example');";
    const { data } = await move({ system: 'KAMAILIO', source, at });
    expect(data.importFrom).toMatchObject({ moved: false, request: null, pending: { state: 'SCHEDULED' } });
    const { data: left } = await subject().app.graphql('{ domains { totalCount } }');
    expect(left).toEqual({ domains: { totalCount: 0 } });
    const given = { system: 'KAMAILIO', source: await sourceOf('kamailio.sql'), gateway: 'sip.carrier.example', at };
    for (const dryRun of [true, false]) {
      const { errors } = await move({ ...given, dryRun });
      expect(errors?.[0]?.message).toMatch(/^at: secret of \w+ "\S+" is a secret, which is not stored for later/);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  });

  test('names wrong records of another system, changes nothing, and can leave them out', async () => {
    const source =
      "INSERT INTO subscriber (id, username, domain, password) VALUES (1, 'a:b', 'one.example', 'secret-1'), (2, 'b', 'one.example', 'secret-2');";
    const { data: wrong } = await move({ system: 'KAMAILIO', source });
    expect(wrong.importFrom).toMatchObject({
      moved: false,
      request: null,
      failed: 1,
      failures: [{ place: 'subscriber 1', kind: 'Agent' }],
    });
    expect(JSON.stringify(wrong)).not.toContain('secret-');
    const { data: dry } = await move({ system: 'KAMAILIO', source, skipInvalid: true, dryRun: true });
    expect(dry.importFrom).toMatchObject({ moved: false, failed: 0, skippedCount: 1 });
  });

  test('names no secret of a record that it refuses', async () => {
    const secrets = ['hidden-\\n1', `hidden-${'2'.repeat(600)}`];
    const source = `INSERT INTO subscriber (id, username, domain, password) VALUES ${secrets
      .map((secret, index) => `(${String(index)}, 'u${String(index)}', 'one.example', '${secret}')`)
      .join(
        ', ',
      )}; INSERT INTO uacreg (id, l_uuid, realm, auth_username, auth_password, auth_proxy) VALUES (1, 'a', 'carrier.example', 'u', 'hidden-\\n3', 'sip:carrier.example');`;
    const { data } = await move({ system: 'KAMAILIO', source, dryRun: true });
    expect(data.importFrom).toMatchObject({ moved: false, failed: 3 });
    expect(JSON.stringify(data)).not.toContain('hidden-');
  });

  test.each([
    ['what is no dump', 'KAMAILIO', 'hello', /^source: the dump has no CREATE TABLE/],
    ['what is no document', 'ROUTR2', 'hello: there', /^source: has no documents with a kind/],
    ['what is not compressed', 'KAMAILIO', 'H4sIhello', /^source: cannot be decompressed/],
    [
      'what is too long',
      'KAMAILIO',
      gzipSync(Buffer.alloc(17 * 1024 * 1024)).toString('base64'),
      /^source: is longer than 16777216 bytes: use sipgraph import-from/,
    ],
    [
      'too many documents',
      'ROUTR2',
      packed('- kind: Domain\n', 150_000),
      /^source: has YAML or JSON of more than 2097152 bytes: use sipgraph import-from/,
    ],
    [
      'documents with too many members',
      'ROUTR2',
      packed('a,', 1_000_000, '{', '}'),
      /^source: source:1: the text has more than 300000 marks/,
    ],
    [
      'a document with too many lines',
      'ROUTR2',
      packed('a: 1\n', 400_000),
      /^source: source:1: the text has more than 300000 marks/,
    ],
    [
      'too many starts of documents',
      'ROUTR2',
      packed('--- a\n', 150_000),
      /^source: source:1: the stream has more than 20000 documents/,
    ],
    [
      'too many rows of a table',
      'KAMAILIO',
      packed(
        `, (1, 1, 'sip:a')`,
        50_000,
        `INSERT INTO dispatcher (id, setid, destination) VALUES (0, 1, 'sip:a')`,
        ';',
      ),
      /^source: has more than 50000 rows of "dispatcher": use sipgraph import-from/,
    ],
    [
      'a row that does not fit its table',
      'KAMAILIO',
      packed(', (1, 2)', 1, 'CREATE TABLE a (b int, c int); INSERT INTO a VALUES (1, 2), (3)', ';'),
      /^source: the dump, byte \d+: has a row of a with 1 values instead of 2/,
    ],
    // Reading these would take minutes if each mark without an end was looked for in all that follows.
    ['comments without an end', 'KAMAILIO', packed('/*;', 1_000_000), /^source: the dump, byte 0: has a comment/],
    ['texts without an end', 'KAMAILIO', packed("'\\", 1_000_000), /^source: the dump, byte \d+: has quotes/],
    // One pattern for each of these would need more memory than patterns have.
    [
      'a value of millions of quotes',
      'KAMAILIO',
      packed("'", 15_000_000, "INSERT INTO a (b) VALUES ('"),
      /^source: the dump, byte 26: has a value that cannot be read/,
    ],
    [
      'a type of millions of words',
      'KAMAILIO',
      packed(' a', 7_000_000, 'INSERT INTO a (b) VALUES (1::a', '!);'),
      /^source: the dump, byte 26: has a value that cannot be read/,
    ],
    [
      'millions of semicolons behind what is no end of a row',
      'KAMAILIO',
      packed(';', 15_000_000, 'INSERT INTO a (b) VALUES (1) z'),
      /^source: has no table of kamailio/,
    ],
    [
      'a table of texts with quotes',
      'KAMAILIO',
      packed(`"\\'"`, 100_000, 'CREATE TABLE a (b int, ', '); INSERT INTO other VALUES (1);'),
      /^source: the dump, byte \d+: the columns of other are not known/,
    ],
    // Reading these would take minutes if a pattern tried each length of each of its parts, or looked beyond its statement.
    [
      'a character set without a text',
      'KAMAILIO',
      packed('a', 300_000, 'INSERT INTO a (b) VALUES (_', '!);'),
      /^source: the dump, byte \d+: has a value that cannot be read/,
    ],
    [
      'a type that does not end',
      'KAMAILIO',
      packed(' ', 300_000, 'INSERT INTO a (b) VALUES (1::', '!);'),
      /^source: the dump, byte \d+: has a value that cannot be read/,
    ],
    [
      'lists of columns that do not end',
      'KAMAILIO',
      packed('INSERT INTO a(;', 140_000),
      /^source: the dump has no CREATE TABLE/,
    ],
    [
      'COPY without lines',
      'KAMAILIO',
      packed('COPY a(b) FROM stdin;', 100_000),
      /^source: the dump has no CREATE TABLE/,
    ],
  ])('refuses %s as another system', async (_, system, source, message) => {
    const { errors } = await move({ system, source, dryRun: true });
    expect(errors?.[0]?.message).toMatch(message);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  test.each([
    ['quotes', "''"],
    ['backslashes', '\\\\'],
    ['texts with quotes', `${'a'.repeat(500)}''b\\'`],
  ])('reads what follows a long text of %s', async (_, part) => {
    const rows = ['first', 'last'].map((name) => `('${name}', 'long.example', 'secret', '${part.repeat(2000)}')`);
    const source = packed(
      rows.join(', '),
      1,
      'INSERT INTO subscriber (username, domain, password, notes) VALUES ',
      ';',
    );
    const { data } = await move({ system: 'KAMAILIO', source, dryRun: true });
    expect(data.importFrom.kinds).toContainEqual(expect.objectContaining({ kind: 'Agent', created: 2 }));
  });

  test('compares recorded calls as the command does', async () => {
    const csv = await readFile(join(FIXTURES, 'calls.csv'), 'utf8');
    const replayed = await runCommand({ DATABASE_URL: subject().url }, 'replay', join(FIXTURES, 'calls.csv'), '--json');
    const { asked: _, ...totals } = JSON.parse(replayed.out) as Readonly<Record<string, unknown>>;
    const query = `query ($csv: String!) { replayCalls(csv: $csv) { calls same later differ unknown ignored invalid invalidRecord
      differences { count line from to source was now } } }`;
    expect((await subject().app.graphql(query, { csv })).data).toEqual({ replayCalls: totals });
    const many = `from,to\n${'1001@pbx.example,1002\n'.repeat(2001)}`;
    const { errors } = await subject().app.graphql(query, { csv: many });
    expect(errors?.[0]?.message).toBe('csv: has more than 2000 rows; send fewer at once');
  });

  test('lets only admins move systems and replay calls', async () => {
    const token = await operatorToken(subject().app);
    const replays = await subject().app.graphql('{ replayCalls(csv: "from,to") { calls } }', {}, { token });
    const moves = await move({ system: 'KAMAILIO', source: 'x' }, { token });
    for (const { errors } of [replays, moves]) expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe.each(databases)('An import from a database on $name', ({ createDatabase }) => {
  let own: TestDatabase;
  let other: TestDatabase;

  beforeEach(async () => {
    [own, other] = [await createDatabase(), await createDatabase()];
    await (await startApp({ DATABASE_URL: own.url })).close();
  });

  afterEach(async () => {
    await own.drop();
    await other.drop();
  });

  test.each(SOURCES.filter(({ source }) => source.endsWith('.sql')))(
    'of $system reads what a dump of it has, and changes nothing there',
    async ({ system, source, options }) => {
      const file = join(FIXTURES, source);
      const text = (await readFile(file, 'utf8')).replace(/^--.*\n/gm, '');
      for (const statement of text.split(/;\n/).filter((each) => each.trim() !== ''))
        await runSql(other.url, statement);
      const run = async (from: string): Promise<Report> => {
        const { out, code } = await runCommand(
          { DATABASE_URL: own.url },
          'import-from',
          system,
          from,
          ...options,
          '--json',
        );
        expect(code).toBe(0);
        return JSON.parse(out) as Report;
      };
      const [read, dumped] = [await run(other.url), await run(file)];
      expect(sorted(read)).toEqual(sorted(dumped));
    },
  );
});

describeWith(['postgres', 'openssl'], 'An import from a database on PostgreSQL', () => {
  let server: OwnPostgres;
  let directory: string;
  let own: TestDatabase;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-postgres-'));
    certify(directory, 'ca', 'localhost');
    certify(directory, 'other', 'localhost');
    server = await ownPostgres(join(directory, 'ca-localhost'));
    own = await createSqliteDatabase();
    await (await startApp({ DATABASE_URL: own.url })).close();
  }, 60_000);

  afterAll(async () => {
    await server.remove();
    await own.drop();
    await rm(directory, { recursive: true });
  });

  const run = (...args: readonly string[]): Promise<Ran> =>
    runCommand({ DATABASE_URL: own.url }, 'import-from', ...args, '--json');
  const report = async (...args: readonly string[]): Promise<Report> => {
    const { out, err, code } = await run(...args);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    return JSON.parse(out) as Report;
  };
  const create = async (name: string, statements: string): Promise<string> => {
    await server.run(`CREATE DATABASE ${name};\n\\connect ${name}\n${statements}`);
    return server.url + name;
  };

  test('of routr2 reads what a dump of it has', async () => {
    const dump = join(FIXTURES, 'routr2.sql');
    const rows = (await readFile(dump, 'utf8')).replace(/^CREATE TABLE[^;]*;/m, '');
    const url = await create('routr', `${await readFile(join(FIXTURES, 'routr2-schema.sql'), 'utf8')}\n${rows}`);
    const read = await report('routr2', url);
    expect(sorted(read)).toEqual(sorted(await report('routr2', dump)));
    expect(read.kinds.reduce((sum, { created }) => sum + created, 0)).toBe(6);
  });

  test('of kamailio reads what a dump of it has, more than a page of it, and only what the user may read', async () => {
    const dump = join(FIXTURES, 'kamailio.sql');
    const rows = (await readFile(dump, 'utf8')).replaceAll('DATETIME', 'TIMESTAMP');
    const url = await create('kamailio', rows);
    const options = ['--gateway', 'sip.carrier.example'];
    const read = await report('kamailio', url, ...options);
    expect(sorted(read)).toEqual(sorted(await report('kamailio', dump, ...options)));

    const many = Array.from(
      { length: 2500 },
      (_, n) => `(${String(n + 100)}, 'user${String(n)}', 'pbx.example', 'a', '', '')`,
    );
    await server.run(
      `\\connect kamailio\nINSERT INTO subscriber VALUES ${many.join(', ')};
       CREATE ROLE limited LOGIN PASSWORD 'a-secret'; GRANT SELECT ON domain, subscriber TO limited;`,
    );
    const { kinds, missing } = await report('kamailio', url.replace('reader:', 'limited:'));
    expect(kinds.map(({ kind, created }) => `${String(created)} ${kind}`)).toEqual(['2 Domain', '2503 Agent']);
    expect(missing.map(({ what }) => what)).not.toContain('speed_dial: the table has no counterpart');
  });

  test.each([
    ['ssl=verify with its authority', 'localhost', () => `ssl=verify&ssl-ca=${join(directory, 'ca.pem')}`, ''],
    ['ssl=require', 'localhost', () => 'ssl=require', ''],
    [
      'ssl=verify with another authority',
      'localhost',
      () => `ssl=verify&ssl-ca=${join(directory, 'other.pem')}`,
      'SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE',
    ],
  ])('with %s is read with TLS, or not at all', async (_, host, parameters, code) => {
    const url = `${server.url.replace('127.0.0.1', host)}postgres?${parameters()}`;
    const ran = await run('kamailio', url);
    expect(ran.err + ran.out).not.toContain('a-secret');
    // What is read is empty.
    const problem = code === '' ? 'has no table of kamailio' : `the database cannot be read \\((?:${code})\\)`;
    expect(ran).toMatchObject({ out: '', code: 1, err: expect.stringMatching(problem) });
  });

  test('with a wrong password is refused without a word of it', async () => {
    const ran = await run('kamailio', `${server.url.replace('a-secret', 'wrong-secret')}postgres`);
    expect(ran).toMatchObject({
      out: '',
      code: 1,
      err: expect.stringContaining('the database cannot be read (28P01)'),
    });
    expect(ran.err).not.toContain('-secret');
  });
});

function sorted({ missing, ...others }: Report): object {
  return { ...others, missing: missing.toSorted((a, b) => (a.what < b.what ? -1 : 1)) };
}

describe('docs/moving-in.md', () => {
  let own: TestDatabase;
  let directory: string;

  beforeAll(async () => {
    own = await createSqliteDatabase();
    await (await startApp({ DATABASE_URL: own.url })).close();
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-moving-docs-'));
  });

  afterAll(async () => {
    await own.drop();
    await rm(directory, { recursive: true });
  });

  test('moves a Kamailio beside the running one, word by word', async () => {
    const page = await readFile(resolve(__dirname, '../../docs/moving-in.md'), 'utf8');
    const steps = [...page.matchAll(/```sh\nsipgraph (.*)\n((?:sipgraph .*\n)*)```\n(?:\n```text\n([^`]*)```)?/g)];
    const places: Readonly<Record<string, string>> = {
      'kamailio.sql': join(FIXTURES, 'kamailio.sql'),
      'calls.csv': join(FIXTURES, 'calls.csv'),
      pbx: join(directory, 'pbx'),
      kept: join(directory, 'kept'),
    };
    const codes: number[] = [];
    for (const [, first = '', others = '', shown = ''] of steps) {
      const commands = [first, ...others.split('\n').map((line) => line.replace(/^sipgraph /, ''))];
      for (const command of commands.filter((each) => each !== '')) {
        const args = command.split(' ').map((word) => places[word] ?? word);
        const { code, out, err } = await runCommand({ DATABASE_URL: own.url }, ...args);
        expect({ command, err }).toEqual({ command, err: '' });
        codes.push(code);
        const parts = shown.split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        expect(out).toMatch(new RegExp(`^${parts.join('[^]*').replace(/ +/g, ' +')}`));
      }
    }
    expect(codes).toEqual([0, 0, 0, 0, 3, 0, 0, 0]);
  });
});

describe.each(databases)('A replay of calls on $name', ({ createDatabase }) => {
  let own: TestDatabase;
  let directory: string;

  beforeAll(async () => {
    own = await createDatabase();
    await (await startApp({ DATABASE_URL: own.url })).close();
    directory = await mkdtemp(join(tmpdir(), 'sipgraph-replay-'));
    for (const { system, source, options } of SOURCES)
      await runCommand({ DATABASE_URL: own.url }, 'import-from', system, join(FIXTURES, source), ...options, '--apply');
  });

  afterAll(async () => {
    await own.drop();
    await rm(directory, { recursive: true });
  });

  const replay = async (
    text: string,
  ): Promise<{ readonly code: number; readonly err: string; readonly json: object }> => {
    const file = join(directory, 'calls.csv');
    await writeFile(file, text);
    const { code, out, err } = await runCommand({ DATABASE_URL: own.url }, 'replay', file, '--json');
    return { code, err, json: JSON.parse(out || '{}') as object };
  };

  test.each([
    [
      "Kamailio's acc, in which requests for digests and a BYE are no calls",
      `id,method,sip_code,src_user,src_domain,src_ip,dst_ouser,dst_user,dst_domain
1,INVITE,407,1001,pbx.example,192.0.2.77,1002,1002,pbx.example
2,INVITE,200,1001,pbx.example,192.0.2.77,1002,1002,198.51.100.80
3,BYE,200,1001,pbx.example,192.0.2.77,1002,1002,198.51.100.80
4,INVITE,486,1001,pbx.example,192.0.2.77,+49301234567,99#+49301234567,sip.carrier.example:5070
5,INVITE,404,1001,pbx.example,192.0.2.77,7777,7777,pbx.example
6,INVITE,200,+13135550100,192.0.2.112,192.0.2.112,+13132468974,+13132468974,192.0.2.56`,
      { calls: 4, asked: 4, same: 4, differ: 0, ignored: 2, invalid: 0 },
      [],
    ],
    [
      "Asterisk's CDR, with semicolons, each call asked about once",
      `src;dst;channel;dstchannel;disposition
1001@pbx.example;1002;PJSIP/1001-0000000a;PJSIP/1002-0000000b;ANSWERED
1001@pbx.example;1002;PJSIP/1001-0000000c;PJSIP/1002-0000000d;NO ANSWER
1001@pbx.example;+49301234567;PJSIP/1001-0000000e;PJSIP/Carrier One-0000000f;ANSWERED
1001@pbx.example;1002;PJSIP/1001-00000010;PJSIP/1003-00000011;ANSWERED`,
      { calls: 4, asked: 2, same: 3, differ: 1, ignored: 0, invalid: 0 },
      [{ count: 1, was: 'goes to 1003', now: 'rings sip:1002@pbx.example', line: 5 }],
    ],
    [
      'the export of calls, whose gateway is the source of a call from outside',
      `id,state,direction,from,to,called,gatewayRef,status,source
1,ENDED,INTERNAL,sip:1001@pbx.example,sip:1002@pbx.example,sip:1002@pbx.example,,200,192.0.2.77
2,ENDED,OUT,sip:1001@pbx.example,sip:+49301234567@pbx.example,+49301234567,gone,200,192.0.2.77
3,ENDED,IN,sip:+13135550100@192.0.2.112,sip:+13132468975@192.0.2.1,sip:branch@pbx.invalid,gw,200,192.0.2.112
4,FAILED,OUT,sip:1001@pbx.example,sip:+44201234567@pbx.example,,,404,192.0.2.77
5,FAILED,OUT,,sip:+44201234567@pbx.example,,,404,192.0.2.77
6,FAILED,OUT,not a caller at all,1002,,,404,192.0.2.77`,
      { calls: 4, same: 3, differ: 1, ignored: 0, invalid: 2, invalidRecord: 'line 6: has no caller' },
      [{ was: 'leaves by gone', now: expect.stringMatching(/^leaves by gw\w+ \(Carrier One\)$/) }],
    ],
    [
      'records without the way, in which 486 is of a call that rang',
      `from,to,status
1001@pbx.example,1002,486
1001@pbx.example,1002,404`,
      { calls: 2, same: 1, differ: 1 },
      [{ was: 'refused 404', now: 'rings sip:1002@pbx.example', line: 3 }],
    ],
  ])('reads %s', async (_, text, totals, differences) => {
    const { code, err, json } = await replay(text);
    expect({ code, err }).toEqual({ code: differences.length > 0 ? 3 : 0, err: '' });
    expect(json).toMatchObject({ ...totals, differences });
  });

  test.each([
    ['calls without a caller', 'to,source\n1002,192.0.2.1\n', /^header: has no column for the caller/],
    ['calls without a called number', 'src,source\n1002,192.0.2.1\n', /^header: has no column for the called number/],
    ['what is not CSV', 'from,to\n"1001,1002\n', /^Line \d+: /],
  ])('refuses %s', async (_, text, message) => {
    const file = join(directory, 'wrong.csv');
    await writeFile(file, text);
    const { code, out, err } = await runCommand({ DATABASE_URL: own.url }, 'replay', file);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
  });
});

describe.each(databases)('A replay of calls to what has changed on $name', ({ createDatabase }) => {
  test('takes a number without a device for one that rings, though its outside number has no gateway', async () => {
    const own = await createDatabase();
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-replayed-'));
    const app = await startApp({ DATABASE_URL: own.url });
    const domainRef = await createDomain(app, { domainUri: 'one.test' });
    for (const username of ['anna', 'ben']) await createAgent(app, { username, domains: ['one.test'] });
    const gatewayRef = await createGateway(app, { host: '198.51.100.7', transport: 'TLS' });
    const targets = { aorLink: 'sip:ben@one.test', furtherTargets: ['tel:+33142 after 5'] };
    const number = await createNumber(app, { telUrl: 'tel:+49300', gatewayRef, ...targets });
    await createRoute(app, { domainRef, prefix: '+33', numberRefs: [number] });
    await app.close();
    const file = join(directory, 'calls.csv');
    await writeFile(file, 'from,to,gateway,called,status\nanna@one.test,+49300,,sip:ben@one.test,200');
    const { code, out, err } = await runCommand({ DATABASE_URL: own.url }, 'replay', file, '--json');
    await own.drop();
    await rm(directory, { recursive: true });
    expect(JSON.parse(out)).toMatchObject({ calls: 1, same: 1, differ: 0, differences: [] });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  test('names the calls of which only the SIP server knows what becomes, and why, after those that differ', async () => {
    const own = await createDatabase();
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-replayed-'));
    const app = await startApp({ DATABASE_URL: own.url });
    await createDomain(app, { domainUri: 'one.test' });
    await createAgent(app, { username: 'anna', domains: ['one.test'] });
    const gatewayRef = await createGateway(app, { name: 'Carrier', host: 'sip.carrier.test' });
    await createNumber(app, { telUrl: 'tel:+49301', gatewayRef, aorLink: 'sip:anna@one.test' });
    await app.close();
    const file = join(directory, 'calls.csv');
    const inbound = '+33142,+49301,192.0.2.9,sip:anna@one.test,200';
    await writeFile(file, ['from,to,source,called,status', inbound, inbound, 'anna@one.test,+1,,,200'].join('\n'));
    const ran = await runCommand({ DATABASE_URL: own.url }, 'replay', file, '--json');
    const plain = await runCommand({ DATABASE_URL: own.url }, 'replay', file);
    await own.drop();
    await rm(directory, { recursive: true });
    const reason = 'unknown: the address of the host is not known here: whether 192.0.2.9 is one of sip.carrier.test';
    expect(JSON.parse(ran.out)).toMatchObject({
      differ: 1,
      unknown: 2,
      differences: [
        { from: 'anna@one.test', count: 1 },
        { from: '+33142', source: '192.0.2.9', count: 2, line: 2, now: expect.stringContaining(reason) },
      ],
    });
    expect(plain.out).toContain(reason);
  });

  test('compares with what is tried first, and does not take the disabled and the deleted for those without a device', async () => {
    const own = await createDatabase();
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-replayed-'));
    const app = await startApp({ DATABASE_URL: own.url });
    const domainRef = await createDomain(app, { domainUri: 'one.test' });
    const gateways = ['First', 'Second'].map((name, n) =>
      createGateway(app, { name, host: `198.51.100.${String(n + 7)}` }),
    );
    const aorLink = 'sip:gone@one.test';
    const numbers = gateways.map(async (gateway, n) =>
      createNumber(app, { telUrl: `tel:+4930${String(n)}`, gatewayRef: await gateway, aorLink }),
    );
    await createRoute(app, { domainRef, prefix: '+33', numberRefs: await Promise.all(numbers) });
    for (const username of ['anna', 'ben', 'carl'])
      await createAgent(app, { username, domains: ['one.test'], enabled: username !== 'carl' });
    await app.close();
    const file = join(directory, 'calls.csv');
    await writeFile(
      file,
      `from,to,gateway,called,status
anna@one.test,+33123,First,,200
anna@one.test,+33123,Second,,200
anna@one.test,+33123,Third,,200
anna@one.test,ben,,sip:ben@one.test,200
anna@one.test
anna@one.test,carl,,sip:carl@one.test,200
anna@one.test,gone,,sip:gone@one.test,200
anna@one.test,+49300,,sip:gone@one.test,200`,
    );
    const { code, out, err } = await runCommand({ DATABASE_URL: own.url }, 'replay', file, '--json');
    const plain = await runCommand({ DATABASE_URL: own.url }, 'replay', file);
    await own.drop();
    await rm(directory, { recursive: true });
    expect({ code, err }).toEqual({ code: 3, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      calls: 7,
      same: 2,
      later: 1,
      differ: 4,
      invalid: 1,
      invalidRecord: 'line 6: Invalid Record Length: columns length is 5, got 1',
      differences: [
        { line: 3, was: 'leaves by Second', now: expect.stringMatching(/ \(First\)$/) },
        { line: 4, was: 'leaves by Third' },
        { line: 7, now: 'refused 480: agent carl@one.test is disabled: enable it to let it ring' },
        { line: 8, now: 'refused 404: no agent or peer gone in domain one.test' },
        { line: 9, now: 'refused 404: no agent or peer gone in domain one.test' },
      ],
    });
    expect(plain.out).toContain(
      'Of 7 calls (5 distinct), 2 go the same way, 4 differ, 1 go by a later attempt, 1 record cannot be read',
    );
  });
});
