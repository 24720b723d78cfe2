import type { TestApp } from './app';
import { createAgent, createDid, createDomain, createGateway, createNumber, createPeer } from './factories';
import { registerContact, registerGateway, runSql } from './databases/sql';

/** A number whose path is broken at one link, or complete. */
export interface Broken {
  readonly telUrl: string;
  readonly state: string;
  readonly summary: string | RegExp;
  /** The state of each link: number, gateway, address of record, domain, target, devices. */
  readonly steps: readonly string[];
}

// Seconds for which registrations stay valid: longer than the tests of a file take on a busy machine.
const VALID = 3600;
const TIME = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';

/** One number for each verdict, with the states of its links. */
export const CHAINS: readonly Broken[] = [
  {
    telUrl: 'tel:+1001',
    state: 'REACHABLE',
    summary: 'rings agent anna@one.test on 2 devices',
    steps: ['OK', 'OK', 'OK', 'OK', 'OK', 'OK'],
  },
  {
    telUrl: 'tel:+1002',
    state: 'REACHABLE',
    summary: 'rings peer pbx on 1 device',
    steps: ['OK', 'OK', 'OK', 'NOT_NEEDED', 'OK', 'OK'],
  },
  {
    telUrl: 'tel:+1003',
    state: 'NOT_REGISTERED',
    summary: 'agent ben@one.test exists but is not registered',
    steps: ['OK', 'OK', 'OK', 'OK', 'OK', 'NOT_REGISTERED'],
  },
  {
    telUrl: 'tel:+1004',
    state: 'EXPIRED',
    summary: new RegExp(`^the registration of agent cleo@one\\.test expired on ${TIME}$`),
    steps: ['OK', 'OK', 'OK', 'OK', 'OK', 'EXPIRED'],
  },
  {
    telUrl: 'tel:+1005',
    state: 'DOMAIN_MISSING',
    summary: 'no domain one.tset; did you mean one.test?',
    steps: ['OK', 'OK', 'OK', 'MISSING', 'MISSING', 'NOT_REGISTERED'],
  },
  {
    telUrl: 'tel:+1006',
    state: 'DOMAIN_MISSING',
    summary: 'no domain quite-another.example',
    steps: ['OK', 'OK', 'OK', 'MISSING', 'MISSING', 'NOT_REGISTERED'],
  },
  {
    telUrl: 'tel:+1007',
    state: 'TARGET_MISSING',
    summary: 'no agent or peer anan in domain one.test; did you mean anna?',
    steps: ['OK', 'OK', 'OK', 'OK', 'MISSING', 'NOT_REGISTERED'],
  },
  {
    telUrl: 'tel:+1008',
    state: 'TARGET_FORBIDDEN',
    summary: 'agent dora is in domain two.test, not in one.test',
    steps: ['OK', 'OK', 'OK', 'OK', 'FORBIDDEN', 'NOT_REGISTERED'],
  },
  {
    telUrl: 'tel:+1009',
    state: 'GATEWAY_NOT_REGISTERED',
    summary: 'gateway Unasked is not registered: no attempt is recorded',
    steps: ['OK', 'NOT_REGISTERED', 'OK', 'OK', 'OK', 'OK'],
  },
  {
    telUrl: 'tel:+1010',
    state: 'GATEWAY_NOT_REGISTERED',
    summary: 'gateway Dead is not registered: dead.test did not answer (408 Request Timeout)',
    steps: ['OK', 'NOT_REGISTERED', 'OK', 'OK', 'OK', 'OK'],
  },
  {
    telUrl: 'tel:+1011',
    state: 'GATEWAY_EXPIRED',
    summary: new RegExp(`^the registration of gateway Lapsed at lapsed\\.test expired on ${TIME} and was not renewed$`),
    steps: ['OK', 'EXPIRED', 'OK', 'OK', 'OK', 'OK'],
  },
  {
    telUrl: 'tel:+1012',
    state: 'GATEWAY_REFUSED',
    summary: 'gateway Refused is refused by refused.test: 403 Forbidden',
    steps: ['OK', 'FORBIDDEN', 'OK', 'OK', 'OK', 'OK'],
  },
  {
    telUrl: 'tel:+1013',
    state: 'AMBIGUOUS',
    summary: '2 numbers have the digits 1013 but differ in spelling or destination',
    steps: ['AMBIGUOUS', 'OK', 'OK', 'OK', 'OK', 'OK'],
  },
  {
    telUrl: 'tel:+1014',
    state: 'REACHABLE',
    summary: 'rings agent anna@one.test on 2 devices',
    steps: ['OK', 'OK', 'OK', 'OK', 'OK', 'OK'],
  },
];

/** Creates all of them. Returns the refs of the gateways by name. */
export async function createChains(app: TestApp, url: string): Promise<Readonly<Record<string, string>>> {
  for (const domainUri of ['one.test', 'two.test']) await createDomain(app, { domainUri });
  for (const username of ['anna', 'ben', 'cleo']) await createAgent(app, { username, domains: ['one.test'] });
  await createAgent(app, { username: 'dora', domains: ['two.test'] });
  await createPeer(app, { username: 'pbx' });
  const contact = (username: string, domain: string, host: string, secondsLeft = VALID): Promise<void> =>
    registerContact(url, { username, domain, contact: `sip:${username}@${host}`, secondsLeft, asked: VALID + 300 });
  await contact('anna', 'one.test', '10.0.0.1');
  await contact('anna', 'one.test', '10.0.0.2');
  await contact('pbx', '10.9.9.9', '10.0.0.3');
  await contact('cleo', 'one.test', '10.0.0.4', -60);

  const gateways: Record<string, string> = {};
  for (const name of ['Open', 'Registered', 'Unasked', 'Dead', 'Lapsed', 'Refused']) {
    const credentials = name === 'Open' ? {} : { username: 'trunk', secret: 'trunk-secret' };
    gateways[name] = await createGateway(app, { name, host: `${name.toLowerCase()}.test`, ...credentials });
  }
  for (const name of ['Registered', 'Dead', 'Lapsed', 'Refused']) {
    const host = `${name.toLowerCase()}.test`;
    await registerGateway(url, gateways[name] ?? '', { host, secondsLeft: name === 'Registered' ? VALID : -60 });
  }
  const answered = (name: string, answer: string): Promise<unknown> =>
    runSql(
      url,
      'UPDATE gateway_registrations SET expires_at = 0, registered_on = 0, last_response = ? WHERE gw_ref = ?',
      [...[answer, gateways[name] ?? '']],
    );
  await answered('Dead', '408 Request Timeout');
  await answered('Refused', '403 Forbidden');

  const number = (telUrl: string, gateway: string, aorLink: string): Promise<string> =>
    createDid(app, { telUrl, gatewayRef: gateways[gateway], aorLink });
  await number('tel:+1001', 'Registered', 'sip:anna@one.test');
  await number('tel:+1002', 'Open', 'sip:pbx@10.9.9.9');
  await number('tel:+1003', 'Open', 'sip:ben@one.test');
  await number('tel:+1004', 'Open', 'sip:cleo@one.test');
  await number('tel:+1005', 'Open', 'sip:anna@one.tset');
  await number('tel:+1006', 'Open', 'sip:anna@quite-another.example');
  await number('tel:+1007', 'Open', 'sip:anan@one.test');
  await number('tel:+1008', 'Open', 'sip:dora@one.test');
  await number('tel:+1009', 'Unasked', 'sip:anna@one.test');
  await number('tel:+1010', 'Dead', 'sip:anna@one.test');
  await number('tel:+1011', 'Lapsed', 'sip:anna@one.test');
  await number('tel:+1012', 'Refused', 'sip:anna@one.test');
  await number('tel:+1013', 'Open', 'sip:anna@one.test');
  await number('tel:+1-013', 'Open', 'sip:anna@one.test');
  // A DID and a Number with the same destination are not ambiguous.
  await number('tel:+1014', 'Open', 'sip:anna@one.test');
  await createNumber(app, { telUrl: 'tel:+1014', gatewayRef: gateways['Open'], aorLink: 'sip:anna@ONE.test' });
  return gateways;
}
