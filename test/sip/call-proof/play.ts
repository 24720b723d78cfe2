import type { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { runSql } from '../../support/sql';
import { digest, headersOf, id, Phone, type Asking } from '../phone';
import type { Stack } from '../stack';
import { build, deviceAddress, escape, SPENT, type Built, type Device, type Hop } from './build';
import { storeDown } from './down';
import { CALLERS, CONTACTS, LATE, Place, PROBE, SILENCE, TRYING, type CallOf, type Spot, type World } from './world';

/** What explainCall says, or what happened. */
export interface Result {
  readonly outcome: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly invites: readonly Invite[];
}

/** An INVITE that the SIP server sends, or sent. */
export interface Invite {
  readonly requestUri: string;
  readonly nextHop: string | null;
  readonly from: string | null;
  readonly assertedIdentity: string | null;
  readonly diversion: string | null;
  /** Of what explainCall says. */
  readonly order?: number;
  readonly after?: number | null;
  readonly share?: number | null;
  readonly gateway?: { readonly ref: string; readonly name: string } | null;
  readonly number?: { readonly telUrl: string } | null;
}

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
    attempts { order after share requestUri nextHop from assertedIdentity diversion gateway { ref name } number { telUrl } }
  }
}`;

interface Answer {
  readonly explainCall: Omit<Result, 'invites'> & { readonly attempts: readonly Invite[] };
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

  constructor(private readonly stack: Stack) {}

  /** Builds the worlds, and makes their calls. Returns the differences of each. */
  async play(worlds: readonly World[]): Promise<readonly (readonly Difference[])[]> {
    const stages = await Promise.all(
      worlds.map((world) => Stage.open(this.stack, world, new Place(this.next++), this.counts)),
    );
    try {
      await Promise.all(stages.map((stage) => stage.prepare()));
      const found = [];
      // The calls of a world are made at once, and the worlds one after the other, so that no queue overflows.
      for (const stage of stages) found.push(await stage.differences());
      return found;
    } finally {
      for (const stage of stages) stage.close();
    }
  }
}

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
/** The most silent providers of a call, each of which takes that long. */
const MOST_SILENT = 2;

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
    const used = spent.flatMap(([kind, ref]) => SPENT.map((limit) => [kind, ref, limit.replace(/=.*/, '')]));
    for (const row of used)
      await runSql(
        stack.url,
        'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (FLOOR(UNIX_TIMESTAMP() / 86400), ?, ?, ?, 60)',
        row,
      );
    const open = (host: string, port?: number): Promise<Phone> => Phone.open(stack.sip, host, port);
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
    const results = await Promise.all(this.world.calls.map((call) => this.compare(call)));
    return results.flatMap((difference) => difference ?? []);
  }

  private async compare(call: CallOf): Promise<Difference | undefined> {
    const [from, to] = [this.place.end(call.from, this.world), this.place.end(call.to, this.world)];
    const made = await this.call({ from, to, source: this.place.address(call.spot) }, call.answers);
    return made.isAsSaid ? undefined : { ...made, call };
  }

  /** Asks what becomes of a call, and makes it. The providers and devices answer in this way, in this order. */
  async call(ends: Ends, scripted: readonly string[]): Promise<Made> {
    const expected = await explained(this.stack.app, ends);
    const answers = playable(expected, scripted);
    const actual = await this.make(ends, answers);
    const { outcome, status } = expected;
    const kind = status === null ? outcome : `${outcome} ${String(status)}`;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return { ...ends, expected, actual, isAsSaid: isSame(expected, actual, answers) };
  }

  /** Makes a call as a phone, a PBX or a provider does. */
  private async make({ from, to, source }: Ends, answers: readonly string[]): Promise<Result> {
    const phone = this.callers.get(source);
    if (!phone) throw new Error(`nobody calls from ${source}`);
    const [callId, fromTag] = [id(), id()];
    const placed: Placed = { answers, invites: [], late: new Map() };
    this.placed.set(callId, placed);
    const [, user = '', host = source] = /^(.*?)(?:@(.*))?$/.exec(from) ?? [];
    const isLocal = host.endsWith('.test') && host !== 'elsewhere.test';
    const dialed = to.includes('@') ? to : `${to.replace(/[\s()-]/g, '')}@${isLocal ? host : this.stack.sip}`;
    const uri = `sip:${escape(dialed)}`;
    const asking = { method: 'INVITE', uri, from: `${escape(user)}@${host}`, to: escape(dialed), callId, fromTag };
    const headers = [`Contact: <${phone.contact('caller')}>`];
    const first = await this.invite(phone, { ...asking, headers, cseq: 1 });
    const isChallenged = first.startsWith('SIP/2.0 407') && from.includes('@');
    const credentials = { username: user, secret: 's' };
    const last = isChallenged
      ? await this.invite(phone, {
          ...asking,
          headers: [...headers, digest(first, 'INVITE', uri, credentials)],
          cseq: 2,
        })
      : first;
    const [, status = '', reason = ''] = /^SIP\/2\.0 (\d+) (.*)/.exec(last) ?? [];
    for (const { timer } of placed.late.values()) clearTimeout(timer);
    const { invites } = placed;
    if (invites.length > 0) return { outcome: 'INVITES', status: Number(status), reason: null, invites };
    return { outcome: 'REFUSED', status: Number(status), reason, invites };
  }

  /** Sends an INVITE, and acknowledges its final response, which it returns. */
  private async invite(phone: Phone, asking: Asking): Promise<string> {
    const branch = `z9hG4bK${id()}`;
    phone.says({ ...asking, branch });
    const { callId = '', cseq = 1 } = asking;
    const isFinal = (text: string): boolean =>
      /^SIP\/2\.0 [2-6]/.test(text) && text.includes(callId) && text.includes(`CSeq: ${String(cseq)} INVITE`);
    const answer = (await phone.hears(isFinal, 40)) ?? '';
    const toTag = /;tag=(\S+)/.exec(headersOf(answer, 'To')[0] ?? '')?.[1];
    if (answer.startsWith('SIP/2.0 2')) {
      hangUp(phone, { ...asking, toTag: toTag ?? '' }, answer);
      return answer;
    }
    phone.says({ ...asking, method: 'ACK', headers: [], branch, ...(toTag !== undefined && { toTag }) });
    return answer;
  }

  close(): void {
    for (const phone of [this.device, ...this.callers.values(), ...this.others]) phone.close();
  }
}

async function explained(app: TestApp, { from, to, source }: Ends): Promise<Result> {
  const { data, errors } = await app.graphql<Answer>(QUERY, { from, to, source });
  if (errors) throw new Error(`explainCall of ${from}, ${to}, ${source}: ${JSON.stringify(errors)}`);
  const { attempts, ...result } = data.explainCall;
  return { ...result, invites: attempts };
}

/** Acknowledges an answer, and ends the call. */
function hangUp(phone: Phone, asking: Asking, answer: string): void {
  const uri = /<([^>]+)>/.exec(headersOf(answer, 'Contact')[0] ?? '')?.[1] ?? asking.uri;
  const headers = headersOf(answer, 'Record-Route')
    .map((route) => `Route: ${valueOf(route)}`)
    .reverse();
  const within = { ...asking, uri, headers };
  phone.says({ ...within, method: 'ACK' });
  phone.says({ ...within, method: 'BYE', cseq: (asking.cseq ?? 1) + 1 });
}

/**
 * The answers of those who are called, without silence where it would last for too long: for what rings, for the last way out, and
 * after MOST_SILENT others.
 */
function playable(said: Result, answers: readonly string[]): readonly string[] {
  const loud = (answer: string): string => (isSilent(answer) ? '503 Service Unavailable' : answer);
  if (said.outcome !== 'LEAVES') return answers.map(loud);
  const many = said.invites.filter(({ nextHop }) => nextHop !== null).length;
  let silent = 0;
  return Array.from({ length: Math.max(1, many) }, (_, index) => {
    const answer = answers[Math.min(index, answers.length - 1)] ?? '';
    const isLoud = index >= many - 1 || (isSilent(answer) && ++silent > MOST_SILENT);
    return isLoud ? loud(answer) : answer;
  });
}

function isSilent(answer: string): boolean {
  return answer === SILENCE || answer === TRYING;
}

/** Whether somebody answers the call. */
function isAnswer(answer: string | undefined): boolean {
  return answer === LATE || answer?.startsWith('2') === true;
}

/** Whether an answer of a gateway makes the SIP server try the next one. */
function isFailure(answer: string): boolean {
  return answer.startsWith('5') || isSilent(answer);
}

/**
 * The INVITEs that are sent if the gateways and devices answer in this way, by their order: those that follow only a
 * failure are not sent after another answer. A host without an address is not called.
 */
function sentOf(said: Result, answers: readonly string[]): readonly (readonly Invite[])[] {
  const orders = new Map<number, Invite[]>();
  for (const invite of said.invites) {
    const { order = 0 } = invite;
    orders.set(order, [...(orders.get(order) ?? []), invite]);
  }
  const sent: (readonly Invite[])[] = [];
  let many = 0;
  let isOver = false;
  for (const [order, all] of [...orders].sort(([a], [b]) => a - b)) {
    if (order > 1 && all[0]?.after === null && isOver) continue;
    const invites = all.filter(({ nextHop }) => nextHop !== null);
    if (invites.length === 0) {
      // It fails at once, so the next one is tried.
      isOver = false;
      continue;
    }
    many += invites.length;
    isOver = !isFailure(answers[Math.min(many, answers.length) - 1] ?? '');
    sent.push(invites);
    if (answersTo(many - invites.length, many, answers).some(isAnswer)) break;
  }
  return sent;
}

/** The answers to the INVITEs from one position to before another. */
function answersTo(from: number, to: number, answers: readonly string[]): readonly string[] {
  return Array.from({ length: to - from }, (_, at) => answers[Math.min(from + at, answers.length - 1)] ?? '');
}

/**
 * The final status of a call for which these INVITEs are sent: 200 if somebody answers, and otherwise the refusal of the only one
 * who is called, or of the way after which no other one is tried. Undefined if it depends on several.
 */
function finalOf(said: Result, sent: readonly (readonly Invite[])[], answers: readonly string[]): number | undefined {
  const all = answersTo(0, sent.flat().length, answers);
  // One of the devices of an agent that declines ends the call before another one answers late.
  const isDeclined = said.outcome === 'RINGS' && all.some((answer) => answer.startsWith('6'));
  if (isDeclined && all.includes(LATE)) return undefined;
  if (all.some(isAnswer)) return 200;
  const last = all.at(-1) ?? '';
  const isOne =
    said.outcome === 'LEAVES' ? said.invites.every(({ nextHop }) => nextHop !== null) : said.invites.length === 1;
  return isOne && /^[46]/.test(last) ? Number(last.slice(0, 3)) : undefined;
}

/**
 * What explainCall says, in the order of what happened where that is random: gateways whose share of the calls is told come in any
 * order, each with all its places.
 */
function arranged(said: Result, actual: Result): Result {
  const keyOf = ({ gateway, number }: Invite): string => `${gateway?.name ?? ''} ${number?.telUrl ?? ''}`;
  const sentTo = ({ requestUri, nextHop, from, assertedIdentity }: Invite): string =>
    [requestUri, addressIn(nextHop ?? ''), from, assertedIdentity].join(' ');
  const sent = actual.invites.map(sentTo);
  const placeOf = ([first]: readonly Invite[]): number => {
    const at = first ? sent.indexOf(sentTo(first)) : -1;
    return at < 0 ? sent.length : at;
  };
  const left = [...said.invites];
  const invites: Invite[] = [];
  while (left.length > 0) {
    const fixed = left.findIndex(({ share }) => (share ?? null) === null);
    const group = left.splice(0, fixed === 0 ? 1 : fixed < 0 ? left.length : fixed);
    const blocks = [...new Set(group.map(keyOf))].map((key) => group.filter((each) => keyOf(each) === key));
    invites.push(...blocks.toSorted((a, b) => placeOf(a) - placeOf(b)).flat());
  }
  const turns = said.invites.map(({ order, after }) => ({ order, after }));
  return { ...said, invites: invites.map((invite, at) => ({ ...invite, ...turns[at] })) };
}

/** Whether what happened is what explainCall says, if the gateways and devices answer in this way. */
function isSame(said: Result, actual: Result, answers: readonly string[]): boolean {
  if (said.outcome === 'UNKNOWN') return true;
  // Of gateways that share the calls, an outside number that rings together with others is called through any one.
  const isRandom = ({ share, order }: Invite): boolean =>
    (share ?? null) !== null && said.invites.filter((each) => each.order === order).length > 1;
  if (said.invites.some(isRandom)) return true;
  if (said.outcome === 'REFUSED')
    return actual.outcome === 'REFUSED' && actual.status === said.status && actual.reason === said.reason;
  let from = 0;
  const sent = sentOf(arranged(said, actual), answers);
  const final = finalOf(said, sent, answers);
  if (final !== undefined && final !== actual.status) return false;
  for (const invites of sent) {
    const heard = actual.invites.slice(from, from + invites.length);
    from += invites.length;
    const [told, done] = [invites, heard].map((some) =>
      some
        .map((invite) => {
          const { requestUri, nextHop, assertedIdentity, diversion } = invite;
          // Those who ring together are called in any order.
          const isSaid = invites.find((each) => each.requestUri === requestUri)?.from !== null;
          const shown = isSaid ? invite.from : null;
          return [requestUri, addressIn(nextHop ?? ''), shown, assertedIdentity, diversion].join(' ');
        })
        .sort()
        .join('\n'),
    );
    if (told !== done) return false;
  }
  return from === actual.invites.length;
}

/** The host:port of a SIP URI. */
function addressIn(uri: string): string {
  const place = uri.replace(/^sips?:([^@]*@)?/, '').replace(/[;?].*$/, '');
  return place.includes(':') ? place : `${place}:5060`;
}

function valueOf(header: string): string {
  return header.slice(header.indexOf(':') + 1).trim();
}
