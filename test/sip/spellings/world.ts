import { setImmediate } from 'node:timers/promises';

import type { DatabaseKind } from '../../support/databases/databases';
import { createAgent, createDomain, createGateway, createNumber, createPeer } from '../../support/factories';
import { digest, id } from '../phone';
import { startStack, type Stack } from '../stack';
import { freePort } from '../support';
import { openActor, type Actor, type Hear } from './actor';
import { CAST, KAMAILIO, NAMES, NUMBER2, NUMBERS, POLICY, SECRET, TRUNK, type Name } from './cast';
import { requestText } from './messages';

// One worker handles all requests in their order, so that a response to OPTIONS shows that earlier requests are done.
const CONFIG = ['workers=1', 'flood=0', 'address-guesses=0', 'user-guesses=0']
  .concat(['user-subscriptions=0', 'agent-calls=0', 'gateway-calls=0'])
  .map((option) => `--${option}`);
const NONCES_AT_ONCE = 16;

/** Kamailio, everybody who talks to it, and what they hear. */
export class World {
  private readonly nonces = new Map<Name, string[]>();
  private activity = 0;
  private pong: () => void = () => undefined;
  /** Who receives what is heard. */
  listener: Hear | undefined;
  /** Called with each message that is sent or heard, to show an attack. */
  show: (name: Name, direction: 'sends' | 'hears', text: string) => void = () => undefined;

  private constructor(
    readonly stack: Stack,
    readonly actors: Readonly<Record<Name, Actor>>,
  ) {}

  static async open(database: DatabaseKind): Promise<World> {
    const edges = new Map<Name, number>();
    for (const name of NAMES) if (CAST[name].isEdge === true) edges.set(name, await freePort());
    const proxies = [...edges].map(([name, port]) => `${CAST[name].ip}:${String(port)}`);
    const stack = await startStack(database, { host: KAMAILIO, config: [...CONFIG, '--edge-proxy', ...proxies] });
    const [host = '', port = ''] = stack.sip.split(':');
    const kamailio = { host, port: Number(port) };
    let world: World | undefined = undefined as World | undefined;
    const hear: Hear = (...heard) => world?.heard(...heard);
    const actors = await Promise.all(NAMES.map((name) => openActor(name, kamailio, hear, edges.get(name))));
    // The actors are in the order of the names.
    const byName = Object.fromEntries(actors.map((actor) => [actor.name, actor])) as Record<Name, Actor>;
    world = new World(stack, byName);
    await world.populate();
    return world;
  }

  private async populate(): Promise<void> {
    const { app } = this.stack;
    const gateway = async (name: 'provider' | 'provider2', input: object = {}): Promise<string> =>
      createGateway(app, { host: CAST[name].ip, port: portOf(this.actors[name]), transport: 'UDP', ...input });
    const gatewayRef = await gateway('provider');
    const numbers = new Map<string, string>();
    for (const [number, name] of Object.entries(NUMBERS)) {
      const aorLink = `sip:${CAST[name].user}@${CAST[name].domain}`;
      numbers.set(number, await createNumber(app, { gatewayRef, telUrl: `tel:${number}`, aorLink }));
    }
    const second = await gateway(TRUNK.provider, { username: TRUNK.username, secret: SECRET });
    await createNumber(app, { gatewayRef: second, telUrl: `tel:${NUMBER2}`, aorLink: 'sip:anna@one.test' });
    const egressPolicy = { rule: POLICY.rule, numberRef: numbers.get(POLICY.number) };
    await createDomain(app, { domainUri: POLICY.domain, egressPolicy });
    const created = new Set<string>();
    for (const name of NAMES) {
      const { kind, user: username, domain, isPrivate = false } = CAST[name];
      const privacy = isPrivate ? 'PRIVATE' : 'NONE';
      if (kind === 'agent' && !created.has(username))
        await createAgent(app, { username, secret: SECRET, domains: [domain], privacy });
      if (kind === 'peer') await createPeer(app, { username, secret: SECRET, contactAddr: this.actors[name].place });
      created.add(username);
    }
  }

  private heard(...[actor, text, answer]: Parameters<Hear>): void {
    const [, own] = /^SIP\/2\.0 .*\r\nCall-ID: (nonce|ping)-/s.exec(text) ?? [];
    if (own === 'ping') {
      this.pong();
      return;
    }
    this.activity++;
    if (own === 'nonce') {
      const nonce = /nonce="([^"]*)"/.exec(text)?.[1];
      if (nonce !== undefined) this.noncesOf(actor.name).push(nonce);
      return;
    }
    this.show(actor.name, 'hears', text);
    this.listener?.(actor, text, answer);
  }

  private noncesOf(name: Name): string[] {
    const nonces = this.nonces.get(name) ?? [];
    this.nonces.set(name, nonces);
    return nonces;
  }

  send(actor: Actor, text: string): void {
    this.answer(actor.name, text, (sent) => actor.send(sent));
  }

  /** Sends an answer, usually on the connection of its request. */
  answer(by: Name, text: string, send: (text: string) => void): void {
    this.activity++;
    this.show(by, 'sends', text);
    send(text);
  }

  /**
   * Waits until Kamailio has handled everything, over TCP too if that is asked for, and nobody has sent anything since.
   */
  async settle(isTcp = false): Promise<void> {
    // The processes of Kamailio hand a message over TCP on to each other.
    const rounds = isTcp ? 4 : 2;
    for (let quiet = 0; quiet < rounds;) {
      const before = this.activity;
      await this.ping(this.actors.stranger);
      if (isTcp) await this.ping(this.actors.watch);
      await setImmediate();
      quiet = this.activity === before ? quiet + 1 : 0;
    }
  }

  /** Waits until Kamailio responds to OPTIONS. Throws if it does not. */
  private async ping(actor: Actor): Promise<void> {
    await actor.ready();
    const text = own(actor, 'OPTIONS', `sip:${this.stack.sip}`, `ping-${id()}`);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Kamailio does not respond over ${actor.transport}`)), 8000);
      this.pong = () => {
        clearTimeout(timer);
        resolve();
      };
      actor.send(text);
    });
  }

  /** A header with a digest for a realm. It uses up a nonce, of which several are fetched at once. */
  async credentials(name: Name, method: string, realm: string): Promise<string> {
    const nonces = this.noncesOf(name);
    if (nonces.length === 0) {
      for (let n = 0; n < NONCES_AT_ONCE; n++)
        this.actors[name].send(own(this.actors[name], 'REGISTER', 'sip:one.test', `nonce-${id()}`));
      // Without one, if an earlier message over TCP has swallowed these, the request is challenged again.
      await this.settle(CAST[name].transport === 'TCP');
    }
    const status = method === 'REGISTER' ? '401' : '407';
    const challenge = `SIP/2.0 ${status} realm="${realm}" nonce="${nonces.pop() ?? ''}"`;
    return digest(challenge, method, 'sip:x@one.test', { username: CAST[name].user, secret: SECRET });
  }

  /** The address of somebody or of `kamailio`, as host:port. */
  placeOf(name: string): string {
    if (name === 'kamailio') return this.stack.sip;
    const actor = NAMES.map((known) => this.actors[known]).find((known) => known.name === name);
    if (!actor) throw new Error(`nobody is called ${name}`);
    return actor.place;
  }

  /** Closes the connections of phones over TCP. */
  disconnect(): void {
    for (const name of NAMES)
      if (CAST[name].transport === 'TCP' && CAST[name].kind === 'agent') this.actors[name].close();
  }

  async close(): Promise<void> {
    for (const name of NAMES) this.actors[name].close();
    await this.stack.close();
  }
}

function portOf({ place }: Actor): number {
  return Number(place.split(':')[1]);
}

/** A request that Kamailio itself answers. */
function own({ place, transport }: Actor, method: string, uri: string, callId: string): string {
  const outline = { method, uri, from: '<sip:x@one.test>;tag=x', to: '<sip:x@one.test>', callId, cseq: 1, headers: [] };
  return requestText(outline, `Via: SIP/2.0/${transport} ${place};branch=z9hG4bK-${callId}`);
}
