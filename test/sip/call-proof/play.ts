import type { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { runSql } from '../../support/databases/sql';
import { digest, headersOf, id, Phone, type Asking } from '../phone';
import type { Stack } from '../stack';
import { build, deviceAddress, escape, SPENT, type Built, type Device, type Hop } from './build';
import { isSame, loud, playable, type Invite, type Result, type RouteOfCall } from './compare';
import { storeDown } from './down';
import { setAddresses } from './ipv6';
import { CALLERS, CONTACTS, LATE, Place, PROBE, SILENCE, TRYING, type CallOf, type Spot, type World } from './world';

/** A call, what explainCall says about it, and what happened. */
export interface Made extends Ends {
  readonly expected: Result;
  readonly actual: Result;
  /** Whether they are the same. */
  readonly isAsSaid: boolean;
}

/** A call of which explainCall says something else than what happened. */
export interface Difference extends Made {
  readonly call: CallOf;
}

const QUERY = `query ($from: String!, $to: String!, $source: String) {
  explainCall(from: $from, to: $to, sourceAddress: $source) {
    outcome status reason
    steps { ... on RouteStep { route { numbers { gateway { ref } } shares { priority } } } }
    attempts {
      order after share requestUri nextHop from assertedIdentity diversion number { telUrl }
      gateway { ref name host port health { state } destinations { host port priority enabled draining health { state } } }
    }
  }
}`;

interface Answer {
  readonly explainCall: Omit<Result, 'invites' | 'routes'> & {
    readonly attempts: readonly Invite[];
    readonly steps: readonly { readonly route?: RouteOfCall | null }[];
  };
}

/** A call between two ends, written as a phone or a provider writes them. */
export interface Ends {
  readonly from: string;
  readonly to: string;
  readonly source: string;
}

/** Plays worlds at the real SIP server, several at once. Each world has an index of its own. */
export class Theatre {
  private next = 0;
  /** How many calls had which outcome. */
  readonly counts = new Map<string, number>();

  constructor(
    private readonly stack: Stack,
    private readonly isIpv6 = false,
  ) {}

  /** Builds the worlds, and makes their calls. Returns the differences of each. */
  async play(worlds: readonly World[]): Promise<readonly (readonly Difference[])[]> {
    const stages = await Promise.all(
      worlds.map((world) => Stage.open(this.stack, world, new Place(this.next++, this.isIpv6), this.counts)),
    );
    try {
      await Promise.all(stages.map((stage) => stage.prepare()));
      const found = [];
      // The calls of a world are made at once, and the worlds one after the other, so that no queue overflows.
      for (const stage of stages) found.push(await stage.differences());
      return found;
    } finally {
      for (const stage of stages) await stage.close();
    }
  }
}

/** Keeps a call that was answered, with what ends it. */
type Hold = (end: () => Promise<void>) => void;

/** A call that was placed, by its Call-ID. */
interface Placed {
  readonly answers: readonly string[];
  readonly invites: Invite[];
  /** Answers that are still to come, by the branch of the INVITE. */
  readonly late: Map<string, Ringing>;
}

/** An INVITE whose answer is still to come. */
interface Ringing {
  readonly request: string;
  readonly tag: string;
  readonly timer: NodeJS.Timeout;
}

/** Milliseconds after which a LATE answer comes: more than a provider may be silent (see route[ATTEMPT]). */
const RINGS = 7000;

/** Milliseconds for which a call that failed may still count, because its caller hears of it first. */
const COUNTED = 500;

/** A world that was built, with phones at its addresses. */
export class Stage {
  private readonly placed = new Map<string, Placed>();
  /** How each INVITE was answered, by its branch. */
  private readonly seen = new Map<string, string>();

  private constructor(
    private readonly stack: Stack,
    private readonly world: World,
    private readonly place: Place,
    private readonly counts: Map<string, number>,
    private readonly devices: readonly Device[],
    private readonly disable: () => Promise<void>,
    /** The refs of what exists, by kind. */
    readonly refs: Built['refs'],
    private readonly device: Phone,
    private readonly callers: ReadonlyMap<string, Phone>,
    private readonly others: readonly Phone[],
  ) {}

  /** Builds a world. Providers also answer at `more` addresses. */
  static async open(
    stack: Stack,
    world: World,
    place: Place,
    counts: Map<string, number>,
    more: readonly Hop[] = [],
  ): Promise<Stage> {
    const { devices, providers, down, spent, disable, refs } = await build(stack.app, world, place);
    await storeDown(stack.url, down);
    await setAddresses(place, 'add');
    const used = spent.flatMap(([kind, ref]) => SPENT.map((limit) => [kind, ref, limit.replace(/=.*/, '')]));
    for (const row of used)
      await runSql(
        stack.url,
        'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (FLOOR(UNIX_TIMESTAMP() / 86400), ?, ?, ?, 60)',
        row,
      );
    const open = (host: string, port?: number): Promise<Phone> =>
      Phone.open(stack.sip, host.replace(/[[\]]/g, ''), port);
    const device = await open(deviceAddress(place));
    const callers = new Map<string, Phone>();
    for (const spot of CALLERS) callers.set(place.address(spot), await open(place.address(spot)));
    const contacts = CONTACTS.map((spot) => place.address(spot));
    const all = [
      ...providers,
      ...more,
      ...contacts.flatMap((host): Hop[] => [
        [host, 5060],
        [host, 5090],
      ]),
    ];
    const hops = [...new Map(all.map((hop) => [hop.join(' '), hop])).values()];
    const others = await Promise.all(hops.map(([host, port]) => open(host, port)));
    return new Stage(stack, world, place, counts, devices, disable, refs, device, callers, others);
  }

  /**
   * Waits until the SIP server knows the domains and the sources of peers, registers the devices, and disables what is
   * disabled.
   */
  async prepare(): Promise<void> {
    const hosts = this.world.domains.map((_, index) => this.place.host(index, this.world.domains.length));
    for (const host of hosts) await this.knows(host, true);
    await this.knowsPeerAt(PROBE);
    for (const { username, domain, contact } of this.devices) {
      const user = escape(username);
      const asking = { method: 'REGISTER', uri: `sip:${domain}`, from: `${user}@${domain}` };
      const headers = [`Contact: <${this.device.contact(contact)}>`];
      await this.device.proves({ ...asking, headers }, { username, secret: 's' });
    }
    await this.disable();
    for (const [index, { isEnabled }] of this.world.domains.entries())
      if (!isEnabled) await this.knows(hosts[index] ?? '', false);
    for (const phone of [this.device, ...this.others]) phone.handle((message) => this.hear(phone, message));
  }

  /** Waits until the SIP server knows a domain, or no longer knows it. */
  async knows(host: string, isKnown: boolean): Promise<void> {
    const phone = await Phone.open(this.stack.sip, deviceAddress(this.place));
    await eventually(15, async () => {
      const asking = { method: 'REGISTER', uri: `sip:${host}`, from: `nobody@${host}` };
      expect((await phone.asks(asking))?.includes('realm="peers"')).toBe(!isKnown);
    });
    phone.close();
  }

  /** Waits until the SIP server knows a peer by its source, and with it what was changed before. */
  async knowsPeerAt(spot: Spot): Promise<void> {
    const probe = await Phone.open(this.stack.sip, this.place.address(spot));
    const asking = { method: 'INVITE', uri: `sip:nobody@${this.stack.sip}`, from: `nobody@${probe.host}` };
    await eventually(15, async () =>
      expect(await probe.asks({ ...asking, headers: [`Contact: <${probe.contact('x')}>`] })).toContain(' 404 '),
    );
    probe.close();
  }

  /** Answers a request that the SIP server sent. */
  private hear(phone: Phone, message: string): void {
    const [, method = '', requestUri = ''] = /^(INVITE|CANCEL|BYE) (\S+) /.exec(message) ?? [];
    const [callId = ''] = headersOf(message, 'Call-ID').map(valueOf);
    const placed = this.placed.get(callId);
    if (method === '' || !placed) return;
    const branch = /branch=([^;\s]+)/.exec(message)?.[1] ?? '';
    if (method !== 'INVITE') {
      phone.answers(message, '200 OK', id());
      const ringing = placed.late.get(branch);
      if (method === 'BYE' || !ringing) return;
      clearTimeout(ringing.timer);
      placed.late.delete(branch);
      phone.answers(ringing.request, '487 Request Terminated', ringing.tag);
      return;
    }
    const known = this.seen.get(branch);
    const answer =
      known ?? placed.answers[Math.min(placed.invites.length, placed.answers.length - 1)] ?? '486 Busy Here';
    const tag = id();
    const contact = [`Contact: <${phone.contact('callee')}>`];
    if (answer === LATE && known === undefined) {
      phone.answers(message, '180 Ringing', tag);
      const timer = setTimeout(() => {
        placed.late.delete(branch);
        phone.answers(message, '200 OK', tag, contact);
      }, RINGS);
      placed.late.set(branch, { request: message, tag, timer });
    } else if (answer === TRYING) phone.answers(message, '100 Trying', tag);
    else if (answer !== LATE && answer !== SILENCE) phone.answers(message, answer, tag, contact);
    if (known !== undefined) return;
    this.seen.set(branch, answer);
    const [from = ''] = headersOf(message, 'From').map(valueOf);
    const [assertedIdentity = null] = headersOf(message, 'P-Asserted-Identity').map(valueOf);
    const [diversion = null] = headersOf(message, 'Diversion').map((line) => valueOf(line).replace(/;reason=.*$/, ''));
    placed.invites.push({
      requestUri,
      nextHop: `${phone.host}:${String(phone.port)}`,
      from: from.replace(/;tag=.*$/, ''),
      assertedIdentity,
      diversion,
    });
  }

  async differences(): Promise<readonly Difference[]> {
    const { calls, held } = this.world;
    const made = held ? await this.oneByOne(held, calls) : await Promise.all(calls.map((call) => this.compare(call)));
    return made.filter(({ isAsSaid }) => !isAsSaid);
  }

  /** Calls that go on, and other calls while these are in progress. */
  private async oneByOne(held: readonly CallOf[], calls: readonly CallOf[]): Promise<readonly Difference[]> {
    const ends: (() => Promise<void>)[] = [];
    const made: Difference[] = [];
    for (const call of held) {
      made.push(await this.compare(call, (end) => ends.push(end)));
      await this.isRecorded(ends.length);
    }
    const said = await Promise.all(calls.map((call) => explained(this.stack.app, this.endsOf(call))));
    for (const [at, call] of calls.entries()) {
      const answers = call.answers.map((answer) => (answer === LATE ? '200 OK' : answer));
      const expected = said[at];
      if (!expected) continue;
      const play = (): Promise<Made> => this.played(this.endsOf(call), expected, answers.map(loud));
      let result = await play();
      if (!result.isAsSaid && result.actual.reason?.startsWith('Too Many Calls')) {
        await new Promise((done) => setTimeout(done, COUNTED));
        result = await play();
      }
      made.push({ ...result, call });
    }
    for (const end of ends) await end();
    return made;
  }

  /** Waits until explainCall knows which calls of this world are in progress: so many that were answered. */
  private async isRecorded(many: number): Promise<void> {
    await eventually(10, async () => {
      const rows = await runSql(this.stack.url, 'SELECT call_id, state FROM calls WHERE state IN (1, 2, 3)');
      const states = rows.flatMap(([callId, state]) => (this.placed.has(String(callId)) ? [Number(state)] : []));
      expect(states).toEqual(Array.from({ length: many }, () => 3));
    });
  }

  private endsOf({ from, to, spot }: CallOf): Ends {
    return {
      from: this.place.end(from, this.world),
      to: this.place.end(to, this.world),
      source: this.place.address(spot),
    };
  }

  private async compare(call: CallOf, hold?: Hold): Promise<Difference> {
    return { ...(await this.call(this.endsOf(call), call.answers, hold)), call };
  }

  /** Asks what becomes of a call, and makes it. The providers and devices answer in this way, in this order. */
  async call(ends: Ends, scripted: readonly string[], hold?: Hold): Promise<Made> {
    return this.played(ends, await explained(this.stack.app, ends), scripted, hold);
  }

  /** Makes a call of which this was said. */
  private async played(ends: Ends, expected: Result, scripted: readonly string[], hold?: Hold): Promise<Made> {
    const answers = playable(expected, scripted);
    const actual = await this.make(ends, answers, hold);
    const { outcome, status } = expected;
    const kind = status === null ? outcome : `${outcome} ${String(status)}`;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return { ...ends, expected, actual, isAsSaid: isSame(expected, actual, answers) };
  }

  /** Makes a call as a phone, a PBX or a provider does. */
  private async make({ from, to, source }: Ends, answers: readonly string[], hold?: Hold): Promise<Result> {
    const phone = this.callers.get(source);
    if (!phone) throw new Error(`nobody calls from ${source}`);
    const [callId, fromTag] = [id(), id()];
    const placed: Placed = { answers, invites: [], late: new Map() };
    this.placed.set(callId, placed);
    const [, user = '', host = phone.host] = /^(.*?)(?:@(.*))?$/.exec(from) ?? [];
    const isLocal = host.endsWith('.test') && host !== 'elsewhere.test';
    const dialed = to.includes('@') ? to : `${to.replace(/[\s()-]/g, '')}@${isLocal ? host : this.stack.sip}`;
    const uri = `sip:${escape(dialed)}`;
    const asking = { method: 'INVITE', uri, from: `${escape(user)}@${host}`, to: escape(dialed), callId, fromTag };
    const headers = [`Contact: <${phone.contact('caller')}>`];
    const first = await this.invite(phone, { ...asking, headers, cseq: 1 }, hold);
    const isChallenged = first.startsWith('SIP/2.0 407') && from.includes('@');
    const credentials = { username: user, secret: 's' };
    const proof = isChallenged ? digest(first, 'INVITE', uri, credentials) : '';
    const last = isChallenged
      ? await this.invite(phone, { ...asking, headers: [...headers, proof], cseq: 2 }, hold)
      : first;
    const [, status = '', reason = ''] = /^SIP\/2\.0 (\d+) (.*)/.exec(last) ?? [];
    for (const { timer } of placed.late.values()) clearTimeout(timer);
    const { invites } = placed;
    if (invites.length > 0) return { outcome: 'INVITES', status: Number(status), reason: null, invites };
    return { outcome: 'REFUSED', status: Number(status), reason, invites };
  }

  /** Sends an INVITE, and acknowledges its final response, which it returns. */
  private async invite(phone: Phone, asking: Asking, hold?: Hold): Promise<string> {
    const branch = `z9hG4bK${id()}`;
    phone.says({ ...asking, branch });
    const { callId = '', cseq = 1 } = asking;
    const isFinal = (text: string): boolean =>
      /^SIP\/2\.0 [2-6]/.test(text) && text.includes(callId) && text.includes(`CSeq: ${String(cseq)} INVITE`);
    const answer = (await phone.hears(isFinal, 40)) ?? '';
    const toTag = tagOf(answer);
    if (answer.startsWith('SIP/2.0 2')) {
      const hangUp = acknowledge(phone, asking, answer);
      const end = async (): Promise<void> => {
        if ((await hangUp())?.startsWith('SIP/2.0 481') !== true) return;
        // Of two devices that answer at the same moment, the SIP server has the other one as the callee.
        const other = await phone.hears((text) => isFinal(text) && tagOf(text) !== toTag, 5);
        if (other !== undefined) await acknowledge(phone, asking, other)();
      };
      if (hold) hold(end);
      else await end();
      return answer;
    }
    phone.says({ ...asking, method: 'ACK', headers: [], branch, ...(toTag !== undefined && { toTag }) });
    return answer;
  }

  async close(): Promise<void> {
    for (const phone of [this.device, ...this.callers.values(), ...this.others]) phone.close();
    await setAddresses(this.place, 'del');
  }
}

async function explained(app: TestApp, { from, to, source }: Ends): Promise<Result> {
  const { data, errors } = await app.graphql<Answer>(QUERY, { from, to, source });
  if (errors) throw new Error(`explainCall of ${from}, ${to}, ${source}: ${JSON.stringify(errors)}`);
  const { attempts, steps, ...result } = data.explainCall;
  return { ...result, invites: attempts, routes: steps.flatMap(({ route }) => route ?? []) };
}

/** Acknowledges an answer. Returns what ends the call, and returns the response to BYE. */
function acknowledge(phone: Phone, asking: Asking, answer: string): () => Promise<string | undefined> {
  const uri = /<([^>]+)>/.exec(headersOf(answer, 'Contact')[0] ?? '')?.[1] ?? asking.uri;
  const headers = headersOf(answer, 'Record-Route')
    .map((route) => `Route: ${valueOf(route)}`)
    .reverse();
  const within = { ...asking, toTag: tagOf(answer) ?? '', uri, headers };
  const { callId = '', cseq = 1 } = asking;
  phone.says({ ...within, method: 'ACK' });
  return () => {
    phone.says({ ...within, method: 'BYE', cseq: cseq + 1 });
    return phone.hears((text) => text.includes(callId) && text.includes(`CSeq: ${String(cseq + 1)} BYE`), 5);
  };
}

/** The tag in To. */
function tagOf(response: string): string | undefined {
  return /;tag=(\S+)/.exec(headersOf(response, 'To')[0] ?? '')?.[1];
}

function valueOf(header: string): string {
  return header.slice(header.indexOf(':') + 1).trim();
}
