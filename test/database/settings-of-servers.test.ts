import { createConnection } from 'mysql2/promise';

import { startApp, type TestApp } from '../support/app';
import { ownMariaDb, type OwnServer } from '../support/databases/own-server';
import { createGateway } from '../support/factories';
import { describeWith } from '../support/runner/programs';

const SETTINGS = [
  '--character-set-server=latin1',
  '--skip-character-set-client-handshake',
  '--transaction-isolation=READ-UNCOMMITTED',
  '--autocommit=0',
];

describeWith(['mariadbd'], 'A server with unusual settings for all sessions', () => {
  let server: OwnServer;
  let url: string;
  let app: TestApp;

  beforeAll(async () => {
    server = await ownMariaDb(...SETTINGS);
    ({ url } = await server.createDatabase());
    app = await startApp({ DATABASE_URL: url }, undefined, { migrates: true });
  });

  afterAll(async () => {
    await app.close();
    await server.remove();
  });

  const read = async (ref: string): Promise<unknown> =>
    (await app.graphql('query ($ref: String!) { gateway(ref: $ref) { name } }', { ref })).data;

  test('stores text as it was sent', async () => {
    const name = 'Straße 電話 😀';
    expect(await read(await createGateway(app, { name }))).toEqual({ gateway: { name } });
    const stored = await server.run('SELECT HEX(name) FROM sipgraph.gateways');
    expect(stored).toBe(Buffer.from(name).toString('hex').toUpperCase());
  });

  test('shows what others write only when they have committed it', async () => {
    const ref = await createGateway(app, { name: 'before' });
    const other = await createConnection(url);
    try {
      await other.query('BEGIN');
      await other.query("UPDATE gateways SET name = 'after' WHERE ref = ?", [ref]);
      expect(await read(ref)).toEqual({ gateway: { name: 'before' } });
      await other.query('COMMIT');
      expect(await read(ref)).toEqual({ gateway: { name: 'after' } });
    } finally {
      await other.end();
    }
  });
});
