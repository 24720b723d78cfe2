import { routes, uriIn, type Caller } from '../call';
import { digest, headersOf, id, type Asking, type Phone } from '../phone';

// Longer than a loaded Kamailio takes: an INVITE that arrives again after its refusal is a new call, which nobody ends.
const RESENT_EVERY = 4000;
const RESENT_TIMES = 8;

/** What happened to the calls of one caller. */
export interface Calls {
  /** Answered, and ended by the caller. */
  ended: number;
  /** Refused because of a limit of calls. */
  refused: number;
  /** Declined by the phone. */
  declined: number;
  /** Other outcomes, by what was received. */
  readonly wrong: Map<string, number>;
  /** The calls in progress, from the 200 to the BYE. */
  current: number;
  /** The most calls that were in progress at once. */
  most: number;
}

/** How a caller redials. */
export interface Redialling {
  /** The called address, such as `bert@one.test`. */
  readonly to: string;
  /** How many calls the caller tries to have at once. */
  readonly lines: number;
  /** How long an answered call lasts, in milliseconds. */
  readonly lasting: number;
  /** Whether a proxy forks each INVITE: it arrives on two branches at once (RFC 3261, 8.2.2.2). */
  readonly forked?: boolean;
}

/** Has a phone answer the calls that it receives, except each `nth`, which it declines. */
export function answerAll(phone: Phone, nth = 4): void {
  let count = 0;
  const calls = new Map<string, { readonly branch: string; readonly declined: boolean }>();
  phone.handle((message) => {
    const [method = ''] = message.split(' ', 1);
    const callId = callIdOf(message);
    if (method === 'BYE' || method === 'CANCEL') phone.answers(message, '200 OK', 'b');
    if (method === 'BYE' || (method === 'ACK' && calls.get(callId)?.declined === true)) calls.delete(callId);
    if (method !== 'INVITE') return;
    const branch = branchOf(message);
    const call = calls.get(callId) ?? { branch, declined: ++count % nth === 0 };
    calls.set(callId, call);
    if (call.branch !== branch) phone.answers(message, '482 Merged Request', `m${branch}`);
    else if (call.declined) phone.answers(message, '603 Decline', `d${branch}`);
    else phone.answers(message, '200 OK', `a${branch}`, [`Contact: <${phone.contact('callee')}>`]);
  });
}

/** Has a caller redial on each of its lines as soon as a call ends or is refused, until `stop`. */
export function redial(
  caller: Caller,
  redialling: Redialling,
): { readonly calls: Calls; readonly stop: () => Promise<void> } {
  const calls: Calls = { ended: 0, refused: 0, declined: 0, wrong: new Map(), current: 0, most: 0 };
  const lines = new Map<string, Line>();
  let isStopped = false;
  caller.phone.handle((message) => lines.get(callIdOf(message))?.hears(message));
  const dial = async (): Promise<void> => {
    while (!isStopped) {
      const line = new Line(caller, redialling, calls);
      lines.set(line.callId, line);
      await line.call().catch((error: unknown) => {
        const what = error instanceof Error ? error.message : String(error);
        calls.wrong.set(what, (calls.wrong.get(what) ?? 0) + 1);
      });
      lines.delete(line.callId);
    }
  };
  const running = Array.from({ length: redialling.lines }, dial);
  return {
    calls,
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
      caller.phone.handle(undefined);
    },
  };
}

/** One call of a caller. */
class Line {
  readonly callId = id();
  private readonly asking: Omit<Asking, 'method'>;
  /** The branches of the last request without a final response, and what to do with one. */
  private open = new Set<string>();
  private received: ((response: string) => void) | undefined;

  constructor(
    private readonly caller: Caller,
    private readonly redialling: Redialling,
    private readonly calls: Calls,
  ) {
    const { to } = redialling;
    this.asking = { uri: `sip:${to}`, from: caller.from, to, callId: this.callId, fromTag: id() };
  }

  /** Makes the call and ends it. Throws if it has an outcome that is not expected. */
  async call(): Promise<void> {
    const { caller, calls, asking } = this;
    const { phone, credentials } = caller;
    const headers = [`Contact: <${phone.contact('caller')}>`];
    const invite: Asking = { ...asking, method: 'INVITE', headers };
    let response = await this.send(invite);
    if (/^SIP\/2\.0 40[17]/.test(response) && credentials) {
      const proof = digest(response, 'INVITE', asking.uri, credentials);
      response = await this.send({ ...invite, cseq: 2, headers: [...headers, proof] });
    }
    if (/^SIP\/2\.0 (486|503) Too Many Calls/.test(response)) calls.refused++;
    else if (/^SIP\/2\.0 (482|603)/.test(response)) calls.declined++;
    else if (!response.startsWith('SIP/2.0 200')) throw new Error(response.split('\r\n', 1)[0]);
    if (!response.startsWith('SIP/2.0 200')) return;

    calls.most = Math.max(calls.most, ++calls.current);
    const toTag = /tag=([^;\r\n]+)/.exec(headersOf(response, 'To')[0] ?? '')?.[1] ?? '';
    const within = { ...asking, toTag, uri: uriIn(response), headers: routes(response) };
    phone.says({ ...within, method: 'ACK', cseq: credentials ? 2 : 1 });
    await new Promise((resolve) => setTimeout(resolve, this.redialling.lasting));
    calls.current--;
    const end = await this.send({ ...within, method: 'BYE', cseq: 3 });
    if (!end.startsWith('SIP/2.0 200')) throw new Error(`${end.split('\r\n', 1)[0] ?? ''} to BYE`);
    calls.ended++;
  }

  /** Sends a request, and again while there is no final response. Returns a 2xx, or the last other response. */
  private send(asking: Asking): Promise<string> {
    const branch = `z9hG4bK${id()}`;
    const isForked = asking.method === 'INVITE' && this.redialling.forked === true;
    const texts = new Map(
      (isForked ? [branch, `${branch}f`] : [branch]).map((of) => [
        of,
        this.caller.phone.says({ ...asking, branch: of }),
      ]),
    );
    this.open = new Set(texts.keys());
    return new Promise((resolve, reject) => {
      let times = 0;
      const timer = setInterval(() => {
        for (const of of this.open) this.caller.phone.send(texts.get(of) ?? '');
        if (++times < RESENT_TIMES) return;
        clearInterval(timer);
        reject(new Error(`no response to ${asking.method}`));
      }, RESENT_EVERY);
      this.received = (response) => {
        if (!this.open.delete(branchOf(response))) return;
        if (!response.startsWith('SIP/2.0 2') && this.open.size > 0) return;
        clearInterval(timer);
        resolve(response);
      };
    });
  }

  hears(message: string): void {
    if (!/^SIP\/2\.0 [2-6]/.test(message)) return;
    const [cseq, method] = /^CSeq: *(\d+) *(\S+)/im.exec(message)?.slice(1) ?? [];
    // RFC 3261, 17.1.1.3
    if (method === 'INVITE' && !message.startsWith('SIP/2.0 2'))
      this.caller.phone.says({ ...this.asking, method: 'ACK', cseq: Number(cseq), branch: branchOf(message) });
    this.received?.(message);
  }
}

function callIdOf(message: string): string {
  return /^Call-ID: *(\S+)/im.exec(message)?.[1] ?? '';
}

/** The branch of the first Via. */
function branchOf(message: string): string {
  return /;branch=([^;,\s]+)/.exec(message)?.[1] ?? '';
}
