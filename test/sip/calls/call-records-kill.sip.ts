import { eventually } from '../../support/eventually';
import { createAgent, createDomain } from '../../support/factories';
import { ownMariaDb, type OwnServer } from '../../support/databases/own-server';
import { build, killAll, listening, start, type Run } from '../../support/process';
import { runSql } from '../../support/databases/sql';
import { answeredCall } from '../call';
import { Phone, type Asking } from '../phone';
import { startStack, type Stack } from '../stack';

/**
 * How often each is killed, the phones that call at the same time, and how many calls are answered at least;
 * `KILLS=50 PAIRS=50 CALLS=100000` is the long run.
 */
const KILLS = Number(process.env['KILLS'] ?? 2);
const PAIRS = Number(process.env['PAIRS'] ?? 8);
const CALLS = Number(process.env['CALLS'] ?? 50);
/** How long a call lasts, in milliseconds: longer than the quarter of a second whose events a crash loses. */
const LENGTH = 600;
/** After how many milliseconds a phone registers again. */
const REGISTERED = 1_200_000;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** An answered call, with the times at which its messages arrived. */
interface Made {
  readonly callId: string;
  readonly asked: number;
  readonly answered: number;
  /** When the BYE was sent and acknowledged; undefined if it never was. */
  readonly ended: readonly [number, number] | undefined;
}

describe('While Kamailio, sipgraph and the database are killed again and again', () => {
  let server: OwnServer;
  let stack: Stack;
  let sipgraph: Run;
  let pairs: readonly (readonly [caller: Phone, callee: Phone, n: number])[];

  /** Starts sipgraph in a process of its own, which can be killed. */
  const startSipgraph = async (): Promise<void> => {
    sipgraph = start({ DATABASE_URL: stack.url });
    await listening(sipgraph);
  };

  beforeAll(async () => {
    build();
    server = await ownMariaDb();
    stack = await startStack(server);
    await createDomain(stack.app, { domainUri: 'out.test' });
    for (let n = 0; n < PAIRS; n++) {
      await createAgent(stack.app, { username: `caller${String(n)}`, secret: 's', domains: ['out.test'] });
      await createAgent(stack.app, { username: `callee${String(n)}`, secret: 's', domains: ['one.test'] });
    }
    await stack.app.close();
    await startSipgraph();
    // Kamailio knows a new domain after at most 5 s.
    await pause(6000);
    pairs = await Promise.all(
      Array.from({ length: PAIRS }, async (_, n) => {
        const [caller, callee] = [await Phone.open(stack.sip), await Phone.open(stack.sip)];
        expect(await callee.registers(`callee${String(n)}`, 'one.test')).toMatch(/^SIP\/2\.0 200/);
        return [caller, callee, n] as const;
      }),
    );
  });

  afterAll(async () => {
    for (const [caller, callee] of pairs) for (const phone of [caller, callee]) phone.close();
    killAll();
    await stack.close();
    await server.remove();
  });

  /**
   * Ends a call with a BYE, which is repeated while Kamailio is away (RFC 3261, 17.1.2). Returns whether it had a response. Late
   * messages of other calls are not taken for those of this one.
   */
  async function hangUp(party: Phone, other: Phone, asking: Asking & { readonly cseq: number }): Promise<boolean> {
    const { callId = '', cseq } = asking;
    const bye = { ...asking, method: 'BYE', branch: `z9hG4bKbye${callId}` };
    const response = new RegExp(`^SIP/2\\.0 (200|481)[^]*CSeq: *${String(cseq)} BYE`);
    for (let attempt = 0; attempt < 12; attempt++) {
      party.says(bye);
      const heard = await other.hears((text) => text.startsWith('BYE ') && text.includes(callId), 1);
      if (heard !== undefined) other.answers(heard, '200 OK', 'b');
      if ((await party.hears((text) => response.test(text) && text.includes(callId), 1)) !== undefined) return true;
    }
    return false;
  }

  /** Makes a call, which the caller ends; undefined if it is not answered. */
  async function call([caller, callee, n]: (typeof pairs)[number]): Promise<Made | undefined> {
    for (const phone of [caller, callee]) phone.forget();
    const from = {
      phone: caller,
      from: `caller${String(n)}@out.test`,
      credentials: { username: `caller${String(n)}`, secret: 's' },
    };
    const asked = Date.now();
    const made = await answeredCall(from, callee, `callee${String(n)}@one.test`).catch(() => undefined);
    const answered = Date.now();
    if (!made) return undefined;
    // The caller did not hear the answer in time, and sends no ACK: the callee ends the call (RFC 3261, 13.3.1.4).
    if (made.fromCaller.uri === '') {
      await hangUp(callee, caller, { ...made.fromCallee, cseq: 1 });
      return undefined;
    }
    await pause(LENGTH);
    const sent = Date.now();
    const isEnded = await hangUp(caller, callee, { ...made.fromCaller, cseq: 3 });
    return { callId: made.fromCaller.callId ?? '', asked, answered, ended: isEnded ? [sent, Date.now()] : undefined };
  }

  test(
    'each answered call has one record with its times, and none stays in progress',
    async () => {
      const made: Made[] = [];
      let isOver = false;
      const callers = pairs.map(async (pair) => {
        const [, callee, n] = pair;
        let registered = Date.now();
        while (!isOver) {
          // Registrations end after an hour. While Kamailio is away, the next turn tries again.
          if (Date.now() - registered > REGISTERED) {
            const isRegistered = await callee.registers(`callee${String(n)}`, 'one.test').then(
              (response) => response?.startsWith('SIP/2.0 200') === true,
              () => false,
            );
            if (isRegistered) registered = Date.now();
          }
          const one = await call(pair);
          if (one) made.push(one);
        }
      });
      const cutConnections = async (): Promise<void> => {
        const rows = await runSql(
          server.url,
          "SELECT id FROM information_schema.processlist WHERE user LIKE 'kamailio%'",
        );
        for (const [connection] of rows) await runSql(server.url, `KILL ${String(connection)}`).catch(() => undefined);
      };
      for (let round = 0; round < KILLS; round++) {
        await pause(4000);
        await cutConnections();
        await pause(3000);
        await stack.kamailio.crash();
        await stack.startKamailio();
        await pause(4000);
        // In turn, the database goes first, or sipgraph.
        if (round % 2 === 0) sipgraph.child.kill('SIGKILL');
        await server.kill();
        sipgraph.child.kill('SIGKILL');
        await sipgraph.ended();
        await server.start();
        await startSipgraph();
      }
      do await pause(4000);
      while (made.length < CALLS);
      isOver = true;
      await Promise.all(callers);

      await eventually(
        60,
        async () => expect(await runSql(stack.url, 'SELECT call_id FROM calls WHERE state IN (1, 2, 3)')).toEqual([]),
        500,
      );
      const rows = await runSql(stack.url, 'SELECT call_id, answered, ended FROM calls');
      const rowsOf = new Map<unknown, (typeof rows)[number][]>();
      for (const row of rows) rowsOf.set(row[0], [...(rowsOf.get(row[0]) ?? []), row]);
      const found = made.map(({ callId, asked, answered, ended }) => {
        const [first, ...others] = rowsOf.get(callId) ?? [];
        const [, answeredOn, endedOn] = (first ?? []).map(Number);
        const isWithin = (time: number | undefined, from: number, to: number): boolean =>
          time !== undefined && time >= from - 1000 && time <= to + 1000;
        return {
          callId,
          rows: first ? 1 + others.length : 0,
          answered: isWithin(answeredOn, asked, answered),
          // The end is unknown if it was written neither before nor after the crash.
          ended:
            endedOn === 0 ||
            ended === undefined ||
            isWithin(endedOn, ...ended) ||
            // By how many milliseconds the time differs from when the BYE was sent, and acknowledged.
            ended.map((time) => Number(endedOn) - time),
        };
      });
      const right = ({ callId }: { callId: string }) => ({ callId, rows: 1, answered: true, ended: true });
      const faults = found.filter((each) => each.rows !== 1 || !each.answered || each.ended !== true);
      expect(faults).toEqual(faults.map(right));
      if (CALLS > 50)
        process.stdout.write(
          `${String(made.length)} answered calls, ${String(rows.length)} records, ${String(KILLS)} kills of each\n`,
        );
    },
    150_000 + KILLS * 40_000 + (CALLS / PAIRS) * 2000,
  );
});
