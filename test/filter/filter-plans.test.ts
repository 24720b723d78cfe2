import { all, raw, sql, type Fragment } from '../../src/database/fragment';
import type { Range } from '../../src/database/page';
import { SharedReads } from '../../src/database/reads/shared-reads';
import { readsWithin, type Reads, type Row } from '../../src/database/sql';
import { Filters } from '../../src/resources/lists/filters';
import { linksOf } from '../../src/resources/read/links';
import { ALL_RESOURCES, type ListQuery } from '../../src/resources/lists/list-query';
import { orderOf } from '../../src/resources/lists/order';
import { ResourceReader } from '../../src/resources/read/resource-reader';
import { fieldsOnly } from '../../src/resources/read/selection';
import { databases } from '../support/databases/databases';
import { startApp, type TestApp } from '../support/app';
import { runSql } from '../support/databases/sql';
import { model } from '../support/model';

const ROWS = 4000;
const GATEWAYS = 400;

/** A predicate, and the indexes that may find its rows. The two unique indexes have other names on SQLite. */
const PLANS: readonly { readonly kind: string; readonly filter: string; readonly index: string }[] = [
  { kind: 'Gateway', filter: "@.metadata.ref=='gw7'", index: 'gateways_ref' },
  { kind: 'Gateway', filter: "@.metadata.name=='name7'", index: 'gateways_name' },
  { kind: 'Gateway', filter: '@.metadata.name =~ /name77.*/', index: 'gateways_name' },
  { kind: 'Gateway', filter: "@.metadata.name>'name99' && @.metadata.name<'name991'", index: 'gateways_name' },
  { kind: 'Gateway', filter: "@.spec.host=='host7'", index: 'gateways_host' },
  { kind: 'Gateway', filter: '@.spec.host =~ /host77.*/', index: 'gateways_host' },
  { kind: 'Gateway', filter: "@.spec.credentials.username=='user7'", index: 'gateways_username' },
  { kind: 'Gateway', filter: "@.spec.host in ['host7','host8']", index: 'gateways_host' },
  { kind: 'Agent', filter: "@.metadata.ref=='ag7'", index: 'agents_ref' },
  { kind: 'Agent', filter: "@.metadata.name=='name7'", index: 'agents_name' },
  { kind: 'Agent', filter: "@.spec.credentials.username=='user7'", index: 'agents_username' },
  { kind: 'Agent', filter: '@.spec.credentials.username==7', index: 'agents_username' },
  { kind: 'Agent', filter: '@.spec.credentials.username =~ /user77.*/', index: 'agents_username' },
  { kind: 'Agent', filter: "@.spec.credentials.username>='user998'", index: 'agents_username' },
  { kind: 'Peer', filter: "@.spec.credentials.username=='user7'", index: 'peers_username' },
  { kind: 'Peer', filter: '@.spec.credentials.username =~ /user77.*/', index: 'peers_username' },
  { kind: 'Domain', filter: "@.spec.context.domainUri=='d7.test'", index: 'domains_domain_uri' },
  { kind: 'Domain', filter: '@.spec.context.domainUri =~ /d77.*/', index: 'domains_domain_uri' },
  { kind: 'DID', filter: "@.metadata.ref=='dd7'", index: 'numbers_ref' },
  { kind: 'DID', filter: "@.spec.location.telUrl=='tel:+7'", index: 'numbers_tel_url' },
  { kind: 'DID', filter: '@.spec.location.telUrl =~ /tel:\\+77.*/', index: 'numbers_tel_url' },
  { kind: 'DID', filter: "@.spec.location.aorLink=='sip:7@d7.test'", index: 'numbers_aor' },
  { kind: 'DID', filter: "@.spec.location.aorLink in ['sip:7@d7.test','sip:8@d8.test']", index: 'numbers_aor' },
  { kind: 'DID', filter: "@.metadata.gwRef=='gw7'", index: 'numbers_gateway' },
  { kind: 'DID', filter: '@.metadata.gwRef =~ /gw77.*/', index: 'numbers_gateway' },
  { kind: 'DID', filter: "@.metadata.gwRef>='gw398' && @.metadata.gwRef<'gw399'", index: 'numbers_gateway' },
];

type Ask = (reader: ResourceReader, filters: Filters) => Promise<unknown>;

const SELECTION = fieldsOnly('name');
const FIRST: Range = { limit: 30, backwards: false };
const LAST: Range = { before: [3000], limit: 30, backwards: true };
const PARENTS = [1, 2, 3];

function page(name: string, query: (filters: Filters) => ListQuery = () => ALL_RESOURCES, range = FIRST): Ask {
  return (reader, filters) => reader.page(model.kindOf(name), SELECTION, range, query(filters));
}

function count(name: string, filter: string): Ask {
  return (reader, filters) => reader.count(model.kindOf(name), such(name, filter)(filters));
}

function such(name: string, filter: string): (filters: Filters) => ListQuery {
  return (filters) => {
    const condition = filters.condition(model.kindOf(name), filter);
    return condition ? { condition } : {};
  };
}

function by(name: string, field: string): () => ListQuery {
  const order = orderOf(model.kindOf(name), [{ field, descending: false }]);
  return () => (order ? { order } : {});
}

function linked(name: string, link: string, range?: Range, parents: readonly number[] = PARENTS): Ask {
  return (reader) => reader.readLinked(linkOf(name, link), parents, SELECTION, range);
}

function linkOf(name: string, link: string): Parameters<ResourceReader['readLinked']>[0] {
  const found = linksOf(model.kindOf(name)).find((each) => each.name === link);
  if (!found) throw new Error(`${name} has no link ${link}`);
  return found;
}

/** Reads that are never heavy, however large the tables are. */
const LIGHT: readonly (readonly [what: string, ask: Ask])[] = [
  ['a page of gateways', page('Gateway')],
  ['a page of DIDs', page('DID')],
  ['a last page of DIDs', page('DID', undefined, LAST)],
  ['a page of DIDs by number', page('DID', by('DID', 'telUrl'))],
  ['gateways by row id', (reader) => reader.byRowIds(model.kindOf('Gateway'), PARENTS, SELECTION)],
  ['DIDs by ref', (reader) => reader.some(model.kindOf('DID'), ['dd1', 'dd2'], SELECTION)],
  ['the DIDs of gateways', linked('Gateway', 'dids', FIRST)],
  ['the agents of domains', linked('Domain', 'agents', FIRST)],
  ['the domains of agents', linked('Agent', 'domains')],
  ...(
    [
      ['DID', "@.spec.location.telUrl=='tel:+7'"],
      ['DID', "@.spec.location.telUrl in ['tel:+7', 'tel:+8']"],
      ['DID', "@.metadata.gwRef=='gw7'"],
      ['DID', "@.spec.location.aorLink=='sip:7@d7.test'"],
      ['DID', '@.spec.location.aorLink==7'],
      ['DID', "@.metadata.gwRef=='gw7' && @.spec.location.aorLink=='sip:7@d7.test'"],
      ['Gateway', "@.metadata.ref=='gw7' && @.spec.port>1"],
      ['Gateway', "@.spec.host=='host7'"],
      ['Gateway', "@.metadata.name>'name99' && @.metadata.name<'name991'"],
      ['Agent', "@.spec.credentials.username=='user7' && @.metadata.name!='x'"],
    ] as const
  ).flatMap(([name, filter]): [string, Ask][] => [
    [`a page of ${filter}`, page(name, such(name, filter))],
    [`the count of ${filter}`, count(name, filter)],
  ]),
];

/** Reads that are heavy if the tables are large. */
const HEAVY: readonly (readonly [what: string, ask: Ask])[] = [
  ['the count of all', count('DID', '')],
  ['a page by name', page('Gateway', by('Gateway', 'name'))],
  ['a page ordered by a field without an index', page('Gateway', by('Gateway', 'transport'))],
  ['a page ordered by a nullable field', page('Gateway', by('Gateway', 'port'))],
  [
    'a page of REST far into the list',
    (reader) => reader.numberedPage(model.kindOf('DID'), SELECTION, { skip: 29_970, size: 30 }),
  ],
  [
    'the DIDs of many gateways',
    linked(
      'Gateway',
      'dids',
      FIRST,
      Array.from({ length: 200 }, (_, n) => n),
    ),
  ],
  ['the DIDs that point to peers', linked('Peer', 'dids', FIRST)],
  ['the counts of DIDs of gateways', (reader) => reader.linkedCounts(linkOf('Gateway', 'dids'), PARENTS)],
  ['a page by two indexed fields', page('Gateway', such('Gateway', "@.spec.host=='a' && @.metadata.name=='b'"))],
  ...(
    [
      ['Gateway', "@.spec.transport=='udp'"],
      ['Gateway', "@.spec.host=='a' || @.metadata.name=='b'"],
      ['Gateway', "!(@.spec.host=='a')"],
    ] as const
  ).map(([name, filter]): [string, Ask] => [filter, count(name, filter)]),
];

/** Reads that are always heavy, because a single row may take any time. */
const ALWAYS_HEAVY: readonly (readonly [name: string, filter: string])[] = [
  ['Gateway', "@.spec.host contains 'x'"],
  ['Gateway', "@.spec.host=='x' && @.metadata.name =~ /.*a.*/"],
  ['Gateway', "@.metadata.createdOn > '2026'"],
  ['Gateway', "@.metadata.tags anyof ['a']"],
  ['Gateway', "@.spec.registries contains 'a'"],
  ['Gateway', '@.spec.registries size 2'],
  ['Gateway', '@.spec.host.length() > 3'],
  ['Gateway', '@.metadata.unknown'],
  ['Agent', "@.spec.domains contains 'a.test'"],
  ['DID', '@.metadata.gwRef =~ /gw7.*/'],
  ['DID', "@.metadata.gwRef > 'gw7'"],
];

describe.each(databases)('Exact, prefix and range predicates, on $name', ({ name, createDatabase }) => {
  let url: string;
  let app: TestApp;
  let drop: () => Promise<void>;
  const filters = new Filters(({ SQLite: 'sqlite', MariaDB: 'mariadb', MySQL: 'mysql' } as const)[name as 'MySQL']);

  beforeAll(async () => {
    ({ url, drop } = await createDatabase());
    app = await startApp({ DATABASE_URL: url });
    const common = (prefix: string, n: number): (string | number)[] => [`${prefix}${String(n)}`, n, n];
    await fill('gateways', 'ref, created_on, modified_on, name, host, username, transport, identity', ROWS, (n) => [
      ...common('gw', n),
      ...[`name${String(n)}`, `host${String(n)}`, `user${String(n)}`, 'udp', String(n)],
    ]);
    await fill('agents', 'ref, created_on, modified_on, name, username, secret', ROWS, (n) => [
      ...common('ag', n),
      ...[`name${String(n)}`, `user${String(n)}`, 'x'],
    ]);
    await fill('peers', 'ref, created_on, modified_on, name, username, secret', ROWS, (n) => [
      ...common('pr', n),
      ...[`name${String(n)}`, `user${String(n)}`, 'x'],
    ]);
    await fill('domains', 'ref, created_on, modified_on, name, domain_uri', ROWS, (n) => [
      ...common('dm', n),
      ...[`name${String(n)}`, `d${String(n)}.test`],
    ]);
    await fill(
      'numbers',
      'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host',
      ROWS,
      (n) => [
        ...common('dd', n),
        ...[
          'DID',
          (n % GATEWAYS) + 1,
          `tel:+${String(n)}`,
          `sip:${String(n)}@d${String(n % 10)}.test`,
          String(n),
          String(n),
          `d${String(n % 10)}.test`,
        ],
      ],
    );
    if (name === 'SQLite') await runSql(url, 'ANALYZE');
    else await runSql(url, 'ANALYZE TABLE gateways, agents, peers, domains, numbers');
  });

  afterAll(async () => {
    await app.close();
    await drop();
  });

  async function fill(
    table: string,
    columns: string,
    count: number,
    row: (n: number) => readonly (string | number)[],
  ): Promise<void> {
    const rows = Array.from({ length: count }, (_, n) => row(n));
    for (let from = 0; from < count; from += 500) {
      const some = rows.slice(from, from + 500);
      const places = some.map((each) => `(${each.map(() => '?').join(', ')})`).join(', ');
      await runSql(url, `INSERT INTO ${table} (${columns}) VALUES ${places}`, some.flat());
    }
  }

  /** The table of each step of the plan, with the index that it uses, if any. */
  async function planOf({ text, values }: Fragment): Promise<readonly string[]> {
    if (name === 'SQLite') {
      return (await runSql(url, `EXPLAIN QUERY PLAN ${text}`, values)).map((row) => String(row[3]));
    }
    const format = name === 'MySQL' ? 'FORMAT=TRADITIONAL ' : '';
    const rows = await runSql(url, `EXPLAIN ${format}${text}`, values);
    // The two servers differ by one column before `type`.
    return rows.map((row) => row.map(String).join(' '));
  }

  test.each(PLANS)('$filter of a $kind is found by $index', async ({ kind: kindName, filter, index }) => {
    const kind = model.kindOf(kindName);
    const condition = all([kind.shared ? sql`t.kind = ${kind.name}` : undefined, filters.condition(kind, filter)]);
    const plan = await planOf(sql`SELECT COUNT(*) FROM ${raw(kind.table)} t WHERE ${condition}`);
    const own = plan.filter((step) => (name === 'SQLite' ? /(SCAN|SEARCH) t\b/.test(step) : / t (null )?/.test(step)));
    expect(own).toHaveLength(1);
    expect(own[0]).toContain(index);
    // No full scan of the table or of an index.
    expect(own[0]).not.toMatch(name === 'SQLite' ? /SCAN/ : /(?<!Using) (ALL|index) /);
  });

  /** The light statements of a read, and whether any statement was heavy. */
  async function asked(
    ask: Ask,
    size: number,
  ): Promise<{ readonly light: readonly Fragment[]; readonly heavy: boolean }> {
    const light: Fragment[] = [];
    let heavy = false;
    const run = async (text: string, values: Fragment['values']): Promise<readonly Row[]> =>
      (await runSql(url, text, values)) as readonly Row[];
    const rows: Reads['rows'] = (text, values) => {
      light.push({ text, values });
      return run(text, values);
    };
    const reads: Reads = {
      dataEpoch: {},
      rows,
      unorderedRows: rows,
      rowByKey: async ({ text, values }, key) => (await rows(text, [key, ...values]))[0],
      // As the servers read: with the statements that requests share.
      rowsByKey: (read, keys) =>
        (name === 'SQLite' ? readsWithin({ rows }) : new SharedReads(rows, true)).rowsByKey(read, keys),
      heavy: () => {
        heavy = true;
        return Promise.resolve([]);
      },
      atMost: () => Promise.resolve(size),
    };
    await ask(new ResourceReader(reads), filters);
    return { light, heavy };
  }

  test('two links with the same name and target are each read from their own table', async () => {
    const own = linkOf('Agent', 'domains');
    const other = { ...own, from: '(SELECT agent_id, domain_id, position FROM agent_domains) m' };
    const { light } = await asked(async (reader) => {
      for (const link of [own, other]) await reader.readLinked(link, PARENTS, SELECTION);
    }, ROWS);
    expect(light.map(({ text }) => text.includes(other.from))).toEqual([false, true]);
  });

  test.each(LIGHT)('%s is read through an index, and is not heavy', async (what, ask) => {
    const { light, heavy } = await asked(ask, Infinity);
    expect(heavy).toBe(false);
    expect(light.length).toBeGreaterThan(0);
    for (const statement of light) {
      const steps = (await planOf(statement)).filter((step) => !step.includes('<derived'));
      // Without a filter, a scan in row order stops at its limit. No other read may scan a table.
      const sorts = steps.some((step) => /TEMP B-TREE|filesort/.test(step));
      const whole = name === 'SQLite' ? /SCAN (t|n|m|o|t\d+)( |$)/ : / ALL /;
      if (sorts || what.includes('@') || !statement.text.includes('LIMIT')) expect(steps.join('\n')).not.toMatch(whole);
    }
  });

  test.each([
    ['DID', "@.metadata.gwRef=='gw7'"],
    ['Gateway', "@.spec.host=='host7'"],
  ])('of %s, a page of %s is read in the order of an index, however many rows match', async (kindName, filter) => {
    const { light, heavy } = await asked(page(kindName, such(kindName, filter)), Infinity);
    expect([light.length, heavy]).toEqual([1, false]);
    for (const statement of light) expect((await planOf(statement)).join('\n')).not.toMatch(/TEMP B-TREE|filesort/);
  });

  test.each(HEAVY)('%s is heavy on large tables, and not on small tables', async (_what, ask) => {
    expect((await asked(ask, Infinity)).heavy).toBe(true);
    expect((await asked(ask, 100)).heavy).toBe(false);
  });

  test.each(ALWAYS_HEAVY)('of %s, %s is heavy on any table', async (kindName, filter) => {
    expect((await asked(count(kindName, filter), 1)).heavy).toBe(true);
    expect((await asked(page(kindName, such(kindName, filter)), 1)).heavy).toBe(true);
  });
});
