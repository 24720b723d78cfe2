import type { Field } from '../../src/model/kind';
import type { TestApp } from './app';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from './factories';
import { model } from './model';
import { runSql } from './databases/sql';

type Input = Readonly<Record<string, unknown>>;

/** The domain from which anna calls 112, and her secret. */
export const OFFICE = 'office.test';
export const SECRET = 's';

/** A resource of the emergency test, and what it was created with. */
export interface Placed {
  readonly kind: string;
  /** What it is in the test. */
  readonly role: string;
  readonly ref: string;
  readonly input: Input;
}

/** Where the two gateways are. */
export interface Places {
  readonly emergency: { readonly host: string; readonly port: number };
  readonly other: { readonly host: string; readonly port: number };
}

// What cannot be set against a call to 112, because it is this call: who makes it, and the emergency number and its way out.
const IS_THE_CALL: readonly string[] = [
  ...['username', 'secret'].map((name) => `caller ${name}`),
  'domain domainUri',
  ...['host', 'port', 'transport', 'outboundProxy', 'destinations'].map((name) => `emergency gateway ${name}`),
  'number gatewayRef',
  ...['domainRef', 'prefix', 'numberRefs', 'emergency'].map((name) => `emergency route ${name}`),
];

/** What to set fields to whose values do not follow from their formats. `refs` are those of the resources, by role. */
function inputsOf(
  field: string,
  { refs, other }: { refs: (role: string) => string; other: Places['other'] },
): readonly Input[] {
  const name = field.split(' ').at(-1) ?? '';
  const credentials = { username: 'user', secret: SECRET };
  const values: Readonly<Record<string, readonly Input[]>> = {
    name: [{ name: '112' }],
    note: [{ note: '112' }],
    labels: [{ labels: ['number=112'] }],
    username: [{ username: '0112' }],
    secret: [{ secret: 'another' }],
    domains: [{ domains: ['third.test', OFFICE] }],
    callerNumberRef: [{ callerNumberRef: refs('block') }],
    callerNumberRefs: [{ callerNumberRefs: [refs('block')] }],
    dailyMinutes: [{ dailyMinutes: ['1=1', '112=1'] }],
    domainUri: [{ domainUri: '112.test' }],
    'egressPolicy.rule': [{ egressPolicy: { rule: '112', numberRef: refs('block') } }],
    'egressPolicy.numberRef': [{ egressPolicy: { rule: '.*', numberRef: refs('block') } }],
    'accessControlList.allow': [{ accessControlList: { allow: ['192.0.2.1'], deny: ['0.0.0.0/0'] } }],
    'accessControlList.deny': [{ accessControlList: { deny: ['127.0.0.0/8', '::/0'] } }],
    device: [{ device: '112' }],
    contactAddr: [{ contactAddr: `${other.host}:${String(other.port)}` }],
    sources: [{ sources: ['127.0.0.0/8'] }],
    registries: [{ registries: [other.host] }],
    fromDomain: [{ fromDomain: OFFICE }],
    numberFormat: [{ numberFormat: 'DE' }, { numberFormat: 'E164_NO_PLUS' }],
    technicalPrefix: [{ technicalPrefix: '9' }],
    'gateway username': [credentials],
    'gateway secret': [credentials],
    authUsername: [{ ...credentials, authUsername: '112' }],
    'other gateway host': [{ host: '127.0.1.2' }],
    outboundProxy: [{ outboundProxy: '127.0.1.2' }],
    destinations: [{ destinations: [{ host: '127.0.1.2' }] }],
    gatewayRef: [{ gatewayRef: refs('emergency gateway') }],
    telUrl: [{ telUrl: 'tel:+493011200' }],
    'block telUrl': [{ telUrl: 'tel:112' }],
    'did telUrl': [{ telUrl: 'tel:112;phone-context=office.test' }],
    lastTelUrl: [{ lastTelUrl: 'tel:+493019999' }],
    'block lastTelUrl': [{ lastTelUrl: 'tel:998' }],
    'did lastTelUrl': [{ lastTelUrl: 'tel:120' }],
    aorLink: [{ aorLink: `sip:112@${OFFICE}` }],
    furtherTargets: [{ furtherTargets: ['tel:+49112 after 5', `sip:anna@${OFFICE} after 5`] }],
    'geoInfo.city': [{ geoInfo: { city: '112' } }],
    'geoInfo.country': [{ geoInfo: { country: '112' } }],
    'geoInfo.countryISOCode': [{ geoInfo: { countryISOCode: 'DE' } }],
    prefix: [{ prefix: '' }, { prefix: '11' }],
    domainRef: [{ domainRef: refs('second domain') }],
    numberRefs: [{ numberRefs: [refs('number'), refs('block')] }],
    shares: [{ shares: [{ priority: 9, weight: 1 }] }],
  };
  const kind = field.split(' ').slice(-2).join(' ');
  return values[field] ?? values[kind] ?? values[name] ?? [];
}

/** The values that follow from a format: true and false, the least and the greatest number, and each choice. */
function derived({ name, format }: Field): readonly Input[] {
  const { type, minimum, maximum, enum: choices } = format.schema;
  if (type === 'boolean') return [{ [name]: false }, { [name]: true }];
  if (type === 'integer') return [{ [name]: minimum ?? 0 }, { [name]: maximum ?? 1 }];
  return (choices ?? []).map((choice) => ({ [name]: choice.toUpperCase() }));
}

/**
 * Creates anna of OFFICE, whose calls to 112 leave through an emergency route, and resources that could be in the way: a user, a
 * peer and numbers of another gateway with that name or number, and another route.
 */
export async function placeEmergency(app: TestApp, { emergency, other }: Places): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  const refs = (role: string): string => placed.find((each) => each.role === role)?.ref ?? '';
  const place = async (
    kind: string,
    role: string,
    make: (app: TestApp, input: Input) => Promise<string>,
    input: Input,
  ) => {
    placed.push({ kind, role, ref: await make(app, input), input });
  };
  await place('Domain', 'domain', createDomain, { name: 'office', domainUri: OFFICE });
  await place('Domain', 'second domain', createDomain, { name: 'second', domainUri: 'second.test' });
  await createDomain(app, { domainUri: 'third.test' });
  await place('Agent', 'caller', createAgent, { name: 'anna', username: 'anna', secret: SECRET, domains: [OFFICE] });
  await place('Agent', 'namesake', createAgent, { name: '112', username: '112', secret: SECRET, domains: [OFFICE] });
  await place('Peer', 'peer', createPeer, { name: '112', username: '112', secret: SECRET });
  const own = { transport: 'UDP', username: null, secret: null };
  await place('Gateway', 'emergency gateway', createGateway, { name: 'emergency', ...own, ...emergency });
  await place('Gateway', 'other gateway', createGateway, { name: 'other', ...own, ...other });
  const aorLink = `sip:x@${OFFICE}`;
  const [first, second] = [refs('emergency gateway'), refs('other gateway')];
  await place('Number', 'number', createNumber, { gatewayRef: first, telUrl: 'tel:+493010000', aorLink });
  await place('Number', 'block', createNumber, {
    gatewayRef: second,
    telUrl: 'tel:150',
    lastTelUrl: 'tel:199',
    aorLink,
  });
  await place('DID', 'did', createDid, { gatewayRef: second, telUrl: 'tel:112', aorLink });
  const domainRef = refs('domain');
  await place('Route', 'emergency route', createRoute, {
    ...{ name: 'emergency', domainRef, prefix: '112', emergency: true },
    numberRefs: [refs('number')],
  });
  await place('Route', 'route', createRoute, { name: 'all', domainRef, prefix: '1', numberRefs: [refs('block')] });
  return placed;
}

/** What could be set against a call to 112: each field of each resource, with the inputs that set it. Derived from the model. */
export function everythingElse(
  placed: readonly Placed[],
  { other }: Places,
): readonly { readonly of: Placed; readonly field: string; readonly inputs: readonly Input[] }[] {
  const refs = (role: string): string => placed.find((each) => each.role === role)?.ref ?? '';
  return placed.flatMap((of) =>
    model
      .kindOf(of.kind)
      .fields.filter(({ name }) => !IS_THE_CALL.includes(`${of.role} ${name}`))
      .map((field) => {
        const inputs = inputsOf(`${of.role} ${field.name}`, { refs, other });
        return { of, field: field.name, inputs: inputs.length > 0 ? inputs : derived(field) };
      }),
  );
}

/** The fields of `IS_THE_CALL` that no resource has, which were renamed or removed. */
export function unknownExceptions(placed: readonly Placed[]): readonly string[] {
  const known = placed.flatMap(({ kind, role }) => model.kindOf(kind).fields.map(({ name }) => `${role} ${name}`));
  return IS_THE_CALL.filter((each) => !known.includes(each));
}

/** Changes a resource. Returns the message of the error, if it is refused. */
export async function change(app: TestApp, { kind, ref }: Placed, input: Input): Promise<string | undefined> {
  const { errors } = await app.graphql(
    `mutation ($ref: String!, $input: Update${kind}Input!) { update${kind}(ref: $ref, input: $input) { ref } }`,
    { ref, input },
  );
  return errors?.[0]?.message;
}

/** Gives each field of each resource one of its inputs, a different one in the next turn. */
export async function changeEverythingElse(
  app: TestApp,
  placed: readonly Placed[],
  places: Places,
  turn: number,
): Promise<void> {
  // What another field excludes is tried without it.
  const without: string[] = [];
  for (const { of, inputs } of everythingElse(placed, places)) {
    const refused = await change(app, of, inputs[turn % inputs.length] ?? {});
    if (refused !== undefined) without.push(refused);
  }
  expect(without.length).toBeLessThan(8);
}

/** Uses more minutes of each resource that can limit them than any limit. */
export async function useUpMinutes(url: string, placed: readonly Placed[]): Promise<void> {
  const day = Math.floor(Date.now() / 86_400_000);
  for (const { kind, ref } of placed.filter((each) => ['Agent', 'Domain', 'Gateway'].includes(each.kind)))
    for (const prefix of ['1', '112'])
      await runSql(url, 'INSERT INTO used_minutes (day, kind, ref, prefix, seconds) VALUES (?, ?, ?, ?, 90000)', [
        ...[day, kind, ref, prefix],
      ]);
}

/** The input that undoes another one. */
export function undoing({ input }: Placed, done: Input): Input {
  return Object.fromEntries(Object.keys(done).map((name) => [name, input[name] ?? null]));
}
