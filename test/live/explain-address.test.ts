import { startApp } from '../support/app';
import { createPeer } from '../support/factories';
import { CHAINS, createChains } from '../support/numbers';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact } from '../support/databases/sql';

interface Answer {
  readonly explainAddress: {
    readonly addressOfRecord: string;
    readonly state: string;
    readonly reachable: boolean;
    readonly summary: string;
    readonly steps: readonly { readonly state: string; readonly summary: string }[];
  };
}

const QUERY = `query($aor: String!) { explainAddress(addressOfRecord: $aor) {
  addressOfRecord state reachable summary steps { state summary }
} }`;

onEachDatabase('explainAddress', (subject) => {
  beforeAll(async () => {
    const { app, url } = subject();
    await createChains(app, url);
    await createPeer(app, { username: 'trunkline', contactAddr: '192.0.2.7' });
  });

  const explain = async (aor: string): Promise<Answer['explainAddress']> => {
    const { data, errors } = await subject().app.graphql<Answer>(QUERY, { aor });
    if (errors) throw new Error(errors[0]?.message);
    return data.explainAddress;
  };

  // Numbers whose first broken link, if any, is after the gateway.
  test.each(CHAINS.filter(({ state }) => !/GATEWAY|AMBIGUOUS/.test(state)))(
    'of the address that $telUrl leads to is $state, like the number',
    async ({ telUrl, state }) => {
      const { data } = await subject().app.graphql<{
        readonly explainNumber: Answer['explainAddress'] & { readonly steps: readonly { readonly aorLink?: string }[] };
      }>(
        `query($telUrl: String!) { explainNumber(telUrl: $telUrl) { summary
          steps { state summary ... on AorStep { aorLink } } } }`,
        { telUrl },
      );
      const { steps, summary } = data.explainNumber;
      const aorLink = steps[2]?.aorLink ?? '';
      expect(await explain(aorLink)).toEqual({
        addressOfRecord: aorLink,
        state,
        reachable: state === 'REACHABLE',
        summary,
        steps: steps.slice(2).map((step) => ({ state: step.state, summary: step.summary })),
      });
    },
  );

  test.each([
    ['without the scheme', 'anna@one.test', 'sip:anna@one.test'],
    ['with a port and another case of the domain', 'sip:anna@ONE.test:5060', 'sip:anna@one.test'],
    ['with escapes', 'sip:%61nna@one.test', 'sip:anna@one.test'],
    ['with spaces around it', ' sips:anna@one.test ', 'sip:anna@one.test'],
  ])('accepts an address %s', async (_what, aor, addressOfRecord) => {
    expect(await explain(aor)).toMatchObject({ addressOfRecord, state: 'REACHABLE' });
  });

  test('of a peer with a fixed address is REACHABLE without a device', async () => {
    expect(await explain('sip:trunkline@anywhere.test')).toMatchObject({
      state: 'REACHABLE',
      summary: 'rings peer trunkline at its contactAddr 192.0.2.7',
    });
  });

  test('returns the resources of the path, and numberHealth the numbers that lead to it', async () => {
    const { data } = await subject().app.graphql(`{
      explainAddress(addressOfRecord: "anna@one.test") { steps {
        __typename
        ... on AorStep { aorLink }
        ... on DomainStep { domain { domainUri } }
        ... on TargetStep { target { ... on Agent { username } } }
        ... on ContactsStep { contacts { uri } }
      } }
      numberHealth(addressOfRecord: "sip:anna@One.test", last: 3) { totalCount nodes { kind telUrl state } }
    }`);
    expect(data).toEqual({
      explainAddress: {
        steps: [
          { __typename: 'AorStep', aorLink: 'sip:anna@one.test' },
          { __typename: 'DomainStep', domain: { domainUri: 'one.test' } },
          { __typename: 'TargetStep', target: { username: 'anna' } },
          { __typename: 'ContactsStep', contacts: [{ uri: 'sip:anna@10.0.0.1' }, { uri: 'sip:anna@10.0.0.2' }] },
        ],
      },
      numberHealth: {
        totalCount: 9,
        nodes: [
          { kind: 'DID', telUrl: 'tel:+1-013', state: 'AMBIGUOUS' },
          { kind: 'DID', telUrl: 'tel:+1014', state: 'REACHABLE' },
          { kind: 'Number', telUrl: 'tel:+1014', state: 'REACHABLE' },
        ],
      },
    });
  });

  test('returns the numbers of an address in a state, or of one gateway, also in pages', async () => {
    const { data } = await subject().app.graphql<Record<string, { nodes: { telUrl: string }[] }>>(`{
      broken: numberHealth(addressOfRecord: "anna@one.test", states: [GATEWAY_REFUSED, GATEWAY_EXPIRED], first: 1) {
        nodes { telUrl } }
      none: numberHealth(addressOfRecord: "nobody@one.test") { nodes { telUrl } }
    }`);
    expect(data['broken']?.nodes).toEqual([{ telUrl: 'tel:+1011' }]);
    expect(data['none']?.nodes).toEqual([]);
  });

  test.each(['', 'anna', 'anna@', '@one.test', 'sip:one.test', `${'x'.repeat(400)}@one.test`])(
    'refuses %j, which is not an address of record',
    async (aor) => {
      for (const query of [
        QUERY,
        'query($aor: String!) { numberHealth(addressOfRecord: $aor) { nodes { telUrl } } }',
      ]) {
        const { errors } = await subject().app.graphql(query, { aor });
        expect(errors?.[0]).toMatchObject({
          message: expect.stringMatching(/is not an address of record such as sip:1001@sip\.local$/) as string,
          extensions: { code: 'BAD_USER_INPUT', fields: ['addressOfRecord'] },
        });
      }
    },
  );

  test('of a device at another node says where it is registered', async () => {
    const { url } = subject();
    const app = await startApp({ DATABASE_URL: url, SIP_NODE: '192.0.2.1:5060' });
    await registerContact(url, {
      username: 'ben',
      domain: 'one.test',
      contact: 'sip:ben@10.0.0.9',
      socket: 'udp:192.0.2.2:5060',
    });
    const { data } = await app.graphql<Answer>(QUERY, { aor: 'ben@one.test' });
    await registerContact(url, {
      ...{ username: 'ben', domain: 'one.test', contact: 'sip:ben@10.0.0.10' },
      socket: 'tls:192.0.2.1:5061',
    });
    const withTls = await app.graphql<Answer>(QUERY, { aor: 'ben@one.test' });
    await app.close();
    expect(withTls.data.explainAddress).toMatchObject({
      state: 'REACHABLE',
      summary: 'rings agent ben@one.test on 1 device at node 192.0.2.1:5060',
    });
    expect(data.explainAddress).toMatchObject({
      state: 'NOT_REGISTERED',
      summary: 'agent ben@one.test is registered at node 192.0.2.2:5060, but calls arrive at node 192.0.2.1:5060',
    });
  });
});
