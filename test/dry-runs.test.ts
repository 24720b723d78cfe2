import type { GraphqlReply } from './support/app';
import { createGateway, createNumber } from './support/factories';
import { whileLocked } from './support/locks';
import { onEachDriver } from './support/on-each-database';

const REFUSAL = {
  message: 'dryRun: locked resources for longer than 3 s; revert without dryRun, or use the command sipgraph revert',
  extensions: { code: 'BAD_USER_INPUT', fields: ['dryRun'] },
};

onEachDriver('A dry run', (subject, database) => {
  /** Expects that a revert is refused if another transaction locks a gateway for 3 s. */
  async function expectRefusal(ref: string, revert: string): Promise<void> {
    const { app, url } = subject();
    const lock = `SELECT id FROM gateways WHERE ref = '${ref}' FOR UPDATE`;
    const work = (): Promise<GraphqlReply<unknown>> => app.graphql(`mutation { ${revert} { event } }`);
    const { errors } = await whileLocked(url, lock, work, () => new Promise((resolve) => setTimeout(resolve, 3000)));
    // On SQLite, the dry run locks nothing until it has the only lock.
    expect(errors ?? []).toMatchObject(database === 'SQLite' ? [] : [REFUSAL]);
  }

  test('of revert fails if its locks take longer than 3 s', async () => {
    const { app } = subject();
    const ref = await createGateway(app);
    await app.graphql(`mutation { updateGateway(ref: "${ref}", input: { name: "Renamed" }) { ref } }`);
    const { data } = await app.graphql<{ history: { nodes: { entry: string }[] } }>(
      `{ history(where: { ref: "${ref}" }, first: 1) { nodes { entry } } }`,
    );
    await expectRefusal(ref, `revert(entry: "${data.history.nodes[0]?.entry ?? ''}", dryRun: true)`);
  });

  test('of revertRequest fails if it locks resources for longer than 3 s', async () => {
    const { app } = subject();
    const ref = await createGateway(app);
    for (let n = 0; n < 25; n++) await createNumber(app, { gatewayRef: ref });
    const { data } = await app.graphql<{ many: { request: string } }>(
      `mutation { many: deleteManyNumbers(where: { gatewayRef: { eq: "${ref}" } }, expectedCount: 25) { request } }`,
    );
    await expectRefusal(ref, `revertRequest(id: "${data.many.request}", dryRun: true)`);
  });

  test('simulate(revert:) fails only if it locks resources for longer than 8 s', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app);
    await app.graphql(`mutation { updateGateway(ref: "${ref}", input: { host: "${ref}.test" }) { ref } }`);
    const { data } = await app.graphql<{ history: { nodes: { entry: string }[] } }>(
      `{ history(where: { ref: "${ref}" }, first: 1) { nodes { entry } } }`,
    );
    const lock = `SELECT id FROM gateways WHERE ref = '${ref}' FOR UPDATE`;
    const simulate = `mutation { simulate(revert: { entry: "${data.history.nodes[0]?.entry ?? ''}" }) { changes { ref } } }`;
    const { errors } = await whileLocked(
      url,
      lock,
      () => app.graphql(simulate),
      () => new Promise((resolve) => setTimeout(resolve, 3500)),
    );
    expect(errors).toBeUndefined();
  });
});
