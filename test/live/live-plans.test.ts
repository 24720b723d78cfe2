import { LiveWatch } from '../../src/sip/live/live-watch';
import { Database } from '../../src/database/database';
import type { Driver } from '../../src/database/driver';
import { readsWithin, type Changed, type Sql, type SqlValue } from '../../src/database/sql';
import { ContactReader } from '../../src/sip/live/contact-reader';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const CONTACTS = 50_000;
const PAGE = 30;

onEachDatabase('Fifty thousand contacts', (subject) => {
  beforeAll(async () => {
    const { url } = subject();
    const expires = Math.floor(Date.now() / 1000) + 3600;
    const rows = Array.from({ length: CONTACTS }, (_, n) => {
      const user = `u${String(n).padStart(6, '0')}`;
      return [user, user, 'sip.local', `sip:${user}@10.0.0.1`, expires, expires - 3600];
    });
    for (let from = 0; from < CONTACTS; from += 1000) {
      const some = rows.slice(from, from + 1000);
      await runSql(
        url,
        `INSERT INTO location (ruid, username, domain, contact, expires, last_modified)
         VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}`,
        some.flat(),
      );
    }
    await runSql(url, url.startsWith('sqlite:') ? 'ANALYZE' : 'ANALYZE TABLE location');
  });

  /** The statements of a read. */
  async function statementOf(ask: (reader: ContactReader) => Promise<unknown>): Promise<[string, readonly SqlValue[]]> {
    const asked: [string, readonly SqlValue[]][] = [];
    await ask(
      new ContactReader(
        readsWithin({
          rows: (text, values) => {
            asked.push([text, values]);
            return Promise.resolve([]);
          },
        }),
      ),
    );
    const [first] = asked;
    if (!first) throw new Error('nothing was asked');
    return first;
  }

  test.each([
    ['a page of /location', (reader: ContactReader) => reader.addresses(1, PAGE)],
    ['the last page of /location', (reader: ContactReader) => reader.addresses(Math.ceil(CONTACTS / PAGE), PAGE)],
    ['the count of /location', (reader: ContactReader) => reader.addressCount()],
    ['a page of contacts', (reader: ContactReader) => reader.page({ limit: PAGE, backwards: false })],
    ['the count of contacts', (reader: ContactReader) => reader.count()],
  ])('%s is read through an index', async (_what, ask) => {
    const { url } = subject();
    const [text, values] = await statementOf(ask);
    const sqlite = url.startsWith('sqlite:');
    const plan = await runSql(url, `EXPLAIN ${sqlite ? 'QUERY PLAN ' : ''}${text}`, values);
    const steps = plan.map((row) => row.map(String).join(' ')).filter((step) => /location| l( |$)/.test(step));
    expect(steps.length).toBeGreaterThan(0);
    // SQLite reads a page in row order from the table, which is stored in that order, and stops at the limit.
    const inRowOrder = text.includes('ORDER BY l.id LIMIT') ? /SCAN l$|PRIMARY/ : /location_aor|location_expires/;
    for (const step of steps) expect(step).toMatch(sqlite ? inRowOrder : /location_aor|location_expires|PRIMARY/);
  });

  test('the poll of the live tables uses indexes', async () => {
    const { url } = subject();
    const sqlite = url.startsWith('sqlite:');
    const asked: [string, readonly SqlValue[]][] = [];
    const rows = (text: string, values: readonly SqlValue[]): ReturnType<Sql['rows']> => {
      asked.push([text, values]);
      return runSql(url, text, values) as ReturnType<Sql['rows']>;
    };
    const run = async (text: string, values: readonly SqlValue[]): Promise<Changed> => {
      await runSql(url, text, values);
      return { rows: 1, insertId: 0 };
    };
    const transaction: Driver['transaction'] = (work) =>
      work({ rows, run, undoable: (step) => step(), undone: (step) => step() });
    const driver: Driver = {
      product: sqlite ? 'sqlite' : 'mysql',
      rows,
      heavy: rows,
      close: () => Promise.resolve(),
      poolUse: () => [],
      transaction,
      maintenance: { rows, transaction },
      snapshot: (work) => work({ rows }),
      impatientTransaction: (work) => transaction(work),
      hasNodes: () => Promise.resolve(false),
      catchUp: () => Promise.resolve(false),
      isReadOnly: () => Promise.resolve(false),
    };
    // TypeORM is not needed to run statements.
    const watch = new LiveWatch(new Database(undefined as never, driver), 3_600_000);
    for (let look = 0; look < 2; look++) {
      await new Promise((resolve) => setTimeout(resolve, 1100));
      asked.splice(0);
      await watch.look();
    }
    // Every 30 seconds, all rows are compared, too.
    const about = asked.filter(([text]) => text.includes('location') && !text.includes('LEFT JOIN'));
    expect(about).toHaveLength(3);
    for (const [text, values] of about) {
      const plan = await runSql(url, `EXPLAIN ${sqlite ? 'QUERY PLAN ' : ''}${text}`, values);
      const steps = plan.map((row) => row.map(String).join(' ')).filter((step) => /location| l( |$)/.test(step));
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) {
        expect(step).toMatch(sqlite ? /SEARCH .*(PRIMARY KEY|location_expires)/ : /PRIMARY|location_expires/);
        expect(step).not.toMatch(sqlite ? /SCAN/ : / ALL /);
      }
    }
  });

  test.each([1, Math.ceil(CONTACTS / PAGE)])('page %i of /location has its rows, and the total count', async (page) => {
    const { body } = await subject().app.rest<{ addressOfRecord: string }[]>('GET', `/location?page=${String(page)}`);
    expect(body.meta).toMatchObject({ totalItems: CONTACTS, currentPage: page });
    const first = (page - 1) * PAGE;
    expect(body.data[0]?.addressOfRecord).toBe(`sip:u${String(first).padStart(6, '0')}@sip.local`);
    expect(body.data).toHaveLength(Math.min(PAGE, CONTACTS - first));
  });
});
