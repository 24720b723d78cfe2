import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createNumber, createRoute } from '../../support/factories';
import { ownMariaDb, type OwnServer } from '../../support/databases/own-server';
import { runSql } from '../../support/databases/sql';
import { answeredCall, type AnsweredCall } from '../call';
import { id, Phone } from '../phone';
import { startStack, type Stack, type StackOptions } from '../stack';
import { createTrunk } from '../gateways/trunk';

interface Recorded {
  readonly callId: string;
  readonly state: string;
  readonly begunOn: string;
  readonly ringingOn: string | null;
  readonly answeredOn: string | null;
  readonly endedOn: string | null;
  readonly [field: string]: unknown;
}

const FIELDS = `callId state direction from to called digits begunOn ringingOn answeredOn endedOn endedBy status reason
  reasonHeader source node gateway { name } caller { ... on Agent { username } } callee { ... on Agent { username } }
  number { ... on Number { telUrl } } domain { domainUri } route { name }`;
// Numbers in the column `state`.
const [LOST, ENDED] = [4, 6];
const CREDENTIALS = { username: 'anna', secret: 's' };
const time = expect.stringMatching(/^20.*Z$/) as string;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Anna, who calls out, Bert, who is called, and a provider. */
class Office {
  private constructor(
    readonly stack: Stack,
    readonly anna: Phone,
    readonly bert: Phone,
    readonly provider: Phone,
  ) {}

  static async open(
    database: Parameters<typeof startStack>[0],
    providerHost: string,
    options: StackOptions = {},
  ): Promise<Office> {
    const stack = await startStack(database, options);
    const [anna, bert, provider] = [
      await Phone.open(stack.sip),
      await Phone.open(stack.sip),
      await Phone.open(stack.sip, providerHost),
    ];
    await createTrunk(stack.app, {
      gateway: { name: 'trunk', host: providerHost, port: provider.port },
      aorLink: 'sip:bert@one.test',
      agents: [
        ['anna', 'out.test'],
        ['bert', 'one.test'],
        ['away', 'one.test'],
      ],
    });
    expect(await anna.registers('anna', 'out.test')).toMatch(/^SIP\/2\.0 200/);
    expect(await bert.registers('bert', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    return new Office(stack, anna, bert, provider);
  }

  /** Anna calls, and the call is answered. Waits until it has its row, so that Kamailio knows the database. */
  answered(callee: Phone = this.bert, to = 'bert@one.test'): Promise<AnsweredCall> {
    return answeredCall({ phone: this.anna, from: 'anna@out.test', credentials: CREDENTIALS }, callee, to);
  }

  /** Anna calls. Returns the Call-ID, and the INVITE that the callee received, if any. */
  async calls(to: string, callee?: Phone): Promise<{ readonly callId: string; readonly invite: string }> {
    const callId = id();
    const headers = [`Contact: <${this.anna.contact('anna')}>`];
    const answer = this.anna.proves(
      { method: 'INVITE', uri: `sip:${to}`, from: 'anna@out.test', to, callId, fromTag: 'f', headers },
      CREDENTIALS,
    );
    if (callee) return { callId, invite: (await callee.hears(/^INVITE /)) ?? '' };
    await answer;
    return { callId, invite: '' };
  }

  /** The records of a call. */
  async records(callId: string): Promise<readonly Recorded[]> {
    const { data, errors } = await this.stack.app.graphql<{ calls: { nodes: readonly Recorded[] } }>(
      `query ($callId: String) { calls(where: { callId: $callId }) { nodes { ${FIELDS} } } }`,
      { callId },
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.calls.nodes;
  }

  /** Waits until a call has one record, which has these fields. */
  async becomes(callId: string, expected: object, seconds = 8): Promise<Recorded> {
    await eventually(seconds, async () => expect(await this.records(callId)).toMatchObject([expected]), 200);
    const [record] = await this.records(callId);
    if (!record) throw new Error('the record is gone');
    return record;
  }

  /** Discards what the phones have received. */
  forget(): void {
    for (const phone of [this.anna, this.bert, this.provider]) phone.forget();
  }

  async close(): Promise<void> {
    for (const phone of [this.anna, this.bert, this.provider]) phone.close();
    await this.stack.close();
  }
}

/** The Call-ID of an answered call. */
const callIdOf = ({ fromCaller }: AnsweredCall): string => fromCaller.callId ?? '';

describe.each(databases.filter(({ name }) => name !== 'SQLite'))('A call is recorded, on $name', (database) => {
  let office: Office;

  beforeAll(async () => {
    office = await Office.open(database, database.name === 'MySQL' ? '127.0.81.2' : '127.0.81.1');
  });

  // Kamailio repeats what a phone has not answered yet.
  beforeEach(() => office.forget());

  afterAll(async () => {
    const log = office.stack.kamailio.log();
    await office.close();
    expect(log).not.toMatch(/could not be recorded|cannot do the query/);
  });

  test('from its INVITE to the BYE of the caller, with the times of each step', async () => {
    const { anna, bert, stack } = office;
    const before = Date.now();
    const { callId, invite } = await office.calls('bert@one.test', bert);
    await office.becomes(callId, { state: 'CALLING', ringingOn: null });
    bert.answers(invite, '180 Ringing', 'b');
    bert.answers(invite, '180 Ringing', 'b');
    await office.becomes(callId, { state: 'RINGING', ringingOn: time, answeredOn: null });
    bert.answers(invite, '200 OK', 'b', [`Contact: <${bert.contact('bert')}>`]);
    const ok = (await anna.hears(/^SIP\/2\.0 200/)) ?? '';
    await office.becomes(callId, { state: 'ANSWERED', answeredOn: time, endedOn: null });
    const within = {
      uri: bert.contact('bert'),
      from: 'anna@out.test',
      to: 'bert@one.test',
      callId,
      fromTag: 'f',
      toTag: 'b',
      headers: ok
        .split('\r\n')
        .filter((line) => line.startsWith('Record-Route:'))
        .map((line) => line.replace('Record-Route', 'Route')),
    };
    anna.says({ ...within, method: 'ACK', cseq: 2 });
    anna.says({
      ...within,
      method: 'BYE',
      cseq: 3,
      headers: [...within.headers, 'Reason: Q.850;cause=16;text="Normal call clearing"'],
    });
    bert.answers((await bert.hears(/^BYE /)) ?? '', '200 OK', 'b');
    const record = await office.becomes(callId, { state: 'ENDED' });
    expect(record).toEqual({
      callId,
      state: 'ENDED',
      direction: 'INTERNAL',
      from: 'sip:anna@out.test',
      to: 'sip:bert@one.test',
      called: 'sip:bert@one.test',
      digits: null,
      begunOn: time,
      ringingOn: time,
      answeredOn: time,
      endedOn: time,
      endedBy: 'CALLER',
      status: 200,
      reason: 'OK',
      reasonHeader: 'Q.850;cause=16;text="Normal call clearing"',
      source: '127.0.0.1',
      node: stack.sip,
      gateway: null,
      caller: { username: 'anna' },
      callee: { username: 'bert' },
      number: null,
      domain: { domainUri: 'out.test' },
      route: null,
    });
    const times = [record.begunOn, record.ringingOn, record.answeredOn, record.endedOn].map((at) =>
      Date.parse(at ?? ''),
    );
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(before);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  }, 60_000);

  test('with the party that ended it: the callee', async () => {
    const { anna, bert } = office;
    const call = await office.answered();
    bert.says(call.fromCallee);
    anna.answers((await anna.hears(/^BYE /)) ?? '', '200 OK', 'a');
    await office.becomes(callIdOf(call), { state: 'ENDED', endedBy: 'CALLEE', status: 200, ringingOn: null });
  });

  test('from its answer to its end, if the database has lost its row', async () => {
    const { anna, bert, stack } = office;
    const call = await office.answered();
    await office.becomes(callIdOf(call), { state: 'ANSWERED' });
    await runSql(stack.url, 'DELETE FROM calls');
    await pause(1100);
    bert.says(call.fromCallee);
    anna.answers((await anna.hears(/^BYE /)) ?? '', '200 OK', 'a');
    const { begunOn, answeredOn, endedOn } = await office.becomes(callIdOf(call), { state: 'ENDED', called: null });
    expect(begunOn).toBe(answeredOn);
    expect(Date.parse(endedOn ?? '') - Date.parse(begunOn)).toBeGreaterThan(1000);
  });

  test('with the server that ended it, because the agent was deleted', async () => {
    const { stack } = office;
    const phone = await Phone.open(stack.sip);
    const carl = await createAgent(stack.app, { username: 'carl', secret: 's', domains: ['one.test'] });
    await phone.registers('carl', 'one.test');
    const call = await office.answered(phone, 'carl@one.test');
    await office.becomes(callIdOf(call), { state: 'ANSWERED', callee: { username: 'carl' } });
    expect((await stack.app.rest('DELETE', `/agents/${carl}`)).status).toBe(200);
    const bye = await phone.hears(/^BYE /);
    phone.answers(bye ?? '', '200 OK', 'c');
    await office.becomes(callIdOf(call), { state: 'ENDED', endedBy: 'SERVER', callee: null });
    phone.close();
  }, 60_000);

  test('with the reason of a provider that refuses it, and the gateway', async () => {
    const { provider } = office;
    const { callId, invite } = await office.calls('+49305550@out.test', provider);
    provider.answers(invite, '503 Kein Kanal frei: pr\u00fcfen', 'p', ['Reason: Q.850;cause=34;text="No circuit"']);
    await office.becomes(callId, {
      state: 'FAILED',
      direction: 'OUT',
      called: '+49305550',
      digits: '4930100',
      number: { telUrl: 'tel:+4930100' },
      gateway: { name: 'trunk' },
      // The policy of the domain decided.
      domain: { domainUri: 'out.test' },
      route: null,
      endedBy: 'CALLEE',
      endedOn: time,
      answeredOn: null,
      status: 503,
      reason: 'Kein Kanal frei: pr\u00fcfen',
      reasonHeader: 'Q.850;cause=34;text="No circuit"',
    });
  });

  test('from a provider to a busy phone', async () => {
    const { provider, bert, stack } = office;
    const callId = id();
    const answer = provider.asks({
      method: 'INVITE',
      uri: `sip:+4930100@${stack.sip}`,
      from: '+491771234567@provider.test',
      to: `+4930100@${stack.sip}`,
      callId,
      headers: [`Contact: <${provider.contact('x')}>`],
    });
    bert.answers((await bert.hears(/^INVITE /)) ?? '', '486 Busy Here', 'b');
    expect(await answer).toMatch(/^SIP\/2\.0 486/);
    await office.becomes(callId, {
      state: 'FAILED',
      direction: 'IN',
      from: 'sip:+491771234567@provider.test',
      to: `sip:+4930100@${stack.sip}`,
      called: 'sip:bert@one.test',
      digits: '4930100',
      caller: null,
      callee: { username: 'bert' },
      gateway: { name: 'trunk' },
      source: provider.host,
      domain: { domainUri: 'one.test' },
      route: null,
      endedBy: 'CALLEE',
      status: 486,
      reason: 'Busy Here',
    });
  });

  test('with the route by which it left, also as the target of a number, and if it was refused', async () => {
    const { stack, provider, anna } = office;
    const { data } = await stack.app.graphql<{
      readonly domains: { readonly nodes: readonly { readonly ref: string; readonly domainUri: string }[] };
      readonly numbers: {
        readonly nodes: readonly { readonly ref: string; readonly gateway: { readonly ref: string } }[];
      };
    }>('{ domains { nodes { ref domainUri } } numbers(first: 1) { nodes { ref gateway { ref } } } }');
    const [number] = data.numbers.nodes;
    const domainRef = (host: string): string =>
      data.domains.nodes.find(({ domainUri }) => domainUri === host)?.ref ?? '';
    const numberRefs = [number?.ref ?? ''];
    await createRoute(stack.app, { name: 'abroad', domainRef: domainRef('out.test'), prefix: '+33', numberRefs });
    await createRoute(stack.app, { name: 'mobiles', domainRef: domainRef('one.test'), prefix: '+4917', numberRefs });
    await createNumber(stack.app, {
      gatewayRef: number?.gateway.ref,
      telUrl: 'tel:+4930200',
      aorLink: 'sip:away@one.test',
      furtherTargets: ['tel:+49170555 after 5'],
    });
    const abroad = await office.calls('+331234@out.test', provider);
    provider.answers(abroad.invite, '486 Busy Here', 'p');
    await office.becomes(abroad.callId, {
      state: 'FAILED',
      status: 486,
      domain: { domainUri: 'out.test' },
      route: { name: 'abroad' },
    });
    office.forget();
    const further = await office.calls('+4930200@out.test', provider);
    provider.answers(further.invite, '200 OK', 'p', [`Contact: <${provider.contact('p')}>`]);
    await anna.hears(/^SIP\/2\.0 200/);
    await office.becomes(further.callId, {
      state: 'ANSWERED',
      domain: { domainUri: 'out.test' },
      route: { name: 'mobiles' },
    });
    office.forget();
    const query = '{ gateways { nodes { ref } } }';
    const { data: found } = await stack.app.graphql<{ gateways: { nodes: readonly { readonly ref: string }[] } }>(
      query,
    );
    const enable = (enabled: boolean) =>
      stack.app.graphql(
        'mutation ($ref: String!, $enabled: Boolean!) { updateGateway(ref: $ref, input: { enabled: $enabled }) { ref } }',
        {
          ref: found.gateways.nodes[0]?.ref,
          enabled,
        },
      );
    await enable(false);
    const refused = await office.calls('+331234@out.test');
    await enable(true);
    await office.becomes(refused.callId, {
      state: 'FAILED',
      endedBy: 'SERVER',
      status: 503,
      route: { name: 'abroad' },
    });
  }, 60_000);

  test('that the caller cancels', async () => {
    const { anna, bert } = office;
    const callId = id();
    const own = { uri: 'sip:bert@one.test', from: 'anna@out.test', to: 'bert@one.test', callId, fromTag: 'f' };
    const branch = `z9hG4bK${id()}`;
    // The branch of the CANCEL is that of the INVITE.
    const answer = anna.proves(
      { ...own, method: 'INVITE', branch, headers: [`Contact: <${anna.contact('anna')}>`] },
      CREDENTIALS,
    );
    const invite = (await bert.hears(/^INVITE /)) ?? '';
    bert.answers(invite, '180 Ringing', 'b');
    await answer;
    anna.says({ ...own, method: 'CANCEL', branch, cseq: 2 });
    bert.answers((await bert.hears(/^CANCEL /)) ?? '', '200 OK', 'b');
    bert.answers(invite, '487 Request Terminated', 'b');
    await office.becomes(callId, { state: 'FAILED', endedBy: 'CALLER', status: 487, ringingOn: time });
  });

  test.each([
    ['that the callee refuses', 'bert@one.test', { state: 'FAILED', status: 486 }],
    ['that the server refuses', 'away@one.test', { state: 'FAILED', status: 480 }],
  ])('once, if there are spaces after its Call-ID: %s', async (_what, to, expected) => {
    const { anna, bert } = office;
    const callId = id();
    const headers = [`Contact: <${anna.contact('anna')}>`];
    const asking = { method: 'INVITE', uri: `sip:${to}`, from: 'anna@out.test', to, callId: `${callId} `, headers };
    const answer = anna.proves(asking, CREDENTIALS);
    if (to === 'bert@one.test') bert.answers((await bert.hears(/^INVITE /)) ?? '', '486 Busy Here', 'b');
    await answer;
    await office.becomes(callId, expected);
    const { url } = office.stack;
    expect(await runSql(url, 'SELECT COUNT(*) FROM calls WHERE call_id LIKE ?', [`${callId}%`])).toEqual([[1]]);
  });

  test.each([
    ['to an agent without a phone', 'away@one.test', 480, 'Temporarily Unavailable', { username: 'away' }],
    ['to nobody', 'nobody@one.test', 404, 'Not Found', null],
  ])('that the server refuses: %s', async (_what, to, status, reason, callee) => {
    const { callId } = await office.calls(to);
    await office.becomes(callId, { state: 'FAILED', endedBy: 'SERVER', status, reason, callee, called: `sip:${to}` });
  });

  test('in a row of its own, if it has the Call-ID and tag of an earlier one, whose record stays as it is', async () => {
    const { anna, bert } = office;
    const own = {
      method: 'INVITE',
      uri: 'sip:bert@one.test',
      from: 'anna@out.test',
      to: 'bert@one.test',
      fromTag: 'f',
    };
    const callId = id();
    for (const status of ['486 Busy Here', '603 Decline']) {
      office.forget();
      const headers = [`Contact: <${anna.contact('anna')}>`];
      const answer = anna.proves({ ...own, callId, headers }, CREDENTIALS);
      bert.answers((await bert.hears(/^INVITE /)) ?? '', status, 'b');
      await answer;
      anna.says({ ...own, callId, method: 'ACK', cseq: 2, toTag: 'b' });
      await pause(500);
    }
    await eventually(8, async () =>
      expect((await office.records(callId)).map(({ status }) => status)).toEqual([603, 486]),
    );
  });

  test('and counted by the node, those that failed by the class of the final status', async () => {
    const { url } = office.stack;
    const classes = ['busy', 'failed_4xx', 'failed_5xx', 'failed_6xx'].map((name) => `SUM(${name})`).join(', ');
    const isBusy = 'COALESCE(status, 0) IN (486, 600)';
    const within = (first: number): string =>
      `SUM(CASE WHEN status BETWEEN ${String(first)} AND ${String(first + 99)} AND NOT ${isBusy} THEN 1 ELSE 0 END)`;
    // Kamailio reports every ten seconds.
    await eventually(30, async () => {
      const [recorded = []] = await runSql(
        url,
        `SELECT COUNT(*), SUM(CASE WHEN ${isBusy} THEN 1 ELSE 0 END), ${within(400)}, ${within(500)}, ${within(600)}
         FROM calls WHERE state = 5`,
      );
      const [counted = []] = await runSql(url, `SELECT SUM(failed), ${classes} FROM call_nodes`);
      expect(counted.map(Number)).toEqual(recorded.map(Number));
      for (const count of recorded) expect(Number(count)).toBeGreaterThan(0);
    });
  }, 60_000);

  test('not if a stranger makes it, or a caller without a digest', async () => {
    const { stack } = office;
    const stranger = await Phone.open(stack.sip, '127.0.81.9');
    const headers = [`Contact: <${stranger.contact('x')}>`];
    const before = await runSql(stack.url, 'SELECT COUNT(*) FROM calls');
    for (const from of ['x@elsewhere.test', 'anna@out.test']) {
      const asking = { method: 'INVITE', uri: 'sip:+4930100@one.test', from, to: '+4930100@one.test', headers };
      expect(await stranger.asks(asking)).toMatch(/^SIP\/2\.0 4/);
      expect(await stranger.proves(asking, { username: 'anna', secret: 'wrong' })).toMatch(/^SIP\/2\.0 4/);
    }
    await pause(2500);
    expect(await runSql(stack.url, 'SELECT COUNT(*) FROM calls')).toEqual(before);
    stranger.close();
  });
});

describe('While a part is away', () => {
  let server: OwnServer;
  let office: Office;

  beforeAll(async () => {
    server = await ownMariaDb();
    office = await Office.open(server, '127.0.81.3');
  });

  afterAll(async () => {
    await office.close();
    await server.remove();
  });

  test('the database: a call ends at once, and its record arrives later, with the time of the end', async () => {
    const { anna, bert } = office;
    const call = await office.answered();
    await office.becomes(callIdOf(call), { state: 'ANSWERED' });
    server.freeze();
    let endedAt = 0;
    try {
      await eventually(20, () => expect(office.stack.kamailio.log()).toContain('the database does not respond'));
      bert.says(call.fromCallee);
      const bye = await anna.hears(/^BYE /, 3);
      endedAt = Date.now();
      anna.answers(bye ?? '', '200 OK', 'a');
      expect(await bert.hears(/^SIP\/2\.0 200/, 3)).toBeDefined();
      await pause(10_000);
    } finally {
      server.goOn();
    }
    const { endedOn } = await office.becomes(callIdOf(call), { state: 'ENDED', endedBy: 'CALLEE' }, 40);
    expect(Math.abs(Date.parse(endedOn ?? '') - endedAt)).toBeLessThan(1000);
  }, 120_000);

  test('Kamailio: an answered call goes on, one that rings is lost, and each has one record, which is closed', async () => {
    const { anna, bert, stack } = office;
    const call = await office.answered();
    const { callId: ringing, invite } = await office.calls('bert@one.test', bert);
    bert.answers(invite, '180 Ringing', 'r');
    await office.becomes(callIdOf(call), { state: 'ANSWERED' });
    await office.becomes(ringing, { state: 'RINGING' });
    await stack.kamailio.crash();
    await stack.startKamailio();
    await office.becomes(ringing, { state: 'LOST', endedOn: null, endedBy: null }, 60);
    await office.becomes(callIdOf(call), { state: 'ANSWERED' });
    bert.says(call.fromCallee);
    anna.answers((await anna.hears(/^BYE /)) ?? '', '200 OK', 'a');
    await office.becomes(callIdOf(call), { state: 'ENDED', endedBy: 'CALLEE' });
  }, 120_000);

  test('Kamailio: a call whose ACK it did not see goes on, and each party can end it', async () => {
    const { anna, bert, stack } = office;
    const caller = { phone: anna, from: 'anna@out.test', credentials: CREDENTIALS };
    const calls: AnsweredCall[] = [];
    for (let n = 0; n < 2; n++) {
      const call = await answeredCall(caller, bert, 'bert@one.test', { isAcknowledged: false });
      await office.becomes(callIdOf(call), { state: 'ANSWERED' });
      calls.push(call);
    }
    await stack.kamailio.crash();
    await stack.startKamailio();
    // Its timers end what is over a second after the start.
    await pause(3000);
    const [one, other] = calls;
    if (!one || !other) throw new Error('no calls');
    bert.says(one.fromCallee);
    anna.answers((await anna.hears(/^BYE /, 3)) ?? '', '200 OK', 'a');
    expect(await bert.hears(/^SIP\/2\.0 200[^]*CSeq: *1 BYE/, 3)).toBeDefined();
    anna.says({ ...other.fromCaller, method: 'BYE', cseq: 3 });
    bert.answers((await bert.hears(/^BYE /, 3)) ?? '', '200 OK', 'b');
    expect(await anna.hears(/^SIP\/2\.0 200[^]*CSeq: *3 BYE/, 3)).toBeDefined();
    await office.becomes(callIdOf(one), { state: 'ENDED', endedBy: 'CALLEE' });
    await office.becomes(callIdOf(other), { state: 'ENDED', endedBy: 'CALLER' });
  }, 120_000);
});

test('What does not fit into the queue while the database is away is counted, and logged', async () => {
  const QUEUE = 4;
  const CALLS = 6;
  const server = await ownMariaDb();
  const office = await Office.open(server, '127.0.81.5', {
    edit: (text) => text.replace('RECORD_QUEUE 10000', `RECORD_QUEUE ${String(QUEUE)}`),
  });
  const { anna, bert, stack } = office;
  try {
    const calls: AnsweredCall[] = [];
    for (let n = 0; n < CALLS; n++) {
      const call = await office.answered();
      await office.becomes(callIdOf(call), { state: 'ANSWERED' });
      calls.push(call);
    }
    server.freeze();
    try {
      await eventually(20, () => expect(stack.kamailio.log()).toContain('the database does not respond'));
      // Each call ends at once, recorded or not.
      for (const { fromCallee } of calls) {
        bert.says(fromCallee);
        anna.answers((await anna.hears(/^BYE /, 3)) ?? '', '200 OK', 'a');
        expect(await bert.hears(/^SIP\/2\.0 200/, 3)).toBeDefined();
      }
    } finally {
      server.goOn();
    }
    const lost = CALLS - QUEUE;
    await eventually(90, async () => {
      const states = await runSql(stack.url, 'SELECT state, COUNT(*) FROM calls GROUP BY state ORDER BY state');
      expect(states.map((row) => row.map(Number))).toEqual([
        [LOST, lost],
        [ENDED, QUEUE],
      ]);
      const [[counted] = []] = await runSql(stack.url, 'SELECT SUM(unrecorded) FROM call_nodes');
      expect(Number(counted)).toBe(lost);
      expect(stack.kamailio.log()).toContain(`${String(lost)} events of calls could not be recorded since the start`);
    });
  } finally {
    await office.close();
    await server.remove();
  }
}, 180_000);

test('With CALLS_DAYS=0, calls are not recorded', async () => {
  const [database] = databases.filter(({ name }) => name === 'MariaDB');
  if (!database) throw new Error('MariaDB has to run');
  const office = await Office.open(database, '127.0.81.4', { env: { CALLS_DAYS: '0' } });
  const { anna, bert, stack } = office;
  try {
    const call = await office.answered();
    bert.says(call.fromCallee);
    anna.answers((await anna.hears(/^BYE /)) ?? '', '200 OK', 'a');
    await office.calls('nobody@one.test');
    await pause(2500);
    expect(await runSql(stack.url, 'SELECT COUNT(*) FROM calls')).toEqual([[0]]);
  } finally {
    await office.close();
  }
}, 60_000);
