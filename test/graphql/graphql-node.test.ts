import { createClient, type Client } from '../../clients/typescript/src/index';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';

const idOf = (kind: string, ref: string): string => Buffer.from(`${kind}:${ref}`).toString('base64url');

onEachDriver('node and nodes', (subject) => {
  let client: Client;
  const KINDS = ['Gateway', 'Agent', 'Peer', 'Domain', 'DID', 'Number'];

  beforeAll(async () => {
    const { app } = subject();
    client = createClient(`${app.url}/graphql`, { token: await app.token() });
    // The same ref in each kind, so that only the id distinguishes them.
    const ref = 'same';
    await createGateway(app, { ref });
    await createDomain(app, { ref, domainUri: 'node.test' });
    await createAgent(app, { ref, domains: ['node.test'] });
    await createPeer(app, { ref });
    await createDid(app, { ref, gatewayRef: ref });
    await createNumber(app, { ref, gatewayRef: ref });
  });

  test.each(KINDS)('node finds a %s by the id that the graph returned', async (kind) => {
    const field = kind.toLowerCase();
    const { data } = await subject().app.graphql<Record<string, { id: string }>>(`{ ${field}(ref: "same") { id } }`);
    const id = data[field]?.id ?? '';
    expect((await client.node({ id })).node).toMatchObject({ __typename: kind, kind, id, ref: 'same' });
  });

  test.each([
    ['in the requested order', [...KINDS].reverse()],
    ['as often as requested', ['DID', 'Number', 'DID', 'DID']],
    ['of one kind alone', ['Peer']],
    ['none for no ids', []],
  ])('nodes returns resources %s', async (_what, kinds) => {
    const { nodes } = await client.nodes({ ids: kinds.map((kind) => idOf(kind, 'same')) });
    expect(nodes.map((node) => node?.__typename)).toEqual(kinds);
  });

  test('an unknown id is null, without an error, and the others keep their positions', async () => {
    expect(await client.node({ id: idOf('Agent', 'nobody') })).toEqual({ node: null });
    const { nodes } = await client.nodes({
      ids: [idOf('Agent', 'nobody'), idOf('Peer', 'same'), idOf('DID', 'nothing'), idOf('Gateway', 'same')],
    });
    expect(nodes.map((node) => node?.__typename)).toEqual([undefined, 'Peer', undefined, 'Gateway']);
  });

  test('a deleted resource is null, and a new one with that ref has the same id', async () => {
    const { app } = subject();
    const id = idOf('Peer', 'again');
    await createPeer(app, { ref: 'again', username: 'first' });
    expect(await client.deletePeer({ ref: 'again' })).toEqual({ deletePeer: id });
    expect((await client.node({ id })).node).toBeNull();
    await createPeer(app, { ref: 'again', username: 'second' });
    expect((await client.node({ id })).node).toMatchObject({ __typename: 'Peer', ref: 'again' });
  });

  test('a fragment on a type selects its fields and links, and not those of other types', async () => {
    const { data, errors } = await subject().app.graphql(
      `query ($ids: [ID!]!) { nodes(ids: $ids) {
        ... on DID { gateway { ref } } ... on Gateway { dids { nodes { ref } } } ... on Agent { domains { domainUri } }
      } }`,
      { ids: ['DID', 'Gateway', 'Agent', 'Peer'].map((kind) => idOf(kind, 'same')) },
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      nodes: [
        { gateway: { ref: 'same' } },
        { dids: { nodes: [{ ref: 'same' }] } },
        { domains: [{ domainUri: 'node.test' }] },
        {},
      ],
    });
  });

  test.each([
    ['text', 'garbage'],
    ['nothing', ''],
    ['another kind', idOf('User', 'same')],
    ['a kind in another case', idOf('gateway', 'same')],
    ['no ref', Buffer.from('Gateway').toString('base64url')],
    ['padding', `${Buffer.from('Gateway:same').toString('base64')}=`],
    ['more than one colon', idOf('Gateway', 'same:x')],
    ['a bare ref', 'same'],
    ['a device', idOf('Contact', 'same')],
  ])('an id of %s is null, and the others keep their positions', async (_what, id) => {
    const peer = idOf('Peer', 'same');
    const query = `query ($id: ID!, $peer: ID!) {
      node(id: $id) { id } nodes(ids: [$peer, $id, $peer]) { id }
    }`;
    const { data, errors } = await subject().app.graphql(query, { id, peer });
    expect([data, errors]).toEqual([{ node: null, nodes: [{ id: peer }, null, { id: peer }] }, undefined]);
  });

  test('node takes nothing but an id, as the compiler of Relay requires', async () => {
    const { data } = await subject().app.graphql<{
      __schema: { queryType: { fields: readonly { name: string; args: readonly { name: string }[] }[] } };
    }>('{ __schema { queryType { fields { name args { name } } } } }');
    const node = data.__schema.queryType.fields.find(({ name }) => name === 'node');
    expect(node?.args).toEqual([{ name: 'id' }]);
  });

  test('more than a hundred ids are rejected', async () => {
    const ids = Array.from({ length: 101 }, () => idOf('Peer', 'same'));
    expect((await client.nodes({ ids: ids.slice(1) })).nodes).toHaveLength(100);
    await expect(client.nodes({ ids })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: ['ids'],
    });
  });
});
