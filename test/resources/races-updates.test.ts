import { createAgent, createDid, createDomain, createGateway, createPeer } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const EXPECTED = ['OK', 'CONFLICT', 'NOT_FOUND', 'UNFULFILLED_DEPENDENCY', 'DEPENDENT_OBJECTS'];

onEachDatabase('Changes at the same time', (subject) => {
  async function codeOf(mutation: string): Promise<string> {
    const { errors } = await subject().app.graphql(`mutation { ${mutation} }`);
    return errors ? String(errors[0]?.extensions['code']) : 'OK';
  }

  const times = (count: number, mutation: (index: number) => string): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => codeOf(mutation(index))));

  const tally = (codes: readonly string[]): Record<string, number> =>
    Object.fromEntries([...new Set(codes)].sort().map((code) => [code, codes.filter((each) => each === code).length]));

  test('fifty agents in the same domains, listed in either order, are all created', async () => {
    const uris = ['deadlock-a.test', 'deadlock-b.test', 'deadlock-c.test'];
    for (const domainUri of uris) await createDomain(subject().app, { domainUri });
    const codes = await times(50, (index) => {
      const domains = JSON.stringify(index % 2 === 0 ? uris : uris.toReversed());
      return `createAgent(input: { name: "x", username: "u${String(index)}", secret: "s", domains: ${domains} }) { ref }`;
    });
    expect(tally(codes)).toEqual({ OK: 50 });
  });

  test('creating the same agent fifty times, with its domains in either order, succeeds once', async () => {
    const uris = ['same-a.test', 'same-b.test'];
    for (const domainUri of uris) await createDomain(subject().app, { domainUri });
    const codes = await times(50, (index) => {
      const domains = JSON.stringify(index % 2 === 0 ? uris : uris.toReversed());
      return `createAgent(input: { name: "x", username: "same", secret: "s", domains: ${domains} }) { ref }`;
    });
    expect(tally(codes)).toEqual({ CONFLICT: 49, OK: 1 });
    expect(await runSql(subject().url, "SELECT COUNT(*) FROM agents WHERE username = 'same'")).toEqual([[1]]);
  });

  test('forty updates of one agent and its domains leave one of the requested states', async () => {
    const uris = ['update-a.test', 'update-b.test'];
    for (const domainUri of uris) await createDomain(subject().app, { domainUri });
    const ref = await createAgent(subject().app, { domains: uris });
    const codes = await times(40, (index) => {
      const domains = JSON.stringify(index % 2 === 0 ? uris : uris.toReversed());
      return `updateAgent(ref: "${ref}", input: { name: "Name ${String(index)}", username: "Name ${String(index)}", domains: ${domains} }) { ref }`;
    });
    expect(tally(codes)).toEqual({ OK: 40 });
    const { data } = await subject().app.graphql<{
      agent: { name: string; username: string; domains: { domainUri: string }[] };
    }>(`{ agent(ref: "${ref}") { name username domains { domainUri } } }`);
    const { name, username, domains } = data.agent;
    expect(username).toBe(name);
    const order = domains.map(({ domainUri }) => domainUri);
    expect(order).toEqual(Number(name.slice(5)) % 2 === 0 ? uris : uris.toReversed());
  });

  test('updates of different fields do not undo one another', async () => {
    const ref = await createGateway(subject().app);
    const inputs = ['port: 5062', 'expires: 77', 'sendRegister: true', 'name: "New"', 'transport: TLS'];
    const codes = await times(inputs.length, (index) => {
      return `updateGateway(ref: "${ref}", input: { ${String(inputs[index])} }) { ref }`;
    });
    expect(tally(codes)).toEqual({ OK: inputs.length });
    const { data } = await subject().app.graphql(
      `{ gateway(ref: "${ref}") { port expires sendRegister name transport } }`,
    );
    expect(data).toEqual({
      gateway: { port: 5062, expires: 77, sendRegister: true, name: 'New', transport: 'TLS' },
    });
  });

  test('giving twenty peers the same name succeeds once', async () => {
    const refs = await Promise.all(Array.from({ length: 20 }, () => createPeer(subject().app)));
    const codes = await times(20, (index) => {
      return `updatePeer(ref: "${String(refs[index])}", input: { username: "wanted" }) { ref }`;
    });
    expect(tally(codes)).toEqual({ CONFLICT: 19, OK: 1 });
  });

  test('two peers that swap names both still exist, whether or not the updates succeed', async () => {
    for (let round = 0; round < 5; round++) {
      const names = [`swap-a${String(round)}`, `swap-b${String(round)}`];
      const refs = await Promise.all(names.map((username) => createPeer(subject().app, { username })));
      const codes = await times(2, (index) => {
        return `updatePeer(ref: "${String(refs[index])}", input: { username: "${String(names[1 - index])}" }) { ref }`;
      });
      for (const code of codes) expect(['OK', 'CONFLICT']).toContain(code);
    }
    const rows = await runSql(subject().url, "SELECT COUNT(*) FROM peers WHERE username LIKE 'swap-%'");
    expect(rows).toEqual([[10]]);
  });

  test('ten deletes of one resource succeed once', async () => {
    const ref = await createPeer(subject().app);
    expect(tally(await times(10, () => `deletePeer(ref: "${ref}")`))).toEqual({ NOT_FOUND: 9, OK: 1 });
  });

  test('moving DIDs to a gateway while it is deleted fails, or the gateway remains', async () => {
    const { app, url } = subject();
    const dids = await Promise.all(Array.from({ length: 6 }, () => createDid(app)));
    for (let round = 0; round < 12; round++) {
      const gateway = await createGateway(app);
      const codes = await times(dids.length + 1, (index) =>
        index === round % (dids.length + 1)
          ? `deleteGateway(ref: "${gateway}")`
          : `updateDID(ref: "${String(dids[index % dids.length])}", input: { gatewayRef: "${gateway}" }) { ref }`,
      );
      for (const code of codes) expect(EXPECTED).toContain(code);
    }
    const rows = await runSql(url, 'SELECT COUNT(*) FROM numbers WHERE gateway_id NOT IN (SELECT id FROM gateways)');
    expect(rows).toEqual([[0]]);
  });

  test('updating an agent while it is deleted leaves nothing behind', async () => {
    const { app, url } = subject();
    for (let round = 0; round < 10; round++) {
      const ref = await createAgent(app);
      const codes = await times(6, (index) =>
        index === 3 ? `deleteAgent(ref: "${ref}")` : `updateAgent(ref: "${ref}", input: { name: "x" }) { ref }`,
      );
      expect(codes[3]).toBe('OK');
      for (const code of codes) expect(['OK', 'NOT_FOUND']).toContain(code);
    }
    const rows = await runSql(url, 'SELECT COUNT(*) FROM agent_domains WHERE agent_id NOT IN (SELECT id FROM agents)');
    expect(rows).toEqual([[0]]);
  });

  test('when admins delete each other at the same time, one remains', async () => {
    const { app, url } = subject();
    const { data } = await app.graphql<{ viewer: { ref: string } }>('{ viewer { ref } }');
    const made = await app.graphql<{ createUser: { ref: string } }>(
      'mutation { createUser(input: { username: "other", secret: "long enough", role: ADMIN }) { ref } }',
    );
    const refs = [data.viewer.ref, made.data.createUser.ref];
    const codes = await times(2, (index) => `deleteUser(ref: "${String(refs[index])}")`);
    expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
    expect(await runSql(url, "SELECT COUNT(*) FROM users WHERE role = 'admin'")).toEqual([[1]]);
  });
});
