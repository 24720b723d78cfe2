import { fetchToken, useTimings, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createPeer } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { inAnHour, inState, makeDue, nameOf, newestPending, pendingChanges } from '../support/pending';
import { once, startReceiver } from '../support/receiver';
import { registerContact } from '../support/databases/sql';
import { transports } from '../support/subscriptions';

useTimings({ pendingReadEvery: 100 });

type Row = Readonly<Record<string, unknown>>;

const WAIT = '$confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $dryRun: Boolean! = false';
const WAITING = 'confirmWithin: $confirmWithin, revertIf: $revertIf, at: $at, dryRun: $dryRun';
/** Runs a mutation whose result is called `done`. Throws the first error. */
async function run(app: TestApp, document: string, variables: Row): Promise<unknown> {
  const { data, errors } = await app.graphql<{ readonly done: unknown }>(document, variables);
  if (errors) throw new Error(errors[0]?.message);
  return data.done;
}

const rename = (app: TestApp, ref: string, name: string): Promise<unknown> =>
  run(
    app,
    'mutation ($ref: String!, $name: String!) { done: updateGateway(ref: $ref, input: { name: $name }) { ref } }',
    {
      ref,
      name,
    },
  );

/** The newest entry about a gateway, and its request. */
async function lastOf(app: TestApp, ref: string): Promise<{ readonly entry: string; readonly request: string }> {
  const { data } = await app.graphql<{
    readonly history: { readonly nodes: readonly { readonly entry: string; readonly request: string }[] };
  }>('query ($ref: String!) { history(first: 1, where: { kind: Gateway, ref: $ref }) { nodes { entry request } } }', {
    ref,
  });
  const [last] = data.history.nodes;
  if (!last) throw new Error('no entry');
  return last;
}

/** A mutation that gives a gateway called `before` the name `after`, or deletes it. */
interface Way {
  readonly what: string;
  readonly document: string;
  readonly variables: (app: TestApp, ref: string) => Promise<Row> | Row;
  /** What the gateway is called then. */
  readonly after?: string;
  /** What it returns besides `pending`. */
  readonly made?: Row;
  readonly scheduled?: Row;
}

const WAYS: readonly Way[] = [
  {
    what: 'a change of many',
    document: `mutation ($refs: [String!], ${WAIT}) { done: updateManyGateways(refs: $refs, set: { name: "after" }, expectedCount: 1, ${WAITING}) {
      count changed request pending { id state count dueOn } } }`,
    variables: (_app, ref) => ({ refs: [ref] }),
    after: 'after',
    made: { count: 1, changed: 1, request: expect.any(String) },
    scheduled: { count: 1, changed: 1, request: null },
  },
  {
    what: 'a deletion of many',
    document: `mutation ($refs: [String!], ${WAIT}) { done: deleteManyGateways(refs: $refs, expectedCount: 1, ${WAITING}) {
      count changed request pending { id state count dueOn } } }`,
    variables: (_app, ref) => ({ refs: [ref] }),
    made: { count: 1, changed: 1, request: expect.any(String) },
    scheduled: { count: 1, changed: 1, request: null },
  },
  {
    what: 'an import of CSV',
    document: `mutation ($csv: String!, ${WAIT}) { done: importCsv(kind: Gateway, csv: $csv, ${WAITING}) {
      imported request pending { id state count dueOn } } }`,
    variables: (_app, ref) => ({ csv: `ref,name\n${ref},after\n` }),
    after: 'after',
    made: { imported: true, request: expect.any(String) },
    scheduled: { imported: false, request: null },
  },
  {
    what: 'an import of documents',
    document: `mutation ($text: String!, ${WAIT}) { done: importDocuments(text: $text, ${WAITING}) {
      imported request pending { id state count dueOn } } }`,
    variables: (_app, ref) => ({
      text: JSON.stringify({
        apiVersion: 'v1beta1',
        kind: 'Gateway',
        metadata: { name: 'after', ref },
        spec: { host: `${ref}.test`.toLowerCase(), transport: 'udp' },
      }),
    }),
    after: 'after',
    made: { imported: true, request: expect.any(String) },
    scheduled: { imported: false, request: null },
  },
  {
    what: 'a revert of an entry',
    document: `mutation ($entry: ID!, ${WAIT}) { done: revert(entry: $entry, ${WAITING}) { event ref } }`,
    variables: async (app, ref) => ({ entry: (await lastOf(app, ref)).entry }),
    after: 'first',
  },
  {
    what: 'a revert of a request',
    document: `mutation ($id: String!, ${WAIT}) { done: revertRequest(id: $id, ${WAITING}) { event ref } }`,
    variables: async (app, ref) => ({ id: (await lastOf(app, ref)).request }),
    after: 'first',
  },
];

/** A gateway whose name was changed from `first` to `before`. */
async function gatewayIn(app: TestApp): Promise<string> {
  const ref = `w${Math.random().toString(36).slice(2, 12)}`;
  await createGateway(app, { ref, name: 'first', host: `${ref}.test` });
  await rename(app, ref, 'before');
  return ref;
}

onEachDriver(
  'What services change',
  (subject) => {
    test.each(WAYS)(
      '$what comes back as one request unless it is confirmed',
      async ({ document, after, made, ...way }) => {
        const { app, url } = subject();
        const [kept, ref] = [await gatewayIn(app), await gatewayIn(app)];
        const wait = { confirmWithin: 600, revertIf: { gatewaysLost: 1 } };
        await run(app, document, { ...(await way.variables(app, kept)), ...wait });
        const first = await newestPending(app);
        await run(app, 'mutation ($id: String!) { done: confirmChanges(id: $id) { state } }', { id: first.id });
        const done = await run(app, document, { ...(await way.variables(app, ref)), ...wait });
        const pending = await newestPending(app);
        expect(pending).toMatchObject({ state: 'UNCONFIRMED', count: 1 });
        if (made) expect(done).toMatchObject({ ...made, pending: { id: pending.id, state: 'UNCONFIRMED', count: 1 } });
        expect([await nameOf(app, kept), await nameOf(app, ref)]).toEqual([after, after]);
        await makeDue(url, pending);
        const { revertedBy } = await inState(app, pending, 'REVERTED');
        expect([await nameOf(app, kept), await nameOf(app, ref)]).toEqual([after, 'before']);
        const { data } = await app.graphql<{ history: { nodes: readonly Row[] } }>(
          'query ($request: String) { history(where: { request: $request }) { nodes { ref reason who { username } } } }',
          { request: revertedBy },
        );
        expect(data.history.nodes).toEqual([
          { ref, reason: 'not confirmed within 10 minutes', who: expect.objectContaining({ username: 'system' }) },
        ]);
      },
    );

    test.each(WAYS)(
      '$what is made at its time, and changes nothing before',
      async ({ document, after, scheduled, ...way }) => {
        const { app, url } = subject();
        const ref = await gatewayIn(app);
        const variables = await way.variables(app, ref);
        const at = inAnHour();
        const done = await run(app, document, { ...variables, at });
        const pending = await newestPending(app);
        expect(pending).toMatchObject({ state: 'SCHEDULED', count: 1 });
        if (scheduled) expect(done).toMatchObject({ ...scheduled, pending: { id: pending.id, dueOn: at } });
        expect(await nameOf(app, ref)).toBe('before');
        await makeDue(url, pending);
        await inState(app, pending, 'APPLIED');
        expect(await nameOf(app, ref)).toBe(after);
      },
    );

    test.each(WAYS)(
      'a dry run of $what waits for nothing, and tells what is wrong with the wait',
      async ({ document, ...way }) => {
        const { app } = subject();
        const ref = await gatewayIn(app);
        const variables = { ...(await way.variables(app, ref)), dryRun: true };
        const before = (await pendingChanges(app)).length;
        for (const wait of [{ confirmWithin: 600 }, { at: inAnHour() }])
          await run(app, document, { ...variables, ...wait });
        await expect(run(app, document, { ...variables, confirmWithin: 5 })).rejects.toThrow('confirmWithin: 5 is not');
        await expect(run(app, document, { ...variables, at: '2020-01-01T00:00:00Z' })).rejects.toThrow(
          'at: 2020-01-01',
        );
        await expect(run(app, document, { ...variables, revertIf: {} })).rejects.toThrow('requires confirmWithin');
        expect(await nameOf(app, ref)).toBe('before');
        expect(await pendingChanges(app)).toHaveLength(before);
      },
    );

    test('a change of many that stops numbers comes back at once, and a webhook is told why, with the figure', async () => {
      const { app, url } = subject();
      const receiver = await startReceiver();
      const created = await app.graphql<{ createWebhook: { secret: string; webhook: { ref: string } } }>(
        'mutation ($url: String!) { createWebhook(url: $url, events: [CHANGES_REVERTED], refs: ["none"]) { secret webhook { ref } } }',
        { url: receiver.url },
      );
      expect(created.errors).toBeUndefined();
      receiver.trust(created.data.createWebhook.secret);
      const host = 'stops.test';
      await createDomain(app, { domainUri: host });
      await createAgent(app, { username: 'ann', domains: [host] });
      await registerContact(url, { username: 'ann', domain: host, contact: 'sip:ann@192.0.2.1' });
      const gatewayRef = await createGateway(app, { name: 'Carrier' });
      const aorLink = `sip:ann@${host}`;
      for (const n of [1, 2, 3]) await createDid(app, { gatewayRef, telUrl: `tel:+4989${String(n)}`, aorLink });
      await run(
        app,
        `mutation ($where: DIDWhere!) {
          done: updateManyDIDs(where: $where, set: { aorLink: "sip:nobody@${host}" }, expectedCount: 3, confirmWithin: 600, revertIf: { numbersStopped: 2 }) { count }
        }`,
        { where: { gatewayRef: { eq: gatewayRef } } },
      );
      const pending = await newestPending(app);
      const reason = '3 numbers stopped ringing, limit 2';
      const ended = await inState(app, pending, 'REVERTED');
      expect(ended).toMatchObject({ reason, count: 3, watchedNumbers: 3, figures: { numbersStopped: 3 } });
      await eventually(30, () => expect(receiver.accepted).toHaveLength(1));
      expect(receiver.accepted[0]).toMatchObject({
        type: 'changes.reverted',
        data: {
          ...{
            id: pending.id,
            username: 'admin',
            count: 3,
            reason,
            revertedBy: ended.revertedBy,
            cursor: expect.any(String),
          },
          figures: { numbersStopped: 3, gatewaysLost: 0, newCalls: 0, failedCalls: 0 },
        },
      });
      await app.graphql('mutation ($ref: String!) { deleteWebhook(ref: $ref) }', created.data.createWebhook.webhook);
      await receiver.stop();
    });

    test('webhooks are told of changes that could not be reverted, and of scheduled ones, but not of what a user cancels', async () => {
      const { app, url } = subject();
      const receiver = await startReceiver();
      const created = await app.graphql<{ createWebhook: { secret: string; webhook: { ref: string } } }>(
        `mutation ($url: String!) {
          createWebhook(url: $url, events: [CHANGES_REVERTED, CHANGES_NOT_REVERTED, CHANGES_APPLIED, CHANGES_NOT_APPLIED]) { secret webhook { ref } }
        }`,
        { url: receiver.url },
      );
      receiver.trust(created.data.createWebhook.secret);
      const [way] = WAYS;
      const waiting = async (wait: Row): Promise<{ readonly id: string; readonly ref: string }> => {
        const ref = await gatewayIn(app);
        await run(app, way?.document ?? '', { refs: [ref], ...wait });
        const { id } = await newestPending(app);
        return { id, ref };
      };
      const cancelled = await waiting({ confirmWithin: 600 });
      await run(app, 'mutation ($id: String!) { done: cancelChanges(id: $id) { state } }', { id: cancelled.id });
      const built = await waiting({ confirmWithin: 600 });
      await rename(app, built.ref, 'built upon');
      const [applied, stale] = [await waiting({ at: inAnHour() }), await waiting({ at: inAnHour() })];
      await rename(app, stale.ref, 'changed meanwhile');
      for (const each of [built, applied, stale]) await makeDue(url, each);
      await eventually(30, () => expect(once(receiver.accepted)).toHaveLength(3));
      const told = new Map(receiver.accepted.map(({ type, data }) => [data['id'], [type, data['reason']]]));
      const why = (text: string): unknown => expect.stringContaining(text);
      expect(told).toEqual(
        new Map<unknown, unknown>([
          [built.id, ['changes.not_reverted', why('but not reverted')]],
          [applied.id, ['changes.applied', null]],
          [stale.id, ['changes.not_applied', why('something else')]],
        ]),
      );
      await app.graphql('mutation ($ref: String!) { deleteWebhook(ref: $ref) }', created.data.createWebhook.webhook);
      await receiver.stop();
    });

    test.each<
      readonly [what: string, document: string, variables: (app: TestApp) => Promise<Row> | Row, message: string]
    >([
      [
        'a change of many that replaces secrets',
        'mutation ($refs: [String!]) { done: updateManyAgents(refs: $refs, set: { secret: "new" }, expectedCount: 1, confirmWithin: 60) { count } }',
        async (app) => ({ refs: [await createAgent(app, { name: 'before' })] }),
        'confirmWithin: would replace or delete secrets, which could not be restored, because old secrets are not kept: secret of Agent',
      ],
      [
        'a deletion of what has a secret',
        'mutation ($refs: [String!]) { done: deleteManyAgents(refs: $refs, expectedCount: 1, confirmWithin: 60) { count } }',
        async (app) => ({ refs: [await createAgent(app)] }),
        'secret of Agent',
      ],
      [
        'an import of secrets for later',
        'mutation ($csv: String!, $at: DateTimeISO) { done: importCsv(kind: Agent, csv: $csv, at: $at) { imported } }',
        async (app) => ({ at: inAnHour(), csv: `ref,secret\n${await createAgent(app)},new\n` }),
        'is a secret, which is not stored for later',
      ],
      [
        'a scheduled change of more than 1,000',
        'mutation ($csv: String!, $at: DateTimeISO) { done: importCsv(kind: Domain, csv: $csv, at: $at) { imported } }',
        () => ({
          at: inAnHour(),
          csv: `name,domainUri\n${Array.from({ length: 1001 }, (_, n) => `D,many${String(n)}.test\n`).join('')}`,
        }),
        'at: would store 1001 changes; schedule at most 1000 at once',
      ],
      [
        'a part of an import',
        'mutation ($csv: String!) { done: importCsv(kind: Domain, csv: $csv, confirmWithin: 60, partOf: "x") { imported } }',
        () => ({ csv: 'name,domainUri\nD,part.test\n' }),
        'partOf: cannot be given with confirmWithin, revertIf or at: those of the first part apply to all',
      ],
    ])('%s is refused, and changes nothing', async (_what, document, variables, message) => {
      const { app } = subject();
      const given = await variables(app);
      const [before] = await pendingChanges(app);
      await expect(run(app, document, given)).rejects.toThrow(message);
      expect((await pendingChanges(app))[0]).toEqual(before);
      const { data } = await app.graphql<{ domains: { totalCount: number } }>(
        '{ domains(where: { domainUri: { startsWith: "many" } }) { totalCount } }',
      );
      expect(data.domains.totalCount).toBe(0);
    });

    test('an import with a wrong row waits for nothing', async () => {
      const { app } = subject();
      const ref = await gatewayIn(app);
      const [before] = await pendingChanges(app);
      for (const wait of ['confirmWithin: 60', `at: "${inAnHour()}"`]) {
        const done = await run(
          app,
          `mutation ($csv: String!) { done: importCsv(kind: Gateway, csv: $csv, ${wait}) { imported pending { id } count(outcome: FAILED) } }`,
          { csv: `ref,name,port\n${ref},after,5060\n${ref},after,no port\n` },
        );
        expect(done).toEqual({ imported: false, pending: null, count: 1 });
      }
      expect(await nameOf(app, ref)).toBe('before');
      expect((await pendingChanges(app))[0]).toEqual(before);
    });

    test.each([
      ['with calls', 'calls { examined }'],
      ['without calls', 'count'],
    ])('a dry run %s is refused as the request would be', async (_what, selected) => {
      const { app } = subject();
      const ref = await createAgent(app, { name: 'before' });
      const many = `mutation ($ref: String!, ${WAIT}) { done: updateManyAgents(refs: [$ref], set: { secret: "new" }, expectedCount: 1, ${WAITING}) { ${selected} } }`;
      const csv = `mutation ($kind: ResourceKind!, $csv: String!, ${WAIT}) { done: importCsv(kind: $kind, csv: $csv, ${WAITING}) { ${selected.replace('count', 'imported')} } }`;
      const lost = 'confirmWithin: would replace or delete secrets';
      const domains = Array.from({ length: 1001 }, (_, n) => `D,dry${String(n)}.test\n`);
      const peers = Array.from({ length: 1000 }, (_, n) => `p${String(n)},dry${String(n)},secret${String(n)}\n`);
      const peer = await createPeer(app, { username: `old-${ref}` });
      for (const [document, variables, message] of [
        [many, { ref, confirmWithin: 60 }, `${lost}, which could not be restored`],
        [many, { ref, at: inAnHour() }, 'is a secret, which is not stored for later'],
        [csv, { kind: 'Agent', csv: `ref,secret\n${ref},new\n`, confirmWithin: 60 }, lost],
        [
          csv,
          { kind: 'Domain', csv: `name,domainUri\n${domains.join('')}`, at: inAnHour() },
          'would store 1001 changes',
        ],
        // The last of more changes than are stored for later.
        [
          csv,
          { kind: 'Peer', csv: `name,username,secret\n${peers.join('')}old,old-${ref},new\n`, confirmWithin: 60 },
          `secret of Peer "${peer}"`,
        ],
      ] as const)
        await expect(run(app, document, { ...variables, dryRun: true })).rejects.toThrow(message);
    });

    test.each([true, false])(
      'wrong rows of an import are told before what is wrong with the wait, in a dry run: %s',
      async (dryRun) => {
        const { app } = subject();
        const ref = await createAgent(app, { name: 'before' });
        for (const wait of [{ confirmWithin: 60 }, { at: inAnHour() }]) {
          const given = { csv: `ref,name,secret,enabled\n${ref},after,new,\n,wrong,new,perhaps\n`, dryRun, ...wait };
          const done = await run(
            app,
            `mutation ($csv: String!, ${WAIT}) { done: importCsv(kind: Agent, csv: $csv, ${WAITING}) {
              imported pending { id } count(outcome: FAILED) rows(outcomes: [FAILED]) { line } } }`,
            given,
          );
          expect(done).toEqual({ imported: false, pending: null, count: 1, rows: [{ line: 3 }] });
        }
      },
    );

    test.each([
      ['importCsv', 'kind: Agent, csv', (ref: string) => `ref,secret\n${ref},new\n`],
      [
        'importDocuments',
        'text',
        (ref: string, host: string) =>
          JSON.stringify({
            apiVersion: 'v1beta1',
            kind: 'Agent',
            metadata: { name: 'before', ref },
            spec: { credentials: { username: 'replaced', secret: 'new' }, domains: [host] },
          }),
      ],
    ])(
      'an %s that replaces a secret is refused as a whole, because it could not come back',
      async (name, given, of) => {
        const { app } = subject();
        const host = `replaced-${name.toLowerCase()}.test`;
        await createDomain(app, { domainUri: host });
        const ref = await createAgent(app, { name: 'before', username: 'replaced', domains: [host] });
        const document = `mutation ($text: String!) { done: ${name}(${given}: $text, confirmWithin: 60) { imported } }`;
        await expect(run(app, document, { text: of(ref, host) })).rejects.toThrow(
          `are not kept: secret of Agent "${ref}"`,
        );
      },
    );

    test('a right guess of a secret is refused as a wrong one, because that changes nothing and could be repeated', async () => {
      const { app } = subject();
      const domainUri = 'guessed.test';
      await createDomain(app, { domainUri });
      const ref = await createAgent(app, { name: 'A', username: 'guessed', domains: [domainUri], secret: 'right' });
      const changes = `mutation ($agent: UpdateAgentInput!, $ref: String!, ${WAIT}) {
        done: applyChanges(changes: [{ update: { ref: $ref, agent: $agent } }], ${WAITING}) { request } }`;
      const many = `mutation ($agent: UpdateAgentInput!, $ref: String!, ${WAIT}) {
        done: updateManyAgents(refs: [$ref], set: $agent, expectedCount: 1, ${WAITING}) { changed } }`;
      const csv = `mutation ($text: String!, ${WAIT}) { done: importCsv(kind: Agent, csv: $text, ${WAITING}) { imported } }`;
      const documents = `mutation ($text: String!, ${WAIT}) { done: importDocuments(text: $text, ${WAITING}) { imported } }`;
      const credentials = { username: 'guessed', secret: 'right' };
      const text = JSON.stringify({
        ...{ apiVersion: 'v1beta1', kind: 'Agent', metadata: { name: 'A', ref } },
        spec: { credentials, domains: [domainUri] },
      });
      for (const [document, variables] of [
        [changes, { ref, agent: { secret: 'right' } }],
        [many, { ref, agent: { secret: 'right' } }],
        [csv, { text: `ref,secret\n${ref},right\n` }],
        [documents, { text }],
      ] as const)
        for (const dryRun of [true, false])
          for (const wait of [{ confirmWithin: 60 }, { at: inAnHour() }])
            await expect(run(app, document, { ...variables, ...wait, dryRun })).rejects.toThrow(
              /could not be restored|is not stored for later/,
            );
    });

    test('parts of an import wait together, are confirmed or reverted as one, and measured as one', async () => {
      const { app, url } = subject();
      const gatewayRef = await createGateway(app);
      const host = `parts-${Math.random().toString(36).slice(2)}.test`;
      await createDomain(app, { domainUri: host });
      const numbers: string[] = [];
      for (const username of ['one', 'two', 'three']) {
        await createAgent(app, { username, domains: [host] });
        await registerContact(url, { username, domain: host, contact: `sip:${username}@127.0.0.1:5060` });
        numbers.push(
          await createDid(app, {
            gatewayRef,
            aorLink: `sip:${username}@${host}`,
            telUrl: `tel:+49301${String(numbers.length)}`,
          }),
        );
      }
      const part = (refs: readonly string[], args: string, enabled = 'false'): Promise<unknown> =>
        run(
          app,
          `mutation ($csv: String!) { done: importCsv(kind: DID, csv: $csv, ${args}) { imported request pending { id count watchedNumbers } } }`,
          { csv: `ref,enabled\n${refs.map((ref) => `${ref},${enabled}\n`).join('')}` },
        );
      const end = (how: string, id: string): Promise<unknown> =>
        run(app, `mutation ($id: String!) { done: ${how}Changes(id: $id) { state } }`, { id });
      const enabled = async (): Promise<unknown> => {
        const { data } = await app.graphql<{ dids: { nodes: { ref: string; enabled: boolean | null }[] } }>(
          'query ($refs: [String!]) { dids(where: { ref: { in: $refs } }) { nodes { ref enabled } } }',
          { refs: numbers },
        );
        return numbers.map((ref) => data.dids.nodes.find((node) => node.ref === ref)?.enabled ?? true);
      };
      const [one = '', two = '', three = ''] = numbers;
      expect(await part([one], 'confirmWithin: 600')).toMatchObject({ pending: { count: 1, watchedNumbers: 1 } });
      const { id } = await newestPending(app);
      expect(await part([one, two], `partOf: "${id}"`)).toEqual({
        imported: true,
        request: id,
        pending: { id, count: 2, watchedNumbers: 2 },
      });
      expect(await enabled()).toEqual([false, false, true]);
      await end('cancel', id);
      expect(await enabled()).toEqual([true, true, true]);
      await expect(part([three], `partOf: "${id}"`)).rejects.toThrow(`partOf: "${id}" was reverted`);

      // The limit counts the numbers of all parts.
      await part([one], 'confirmWithin: 600, revertIf: { numbersStopped: 3 }');
      const { id: limited } = await newestPending(app);
      await part([two], `partOf: "${limited}"`);
      await part([three], `partOf: "${limited}"`);
      await eventually(15, async () =>
        expect(await newestPending(app)).toMatchObject({ id: limited, state: 'REVERTED' }),
      );
      expect(await newestPending(app)).toMatchObject({ reason: '3 numbers stopped ringing, limit 3' });
      expect(await enabled()).toEqual([true, true, true]);

      await part([one], 'confirmWithin: 600');
      const { id: kept } = await newestPending(app);
      await part([two], `partOf: "${kept}"`);
      await end('confirm', kept);
      expect(await part([three], `partOf: "${kept}"`)).toEqual({ imported: true, request: kept, pending: null });
      expect(await enabled()).toEqual([false, false, false]);
    });

    test('a part that replaces a secret is refused while the import waits, which goes on waiting', async () => {
      const { app } = subject();
      const ref = await createPeer(app, { username: `part-${Math.random().toString(36).slice(2)}` });
      const part = (csv: string, args: string): Promise<unknown> =>
        run(app, `mutation ($csv: String!) { done: importCsv(kind: Peer, csv: $csv, ${args}) { imported } }`, { csv });
      await part(`ref,name\n${ref},Waits\n`, 'confirmWithin: 600');
      const { id } = await newestPending(app);
      await expect(part(`ref,secret\n${ref},another\n`, `partOf: "${id}"`)).rejects.toThrow('could not be restored');
      expect(await newestPending(app)).toMatchObject({ id, state: 'UNCONFIRMED', count: 1 });
      await run(app, 'mutation ($id: String!) { done: cancelChanges(id: $id) { state } }', { id });
    });

    test('the progress of an import that waits does not go back', async () => {
      const { app } = subject();
      const document = 'subscription { importProgress(progressId: "waits") { phase done total } }';
      const progress = await transports[0].subscribe(app.url, await app.token(), document);
      const rows = Array.from({ length: 600 }, (_, n) => `D,progress${String(n)}.test\n`);
      const running = run(
        app,
        'mutation ($csv: String!) { done: importCsv(kind: Domain, csv: $csv, confirmWithin: 600, progressId: "waits") { imported } }',
        { csv: `name,domainUri\n${rows.join('')}` },
      );
      const told: { readonly phase: string; readonly done: number }[] = [];
      while (told.at(-1)?.phase !== 'DONE')
        told.push((await progress.next()).data?.['importProgress'] as (typeof told)[number]);
      expect(await running).toEqual({ imported: true });
      expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).toSorted((a, b) => a - b));
      expect(told.at(-1)).toEqual({ phase: 'DONE', done: 600, total: 600 });
      await progress.close();
      await run(app, 'mutation ($id: String!) { done: confirmChanges(id: $id) { state } }', {
        id: (await newestPending(app)).id,
      });
    });

    test('a change that changes nothing waits for nothing, and one that is repeated with its key waits once', async () => {
      const { app } = subject();
      const ref = await gatewayIn(app);
      const [way] = WAYS;
      const document = way?.document ?? '';
      const same = document.replace('"after"', '"before"');
      for (const wait of [{ confirmWithin: 60 }, { at: inAnHour() }])
        expect(await run(app, same, { refs: [ref], ...wait })).toMatchObject({ count: 1, changed: 0, pending: null });
      for (const wait of [{ at: inAnHour() }, { confirmWithin: 600 }]) {
        const headers = { 'idempotency-key': `wait-${Object.keys(wait).join('')}-${ref}` };
        const before = (await pendingChanges(app)).length;
        const replies = [];
        for (let attempt = 0; attempt < 2; attempt++) {
          const { data, errors } = await app.graphql(document, { refs: [ref], ...wait }, { headers });
          expect(errors).toBeUndefined();
          replies.push(data);
        }
        expect(replies[1]).toEqual(replies[0]);
        expect(await pendingChanges(app)).toHaveLength(before + 1);
      }
    });

    test('an API token cannot schedule changes, and a viewer can let nothing wait', async () => {
      const { app } = subject();
      const ref = await gatewayIn(app);
      const { data } = await app.graphql<{ createApiToken: { token: string } }>(
        'mutation { createApiToken(name: "waits", role: ADMIN) { token } }',
      );
      await app.graphql(
        'mutation { createUser(input: { username: "waitsnot", secret: "the secret of a viewer", role: VIEWER }) { ref } }',
      );
      const viewer = await fetchToken(app.url, 'waitsnot', 'the secret of a viewer');
      for (const way of WAYS) {
        const variables = await way.variables(app, ref);
        const later = await app.graphql(
          way.document,
          { ...variables, at: inAnHour() },
          { token: data.createApiToken.token },
        );
        expect(later.errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
        const confirmed = await app.graphql(way.document, { ...variables, confirmWithin: 60 }, { token: viewer });
        expect(confirmed.errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
      }
      expect(await nameOf(app, ref)).toBe('before');
    });
  },
  { WEBHOOK_ALLOW: '127.0.0.1' },
);

onEachDriver(
  'An import of more changes than are reverted as a whole',
  (subject) => {
    test('does not wait for a confirmation', async () => {
      const { app } = subject();
      const gateway = await createGateway(app);
      const rows = Array.from({ length: 25_001 }, (_, n) => `+49${String(100_000 + n)},sip:a@b.test,${gateway}`);
      const csv = ['telUrl,aorLink,gwRef', ...rows].join('\n');
      await expect(
        run(
          app,
          `mutation ($csv: String!, ${WAIT}) { done: importNumbers(csv: $csv, ${WAITING}) { count(outcome: FAILED) } }`,
          { csv, confirmWithin: 60 },
        ),
      ).rejects.toThrow('confirmWithin: would make 25001 changes, and at most 25000 can be reverted as a whole');
      const { data } = await app.graphql<{ readonly numbers: Row }>('{ numbers { totalCount } }');
      expect(data.numbers).toEqual({ totalCount: 0 });
      expect(await pendingChanges(app)).toEqual([]);
    });
  },
  { BODY_LIMIT: String(4 * 1024 * 1024) },
);
