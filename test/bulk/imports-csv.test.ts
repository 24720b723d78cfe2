import { lineOf } from '../../src/spelling/csv';
import type { GraphqlReply, TestApp } from '../support/app';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createUser,
} from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

interface Row {
  readonly line: number;
  readonly outcome: string;
  readonly ref: string | null;
  readonly errors: readonly {
    readonly field: string | null;
    readonly value: string | null;
    readonly message: string;
  }[];
}

interface Import {
  readonly imported: boolean;
  readonly request: string | null;
  readonly rows: readonly Row[];
}

type Cells = Readonly<Record<string, unknown>>;

function importing(
  app: TestApp,
  kind: string,
  csv: string,
  { dryRun = false, token }: { readonly dryRun?: boolean; readonly token?: string } = {},
): Promise<GraphqlReply<{ readonly importCsv: Import }>> {
  return app.graphql<{ readonly importCsv: Import }>(
    `mutation ($kind: ResourceKind!, $csv: String!, $dryRun: Boolean!) {
      importCsv(kind: $kind, csv: $csv, dryRun: $dryRun) {
        imported request rows { line outcome ref errors { field value message } }
      }
    }`,
    { kind, csv, dryRun },
    { ...(token !== undefined && { token }) },
  );
}

async function imported(app: TestApp, kind: string, csv: string, dryRun = false): Promise<Import> {
  const { data, errors } = await importing(app, kind, csv, { dryRun });
  if (errors) throw new Error(JSON.stringify(errors));
  return data.importCsv;
}

/** What is wrong with each row: the line, and the column, cell and message of each error. */
function errorsIn({ rows }: Import): readonly (readonly unknown[])[] {
  return rows.flatMap(({ line, errors }) => errors.map(({ field, value, message }) => [line, field, value, message]));
}

/** CSV as the console exports it. */
function csvOf(columns: readonly string[], rows: readonly Cells[]): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(lineOf).join('');
}

/** A kind, its columns in an export, and resources of it with odd values. */
interface Sample {
  readonly kind: string;
  readonly collection: string;
  readonly columns: readonly string[];
  /** The fields that identify a resource. */
  readonly key: readonly string[];
  /** What to select to read the columns. */
  readonly selection: string;
  readonly create: (app: TestApp) => Promise<unknown>;
  /** A cell that changes the first resource. */
  readonly edit: readonly [column: string, cell: string, shown: unknown];
}

const GEO = { city: '=Nice;  =1;2', country: null, countryISOCode: 'FR' };
const NUMBER_COLUMNS = [
  'ref',
  'telUrl',
  'aorLink',
  'gatewayRef',
  'geoInfo.city',
  'geoInfo.country',
  'geoInfo.countryISOCode',
];
const NUMBER_FIELDS = 'ref telUrl aorLink gatewayRef: gateway { ref } geoInfo { city country countryISOCode }';
const SAMPLES: readonly Sample[] = [
  {
    kind: 'Gateway',
    collection: 'gateways',
    columns: [
      'ref',
      'name',
      'host',
      'username',
      'transport',
      'port',
      'expires',
      'sendRegister',
      'registries',
      'sources',
    ],
    key: ['host', 'port', 'username'],
    selection: 'ref name host username transport port expires sendRegister registries sources',
    create: async (app) => {
      await createGateway(app, { name: "'=1", transport: 'TLS', sendRegister: false, sources: [], registries: null });
      const lists = { sources: ['192.0.2.0/24', '2001:db8::/32'], registries: ['a.test', 'b.test:5061'] };
      await createGateway(app, { ...lists, name: ' with, "quotes" ', port: 5061, expires: 60, sendRegister: true });
      await createGateway(app, { username: 'trunk', secret: 'secret of the trunk' });
    },
    edit: ['sources', '198.51.100.1;198.51.100.2', ['198.51.100.1', '198.51.100.2']],
  },
  {
    kind: 'Domain',
    collection: 'domains',
    columns: [
      'ref',
      'name',
      'domainUri',
      'egressPolicy.rule',
      'egressPolicy.numberRef',
      'accessControlList.allow',
      'accessControlList.deny',
    ],
    key: ['domainUri'],
    selection: 'ref name domainUri egressPolicy { rule } egressNumber { ref } accessControlList { allow deny }',
    create: async (app) => {
      const numberRef = await createNumber(app, { geoInfo: GEO });
      await createDomain(app, {
        egressPolicy: { rule: '=.*;=1', numberRef },
        accessControlList: { allow: ['10.0.0.0/8', '192.168.0.0/255.255.0.0'], deny: [] },
      });
      await createDomain(app, { domainUri: 'csv-last.test', accessControlList: { deny: ['0.0.0.0/0'] } });
    },
    edit: [
      'accessControlList.deny',
      '0.0.0.0/0',
      { allow: ['10.0.0.0/8', '192.168.0.0/255.255.0.0'], deny: ['0.0.0.0/0'] },
    ],
  },
  {
    kind: 'Agent',
    collection: 'agents',
    columns: ['ref', 'name', 'username', 'domains', 'privacy', 'maxContacts'],
    key: ['username', 'domains'],
    selection: 'ref name username domains { domainUri } privacy maxContacts',
    create: async (app) => {
      await createDomain(app, { domainUri: 'csv-b.test' });
      await createDomain(app, { domainUri: 'csv-a.test' });
      await createAgent(app, { domains: ['csv-b.test', 'csv-a.test'], privacy: 'PRIVATE', maxContacts: 3 });
      await createAgent(app, { name: '-1+1', username: '=user', domains: ['csv-a.test'] });
    },
    edit: ['domains', 'csv-a.test, csv-b.test', [{ domainUri: 'csv-a.test' }, { domainUri: 'csv-b.test' }]],
  },
  {
    kind: 'Peer',
    collection: 'peers',
    columns: ['ref', 'name', 'username', 'device', 'contactAddr'],
    key: ['username'],
    selection: 'ref name username device contactAddr',
    create: async (app) => {
      await createPeer(app, { device: '@device', contactAddr: '192.0.2.1:5060' });
      await createPeer(app, {});
    },
    edit: ['device', 'Asterisk; 20', 'Asterisk; 20'],
  },
  {
    kind: 'DID',
    collection: 'dids',
    columns: NUMBER_COLUMNS,
    key: ['telUrl'],
    selection: NUMBER_FIELDS,
    create: async (app) => {
      await createDid(app, { geoInfo: GEO });
      await createDid(app);
    },
    edit: ['aorLink', 'other@csv.test', 'sip:other@csv.test'],
  },
  {
    kind: 'Number',
    collection: 'numbers',
    columns: NUMBER_COLUMNS,
    key: ['telUrl'],
    selection: NUMBER_FIELDS,
    create: async (app) => {
      await createNumber(app, { geoInfo: GEO });
      await createNumber(app);
    },
    edit: ['geoInfo.city', 'Chur', { city: 'Chur', country: null, countryISOCode: 'FR' }],
  },
];

/** The resources of a kind, in the order of creation, by column. */
async function rowsOf(app: TestApp, { collection, columns, selection }: Sample): Promise<readonly Cells[]> {
  const { data, errors } = await app.graphql<Record<string, { readonly nodes: readonly Cells[] }>>(
    `{ ${collection}(first: 100) { nodes { ${selection} } } }`,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return (data[collection]?.nodes ?? []).map((node) =>
    Object.fromEntries(
      columns.map((column) => {
        if (column === 'gatewayRef') return [column, (node[column] as Cells)['ref']];
        if (column === 'domains') return [column, (node[column] as readonly Cells[]).map((each) => each['domainUri'])];
        if (column === 'egressPolicy.numberRef') return [column, (node['egressNumber'] as Cells | null)?.['ref']];
        return [column, column.split('.').reduce<unknown>((value, key) => (value as Cells | null)?.[key], node)];
      }),
    ),
  );
}

async function revert(app: TestApp, request: string | null): Promise<void> {
  const mutation = 'mutation ($id: String!) { revertRequest(id: $id) { event } }';
  const { errors } = await app.graphql(mutation, { id: request });
  expect(errors).toBeUndefined();
}

onEachDriver('An import of CSV', (subject) => {
  beforeAll(async () => {
    for (const { create } of SAMPLES) await create(subject().app);
  });

  describe.each(SAMPLES)('of kind $kind', (sample) => {
    const { kind, columns, key, edit } = sample;
    const outcomes = ({ rows }: Import): readonly string[] => [...new Set(rows.map(({ outcome }) => outcome))];

    test('leaves each row of an export unchanged, with and without references, and with any delimiter', async () => {
      const { app } = subject();
      const rows = await rowsOf(app, sample);
      const whole = csvOf(columns, rows);
      const keyed = columns.filter((column) => column !== 'ref');
      const files = [
        whole,
        csvOf(keyed, rows),
        csvOf(['ref', ...key], rows),
        `\uFEFF${csvOf([...keyed].reverse(), rows).replaceAll('\r\n', '\n')}`,
      ];
      // In these files, commas are only in quotes.
      for (const delimiter of [';', '\t'])
        files.push(
          [columns, ...rows.map((row) => columns.map((column) => lineOf([row[column]]).replace('\r\n', '')))]
            .map((cells) => cells.map((cell) => (/^"|[;\t]/.test(cell) ? cell : `"${cell}"`)).join(delimiter))
            .join('\n'),
        );
      for (const csv of files) {
        const result = await imported(app, kind, csv);
        expect(errorsIn(result)).toEqual([]);
        expect(result).toMatchObject({ imported: true, request: null });
        expect(result.rows.map(({ outcome, ref }) => [outcome, ref])).toEqual(
          rows.map(({ ref }) => ['UNCHANGED', ref]),
        );
      }
      expect(await rowsOf(app, sample)).toEqual(rows);
    });

    test('updates the resource of a row, keeps what has no column, and can be reverted', async () => {
      const { app } = subject();
      const before = await rowsOf(app, sample);
      const [first = {}] = before;
      const [column, cell, shown] = edit;
      const csv = `ref;${column}\n${String(first['ref'])};"${cell}"\n`;
      const dry = await imported(app, kind, csv, true);
      expect(dry).toMatchObject({ imported: false, request: null, rows: [{ outcome: 'UPDATED', ref: first['ref'] }] });
      expect(await rowsOf(app, sample)).toEqual(before);
      const { imported: isImported, request } = await imported(app, kind, csv);
      expect(isImported).toBe(true);
      const [name = ''] = column.split('.');
      const { data } = await app.graphql<Record<string, { readonly nodes: readonly Cells[] }>>(
        `{ ${sample.collection}(first: 1) { nodes { ${sample.selection} } } }`,
      );
      expect(data[sample.collection]?.nodes[0]?.[name]).toEqual(shown);
      await revert(app, request);
      expect(await rowsOf(app, sample)).toEqual(before);
    });

    test('creates the resources again that were deleted, with their references', async () => {
      const { app } = subject();
      const before = await rowsOf(app, sample);
      // The others are in use.
      const last =
        before.find(({ username, domainUri }) => username === 'trunk' || domainUri === 'csv-last.test') ??
        before.at(-1) ??
        {};
      const secret = ['Agent', 'Peer', 'Gateway'].includes(kind) ? { secret: 'a new secret' } : {};
      const csv = csvOf([...columns, ...Object.keys(secret)], [{ ...last, ...secret }]);
      const { errors } = await app.graphql(`mutation ($ref: String!) { delete${kind}(ref: $ref) }`, {
        ref: last['ref'],
      });
      expect(errors).toBeUndefined();
      const made = await imported(app, kind, csv);
      expect(errorsIn(made)).toEqual([]);
      expect(made.rows).toMatchObject([{ outcome: 'CREATED', ref: last['ref'] }]);
      expect(new Set(await rowsOf(app, sample))).toEqual(new Set(before));
      expect(JSON.stringify(await imported(app, kind, csv, true))).not.toContain('a new secret');
    });

    test('refuses unknown and repeated columns', async () => {
      const { app } = subject();
      const { errors } = await importing(app, kind, `ref,colour,${columns[1] ?? ''},REF\nx,y,z,x\n`);
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: ['header'] } }]);
      expect(errors?.[0]?.message).toContain('unknown column colour, repeated column REF; expected ref, ');
    });

    test('changes nothing if the second row is about the same resource as the first', async () => {
      const { app } = subject();
      const [first = {}] = await rowsOf(app, sample);
      const csv = csvOf(columns, [first, { ...first, ref: '' }, first]);
      const result = await imported(app, kind, csv);
      expect(result.imported).toBe(false);
      expect(outcomes(result)).toEqual(['UNCHANGED', 'FAILED']);
      expect(errorsIn(result).map(([line, , , message]) => [line, message])).toEqual([
        [3, 'duplicates line 2'],
        [4, 'duplicates line 2'],
      ]);
    });
  });

  test.each([['LF'], ['CRLF']])('reports the first line of a row whose cells have several, with %s', async (end) => {
    // `createdOn` is ignored.
    const rows = ['A,first.test,"one', '', 'three",', 'B,odd name,,"one', 'two"', '', 'C,odd name,,'];
    const lines = ['name,domainUri,note,createdOn', ...rows];
    const result = await imported(subject().app, 'Domain', lines.join(end === 'LF' ? '\n' : '\r\n'), true);
    expect(errorsIn(result).map(([line, field]) => [line, field])).toEqual([
      [2, 'note'],
      [5, 'domainUri'],
      [8, 'domainUri'],
    ]);
  });

  test('changes nothing if a cell is wrong, and reports the column and the cell of each error', async () => {
    const { app } = subject();
    await createDomain(app, { domainUri: 'csv-errors.test' });
    const rows = [
      'Ada;ada;secret-of-ada;csv-errors.test;;1',
      'Bob;b b;x y;csv-errors.test;loud;many',
      ';eve;;nowhere.test;;',
      'Ada;ada;secret-of-ada;csv-errors.test;;1',
    ];
    const result = await imported(
      app,
      'Agent',
      ['name;username;Secret;domains;privacy;maxContacts', ...rows].join('\n'),
    );
    expect(result.imported).toBe(false);
    expect(errorsIn(result).map(([line, field, value]) => [line, field, value])).toEqual([
      [3, 'privacy', 'loud'],
      [3, 'maxContacts', 'many'],
      [4, 'domains', 'nowhere.test'],
      [4, 'name', ''],
      [4, 'Secret', null],
      [5, 'username', 'ada'],
    ]);
    expect(JSON.stringify(result)).not.toContain('secret-of-ada');
    const name = await imported(app, 'Agent', 'name;username;secret;domains\nEve;e@e;secret-of-eve;csv-errors.test');
    expect(errorsIn(name)).toMatchObject([[2, 'username', 'e@e', expect.stringContaining('"e@e"')]]);
    const missing = await imported(app, 'Agent', 'name;username;secret;domains\nEve;eve;secret-of-eve;nowhere.test');
    expect(errorsIn(missing)).toEqual([[2, 'domains', 'nowhere.test', 'Domain "nowhere.test" does not exist']]);
    const { data } = await app.graphql('{ agents(where: { username: { in: ["ada", "eve"] } }) { totalCount } }');
    expect(data).toEqual({ agents: { totalCount: 0 } });
  });

  test('swaps unique values, is reverted as a whole, and names the row whose value another resource keeps', async () => {
    const { app } = subject();
    await createDomain(app, { domainUri: 'swap.test' });
    const refs: string[] = [];
    for (const username of ['ann', 'bob', 'cy'])
      refs.push(await createAgent(app, { username, domains: ['swap.test'] }));
    const [ann = '', bob = ''] = refs;
    const rows = Array.from({ length: 250 }, (_, n) => ({
      ref: '',
      name: 'P',
      username: `p${String(n)}`,
      secret: 's',
    }));
    const names = async (): Promise<unknown> => {
      const found = await app.graphql<Record<string, { readonly nodes: readonly object[] }>>(
        `{ agents(where: { ref: { in: ${JSON.stringify(refs)} } }) { nodes { username } } }`,
      );
      return found.data['agents']?.nodes;
    };
    const swap = csvOf(
      ['ref', 'username'],
      [
        { ref: ann, username: 'bob' },
        { ref: bob, username: 'ann' },
      ],
    );
    const done = await imported(app, 'Agent', swap);
    expect(done).toMatchObject({ imported: true, rows: [{ outcome: 'UPDATED' }, { outcome: 'UPDATED' }] });
    expect(await names()).toEqual([{ username: 'bob' }, { username: 'ann' }, { username: 'cy' }]);
    const reverted = await app.graphql(`mutation { revertRequest(id: "${done.request ?? ''}") { event } }`);
    expect(reverted.errors).toBeUndefined();
    expect(await names()).toEqual([{ username: 'ann' }, { username: 'bob' }, { username: 'cy' }]);
    const taken = csvOf(
      ['ref', 'username'],
      [
        { ref: ann, username: 'cy' },
        { ref: bob, username: 'ann' },
      ],
    );
    const refused = await imported(app, 'Agent', taken);
    expect(refused.imported).toBe(false);
    expect(errorsIn(refused).map(([line, field, value]) => [line, field, value])).toEqual([
      [2, 'username', 'cy'],
      [2, 'domains', null],
    ]);
    // In another part of the file.
    const peers: string[] = [];
    for (const username of ['x', 'y']) peers.push(await createPeer(app, { username }));
    const far = csvOf(
      ['ref', 'name', 'username', 'secret'],
      [
        { ref: peers[0], name: 'X', username: 'y', secret: '' },
        ...rows,
        { ref: peers[1], name: 'Y', username: 'x', secret: '' },
      ],
    );
    expect((await imported(app, 'Peer', far)).imported).toBe(true);
  });

  test('names the row whose value another resource keeps, also if a cell of a list is empty', async () => {
    const { app } = subject();
    const gateway = await createGateway(app);
    const create = (telUrl: string): Promise<string> => createDid(app, { gatewayRef: gateway, telUrl });
    const [ref] = [await create('tel:+15550001'), await create('tel:+15550002')];
    const refused = await imported(app, 'DID', `ref,telUrl,furtherTargets\n${ref},tel:+15550002,\n`);
    expect(refused.imported).toBe(false);
    expect(errorsIn(refused).map(([line, field, value]) => [line, field, value])).toEqual([
      [2, 'telUrl', 'tel:+15550002'],
    ]);
  });

  test('clears the field of an empty cell, except a secret, and keeps that of a missing column', async () => {
    const { app } = subject();
    const ref = await createPeer(app, {
      name: 'Cleared',
      device: 'Asterisk',
      contactAddr: '192.0.2.9',
      secret: 'kept-secret',
    });
    const { rows } = await imported(app, 'Peer', `ref,device,credentials.secret\n${ref},,\n`);
    expect(rows).toMatchObject([{ outcome: 'UPDATED', ref }]);
    const { data } = await app.graphql(`{ peer(ref: "${ref}") { name device contactAddr secretSet } }`);
    expect(data).toEqual({ peer: { name: 'Cleared', device: null, contactAddr: '192.0.2.9', secretSet: true } });
    expect(await imported(app, 'Peer', `ref,name\n${ref},\n`)).toMatchObject({
      imported: false,
      rows: [{ errors: [{ field: 'name', value: '', message: 'is required' }] }],
    });
  });

  test('says that nothing has the reference of a row without the columns of a new resource', async () => {
    const { app } = subject();
    const [row] = (await imported(app, 'Peer', 'ref,name\nnobody,Other\n')).rows;
    expect(row).toMatchObject({
      errors: [
        { field: 'ref', value: 'nobody', message: 'no Peer has it' },
        { field: 'username', value: null, message: 'is required' },
        { field: 'secret', value: null, message: 'is required' },
      ],
    });
    const [created] = (await imported(app, 'Peer', 'ref,name,username,secret\nnobody,Other,,s\n')).rows;
    expect(created).toMatchObject({ errors: [{ field: 'username', value: '', message: 'is required' }] });
  });

  test('does not tell in a dry run whether a guessed secret is right', async () => {
    const { app } = subject();
    const ref = await createPeer(app, { secret: 'secret-of-peer' });
    const outcomeOf = async (secret: string): Promise<string | undefined> =>
      (await imported(app, 'Peer', `ref,secret\n${ref},${secret}\n`, true)).rows[0]?.outcome;
    expect([await outcomeOf('secret-of-peer'), await outcomeOf('a-wrong-guess')]).toEqual(['UPDATED', 'UPDATED']);
    expect(await outcomeOf('')).toBe('UNCHANGED');
  });

  test('takes numbers and addresses as people write them, and the headings of documents', async () => {
    const { app } = subject();
    const gateway = await createGateway(app);
    const csv = `TELURL\taorlink\tgwRef\tcity\tcreatedOn\n+49 (30) 765-4321\t1001@sip.local\t${gateway}\tBerlin\tyesterday\n\t\t\t\t\n`;
    const { rows, request } = await imported(app, 'DID', csv);
    expect(rows).toMatchObject([{ line: 2, outcome: 'CREATED' }]);
    const again = `telUrl,aorLink,gatewayRef,geoInfo.city\n0049307654321,sip:1001@sip.local,${gateway},Berlin\n`;
    expect((await imported(app, 'DID', again)).rows).toMatchObject([{ outcome: 'UNCHANGED', ref: rows[0]?.ref }]);
    await revert(app, request);
  });

  describe('whose links are names', () => {
    const numbered = (gateway: string, telUrl: string): string =>
      `telUrl,aorLink,gatewayRef\n${telUrl},1@sip.local,${gateway}\n`;
    const refOf = async (collection: string, link: string, ref: unknown): Promise<unknown> => {
      const { data } = await subject().app.graphql<Record<string, { readonly nodes: readonly Cells[] }>>(
        `query ($ref: String!) { ${collection}(where: { ref: { eq: $ref } }) { nodes { linked: ${link} { ref } } } }`,
        { ref },
      );
      return data[collection]?.nodes[0]?.['linked'];
    };

    test('takes the name of a gateway, and rather a ref than a name', async () => {
      const { app } = subject();
      const named = await createGateway(app, { name: 'The Carrier of Mumbai, 031' });
      const other = await createGateway(app, { name: named });
      const csv = (gateway: string): string => numbered(`"${gateway}"`, 'tel:+4930700');
      const made = await imported(app, 'DID', csv('The Carrier of Mumbai, 031'));
      expect(errorsIn(made)).toEqual([]);
      const [row] = made.rows;
      expect(row).toMatchObject({ outcome: 'CREATED' });
      expect(await refOf('dids', 'gateway', row?.ref)).toEqual({ ref: named });
      expect((await imported(app, 'DID', csv(named))).rows).toMatchObject([{ outcome: 'UNCHANGED', ref: row?.ref }]);
      const moved = await imported(app, 'DID', csv(other));
      expect(moved.rows).toMatchObject([{ outcome: 'UPDATED', ref: row?.ref }]);
      for (const { request } of [moved, made]) await revert(app, request);
    });

    test('refuses a name of none, of several, and of another kind, in a cell of each row', async () => {
      const { app } = subject();
      for (const port of [5071, 5072, 5073]) await createGateway(app, { name: 'Twice or more', port });
      await createDomain(app, { name: 'Only a domain', domainUri: 'csv-names.test' });
      const rows = ['Twice or more', 'No gateway has this very long name', 'Only a domain', 'twice or more'];
      const csv = [
        'telUrl,aorLink,gwRef',
        ...rows.map((name, n) => `tel:+493071${String(n)},1@sip.local,${name}`),
      ].join('\n');
      const wrong = (name: string): string => `Gateway "${name}" does not exist`;
      const messages = ['"Twice or more" is the name of 3 gateways: use the ref of one', ...rows.slice(1).map(wrong)];
      const result = await imported(app, 'DID', csv);
      expect(result.imported).toBe(false);
      expect(errorsIn(result)).toEqual(rows.map((name, n) => [n + 2, 'gwRef', name, messages[n]]));
      const { data } = await app.graphql<{ readonly importNumbers: Import }>(
        `mutation ($csv: String!) { importNumbers(csv: $csv, kind: DID) { rows { line errors { field message } } } }`,
        { csv },
      );
      expect(data.importNumbers.rows).toEqual(
        rows.map((_, n) => ({ line: n + 2, errors: [{ field: 'gwRef', message: messages[n] }] })),
      );
    });

    test.each([
      [
        'an egress number',
        'Domain',
        'name,domainUri,rule,numberRef\nD,csv-egress.test,.*,+49 (30) 7200\n',
        'domains',
        'egressNumber',
        'number',
      ],
      [
        'a caller number',
        'Agent',
        'name,username,secret,domains,callerNumberRef\nA,csv7,secret-7,csv-links.test,0049307200\n',
        'agents',
        'callerNumber',
        'number',
      ],
      [
        'caller numbers',
        'Peer',
        'name,username,secret,callerNumberRefs\nP,csv-p7,secret-7,"+49307200"\n',
        'peers',
        'callerNumbers',
        'numbers',
      ],
      [
        'a domain by its URI',
        'Route',
        'name,domainRef,prefix,numberRefs\nR,CSV-links.test,+497,+49307200\n',
        'routes',
        'domain',
        'domain',
      ],
      [
        'a domain by its name',
        'Route',
        'name,domainRef,prefix,numberRefs\nR,The linked one,+498,+49307200\n',
        'routes',
        'domain',
        'domain',
      ],
      [
        'the numbers of a route',
        'Route',
        'name,domainRef,prefix,numberRefs\nR,csv-links.test,+499,+49307200\n',
        'routes',
        'numbers',
        'numbers',
      ],
      [
        'a domain by its name, in a list',
        'Agent',
        'name,username,secret,domains\nA,csv8,secret-8,"[""The linked one""]"\n',
        'agents',
        'domains',
        'domains',
      ],
    ])('takes %s', async (_what, kind, csv, collection, link, expected) => {
      const { app } = subject();
      const links = (linked ??= await linkable(app));
      const made = await imported(app, kind, csv);
      expect(errorsIn(made)).toEqual([]);
      expect(await refOf(collection, link, made.rows[0]?.ref)).toEqual(links[expected]);
      const again = await imported(app, kind, csv);
      expect(again.rows).toMatchObject([{ outcome: 'UNCHANGED', ref: made.rows[0]?.ref }]);
      await revert(app, made.request);
    });

    let linked: Readonly<Record<string, unknown>> | undefined;
    const linkable = async (app: TestApp): Promise<Readonly<Record<string, unknown>>> => {
      const domain = { ref: await createDomain(app, { name: 'The linked one', domainUri: 'csv-links.test' }) };
      const number = { ref: await createNumber(app, { telUrl: 'tel:+49307200' }) };
      return { domain, number, domains: [domain], numbers: [number] };
    };
  });

  test('keeps characters beyond U+FFFF, wherever they are in a long text', async () => {
    const { app } = subject();
    const name = (n: number): string => `${'a'.repeat(n % 3)}${'😀'.repeat(40)}`;
    const rows = Array.from({ length: 450 }, (_, n) => `${name(n)},smile${String(n)},secret-${String(n)}`);
    const { request, imported: isImported } = await imported(app, 'Peer', ['name,username,secret', ...rows].join('\n'));
    expect(isImported).toBe(true);
    const stored = await runSql(
      subject().url,
      `SELECT DISTINCT name FROM peers WHERE username LIKE 'smile%' ORDER BY name`,
    );
    expect(stored).toHaveLength(3);
    expect(stored.flat().sort()).toEqual([name(0), name(1), name(2)].sort());
    await revert(app, request);
  });

  test('creates and updates many rows in one request, and finds their duplicates', async () => {
    const { app } = subject();
    await createDomain(app, { domainUri: 'csv-many.test' });
    const row = (n: number, name = `Agent ${String(n)}`): string =>
      `${name},many${String(n)},secret-${String(n)},csv-many.test`;
    const csv = (rows: readonly string[]): string => ['name,username,secret,domains', ...rows].join('\n');
    const rows = Array.from({ length: 450 }, (_, n) => row(n));
    const first = await imported(app, 'Agent', csv(rows));
    expect(first.rows.filter(({ outcome }) => outcome === 'CREATED')).toHaveLength(450);
    const changed = rows.map((each, n) => (n % 3 === 0 ? row(n, 'Renamed') : each));
    const second = await imported(app, 'Agent', csv([...changed, row(450)]));
    expect(second.rows.map(({ outcome }) => outcome)).toEqual([
      ...rows.map((_, n) => (n % 3 === 0 ? 'UPDATED' : 'UNCHANGED')),
      'CREATED',
    ]);
    const repeated = await imported(app, 'Agent', csv([...changed, row(451), row(451), row(0)]));
    expect(errorsIn(repeated)).toEqual([
      [453, 'username', 'many451', 'duplicates line 452'],
      [454, 'username', 'many0', 'duplicates line 2'],
    ]);
    await revert(app, second.request);
    await revert(app, first.request);
  }, 60_000);

  test.each([
    ['100,000 columns', `ref${','.repeat(100_000)}\n`, 'Line 1', /more than 100 columns/],
    ['100,000 columns of a row', `ref,name\n${';,'.repeat(100_000)}\n`, 'Line 2', /more than 100 columns/],
    ['a cell of 100,000 characters', `ref,name\nx,"${'a'.repeat(100_000)}"\n`, 'Line 2', /more than 65536 characters/],
    ['a header of 100,000 characters', `"${'a'.repeat(100_000)}`, 'Line 1', /more than 65536 characters/],
    ['UTF-16', 'ref,name\nx,y\n'.replace(/[^]/g, '$&\0'), 'header', /zero bytes; save the file as CSV/],
    ['another delimiter', 'ref|name\nx|y\n', 'header', /unknown column ref\|name/],
    ['a row that is too short', 'ref,name\nx\n', 'Line 2', /Invalid Record Length/],
    ['an unclosed quote', 'ref,name\n"x,y\n', /^Line/, /Quote Not Closed/],
    [
      'names of a prototype',
      '__proto__,constructor\nx,y\n',
      'header',
      /unknown column __proto__, unknown column constr/,
    ],
  ])('is refused for %s', async (_what, csv, field, message) => {
    const { app } = subject();
    const { errors } = await importing(app, 'Peer', csv);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', fields: [expect.stringMatching(field)] } }]);
    expect(errors?.[0]?.message).toMatch(message);
    expect(errors?.[0]?.message.length).toBeLessThan(600);
  });

  test.each([
    [
      'a list of 2,000 entries',
      'Domain',
      'name,domainUri,accessControlList.allow',
      `x,long.test,${'10.0.0.1 '.repeat(2000)}`,
      /has more than 1000 entries/,
    ],
    [
      'a list that is wrong JSON',
      'Domain',
      'name,domainUri,accessControlList.allow',
      'x,json.test,"[""1"","',
      /is not an IP address/,
    ],
    [
      'a list of other values',
      'Domain',
      'name,domainUri,accessControlList.allow',
      'x,json.test,"[""10.0.0.1"",{}]"',
      /is not a string/,
    ],
    ['a long cell', 'Peer', 'name,username,secret', `${'a'.repeat(60_000)},long,secret`, /longer than 100 characters/],
    ['a ref with a space', 'Peer', 'ref,name,username,secret', 'a b,x,spaced,secret', /1 to 24 letters/],
    ['a fraction', 'Gateway', 'name,host,transport,port', 'x,fraction.test,udp,1.5', /"1.5" is not a whole number/],
    [
      'a number with an exponent',
      'Gateway',
      'name,host,transport,port',
      'x,exponent.test,udp,1e3',
      /"1e3" is not a whole/,
    ],
    [
      'a word for true or false',
      'Gateway',
      'name,host,transport,sendRegister',
      'x,word.test,udp,perhaps',
      /is not true or false/,
    ],
    ['control characters', 'Peer', 'name,username,secret', '"a\nb",control,secret', /has control characters/],
  ])('reports %s as one mistake, and changes nothing', async (_what, kind, header, row, message) => {
    const { app } = subject();
    const result = await imported(app, kind, `${header}\n${row}\n`);
    expect(result.imported).toBe(false);
    const errors = result.rows.flatMap((each) => each.errors);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(message);
    expect(errors[0]?.value?.length ?? 0).toBeLessThanOrEqual(100);
  });

  test('removes the mark of a formula that an export has put before a value, and stores a formula as text', async () => {
    const { app } = subject();
    const csv = `name,username,secret\n"'=HYPERLINK(""x"")",formula1,secret\n=1+1,formula2,secret\n`;
    const { rows, request } = await imported(app, 'Peer', csv);
    const { data } = await app.graphql(
      `{ one: peer(ref: "${rows[0]?.ref ?? ''}") { name } other: peer(ref: "${rows[1]?.ref ?? ''}") { name } }`,
    );
    expect(data).toEqual({ one: { name: '=HYPERLINK("x")' }, other: { name: '=1+1' } });
    await revert(app, request);
  });

  test('in parts is one request of the history, which is reverted as a whole, for the caller only', async () => {
    const { app } = subject();
    const [one, other] = [await createUser(app, 'OPERATOR'), await createUser(app, 'OPERATOR')];
    const part = async (username: string, partOf: string | undefined, token = one.token) =>
      app.graphql<{ importCsv: { imported: boolean; request: string | null } }>(
        `mutation ($csv: String!, $partOf: ID) {
          importCsv(kind: Peer, csv: $csv, partOf: $partOf) { imported request }
        }`,
        { csv: `name,username,secret\n${username},${username},a secret of a peer\n`, partOf },
        { token },
      );
    const request = (await part('part1', undefined)).data.importCsv.request ?? '';
    expect((await part('part2', request)).data).toEqual({ importCsv: { imported: true, request } });
    const { data } = await app.graphql(
      `query ($request: String) { historyRequests(where: { request: $request }) {
        nodes { request way parts { kind event count } }
      } }`,
      { request },
    );
    expect(data).toEqual({
      historyRequests: { nodes: [{ request, way: 'IMPORT', parts: [{ kind: 'Peer', event: 'CREATED', count: 2 }] }] },
    });
    const created = await app.graphql<{ createPeer: { ref: string } }>(
      'mutation { createPeer(input: { name: "own", username: "own", secret: "a secret" }) { ref } }',
      {},
      { token: one.token },
    );
    const { data: entries } = await app.graphql<{ history: { nodes: { request: string }[] } }>(
      'query ($ref: String) { history(where: { kind: Peer, ref: $ref }) { nodes { request } } }',
      { ref: created.data.createPeer.ref },
    );
    for (const [partOf, token] of [
      [request, other.token],
      [entries.history.nodes[0]?.request, one.token],
      ['unknown', one.token],
    ] as const) {
      const { errors } = await part('part3', partOf, token);
      expect(errors?.[0]?.message).toBe(
        `partOf: ${JSON.stringify(partOf)} is not the request of your import of the last hour`,
      );
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: ['partOf'] });
    }
    const reverted = await app.graphql<{ revertRequest: unknown[] }>(
      'mutation ($request: String!) { revertRequest(id: $request) { ref } }',
      { request },
    );
    expect(reverted.data.revertRequest).toHaveLength(2);
    const left = '{ peers(where: { username: { startsWith: "part" } }) { totalCount } }';
    expect((await app.graphql(left)).data).toEqual({ peers: { totalCount: 0 } });
  });

  test('a part of an import may not make its request too long to revert', async () => {
    const { app, url } = subject();
    const part = (usernames: readonly string[], partOf?: string) =>
      app.graphql<{ importCsv: { request: string } }>(
        `mutation ($csv: String!, $partOf: ID) { importCsv(kind: Peer, csv: $csv, partOf: $partOf) { request } }`,
        {
          csv: ['name,username,secret', ...usernames.map((each) => `${each},${each},a secret of a peer`)].join('\n'),
          partOf,
        },
      );
    const { request } = (await part(['long1'])).data.importCsv;
    const columns = 'at, kind, ref, did, who, who_ref, way, request';
    // Entries are in this table when they have a number.
    await app.graphql('{ history(first: 1) { nodes { ref } } }');
    // As if it had 24,999 entries.
    await runSql(
      url,
      `INSERT INTO changes (id, ${columns})
       WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 158),
         m (m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM m WHERE m < 159)
       SELECT -(n * 1000 + m), ${columns} FROM changes, n, m
       WHERE request = ? AND n * 159 + m <= 159 + 24998`,
      [request],
    );
    const { errors } = await part(['long2', 'long3'], request);
    expect(errors?.[0]).toMatchObject({
      message: `partOf: "${request}" can have 1 more entries, and this part has 2 rows`,
      extensions: { code: 'BAD_USER_INPUT', fields: ['partOf'] },
    });
    expect((await part(['long2'], request)).data.importCsv).toEqual({ request });
    await runSql(url, 'DELETE FROM changes WHERE id < 0');
  });

  test('a dry run tells why numbers would not ring, by reason, but not that phones are not registered yet', async () => {
    const { app } = subject();
    const open = await createGateway(app, { name: 'Warned open' });
    const down = await createGateway(app, { name: 'Warned down', username: 'trunk', secret: 'a secret' });
    await createDomain(app, { domainUri: 'warned.test' });
    await createAgent(app, { username: 'anna', domains: ['warned.test'] });
    const rows = [
      ['tel:+49901', 'sip:anna@warned.test', open],
      ['tel:+49902', 'sip:nobody@warned.test', open],
      ['tel:+49903', 'sip:nobody@warned.test', open],
      ['tel:+49904', 'sip:anna@nowhere.test', open],
      ['tel:+49905', 'sip:anna@warned.test', down],
    ];
    const csv = [['telUrl', 'aorLink', 'gatewayRef'], ...rows].map((cells) => cells.join(',')).join('\n');
    const warnings = async (dryRun: boolean): Promise<unknown> =>
      (
        await app.graphql<{ importCsv: { warnings: unknown } }>(
          `mutation ($csv: String!, $dryRun: Boolean!) {
            importCsv(kind: DID, csv: $csv, dryRun: $dryRun) { warnings { state count line summary } }
          }`,
          { csv, dryRun },
        )
      ).data.importCsv.warnings;
    expect(await warnings(true)).toEqual([
      { state: 'TARGET_MISSING', count: 2, line: 3, summary: 'no agent or peer nobody in domain warned.test' },
      { state: 'DOMAIN_MISSING', count: 1, line: 5, summary: 'no domain nowhere.test' },
      {
        state: 'GATEWAY_NOT_REGISTERED',
        count: 1,
        line: 6,
        summary: 'gateway Warned down is not registered: no attempt is recorded',
      },
    ]);
    expect(await warnings(false)).toEqual([]);
  });

  test('is refused to viewers', async () => {
    const { app } = subject();
    const { token } = await createUser(app, 'VIEWER');
    const { errors } = await importing(app, 'Peer', 'ref,name\n', { dryRun: true, token });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});

onEachDriver(
  'An import of CSV with a large body and a small budget',
  (subject) => {
    test.each([
      ['10,001 rows', 'Peer', `ref\n${'x\n'.repeat(10_001)}`, { code: 'BAD_USER_INPUT', fields: ['csv'] }],
      ['more rows than the budget pays for', 'Peer', `ref\n${'x\n'.repeat(9000)}`, { code: 'RATE_LIMITED' }],
      [
        'lists with more entries than the budget pays for',
        'Agent',
        `domains\n${'a.b '.repeat(9000)}\n`,
        { code: 'RATE_LIMITED' },
      ],
    ])('refuses %s', async (_what, kind, csv, extensions) => {
      const { app } = subject();
      const { errors } = await importing(app, kind, csv, { dryRun: true });
      expect(errors).toMatchObject([{ extensions }]);
    });
  },
  { RATE_LIMIT_WORK: '50000', BODY_LIMIT: '1048576' },
);
