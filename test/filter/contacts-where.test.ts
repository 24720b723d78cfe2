import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact } from '../support/databases/sql';

interface Answer {
  readonly contacts: {
    readonly totalCount: number;
    readonly nodes: readonly { readonly addressOfRecord: string; readonly transport: string }[];
  };
}

onEachDatabase('contacts(where)', (subject) => {
  beforeAll(async () => {
    const { url } = subject();
    const device = (username: string, domain: string, contact: string, more: object = {}): Promise<void> =>
      registerContact(url, { username, domain, contact: `sip:${username}@${contact}`, ...more });
    await device('anna', 'one.test', '10.0.0.1');
    await device('ben_1', 'one.test', '10.0.0.2;transport=TCP');
    await device('ben21', 'two.test', '10.0.0.3;transport=wss', { received: 'sip:198.51.100.4:5060' });
    await device('cleo', 'two.test', '10.0.0.4', { socket: 'tls:192.0.2.1:5061' });
    await device('dora', 'two.test', '10.0.0.5;transport=tcp', { socket: 'udp:192.0.2.1:5060', secondsLeft: -60 });
  });

  const ask = async (where: object | null): Promise<Answer['contacts']> => {
    const { data, errors } = await subject().app.graphql<Answer>(
      'query($where: ContactWhere) { contacts(where: $where) { totalCount nodes { addressOfRecord transport } } }',
      { where },
    );
    if (errors) throw new Error(errors[0]?.message);
    return data.contacts;
  };

  test.each<[object | null, string[]]>([
    [null, ['anna@one.test', 'ben_1@one.test', 'ben21@two.test', 'cleo@two.test']],
    [{}, ['anna@one.test', 'ben_1@one.test', 'ben21@two.test', 'cleo@two.test']],
    [{ search: 'ANNA' }, ['anna@one.test']],
    [{ search: 'sip:ben' }, ['ben_1@one.test', 'ben21@two.test']],
    [{ search: 'ben_1' }, ['ben_1@one.test']],
    [{ search: 'a@one' }, ['anna@one.test']],
    [{ search: '10.0.0.4' }, ['cleo@two.test']],
    [{ search: '198.51.100.4' }, ['ben21@two.test']],
    [{ search: 'phone/1' }, ['anna@one.test', 'ben_1@one.test', 'ben21@two.test', 'cleo@two.test']],
    [{ search: 'nobody' }, []],
    [{ domain: 'Two.Test' }, ['ben21@two.test', 'cleo@two.test']],
    [{ domain: 'two' }, []],
    [{ transport: 'udp' }, ['anna@one.test']],
    [{ transport: 'tcp' }, ['ben_1@one.test']],
    [{ transport: 'WSS' }, ['ben21@two.test']],
    [{ transport: 'ws' }, []],
    [{ transport: 'tls' }, ['cleo@two.test']],
    [{ nat: true }, ['ben21@two.test']],
    [{ nat: false, domain: 'two.test' }, ['cleo@two.test']],
    [{ search: 'ben', domain: null, nat: null }, ['ben_1@one.test', 'ben21@two.test']],
  ])('with %j returns %j, and their number', async (where, expected) => {
    const { nodes, totalCount } = await ask(where);
    expect(nodes.map(({ addressOfRecord }) => addressOfRecord)).toEqual(expected.map((each) => `sip:${each}`));
    expect(totalCount).toBe(expected.length);
  });

  test('finds every device by the transport that it shows', async () => {
    for (const { addressOfRecord, transport } of (await ask(null)).nodes) {
      const found = await ask({ transport });
      expect(found.nodes.map((each) => each.addressOfRecord)).toContain(addressOfRecord);
    }
  });

  test('refuses a search of more than 100 characters', async () => {
    await expect(ask({ search: 'x'.repeat(101) })).rejects.toThrow('search: is longer than 100 characters');
  });
});
