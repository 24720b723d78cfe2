import { databases } from '../../support/databases/databases';
import { eventually } from '../../support/eventually';
import { createAgent, createGateway, createNumber, createPeer } from '../../support/factories';
import { runSql } from '../../support/databases/sql';
import { answeredCall, type AnsweredCall, type Caller } from '../call';
import { openPhones, registeredPhone } from '../phones/open-phones';
import { headersOf, id, Phone, type Asking } from '../phone';
import { answerAll, redial } from './redialling';
import { startStack, type Stack } from '../stack';
import { createTrunk } from '../gateways/trunk';

const [database] = databases.filter(({ name }) => name === 'MariaDB');
if (!database) throw new Error('MariaDB has to run');

const AGENT_CALLS = 3;
const GATEWAY_CALLS = 4;
const LIMITS = ['--agent-calls', String(AGENT_CALLS), '--gateway-calls', String(GATEWAY_CALLS)];
const BERT = 'bert@one.test';
const UNLIMITED = ['--flood', '0'];

describe('Concurrent calls', () => {
  let stack: Stack;
  const open = openPhones(() => stack);
  let gatewayRef: string;
  let providersPort: number;

  beforeAll(async () => {
    stack = await startStack(database, { config: [...LIMITS, ...UNLIMITED, '--workers', '8'] });
    const atProvider = await Phone.open(stack.sip, '127.0.12.9');
    providersPort = atProvider.port;
    atProvider.close();
    ({ gatewayRef } = await createTrunk(stack.app, {
      gateway: { host: '127.0.12.9', port: providersPort },
      aorLink: 'sip:bert@one.test',
      agents: [...['anna', 'bert', 'eve', 'ruth'].map((user) => [user, 'one.test'] as const), ['olga', 'out.test']],
    }));
  });

  afterAll(() => stack.close());

  /** A phone of bert, who has no other one. */
  const bertsPhone = (): Promise<Phone> => registeredPhone(open, 'bert', 'one.test', '127.0.12.1');

  async function agent(username: string): Promise<Caller> {
    const credentials = { username, secret: 's' };
    return { phone: await open('127.0.12.2'), from: `${username}@one.test`, credentials };
  }

  async function provider(): Promise<Caller> {
    return { phone: await open('127.0.12.9'), from: '+33142@provider.example' };
  }

  const eve = (): Promise<Caller> => agent('eve');
  const numberOfBert = (): string => `+4930100@${stack.sip}`;
  const occurrences = (text: string): number => stack.kamailio.log().split(text).length - 1;

  /** Has a phone ring for each call. Returns a function that rejects the calls that ring. */
  function rings(phone: Phone): () => void {
    const invites: string[] = [];
    phone.handle((message) => {
      if (message.startsWith('BYE ')) phone.answers(message, '200 OK', 'r');
      if (!message.startsWith('INVITE ')) return;
      invites.push(message);
      phone.answers(message, '180 Ringing', 'r', [`Contact: <${phone.contact('x')}>`]);
    });
    return () => {
      for (const invite of invites.splice(0)) phone.answers(invite, '486 Busy Here', 'r');
    };
  }

  /** An INVITE to bert. */
  function invitation({ phone, from, credentials }: Caller): Asking {
    const to = credentials ? BERT : numberOfBert();
    const headers = [`Contact: <${phone.contact('x')}>`];
    return { method: 'INVITE', uri: `sip:${to}`, from, to, fromTag: id(), callId: id(), headers };
  }

  /** Calls bert. Returns the response. */
  function call(caller: Caller, more: Partial<Asking> = {}): Promise<string | undefined> {
    const { phone, credentials } = caller;
    const asking = { ...invitation(caller), ...more };
    return credentials ? phone.proves(asking, credentials) : phone.asks(asking);
  }

  /** Calls bert until a call is refused, and has his phone reject those that ring. Returns how many rang. */
  async function possible(caller: () => Promise<Caller>, phone: Phone): Promise<number> {
    const reject = rings(phone);
    const ringing: Phone[] = [];
    for (;;) {
      const own = await caller();
      const response = await call(own);
      if (response?.startsWith('SIP/2.0 180') !== true) {
        expect(response).toMatch(/^SIP\/2\.0 (486 Too Many Calls of Agent|503 Too Many Calls of Gateway)/);
        break;
      }
      ringing.push(own.phone);
    }
    reject();
    for (const each of ringing) expect(await each.hears(/^SIP\/2\.0 486 Busy/)).toBeDefined();
    return ringing.length;
  }

  async function hangUp({ phone }: Caller, { fromCaller }: AnsweredCall): Promise<void> {
    phone.says({ ...fromCaller, method: 'BYE', cseq: 9 });
    expect(await phone.hears(/^SIP\/2\.0 200/)).toBeDefined();
  }

  test('an agent and a gateway have so many at once, those that ring among them', async () => {
    const phone = await bertsPhone();
    expect(await possible(eve, phone)).toBe(AGENT_CALLS);
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS);
    expect(occurrences(`${gatewayRef} at 127.0.12.9: too many concurrent calls`)).toBe(1);
    // A call that is answered keeps its place until it ends.
    phone.handle(undefined);
    const caller = await eve();
    const answered = await answeredCall(caller, phone, BERT);
    expect(await possible(eve, phone)).toBe(AGENT_CALLS - 1);
    expect(await possible(() => agent('anna'), phone)).toBe(AGENT_CALLS);
    await hangUp(caller, answered);
    expect(await possible(eve, phone)).toBe(AGENT_CALLS);
  });

  test('of many that arrive at once, so many ring', async () => {
    const reject = rings(await bertsPhone());
    for (let burst = 0; burst < 60; burst++) {
      const caller = await provider();
      for (let made = 0; made < 24; made++) caller.phone.says(invitation(caller));
      for (let refused = 0; refused < 24 - GATEWAY_CALLS; refused++)
        expect(await caller.phone.hears(/^SIP\/2\.0 503 Too Many/)).toBeDefined();
      for (let ringing = 0; ringing < GATEWAY_CALLS; ringing++)
        expect(await caller.phone.hears(/^SIP\/2\.0 180/)).toBeDefined();
      reject();
      for (let ended = 0; ended < GATEWAY_CALLS; ended++)
        expect(await caller.phone.hears(/^SIP\/2\.0 486 Busy/)).toBeDefined();
    }
  });

  test('one that arrives again rings once, whoever sends it, and wherever it leads', async () => {
    const phone = await bertsPhone();
    const reject = rings(phone);
    const other = await open('127.0.12.3');
    expect(await other.registers('ruth', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    rings(other);
    const caller = await eve();
    const asking = invitation(caller);
    const own = { username: 'eve', secret: 's' };
    expect(await caller.phone.proves(asking, own)).toMatch(/^SIP\/2\.0 180/);
    for (const to of [BERT, numberOfBert(), 'ruth@one.test'])
      expect(await caller.phone.proves({ ...asking, uri: `sip:${to}`, cseq: 5 }, own)).toMatch(/^SIP\/2\.0 482/);
    reject();
    expect(await caller.phone.hears(/^SIP\/2\.0 486 Busy/)).toBeDefined();
    for (let burst = 0; burst < 60; burst++) {
      const forking = await provider();
      const forked = invitation(forking);
      for (let branch = 0; branch < GATEWAY_CALLS; branch++) forking.phone.says(forked);
      for (let merged = 1; merged < GATEWAY_CALLS; merged++)
        expect(await forking.phone.hears(/^SIP\/2\.0 482/)).toBeDefined();
      expect(await forking.phone.hears(/^SIP\/2\.0 180/)).toBeDefined();
      reject();
      expect(await forking.phone.hears(/^SIP\/2\.0 486 Busy/)).toBeDefined();
    }
    expect(await possible(eve, phone)).toBe(AGENT_CALLS);
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS);
  });

  test('one that its provider alone may route back counts twice for the gateway', async () => {
    const otherGateway = await createGateway(stack.app, { transport: 'UDP', host: '127.0.12.8' });
    await createNumber(stack.app, { gatewayRef: otherGateway, telUrl: 'tel:+4930101', aorLink: 'sip:bert@one.test' });
    const phone = await bertsPhone();
    const atProvider = await open('127.0.12.9', providersPort);
    const caller = await open('127.0.12.2');
    const number = `+4930100@${stack.sip}`;
    const asking = { method: 'INVITE', uri: 'sip:+49555@out.test', from: 'olga@out.test', to: '+49555@out.test' };
    const [callId, fromTag] = [id(), id()];
    const headers = [`Contact: <${caller.contact('x')}>`];
    const rung = caller.proves({ ...asking, callId, fromTag, headers }, { username: 'olga', secret: 's' });
    const left = (await atProvider.hears(/^INVITE/)) ?? '';
    const from = /sip:([^>;]*)/.exec(headersOf(left, 'From')[0] ?? '')?.[1] ?? '';
    const contact = [`Contact: <${atProvider.contact('x')}>`];
    const back = { ...asking, from, callId, fromTag };
    // Otherwise the other provider would hear of the BYE of this call, and this one would not.
    const other = await open('127.0.12.8');
    const others = { uri: `sip:+4930101@${stack.sip}`, headers: [`Contact: <${other.contact('x')}>`] };
    expect(await other.asks({ ...back, ...others })).toMatch(/^SIP\/2\.0 482/);
    atProvider.says({ ...back, uri: `sip:${number}`, headers: contact });
    const invite = (await phone.hears(/^INVITE/)) ?? '';
    phone.answers(invite, '180 Ringing', 'r', [`Contact: <${phone.contact('x')}>`]);
    expect(await atProvider.hears(/^SIP\/2\.0 180/)).toBeDefined();
    atProvider.answers(left, '180 Ringing', 'r', contact);
    expect(await rung).toMatch(/^SIP\/2\.0 180/);
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS - 2);
    phone.answers(invite, '486 Busy Here', 'r');
    atProvider.answers(left, '486 Busy Here', 'r');
    expect(await caller.hears(/^SIP\/2\.0 486 Busy/)).toBeDefined();
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS);
  });

  test('none is counted twice or forgotten while callers redial', async () => {
    const phone = await bertsPhone();
    answerAll(phone);
    // So many lines for one count, that a count which is read and written in two steps loses calls within seconds.
    const callers = [
      { caller: await provider(), to: numberOfBert(), lines: 40, lasting: 20, limit: GATEWAY_CALLS },
      { caller: await eve(), to: BERT, lines: 8, lasting: 100, limit: AGENT_CALLS },
    ];
    const redialling = callers.map(({ caller, ...how }) => redial(caller, how));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await Promise.all(redialling.map(({ stop }) => stop()));
    for (const [index, { limit }] of callers.entries()) {
      const { ended, refused, most, wrong } = redialling[index]?.calls ?? {};
      expect([...(wrong ?? [])]).toEqual([]);
      expect(most).toBeLessThanOrEqual(limit);
      expect(ended).toBeGreaterThan(limit);
      expect(refused).toBeGreaterThan(limit);
    }
    expect(await possible(eve, phone)).toBe(AGENT_CALLS);
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS);
    // Nothing is left of callers without calls.
    for (const table of ['calls', 'counted']) expect(stack.kamailio.control('htable.dump', table).trim()).toBe('');
  });

  test('those in progress are counted after a crash, and those that rang or had ended are not', async () => {
    const phone = await bertsPhone();
    const callers = [await eve(), await provider(), await eve()] as const;
    const kept = await answeredCall(callers[0], phone, BERT);
    const trunked = await answeredCall(callers[1], phone, numberOfBert());
    const ended = await answeredCall(callers[2], phone, BERT);
    rings(phone);
    await hangUp(callers[2], ended);
    expect(await call(await eve())).toMatch(/^SIP\/2\.0 180/);
    await stack.kamailio.crash();
    await stack.startKamailio();
    // Kamailio reads them within 2 s.
    await eventually(5, async () => expect(await possible(eve, phone)).toBe(AGENT_CALLS - 1));
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS - 1);
    await hangUp(callers[0], kept);
    await hangUp(callers[1], trunked);
    expect(await possible(eve, phone)).toBe(AGENT_CALLS);
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS);
  });

  test('those of a peer count apart from those of an agent with the same ref, also after a crash', async () => {
    const phone = await bertsPhone();
    const refOfEve = await runSql(stack.url, "SELECT ref FROM agents WHERE username = 'eve'");
    await createPeer(stack.app, { username: 'twin', secret: 's' });
    await runSql(stack.url, "UPDATE peers SET ref = ? WHERE username = 'twin'", [String(refOfEve[0]?.[0])]);
    const caller = { ...(await agent('twin')), from: 'twin@one.test' };
    const kept = await answeredCall(caller, phone, BERT);
    expect(await possible(eve, phone)).toBe(AGENT_CALLS);
    phone.handle(undefined);
    await stack.kamailio.crash();
    await stack.startKamailio();
    const twin = `peer:${String(refOfEve[0]?.[0])}`;
    await eventually(5, () => {
      expect(stack.kamailio.control('htable.get', 'calls', twin)).toContain('value: 1');
    });
    expect(await possible(eve, phone)).toBe(AGENT_CALLS);
    await hangUp(caller, kept);
    await eventually(5, () => {
      for (const table of ['calls', 'counted']) expect(stack.kamailio.control('htable.dump', table).trim()).toBe('');
    });
  });

  test('those that began with an earlier configuration are counted, and end with a BYE, or when their agent is deleted', async () => {
    const phone = await bertsPhone();
    const gone = await createAgent(stack.app, { username: 'former', secret: 's', domains: ['one.test'] });
    const left = await open('127.0.12.3');
    expect(await left.registers('former', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const [one, other] = [await eve(), await eve()];
    const kept = await answeredCall(one, phone, BERT);
    await answeredCall(other, left, 'former@one.test');
    await stack.kamailio.crash();
    const vars = `${stack.schema}.dialog_vars`;
    const stored = await runSql(
      stack.url,
      `SELECT id, hash_entry, hash_id, dialog_value FROM ${vars} WHERE dialog_key = 'user'`,
    );
    expect(stored).toHaveLength(2);
    for (const [row, entry, hash, value] of stored.map((each) => each.map(String))) {
      const [caller = '', domains = '', callee = '', domain = ''] = (value ?? '').split('|');
      const refIn = (user: string): string => user.replace(/^agent:/, '');
      const former = { caller_ref: refIn(caller), domains, callee_ref: refIn(callee), callee_domain: domain };
      for (const [key, text] of Object.entries(former))
        await runSql(
          stack.url,
          `INSERT INTO ${vars} (hash_entry, hash_id, dialog_key, dialog_value) VALUES (?, ?, ?, ?)`,
          [entry ?? '', hash ?? '', key, text],
        );
      await runSql(stack.url, `DELETE FROM ${vars} WHERE id = ?`, [row ?? '']);
    }
    await stack.startKamailio();
    await eventually(5, async () => expect(await possible(eve, phone)).toBe(AGENT_CALLS - 2));
    phone.handle(undefined);
    one.phone.says({ ...kept.fromCaller, method: 'BYE', cseq: 9 });
    phone.answers((await phone.hears(/^BYE /)) ?? '', '200 OK', 'b');
    expect(await one.phone.hears(/^SIP\/2\.0 200/)).toBeDefined();
    await stack.app.rest('DELETE', `/agents/${gone}`);
    for (const each of [other.phone, left]) expect(await each.hears(/^BYE/)).toBeDefined();
    await eventually(5, async () => expect(await possible(eve, phone)).toBe(AGENT_CALLS));
  });

  test('those of a deleted agent end, and count once', async () => {
    const phone = await bertsPhone();
    const gone = await createAgent(stack.app, { username: 'gone', secret: 's', domains: ['one.test'] });
    const left = await open('127.0.12.3');
    expect(await left.registers('gone', 'one.test')).toMatch(/^SIP\/2\.0 200/);
    const callers = [await eve(), await eve()];
    for (const caller of callers) await answeredCall(caller, left, 'gone@one.test');
    expect(await possible(eve, phone)).toBe(AGENT_CALLS - 2);
    await stack.app.rest('DELETE', `/agents/${gone}`);
    // Nobody responds to the BYEs, which are repeated.
    for (const caller of callers) expect(await caller.phone.hears(/^BYE/)).toBeDefined();
    await eventually(5, async () => expect(await possible(eve, phone)).toBe(AGENT_CALLS));
  });

  test.each([`${id()}\0${id()}`, `${id()}\r\n ${id()}`, `${id()}é`])(
    'one with the Call-ID %j is refused',
    async (callId) => {
      const caller = await eve();
      expect(await call(caller, { callId })).toMatch(/^SIP\/2\.0 400 Bad (Call-ID|Line End)/);
      expect(await possible(eve, await bertsPhone())).toBe(AGENT_CALLS);
    },
  );

  test('those that end without an event are no longer counted within seconds, others are', async () => {
    const phone = await bertsPhone();
    await answeredCall(await eve(), phone, BERT);
    rings(phone);
    for (const callId of [`${id()} \t`, `${id()}|a,b;c=>$ci%{x}"<>`])
      expect(await call(await agent('anna'), { callId })).toMatch(/^SIP\/2\.0 180/);
    // A call without a dialog.
    stack.kamailio.control('htable.seti', 'calls', `gateway:${gatewayRef}`, '1');
    stack.kamailio.control('htable.sets', 'counted', '62|61', `gateway:${gatewayRef},|63`);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(await possible(eve, phone)).toBe(AGENT_CALLS - 1);
    expect(await possible(() => agent('anna'), phone)).toBe(AGENT_CALLS - 2);
    expect(await possible(provider, phone)).toBe(GATEWAY_CALLS);
    expect(occurrences('has ended without an event')).toBe(1);
  });

  test('thousands are counted after a start', async () => {
    const phone = await bertsPhone();
    const many = await createAgent(stack.app, { username: 'many', secret: 's', domains: ['one.test'] });
    const { fromCaller } = await answeredCall(await agent('ruth'), phone, BERT);
    // Copies of the call: the hash that Kamailio checks is that of its Call-ID.
    const columns = ['callid', 'from_uri', 'to_uri', 'to_tag', 'caller_cseq', 'callee_cseq', 'caller_route_set'];
    columns.push('callee_route_set', 'caller_contact', 'callee_contact', 'caller_sock', 'callee_sock', 'state');
    columns.push('start_time', 'timeout', 'sflags', 'iflags', 'toroute_name', 'req_uri', 'xdata');
    const list = columns.join(', ');
    const dialog = `\`${stack.schema}\`.dialog`;
    const copies = 'seq_1_to_4000';
    const { callId = '' } = fromCaller;
    await runSql(
      stack.url,
      `INSERT INTO ${dialog}_vars (hash_entry, hash_id, dialog_key, dialog_value)
        SELECT hash_entry, 900000 + seq, 'caller_ref', '${many}' FROM ${dialog}, ${copies} WHERE callid = '${callId}'`,
    );
    await runSql(
      stack.url,
      `INSERT INTO ${dialog} (hash_entry, hash_id, from_tag, ${list})
        SELECT hash_entry, 900000 + seq, CONCAT('copy', seq), ${list} FROM ${dialog}, ${copies} WHERE callid = '${callId}'`,
    );
    await stack.stopKamailio();
    await stack.startKamailio();
    await eventually(10, () => {
      expect(stack.kamailio.control('htable.get', 'calls', many)).toContain('value: 4000');
    });
  });
});
