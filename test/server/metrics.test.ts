import { startApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';
import { newMetrics } from '../support/metrics';
import { onEachDriver, type Subject } from '../support/databases/on-each-database';
import { registerContact, registerGateway, runSql } from '../support/databases/sql';

onEachDriver('Metrics', (subject: () => Subject, database) => {
  /** The samples of `/metrics`: values by name and labels, such as `sipgraph_trunks{state="up"}`. */
  async function scrape(): Promise<Readonly<Record<string, number>>> {
    const { app } = subject();
    const lines = (await newMetrics(app.url, await app.token()))
      .split('\n')
      .filter((line) => line.startsWith('sipgraph_'));
    return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]));
  }

  test('count what is registered, once in 15 seconds however often they are read', async () => {
    const { app, url } = subject();
    const trunk = { username: 'trunk', secret: 'trunk-secret' };
    await createGateway(app, { ref: 'gw-up', ...trunk });
    await createGateway(app, { ref: 'gw-lapsed', ...trunk });
    await createGateway(app, { ref: 'gw-silent', ...trunk });
    await createGateway(app, { ref: 'gw-static' });
    await registerGateway(url, 'gw-up');
    await registerGateway(url, 'gw-lapsed', { secondsAgo: 900, secondsLeft: -300 });
    await registerContact(url, { username: '1001', domain: 'sip.test', contact: 'sip:1001@192.0.2.1' });
    await registerContact(url, {
      username: '1002',
      domain: 'sip.test',
      contact: 'sip:1002@192.0.2.1',
      secondsLeft: -5,
    });
    const expected = {
      'sipgraph_trunks{state="up"}': 1,
      'sipgraph_trunks{state="down"}': 2,
      sipgraph_contacts: 1,
    };
    expect(await scrape()).toMatchObject(expected);
    await runSql(url, 'DELETE FROM location');
    expect(await scrape()).toMatchObject(expected);
  });

  test('say how many connections a pool has, how many are in use, and who waits', async () => {
    const pools = database === 'SQLite' ? ['write'] : ['read', 'write', 'shared-write', 'upkeep'];
    // The application has just started, and its periodic work may wait for a connection.
    await eventually(10, async () => {
      const samples = await scrape();
      for (const pool of pools) {
        expect(samples[`sipgraph_database_connections_max{pool="${pool}"}`]).toBeGreaterThan(0);
        expect(samples[`sipgraph_database_connections_used{pool="${pool}"}`]).toBeGreaterThanOrEqual(0);
        expect(samples[`sipgraph_database_waiting{pool="${pool}"}`]).toBe(0);
      }
      expect(samples['sipgraph_changes_lag_seconds']).toBeLessThan(10);
    });
  });

  test('are there again as soon as the database returns them', async () => {
    const { url } = subject();
    const app = await startApp({ DATABASE_URL: url });
    const contacts = async (): Promise<string | undefined> =>
      /^sipgraph_contacts (.*)$/m.exec(await newMetrics(app.url, await app.token()))?.[1];
    await runSql(url, 'ALTER TABLE call_nodes RENAME TO call_nodes_away');
    expect(await contacts()).toBe('Nan');
    await runSql(url, 'ALTER TABLE call_nodes_away RENAME TO call_nodes');
    expect(await contacts()).toMatch(/^\d+$/);
    await app.close();
  });

  test('count refused sign-ins and requests, and statements that failed', async () => {
    const { app, url } = subject();
    const before = await scrape();
    const basic = `Basic ${Buffer.from('admin:a wrong secret').toString('base64')}`;
    await fetch(`${app.url}/api/v1beta1/token`, { headers: { authorization: basic } });
    await app.rest('GET', '/gateways', { token: 'not a token' });
    await createGateway(app, { ref: 'gw-twice' });
    await expect(createGateway(app, { ref: 'gw-twice' })).rejects.toThrow('CONFLICT');
    await runSql(url, 'ALTER TABLE peers RENAME TO peers_away');
    for (const path of ['/peers', '/peers/one']) expect((await app.rest('GET', path)).status).toBe(500);
    await runSql(url, 'ALTER TABLE peers_away RENAME TO peers');
    const after = await scrape();
    const increase = (sample: string): number => (after[sample] ?? NaN) - (before[sample] ?? NaN);
    expect(increase('sipgraph_security_events_total{event="sign-in-failed"}')).toBe(1);
    expect(increase('sipgraph_security_events_total{event="token-refused"}')).toBe(1);
    expect(increase('sipgraph_security_events_total{event="refused-by-budget"}')).toBe(0);
    expect(increase('sipgraph_sql_failures_total{reason="other"}')).toBeGreaterThanOrEqual(1);
    expect(increase('sipgraph_sql_failures_total{reason="conflict"}')).toBe(0);
    expect(increase('sipgraph_sql_statements_total{outcome="ok"}')).toBeGreaterThan(1);
    expect(increase('sipgraph_sql_statements_total{outcome="rejected"}')).toBe(1);
    expect(increase('sipgraph_sql_statements_total{outcome="failed"}')).toBeGreaterThanOrEqual(1);
    expect(increase('sipgraph_sql_statements_total{outcome="cancelled"}')).toBe(0);
  });

  test('are shared by concurrent readers', async () => {
    const app = await startApp({ DATABASE_URL: subject().url }, undefined, { timings: { metricsShared: undefined } });
    const headers = { authorization: `Bearer ${await app.token()}` };
    const read = async () => (await fetch(`${app.url}/metrics`, { headers })).text();
    const texts = await Promise.all(Array.from({ length: 100 }, read));
    await app.close();
    expect(new Set(texts).size).toBeLessThan(50);
  });
});
