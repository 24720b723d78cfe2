import type { TestApp } from '../support/app';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

interface Row {
  readonly kind: string;
  readonly table: string;
  readonly make: (app: TestApp, input?: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly same: Readonly<Record<string, unknown>>;
}

const KINDS: readonly Row[] = [
  { kind: 'Gateway', table: 'gateways', make: createGateway, same: { name: 'same', registries: ['a.test', 'b.test'] } },
  { kind: 'Agent', table: 'agents', make: createAgent, same: { name: 'same', secret: 'of-agent' } },
  { kind: 'Peer', table: 'peers', make: createPeer, same: { name: 'same', device: 'Asterisk' } },
  {
    kind: 'Domain',
    table: 'domains',
    make: createDomain,
    same: { name: 'same', accessControlList: { allow: ['10.0.0.0/8'], deny: ['0.0.0.0/1'] } },
  },
  { kind: 'DID', table: 'numbers', make: createDid, same: { geoInfo: { city: 'Bonn' }, aorLink: 'sip:a@b.test' } },
  { kind: 'Number', table: 'numbers', make: createNumber, same: { geoInfo: { city: 'Bonn' } } },
];

onEachDriver('An update that changes nothing', (subject) => {
  const LONG_AGO = 1_000_000_000_000;

  test.each(KINDS)('in a $kind keeps modifiedOn and publishes no event', async ({ kind, table, make, same }) => {
    const { app, url } = subject();
    const ref = await make(app, same);
    const written = async (): Promise<unknown> => [
      await runSql(url, `SELECT modified_on FROM ${table} WHERE ref = ?`, [ref]),
      await runSql(
        url,
        "SELECT (SELECT COUNT(*) FROM changes WHERE kind <> 'User') + (SELECT COUNT(*) FROM unnumbered_entries WHERE kind <> 'User')",
      ),
    ];
    await runSql(url, `UPDATE ${table} SET modified_on = ${String(LONG_AGO)} WHERE ref = ?`, [ref]);
    const before = await written();
    const update = (input: object) =>
      app.graphql<object>(
        `mutation ($input: Update${kind}Input!) { done: update${kind}(ref: "${ref}", input: $input) { ref modifiedOn } }`,
        { input },
      );
    for (const input of [{}, same]) {
      const { data, errors } = await update(input);
      expect(errors).toBeUndefined();
      expect(data).toEqual({ done: { ref, modifiedOn: new Date(LONG_AGO).toISOString() } });
    }
    const path = `/${table === 'numbers' && kind === 'DID' ? 'dids' : table}/${ref}`;
    const { body } = await app.rest<{ readonly kind: string }>('GET', path);
    const document = kind === 'DID' ? body.result : body.data;
    expect(await app.rest('PUT', path, { body: document })).toMatchObject({ status: 200 });
    expect(await written()).toEqual(before);

    expect(
      (await update(kind === 'DID' || kind === 'Number' ? { aorLink: 'sip:new@b.test' } : { name: 'new' })).errors,
    ).toBe(undefined);
    expect(await written()).not.toEqual(before);
  });
});
