import {
  agentAt,
  areNeighbours,
  areOneUser,
  CAST,
  DOMAINS,
  KAMAILIO,
  NUMBERS,
  NUMBER2,
  POLICY,
  TRUNK,
  type Name,
} from './cast';
import {
  addressesIn,
  areLinesClear,
  headersOf,
  readingsOf,
  unescaped,
  urisIn,
  valuesOf,
  type Reading,
} from './readings';

/** What is under way while somebody hears a message. */
export interface Scene {
  readonly kind: 'registration' | 'request' | 'call' | 'subscription';
  /** Who sends the request that is under way. */
  sender: Name;
  /** Who answered it last. Undefined: Kamailio. */
  responder: Name | undefined;
  /** Who may hear requests. Undefined: everybody who is registered. */
  hearers: readonly Name[] | undefined;
  /** Whether the request begins a dialog, so that it is authenticated, and may leave through a gateway. */
  isBeginning: boolean;
  /** Who makes the call or subscription. */
  readonly caller?: Name;
  /** Whether it is a call to a provider. */
  readonly isOutgoing: boolean;
  /** Who accepted a SUBSCRIBE of whom. */
  readonly subscriptions: { readonly subscriber: Name; readonly notifier: Name; readonly event: string }[];
  /** Who sent a REFER that was relayed. */
  readonly referrers: Set<Name>;
  /** The users in the Contacts that the provider of this call sent. */
  readonly targets: Set<string>;
  /** The proxies that each one named in Record-Route. */
  readonly proxies: Map<Name, Set<string>>;
}

/** A promise that was broken. */
export interface Violation {
  /** What was broken, without details. */
  readonly kind: string;
  readonly message: string;
}

/** Headers in which phones read who calls. */
const IDENTITIES = ['from', 'p-asserted-identity', 'p-preferred-identity', 'remote-party-id'];
/** Headers of agents and peers that never reach a provider. */
const KEPT_INSIDE = [
  ...['cc-diversion', 'history-info', 'referred-by', 'p-charge-info', 'p-called-party-id', 'p-associated-uri'],
  ...['charge', 'identity', 'p-preferred-identity', 'remote-party-id', 'x-gateway'],
];

/** The promises that a message breaks, which somebody hears. */
export function judge(name: Name, text: string, scene: Scene | undefined): readonly Violation[] {
  const kinds = text.startsWith('SIP/2.0 ') ? judgeAnswer(name, text, scene) : judgeRequest(name, text, scene);
  return kinds.map((kind) => ({ kind: scene ? `${kind} (${scene.kind})` : kind, message: text }));
}

function judgeRequest(name: Name, text: string, scene: Scene | undefined): readonly string[] {
  const method = methodOf(text);
  const { kind } = CAST[name];
  // Kamailio itself registers gateways.
  if (!scene)
    return kind === 'provider' && method === 'REGISTER' ? [] : [`destination: ${name} hears ${method} of nobody`];
  const { sender, hearers } = scene;
  const by = CAST[sender].kind;
  const heard = `${name} hears ${method} of ${by}`;
  if (scene.kind === 'registration' && !hearers?.includes(name)) return [`destination: ${name} hears a call`];
  if (kind === 'bystander') return [`destination: ${heard}`];
  const broken: string[] = [];
  if (hearers && !hearers.some((hearer) => areOneUser(hearer, name))) broken.push(`destination: ${heard}`);
  else if (kind === 'provider' && name !== sender) broken.push(...judgeLeaving(name, text, scene));
  if (!areLinesClear(text)) broken.push(`framing: ${method}`);
  // What somebody sends to its own phone deceives nobody.
  if (areOneUser(name, sender)) return broken;
  broken.push(
    ...IDENTITIES.filter((header) => agentsIn(text, header).some((agent) => !mayNameItself(sender, agent, scene))).map(
      (header) => `identity: an agent is presented in ${header} by another ${by}`,
    ),
  );
  const gateways = valuesOf(text, 'x-gateway');
  if (gateways.length > 0 && (by !== 'provider' || gateways.length > 1 || gateways[0] === 'trusted'))
    broken.push('identity: X-Gateway');
  const digests = ['authorization', 'proxy-authorization'].flatMap((header) => valuesOf(text, header));
  // Within a call, a provider may challenge the SIP server, which registers there.
  const isTrunk = name === TRUNK.provider && scene.kind === 'call' && !scene.isBeginning;
  if (!digests.every((digest) => isTrunk && digest.includes(`username="${TRUNK.username}"`)))
    broken.push(`credentials: ${kind} hears a digest`);
  const own = CAST[name].isEdge === true ? CAST[name].ip : KAMAILIO;
  if (
    !routesOf(text).every(
      (uri) => uri.includes(KAMAILIO) || uri.includes(own) || scene.proxies.get(name)?.has(uri) === true,
    )
  )
    broken.push(`route: ${kind} hears a proxy that it did not name`);
  if (isHidden(scene, sender, method) && reveals(text, sender, /^(via|to|refer-to)$/))
    broken.push(`privacy: ${method} names its sender`);
  if (method === 'NOTIFY' && !mayNotify(name, text, scene)) broken.push(`notification: ${by} notifies`);
  if (method === 'REFER') {
    const targets = valuesOf(text, 'refer-to').flatMap(addressesIn);
    if (by === 'provider') broken.push(`transfer: a provider refers ${name}`);
    else if (!targets.every((target) => mayCall(target, sender, kind === 'provider')))
      broken.push(`transfer: ${by} refers a ${kind}`);
  }
  return broken;
}

function judgeAnswer(name: Name, text: string, scene: Scene | undefined): readonly string[] {
  if (!scene) return [];
  const { responder, sender, hearers } = scene;
  const broken: string[] = [];
  if (name !== sender && !hearers?.includes(name)) broken.push(`destination: ${name} hears an answer`);
  if (responder === undefined) return broken;
  const by = CAST[responder].kind;
  if (!areLinesClear(text)) broken.push('framing: answer');
  broken.push(
    ...IDENTITIES.slice(1)
      .filter((header) => agentsIn(text, header).some((agent) => !areOneUser(agent, responder)))
      .map((header) => `identity: an agent is presented in ${header} of an answer by another ${by}`),
  );
  if (valuesOf(text, 'x-gateway').length > 0) broken.push('identity: X-Gateway in an answer');
  if (/^SIP\/2\.0 40[17] /.test(text) && text.includes('"evil"')) broken.push(`credentials: ${by} challenges`);
  // Who is called is not hidden.
  if (!scene.isBeginning && isHidden(scene, responder, 'INVITE') && reveals(text, responder, /^(via|from|to)$/))
    broken.push('privacy: an answer names who gave it');
  if (text.startsWith('SIP/2.0 3')) {
    const targets = valuesOf(text, 'contact').flatMap(addressesIn);
    if (by === 'provider') broken.push('transfer: a provider redirects');
    else if (CAST[name].kind === 'provider') broken.push('transfer: a provider is redirected');
    else if (!targets.every((target) => mayCall(target, responder, false))) broken.push(`transfer: ${by} redirects`);
  }
  return broken;
}

/** Judges a request that a provider hears, and which it did not send. */
function judgeLeaving(name: Name, text: string, scene: Scene): readonly string[] {
  const { sender } = scene;
  const broken: string[] = [];
  const method = methodOf(text);
  const what = `${name} hears ${method} of ${CAST[sender].kind}`;
  const target = readingsOf(text.split(' ')[1] ?? '');
  if (scene.isBeginning) {
    const isPolicy = name === 'provider' && callsOutside(sender);
    if (!isPolicy || !/^(INVITE|ACK|BYE|CANCEL)$/.test(method)) return [`provider: ${what}`];
    // What ends a call whose Contact cannot be read is for the address of the provider, without a user.
    const isKnown = (user: string): boolean => /^(ACK|BYE)$/.test(method) && (user === '' || scene.targets.has(user));
    if (!target.every(({ user }) => new RegExp(POLICY.rule).test(user) || isKnown(user)))
      broken.push(`provider: ${what} for another number`);
  } else if (
    scene.targets.size > 0 &&
    !target.every(({ user }) => user === '' || user.includes(':') || scene.targets.has(user))
  ) {
    broken.push(`provider: ${what} for another target`);
  }
  for (const header of KEPT_INSIDE) {
    if (valuesOf(text, header).length > 0) broken.push(`provider: ${header} leaves`);
  }
  const diverting = valuesOf(text, 'diversion');
  const mayDivert = CAST[sender].kind === 'peer' && diverting.length === 1;
  const isOurs = diverting.flatMap(addressesIn).every(({ user }) => NUMBERS[user] !== undefined);
  if (diverting.length > 0 && !(mayDivert && isOurs)) broken.push('provider: diversion leaves');
  if (!scene.isBeginning && !scene.isOutgoing) return broken;
  const presented = ['from', 'p-asserted-identity'].flatMap((header) => valuesOf(text, header).flatMap(addressesIn));
  if (!presented.every(({ user }) => user === POLICY.number || user === 'anonymous'))
    broken.push(`provider: ${what} as another`);
  return broken;
}

function methodOf(request: string): string {
  return (/^[^ ]*/.exec(request)?.[0] ?? '').toUpperCase();
}

/** Within a dialog, requests are not authenticated, so that neighbours cannot be told apart. */
function mayNameItself(sender: Name, agent: Name, { isBeginning }: Scene): boolean {
  return areOneUser(sender, agent) || (!isBeginning && areNeighbours(sender, agent));
}

function agentsIn(text: string, header: string): readonly Name[] {
  const addresses = valuesOf(text, header).flatMap(addressesIn);
  const agents = addresses.map(({ user, host }) => agentAt(`${user}@${host}`));
  return [...new Set(agents.filter((agent) => agent !== undefined))];
}

function routesOf(text: string): readonly string[] {
  return valuesOf(text, 'route')
    .flatMap((value) => value.split(','))
    .flatMap(urisIn);
}

/** Whether who sends this is private, and not known to the other side. Somebody who is called, is. */
function isHidden({ kind, caller, isBeginning }: Scene, name: Name, method: string): boolean {
  if (CAST[name].isPrivate !== true || kind === 'subscription') return false;
  return isBeginning ? /^(INVITE|MESSAGE)$/.test(method) : caller === name;
}

function reveals(text: string, name: Name, except: RegExp): boolean {
  return headersOf(text).some(
    (header) => !except.test(header.name) && unescaped(header.lines).toLowerCase().includes(CAST[name].user),
  );
}

/** Agents of the policy's domain may call outside, and peers as any user. */
function callsOutside(name: Name): boolean {
  return CAST[name].domain === POLICY.domain || CAST[name].kind === 'peer';
}

function mayNotify(name: Name, text: string, { kind, sender, isBeginning, subscriptions, referrers }: Scene): boolean {
  if (isBeginning && CAST[sender].kind === 'peer') return true;
  const events = eventsIn(text);
  if (events.length === 0) return false;
  return events.every(
    (event) =>
      subscriptions.some(
        ({ subscriber, notifier, event: subscribed }) =>
          subscriber === name && areNeighbours(notifier, sender) && subscribed === event,
      ) ||
      (kind === 'call' && event === 'refer' && [...referrers].some((referrer) => areNeighbours(referrer, name))),
  );
}

/** The events that a message names. */
export function eventsIn(text: string): readonly string[] {
  return valuesOf(text, 'event')
    .flatMap((value) => value.split(/[,\0]/))
    .map((value) => (value.split(';')[0] ?? '').trim().toLowerCase());
}

/**
 * Whether somebody may have another one call this. `isOutside` is true if the provider would call. A name that is
 * nobody's is not called, and the calls of phones to other hosts do not pass Kamailio.
 */
function mayCall({ scheme, user, host }: Reading, by: Name, isOutside: boolean): boolean {
  const isLocal = scheme === 'tel' || host === KAMAILIO || DOMAINS.includes(host);
  if (!isLocal && !isOutside) return true;
  const number = /^[+]?[0-9().-]*[0-9][0-9().-]*$/.test(user) ? user.replace(/[^0-9+]/g, '') : '';
  if (callsOutside(by) && new RegExp(POLICY.rule).test(number)) return true;
  if (isOutside) return false;
  if (number === '') return true;
  const digits = number.replace(/\D/g, '').replace(/^00/, '');
  return [...Object.keys(NUMBERS), NUMBER2].some((own) => own === `+${digits}`);
}
