import type { TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createDomain, createGateway } from '../support/factories';
import { whileLocked } from '../support/databases/locks';
import { metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

type Row = Readonly<Record<string, unknown>>;

const MANY = 500;
const SIMULATE = `mutation ($changes: [ChangeInput!]!) {
  simulate(changes: $changes) { calls { counts { starts } } }
}`;
const RENAME = 'mutation ($ref: String!, $name: String!) { updateGateway(ref: $ref, input: { name: $name }) { ref } }';

onEachDatabase('While changes are simulated', (subject, database) => {
  const isServer = database !== 'SQLite';

  /** Changes of a gateway and of many numbers, all of which ring after them. */
  async function plan(): Promise<{ readonly gateway: string; readonly changes: readonly Row[] }> {
    const { app } = subject();
    const host = `locks${String(performance.now()).replace('.', '-')}.test`;
    await createDomain(app, { domainUri: host });
    const gateway = await createGateway(app, { name: 'Old' });
    const changes = [
      { update: { ref: gateway, gateway: { name: 'New' } } },
      { create: { agent: { name: 'ann', username: 'ann', secret: 'secret', domains: [host] } } },
      ...Array.from({ length: MANY }, (_, n) => ({
        create: {
          number: { gatewayRef: gateway, telUrl: `tel:+4471${String(10_000 + n)}`, aorLink: `sip:ann@${host}` },
        },
      })),
    ];
    return { gateway, changes };
  }

  const conflicts = async (): Promise<number> => {
    const { app } = subject();
    return metric(app.url, await app.token(), 'sipgraph_sql_failures_total\\{reason="conflict"\\}');
  };

  /** Resolves when a simulation has locked a gateway. */
  const isLocked = async (ref: string): Promise<void> => {
    const free = `SELECT id FROM gateways WHERE ref = '${ref}' FOR UPDATE SKIP LOCKED`;
    if (isServer) await eventually(5, async () => expect(await runSql(subject().url, free)).toHaveLength(0), 5);
  };

  const rename = async (app: TestApp, ref: string, name: string): Promise<number> => {
    const start = performance.now();
    expect((await app.graphql(RENAME, { ref, name })).errors).toBeUndefined();
    return performance.now() - start;
  };

  test('a writer of the same resource goes on, and the simulation begins again', async () => {
    const { app } = subject();
    const { gateway, changes } = await plan();
    const before = await conflicts();
    const simulated = app.graphql(SIMULATE, { changes });
    await isLocked(gateway);
    await rename(app, gateway, 'Changed');
    const { data, errors } = await simulated;
    expect(errors).toBeUndefined();
    expect(data).toEqual({ simulate: { calls: { counts: { starts: expect.any(Number) as number } } } });
    expect((await conflicts()) - before).toBe(isServer ? 1 : 0);
    expect(
      (await app.graphql<Row>('query ($ref: String!) { gateway(ref: $ref) { name } }', { ref: gateway })).data,
    ).toEqual({
      gateway: { name: 'Changed' },
    });
  });

  test('simulations of the same resources wait for each other', async () => {
    const { app } = subject();
    const { changes } = await plan();
    const simulated = await Promise.all([1, 2].map(() => app.graphql(SIMULATE, { changes })));
    expect(simulated.map(({ errors }) => errors)).toEqual([undefined, undefined]);
  });

  test('writers that wait for locks of others do not interrupt the simulation', async () => {
    const { app, url } = subject();
    const { changes } = await plan();
    const other = await createGateway(app, { name: 'Old' });
    const before = await conflicts();
    const row = `SELECT id FROM gateways WHERE ref = '${other}' FOR UPDATE`;
    const small = { changes: changes.slice(0, 20) };
    await whileLocked(
      url,
      row,
      () => rename(app, other, 'Changed'),
      async () => expect((await app.graphql(SIMULATE, small)).errors).toBeUndefined(),
    );
    expect((await conflicts()) - before).toBe(0);
  });

  test('writers that come again and again go on, and the simulation is refused if it finds no time', async () => {
    const { app } = subject();
    if (!isServer) return;
    const { gateway, changes } = await plan();
    const over = new AbortController();
    const isOver = (): boolean => over.signal.aborted;
    const simulated = app.graphql(SIMULATE, { changes }).finally(() => over.abort());
    for (let turn = 0; !isOver(); turn++) {
      await isLocked(gateway).catch(() => undefined);
      if (!isOver()) await rename(app, gateway, `Changed ${String(turn)}`);
    }
    const { errors = [] } = await simulated;
    expect(errors.map(({ message, extensions }) => [message, extensions['code']])).toEqual([
      ['The database cannot simulate what others change at the moment; try again later', 'UNAVAILABLE'],
    ]);
  }, 60_000);
});
