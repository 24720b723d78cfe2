import type { GraphqlReply } from '../support/app';
import { createGateway, createNumber, createUser } from '../support/factories';
import { whileLocked } from '../support/databases/locks';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

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
  readonly deliveryId: string;
  readonly viewRef: string;
  readonly exportRef: string;
  readonly sessionId: string;
}

/** Mutations of accounts, webhooks, views and exports, and what their dry runs return. */
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
    [
      ({ webhookRef }) => `pingWebhook(ref: "${webhookRef}", DRY) { delivered outcome status body }`,
      () => ({ delivered: false, outcome: 'Nothing was sent: it was a dry run', status: null, body: '' }),
    ],
    [({ deliveryId }) => `redeliver(id: "${deliveryId}", DRY)`, ({ deliveryId }) => deliveryId],
    [
      () => 'saveView(list: "dids", name: "new", content: "{}", DRY) { list name content }',
      () => ({ list: 'dids', name: 'new', content: '{}' }),
    ],
    [
      () => 'saveView(list: "dids", name: "old", content: "changed", DRY) { name content }',
      () => ({ name: 'old', content: 'changed' }),
    ],
    [({ viewRef }) => `deleteView(ref: "${viewRef}", DRY)`, ({ viewRef }) => viewRef],
    [
      () => 'startExport(of: { dids: {} }, format: CSV, DRY) { source format state address }',
      () => ({ source: 'dids', format: 'CSV', state: 'RUNNING', address: null }),
    ],
    [({ exportRef }) => `cancelExport(ref: "${exportRef}", DRY)`, ({ exportRef }) => exportRef],
    [({ sessionId }) => `endSession(id: "${sessionId}", DRY)`, ({ sessionId }) => sessionId],
    [({ userRef }) => `endAllSessions(userRef: "${userRef}", DRY)`, ({ userRef }) => userRef],
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
  ['pingWebhook(ref: "none", DRY) { outcome }', 'none'],
  ['redeliver(id: "none", DRY)', 'none'],
  ['saveView(list: "d i d s", name: "new", content: "{}", DRY) { name }', 'list'],
  ['deleteView(ref: "none", DRY)', 'none'],
  ['startExport(of: { history: { ref: "x" }, dids: {} }, format: CSV, DRY) { ref }', 'exactly one member'],
  ['cancelExport(ref: "none", DRY)', 'none'],
  ['endSession(id: "none", DRY)', 'none'],
  ['endAllSessions(userRef: "us00000000", DRY)', 'us00000000'],
  ['confirmChanges(id: "none", DRY) { state }', 'none'],
  ['cancelChanges(id: "none", DRY) { state }', 'none'],
  ['evictContact(addressOfRecord: "sip:a@b.test", DRY)', 'SIP_RPC_URL'],
  ['testGateway(ref: "none", DRY) { outcome }', 'none'],
];

onEachDriver('A dry run of an account', (subject) => {
  const dry = (text: string): string => `mutation { result: ${text.replace('DRY', 'dryRun: true')} }`;
  const given = async (): Promise<Account> => {
    const made = `mutation {
      createUser(input: { username: "bob", secret: "a long secret", role: OPERATOR }) { ref }
      createApiToken(name: "old", role: VIEWER) { apiToken { ref } }
      createWebhook(url: "https://old.example", events: [RESOURCE_CHANGED]) { webhook { ref } }
      saveView(list: "dids", name: "old", content: "{}") { ref }
      startExport(of: { numbers: {} }, format: CSV) { ref }
    }`;
    const { data } = await subject().app.graphql<{
      createUser: { ref: string };
      createApiToken: { apiToken: { ref: string } };
      createWebhook: { webhook: { ref: string } };
      saveView: { ref: string };
      startExport: { ref: string };
    }>(made);
    const { data: own } = await subject().app.graphql<{ viewer: { sessions: { id: string }[] } }>(
      '{ viewer { sessions { id } } }',
    );
    const webhooks = await runSql(subject().url, 'SELECT id FROM webhooks WHERE ref = ?', [
      data.createWebhook.webhook.ref,
    ]);
    const message = ['delivery', Number(webhooks[0]?.[0]), 'x', '{}', 1, 0, 0, 0];
    await runSql(
      subject().url,
      `INSERT INTO webhook_deliveries (ref, webhook_id, subject, payload, created_on, attempts, is_open, next_on) VALUES (${message.map(() => '?').join(', ')})`,
      message,
    );
    return {
      deliveryId: 'delivery',
      viewRef: data.saveView.ref,
      exportRef: data.startExport.ref,
      sessionId: own.viewer.sessions[0]?.id ?? '',
      userRef: data.createUser.ref,
      tokenRef: data.createApiToken.apiToken.ref,
      webhookRef: data.createWebhook.webhook.ref,
    };
  };
  const stored = async (): Promise<unknown> =>
    (
      await subject().app.graphql(`{ users { nodes { ref username role modifiedOn } } apiTokens { ref name }
      webhooks { ref url note pausedOn } history(first: 1) { nodes { entry } } views { ref name content }
      exports { ref } viewer { sessions { id } } }`)
    ).data;

  test('of a user, webhook, API token, session, view or export checks everything, changes nothing, and shows no secret', async () => {
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

  test('exists of every mutation, except of a sign-in and of a simulation', async () => {
    const { data } = await subject().app.graphql<{
      __schema: { mutationType: { fields: { name: string; args: { name: string }[] }[] } };
    }>('{ __schema { mutationType { fields { name args { name } } } } }');
    const without = data.__schema.mutationType.fields.filter(({ args }) => !args.some(({ name }) => name === 'dryRun'));
    expect(without.map(({ name }) => name).sort()).toEqual(['createToken', 'simulate']);
  });

  test('of changeSecret checks both secrets, changes nothing and keeps the session', async () => {
    const { app } = subject();
    const change = (oldSecret: string, newSecret: string) =>
      app.graphql(dry(`changeSecret(oldSecret: "${oldSecret}", newSecret: "${newSecret}", DRY)`));
    expect((await change(app.adminSecret, 'another secret')).errors).toBeUndefined();
    expect((await change('wrong', 'another secret')).errors?.[0]?.extensions).toMatchObject({ fields: ['oldSecret'] });
    expect((await change(app.adminSecret, 'short')).errors?.[0]?.extensions).toMatchObject({ fields: ['newSecret'] });
    expect(await app.graphql('{ viewer { username } }')).toMatchObject({ data: { viewer: { username: 'admin' } } });
  });

  test('of a confirmation and of a cancellation says what would become of the changes, and keeps them waiting', async () => {
    const { app } = subject();
    const ref = await createGateway(app);
    const { data } = await app.graphql<{ applyChanges: { pending: { id: string } } }>(
      `mutation { applyChanges(changes: [{ update: { ref: "${ref}", gateway: { name: "Tried" } } }], confirmWithin: 600) { pending { id } } }`,
    );
    const { id } = data.applyChanges.pending;
    for (const [mutation, state] of [
      ['confirmChanges', 'CONFIRMED'],
      ['cancelChanges', 'REVERTED'],
    ] as const) {
      expect(await app.graphql(dry(`${mutation}(id: "${id}", DRY) { state }`))).toMatchObject({
        data: { result: { state } },
      });
      expect(
        await app.graphql(`{ pendingChanges(states: [UNCONFIRMED]) { nodes { id } } gateway(ref: "${ref}") { name } }`),
      ).toMatchObject({ data: { pendingChanges: { nodes: [{ id }] }, gateway: { name: 'Tried' } } });
    }
    await app.graphql(`mutation { cancelChanges(id: "${id}") { state } }`);
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
