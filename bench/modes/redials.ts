import type { Caller } from '../../test/sip/call';
import { Phone } from '../../test/sip/phone';
import { answerAll, redial, type Calls } from '../../test/sip/calls/redialling';
import { freePort, startKamailio, type Kamailio } from '../../test/sip/support';
import { createMariadb, mariadbMissing } from '../databases';
import { domainOf, fillModel, numberOf, runKamailioCommand, userOf } from './kamailio-data';
import { descendants } from '../processes';

const PASSWORD = 'kamailio-secret';
const WORKERS = '16';
const CALLERS = 8;
const AGENT_CALLS = 5;
const GATEWAY_CALLS = 20;
/** The lines of an agent or a provider beyond its limit, which redial all the time. */
const MORE_LINES = 3;
const UNLIMITED = ['flood', 'user-guesses', 'address-guesses', 'user-requests'];

/** A caller, and what it may have at once. */
interface Limited {
  readonly name: string;
  readonly caller: Caller;
  readonly to: string;
  readonly limit: number;
  /** Providers fork half of the calls. */
  readonly forked: boolean;
}

/**
 * Has agents and providers redial at the limit of concurrent calls, on a Kamailio with 16 workers: calls of one second
 * that start and end at the same time as others are refused. Reports whether Kamailio goes on, and whether exactly the
 * limit of calls is possible afterwards.
 */
export async function benchmarkRedials(seconds: number): Promise<void> {
  const missing = mariadbMissing();
  if (missing !== undefined) throw new Error(missing);
  const opened: (() => Promise<void> | void)[] = [];
  try {
    const database = await createMariadb();
    opened.push(() => database.drop());
    runKamailioCommand(database, 'install', '--password', PASSWORD);
    await fillModel(database);
    const sip = `127.0.0.1:${String(await freePort())}`;
    const limits = ['--agent-calls', String(AGENT_CALLS), '--gateway-calls', String(GATEWAY_CALLS)];
    const unlimited = UNLIMITED.flatMap((name) => [`--${name}`, '0']);
    const places = ['--password', PASSWORD, '--sip', sip, '--run', '/@RUN@', '--workers', WORKERS];
    const kamailio = await startKamailio(
      runKamailioCommand(database, 'config', ...places, ...limits, ...unlimited),
      sip,
      { memory: 256 },
    );
    opened.push(() => kamailio.stop());
    const open = async (host?: string): Promise<Phone> => {
      const phone = await Phone.open(sip, host);
      opened.push(() => {
        phone.close();
      });
      return phone;
    };
    await measure(await callers(open), kamailio, sip, await open(), seconds);
  } finally {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  }
}

/**
 * Registers the called phones. Returns the agents that call each other, and a provider at the host of each of two
 * gateways.
 */
async function callers(open: (host?: string) => Promise<Phone>): Promise<readonly Limited[]> {
  const limited: Limited[] = [];
  for (let index = 1; index <= CALLERS; index++) {
    const [from, to] = [index, CALLERS + index];
    const phone = await open();
    const user = { username: userOf(to), secret: 'secret' };
    const register = {
      method: 'REGISTER',
      uri: `sip:${domainOf(to)}`,
      from: `${user.username}@${domainOf(to)}`,
      headers: [`Contact: <${phone.contact(user.username)}>`, 'Expires: 3600'],
    };
    const registered = await phone.proves(register, user);
    if (registered?.startsWith('SIP/2.0 200') !== true) throw new Error(`REGISTER: ${String(registered)}`);
    // A forked call that is declined on one branch while it arrives on the other ended Kamailio with dialog profiles.
    answerAll(phone, index === 1 ? 2 : 4);
    limited.push({
      name: userOf(from),
      caller: {
        phone: await open(),
        from: `${userOf(from)}@${domainOf(from)}`,
        credentials: { username: userOf(from), secret: 'secret' },
      },
      to: `${userOf(to)}@${domainOf(to)}`,
      limit: AGENT_CALLS,
      forked: false,
    });
    // The DID with this index belongs to the gateway with the same index, and leads to the agent with the same index.
    if (index <= 2) {
      const caller = { phone: await open(`127.0.99.${String(to)}`), from: '+33142@provider.example' };
      const number = `${numberOf(to)}@${domainOf(to)}`;
      limited.push({
        name: `provider ${String(index)}`,
        caller,
        to: number,
        limit: GATEWAY_CALLS,
        forked: index === 1,
      });
    }
  }
  return limited;
}

async function measure(
  limited: readonly Limited[],
  kamailio: Kamailio,
  sip: string,
  probe: Phone,
  seconds: number,
): Promise<void> {
  const before = await use(kamailio);
  const started = limited.map(({ caller, to, limit, forked }) =>
    redial(caller, { to, lines: limit + MORE_LINES, lasting: 1000, forked }),
  );
  const all = started.map(({ calls }) => calls);
  const until = Date.now() + seconds * 1000;
  const options: number[] = [];
  let silent = 0;
  let busiest = 0;
  let last = before;
  while (Date.now() < until && silent < 10) {
    const sent = performance.now();
    probe.says({ method: 'OPTIONS', uri: `sip:${sip}`, from: 'probe@bench.test' });
    const answer = await probe.hears(/^SIP\/2\.0 200/, 2);
    options.push(performance.now() - sent);
    silent = answer === undefined ? silent + 1 : 0;
    if (options.length % 20 === 0) {
      const now = await use(kamailio);
      for (const [pid, cpu] of now.cpu) {
        const share = (cpu - (last.cpu.get(pid) ?? cpu)) / ((now.at - last.at) * 1000);
        busiest = Math.max(busiest, share);
      }
      last = now;
      process.stderr.write(`\r${String(Math.round((until - now.at) / 1000))} s left, ${totals(all)}   `);
    }
    await new Promise((done) => setTimeout(done, 200));
  }
  process.stderr.write('\n');
  const after = await use(kamailio);
  console.log(`\n${String(seconds)} s, ${WORKERS} workers: ${totals(all)}`);
  console.log(`Kamailio processes before ${String(before.cpu.size)}, after ${String(after.cpu.size)}`);
  console.log(
    `OPTIONS: ${String(options.length)}, the last ${String(silent)} without an answer, slowest ${Math.max(...options).toFixed(0)} ms`,
  );
  console.log(`The busiest process used ${(100 * busiest).toFixed(0)} % of a core`);
  console.log(
    `Shared memory before ${before.shared} MB, after ${after.shared} MB; highest RSS of a process ${after.resident} MB`,
  );
  console.table(limited.map(({ name, limit }, index) => row(name, limit, all[index])));
  if (silent > 0) {
    console.log(`Kamailio has stopped to answer:\n${kamailio.log().slice(-3000)}`);
    return;
  }
  await Promise.all(started.map(({ stop }) => stop()));
  await new Promise((done) => setTimeout(done, 5000));
  const quiet = await use(kamailio);
  console.log(
    `5 s after the load: shared memory ${quiet.shared} MB, ${kamailio.control('dlg.stats_active').replace(/\s+/g, ' ')}`,
  );
  // Longer calls than the probe, on one line more than allowed.
  const probed = limited.map(({ caller, to, limit }) => redial(caller, { to, lines: limit + 1, lasting: 6000 }));
  await new Promise((done) => setTimeout(done, 4000));
  console.table(
    limited.map(({ name, limit }, index) => ({ name, limit, 'possible now': probed[index]?.calls.current })),
  );
  await Promise.all(probed.map(({ stop }) => stop()));
}

interface Use {
  readonly at: number;
  /** CPU time in microseconds by process. */
  readonly cpu: ReadonlyMap<number, number>;
  readonly shared: string;
  readonly resident: string;
}

async function use(kamailio: Kamailio): Promise<Use> {
  const processes = (await descendants(process.pid)).filter(({ name }) => name === 'kamailio');
  let shared = '?';
  try {
    shared = (Number(/real_used: (\d+)/.exec(kamailio.control('core.shmmem'))?.[1]) / 1e6).toFixed(1);
  } catch {
    // Kamailio has crashed.
  }
  return {
    at: Date.now(),
    cpu: new Map(processes.map(({ pid, cpu }) => [pid, cpu])),
    shared,
    resident: (Math.max(0, ...processes.map(({ resident }) => resident)) / 1e6).toFixed(0),
  };
}

function totals(all: readonly Calls[]): string {
  const sum = (of: (calls: Calls) => number): string => String(all.reduce((total, calls) => total + of(calls), 0));
  return `${sum(({ ended }) => ended)} calls ended, ${sum(({ refused }) => refused)} refused, ${sum(({ declined }) => declined)} declined`;
}

function row(name: string, limit: number, calls: Calls | undefined): object {
  const { ended, refused, declined, most, wrong } = calls ?? {};
  return { name, limit, ended, refused, declined, 'most at once': most, wrong: JSON.stringify([...(wrong ?? [])]) };
}
