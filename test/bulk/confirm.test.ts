import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startApp, useTimings, type GraphqlReply, type TestApp } from '../support/app';
import { runCommand, type Ran } from '../support/command-line';
import { eventually } from '../support/eventually';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createUser,
  operatorToken,
} from '../support/factories';
import { whileLocked } from '../support/databases/locks';
import { onEachDriver, type Subject } from '../support/databases/on-each-database';
import {
  inAnHour,
  inState,
  makeDue,
  nameOf,
  PENDING,
  pendingChanges,
  pendingNow,
  type Pending,
} from '../support/pending';
import { measureGateway, registerContact, registerGateway, runSql, storeCall } from '../support/databases/sql';

useTimings({ pendingReadEvery: 100 });

type Row = Readonly<Record<string, unknown>>;

interface Applied {
  readonly request: string | null;
  readonly pending: Pending | null;
}

const APPLY = `mutation ($changes: [ChangeInput!]!, $confirmWithin: Int, $revertIf: RevertLimitsInput, $at: DateTimeISO, $dryRun: Boolean! = false, $since: DateTimeISO) {
  applied: applyChanges(changes: $changes, confirmWithin: $confirmWithin, revertIf: $revertIf, at: $at, dryRun: $dryRun, ifUnchangedSince: $since) {
    request
    pending { ...P }
    changes { outcome }
  }
} ${PENDING}`;

const send = (app: TestApp, variables: Row, caller: Parameters<TestApp['graphql']>[2] = {}) =>
  app.graphql<{ readonly applied: Applied }>(APPLY, variables, caller);

/** Applies changes, and returns how they wait. */
async function applyAndWait(app: TestApp, changes: readonly Row[], more: Row = {}): Promise<Pending> {
  const { data, errors } = await send(app, { changes, confirmWithin: 600, ...more });
  expect(errors).toBeUndefined();
  if (!data.applied.pending) throw new Error('the changes wait for nothing');
  return data.applied.pending;
}

const act = (
  app: TestApp,
  what: 'confirm' | 'cancel',
  { id }: Pick<Pending, 'id'>,
  token?: string,
): Promise<GraphqlReply<Readonly<Record<string, Pending>>>> =>
  app.graphql(`mutation ($id: String!) { done: ${what}Changes(id: $id) { ...P } } ${PENDING}`, { id }, { token });

const rename = (ref: string, name: string): Row => ({ update: { ref, gateway: { name } } });

/** The entries of a request, newest first. */
async function entriesOf(app: TestApp, request: string | null): Promise<readonly Row[]> {
  const { data } = await app.graphql<{ readonly history: { readonly nodes: readonly Row[] } }>(
    'query ($request: String) { history(where: { request: $request }) { nodes { event kind ref reason way reverts who { username } } } }',
    { request },
  );
  return data.history.nodes;
}

let names = 0;

/** A number that rings: its agent has a device. */
async function ringing({ app, url }: Subject): Promise<{
  readonly agent: string;
  readonly gateway: string;
  readonly did: string;
  readonly username: string;
  readonly host: string;
}> {
  const n = String(++names);
  const host = `confirm${n}.test`;
  const username = `ann${n}`;
  await createDomain(app, { domainUri: host });
  const agent = await createAgent(app, { username, domains: [host] });
  await registerContact(url, { username, domain: host, contact: `sip:${username}@192.0.2.1` });
  const gateway = await createGateway(app, { host: `gw.${host}` });
  const did = await createDid(app, {
    gatewayRef: gateway,
    telUrl: `tel:+3316${n}`,
    aorLink: `sip:${username}@${host}`,
  });
  return { agent, gateway, did, username, host };
}

onEachDriver('Changes that must be confirmed', (subject) => {
  test('changes that are confirmed are kept, and cannot be confirmed or cancelled again', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await applyAndWait(app, [rename(ref, 'after')]);
    expect(pending).toMatchObject({
      state: 'UNCONFIRMED',
      username: 'admin',
      count: 1,
      confirmWithin: 600,
      reason: null,
    });
    expect(Date.parse(pending.dueOn ?? '') - Date.now()).toBeGreaterThan(590_000);
    const { data, errors } = await act(app, 'confirm', pending, await operatorToken(app));
    expect(errors).toBeUndefined();
    expect(data['done']).toMatchObject({ state: 'CONFIRMED', dueOn: null, reason: null });
    // Even if its time comes, as that of another set, which is reverted.
    const other = await createGateway(app, { name: 'before' });
    const due = await applyAndWait(app, [rename(other, 'after')]);
    await runSql(url, 'UPDATE pending_changes SET due_on = 1 WHERE ref IN (?, ?)', [pending.id, due.id]);
    await inState(app, due, 'REVERTED');
    for (const what of ['confirm', 'cancel'] as const) {
      const { errors: [error] = [] } = await act(app, what, pending);
      expect(error).toMatchObject({ extensions: { code: 'CONFLICT' } });
      expect(error?.message).toContain('CONFIRMED by user');
    }
    expect(await nameOf(app, ref)).toBe('after');
  });

  test('changes that nobody confirms are reverted as one request that says why', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const made = {
      create: {
        gateway: { ref: `made-${ref}`.slice(0, 24), name: 'made', host: `made.${ref}.test`, transport: 'UDP' },
      },
    };
    const pending = await applyAndWait(app, [rename(ref, 'after'), made]);
    expect(await nameOf(app, ref)).toBe('after');
    await makeDue(url, pending);
    const { reason, revertedBy, finishedBy } = await inState(app, pending, 'REVERTED');
    expect([reason, finishedBy]).toEqual(['not confirmed within 10 minutes', null]);
    expect(await nameOf(app, ref)).toBe('before');
    const entries = await entriesOf(app, revertedBy);
    expect(entries).toHaveLength(2);
    for (const each of entries)
      expect(each).toMatchObject({
        reason: 'not confirmed within 10 minutes',
        way: 'SYSTEM',
        who: { username: 'system' },
        reverts: expect.any(String),
      });
    // The changes themselves are one request of their own, whose id is that of the set.
    expect(await entriesOf(app, pending.id)).toHaveLength(2);
    expect((await act(app, 'confirm', pending)).errors?.[0]?.message).toContain(
      'REVERTED: not confirmed within 10 minutes',
    );
  });

  test('changes that somebody has reverted cannot be confirmed, and end as reverted, also if they had a delete', async () => {
    const { app, url } = subject();
    const [kept, gone, old] = [
      await createGateway(app, { name: 'before' }),
      await createGateway(app),
      await createGateway(app, { name: 'before' }),
    ];
    const remove = { delete: { kind: 'Gateway', ref: gone } };
    const pending = await applyAndWait(app, [rename(kept, 'after'), remove]);
    const part = await applyAndWait(app, [rename(old, 'after')]);
    const revert = (id: string): ReturnType<TestApp['graphql']> =>
      app.graphql('mutation ($id: String!) { revertRequest(id: $id) { ref } }', { id });
    for (const { id } of [pending, part]) expect((await revert(id)).errors).toBeUndefined();
    // A repeated revert has nothing to do.
    expect((await revert(pending.id)).data).toEqual({ revertRequest: [] });
    const { errors: [error] = [] } = await act(app, 'confirm', pending);
    expect(error).toMatchObject({ extensions: { code: 'CONFLICT' } });
    expect(error?.message).toMatch(/none of them is in force.*cancelChanges/);
    await runSql(url, 'UPDATE pending_changes SET due_on = 1 WHERE ref = ?', [pending.id]);
    expect(await inState(app, pending, 'REVERTED')).toMatchObject({
      reason: 'none of the changes was in force any more: they were reverted before',
      revertedBy: null,
    });
    expect(await runCommand({ DATABASE_URL: url }, 'confirm', part.id, '--revert')).toMatchObject({
      out: 'Nothing was changed: none of the changes was in force any more: they were reverted before\n',
    });
    expect([await nameOf(app, kept), await nameOf(app, old)]).toEqual(['before', 'before']);
  });

  test('only the changes of the set are reverted, and not others of the same request', async () => {
    const { app, url } = subject();
    const [one, two] = [await createGateway(app, { name: 'before' }), await createGateway(app, { name: 'before' })];
    const { data } = await app.graphql<{ readonly a: Applied }>(
      `mutation ($a: [ChangeInput!]!, $b: [ChangeInput!]!) {
        a: applyChanges(changes: $a, confirmWithin: 60) { request pending { id } }
        b: applyChanges(changes: $b) { request }
      }`,
      { a: [rename(one, 'after')], b: [rename(two, 'after')] },
    );
    const id = data.a.request ?? '';
    await makeDue(url, { id });
    await inState(app, { id }, 'REVERTED');
    expect([await nameOf(app, one), await nameOf(app, two)]).toEqual(['before', 'after']);
  });

  test('changes that somebody built upon are reported and not reverted', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const other = await createGateway(app, { name: 'before' });
    const pending = await applyAndWait(app, [rename(ref, 'after'), rename(other, 'after')]);
    await send(app, { changes: [rename(ref, 'later')] });
    // Who asks for it is told as well, and the changes still wait.
    const { errors: [error] = [] } = await act(app, 'cancel', pending);
    expect(error).toMatchObject({ extensions: { code: 'CONFLICT' } });
    expect(await pendingNow(app, pending)).toMatchObject({ state: 'UNCONFIRMED' });
    await makeDue(url, pending);
    const { reason } = await inState(app, pending, 'NOT_REVERTED');
    expect(reason).toMatch(/^not confirmed within 10 minutes, but not reverted: .*name was changed later/);
    expect([await nameOf(app, ref), await nameOf(app, other)]).toEqual(['later', 'after']);
  });

  const NAMES: readonly (readonly [
    what: string,
    change: (at: { domain: string; agent: string }) => Row,
    target: string,
  ])[] = [
    [
      'a domain that was renamed',
      ({ domain }) => ({ update: { ref: domain, domain: { domainUri: 'new.$' } } }),
      'ann@new.$',
    ],
    ['an agent that was renamed', ({ agent }) => ({ update: { ref: agent, agent: { username: 'bea' } } }), 'bea@old.$'],
    ['an agent that moved', ({ agent }) => ({ update: { ref: agent, agent: { domains: ['two.$'] } } }), 'ann@two.$'],
    [
      'a peer that was created',
      () => ({ create: { peer: { name: 'p', username: 'p$', secret: 'another long secret' } } }),
      'p$@old.$',
    ],
  ];

  test.each(NAMES)('changes are not reverted if somebody made a number lead to %s', async (_what, change, target) => {
    const { app, url } = subject();
    for (const isFurther of [false, true]) {
      const n = `n${Math.random().toString(36).slice(2, 10)}.test`;
      const fill = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('$', n)) as T;
      const domain = await createDomain(app, { domainUri: `old.${n}` });
      await createDomain(app, { domainUri: `two.${n}` });
      const agent = await createAgent(app, { username: 'ann', domains: [`old.${n}`] });
      const gatewayRef = await createGateway(app, {});
      // A number of somebody who does not know of the changes is in nobody's way.
      const kept = `sip:ann@old.${n}`;
      const pending = await applyAndWait(app, [fill(change({ domain, agent }))]);
      await createNumber(app, { gatewayRef, telUrl: `tel:+88${String(Date.now())}`, aorLink: `sip:x@elsewhere.${n}` });
      const link = fill(`sip:${target}`);
      const number = await createNumber(app, {
        ...{ gatewayRef, telUrl: `tel:+89${String(Date.now())}` },
        ...(isFurther ? { aorLink: kept, furtherTargets: [`${link} after 5`] } : { aorLink: link }),
      });
      await makeDue(url, pending);
      const { reason } = await inState(app, pending, 'NOT_REVERTED');
      expect(reason).toContain(`but not reverted: Number "${number}": leads to "${fill(target)}" since then`);
      // Without that number, the changes can be reverted by hand.
      await app.graphql('mutation ($ref: String!) { deleteNumber(ref: $ref) }', { ref: number });
    }
  });

  test('changes whose revert fails unexpectedly are given up after some attempts, and the reason says so', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await applyAndWait(app, [rename(ref, 'after')]);
    expect(await entriesOf(app, pending.id)).toHaveLength(1);
    // No version writes this.
    await runSql(url, "UPDATE changes SET details = '{' WHERE request = ?", [pending.id]);
    await makeDue(url, pending);
    const { reason } = await inState(app, pending, 'NOT_REVERTED');
    expect(reason).toBe(
      'not confirmed within 10 minutes, but not reverted: an unexpected error, which is in the log of sipgraph',
    );
    expect((await act(app, 'cancel', pending)).errors?.[0]?.extensions['code']).toBe('CONFLICT');
    await runSql(url, "UPDATE changes SET details = '{}' WHERE request = ?", [pending.id]);
  });

  test('cancelling reverts at once, and says who did', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await applyAndWait(app, [rename(ref, 'after')]);
    const { data, errors } = await act(app, 'cancel', pending);
    expect(errors).toBeUndefined();
    expect(data['done']).toMatchObject({
      state: 'REVERTED',
      finishedBy: 'admin',
      reason: 'cancelled before it was confirmed',
    });
    expect(await nameOf(app, ref)).toBe('before');
    expect(await entriesOf(app, data['done']?.revertedBy ?? null)).toEqual([
      expect.objectContaining({ who: { username: 'admin' }, reason: 'cancelled before it was confirmed' }),
    ]);
  });

  test('changes that were reverted by hand are not reverted again', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await applyAndWait(app, [rename(ref, 'after')]);
    await app.graphql('mutation ($id: String!) { revertRequest(id: $id) { entry } }', { id: pending.id });
    await makeDue(url, pending);
    expect(await inState(app, pending, 'REVERTED')).toMatchObject({ revertedBy: null });
    expect(await nameOf(app, ref)).toBe('before');
  });

  const LIMITS: readonly (readonly [
    what: string,
    limits: Row,
    prepare: (subject: Subject, at: Awaited<ReturnType<typeof ringing>>) => Promise<unknown>,
    changes: (at: Awaited<ReturnType<typeof ringing>>) => readonly Row[],
    happens: (subject: Subject, at: Awaited<ReturnType<typeof ringing>>) => Promise<unknown>,
    reason: string,
  ])[] = [
    [
      'a number stops ringing by the change',
      { numbersStopped: 1 },
      () => Promise.resolve(),
      ({ agent }) => [{ update: { ref: agent, agent: { enabled: false } } }],
      () => Promise.resolve(),
      '1 number stopped ringing, limit 1',
    ],
    [
      'a number stops ringing later, because its device is gone',
      { numbersStopped: 1 },
      () => Promise.resolve(),
      ({ agent }) => [{ update: { ref: agent, agent: { maxCalls: 3 } } }],
      ({ url }, { username }) => runSql(url, 'DELETE FROM location WHERE username = ?', [username]),
      '1 number stopped ringing, limit 1',
    ],
    [
      'a gateway goes down',
      { gatewaysLost: 1 },
      ({ url }, { gateway, host }) => measureGateway(url, gateway, { host: `gw.${host}` }),
      ({ gateway }) => [{ update: { ref: gateway, gateway: { maxCalls: 3 } } }],
      ({ url }, { gateway, host }) => measureGateway(url, gateway, { host: `gw.${host}`, state: 'DOWN' }),
      '1 gateway went down, limit 1',
    ],
    [
      'a gateway loses its registration',
      { gatewaysLost: 1 },
      async ({ app, url }, { gateway }) => {
        await send(app, {
          changes: [{ update: { ref: gateway, gateway: { username: 'u', secret: 's3cret' } } }],
        });
        await registerGateway(url, gateway);
      },
      ({ gateway }) => [{ update: { ref: gateway, gateway: { maxCalls: 3 } } }],
      ({ url }, { gateway }) =>
        runSql(url, 'UPDATE gateway_registrations SET expires_at = ? WHERE gw_ref = ?', [Date.now() - 1000, gateway]),
      '1 gateway went down, limit 1',
    ],
    ...(['enabled: false', 'draining: true', 'sendRegister: false'] as const).map((field): (typeof LIMITS)[number] => [
      `a registered gateway is changed to ${field}`,
      { gatewaysLost: 1 },
      async ({ app, url }, { gateway }) => {
        await send(app, { changes: [{ update: { ref: gateway, gateway: { username: 'u', secret: 's3cret' } } }] });
        await registerGateway(url, gateway);
      },
      ({ gateway }) => {
        const [name = '', value] = field.split(': ');
        return [{ update: { ref: gateway, gateway: { [name]: value === 'true' } } }];
      },
      () => Promise.resolve(),
      '1 gateway went down, limit 1',
    ]),
    [
      'a gateway accepts no calls any more from a network of its provider',
      { numbersStopped: 1 },
      ({ app }, { gateway }) =>
        send(app, { changes: [{ update: { ref: gateway, gateway: { sources: ['198.51.100.0/24'] } } }] }).then(
          () => undefined,
        ),
      ({ gateway }) => [{ update: { ref: gateway, gateway: { sources: ['198.51.100.0/25'] } } }],
      () => Promise.resolve(),
      '1 number stopped ringing, limit 1',
    ],
    [
      'too many of the new calls fail',
      { failedCallsPercent: 20, minCalls: 4 },
      // Calls from before the changes do not count.
      async ({ url }) => {
        for (let n = 0; n < 5; n++) await storeCall(url, { state: 6, begun: Date.now() - 60_000 });
      },
      ({ gateway }) => [rename(gateway, 'calls')],
      async ({ url }) => {
        const begun = Date.now() + 1000;
        for (const state of [5, 3, 6, 1, 6]) await storeCall(url, { state, begun, number: '331', status: 503 });
      },
      '25 % of 4 new calls failed, limit 20 %',
    ],
  ];

  test.each(LIMITS)('changes are reverted when %s', async (_what, revertIf, prepare, changes, happens, reason) => {
    const at = await ringing(subject());
    await prepare(subject(), at);
    const { app } = subject();
    const pending = await applyAndWait(app, changes(at), { revertIf });
    await happens(subject(), at);
    const crossedAt = Date.now();
    const done = await inState(app, pending, 'REVERTED');
    expect(done.reason).toBe(reason);
    expect(Date.now() - crossedAt).toBeLessThan(5000);
    const entries = await entriesOf(app, done.revertedBy);
    expect(entries).not.toEqual([]);
    for (const each of entries) expect(each).toMatchObject({ reason });
  });

  const MOVES: readonly (readonly [what: string, values: (host: string) => Row])[] = [
    ['another host', (host) => ({ host: `new.${host}` })],
    ['another destination', (host) => ({ destinations: [{ host: `new.${host}` }] })],
    ['another host and outbound proxy', () => ({ host: '192.0.2.77', destinations: [], outboundProxy: '192.0.2.78' })],
  ];

  test.each(MOVES)('a gateway with %s has no numbers that stopped', async (_what, values) => {
    const { app } = subject();
    const { gateway, host } = await ringing(subject());
    const before = { destinations: [{ host: `old.${host}` }], sources: ['198.51.100.0/24'] };
    const { errors } = await send(app, { changes: [{ update: { ref: gateway, gateway: before } }] });
    expect(errors).toBeUndefined();
    const changes = [{ update: { ref: gateway, gateway: values(host) } }];
    const pending = await applyAndWait(app, changes, { revertIf: { numbersStopped: 1 } });
    await eventually(10, async () =>
      expect(await pendingNow(app, pending)).toMatchObject({
        ...{ state: 'UNCONFIRMED', watchedNumbers: 1 },
        figures: { numbersStopped: 0 },
      }),
    );
    await act(app, 'confirm', pending);
  });

  test('a number rings if another row has its digits, and a range stops if one of its ends does', async () => {
    const { app } = subject();
    const { gateway, host, username } = await ringing(subject());
    const aorLink = `sip:${username}@${host}`;
    const n = String(Date.now());
    const single = await createDid(app, { gatewayRef: gateway, aorLink, telUrl: `tel:+9${n}` });
    const line = { gatewayRef: gateway, aorLink, telUrl: `tel:+8${n.slice(2)}00`, lastTelUrl: `tel:+8${n.slice(2)}99` };
    const range = await createDid(app, line);
    const number = { gatewayRef: gateway, aorLink, telUrl: `tel:+9${n}` };
    const replaced = await applyAndWait(app, [{ delete: { kind: 'DID', ref: single } }, { create: { number } }], {
      revertIf: { numbersStopped: 1 },
    });
    const cut = await applyAndWait(app, [{ update: { ref: range, did: { lastTelUrl: `tel:+8${n.slice(2)}10` } } }], {
      revertIf: { numbersStopped: 1 },
    });
    expect((await inState(app, cut, 'REVERTED')).reason).toBe('1 number stopped ringing, limit 1');
    // Both were measured.
    expect(await inState(app, replaced, 'UNCONFIRMED')).toMatchObject({ figures: { numbersStopped: 0 } });
  });

  test('figures below the limits are shown, and the changes are kept', async () => {
    const { app, url } = subject();
    const at = await ringing(subject());
    await runSql(url, 'DELETE FROM calls'); // those of the test before begin in a moment
    const pending = await applyAndWait(app, [{ update: { ref: at.agent, agent: { enabled: false } } }], {
      revertIf: { numbersStopped: 2, failedCallsPercent: 1 },
    });
    expect(pending).toMatchObject({ watchedNumbers: 1 });
    await storeCall(url, { state: 5, begun: Date.now() + 1000, status: 503 });
    await eventually(10, async () =>
      expect((await pendingNow(app, pending)).figures).toMatchObject({
        numbersStopped: 1,
        gatewaysLost: 0,
        newCalls: 1,
        failedCalls: 1,
      }),
    );
    await act(app, 'confirm', pending);
    expect(await pendingNow(app, pending)).toMatchObject({ state: 'CONFIRMED', figures: { numbersStopped: 1 } });
    await runSql(url, 'DELETE FROM calls');
  });

  test('what a process that was killed has begun, another one ends, once', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await applyAndWait(app, [rename(ref, 'after')]);
    // As a process that was killed leaves it: claimed for a moment, and due.
    await runSql(url, "UPDATE pending_changes SET holder = 'killed', until_on = ?, due_on = 1 WHERE ref = ?", [
      Math.floor(Date.now() / 1000) + 2,
      pending.id,
    ]);
    const second = await startApp({ DATABASE_URL: url });
    try {
      const { revertedBy } = await inState(second, pending, 'REVERTED');
      expect(await nameOf(app, ref)).toBe('before');
      expect(await entriesOf(app, revertedBy)).toHaveLength(1);
      const reverts = await runSql(url, "SELECT COUNT(*) FROM changes WHERE ref = ? AND details LIKE '%undoes%'", [
        ref,
      ]);
      expect(reverts.map(([count]) => Number(count))).toEqual([1]);
    } finally {
      await second.close();
    }
  });

  test('a claim that a process left before the clock was set back delays nothing', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await applyAndWait(app, [rename(ref, 'after')]);
    await runSql(url, "UPDATE pending_changes SET holder = 'killed', until_on = ?, due_on = 1 WHERE ref = ?", [
      Math.floor(Date.now() / 1000) + 3600,
      pending.id,
    ]);
    await inState(app, pending, 'REVERTED');
  });

  test('changes whose revert waits for a lock do not delay others, whose limit is reached meanwhile', async () => {
    const { app, url } = subject();
    const locked = await createGateway(app, { name: 'before' });
    const { agent, gateway } = await ringing(subject());
    const waiting = await applyAndWait(app, [rename(locked, 'after')]);
    const other = await applyAndWait(app, [{ update: { ref: gateway, gateway: { maxCalls: 9 } } }], {
      revertIf: { numbersStopped: 1 },
    });
    await whileLocked(
      url,
      `SELECT name FROM gateways WHERE ref = '${locked}' FOR UPDATE`,
      async () => {
        await makeDue(url, waiting);
        await inState(app, waiting, 'REVERTED');
      },
      async () => {
        await app.graphql('mutation ($ref: String!) { updateAgent(ref: $ref, input: { enabled: false }) { ref } }', {
          ref: agent,
        });
        const crossedOn = Date.now();
        const { finishedOn } = await inState(app, other, 'REVERTED');
        expect(Date.parse(String(finishedOn)) - crossedOn).toBeLessThan(5000);
      },
    );
  });

  test('refuses viewers, wrong times and limits, and secrets that could not be restored, and changes nothing', async () => {
    const { app } = subject();
    const { token } = await createUser(app, 'VIEWER');
    const ref = await createGateway(app, { name: 'before', username: 'u', secret: 'old secret' });
    const changes = [rename(ref, 'after')];
    const refusals: readonly (readonly [Row, string, RegExp])[] = [
      [{ confirmWithin: 9 }, 'BAD_USER_INPUT', /confirmWithin.*9 is not a number of seconds from 10 to 86400/],
      [{ confirmWithin: 86_401 }, 'BAD_USER_INPUT', /confirmWithin/],
      [{ revertIf: { numbersStopped: 1 } }, 'BAD_USER_INPUT', /revertIf.*requires confirmWithin/],
      [{ confirmWithin: 60, revertIf: { gatewaysLost: 0 } }, 'BAD_USER_INPUT', /revertIf.gatewaysLost.*0 is not/],
      [{ confirmWithin: 60, revertIf: { failedCallsPercent: 101 } }, 'BAD_USER_INPUT', /failedCallsPercent.*101/],
      [{ confirmWithin: 60, revertIf: { minCalls: 5 } }, 'BAD_USER_INPUT', /revertIf.minCalls/],
      [
        { confirmWithin: 60, changes: [{ update: { ref, gateway: { secret: 'new secret' } } }] },
        'BAD_USER_INPUT',
        /changes\[0\].update.gateway.secret.*could not be restored/,
      ],
      [
        { confirmWithin: 60, changes: [{ delete: { kind: 'Gateway', ref } }] },
        'BAD_USER_INPUT',
        /changes\[0\].delete.ref.*could not be restored/,
      ],
      [
        { confirmWithin: 60, dryRun: true, changes: [{ update: { ref, gateway: { secret: 'new secret' } } }] },
        'BAD_USER_INPUT',
        /could not be restored/,
      ],
    ];
    for (const [more, code, message] of refusals) {
      const { errors: [error] = [] } = await send(app, { changes, ...more });
      expect([error?.extensions['code'], error?.message]).toEqual([code, expect.stringMatching(message)]);
      expect(JSON.stringify(error)).not.toMatch(/(old|new) secret"/);
    }
    const { errors: [refused] = [] } = await send(app, { changes, confirmWithin: 60 }, { token });
    expect(refused?.extensions['code']).toBe('FORBIDDEN');
    expect(await nameOf(app, ref)).toBe('before');
    const pending = await applyAndWait(app, changes);
    for (const what of ['confirm', 'cancel'] as const) {
      expect((await act(app, what, pending, token)).errors?.[0]?.extensions['code']).toBe('FORBIDDEN');
      expect((await act(app, what, { id: 'none' })).errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
    }
    expect((await pendingChanges(app, token)).map(({ id }) => id)).toContain(pending.id);
    await act(app, 'confirm', pending);
    // What changes nothing waits for nothing.
    const { data } = await send(app, { changes, confirmWithin: 60 });
    expect(data.applied).toMatchObject({ request: null, pending: null });
  });

  test('a repeated request with the same key returns the same set of changes', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const caller = { headers: { 'idempotency-key': `confirm-${ref}` } };
    const variables = { changes: [rename(ref, 'after')], confirmWithin: 60 };
    const [one, two] = [await send(app, variables, caller), await send(app, variables, caller)];
    expect(two.data.applied.pending?.id).toBe(one.data.applied.pending?.id);
    const { errors: [error] = [] } = await send(app, { ...variables, confirmWithin: 61 }, caller);
    expect(error?.message).toContain('already used for another request');
    await act(app, 'cancel', { id: one.data.applied.pending?.id ?? '' });
  });

  test('at most ten sets of changes wait at a time', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: '0' });
    const made: Pending[] = [];
    let last: Awaited<ReturnType<typeof send>> | undefined;
    for (let n = 1; n <= 11 && !last?.errors; n++) {
      last = await send(app, { changes: [rename(ref, String(n))], confirmWithin: 600 });
      if (!last.errors && last.data.applied.pending) made.push(last.data.applied.pending);
    }
    expect(last?.errors?.[0]).toMatchObject({ extensions: { code: 'CONFLICT' } });
    expect(last?.errors?.[0]?.message).toContain('confirm or cancel one first');
    for (const each of made.toReversed()) expect((await act(app, 'cancel', each)).errors).toBeUndefined();
    expect(await nameOf(app, ref)).toBe('0');
  });
});

onEachDriver('Changes that are scheduled', (subject) => {
  async function schedule(app: TestApp, changes: readonly Row[], more: Row = {}): Promise<Pending> {
    const { data, errors } = await send(app, { changes, at: inAnHour(), ...more });
    expect(errors).toBeUndefined();
    if (!data.applied.pending) throw new Error('nothing is scheduled');
    expect(data.applied).toMatchObject({ request: null, pending: { state: 'SCHEDULED' } });
    return data.applied.pending;
  }

  test('scheduled changes are simulated, listed, made at their time by the user, and can then wait for a confirmation', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const other = await createGateway(app, { name: 'before' });
    const made = { create: { gateway: { name: 'made', host: `made.${ref}.test`, transport: 'UDP' } } };
    const [plain, confirmed] = [
      await schedule(app, [rename(ref, 'after'), made]),
      await schedule(app, [rename(other, 'after')], { confirmWithin: 600 }),
    ];
    expect((await pendingChanges(app)).slice(0, 2).map(({ id }) => id)).toEqual([confirmed.id, plain.id]);
    expect([await nameOf(app, ref), await nameOf(app, other)]).toEqual(['before', 'before']);
    await makeDue(url, plain);
    await makeDue(url, confirmed);
    await inState(app, plain, 'APPLIED');
    await inState(app, confirmed, 'UNCONFIRMED');
    expect([await nameOf(app, ref), await nameOf(app, other)]).toEqual(['after', 'after']);
    const entries = await entriesOf(app, plain.id);
    expect(entries).toHaveLength(2);
    for (const each of entries)
      expect(each).toMatchObject({ who: { username: 'admin' }, reason: expect.stringMatching(/^scheduled at 20/) });
    await makeDue(url, confirmed);
    expect(await inState(app, confirmed, 'REVERTED')).toMatchObject({ reason: 'not confirmed within 10 minutes' });
    expect(await nameOf(app, other)).toBe('before');
  });

  test('scheduled changes that name what they create, or change a resource twice, are made, also after another edit', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await schedule(app, [
      { create: { localRef: 'new', gateway: { name: 'made', host: `named.${ref}.test`, transport: 'UDP' } } },
      rename('#new', 'renamed'),
      { update: { ref, gateway: { host: `other.${ref}.test` } } },
      { update: { ref, gateway: { port: 5070 } } },
    ]);
    const { errors } = await app.graphql(
      'mutation ($ref: String!) { updateGateway(ref: $ref, input: { note: "edited" }) { ref } }',
      { ref },
    );
    expect(errors).toBeUndefined();
    await makeDue(url, pending);
    await inState(app, pending, 'APPLIED');
    const { data } = await app.graphql('query ($ref: String!) { gateway(ref: $ref) { host port note } }', { ref });
    expect(data).toEqual({ gateway: { host: `other.${ref}.test`, port: 5070, note: 'edited' } });
    const made = await app.graphql<{ gateways: { nodes: { name: string }[] } }>(
      'query ($host: String!) { gateways(where: { host: { eq: $host } }) { nodes { name } } }',
      { host: `named.${ref}.test` },
    );
    expect(made.data.gateways.nodes).toEqual([{ name: 'renamed' }]);
  });

  test('a repeated request with the same key returns the same scheduled set, also after its time, and no changes wait for nothing', async () => {
    const { app } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const at = new Date(Date.now() + 5000).toISOString();
    const variables = { changes: [rename(ref, 'after')], at };
    const headers = { 'idempotency-key': `late-${ref}` };
    const first = await send(app, variables, { headers });
    expect(first.errors).toBeUndefined();
    await inState(app, { id: first.data.applied.pending?.id ?? '' }, 'APPLIED');
    const again = await send(app, variables, { headers });
    expect(again.errors).toBeUndefined();
    expect(again.data.applied).toMatchObject({
      changes: [{ outcome: 'UPDATED' }],
      pending: { id: first.data.applied.pending?.id },
    });
    const late = await send(app, variables, { headers: { 'idempotency-key': `other-${ref}` } });
    expect(late.errors?.[0]?.message).toContain('is not within the next 90 days');
    const none = await send(app, { changes: [], at: inAnHour() });
    expect(none.errors).toBeUndefined();
    expect(none.data.applied.pending).toBeNull();
  });

  test('a repeated request with the same key returns the first references, also if the changes are not possible any more', async () => {
    const { app } = subject();
    const domainUri = `key${String(++names)}.test`;
    const variables = { changes: [{ create: { domain: { name: 'key', domainUri } } }], at: inAnHour() };
    const scheduled = async (): Promise<unknown> => {
      const document = `mutation ($changes: [ChangeInput!]!, $at: DateTimeISO) {
        applyChanges(changes: $changes, at: $at) { changes { outcome kind ref } pending { id state } } }`;
      const { data, errors } = await app.graphql(document, variables, { headers: { 'idempotency-key': domainUri } });
      expect(errors).toBeUndefined();
      return data;
    };
    const first = await scheduled();
    expect(await scheduled()).toEqual(first);
    await createDomain(app, { domainUri });
    expect(await scheduled()).toEqual(first);
  });

  test('a repeated change of many with the same key returns the first result, also after its time', async () => {
    const { app } = subject();
    const name = `many${String(++names)}`;
    await createGateway(app, { name });
    const variables = { name, at: new Date(Date.now() + 5000).toISOString() };
    const changed = async (): Promise<Row & { readonly pending: { readonly id: string } }> => {
      const document = `mutation ($name: String!, $at: DateTimeISO) { done: updateManyGateways(
        where: { name: { eq: $name } }, set: { name: "after" }, expectedCount: 1, at: $at) {
        count changed request sample { ref changes { field before after } } pending { id } } }`;
      const { data, errors } = await app.graphql<{ done: Awaited<ReturnType<typeof changed>> }>(document, variables, {
        headers: { 'idempotency-key': name },
      });
      expect(errors).toBeUndefined();
      return data.done;
    };
    const first = await changed();
    await inState(app, first.pending, 'APPLIED');
    expect(await changed()).toEqual(first);
  });

  test('scheduled changes that are cancelled are never made', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await schedule(app, [rename(ref, 'after')]);
    const { data, errors } = await act(app, 'cancel', pending);
    expect(errors).toBeUndefined();
    expect(data['done']).toMatchObject({ state: 'CANCELLED', finishedBy: 'admin' });
    const other = await createGateway(app, { name: 'before' });
    const kept = await schedule(app, [rename(other, 'after')]);
    await makeDue(url, pending);
    await makeDue(url, kept);
    await inState(app, kept, 'APPLIED');
    expect((await act(app, 'cancel', pending)).errors?.[0]?.extensions['code']).toBe('CONFLICT');
    expect((await act(app, 'confirm', pending)).errors?.[0]?.extensions['code']).toBe('CONFLICT');
    expect(await nameOf(app, ref)).toBe('before');
  });

  test('scheduled changes are made at their time by the clock of the database, also if that of the process is ahead', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const pending = await schedule(app, [rename(ref, 'after')]);
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 20 * 60_000);
    try {
      await runSql(url, 'UPDATE pending_changes SET due_on = ? WHERE ref = ?', [now() - 1000, pending.id]);
      await inState(app, pending, 'APPLIED');
    } finally {
      jest.restoreAllMocks();
    }
  });

  const STALE: readonly (readonly [
    what: string,
    happens: (subject: Subject, at: Awaited<ReturnType<typeof ringing>>, pending: Pending) => Promise<unknown>,
    reason: RegExp,
  ])[] = [
    [
      'a resource of theirs is gone',
      ({ app }, { gateway, did }) =>
        send(app, { changes: [{ delete: { kind: 'DID', ref: did } }, { delete: { kind: 'Gateway', ref: gateway } }] }),
      /does not exist/,
    ],
    [
      'a field was changed meanwhile',
      ({ app }, { gateway }) => send(app, { changes: [rename(gateway, 'of somebody else')] }),
      /would do something else than when they were scheduled: now: UPDATED Gateway \S+, with other values/,
    ],
    [
      'calls would go in another way',
      ({ url }, { username }) => runSql(url, 'DELETE FROM location WHERE username = ?', [username]),
      /would do something else than when they were scheduled: .*tel:\+3316\d+ stops ringing/,
    ],
    [
      'who scheduled them may no longer change resources',
      ({ url }, _at, { id }) =>
        runSql(url, "UPDATE pending_changes SET username = 'gone', user_ref = 'gone' WHERE ref = ?", [id]),
      /gone, who scheduled it, may no longer change resources/,
    ],
    [
      'no process was running at their time',
      ({ url }, _at, { id }) => runSql(url, 'UPDATE pending_changes SET due_on = 1 WHERE ref = ?', [id]),
      /sipgraph was not running at that time/,
    ],
  ];

  test.each(STALE)('scheduled changes are not made if %s', async (_what, happens, reason) => {
    const { app, url } = subject();
    const at = await ringing(subject());
    const change = [rename(at.gateway, 'after'), { update: { ref: at.agent, agent: { enabled: false } } }];
    const pending = await schedule(app, change);
    await happens(subject(), at, pending);
    await runSql(url, 'UPDATE pending_changes SET due_on = ? WHERE ref = ? AND due_on > 1', [
      Date.now() - 1000,
      pending.id,
    ]);
    const done = await inState(app, pending, 'NOT_APPLIED');
    expect(done.reason).toMatch(reason);
    expect(await entriesOf(app, pending.id)).toEqual([]);
    expect(await nameOf(app, at.gateway)).not.toBe('after');
  });

  test('scheduled changes that can no longer be made say where in the set, which field and which value is wrong', async () => {
    const { app, url } = subject();
    const [ref, other] = [await createGateway(app, { name: 'before' }), await createGateway(app, { name: 'before' })];
    const made = [
      { create: { gateway: { name: 'made', host: `taken.${ref}.test`, transport: 'UDP' } } },
      { create: { domain: { name: 'made', domainUri: `${ref}.test` } } },
    ];
    const pendings = [
      await schedule(app, [rename(ref, 'after'), ...made.slice(0, 1)]),
      await schedule(app, made.slice(1)),
      await schedule(app, [rename(ref, 'after'), rename(other, 'after')]),
    ];
    expect((await send(app, { changes: [...made, rename(other, 'of somebody')] })).errors).toBeUndefined();
    const reasons: unknown[] = [];
    for (const pending of pendings) {
      await makeDue(url, pending);
      reasons.push((await inState(app, pending, 'NOT_APPLIED')).reason);
    }
    expect(reasons).toEqual([
      `changes[1].create.gateway.host: "taken.${ref}.test" is taken; nothing was changed`,
      `changes[0].create.domain.domainUri: "${ref}.test" is taken; nothing was changed`,
      `The changes would do something else than when they were scheduled: now: UPDATED Gateway ${other}, with other values (changes[1].update: name "of somebody" to "after")`,
    ]);
  });

  test('refuses secrets, wrong times, viewers and API tokens, and stores no secret', async () => {
    const { app, url } = subject();
    const ref = await createGateway(app, { name: 'before' });
    const { token } = await createUser(app, 'VIEWER');
    const { data: made } = await app.graphql<{ readonly createApiToken: { readonly token: string } }>(
      'mutation { createApiToken(name: "pipeline", role: OPERATOR) { token } }',
    );
    const changes = [rename(ref, 'after')];
    const secret = [{ update: { ref, gateway: { username: 'u', secret: 'a-secret-of-later' } } }];
    const refusals: readonly (readonly [Row, string, RegExp, string?])[] = [
      [{ changes: secret }, 'BAD_USER_INPUT', /changes\[0\].update.gateway.secret.*is a secret/],
      [{ changes: secret, dryRun: true }, 'BAD_USER_INPUT', /is a secret/],
      [{ changes, at: new Date(Date.now() - 1000).toISOString() }, 'BAD_USER_INPUT', /at.*not within the next 90 days/],
      [{ changes, at: '2099-01-01T00:00:00Z' }, 'BAD_USER_INPUT', /2099-01-01T00:00:00.000Z is not within/],
      [{ changes }, 'FORBIDDEN', /role operator/, token],
      [{ changes }, 'FORBIDDEN', /requires a sign-in/, made.createApiToken.token],
      [{ changes: [rename('none', 'x')] }, 'NOT_FOUND', /does not exist/],
      [{ changes, since: '2020-01-01T00:00:00Z' }, 'CONFLICT', /was changed/],
    ];
    for (const [variables, code, message, caller] of refusals) {
      const { errors: [error] = [] } = await send(app, { at: inAnHour(), ...variables }, { token: caller });
      expect([error?.extensions['code'], error?.message]).toEqual([code, expect.stringMatching(message)]);
      expect(JSON.stringify(error)).not.toContain('a-secret-of-later');
    }
    const stored = await runSql(url, "SELECT planned FROM pending_changes WHERE planned LIKE '%a-secret-of-later%'");
    expect(stored).toEqual([]);
  });
});

onEachDriver('Plans that must be confirmed', (subject) => {
  test('a command applies changes for a time, which another one confirms or reverts', async () => {
    const { app, url } = subject();
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-confirm-'));
    const run = (...args: readonly string[]): Promise<Ran> => runCommand({ DATABASE_URL: url }, ...args);
    const apply = async (ref: string, ...options: readonly string[]): Promise<Ran> => {
      const document = `kind: Gateway\nmetadata: { ref: ${ref}, name: after }\nspec: { host: ${ref}.test, transport: udp }\n`;
      await writeFile(join(directory, 'gateway.yml'), document);
      const plan = join(directory, '..', `${ref}.json`);
      expect(await run('plan', directory, '--out', plan)).toMatchObject({ err: '', code: 2 });
      const ran = await run('apply', '--plan', plan, ...options);
      await rm(plan);
      return ran;
    };
    try {
      const applied = await apply('gwconfirm', '--confirm-within', '10m', '--revert-if', 'numbersStopped=5');
      expect(applied).toMatchObject({ err: '', code: 0 });
      const [, id = ''] = /in 600 seconds, unless you run: sipgraph confirm (\S+)\n$/.exec(applied.out) ?? [];
      expect(await pendingNow(app, { id })).toMatchObject({ state: 'UNCONFIRMED', revertIf: { numbersStopped: 5 } });
      expect(await run('confirm', id)).toEqual({ out: '1 change confirmed\n', err: '', code: 0 });
      expect(await pendingNow(app, { id })).toMatchObject({ state: 'CONFIRMED' });
      expect(await run('confirm', id)).toMatchObject({ code: 1, err: expect.stringContaining('they are CONFIRMED') });

      const other = await apply('gwreverted', '--confirm-within', '10m');
      const [, second = ''] = /sipgraph confirm (\S+)\n$/.exec(other.out) ?? [];
      expect(await run('confirm', second, '--revert')).toMatchObject({ out: '1 change reverted\n', code: 0 });
      expect([await nameOf(app, 'gwconfirm'), await nameOf(app, 'gwreverted')]).toEqual(['after', undefined]);

      const changes = [rename('gwconfirm', 'later')];
      const { data } = await send(app, { changes, at: new Date(Date.now() + 3_600_000).toISOString() });
      const later = data.applied.pending?.id ?? '';
      expect((await run('confirm', later)).err).toMatch(
        /SCHEDULED: they are made at .*Z\. They need no confirmation, or cancel them with cancelChanges/,
      );
      expect(await run('confirm', later, '--revert')).toMatchObject({ out: '1 change cancelled\n', code: 0 });

      expect(await run('apply', '--plan', 'x', '--confirm-within', 'soon')).toMatchObject({ code: 2 });
      expect(await run('apply', '--plan', 'x', '--revert-if', 'calls=5')).toMatchObject({ code: 2 });
      expect((await run('apply', '--plan', 'x', '--revert-if', 'gatewaysLost=1')).err).toContain(
        'requires confirmWithin',
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

test('docs/confirm.md has examples that work', async () => {
  const app = await startApp();
  const text = await readFile(join(__dirname, '../../docs/confirm.md'), 'utf8');
  const [tried = '', waiting = '', confirm = '', later = '', ...others] = [
    ...text.matchAll(/```graphql\n([^]*?)```/g),
  ].map(([, each = '']) => each);
  expect(others).toEqual([]);
  const gateway = await createGateway(app);
  const { data } = await app.graphql(tried, { gateway });
  expect(data).toMatchObject({ applyChanges: { pending: { state: 'UNCONFIRMED', watchedNumbers: 0 } } });
  const { data: listed } = await app.graphql<{ pendingChanges: { nodes: readonly { id: string }[] } }>(waiting);
  expect(listed.pendingChanges.nodes).toMatchObject([{ state: 'UNCONFIRMED' }]);
  const [{ id } = { id: '' }] = listed.pendingChanges.nodes;
  const confirmed = await app.graphql(confirm, { id });
  expect(confirmed.data).toEqual({ confirmChanges: { state: 'CONFIRMED' } });
  const at = new Date(Date.now() + 3_600_000).toISOString();
  expect((await app.graphql(later, { gateway, at })).data).toEqual({
    applyChanges: {
      changes: [{ outcome: 'UPDATED' }],
      pending: { id: expect.any(String), state: 'SCHEDULED', dueOn: at },
    },
  });
  await app.close();
});
