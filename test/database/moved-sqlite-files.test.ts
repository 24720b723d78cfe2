import { copyFile, rename, rm, symlink } from 'node:fs/promises';

import { openSqlite } from '../../src/database/sqlite/better-sqlite3';
import { startApp } from '../support/app';
import { createSqliteDatabase } from '../support/databases/sqlite-database';

const MUTATION = 'mutation ($input: CreateGatewayInput!) { createGateway(input: $input) { ref } }';

const WAYS: readonly [string, (file: string) => Promise<void>][] = [
  ['is removed', (file) => rm(file)],
  ['is moved', (file) => rename(file, `${file}.moved`)],
  ['is replaced by a copy', (file) => copyFile(file, `${file}.copy`).then(() => rename(`${file}.copy`, file))],
  ['loses its write-ahead log', (file) => rm(`${file}-wal`)],
];

test.each(WAYS)('If a SQLite file %s, writes get 503 instead of being lost, and it is not ready', async (_, change) => {
  const database = await createSqliteDatabase();
  const app = await startApp({ DATABASE_URL: database.url });
  const create = async (name: string): Promise<unknown> => {
    const { status, errors } = await app.graphql(MUTATION, { input: { name, host: `${name}.test`, transport: 'UDP' } });
    return errors?.[0]?.extensions['code'] ?? status;
  };
  try {
    expect(await create('before')).toBe(200);
    await change(database.url.replace('sqlite:', ''));
    expect(await create('after')).toBe('UNAVAILABLE');
    const readiness = await fetch(`${app.url}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({ ready: false, database: 'down' });
    expect((await app.graphql('{ gateways { nodes { name } } }')).data).toEqual({
      gateways: { nodes: [{ name: 'before' }] },
    });
  } finally {
    await app.close();
    await database.drop();
  }
});

test('The write-ahead log of a SQLite file is watched through a symbolic link', async () => {
  const database = await createSqliteDatabase();
  const file = database.url.replace('sqlite:', '');
  await symlink(file, `${file}.link`);
  const app = await startApp({ DATABASE_URL: `${database.url}.link` });
  try {
    await app.token();
    await rm(`${file}-wal`);
    const { errors } = await app.graphql(MUTATION, { input: { name: 'x', host: 'x.test', transport: 'UDP' } });
    expect(errors?.[0]?.extensions['code']).toBe('UNAVAILABLE');
  } finally {
    await app.close();
    await database.drop();
  }
});

test('A SQLite file without a write-ahead log is written after another process has begun one', async () => {
  const database = await createSqliteDatabase();
  await (await startApp({ DATABASE_URL: database.url })).close();
  const file = openSqlite(database.url.replace('sqlite:', ''));
  expect(file.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
  file.close();
  const app = await startApp({ DATABASE_URL: database.url, MIGRATE: 'off' });
  const other = await startApp({ DATABASE_URL: database.url });
  try {
    const { data } = await app.graphql(MUTATION, { input: { name: 'x', host: 'x.test', transport: 'UDP' } });
    expect(data).toEqual({ createGateway: { ref: expect.any(String) } });
  } finally {
    await other.close();
    await app.close();
    await database.drop();
  }
});

test('A SQLite file that was moved and comes back is written again', async () => {
  const database = await createSqliteDatabase();
  const file = database.url.replace('sqlite:', '');
  const app = await startApp({ DATABASE_URL: database.url });
  const create = async (name: string): Promise<unknown> =>
    (await app.graphql(MUTATION, { input: { name, host: `${name}.test`, transport: 'UDP' } })).data;
  try {
    await app.token();
    await rename(file, `${file}.moved`);
    expect(await create('away')).toBeNull();
    await rename(`${file}.moved`, file);
    expect(await create('back')).toEqual({ createGateway: { ref: expect.any(String) } });
  } finally {
    await app.close();
    await database.drop();
  }
});
