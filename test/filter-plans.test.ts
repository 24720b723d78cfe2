import { all, raw, sql, type Fragment } from '../src/database/fragment';
import { Filters } from '../src/resources/filters';
import type { KindName } from '../src/resources/kind';
import { kindOf } from '../src/resources/kinds';
import { databases } from './support/databases';
import { startApp, type TestApp } from './support/app';
import { runSql } from './support/sql';

const ROWS = 4000;
const GATEWAYS = 400;

/** A predicate, and the indexes that may find its rows; the two unique ones are of different names on SQLite. */
const PLANS: readonly { readonly kind: KindName; readonly filter: string; readonly index: string }[] = [
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
  { kind: 'DID', filter: "@.metadata.gwRef=='gw7'", index: 'numbers_gateway' },
  { kind: 'DID', filter: '@.metadata.gwRef =~ /gw77.*/', index: 'numbers_gateway' },
  { kind: 'DID', filter: "@.metadata.gwRef>='gw398' && @.metadata.gwRef<'gw399'", index: 'numbers_gateway' },
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
      (n) => [...common('dd', n), ...['DID', (n % GATEWAYS) + 1, `tel:+${String(n)}`, 'sip:a@b', String(n), 'a', 'b']],
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

  /** For each step of the plan: the table, and the index that it uses if any. */
  async function planOf({ text, values }: Fragment): Promise<readonly string[]> {
    if (name === 'SQLite') {
      return (await runSql(url, `EXPLAIN QUERY PLAN ${text}`, values)).map((row) => String(row[3]));
    }
    const format = name === 'MySQL' ? 'FORMAT=TRADITIONAL ' : '';
    const rows = await runSql(url, `EXPLAIN ${format}${text}`, values);
    // The columns before `type` differ by one between the two servers.
    return rows.map((row) => row.map(String).join(' '));
  }

  test.each(PLANS)('$filter of a $kind is found by $index', async ({ kind: kindName, filter, index }) => {
    const kind = kindOf(kindName);
    const condition = all([kind.shared ? sql`t.kind = ${kind.name}` : undefined, filters.condition(kind, filter)]);
    const plan = await planOf(sql`SELECT COUNT(*) FROM ${raw(kind.table)} t WHERE ${condition}`);
    const own = plan.filter((step) => (name === 'SQLite' ? /(SCAN|SEARCH) t\b/.test(step) : / t (null )?/.test(step)));
    expect(own).toHaveLength(1);
    expect(own[0]).toContain(index);
    // Neither a full scan of the table, nor of an index.
    expect(own[0]).not.toMatch(name === 'SQLite' ? /SCAN/ : / (ALL|index) /);
  });
});
