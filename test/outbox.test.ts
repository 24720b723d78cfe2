import { noteChange } from '../src/changes/outbox';
import { loadConfig } from '../src/config/config';
import type { Database } from '../src/database/database';
import { openDatabase } from '../src/database/open';
import { createLogger } from '../src/log';
import { entitiesFor } from '../src/resources/entities';
import { databases } from './support/databases';
import { model } from './support/model';

describe.each(databases)('The outbox, on $name', ({ createDatabase }) => {
  let database: Database;
  let drop: () => Promise<void>;

  // Without the application, which writes changes, too.
  beforeAll(async () => {
    const made = await createDatabase();
    drop = made.drop;
    const config = loadConfig({ DATABASE_URL: made.url, LOG_LEVEL: 'silent' });
    database = await openDatabase(config.database, entitiesFor(model.kinds, config.database.dialect), {
      log: createLogger(config),
    });
    await database.dataSource.runMigrations();
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  const head = async (): Promise<number> => {
    const [row] = await database.rows('SELECT last FROM change_head', []);
    return Number(row?.[0]);
  };

  test.each([
    // Reserve the ids, read them if there are several, and insert in batches.
    [1, 2],
    [2, 4],
    [4321, 2 + (2 + 1 + 6 + 1)],
  ])('stores %i changes of a transaction in order, in %i statements', async (many, statements) => {
    const [last, sent] = [await head(), database.statements];
    const changes = Array.from({ length: many }, (_, n) => [n < 9 ? 'DID' : 'Number', `n${n}`] as const);
    await database.transaction((transaction) => {
      for (const [kind, ref] of changes) noteChange(transaction, kind, ref, 'CREATED');
      return Promise.resolve();
    });
    expect(database.statements - sent).toBe(statements);
    const rows = await database.rows('SELECT id, kind, ref, did FROM changes WHERE id > ? ORDER BY id', [last]);
    expect(rows).toEqual(changes.map(([kind, ref], n) => [last + n + 1, kind, ref, 'CREATED']));
    expect(await head()).toBe(last + many);
  });
});
