import type { HistoryQuery } from '../../src/history/history-query';
import { HistoryReader } from '../../src/history/history-reader';
import { RequestReader } from '../../src/history/request-reader';
import { readsWithin, type Row, type SqlValue } from '../../src/database/sql';
import { onEachDatabase } from '../support/databases/on-each-database';
import { model } from '../support/model';
import { runSql } from '../support/databases/sql';

const ENTRIES = 20_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const KINDS = model.kinds.map(({ name }) => name);
const FIRST = { limit: 30, backwards: false };

/** Conditions, and the index that finds their entries. */
const PAGES: readonly (readonly [what: string, query: Partial<HistoryQuery>, index: string])[] = [
  ['nothing', {}, 'changes_kind'],
  ['kind', { kinds: ['Peer'] }, 'changes_kind'],
  ['ref', { ref: 'r7' }, 'changes_ref'],
  ['kind and ref', { kinds: ['Peer'], ref: 'r7' }, 'changes_ref'],
  ['who', { username: 'user3' }, 'changes_who'],
  ['way', { channel: 'REST' }, 'changes_way'],
  ['event', { event: 'DELETED' }, 'changes_did'],
  ['request', { requestId: 'q7' }, 'changes_request'],
  ['kind and request', { kinds: ['DID'], requestId: 'q7' }, 'changes_request'],
  ['time', { from: START + 1000, to: START + 2000 }, 'changes_kind'],
  ['who and time', { username: 'user3', from: START + 1000 }, 'changes_who'],
];

onEachDatabase('The history of twenty thousand entries', (subject) => {
  const isSqlite = (): boolean => subject().url.startsWith('sqlite:');

  beforeAll(async () => {
    const { url } = subject();
    const columns = 'id, at, kind, ref, did, who, way, request, details';
    for (let start = 0; start < ENTRIES; start += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => {
        const n = start + index;
        const [event, way] = [n % 9 === 0 ? 'DELETED' : 'UPDATED', n % 5 === 0 ? 'REST' : 'GRAPHQL'];
        const on = [KINDS[n % KINDS.length] ?? '', `r${n % 500}`, event, `user${n % 7}`, way, `q${n % 4000}`];
        return [1_000_000 + n, START + n, ...on, '{}'];
      });
      const places = rows.map(() => `(${columns.replace(/\w+/g, '?')})`).join(', ');
      await runSql(url, `INSERT INTO changes (${columns}) VALUES ${places}`, rows.flat());
    }
    await runSql(url, isSqlite() ? 'ANALYZE' : 'ANALYZE TABLE changes');
  });

  /** The steps on the history of the statements of a read: the index of each, and the plan as text. */
  async function stepsOf(
    ask: (reader: HistoryReader, requests: RequestReader) => Promise<unknown>,
  ): Promise<readonly [string, string][]> {
    const { url } = subject();
    const asked: [string, readonly SqlValue[]][] = [];
    const rows = async (text: string, values: readonly SqlValue[]): Promise<readonly Row[]> => {
      asked.push([text, values]);
      return (await runSql(url, text, values)) as readonly Row[];
    };
    const product = isSqlite() ? 'sqlite' : 'mysql';
    const reads = readsWithin({ rows });
    const reader = new HistoryReader(reads, product, () => Promise.resolve());
    await ask(reader, new RequestReader(reader, reads, product, () => undefined));
    const steps: [string, string][] = [];
    for (const [text, values] of asked) {
      const plan = await runSql(url, `EXPLAIN ${isSqlite() ? 'QUERY PLAN' : 'FORMAT=TRADITIONAL'} ${text}`, values);
      for (const row of plan) {
        const shown = row.map(String).join(' ');
        // Of a server: id, type of the SELECT, table, on MySQL the partitions, type of access, possible keys, key...
        const [table, key] = isSqlite() ? [] : [row[2], row[row.length > 10 ? 6 : 5]];
        if (isSqlite() && /\bchanges\b/.test(shown)) steps.push([/INDEX (\w+)/.exec(shown)?.[1] ?? '', shown]);
        if (table === 'changes') steps.push([String(key), shown]);
      }
    }
    return steps;
  }

  test.each(PAGES)('a page by %s is read through an index', async (_what, query, index) => {
    const steps = await stepsOf((reader) => reader.page({ kinds: KINDS, ...query }, FIRST));
    // The numbers of a span of time are found by the time.
    const about = steps.filter(([used]) => used !== 'changes_at');
    expect(about).toHaveLength((query.kinds ?? KINDS).length);
    for (const [used, shown] of about) {
      expect(used).toBe(index);
      expect(shown).toMatch(isSqlite() ? /SEARCH changes USING (COVERING )?INDEX \w+ \(\w+=\?/ : / (ref|range) /);
    }
    for (const [, shown] of steps) expect(shown).not.toMatch(/SCAN changes| ALL |filesort/);
    const isTimed = query.from !== undefined || query.to !== undefined;
    expect(steps.some(([used]) => used === 'changes_at')).toBe(isTimed);
  });

  test('the history of a page of resources is read through an index', async () => {
    const steps = await stepsOf((reader) => reader.ofResources(model.kindOf('Peer'), ['r1', 'r2', 'r3'], FIRST));
    // Twice for the creations, and once for each resource.
    expect(steps.map(([used]) => used)).toEqual(Array(5).fill('changes_ref'));
    for (const [, shown] of steps) expect(shown).not.toMatch(/SCAN| ALL |filesort/);
  });

  test('the number of entries of a resource is counted through an index', async () => {
    const steps = await stepsOf((reader) => reader.countsOf(model.kindOf('Peer'), ['r1', 'r2']));
    expect(steps.map(([used]) => used)).toEqual(Array(4).fill('changes_ref'));
  });

  test('requests are found, skipped and told through indexes', async () => {
    const all = { kinds: KINDS };
    const steps = await stepsOf(async (_reader, requests) => {
      await requests.page(all, 10);
      await requests.page({ ...all, event: 'UPDATED' }, 10, 1_010_000);
    });
    expect(new Set(steps.map(([used]) => used))).toEqual(new Set(['changes_kind', 'changes_did', 'changes_request']));
    for (const [, shown] of steps) expect(shown).not.toMatch(/SCAN changes| ALL |filesort/);
  });

  test('the creations of a resource with ten thousand entries are sought by a heavy read, and those of others are not', async () => {
    const { url } = subject();
    const entries = `SELECT id + 1000000, at, kind, 'long', 'UPDATED', details
      FROM changes WHERE kind = 'Peer' AND ref <> 'long'`;
    // Of each kind, a seventh.
    for (let times = 0; times < 4; times++)
      await runSql(
        url,
        `INSERT INTO changes (id, at, kind, ref, did, details)
         ${entries.replace('1000000', String((times + 1) * 1_000_000))}`,
      );
    const heavy: string[] = [];
    const rows = async (text: string, values: readonly SqlValue[]): Promise<readonly Row[]> =>
      (await runSql(url, text, values)) as readonly Row[];
    const reads = {
      ...readsWithin({ rows }),
      heavy: (text: string, values: readonly SqlValue[]): Promise<readonly Row[]> => {
        heavy.push(text);
        return rows(text, values);
      },
    };
    const reader = new HistoryReader(reads, isSqlite() ? 'sqlite' : 'mysql', () => Promise.resolve());
    const peer = model.kindOf('Peer');
    await reader.countsOf(peer, ['r1', 'r2']);
    expect(heavy).toEqual([]);
    const [[, many] = []] = [...(await reader.countsOf(peer, ['long']))];
    expect(many).toBeGreaterThan(10_000);
    expect(heavy).toHaveLength(1);
  });
});
