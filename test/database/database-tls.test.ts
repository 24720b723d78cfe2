import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '../../src/config/config';
import { createDataSource } from '../../src/database/open';
import { startApp } from '../support/app';
import { certify } from '../support/certificates';
import { describeWith } from '../support/runner/programs';
import { ownMariaDb, type OwnServer } from '../support/databases/own-server';

let directory: string;

const at = (name: string): string => join(directory, name);

describeWith(['mariadbd', 'openssl'], 'TLS to the database', () => {
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'sipgraph-tls-'));
    certify(directory, 'ca', 'localhost');
    certify(directory, 'other', 'db.example.test');
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  function withParameters(url: string, parameters: string): string {
    return `${url.replace('127.0.0.1', 'localhost')}?${parameters}`;
  }

  const start = (url: string): Promise<unknown> => startApp({ DATABASE_URL: url, SAMPLE_DATA: 'false' });

  describe('A server with a certificate', () => {
    let server: OwnServer;
    let url: string;

    beforeAll(async () => {
      server = await ownMariaDb(`--ssl-cert=${at('ca-localhost.pem')}`, `--ssl-key=${at('ca-localhost.key')}`);
      ({ url } = await server.createDatabase());
    });

    afterAll(() => server.remove());

    test.each([
      ['verify', () => `ssl=verify&ssl-ca=${at('ca.pem')}`],
      ['require', () => 'ssl=require'],
    ])('is used with TLS by every connection with ssl=%s', async (_mode, parameters) => {
      const secured = withParameters(url, parameters());
      const app = await startApp({ DATABASE_URL: secured });
      expect((await app.rest('GET', '/gateways')).status).toBe(200);
      await app.close();
      const config = loadConfig({ DATABASE_URL: secured }).database;
      const dataSource = await createDataSource(config).initialize();
      const [cipher] = await dataSource.query<{ Value: string }[]>("SHOW STATUS LIKE 'Ssl_cipher'");
      expect(cipher?.Value).not.toBe('');
      await dataSource.destroy();
    });

    test('is rejected if another authority is trusted', async () => {
      await expect(start(withParameters(url, `ssl=verify&ssl-ca=${at('other.pem')}`))).rejects.toThrow(
        /TLS with localhost:\d+\/sipgraph: .*certificate/i,
      );
    });

    test("is rejected if only the system's authorities are trusted", async () => {
      await expect(start(withParameters(url, 'ssl=verify'))).rejects.toThrow(
        /TLS with localhost:\d+\/sipgraph: .*certificate/i,
      );
    });
  });

  test('A server that gets a certificate of another authority causes 503, and is used again with one of the first', async () => {
    const withCertificate = (name: string): string[] => [
      `--ssl-cert=${at(`${name}.pem`)}`,
      `--ssl-key=${at(`${name}.key`)}`,
    ];
    const server = await ownMariaDb(...withCertificate('ca-localhost'));
    const { url } = await server.createDatabase();
    const app = await startApp({ DATABASE_URL: withParameters(url, `ssl=verify&ssl-ca=${at('ca.pem')}`) });
    const read = async (): Promise<unknown> => (await app.graphql('{ gateways { totalCount } }')).status;
    const restart = (name: string): Promise<void> => server.kill().then(() => server.start(withCertificate(name)));
    try {
      expect(await read()).toBe(200);
      await restart('other-db.example.test');
      expect(await read()).toBe(503);
      expect((await fetch(`${app.url}/readyz`)).status).toBe(503);
      await restart('ca-localhost');
      expect(await read()).toBe(200);
    } finally {
      await app.close();
      await server.remove();
    }
  });

  describe('A server whose certificate is for another name', () => {
    let server: OwnServer;
    let url: string;

    beforeAll(async () => {
      const name = 'other-db.example.test';
      server = await ownMariaDb(`--ssl-cert=${at(`${name}.pem`)}`, `--ssl-key=${at(`${name}.key`)}`);
      ({ url } = await server.createDatabase());
    });

    afterAll(() => server.remove());

    test('is rejected by ssl=verify', async () => {
      await expect(start(withParameters(url, `ssl=verify&ssl-ca=${at('other.pem')}`))).rejects.toThrow(
        /TLS with localhost:\d+\/sipgraph: .*(altnames|does not match)/i,
      );
    });
  });

  describe('A server without TLS', () => {
    let server: OwnServer;
    let url: string;

    beforeAll(async () => {
      server = await ownMariaDb('--skip-ssl');
      ({ url } = await server.createDatabase());
    });

    afterAll(() => server.remove());

    test.each(['ssl=require', 'ssl=verify'])('is rejected by %s', async (parameters) => {
      await expect(start(withParameters(url, parameters))).rejects.toThrow(
        /TLS with localhost:\d+\/sipgraph: Server does not support secure connection/,
      );
    });
  });

  test.each([
    ['ssl=verifi', 'ssl: "verifi" is not one of verify, require'],
    ['ssl=verify&tls=1', 'has the unknown parameter "tls"'],
    ['ssl=require&ssl-ca=x', 'ssl-ca: requires ssl=verify'],
    ['ssl=verify&ssl-ca=/nowhere.pem', 'ssl-ca: "/nowhere.pem" cannot be read'],
    ['ssl=verify&ssl-ca=package.json', 'contains no PEM certificate'],
    ['ssl=require&ssl=verify', 'has a parameter twice'],
  ])('DATABASE_URL with ?%s is a configuration error', (parameters, message) => {
    const load = () => loadConfig({ DATABASE_URL: `mysql://u:hush@db.test/x?${parameters}` });
    expect(load).toThrow(message);
    expect(load).not.toThrow('hush');
  });

  test('ssl=verify requires a host name, which certificates are verified for', () => {
    expect(() => loadConfig({ DATABASE_URL: 'mysql://u@127.0.0.1/x?ssl=verify' })).toThrow(
      'requires a host name instead of an IP address',
    );
  });
});
