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
import { DEVICES, PROBE, type Place, type World } from './world';

/** A device that a world registers, at the address `DEVICES`. */
export interface Device {
  readonly username: string;
  readonly domain: string;
  /** The user of its Contact. */
  readonly contact: string;
}

/** What of a world exists. */
export interface Built {
  readonly devices: readonly Device[];
  /** The addresses at which providers answer, as host and port. */
  readonly providers: readonly (readonly [host: string, port: number])[];
}

/** Creates the resources of a world. Leaves out what would not be unique. */
export async function build(app: TestApp, world: World, place: Place): Promise<Built> {
  const gateways: string[] = [];
  const providers = new Map<string, readonly [string, number]>();
  for (const { spot, port, transport, sources, outboundProxy, ...quirks } of world.gateways) {
    const host = place.address(spot);
    const proxy = outboundProxy && place.text(outboundProxy);
    const input = { host, transport, sources: sources.map((each) => place.text(each)), ...(port && { port }) };
    const ref = await possibly(createGateway(app, { ...input, ...quirks, outboundProxy: proxy }));
    if (ref !== undefined) gateways.push(ref);
    providers.set(`${host}:${String(port ?? 5060)}`, [host, port ?? 5060]);
    const [, at = '', atPort = '5060'] = /^([\d.]+)(?::(\d+))?$/.exec(proxy ?? '') ?? [];
    if (at !== '') providers.set(`${at}:${atPort}`, [at, Number(atPort)]);
  }
  const numbers: string[] = [];
  for (const { kind, number, gateway, target } of world.numbers) {
    const aor = place.end(target, world);
    const aorLink = `sip:${escape(aor).replace(/^@/, '')}`;
    const input = { telUrl: `tel:${place.text(number)}`, gatewayRef: at(gateways, gateway), aorLink };
    const ref = await possibly((kind === 'DID' ? createDid : createNumber)(app, input));
    if (ref !== undefined && kind === 'Number') numbers.push(ref);
  }
  const hosts = world.domains.map((_, index) => place.host(index, world.domains.length));
  for (const [index, { deny, allow, egress, routes }] of world.domains.entries()) {
    const numberRef = egress && at(numbers, egress[1]);
    const domainRef = await createDomain(app, {
      domainUri: hosts[index],
      ...(deny.length > 0 && {
        accessControlList: { deny: deny.map((each) => place.text(each)), allow: allow.map((each) => place.text(each)) },
      }),
      ...(egress && numberRef !== undefined && { egressPolicy: { rule: egress[0], numberRef } }),
    });
    for (const { prefix, isEmergency, numbers: callers } of routes) {
      const numberRefs = [...new Set(callers.flatMap((each) => at(numbers, each) ?? []))];
      const emergency = isEmergency && /\d/.test(prefix);
      if (numberRefs.length > 0)
        await possibly(createRoute(app, { domainRef, prefix: place.text(prefix), numberRefs, emergency }));
    }
  }
  const devices: Device[] = [];
  for (const [index, { username, domains, isPrivate, devices: many, number }] of world.agents.entries()) {
    const own = [...new Set(domains.map((each) => at(hosts, each) ?? ''))];
    const user = place.text(username);
    const privacy = isPrivate ? 'PRIVATE' : 'NONE';
    const callerNumberRef = number === undefined ? undefined : at(numbers, number);
    const input = { username: user, secret: 's', domains: own, privacy, callerNumberRef };
    if ((await possibly(createAgent(app, input))) === undefined) continue;
    for (let n = 0; n < many; n++)
      for (const domain of own.slice(0, 1))
        devices.push({ username: user, domain, contact: `a${String(index)}-${String(n)}` });
  }
  for (const [index, { device, contactAddr, sources, numbers: shown }] of world.peers.entries()) {
    const username = place.user(`peer${String(index)}`, world);
    const callerNumberRefs = [...new Set(shown.flatMap((each) => at(numbers, each) ?? []))];
    await createPeer(app, {
      username,
      secret: 's',
      ...(sources.length > 0 && { sources: sources.map((each) => place.text(each)) }),
      ...(callerNumberRefs.length > 0 && { callerNumberRefs }),
      ...(contactAddr !== undefined && { contactAddr: place.text(contactAddr) }),
    });
    if (device) devices.push({ username, domain: hosts[0] ?? '', contact: `p${String(index)}` });
  }
  const probe = { username: place.user('peer9', world), secret: 's', sources: [place.address(PROBE)] };
  await createPeer(app, probe);
  return { devices, providers: [...providers.values()] };
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
    if (String(error).includes('already')) return undefined;
    throw error;
  });
}
