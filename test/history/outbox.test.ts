import { ChangeLog } from '../../src/changes/change-log';
import { changesSince, toChangesSince } from '../../src/changes/changes-since';
import { noteChange } from '../../src/changes/outbox';
import { loadConfig } from '../../src/config/config';
import type { Database } from '../../src/database/database';
import { openDatabase } from '../../src/database/open';
import { createLogger } from '../../src/log';
import { databases } from '../support/databases/databases';
import { model } from '../support/model';

describe.each(databases)('The outbox, on $name', ({ name, createDatabase }) => {
  let database: Database;
  let drop: () => Promise<void>;

  // Without the application, which writes changes, too.
  beforeAll(async () => {
    const made = await createDatabase();
    drop = made.drop;
    const config = loadConfig({ DATABASE_URL: made.url, LOG_LEVEL: 'silent' });
    database = await openDatabase(config.database, {
      log: createLogger(config),
    });
    await database.dataSource.runMigrations();
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  test.each([
    [1, { serial: 2, other: 1 }],
    [2, { serial: 2, other: 1 }],
    // In batches of 64 on SQLite, else of 2000, 200 and 64 changes, and the rest.
    [4321, { serial: 1 + 68, other: 2 + 1 + 2 }],
  ])('stores %i changes of a transaction in few statements, and numbers them in order', async (many, statements) => {
    const log = new ChangeLog(database, 3_600_000);
    const statementsSent = () => Object.values(database.observer.statements).reduce((sum, count) => sum + count, 0);
    const [last, before] = [(await log.last()).id, statementsSent()];
    const changes = Array.from({ length: many }, (_, n) => [n < 9 ? 'DID' : 'Number', `n${n}`] as const);
    await database.transaction((transaction) => {
      for (const [kind, ref] of changes) noteChange(transaction, { kind, ref, event: 'CREATED' });
      return Promise.resolve();
    });
    expect(statementsSent() - before).toBe(database.isSerial ? statements.serial : statements.other);
    await log.sequencer.number();
    const rows = await database.rows('SELECT id, kind, ref, did FROM changes WHERE id > ? ORDER BY id', [last]);
    expect(rows).toEqual(changes.map(([kind, ref], n) => [last + n + 1, kind, ref, 'CREATED']));
    expect((await log.last()).id).toBe(last + many);
  });

  // One statement that sorts them together with their details takes longer than a statement may.
  test('numbers 1,000 changes with details of 30 kB each', async () => {
    const log = new ChangeLog(database, 3_600_000);
    const last = (await log.last()).id;
    const after = { allow: 'x'.repeat(30_000) };
    await database.transaction((transaction) => {
      for (let n = 0; n < 1000; n++)
        noteChange(transaction, { kind: 'Domain', ref: `d${String(n)}`, event: 'UPDATED', details: { after } });
      return Promise.resolve();
    });
    await log.sequencer.settle();
    const rows = await database.rows('SELECT id, ref, LENGTH(details) > 30000 FROM changes WHERE id > ? ORDER BY id', [
      last,
    ]);
    expect(rows).toEqual(Array.from({ length: 1000 }, (_, n) => [last + n + 1, `d${String(n)}`, 1]));
  });

  test('changes are counted by kind, with and without a number', async () => {
    const log = new ChangeLog(database, 3_600_000);
    const note = (kind: string, event: string): Promise<void> =>
      database.transaction((transaction) => {
        noteChange(transaction, { kind, ref: 'r', event });
        return Promise.resolve();
      });
    await note('Peer', 'CREATED');
    const after = (await log.last()).id;
    for (const event of ['CREATED', 'UPDATED', 'CREATED']) await note('Peer', event);
    const last = (await log.last()).id;
    for (const event of ['CREATED', 'DELETED']) await note('Peer', event);
    await note('Agent', 'CREATED');
    // The last three have no numbers, except in a database that assigns all numbers together.
    const { text, values } = changesSince(model.kindOf('Peer'), after);
    const [row = []] = await database.rows(text, values);
    const none = { created: 0, updated: 0, deleted: 0 };
    expect(toChangesSince(row, after)).toEqual({
      last: database.isSerial ? last + 3 : last,
      all: { created: 3, updated: 1, deleted: 1 },
      unnumbered: database.isSerial ? none : { ...none, created: 1, deleted: 1 },
      firstCreated: undefined,
    });
  });

  // SQLite runs one transaction at a time.
  if (name === 'SQLite') return;

  test('a number is given to what is committed, while a transaction is open that has stored changes', async () => {
    const log = new ChangeLog(database, 3_600_000);
    const after = (await log.last()).id;
    const write = (ref: string, work: () => Promise<void>): Promise<void> =>
      database.transaction((transaction) => {
        noteChange(transaction, { kind: 'Peer', ref, event: 'CREATED' });
        // Runs once the change is stored.
        transaction.beforeCommit(work);
        return Promise.resolve();
      });
    await write('slow', async () => {
      for (const ref of ['one', 'two']) await write(ref, () => Promise.resolve());
      expect((await log.last()).id).toBe(after + 2);
      await write('three', () => Promise.resolve());
    });
    expect((await log.last()).id).toBe(after + 4);
    const refs = (await log.between(after, after + 4, 10)).map(({ ref }) => ref);
    expect(refs).toEqual(['one', 'two', 'slow', 'three']);
  });
});
