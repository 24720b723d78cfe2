import { answeredCall } from '../../test/sip/call';
import { Phone, type Credentials } from '../../test/sip/phone';
import { AGENTS, domainOf, numberOf, userOf } from './kamailio-data';

const AT_ONCE = 8;
const CALLS_OF_EACH = 10;

/** What phones do, and how often in a round. */
export interface SipCase {
  readonly id: string;
  readonly title: string;
  readonly amount: number;
  /** Sends this many requests, from the phones of one server. */
  run(phones: Phones, amount: number): Promise<void>;
}

/** The phones at one server. Each agent registers from the same address as before. */
export interface Phones {
  readonly open: readonly Phone[];
  /** How many agents have registered; those that follow have no binding. */
  registered: number;
  close(): void;
}

/** Opens the phones that send at the same time. */
export async function openPhones(server: string): Promise<Phones> {
  const open = await Promise.all(Array.from({ length: AT_ONCE }, () => Phone.open(server)));
  const close = (): void => {
    for (const phone of open) phone.close();
  };
  return { open, registered: 0, close };
}

export const sipCases: readonly SipCase[] = [
  {
    id: 'S1',
    title: 'a new REGISTER, challenged and accepted',
    amount: 400,
    run: async (phones, amount) => {
      if (phones.registered + amount > AGENTS) throw new Error('Not enough agents for so many rounds');
      const first = phones.registered + 1;
      phones.registered += amount;
      await share(phones, amount, (phone, turn) => register(phone, first + turn));
    },
  },
  {
    id: 'S2',
    title: 'a REGISTER that refreshes a binding, challenged and accepted',
    amount: 400,
    run: (phones, amount) => share(phones, amount, (phone, turn) => register(phone, turn + 1)),
  },
  {
    id: 'S3',
    title: 'a call of an agent to a number, answered and ended',
    amount: 200,
    run: (phones, amount) =>
      share(phones, amount, (phone, turn) => call(phone, (turn % (AT_ONCE * CALLS_OF_EACH)) + 1)),
  },
];

/** Has the phones take turns: one agent always has the same phone. */
async function share(
  { open }: Phones,
  amount: number,
  work: (phone: Phone, turn: number) => Promise<void>,
): Promise<void> {
  const each = async (phone: Phone, first: number): Promise<void> => {
    for (let turn = first; turn < amount; turn += open.length)
      await work(phone, turn).catch(() => {
        // A message was lost, because the machine has much other load.
        phone.forget();
        return work(phone, turn);
      });
  };
  // All of them end before an error does: the phones close after it.
  const ended = await Promise.allSettled(open.map(each));
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

function credentialsOf(agent: number): Credentials {
  return { username: userOf(agent), secret: 'secret' };
}

async function register(phone: Phone, agent: number): Promise<void> {
  const [user, domain] = [userOf(agent), domainOf(agent)];
  const headers = [`Contact: <${phone.contact(user)}>`, 'Expires: 3600'];
  const request = { method: 'REGISTER', uri: `sip:${domain}`, from: `${user}@${domain}`, headers };
  expect(await phone.proves(request, credentialsOf(agent)), '200', request.from);
}

/** An agent calls the number of a registered agent, whose phone is the same here, and hangs up (RFC 3665, 3.1). */
async function call(phone: Phone, agent: number): Promise<void> {
  const [domain, number] = [domainOf(agent), numberOf(agent)];
  const from = `${userOf(agent)}@${domain}`;
  const { fromCaller } = await answeredCall(
    { phone, from, credentials: credentialsOf(agent) },
    phone,
    `${number}@${domain}`,
  );
  phone.says({ ...fromCaller, method: 'BYE', cseq: 3 });
  const bye = await phone.hears(/^BYE /);
  if (bye === undefined) throw new Error(`The BYE of ${from} did not arrive`);
  phone.answers(bye, '200 OK', 'b');
  expect(await phone.hears(/^SIP\/2\.0 200/), '200', from);
  phone.forget();
}

function expect(answer: string | undefined, status: string, from: string): void {
  if (answer?.startsWith(`SIP/2.0 ${status} `) !== true)
    throw new Error(`A request of ${from} was answered ${answer?.split('\r\n', 1)[0] ?? 'not at all'}`);
}
