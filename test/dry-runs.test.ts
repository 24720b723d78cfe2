import type { GraphqlReply } from './support/app';
import { createGateway, createNumber, createUser } from './support/factories';
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

interface Account {
  readonly userRef: string;
  readonly tokenRef: string;
  readonly webhookRef: string;
}

/** Mutations of users, webhooks and API tokens, and what their dry runs return. */
const ACCOUNT_CASES: readonly (readonly [mutation: (given: Account) => string, result: (given: Account) => unknown])[] =
  [
    [
      () => 'createUser(input: { username: "eve", secret: "a long secret", role: VIEWER }, DRY) { username role }',
      () => ({ username: 'eve', role: 'VIEWER' }),
    ],
    [
      ({ userRef }) => `setUserSecret(ref: "${userRef}", secret: "another secret", DRY) { ref }`,
      ({ userRef }) => ({ ref: userRef }),
    ],
    [({ userRef }) => `setUserRole(ref: "${userRef}", role: ADMIN, DRY) { role }`, () => ({ role: 'ADMIN' })],
    [({ userRef }) => `deleteUser(ref: "${userRef}", DRY)`, ({ userRef }) => userRef],
    [
      ({ userRef }) =>
        `createApiToken(name: "new", role: VIEWER, userRef: "${userRef}", documents: ["{ viewer { ref } }"], DRY) { token apiToken { name documents { name } } }`,
      () => ({ token: '', apiToken: { name: 'new', documents: [{ name: 'query' }] } }),
    ],
    [({ tokenRef }) => `deleteApiToken(ref: "${tokenRef}", DRY)`, ({ tokenRef }) => tokenRef],
    [
      () =>
        'createWebhook(url: "https://new.example", events: [RESOURCE_CHANGED], DRY) { secret webhook { url attempts { succeeded } } }',
      () => ({ secret: '', webhook: { url: 'https://new.example', attempts: [] } }),
    ],
    [
      ({ webhookRef }) => `updateWebhook(ref: "${webhookRef}", note: "changed", paused: true, DRY) { note pausedOn }`,
      () => ({ note: 'changed', pausedOn: expect.any(String) as string }),
    ],
    [({ webhookRef }) => `rotateWebhookSecret(ref: "${webhookRef}", DRY) { secret }`, () => ({ secret: '' })],
    [
      ({ webhookRef }) => `resumeWebhook(ref: "${webhookRef}", skipMissed: true, DRY) { pausedOn }`,
      () => ({ pausedOn: null }),
    ],
    [({ webhookRef }) => `deleteWebhook(ref: "${webhookRef}", DRY)`, ({ webhookRef }) => webhookRef],
  ];

/** Mutations of these that are refused, with a part of the message. */
const REFUSED: readonly (readonly [mutation: string, message: string])[] = [
  [
    'createUser(input: { username: "bob", secret: "a long secret", role: VIEWER }, DRY) { ref }',
    '"bob" already exists',
  ],
  ['createUser(input: { username: "eve", secret: "short", role: VIEWER }, DRY) { ref }', 'secret'],
  ['setUserRole(ref: "us00000000", role: ADMIN, DRY) { ref }', 'us00000000'],
  ['deleteUser(ref: "us00000000", DRY)', 'us00000000'],
  ['createApiToken(name: "", role: VIEWER, DRY) { token }', 'name'],
  ['deleteApiToken(ref: "none", DRY)', 'none'],
  ['createWebhook(url: "ftp://new.example", events: [RESOURCE_CHANGED], DRY) { secret }', 'url'],
  ['deleteWebhook(ref: "none", DRY)', 'none'],
];

onEachDriver('A dry run of an account', (subject) => {
  const dry = (text: string): string => `mutation { result: ${text.replace('DRY', 'dryRun: true')} }`;
  const given = async (): Promise<Account> => {
    const made = `mutation {
      createUser(input: { username: "bob", secret: "a long secret", role: OPERATOR }) { ref }
      createApiToken(name: "old", role: VIEWER) { apiToken { ref } }
      createWebhook(url: "https://old.example", events: [RESOURCE_CHANGED]) { webhook { ref } }
    }`;
    const { data } = await subject().app.graphql<{
      createUser: { ref: string };
      createApiToken: { apiToken: { ref: string } };
      createWebhook: { webhook: { ref: string } };
    }>(made);
    return {
      userRef: data.createUser.ref,
      tokenRef: data.createApiToken.apiToken.ref,
      webhookRef: data.createWebhook.webhook.ref,
    };
  };
  const stored = async (): Promise<unknown> =>
    (
      await subject().app.graphql(`{ users { nodes { ref username role modifiedOn } } apiTokens { ref name }
      webhooks { ref url note pausedOn } history(first: 1) { nodes { entry } } }`)
    ).data;

  test('of a user, webhook or API token checks everything, changes nothing, and shows no secret', async () => {
    const { app } = subject();
    const account = await given();
    const before = await stored();
    for (const [mutation, result] of ACCOUNT_CASES) {
      const { data, errors } = await app.graphql<{ result: unknown }>(dry(mutation(account)));
      expect([mutation(account), errors, data.result]).toEqual([mutation(account), undefined, result(account)]);
    }
    for (const [mutation, message] of REFUSED) {
      const { errors } = await app.graphql(dry(mutation));
      expect([mutation, errors?.[0]?.message]).toEqual([mutation, expect.stringContaining(message)]);
    }
    expect(await stored()).toEqual(before);
    const signIn = 'mutation { createToken(username: "bob", secret: "a long secret") { role } }';
    expect(await app.graphql(signIn)).toMatchObject({ data: { createToken: { role: 'OPERATOR' } } });
  });

  test('of a user requires the role of an admin', async () => {
    const { token } = await createUser(subject().app, 'VIEWER');
    const { errors } = await subject().app.graphql(
      dry('createUser(input: { username: "eve", secret: "a long secret", role: VIEWER }, DRY) { ref }'),
      {},
      { token },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
