import { loadConfig } from '../../src/config/config';
import type { Database } from '../../src/database/database';
import { openDatabase } from '../../src/database/open';
import type { Reads, SqlValue } from '../../src/database/sql';
import { createLogger } from '../../src/log';
import { Filters } from '../../src/resources/lists/filters';
import type { NumberedPage } from '../../src/resources/lists/lists';
import { ListMemory } from '../../src/resources/lists/cached-lists';
import { ResourceReader } from '../../src/resources/read/resource-reader';
import { wholeOf } from '../../src/resources/read/selection';
import { startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { fillDids } from '../support/many';
import { model } from '../support/model';
import { isFull } from '../support/runner/full';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

// Lists of more than 500 rows are remembered.
const DIDS = 640;
const DID = model.kindOf('DID');
const SELECTION = wholeOf(DID);
const SIZES = [7, 30, 100];

/** The same numbers in each run (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The refs of a page, whose rows begin with a row id and a ref. */
function refsIn({ found }: NumberedPage): readonly string[] {
  return found.map(([row]) => String(row?.[1]));
}

/** Filters of the DIDs, with what they mean in SQL. */
const FILTERS = [
  { filter: '', condition: 'TRUE' },
  { filter: "@.metadata.gwRef=='gw'", condition: "(SELECT g.ref FROM gateways g WHERE g.id = t.gateway_id) = 'gw'" },
  { filter: "@.spec.location.aorLink!='sip:moved@b.test'", condition: "t.aor_link <> 'sip:moved@b.test'" },
  { filter: '@.spec.location.aorLink =~ /.*a@b.*/', condition: "t.aor_link LIKE '%a@b%'" },
  // Few have it, so its list has a page or two.
  { filter: "@.spec.location.aorLink=='sip:moved@b.test'", condition: "t.aor_link = 'sip:moved@b.test'" },
] as const;

onEachDatabase('Long lists', (subject, name) => {
  let other: TestApp;
  let created = 0;

  beforeAll(async () => {
    const { app, url } = subject();
    other = await startApp({ DATABASE_URL: url });
    await fillDids(url, DIDS);
    await app.graphql(
      'mutation { createGateway(input: { ref: "gw2", name: "b", host: "b.test", transport: UDP }) { ref } }',
    );
  });

  afterAll(async () => {
    await other.close();
  });

  /** The refs of a list, as the database has them. */
  async function refsOf(condition: string): Promise<string[]> {
    const rows = await runSql(
      subject().url,
      `SELECT t.ref FROM numbers t WHERE t.kind = 'DID' AND ${condition} ORDER BY t.id`,
    );
    return rows.map(([ref]) => String(ref));
  }

  async function pageOf(
    app: TestApp,
    filter: string,
    page: number,
    size: number,
  ): Promise<{ readonly refs: string[]; readonly total: number | undefined }> {
    const path = `/dids?page=${String(page)}&itemsPerPage=${String(size)}&filter=${encodeURIComponent(filter)}`;
    const { body } = await app.rest<{ metadata: { ref: string } }[]>('GET', path);
    return { refs: body.data.map(({ metadata }) => metadata.ref), total: body.meta['totalItems'] };
  }

  async function create(app: TestApp): Promise<void> {
    const telUrl = `tel:+7${String(++created).padStart(6, '0')}`;
    const { errors } = await app.graphql('mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }', {
      input: { telUrl, aorLink: 'sip:aaa@b.test', gatewayRef: created % 3 > 0 ? 'gw' : 'gw2' },
    });
    expect(errors).toBeUndefined();
  }

  async function move(app: TestApp, ref: string, aorLink: string): Promise<void> {
    const { errors } = await app.graphql(
      'mutation ($ref: String!, $input: UpdateDIDInput!) { updateDID(ref: $ref, input: $input) { ref } }',
      { ref, input: { aorLink } },
    );
    expect(errors).toBeUndefined();
  }

  async function remove(app: TestApp, ref: string): Promise<void> {
    expect((await app.rest('DELETE', `/dids/${ref}`)).status).toBe(200);
  }

  test.each(isFull ? [1, 2, 3] : [1])(
    'have the pages and totals that counting gives, under random changes from two processes (seed %i)',
    async (seed) => {
      const random = randomFrom(seed);
      const apps = [subject().app, other];
      const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T; // `from` has entries
      for (let step = 0; step < 60; step++) {
        const change = random(10);
        const refs = change < 4 ? await refsOf('TRUE') : [];
        if (change === 0) await remove(pick(apps), pick(refs));
        else if (change < 3) await create(pick(apps));
        else if (change === 3) await move(pick(apps), pick(refs), pick(['sip:moved@b.test', 'sip:a@b.test']));
        const { filter, condition } = pick(FILTERS);
        const expected = await refsOf(condition);
        const size = pick(SIZES);
        const first = 1 + random(Math.ceil(expected.length / size) + 1);
        const app = pick(apps);
        for (const page of [first, first + 1]) {
          const shown = expected.slice((page - 1) * size, page * size);
          expect(await pageOf(app, filter, page, size)).toEqual({ refs: shown, total: expected.length });
        }
        const { data } = await pick(apps).graphql('query ($filter: String) { dids(filter: $filter) { totalCount } }', {
          filter,
        });
        expect(data).toEqual({ dids: { totalCount: expected.length } });
      }
    },
    60_000,
  );

  test('lose no change that is made while they are read', async () => {
    const apps = [subject().app, other];
    const doomed = (await refsOf('TRUE')).slice(20, 40);
    const writing = apps.map(async (app, index) => {
      for (let time = 0; time < 20; time++) {
        if (time % 2 === index) await create(app);
        const ref = doomed[index * 10 + time];
        if (time < 10 && ref !== undefined) await remove(app, ref);
      }
    });
    const reading = apps.map(async (app) => {
      for (let time = 0; time < 20; time++)
        await Promise.all([1, time, 12].map((page) => pageOf(app, FILTERS[time % 3]?.filter ?? '', page + 1, 30)));
    });
    await Promise.all([...writing, ...reading]);
    for (const { filter, condition } of FILTERS.slice(0, 3)) {
      const expected = await refsOf(condition);
      for (const app of apps) {
        for (let page = 1; page <= Math.ceil(expected.length / 100); page++) {
          const refs = expected.slice((page - 1) * 100, page * 100);
          expect(await pageOf(app, filter, page, 100)).toEqual({ refs, total: expected.length });
        }
      }
    }
  });

  test('include a resource whose row id is lower than those of resources that were read before', async () => {
    const { app, url } = subject();
    const [row] = await runSql(url, "SELECT id, ref FROM numbers WHERE kind = 'DID' ORDER BY id LIMIT 1 OFFSET 10");
    await remove(app, String(row?.[1]));
    for (let page = 1; page <= 4; page++) await pageOf(app, '', page, 30);
    // Row ids are assigned before the commit: this is the row of a transaction that took longer than later ones.
    const columns =
      'id, ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
    await runSql(
      url,
      `INSERT INTO numbers (${columns}) VALUES (?, 'late', 1, 1, 'DID', 1, 'tel:late', 'sip:a@b.test', '', 'a', 'b.test')`,
      [Number(row?.[0])],
    );
    if (name === 'SQLite') {
      await runSql(url, 'UPDATE change_head SET last = last + 1');
      await runSql(
        url,
        "INSERT INTO changes (id, at, kind, ref, did) SELECT last, 1, 'DID', 'late', 'CREATED' FROM change_head",
      );
    } else
      await runSql(url, "INSERT INTO unnumbered_changes (at, kind, ref, did) VALUES (1, 'DID', 'late', 'CREATED')");
    const expected = await refsOf('TRUE');
    expect(expected[10]).toBe('late');
    for (let page = 4; page >= 1; page--) {
      const refs = expected.slice((page - 1) * 30, page * 30);
      expect(await pageOf(app, '', page, 30)).toEqual({ refs, total: expected.length });
    }
  });

  describe('with their statements recorded', () => {
    let database: Database;
    let texts: { readonly text: string; readonly values: readonly SqlValue[] }[];
    let reads: Reads;

    beforeAll(async () => {
      const config = loadConfig({ DATABASE_URL: subject().url, LOG_LEVEL: 'silent' });
      database = await openDatabase(config.database, {
        log: createLogger(config),
      });
      const rows: Reads['rows'] = (text, values) => {
        texts.push({ text, values });
        return database.rows(text, values);
      };
      reads = {
        dataEpoch: database,
        rows,
        unorderedRows: rows,
        rowByKey: (read, key) => database.rowByKey(read, key),
        rowsByKey: (read, keys) => database.rowsByKey(read, keys),
        heavy: (text, values) => database.heavy(text, values),
        atMost: (table) => database.atMost(table),
      };
    });

    beforeEach(async () => {
      texts = [];
      // Changes get their numbers within about a second.
      await eventually(5, async () => {
        for (const table of ['unnumbered_entries', 'unnumbered_changes'])
          expect(await runSql(subject().url, `SELECT id FROM ${table}`)).toEqual([]);
      });
    });

    afterAll(() => database.close());

    test.each(FILTERS.slice(0, 3))(
      'are walked through without counting or skipping: $filter',
      async ({ filter, condition }) => {
        const expected = await refsOf(condition);
        const reader = new ResourceReader(reads, new ListMemory());
        const found = filter === '' ? undefined : new Filters(database.product).condition(DID, filter);
        const refs: string[] = [];
        for (let skip = 0; skip < expected.length; skip += 30) {
          const page = await reader.numberedPage(DID, SELECTION, { skip, size: 30 }, { condition: found });
          expect(page.total).toBe(expected.length);
          refs.push(...refsIn(page));
        }
        expect(refs).toEqual(expected);
        expect(texts).toHaveLength(Math.ceil(expected.length / 30));
        expect(texts[0]?.text).toContain('COUNT(*)');
        for (const { text } of texts.slice(1)) expect(text).not.toMatch(/COUNT\(\*\)|OFFSET/);
      },
    );

    test('are counted, but not short ones with a condition whose last list was short', async () => {
      const reader = new ResourceReader(reads, new ListMemory());
      const refs = await refsOf('TRUE');
      const { total } = await reader.numberedPage(DID, SELECTION, { skip: 0, size: 1 });
      expect(total).toBe(refs.length);
      for (const [index, ref] of refs.slice(0, 5).entries())
        await runSql(subject().url, "UPDATE numbers SET aor_link = ?, aor_user = ? WHERE ref = ? AND kind = 'DID'", [
          ...(index < 4 ? ['sip:four@b.test', 'four'] : ['sip:one@b.test', 'one']),
          ref,
        ]);
      /** A page of the DIDs that ring this user, how many there are, and whether they were counted. */
      const read = async (
        user: string,
        skip: number,
        size: number,
      ): Promise<readonly [readonly string[], number, boolean]> => {
        const condition = new Filters(database.product).condition(DID, `@.spec.location.aorLink=='sip:${user}@b.test'`);
        texts = [];
        const page = await reader.numberedPage(DID, SELECTION, { skip, size }, { condition });
        return [refsIn(page), page.total, texts.some(({ text }) => text.includes('COUNT(*)'))];
      };
      const [first = '', second = '', third = '', fourth = '', fifth = ''] = refs;
      expect(await read('one', 0, 30)).toEqual([[fifth], 1, true]);
      expect(await read('four', 0, 30)).toEqual([[first, second, third, fourth], 4, false]);
      expect(await read('none', 0, 30)).toEqual([[], 0, false]);
      expect(await read('four', 3, 3)).toEqual([[fourth], 4, false]);
      // These may not be the last page.
      expect(await read('four', 0, 4)).toEqual([[first, second, third, fourth], 4, true]);
      expect(await read('one', 0, 30)).toEqual([[fifth], 1, true]);
      expect(await read('four', 30, 30)).toEqual([[], 4, true]);
      expect(await read('four', 0, 3)).toEqual([[first, second, third], 4, true]);
      expect(await read('one', 0, 30)).toEqual([[fifth], 1, true]);
    });

    test.each<readonly [what: string, read: (reader: ResourceReader) => Promise<unknown>]>([
      ['by its number', (reader) => reader.numberedPage(DID, SELECTION, { skip: 330, size: 30 })],
      ['by a cursor', (reader) => reader.page(DID, SELECTION, { after: [330], limit: 30, backwards: false })],
      ['by a cursor backwards', (reader) => reader.page(DID, SELECTION, { before: [330], limit: 30, backwards: true })],
    ])('have a page far into the list that is found %s through an index', async (_what, read) => {
      const reader = new ResourceReader(reads, new ListMemory());
      await reader.numberedPage(DID, SELECTION, { skip: 300, size: 30 });
      await read(reader);
      const { text, values } = texts.at(-1) ?? { text: '', values: [] };
      expect(text).not.toContain('OFFSET');
      const explain =
        name === 'SQLite' ? 'EXPLAIN QUERY PLAN' : `EXPLAIN ${name === 'MySQL' ? 'FORMAT=TRADITIONAL' : ''}`;
      const plan = (await runSql(subject().url, `${explain} ${text}`, values)).map((row) => row.map(String).join(' '));
      expect(plan.join('\n')).toMatch(
        name === 'SQLite'
          ? /SEARCH t .*(numbers_kind \(kind=\? AND rowid[<>]\?\)|rowid[<>]\?)/
          : / t .*range .*(numbers_kind 74|PRIMARY 8) /,
      );
    });

    test('are read on from the same position after they were counted anew', async () => {
      const expected = await refsOf('TRUE');
      // As in a table that is so large that its lists are counted by heavy reads.
      const large: Reads = {
        ...reads,
        heavy: (text, values) => reads.rows(text, values),
        atMost: () => Promise.resolve(Infinity),
      };
      const reader = new ResourceReader(large, new ListMemory(200));
      for (const skip of [300, 330]) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        texts = [];
        const page = await reader.numberedPage(DID, SELECTION, { skip, size: 30 });
        expect(refsIn(page)).toEqual(expected.slice(skip, skip + 30));
        expect(page.total).toBe(expected.length);
      }
      const [counting, page] = texts.map(({ text }) => text);
      expect(counting).toContain('COUNT(*)');
      expect(page).not.toContain('OFFSET');
    });

    test('are counted once for all requests that wait for a heavy read', async () => {
      let heavy = 0;
      const large: Reads = {
        ...reads,
        heavy: async (text, values) => {
          heavy++;
          await new Promise((resolve) => setTimeout(resolve, 100));
          return reads.rows(text, values);
        },
        atMost: () => Promise.resolve(Infinity),
      };
      const memory = new ListMemory();
      const expected = await refsOf('TRUE');
      const totals = await Promise.all(
        Array.from({ length: 8 }, async (_, n) => {
          const reader = new ResourceReader(large, memory);
          if (n % 2 === 0) return reader.count(DID);
          return (await reader.numberedPage(DID, SELECTION, { skip: 0, size: 30 })).total;
        }),
      );
      expect(totals).toEqual(totals.map(() => expected.length));
      expect(heavy).toBe(1);
    });

    test('are counted once for all requests that wait for a heavy read, with a filter', async () => {
      let counts = 0;
      const large: Reads = {
        ...reads,
        heavy: async (text, values) => {
          if (text.includes('COUNT(*)')) counts++;
          await new Promise((resolve) => setTimeout(resolve, 100));
          return reads.rows(text, values);
        },
        atMost: () => Promise.resolve(Infinity),
      };
      const memory = new ListMemory();
      const { filter, condition } = FILTERS[2];
      const query = { condition: new Filters(database.product).condition(DID, filter) };
      const totals = await Promise.all(
        Array.from({ length: 8 }, async (_, n) => {
          const reader = new ResourceReader(large, memory);
          if (n % 2 === 0) return reader.count(DID, query);
          return (await reader.numberedPage(DID, SELECTION, { skip: 0, size: 30 }, query)).total;
        }),
      );
      const expected = await refsOf(condition);
      expect(totals).toEqual(totals.map(() => expected.length));
      expect(counts).toBe(1);
    });

    test('are counted anew if they are forgotten while their changes are read', async () => {
      const memory = new ListMemory(200);
      const total = await new ResourceReader(reads, memory).count(DID);
      expect(await new ResourceReader(reads, memory).count(DID)).toBe(total);
      const slow: Reads = {
        ...reads,
        unorderedRows: async (text, values) => {
          const rows = await reads.unorderedRows(text, values);
          await new Promise((resolve) => setTimeout(resolve, 400));
          return rows;
        },
      };
      const waiting = new ResourceReader(slow, memory).count(DID);
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await new ResourceReader(reads, memory).count(DID)).toBe(total);
      texts = [];
      expect(await waiting).toBe(total);
      expect(texts.length).toBeLessThanOrEqual(2);
    });

    test('are counted anew after a while, so that rows of other programs are seen', async () => {
      const [patient, hasty] = [new ListMemory(), new ListMemory(200)].map(
        (memory) => new ResourceReader(reads, memory),
      );
      const before = await patient?.count(DID);
      expect(await hasty?.numberedPage(DID, SELECTION, { skip: 0, size: 1 })).toMatchObject({ total: before });
      await runSql(subject().url, 'DELETE FROM numbers WHERE ref = ?', [(await refsOf('TRUE'))[7] ?? '']);
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await hasty?.count(DID)).toBe(Number(before) - 1);
      expect(await patient?.count(DID)).toBe(before);
    });
  });
});
