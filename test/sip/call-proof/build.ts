import type { TestApp } from '../../support/app';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../../support/factories';
import type { DownPlace } from './down';
import { DEVICES, PROBE, type GatewayOf, type NumberOf, type Place, type World } from './world';

/** A device that a world registers, at the address `DEVICES`. */
export interface Device {
  readonly username: string;
  readonly domain: string;
  /** The user of its Contact. */
  readonly contact: string;
}

/** The limits of those whose minutes are used: the numbers that are dialed most, except emergency numbers. */
export const SPENT = ['+49=1', '+33=1'];

/** An address at which a provider answers. */
export type Hop = readonly [host: string, port: number];

/** What of a world exists. */
export interface Built {
  /** The refs of what exists, by kind. */
  readonly refs: Readonly<
    Record<'Gateway' | 'DID' | 'Number' | 'Domain' | 'Route' | 'Agent' | 'Peer', readonly string[]>
  >;
  readonly devices: readonly Device[];
  /** The addresses at which providers answer, as hosts in URIs and ports. */
  readonly providers: readonly Hop[];
  /** The places that do not respond to OPTIONS. */
  readonly down: readonly DownPlace[];
  /** Those whose minutes of today are used. */
  readonly spent: readonly (readonly [kind: string, ref: string])[];
  /** Disables agents, peers and domains. They are enabled before, so that their devices are registered. */
  readonly disable: () => Promise<void>;
}

/** Creates the resources of a world. Leaves out what would not be unique, and ranges that overlap others. */
export async function build(app: TestApp, world: World, place: Place): Promise<Built> {
  const gateways: string[] = [];
  const down: DownPlace[] = [];
  const spent: (readonly [kind: string, ref: string])[] = [];
  const limitsOf = ({ isSpent, maxCalls }: Pick<GatewayOf, 'isSpent' | 'maxCalls'>): object => ({
    ...(isSpent && { dailyMinutes: SPENT }),
    ...(maxCalls !== undefined && { maxCalls }),
  });
  const providers = new Map<string, Hop>();
  for (const { spot, port, transport, sources, outboundProxy, ...of } of world.gateways) {
    const host = place.hostAt(spot);
    const networks = sources.map((each) => place.text(each));
    const proxy = outboundProxy && place.hop(outboundProxy);
    const silent = of.destinations.flatMap((each) =>
      each.isDown === true ? `${place.hostAt(each.spot)}:${String(each.port)}` : [],
    );
    const others = of.destinations.map((each) => ({
      host: place.hostAt(each.spot),
      ...(each.port && { port: each.port }),
      transport,
      priority: each.priority,
      ...(each.weight !== undefined && { weight: each.weight }),
      enabled: each.isEnabled,
      ...(each.isDraining && { draining: true }),
    }));
    const keys = others.map((each) => `${each.host}:${String(each.port)}`);
    // A gateway with an outbound proxy has no destinations.
    const destinations = others.filter(
      (_, index) => !proxy && keys.indexOf(keys[index] ?? '') === index && keys[index] !== `${host}:${String(port)}`,
    );
    for (const each of destinations)
      providers.set(`${each.host}:${String(each.port ?? 5060)}`, [each.host, each.port ?? 5060]);
    const { isEnabled: enabled, isDraining: draining, fromDomain, numberFormat, technicalPrefix } = of;
    const input = { host, transport, sources: networks, enabled, draining, destinations, ...(port && { port }) };
    const quirks = { outboundProxy: proxy, fromDomain, numberFormat, technicalPrefix };
    const ref = await possibly(createGateway(app, { ...input, ...quirks, ...limitsOf(of) }));
    if (ref !== undefined) gateways.push(ref);
    if (ref !== undefined && of.isSpent) spent.push(['Gateway', ref]);
    providers.set(`${host}:${String(port ?? 5060)}`, [host, port ?? 5060]);
    const [, at = '', atPort = '5060'] = /^([\d.]+|\[.*\])(?::(\d+))?$/.exec(proxy ?? '') ?? [];
    if (at !== '') providers.set(`${at}:${atPort}`, [at, Number(atPort)]);
    if (ref === undefined) continue;
    if (of.isDown === true && (!proxy || at !== '')) {
      const [hop, hopPort] = proxy ? [at, Number(/:(\d+)$/.exec(proxy)?.[1] ?? 0)] : [host, port ?? 0];
      down.push({ ref, isHost: true, host: hop, port: hopPort, transport });
    }
    for (const each of destinations)
      if (silent.includes(`${each.host}:${String(each.port)}`))
        down.push({ ref, isHost: false, host: each.host, port: each.port ?? 0, transport });
  }
  const numbers: string[] = [];
  const dids: string[] = [];
  const disabled: (readonly [kind: string, ref: string])[] = [];
  for (const each of world.numbers) {
    const { kind, number, last, gateway, target, isEnabled: enabled } = each;
    const aorLink = aorLinkOf(target, place, world);
    const furtherTargets = furtherOf(each, aorLink, place, world);
    const telUrl = `tel:${place.text(number)}`;
    const end = last === undefined ? telUrl : telUrl.replace(/\d$/, last);
    const range = end > telUrl && { lastTelUrl: end };
    const input = { telUrl, ...range, gatewayRef: at(gateways, gateway), aorLink, furtherTargets, enabled };
    const ref = await possibly((kind === 'DID' ? createDid : createNumber)(app, input));
    if (ref !== undefined) (kind === 'DID' ? dids : numbers).push(ref);
  }
  const hosts = world.domains.map((_, index) => place.host(index, world.domains.length));
  const domains: string[] = [];
  const routes: string[] = [];
  for (const [index, { deny, allow, egress, routes: rules, isEnabled, ...of }] of world.domains.entries()) {
    const numberRef = egress && at(numbers, egress[1]);
    const domainRef = await createDomain(app, {
      domainUri: hosts[index],
      ...limitsOf(of),
      ...(deny.length > 0 && {
        accessControlList: { deny: networksOf(deny, place), allow: networksOf(allow, place) },
      }),
      ...(egress && numberRef !== undefined && { egressPolicy: { rule: egress[0], numberRef } }),
    });
    if (!isEnabled) disabled.push(['Domain', domainRef]);
    if (of.isSpent) spent.push(['Domain', domainRef]);
    domains.push(domainRef);
    for (const { prefix, isEmergency, numbers: callers, isEnabled: isOn, shares } of rules) {
      const numberRefs = [...new Set(callers.flatMap((each) => at(numbers, each) ?? []))];
      const emergency = isEmergency && /\d/.test(prefix);
      const input = {
        ...{ domainRef, prefix: place.text(prefix), numberRefs, emergency, enabled: isOn || emergency },
        ...(shares && { shares: shares.slice(0, numberRefs.length) }),
      };
      const ref = numberRefs.length === 0 ? undefined : await possibly(createRoute(app, input));
      if (ref !== undefined) routes.push(ref);
    }
  }
  const agents: string[] = [];
  const devices: Device[] = [];
  for (const [
    index,
    { username, domains: homes, isPrivate, devices: many, isEnabled, number, ...of },
  ] of world.agents.entries()) {
    const own = [...new Set(homes.map((each) => at(hosts, each) ?? ''))];
    const user = place.text(username);
    const privacy = isPrivate ? 'PRIVATE' : 'NONE';
    const callerNumberRef = number === undefined ? undefined : at(numbers, number);
    const input = { username: user, secret: 's', domains: own, privacy, callerNumberRef, ...limitsOf(of) };
    const ref = await possibly(createAgent(app, input));
    if (ref === undefined) continue;
    agents.push(ref);
    if (!isEnabled) disabled.push(['Agent', ref]);
    if (of.isSpent) spent.push(['Agent', ref]);
    for (let n = 0; n < many; n++)
      for (const domain of own.slice(0, 1))
        devices.push({ username: user, domain, contact: `a${String(index)}-${String(n)}` });
  }
  const peers: string[] = [];
  for (const [index, { device, contactAddr, isEnabled, sources, numbers: shown }] of world.peers.entries()) {
    const username = place.user(`peer${String(index)}`, world);
    const callerNumberRefs = [...new Set(shown.flatMap((each) => at(numbers, each) ?? []))];
    // The SIP server reads the sources of peers every few seconds, so a peer with sources is disabled from the beginning.
    const isNever = !isEnabled && sources.length > 0;
    const ref = await createPeer(app, {
      username,
      secret: 's',
      ...(isNever && { enabled: false }),
      ...(sources.length > 0 && { sources: sources.map((each) => place.text(each)) }),
      ...(callerNumberRefs.length > 0 && { callerNumberRefs }),
      ...(contactAddr !== undefined && { contactAddr: place.hop(contactAddr) }),
    });
    peers.push(ref);
    if (!isEnabled && !isNever) disabled.push(['Peer', ref]);
    if (device && !isNever) devices.push({ username, domain: hosts[0] ?? '', contact: `p${String(index)}` });
  }
  const probe = { username: place.user('peer9', world), secret: 's', sources: [place.address(PROBE)] };
  await createPeer(app, probe);
  const disable = async (): Promise<void> => {
    for (const [kind, ref] of disabled) {
      const mutation = `mutation ($ref: String!) { update${kind}(ref: $ref, input: { enabled: false }) { ref } }`;
      const { errors } = await app.graphql(mutation, { ref });
      if (errors) throw new Error(JSON.stringify(errors));
    }
  };
  const refs = {
    Gateway: gateways,
    DID: dids,
    Number: numbers,
    Domain: domains,
    Route: routes,
    Agent: agents,
    Peer: peers,
  };
  return { refs, devices, providers: [...providers.values()], down, spent, disable };
}

/** Networks, of which two may be the same one with IPv6. */
function networksOf(texts: readonly string[], place: Place): readonly string[] {
  return [...new Set(texts.map((each) => place.text(each)))];
}

/** The address of record to which a number leads, from a target such as `anna@0`. */
export function aorLinkOf(target: string, place: Place, world: World): string {
  return `sip:${escape(place.end(target, world)).replace(/^@/, '')}`;
}

/** The further targets of a number, without those that it has already. */
export function furtherOf(
  { further }: Pick<NumberOf, 'further'>,
  aorLink: string,
  place: Place,
  world: World,
): readonly string[] {
  const listed = new Set([aorLink]);
  const written: string[] = [];
  for (const { target, together } of further) {
    const isOutside = target.startsWith('+');
    const end = isOutside ? `tel:${place.text(target)}` : `sip:${escape(place.end(target, world))}`;
    const uri = isOutside || end.includes('@') ? end : `${end}@${place.host(0, world.domains.length)}`;
    if (listed.size === listed.add(uri).size) continue;
    written.push(together ? uri : `${uri} after 60`);
  }
  return written;
}

/** The address at which the devices of a world are. */
export function deviceAddress(place: Place): string {
  return place.address(DEVICES);
}

/** Escapes a user as phones do. */
export function escape(user: string): string {
  return user.replaceAll('#', '%23');
}

function at<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(1, items.length)];
}

async function possibly(creation: Promise<string>): Promise<string | undefined> {
  return creation.catch((error: unknown) => {
    if (/already|inside|overlaps/.test(String(error))) return undefined;
    throw error;
  });
}
