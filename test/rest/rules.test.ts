import { createAgent, createGateway, createNumber } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

interface Document {
  readonly metadata: object;
  readonly spec: { readonly credentials: { readonly username: string } };
}

type Input = Readonly<Record<string, unknown>>;

let count = 0;

/** By kind, a function that returns a new valid input. */
const VALID: Readonly<Record<string, (gatewayRef: string) => Input>> = {
  Gateway: () => ({ name: 'G', host: `gw${String(++count)}.test`, transport: 'UDP' }),
  Agent: () => ({ name: 'A', username: `agent${String(++count)}`, secret: 's', domains: ['rules.test'] }),
  Peer: () => ({ name: 'P', username: `peer${String(++count)}`, secret: 's' }),
  Domain: () => ({ name: 'D', domainUri: `domain${String(++count)}.test` }),
  DID: (gatewayRef) => ({ gatewayRef, telUrl: `tel:+1${String(++count)}`, aorLink: 'sip:a@b.test' }),
  Number: (gatewayRef) => ({ gatewayRef, telUrl: `tel:+1${String(++count)}`, aorLink: 'sip:a@b.test' }),
};

const LONG = 'x'.repeat(101);
// User names that cannot register with Kamailio.
const UNUSABLE = ['x'.repeat(65), 'a@b', 'a:b', 'a"b', ' ', ' a', 'a ', 'Ω'.repeat(33)];

/** kind, field, valid values, invalid values. */
const RULES: readonly (readonly [string, string, readonly unknown[], readonly unknown[]])[] = [
  [
    'Gateway',
    'name',
    ['x', 'Ümläut ☎', 'x'.repeat(100), '😀'.repeat(100)],
    ['', LONG, '😀'.repeat(101), 'a\nb', 'a\u0000b'],
  ],
  [
    'Gateway',
    'host',
    ['a', 'a.b-c.test', '192.0.2.1', '[2001:db8::1]', 'under_score'],
    ['', 'a b', '300.1.1.1', '[::x]', 'a..b', '-a', 'a:5060', 'ä.test', "';--"],
  ],
  ['Gateway', 'port', [1, 65_535], [0, 65_536, -1]],
  ['Gateway', 'expires', [0, 3600], [-1]],
  [
    'Gateway',
    'registries',
    [[], ['a.test', 'b.test:5060', '[::1]:5060']],
    [['a.test', 'a.test'], ['a:0'], ['a:65536'], ['']],
  ],
  [
    'Gateway',
    'sources',
    [[], ['192.0.2.1', '192.0.2.0/24', '10.0.0.0/8', '2001:db8::/32', '2001::/16', '::1']],
    [
      ...['0.0.0.0/0', '::/0', '10.0.0.0/255.0.0.0', '10.0.0.0/33', '10.0.0.0/', 'a.test', ''].map((each) => [each]),
      ...[['0.0.0.0/1', '128.0.0.0/1'], ['::/1', '8000::/1'], ['10.0.0.0/7'], ['2001::/15']],
      ['10.0.0.1', '10.0.0.1'],
      Array.from({ length: 65 }, (_, last) => `10.0.0.${String(last)}`),
    ],
  ],
  ['Gateway', 'ref', ['a', 'A-z_9', 'r'.repeat(24)], ['', 'a b', 'r'.repeat(25), 'ä', 'a/b']],
  ['Agent', 'username', ['1001', 'x'.repeat(64), 'ünïcode', '名前', 'a b', '+49', 'a\\b'], ['', LONG, ...UNUSABLE]],
  ['Peer', 'username', ['pbx', '😀'.repeat(16)], ['', LONG, ...UNUSABLE]],
  ['Agent', 'secret', ['x', 'x'.repeat(100)], ['', LONG]],
  ['Agent', 'domains', [['rules.test']], [[], ['rules.test', 'RULES.test'], ['a b']]],
  ['Agent', 'maxContacts', [0, 5], [-1]],
  ['Peer', 'contactAddr', ['a.test', '192.0.2.1:5060', '[::1]'], ['a:b', 'a:99999', 'http://a']],
  ['Peer', 'device', ['Asterisk'], ['', LONG]],
  ['Domain', 'domainUri', ['sip.rules.test', '192.0.2.2'], ['', 'sip:a', 'a@b']],
  [
    'Domain',
    'accessControlList',
    [{ allow: ['10.0.0.0/8', '10.0.0.0/255.0.0.0', '::1', '2001:db8::/32'] }, { deny: [] }],
    [
      { allow: ['10.0.0.0/33'] },
      { deny: ['10.0.0.0/255.0.255.0'] },
      { deny: ['x'] },
      { allow: ['10.0.0.1', '10.0.0.1'] },
    ],
  ],
  ['Domain', 'egressPolicy', [null], [{ rule: '.*' }, { numberRef: 'x' }]],
  [
    'DID',
    'telUrl',
    ['tel:0000000000', 'tel:+1-706-604-1487', 'tel:+1(706)604.1487', 'tel:911;phone-context=+1', 'tel:*70#'],
    ['', '+17066041487', 'tel:', 'tel:+', 'tel:+1 706', 'tel:x1', 'sip:1@a', 'tel:1;=x', `tel:+${'1'.repeat(97)}`],
  ],
  [
    'Number',
    'aorLink',
    ['sip:a@b', 'sips:a@b.test:5061', 'sip:a%20b@[::1]', 'sip:b.test', 'sip:+1@b;user=phone', 'SIP:a@b'],
    ['', 'a@b', 'sip:', 'sip:a@', 'sip:a@b:0', 'sip:a b@c', 'sip:a@b;<x>', 'tel:+1', `sip:${'a'.repeat(250)}@b`],
  ],
  [
    'DID',
    'geoInfo',
    [{ city: 'Köln', countryISOCode: 'de' }, { country: 'Germany' }, {}],
    [{ countryISOCode: 'D' }, { countryISOCode: 'D1' }, { city: '' }, { city: LONG }],
  ],
];

const REQUIRED: readonly (readonly [string, string])[] = [
  ...['name', 'host', 'transport'].map((field) => ['Gateway', field] as const),
  ...['name', 'username', 'secret', 'domains'].map((field) => ['Agent', field] as const),
  ...['name', 'username', 'secret'].map((field) => ['Peer', field] as const),
  ...['name', 'domainUri'].map((field) => ['Domain', field] as const),
  ...['gatewayRef', 'telUrl', 'aorLink'].flatMap((field) => [['DID', field] as const, ['Number', field] as const]),
];

onEachDriver('The rules of the kinds', (subject) => {
  let gatewayRef: string;

  beforeAll(async () => {
    gatewayRef = await createGateway(subject().app);
    await create('Domain', { name: 'Rules', domainUri: 'rules.test' });
  });

  async function create(
    kind: string,
    input: Input,
  ): Promise<{ ref?: string; error?: { message: string; extensions: Readonly<Record<string, unknown>> } }> {
    const { data, errors } = await subject().app.graphql<{ made?: { ref: string } } | null>(
      `mutation ($input: Create${kind}Input!) { made: create${kind}(input: $input) { ref } }`,
      { input },
    );
    return { ...(data?.made && { ref: data.made.ref }), ...(errors?.[0] && { error: errors[0] }) };
  }

  const valid = (kind: string): Input => VALID[kind]?.(gatewayRef) ?? {};

  async function countOf(kind: string): Promise<number> {
    const collection = { DID: 'dids', Number: 'numbers' }[kind] ?? `${kind.toLowerCase()}s`;
    const { data } = await subject().app.graphql<Record<string, { totalCount: number }>>(
      `{ ${collection} { totalCount } }`,
    );
    return data[collection]?.totalCount ?? -1;
  }

  test.each(RULES)(
    '%s.%s accepts valid values, and rejects others with an error that names the field',
    async (kind, field, good, bad) => {
      for (const value of good)
        expect(await create(kind, { ...valid(kind), [field]: value })).toEqual({ ref: expect.any(String) as string });
      const before = await countOf(kind);
      for (const value of bad) {
        const { error } = await create(kind, { ...valid(kind), [field]: value });
        expect({ value, error }).toMatchObject({
          value,
          error: { extensions: { code: 'BAD_USER_INPUT', status: 400 } },
        });
        expect(String((error?.extensions['fields'] as string[])[0])).toMatch(new RegExp(`^${field}\\b`));
        if (field !== 'secret' && typeof value === 'string' && value !== '') {
          expect(error?.message).toContain(JSON.stringify(value).slice(1, 20));
        }
      }
      expect(await countOf(kind)).toBe(before);
    },
  );

  test('the error for an invalid secret does not contain it', async () => {
    const secret = `hush-${'x'.repeat(100)}`;
    const { error } = await create('Peer', { ...valid('Peer'), secret });
    expect(error?.message).toContain('secret');
    expect(JSON.stringify(error)).not.toContain('hush');
  });

  test.each(REQUIRED)('%s.%s is required', async (kind, field) => {
    const input = Object.fromEntries(Object.entries(valid(kind)).filter(([name]) => name !== field));
    const { error } = await create(kind, input);
    expect(error?.message).toContain(field);
    expect(error?.extensions['code']).toBe('BAD_USER_INPUT');
  });

  test.each<[string, Input, Input, readonly string[]]>([
    ['Gateway', { host: 'same.test' }, { host: 'SAME.test' }, ['host']],
    ['Gateway', { host: 'same2.test.' }, { host: 'same2.test' }, ['host']],
    ['Gateway', { host: '[2001:db8::a]' }, { host: '[2001:0DB8:0::000A]' }, ['host']],
    [
      'Gateway',
      { host: 's2.test', port: 5060, username: 'u', secret: 's' },
      { host: 's2.test', port: 5060, username: 'u', secret: 'x' },
      ['host', 'username', 'port'],
    ],
    [
      'Agent',
      { username: 'same', domains: ['rules.test'] },
      { username: 'same', domains: ['rules.test'] },
      ['username', 'domains'],
    ],
    ['Peer', { username: 'same' }, { username: 'same' }, ['username']],
    ['Domain', { domainUri: 'same.test' }, { domainUri: 'Same.TEST' }, ['domainUri']],
    ['DID', { telUrl: 'tel:+999' }, { telUrl: 'tel:+999' }, ['telUrl']],
    ['Number', { telUrl: 'tel:+999' }, { telUrl: 'tel:+999' }, ['telUrl']],
    ['Peer', { ref: 'same' }, { ref: 'same' }, ['ref']],
  ])('a %s with %j conflicts with one with %j', async (kind, one, other, fields) => {
    expect(await create(kind, { ...valid(kind), ...one })).toEqual({ ref: expect.any(String) as string });
    const { error } = await create(kind, { ...valid(kind), ...other });
    expect(error?.extensions).toMatchObject({ code: 'CONFLICT', status: 409, fields });
  });

  test.each<[string, Input, Input]>([
    ['Gateway', { host: 'near.test' }, { host: 'near.test', port: 5060 }],
    ['Gateway', { host: 'near2.test' }, { host: 'near2.test', username: 'u', secret: 's' }],
    ['Peer', { username: 'case' }, { username: 'CASE' }],
    ['Agent', { username: 'case' }, { username: 'Case' }],
    ['Domain', { ref: 'Case' }, { ref: 'case' }],
    ['DID', { telUrl: 'tel:+1-999' }, { telUrl: 'tel:+1999' }],
  ])('a %s with %j does not conflict with one with %j', async (kind, one, other) => {
    for (const input of [one, other])
      expect(await create(kind, { ...valid(kind), ...input })).toEqual({ ref: expect.any(String) as string });
  });

  test.each<[string, Input, string]>([
    ['DID', { gatewayRef: 'nope' }, 'gatewayRef'],
    ['Number', { gatewayRef: 'nope' }, 'gatewayRef'],
    ['Agent', { domains: ['rules.test', 'nope.test'] }, 'domains'],
    ['Domain', { egressPolicy: { rule: '.*', numberRef: 'nope' } }, 'egressPolicy.numberRef'],
  ])('a %s that refers to a missing resource is rejected: %j', async (kind, input, field) => {
    const { error } = await create(kind, { ...valid(kind), ...input });
    expect(error).toMatchObject({
      message: expect.stringContaining('nope') as string,
      extensions: { code: 'UNFULFILLED_DEPENDENCY', status: 4091, fields: [field] },
    });
  });

  test.each([
    ...[
      '.*',
      '^[+]?[0-9]+$',
      '^(0|00)[1-9]',
      '^\\+49',
      '^9\\d{3,5}$',
      '^(?:1|2)+$',
      'a{2}}',
      ']',
      'a]',
      '[]a]',
      '[a-]',
    ],
  ])('an egress rule that is accepted works on the database: %s', async (rule) => {
    const { app, url } = subject();
    const numberRef = await createNumber(app);
    const { error } = await create('Domain', { ...valid('Domain'), egressPolicy: { rule, numberRef } });
    if (error !== undefined || url.startsWith('sqlite:')) return;
    expect(await runSql(url, 'SELECT 1 FROM domains WHERE ? REGEXP egress_policy_rule OR TRUE', ['+4930'])).not.toEqual(
      [],
    );
  });

  test.each([
    '(',
    '[',
    '*',
    '+49',
    'a{2,1}',
    '(?=1)',
    '\\u0031',
    '(a+)+$',
    '(.*)*',
    `${'(.*'.repeat(20)}${')'.repeat(20)}`,
  ])('an egress rule that fails or is slow on a database is rejected: %s', async (rule) => {
    const numberRef = await createNumber(subject().app);
    const { error } = await create('Domain', { ...valid('Domain'), egressPolicy: { rule, numberRef } });
    expect(error).toMatchObject({
      message: expect.stringContaining('is not a supported regular expression') as string,
      extensions: { code: 'BAD_USER_INPUT', status: 400, fields: ['egressPolicy.rule'] },
    });
  });

  test('stored values that these rules would reject are returned, and other fields can be changed', async () => {
    const { app, url } = subject();
    const ref = await createAgent(app, { username: 'old', secret: 's', domains: ['rules.test'] });
    const old = 'o'.repeat(70);
    await runSql(url, 'UPDATE agents SET username = ? WHERE ref = ?', [old, ref]);
    const document = (await app.rest<Document>('GET', `/agents/${ref}`)).body.data;
    expect(document.spec.credentials.username).toBe(old);
    const renamed = { ...document, metadata: { ...document.metadata, name: 'Renamed' } };
    expect((await app.rest('PUT', `/agents/${ref}`, { body: renamed })).status).toBe(200);
    const { data } = await app.graphql(
      `mutation($ref: String!) { updateAgent(ref: $ref, input: { privacy: PRIVATE }) { name username privacy } }`,
      { ref },
    );
    expect(data).toEqual({ updateAgent: { name: 'Renamed', username: old, privacy: 'PRIVATE' } });
  });

  test('egressPolicy.numberRef accepts the ref of a Number, not of a DID', async () => {
    await create('DID', { ...valid('DID'), ref: 'only-did' });
    const { error } = await create('Domain', {
      ...valid('Domain'),
      egressPolicy: { rule: '.*', numberRef: 'only-did' },
    });
    expect(error?.extensions['code']).toBe('UNFULFILLED_DEPENDENCY');
    const numberRef = await createNumber(subject().app);
    expect(await create('Domain', { ...valid('Domain'), egressPolicy: { rule: '.*', numberRef } })).toEqual({
      ref: expect.any(String) as string,
    });
  });
});
