import { loadConfig } from '../../src/config/config';
import type { Database } from '../../src/database/database';
import { openDatabase } from '../../src/database/open';
import type { OwnTransaction } from '../../src/database/sql';
import { assertRangesFree } from '../../src/resources/write/number-ranges';
import { model } from '../support/model';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const MILLION = 1_000_000;

onEachDatabase('In a cluster, a write of ranges', (subject) => {
  let database: Database;

  beforeAll(async () => {
    const { database: config } = loadConfig({ DATABASE_URL: subject().url });
    database = await openDatabase(config, { log: { warn: () => undefined } });
  });

  afterAll(() => database.close());

  /** Writes ranges of a million numbers, each by its actor, and returns how many rows guard them until the commit. */
  const write = (actors: readonly { readonly owe?: (work: number) => void }[]): Promise<number> =>
    database.transaction(async (transaction) => {
      const inCluster: OwnTransaction = { ...transaction, hasNodes: () => Promise.resolve(true) };
      const written = actors.map((actor, n) => {
        const values = new Map([
          ['telUrl', `tel:+49${String(MILLION + n * MILLION)}`],
          ['lastTelUrl', `tel:+49${String(2 * MILLION + n * MILLION - 1)}`],
        ]);
        return { gatewayId: 1, values, actor };
      });
      await assertRangesFree(inCluster, model.kindOf('DID'), written);
      const [[rows] = []] = await transaction.rows('SELECT COUNT(*) FROM number_guards', []);
      return Number(rows);
    });

  test('is charged for the rows that guard them, which the commit leaves none of', async () => {
    let owed = 0;
    expect(await write([{ owe: (work) => (owed += work) }])).toBe(1000);
    expect(owed).toBe(100);
    expect(await runSql(subject().url, 'SELECT COUNT(*) FROM number_guards')).toEqual([[0]]);
  });

  test('has at most ten million numbers in the request of a caller', async () => {
    const [one, other] = [{}, {}];
    const many = (count: number): readonly object[] => Array.from({ length: count }, () => one);
    await expect(write(many(11))).rejects.toThrow(
      'A DID cannot be saved: lastTelUrl "tel:+4911000000" to "tel:+4911999999" has too many numbers for this request: in a cluster, its ranges can have 10,000,000 numbers: divide the request',
    );
    expect(await write([...many(9), other])).toBe(10_000);
    expect(await write([...many(8), other, other])).toBe(10_000);
  });
});
