import type { TestApp } from '../support/app';
import { createDid, createGateway, createPeer, operatorToken } from '../support/factories';
import { fill } from '../support/many';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const TIMES = 'ref, created_on, modified_on, name';

/** The code of a mutation, or OK. */
async function codeIn(app: TestApp, mutation: string, token: string): Promise<string> {
  const { errors } = await app.graphql(`mutation { ${mutation} }`, {}, { token });
  return errors ? String(errors[0]?.extensions['code']) : 'OK';
}

onEachDriver(
  'The work budget',
  (subject) => {
    const newOperator = (): Promise<string> => operatorToken(subject().app);
    const codeOf = (mutation: string, token: string): Promise<string> => codeIn(subject().app, mutation, token);

    test.each([
      [
        'updated',
        (refs: string) => `updateManyDomains(refs: ${refs}, set: { name: "x" }, expectedCount: 10) { count }`,
      ],
      ['deleted', (refs: string) => `deleteManyDomains(refs: ${refs}, expectedCount: 10) { count }`],
    ])('is charged for the unknown members of resources that are %s', async (what, mutation) => {
      const refs = Array.from({ length: 10 }, (_, n) => `dm-${what}-${String(n)}`);
      const extra = JSON.stringify({ x: 'x'.repeat(250_000) });
      await fill(subject().url, 'domains', `${TIMES}, domain_uri, extra`, refs.length, (n) => {
        const ref = String(refs[n]);
        return [ref, 1, 1, 'long', `${ref}.test`, extra];
      });
      expect(await codeOf(mutation(JSON.stringify(refs)), await newOperator())).toBe('RATE_LIMITED');
    });

    test("is charged for each resource that REST's deletion by filter selects", async () => {
      const { app, url } = subject();
      const statuses = [];
      for (const batch of ['first', 'second']) {
        await fill(url, 'peers', `${TIMES}, username, secret`, 1500, (n) => {
          const ref = `${batch}-${String(n)}`;
          return [ref, 1, 1, batch, ref, 's'];
        });
      }
      const token = await newOperator();
      for (const batch of ['first', 'second']) {
        const filter = encodeURIComponent(`@.metadata.name=='${batch}'`);
        const { status } = await app.rest('DELETE', `/peers?filter=${filter}`, { token });
        statuses.push(status);
      }
      expect(statuses).toEqual([200, 429]);
      expect(await runSql(url, 'SELECT COUNT(*) FROM peers')).toEqual([[1500]]);
    });

    test('is charged for the size of an entry that is reverted', async () => {
      const { app } = subject();
      const spec = { context: { domainUri: 'reverted.test' }, x: 'x'.repeat(250_000) };
      const body = { kind: 'Domain', metadata: { name: 'reverted' }, spec };
      const { data: ref } = (await app.rest<string>('POST', '/domains', { body })).body;
      const { data } = await app.graphql<{ history: { nodes: { entry: string }[] } }>(
        `{ history(where: { ref: "${ref}" }) { nodes { entry } } }`,
      );
      const revert = `revert(entry: "${String(data.history.nodes[0]?.entry)}", dryRun: true) { event }`;
      const token = await newOperator();
      const codes = [];
      for (let time = 0; time < 10; time++) codes.push(await codeOf(revert, token));
      expect([codes[0], codes.at(-1)]).toEqual(['OK', 'RATE_LIMITED']);
    });

    test('is charged for the size of later entries, which tell whether a secret was changed', async () => {
      const { app } = subject();
      const ref = await createPeer(app);
      for (const x of ['x', 'y'])
        await app.rest('PUT', `/peers/${ref}`, { body: { kind: 'Peer', spec: { x: x.repeat(250_000) } } });
      const { data } = await app.graphql<{ history: { nodes: { entry: string }[] } }>(
        `{ history(where: { ref: "${ref}" }) { nodes { entry } } }`,
      );
      expect(data.history.nodes).toHaveLength(3);
      const revert = `revert(entry: "${String(data.history.nodes[2]?.entry)}", dryRun: true) { event }`;
      const token = await newOperator();
      const codes = [];
      for (let time = 0; time < 6; time++) codes.push(await codeOf(revert, token));
      // The unknown members are not those of the creation.
      expect([codes[0], codes.at(-1)]).toEqual(['CONFLICT', 'RATE_LIMITED']);
    });
  },
  { RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_WORK: '20000' },
);

onEachDriver(
  'A work budget for a large selection',
  (subject) => {
    // Each attempt reads 25,001 rows or 9,000, and the budget is refilled by 1,000 a second.
    test.each([
      ['too many resources', 3, 'deleteManyGateways(where: {}, dryRun: true) { count }'],
      [
        'values that are too large for them',
        8,
        `updateManyGateways(where: { name: { eq: "few" } }, set: { name: "${'n'.repeat(900)}" }, dryRun: true) { count }`,
      ],
    ])('is charged for reading a selection that is refused because of %s', async (_what, attempts, mutation) => {
      const { app, url } = subject();
      const [row] = await runSql(url, 'SELECT COUNT(*) FROM gateways');
      if (Number(row?.[0]) === 0)
        await fill(url, 'gateways', `${TIMES}, host, username, transport, identity`, 25_001, (n) => {
          const ref = `gw${String(n)}`;
          return [ref, 1, 1, n < 9000 ? 'few' : 'g', `${ref}.test`, ref, 'udp', ref];
        });
      const token = await operatorToken(app);
      const codes = [];
      for (let time = 0; time < attempts; time++) codes.push(await codeIn(app, mutation, token));
      expect(codes[0]).toBe('BAD_USER_INPUT');
      expect(codes).toContain('RATE_LIMITED');
    });
  },
  { RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_WORK: '60000' },
);

onEachDriver(
  'A work budget for ranges of numbers',
  (subject) => {
    test('is charged for the numbers inside that a write of a range counts', async () => {
      const { app, url } = subject();
      const gatewayRef = await createGateway(app);
      const [row] = await runSql(url, 'SELECT id FROM gateways WHERE ref = ?', [gatewayRef]);
      const columns = `ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host`;
      await fill(url, 'numbers', columns, 10_000, (n) => {
        const digits = `4930${String(100_000 + n)}`;
        return [
          `dd${String(n)}`,
          1,
          1,
          'DID',
          Number(row?.[0]),
          `tel:+${digits}`,
          'sip:a@b.test',
          digits,
          'a',
          'b.test',
        ];
      });
      const telUrl = 'tel:+4930099999';
      const ref = await createDid(app, { gatewayRef, aorLink: 'sip:a@b.test', telUrl, lastTelUrl: 'tel:+4930200000' });
      const token = await operatorToken(app);
      const codes = [];
      // Each counts 10,000 numbers, and the budget is refilled by 167 objects a second.
      for (let time = 0; time < 16; time++)
        codes.push(
          await codeIn(
            app,
            `updateDID(ref: "${ref}", input: { lastTelUrl: "tel:+49302000${String(10 + time)}" }) { ref }`,
            token,
          ),
        );
      expect([codes[0], codes.at(-1)]).toEqual(['OK', 'RATE_LIMITED']);
    });
  },
  { RATE_LIMIT_WORK: '10000' },
);
