import { contactOf, type Actor } from './actor';
import type { Attack, Call, Registration, Request, Step, Subscription } from './attacks';
import { addressOf, areNeighbours, CAST, NUMBERS, NUMBER2, OUTSIDE_NUMBER, type Name } from './cast';
import type { WrittenAnswer, WrittenHeader } from './headers';
import { eventsIn, judge, type Scene, type Violation } from './judge';
import { acknowledgement, answerTo, contactIn, cseqOf, requestText, routesIn, tagOf, type Outline } from './messages';
import { addressesIn, urisIn, valuesOf } from './readings';
import { render, renderHeaders, type Lines, type Meaning } from './render';
import type { World } from './world';

/** What came of an attack. */
export interface Outcome {
  readonly violations: readonly Violation[];
  /** What was accepted and relayed, such as `REFER in a call`. */
  readonly effects: readonly string[];
}

/** Plays an attack, and judges all that is heard. */
export async function play(world: World, attack: Attack): Promise<Outcome> {
  const performance = new Play(world, attack);
  await performance.run();
  return performance;
}

/** Registers the usual phone of an agent. Returns whether it was accepted. */
export async function registers(world: World, who: Name): Promise<boolean> {
  const usual = { uri: undefined, from: undefined, to: undefined, headers: [] };
  return new Play(world, { kind: 'registration', who, caller: 'otto', ...usual }).registers();
}

/** Whether a usual call from somebody to another one is answered, and ends. */
export async function reaches(world: World, caller: Name, callee: Name): Promise<boolean> {
  const usual = { inviting: [], accepting: [], acceptedBy: undefined, isTagEqual: false, isRung: false, reading: 0 };
  return (await play(world, { kind: 'call', caller, callee, ...usual, steps: [] })).effects.includes('BYE in a call');
}

/** Sends what is heard to the play that caused it. Returns a list to which the violations of all others are added. */
export function listen(world: World): readonly Violation[] {
  const strays: Violation[] = [];
  world.listener = (actor, text, answer) => {
    const number = /^(?:Call-ID|i)[ \t]*:\s*(\d+)-/im.exec(text)?.[1];
    const scene = plays.get(Number(number ?? 0));
    if (scene) scene.hears(actor, text, answer);
    else {
      strays.push(...judge(actor.name, text, undefined));
      // A gateway registers.
      const contacts = valuesOf(text, 'contact').map((value) => `Contact: ${value};expires=600`);
      if (text.startsWith('REGISTER ')) answer(answerTo(text, '200 OK', 'r', contacts));
    }
  };
  return strays;
}

/** How one side of a dialog sees it. */
interface Side extends Pick<Outline, 'from' | 'to' | 'uri'> {
  readonly by: Name;
  readonly routes: readonly string[];
}

/** An answer. Without `by`, who was asked sends it. */
interface Answer extends Partial<Lines> {
  readonly status: string;
  readonly by?: Name | undefined;
}

let count = 0;
const plays = new Map<number, Play>();

class Play implements Outcome {
  readonly violations: Violation[] = [];
  readonly effects: string[] = [];
  private readonly number = ++count;
  private readonly heard: { readonly by: Name; readonly text: string }[] = [];
  private readonly seen = new Set<string>();
  /** The requests that were sent, by Call-ID and CSeq. */
  private readonly sent = new Map<string, string>();
  /** The INVITEs that ring, by who hears them. */
  private readonly ringing = new Map<Name, string>();
  private readonly scene: Scene;
  /** Whether Kamailio may send something over TCP, which other processes do. */
  private readonly isSlow: boolean;
  private requests = 0;
  /** Whether somebody sends who is no party of the dialog. */
  private isForeign = false;
  /** How the phones answer a method. Undefined: in the usual way. */
  private answering: (method: string) => Answer | undefined = () => undefined;

  /** Who heard the latest SUBSCRIBE, and who answered it. */
  private readonly notifiers = new Set<Name>();

  constructor(
    private readonly world: World,
    private readonly attack: Attack,
  ) {
    plays.set(this.number, this);
    // Kamailio cancels a call that only rings after 120 s.
    plays.delete(this.number - 60_000);
    this.isSlow = /transport=tcp|tom|toni/i.test(JSON.stringify(attack));
    const { kind } = attack;
    this.scene = {
      ...{
        kind,
        isBeginning: true,
        hearers: undefined,
        responder: undefined,
        subscriptions: [],
        referrers: new Set(),
        targets: new Set(),
      },
      proxies: new Map(),
      sender: 'who' in attack ? attack.who : attack.caller,
      isOutgoing: kind === 'call' && CAST[attack.callee].kind === 'provider',
      ...('caller' in attack && { caller: attack.caller }),
    };
  }

  async run(): Promise<void> {
    const { attack, world } = this;
    if (attack.kind === 'call')
      for (const name of [attack.caller, attack.callee])
        if (await world.actors[name].ready()) await registers(world, name);
    if (attack.kind === 'registration') await this.playRegistration(attack);
    else if (attack.kind === 'request') await this.playRequest(attack);
    else if (attack.kind === 'call') await this.playCall(attack);
    else await this.playSubscription(attack);
    // What follows a message with a wrong length is lost.
    if (this.isSlow && JSON.stringify(attack).includes('content-length')) world.disconnect();
  }

  // What is heard

  hears(actor: Actor, text: string, reply: (text: string) => void): void {
    if (this.seen.has(`${actor.name} ${text}`)) return;
    this.seen.add(`${actor.name} ${text}`);
    this.violations.push(...judge(actor.name, text, this.scene));
    const { isEdge = false } = CAST[actor.name];
    if (isEdge && /^(INVITE|SUBSCRIBE) /.test(text))
      text = text.replace('\r\n', `\r\nRecord-Route: <sip:${actor.place};lr>\r\n`);
    this.heard.push({ by: actor.name, text });
    if (text.startsWith('SIP/2.0 ')) {
      const request = this.sent.get(`${valuesOf(text, 'call-id')[0] ?? ''} ${String(cseqOf(text))}`);
      if (/^SIP\/2\.0 [3-6]/.test(text) && request?.startsWith('INVITE ') === true)
        this.world.send(actor, acknowledgement(request, text));
    } else this.answers(actor, text, reply);
  }

  private answers(actor: Actor, text: string, reply: (text: string) => void): void {
    const { scene } = this;
    const [method = ''] = text.split(' ', 1);
    if (actor.name !== scene.sender) {
      this.effects.push(`${method} in a ${scene.kind}`);
      if (method === 'REFER') scene.referrers.add(scene.sender);
    }
    if (method === 'ACK') return;
    const usual = usualAnswer(method, actor);
    const { status, lines, replaced, by = actor.name } = this.answering(method) ?? usual;
    const tag = this.tagOf(actor.name);
    scene.responder = by;
    if (method === 'SUBSCRIBE') this.notifiers.add(actor.name).add(by);
    const send = by === actor.name ? reply : (answer: string) => this.world.actors[by].send(answer);
    this.world.answer(by, answerTo(text, status, tag, lines, replaced), send);
    // A call that waits is ended later.
    if (status.startsWith('183')) this.ringing.set(actor.name, text);
    else if (status.startsWith('1'))
      this.world.answer(actor.name, answerTo(text, usual.status, tag, usual.lines), reply);
    const rung = this.ringing.get(actor.name);
    if (method === 'CANCEL' && rung !== undefined)
      this.world.answer(actor.name, answerTo(rung, '487 Request Terminated', tag), reply);
  }

  /** The tag of whoever answers: of the callee, of its second phone, or of the receiver of a foreign request. */
  private tagOf(name: Name): string {
    if (name === 'fay2') return this.tag('u');
    if ('isTagEqual' in this.attack && this.attack.isTagEqual) return this.tag('f');
    return this.tag(this.isForeign ? 'o' : 't');
  }

  private tag(letter: string): string {
    return letter + String(this.number);
  }

  // Registrations and requests

  private async playRegistration({ who, caller, from, to }: Registration): Promise<void> {
    await this.world.actors[who].ready();
    if (!(await this.registers())) return;
    this.effects.push('REGISTER');
    await this.calls(caller, who);
    // The phones of others are still called.
    if ((from !== undefined || to !== undefined) && !(await this.calls('otto', 'anna')))
      this.violations.push({ kind: 'destination: anna is not called any more', message: '' });
    this.scene.hearers = [who];
    this.scene.sender = who;
    const own = `<sip:${addressOf(who)}>`;
    const end = { method: 'REGISTER', uri: `sip:${CAST[who].domain}`, to: own, callId: this.callId(), cseq: 1 };
    await this.asks(who, { ...end, from: `${own};tag=f`, headers: ['Contact: *', 'Expires: 0'] });
  }

  async registers(): Promise<boolean> {
    const { attack } = this;
    if (attack.kind !== 'registration') return false;
    const { who, caller, uri, from, to, headers } = attack;
    this.scene.hearers = [];
    const meaning = this.meaning(who, caller);
    const [home, own] = [`sip:${CAST[who].domain}`, `<sip:${addressOf(who)}>`];
    const answer = await this.asks(who, {
      ...{ method: 'REGISTER', callId: this.callId(), cseq: 1 },
      uri: render(uri ?? home, meaning, home),
      from: `${render(from ?? own, meaning)};tag=f`,
      to: render(to ?? own, meaning),
      headers: this.write(headers, who, caller, this.usualHeaders(who, 'REGISTER')).lines,
    });
    return answer?.startsWith('SIP/2.0 200') ?? false;
  }

  /** Somebody calls another one, who alone may hear it. Returns whether the call arrives. */
  private async calls(caller: Name, callee: Name): Promise<boolean> {
    this.scene.hearers = [callee];
    this.scene.sender = caller;
    const before = this.heard.length;
    await this.asks(caller, this.invitation(caller, callee, []));
    return this.heard.slice(before).some(({ by, text }) => by === callee && text.startsWith('INVITE'));
  }

  private async playRequest({ who, other, method, uri, from, to, headers, answer }: Request): Promise<void> {
    this.setAnswer(answer, other, who);
    const meaning = this.meaning(who, other);
    const usual = `sip:${this.dialed(who, other)}`;
    await this.asks(who, {
      ...{ method, callId: this.callId(), cseq: 1 },
      uri: render(uri ?? usual, meaning, usual),
      from: `${render(from ?? `<sip:${addressOf(who)}>`, meaning)};tag=f`,
      to: render(to ?? `<${usual}>`, meaning),
      headers: this.write(headers, who, other, this.usualHeaders(who, method)).lines,
    });
  }

  /** What somebody dials to call another one. */
  private dialed(caller: Name, callee: Name): string {
    if (caller === 'provider2') return `${NUMBER2}@${this.world.stack.sip}`;
    const [number = '+4930101'] = Object.entries(NUMBERS).find(([, name]) => name === callee) ?? [];
    if (CAST[caller].kind === 'provider') return `${number}@${this.world.stack.sip}`;
    return CAST[callee].kind === 'provider' ? `${OUTSIDE_NUMBER}@${CAST[caller].domain}` : addressOf(callee);
  }

  private invitation(caller: Name, callee: Name, headers: readonly WrittenHeader[], method = 'INVITE', event?: string) {
    const to = this.dialed(caller, callee);
    const { lines } = this.write(headers, caller, callee, this.usualHeaders(caller, method, event));
    const outline: Outline = {
      ...{ method, callId: this.callId(), cseq: 1, uri: `sip:${to}`, to: `<sip:${to}>`, headers: lines },
      from: `<sip:${addressOf(caller)}>;tag=${this.tag('f')}`,
    };
    return outline;
  }

  // Dialogs

  private async playCall(attack: Call): Promise<void> {
    const { caller, callee, inviting, isRung, steps } = attack;
    const { scene } = this;
    const isForked = callee === 'fay';
    scene.hearers = [caller, callee, ...(isForked ? (['fay2'] as const) : [])];
    const accepting = this.accepting(attack, isRung ? '183 Session Progress' : '200 OK', 'INVITE');
    this.answering = (method) => (method === 'INVITE' ? accepting : undefined);
    if (CAST[callee].kind === 'provider') scene.targets.add(OUTSIDE_NUMBER);
    const invitation = this.invitation(caller, callee, inviting);
    const answer = await this.asks(caller, invitation, /^SIP\/2\.0 (183|[2-6])/);
    const { callId } = invitation;
    const cseq = cseqOf(answer ?? '');
    const isAnswered = answer?.startsWith('SIP/2.0 2') === true;
    const sides = this.sides(attack, invitation, answer);
    if (sides && isAnswered) {
      if (isForked) scene.hearers = [caller, callee];
      await this.within(sides.caller, 'ACK', callId, cseq);
    }
    if (sides && (isAnswered || isRung)) await this.playSteps(steps, sides, callId, cseq);
    this.answering = () => undefined;
    const side = { ...invitation, by: caller, routes: [] };
    if (!isAnswered) await this.within(side, 'CANCEL', callId, cseq);
    else if (sides) {
      await this.within(sides.caller, 'BYE', callId, 900);
      // If that was not relayed, because the caller wrote a wrong Contact.
      await this.within(sides.callee, 'BYE', callId, 901);
    }
  }

  private async playSubscription(attack: Subscription): Promise<void> {
    const { caller, callee, inviting, event, steps } = attack;
    this.scene.hearers = [caller, callee];
    const accepting = this.accepting(attack, '200 OK', 'SUBSCRIBE');
    this.answering = () => accepting;
    const subscribe = this.invitation(caller, callee, inviting, 'SUBSCRIBE', event);
    const answer = await this.asks(caller, subscribe);
    const sides = this.sides(attack, subscribe, answer);
    if (sides && answer?.startsWith('SIP/2.0 2') === true)
      await this.playSteps(steps, sides, subscribe.callId, cseqOf(answer), event);
  }

  /** The answer with which a dialog begins. */
  private accepting(
    { caller, callee, accepting, acceptedBy }: Call | Subscription,
    status: string,
    method: string,
  ): Answer {
    const by = acceptedBy ?? callee;
    return {
      status,
      by: acceptedBy,
      ...this.write(accepting, by, caller, usualAnswer(method, this.world.actors[by]).usual),
    };
  }

  /** Both sides of a dialog that the answer begins. Undefined if the request was not heard. */
  private sides({ caller, callee, reading }: Call | Subscription, asked: Outline, answer: string | undefined) {
    this.scene.isBeginning = false;
    const start = `${asked.method} `;
    const heard = this.heard.findLast(({ by, text }) => by === callee && text.startsWith(start))?.text;
    if (answer === undefined || heard === undefined) return undefined;
    const [to = '', from = ''] = [...valuesOf(heard, 'to'), ...valuesOf(heard, 'from')];
    const routes = (text: string, by: Name): readonly string[] => routesIn(text, this.world.placeOf(by));
    const callers = { by: caller, from: asked.from, to: valuesOf(answer, 'to')[0] ?? '' };
    const callees = { by: callee, from: `${to};tag=${this.tagOf(callee)}`, to: from };
    return {
      caller: { ...callers, uri: contactIn(answer, reading), routes: [...routes(answer, caller)].reverse() },
      callee: { ...callees, uri: contactIn(heard, reading), routes: routes(heard, callee) },
    };
  }

  private async playSteps(
    steps: readonly Step[],
    sides: { readonly caller: Side; readonly callee: Side },
    callId: string,
    began: number,
    event?: string,
  ): Promise<void> {
    for (const [at, step] of steps.entries()) {
      const isCallee = step.side === 'callee' || step.side === sides.callee.by;
      const [side, { by: other }] = isCallee ? [sides.callee, sides.caller] : [sides.caller, sides.callee];
      const cseq = step.method === 'CANCEL' ? began : 10 * (at + 1);
      await this.playStep(step, side, other, { callId, cseq }, event);
    }
  }

  private async playStep(
    { method, parties, headers, ...step }: Step,
    side: Side,
    other: Name,
    ids: Pick<Outline, 'callId' | 'cseq'>,
    event?: string,
  ): Promise<void> {
    const { scene } = this;
    const by = step.side === 'caller' || step.side === 'callee' ? side.by : step.side;
    const isAnew = parties === 'anew';
    const isCancel = method === 'CANCEL';
    const { hearers = [] } = scene;
    // A party may change its port.
    const { isTagEqual = false } = 'isTagEqual' in this.attack ? this.attack : {};
    const claimed = isTagEqual ? [side.by, other] : [parties === 'swapped' ? other : side.by];
    const isMoved = !claimed.includes(by) && claimed.some((party) => areNeighbours(by, party));
    const parted = isMoved ? [...hearers, by] : hearers;
    const isParty = parted.includes(by);
    scene.sender = by;
    scene.isBeginning = isAnew;
    this.isForeign = !isParty;
    // Somebody else is heard by nobody, except for a new request to whomever it names. Only a caller may cancel.
    if (isCancel ? by !== scene.caller : !isParty && !isAnew) scene.hearers = [];
    else scene.hearers = isAnew && !isCancel ? undefined : parted;
    const meaning = this.meaning(by, other);
    const [from, to] = parties === 'swapped' ? [side.to, side.from] : [side.from, side.to];
    const tag = parties === 'other tag' ? `;tag=${this.tag('x')}` : tagOf(from);
    const usual = isAnew || isCancel ? `sip:${this.dialed(by, other)}` : side.uri || `sip:${addressOf(other)}`;
    const { lines, replaced } = this.write(headers, by, other, this.usualHeaders(by, method, event));
    this.setAnswer(step.answer, other, by);
    const routes = replaced.has('route') || isAnew || isCancel ? [] : side.routes;
    const answer = await this.asks(by, {
      ...{ method, ...ids },
      from: render(step.from ?? (isAnew ? `<sip:${addressOf(by)}>` : from.replace(tagOf(from), '')), meaning) + tag,
      to: isAnew || isCancel ? `<${usual}>` : step.to === undefined ? to : render(step.to, meaning) + tagOf(to),
      uri: render(step.uri ?? usual, meaning, usual),
      headers: step.isRoutedFirst ? [...routes, ...lines] : [...lines, ...routes],
    });
    if (answer?.startsWith('SIP/2.0 2') === true && method === 'INVITE') {
      const begun = this.begunBy(by, answer);
      await this.within(isAnew ? begun : { ...side, by }, 'ACK', ids.callId, cseqOf(answer));
      if (isAnew) await this.within(begun, 'BYE', ids.callId, cseqOf(answer) + 1);
    }
    scene.hearers = parted;
    scene.isBeginning = false;
    this.isForeign = false;
  }

  /** The caller's side of a dialog that an answer begins. */
  private begunBy(by: Name, answer: string): Side {
    const [from = '', to = ''] = [...valuesOf(answer, 'from'), ...valuesOf(answer, 'to')];
    return { by, from, to, uri: contactIn(answer, 0), routes: [...routesIn(answer, this.world.placeOf(by))].reverse() };
  }

  /** Sends a request of a dialog as a usual phone does. */
  private async within(
    { by, from, to, uri, routes }: Side,
    method: string,
    callId: string,
    cseq: number,
  ): Promise<void> {
    this.scene.sender = by;
    await this.asks(by, { method, from, to, uri, callId, cseq, headers: routes });
  }

  // Sending

  /** Sends a request, and sends it again with a digest if it is challenged. Returns the last final response. */
  private async asks(by: Name, outline: Outline, final = /^SIP\/2\.0 [2-6]/): Promise<string | undefined> {
    const { kind, domain } = CAST[by];
    const isUser = kind === 'agent' || kind === 'peer';
    const isSigned = isUser && !outline.to.includes(';tag=') && !/^(ACK|CANCEL)$/.test(outline.method);
    const first = await this.sends(by, outline, final, isSigned ? domain : undefined);
    const realm = /^SIP\/2\.0 40[17] .*realm="([^"]*)"/s.exec(first ?? '')?.[1];
    if (!isUser || realm === undefined || (isSigned && realm === domain)) return first;
    return this.sends(by, { ...outline, cseq: outline.cseq + 1 }, final, realm);
  }

  private async sends(by: Name, outline: Outline, final: RegExp, realm?: string): Promise<string | undefined> {
    const { method, callId, cseq } = outline;
    const { scene } = this;
    const actor = this.world.actors[by];
    scene.responder = undefined;
    this.notifiers.clear();
    const signature = realm === undefined ? [] : [await this.world.credentials(by, method, realm)];
    const own = `Via: SIP/2.0/${actor.transport} ${actor.place};branch=z9hG4bK-${callId}-${String(++this.requests)}`;
    const key = `${callId} ${String(cseq)}`;
    // CANCEL has the branch of the INVITE.
    const via = method === 'CANCEL' ? (/^Via: [^\r]*/m.exec(this.sent.get(key) ?? '')?.[0] ?? own) : own;
    const text = requestText({ ...outline, headers: [...signature, ...outline.headers] }, via);
    if (!/^(ACK|CANCEL)$/.test(method)) this.sent.set(key, text);
    const before = this.heard.length;
    this.world.send(actor, text);
    const answer = (): string | undefined =>
      this.heard.slice(before).findLast((heard) => heard.by === by && final.test(heard.text))?.text;
    await this.world.settle(this.isSlow);
    const last = answer();
    // NOTIFY may arrive before the final response (RFC 6665, 4.4.1), so also if a response with odd line ends is dropped.
    if (method === 'SUBSCRIBE' && (last === undefined || last.startsWith('SIP/2.0 2'))) {
      for (const notifier of this.notifiers)
        scene.subscriptions.push(...eventsIn(text).map((event) => ({ subscriber: by, notifier, event })));
    }
    return last;
  }

  private callId(): string {
    return `${String(this.number)}-${String(++this.requests)}`;
  }

  // Writing

  private meaning(by: Name, other: Name): Meaning {
    const { attack } = this;
    const isCaller = 'caller' in attack && attack.caller === by;
    return { by, other, theirTag: this.tag(isCaller ? 't' : 'f'), placeOf: (name) => this.world.placeOf(name) };
  }

  private usualHeaders(by: Name, method: string, event = 'refer'): Readonly<Record<string, string>> {
    const actor = this.world.actors[by];
    const isEdge = CAST[by].isEdge === true;
    return {
      Contact: contactOf(actor),
      ...(isEdge && { [method === 'REGISTER' ? 'Path' : 'Record-Route']: `<sip:${actor.place};lr>` }),
      ...(/notify|subscribe/i.test(method) && { Event: event, 'Subscription-State': 'active' }),
      ...(/subscribe/i.test(method) && { Expires: '40' }),
      ...(/refer/i.test(method) && { 'Refer-To': '<sip:anna@one.test>' }),
    };
  }

  /** Writes headers, and remembers what they name. */
  private write(
    written: readonly WrittenHeader[],
    by: Name,
    other: Name,
    usual: Readonly<Record<string, string>>,
  ): Lines {
    const headers = renderHeaders(written, usual, this.meaning(by, other));
    const text = ['', ...headers.lines].join('\r\n');
    const { targets, proxies } = this.scene;
    if (CAST[by].kind === 'provider')
      for (const { user } of valuesOf(text, 'contact').flatMap(addressesIn)) targets.add(user);
    const named = valuesOf(text, 'record-route')
      .flatMap((value) => value.split(','))
      .flatMap(urisIn);
    proxies.set(by, new Set([...(proxies.get(by) ?? []), ...named]));
    return headers;
  }

  /** Has everybody answer in this way. */
  private setAnswer(answer: WrittenAnswer | undefined, asked: Name, asking: Name): void {
    const by = answer?.by ?? asked;
    const usual = { Contact: contactOf(this.world.actors[by]) };
    const lines = answer && { status: answer.status, by: answer.by, ...this.write(answer.headers, by, asking, usual) };
    this.answering = () => lines;
  }
}

function usualAnswer(method: string, actor: Actor): Answer & { readonly usual: Readonly<Record<string, string>> } {
  const contact = { Contact: contactOf(actor) };
  const usual = method === 'SUBSCRIBE' ? { ...contact, Expires: '40' } : contact;
  const lines = Object.entries(usual).map(([name, value]) => `${name}: ${value}`);
  return method === 'INVITE' ? { status: '486 Busy Here', usual } : { status: '200 OK', lines, usual };
}
