import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { runCommand, type Ran } from '../support/command-line';
import { createAgent, createDomain, createGateway, createNumber, createPeer, createRoute } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { registerContact } from '../support/databases/sql';

const SECRETS = {
  SIPGRAPH_SECRET_ADA: 'a-secret-from-a-variable',
  SIPGRAPH_SECRET_GRACE: 'a-secret-of-grace',
  DATABASE_PASSWORD: 'of-the-pipeline',
};

onEachDriver('A directory of documents', (subject) => {
  let home: string;
  let directory: string;
  let kept: string;
  let plan: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'sipgraph-git-'));
    [directory, kept, plan] = [join(home, 'pbx'), join(home, 'secrets'), join(home, 'plan.json')];
    await mkdir(join(directory, 'berlin'), { recursive: true });
    await mkdir(kept);
    await writeFile(join(kept, 'gateway'), 'a-secret-from-a-file\n');
  });

  afterEach(() => rm(home, { recursive: true }));

  const run = (...args: readonly string[]): Promise<Ran> =>
    runCommand({ DATABASE_URL: subject().url, ...SECRETS }, ...args);
  const file = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  const scoped = (command: string, label: string): readonly string[] => [
    ...[command, directory, '--label', label],
    ...['--secrets', kept],
  ];
  const secretOf = async (collection: string, ref: string): Promise<unknown> => {
    const { body } = await subject().app.rest<object>('GET', `/${collection}/${ref}`);
    return (body.data as { spec: { credentials?: { secret?: string } } }).spec.credentials?.secret;
  };
  const ada = (label: string, name: string): string =>
    [
      'apiVersion: v1beta1',
      'kind: Agent',
      `metadata: { ref: ag-${label}, name: ${name}, labels: [site=${label}] }`,
      `spec: { credentials: { username: ada-${label}, secret: "env:SIPGRAPH_SECRET_ADA" }, domains: [${label}.example] }`,
    ].join('\n');
  const domain = (label: string): string =>
    [
      'kind: Domain',
      `metadata: { ref: do-${label}, name: ${label}, labels: [site=${label}] }`,
      `spec: { context: { domainUri: ${label}.example } }`,
    ].join('\n');

  test('is planned, applied as one request, and then has nothing to do', async () => {
    const { app } = subject();
    const other = await createGateway(app, { labels: ['site=other'] });
    const old = await createGateway(app, { labels: ['site=one'] });
    await file('berlin/agents.yml', ada('one', 'Ada'));
    await file('domains.YAML', domain('one'));
    const planned = await run(...scoped('plan', 'site=one'), '--out', plan);
    expect(planned).toMatchObject({ err: '', code: 2 });
    expect(planned.out).toMatch(
      new RegExp(
        `^delete Gateway ${old}\\n[^]*create Domain do-one \\(domains.YAML:1\\)\\n[^]*create Agent ag-one \\(berlin/agents.yml:1\\)\\n[^]*    secret: set\\n[^]*2 to create, 0 to update, 1 to delete, 0 unchanged\\n$`,
      ),
    );
    expect(planned.out).not.toContain(other);
    expect(planned.out).toContain('    domains: one.example\n');
    expect(JSON.parse(await readFile(plan, 'utf8'))).toMatchObject({
      changes: [
        { delete: { kind: 'Gateway', ref: old, ifUnchangedSince: expect.any(String) } },
        { create: { domain: { ref: 'do-one' } } },
        { create: { agent: { ref: 'ag-one', secret: 'env:SIPGRAPH_SECRET_ADA' } } },
      ],
    });

    const applied = await run('apply', '--plan', plan);
    expect(applied).toMatchObject({ err: '', code: 0 });
    expect(await secretOf('agents', 'ag-one')).toBe('a-secret-from-a-variable');
    const [, request = ''] = /sipgraph revert --request (\S+)\n$/.exec(applied.out) ?? [];
    const { data } = await app.graphql<{ history: { nodes: readonly object[] } }>(
      `{ history(where: { request: "${request}" }) { nodes { kind ref } } }`,
    );
    expect(data.history.nodes).toHaveLength(3);

    expect(await run(...scoped('plan', 'site=one'))).toEqual({
      out: '0 to create, 0 to update, 0 to delete, 2 unchanged\n',
      err: '',
      code: 0,
    });
    for (const { out, err } of [planned, applied]) expect(out + err).not.toContain('a-secret');
    expect(await run('revert', '--request', request)).toMatchObject({ err: '', code: 0 });
  });

  test('is planned, compared and shown in a pipe without characters that are invisible or change the direction of text', async () => {
    const { app } = subject();
    const name = 'Bank\u202e\u3164\u115f\u034f\u17b4\ufe0f\u180b\u{e0100}knaB';
    const gateway = await createGateway(app, { name, host: '192.0.2.77', labels: ['site=marks'] });
    await file('domains.yml', domain('marks'));
    const escaped = 'Bank\\u202e\\u3164\\u115f\\u034f\\u17b4\\ufe0f\\u180b\\u{e0100}knaB';
    for (const command of [
      scoped('plan', 'site=marks'),
      scoped('drift', 'site=marks'),
      ['history', '--ref', gateway],
    ]) {
      const { out } = await run(...command);
      expect(out).toContain(escaped);
      expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    }
    const { errors } = await app.graphql(
      'mutation ($name: String!) { updateGateway(ref: "x", input: { name: $name }) { ref } }',
      { name: 'a\u0085\u009b\u2028b' },
    );
    expect(errors?.[0]?.message).toContain('"a\\u0085\\u009b\\u2028b" has control characters');
  });

  test('is what the server has after one plan, also if documents swap the values by which others refer to them', async () => {
    const both = (one: string, two: string): string =>
      [
        domain('swap').replace('swap.example', one),
        domain('swap')
          .replaceAll('do-swap', 'do-swop')
          .replace('name: swap', 'name: swop')
          .replace('swap.example', two),
        ada('swap', 'Ada'),
      ].join('\n---\n');
    await file('all.yml', both('swap.example', 'other.example'));
    await run(...scoped('plan', 'site=swap'), '--out', plan);
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: '', code: 0 });
    await file('all.yml', both('other.example', 'swap.example'));
    const planned = await run(...scoped('plan', 'site=swap'), '--out', plan);
    expect(planned.err).toBe('');
    expect(planned.out).toMatch(/update Agent ag-swap .*\n    domains: other.example -> swap.example\n[^]*3 to update/);
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: '', code: 0 });
    expect(await run(...scoped('drift', 'site=swap'))).toMatchObject({ err: '', code: 0 });
  });

  test('is refused by apply if somebody has changed what it changes, who is named, and nothing is changed', async () => {
    const { app } = subject();
    await createDomain(app, { ref: 'do-two', name: 'two', domainUri: 'two.example', labels: ['site=two'] });
    await createAgent(app, { ref: 'ag-two', name: 'Old', username: 'ada-two', domains: ['two.example'] });
    await file('all.yml', `${ada('two', 'Ada')}\n---\n${domain('two')}`);
    const planned = await run(...scoped('plan', 'site=two'), '--out', plan);
    expect(planned.out).toMatch(
      /^update Agent ag-two \(all.yml:1\)\n    name: "Old" -> "Ada"\n    secret: changed\n    labels: .*site=two.*\n0 to create/,
    );
    await app.graphql('mutation { updateAgent(ref: "ag-two", input: { name: "Grace" }) { ref } }');
    const applied = await run('apply', '--plan', plan);
    expect(applied).toMatchObject({ out: '', code: 1 });
    expect(applied.err).toMatch(/changes\[0\]\.update\.agent\.name: was changed from "Old" to "Grace" by admin at /);
    expect(applied.err).toContain('nothing was changed');
    const { data } = await app.graphql('{ agent(ref: "ag-two") { name labels } }');
    expect(data).toEqual({ agent: { name: 'Grace', labels: null } });
  });

  test('is compared with the server by drift, which names who changed what and when', async () => {
    const { app } = subject();
    await file('all.yml', `${ada('three', 'Ada')}\n---\n${domain('three')}`);
    await run(...scoped('plan', 'site=three'), '--out', plan);
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: '', code: 0 });
    expect(await run(...scoped('drift', 'site=three'))).toMatchObject({ code: 0, err: '' });
    await app.graphql('mutation { updateAgent(ref: "ag-three", input: { name: "Grace" }) { ref } }');
    const extra = await createGateway(app, { labels: ['site=three'] });
    const { out, code } = await run(...scoped('drift', 'site=three'));
    expect(code).toBe(3);
    expect(out).toMatch(
      /update Agent ag-three [^]*    name: "Grace" -> "Ada"\n    name: updated by admin at \S+ \(GRAPHQL, /,
    );
    expect(out).toMatch(new RegExp(`delete Gateway ${extra}\\n[^]*    created by admin at `));
    const json = await run(...scoped('drift', 'site=three'), '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      updates: 1,
      deletes: 1,
      changes: [{ change: 'delete' }, { ref: 'ag-three', causes: [{ fields: ['name'], by: 'admin', way: 'GRAPHQL' }] }],
    });
  });

  test('keeps the secrets that it does not name, and clears other fields that it does not have', async () => {
    const { app } = subject();
    const gateway = { ref: 'gw-four', name: 'Four', host: '192.0.2.4', note: 'old', labels: ['site=four'] };
    await createGateway(app, { ...gateway, username: 'four', secret: 'never-printed' });
    const document = (credentials: string): Promise<void> =>
      file(
        'gateways.json',
        JSON.stringify({
          kind: 'Gateway',
          metadata: { ref: 'gw-four', name: 'Four', labels: ['site=four'] },
          spec: { host: '192.0.2.4', transport: 'udp', credentials: JSON.parse(credentials) as object },
        }),
      );
    await document('{ "username": "four" }');
    const planned = await run(...scoped('plan', 'site=four'), '--out', plan);
    expect(planned).toMatchObject({ err: '', code: 2 });
    expect(planned.out).toMatch(/^update Gateway gw-four \(gateways.json:1\)\n    note: "old" -> nothing\n0 to create/);
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: '', code: 0 });
    expect(await secretOf('gateways', 'gw-four')).toBe('never-printed');

    await document('{ "username": "four", "secret": "file:gateway" }');
    const changed = await run(...scoped('plan', 'site=four'), '--out', plan);
    expect(changed.out).toMatch(/^update Gateway gw-four \(gateways.json:1\)\n    secret: changed\n0 to create/);
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: expect.stringContaining('--secrets'), code: 1 });
    expect(await run('apply', '--plan', plan, '--secrets', kept)).toMatchObject({ err: '', code: 0 });
    expect(await secretOf('gateways', 'gw-four')).toBe('a-secret-from-a-file');
    for (const { out } of [planned, changed]) expect(out).not.toMatch(/never-printed|a-secret/);
    expect(await readFile(plan, 'utf8')).not.toMatch(/never-printed|a-secret/);
  });

  test.each([
    ['a secret', 'secret: very-secret', 'spec.credentials.secret: is a secret: write env:SIPGRAPH_SECRET_'],
    ['another variable', 'secret: "env:DATABASE_PASSWORD"', '"env:DATABASE_PASSWORD" is not env:SIPGRAPH_SECRET_'],
    ['a variable that is not set', 'secret: "env:SIPGRAPH_SECRET_NO"', 'the environment has no variable'],
    ['a file of the machine', 'secret: "file:/etc/passwd"', '"file:/etc/passwd" is not in the directory of --secrets'],
    ['a file above', 'secret: "file:../pbx/agents.yml"', '"file:../pbx/agents.yml" is not in the directory'],
    ['a link to another file', 'secret: "file:link"', '"file:link" is not in the directory of --secrets'],
    ['aliases that multiply', 'secret: *c', 'aliases expand to too much text'],
  ])('is refused with %s, without a word of a secret', async (_what, secret, message) => {
    await symlink('/etc/passwd', join(kept, 'link'));
    const bomb = [
      'a: &a "' + 'x'.repeat(1000) + '"',
      ...['b', 'c'].map((name, index) => `${name}: &${name} [${`*${'ab'.charAt(index)}, `.repeat(40)}]`),
    ];
    const lines = [
      'kind: Agent',
      ...bomb,
      'metadata: { name: Eve, labels: [site=five] }',
      'spec:',
      '  domains: [five.example]',
      '  credentials:',
      '    username: eve',
      `    ${secret}`,
    ];
    await file('agents.yml', lines.filter((line) => secret.includes('*') || !/^[abc]: /.test(line)).join('\n'));
    const { out, err, code } = await run(...scoped('plan', 'site=five'), '--out', plan);
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toContain(message);
    expect(err).not.toMatch(/very-secret|of-the-pipeline|root:/);
  });

  test('is refused if a file is too long, a link leads elsewhere, or the documents are those of another label', async () => {
    const refused = async (message: string): Promise<void> => {
      const { out, err, code } = await run(...scoped('plan', 'site=six'));
      expect({ out, code }).toEqual({ out: '', code: 1 });
      expect(err).toContain(message);
    };
    await refused('has no documents');
    await file('domains.yml', domain('seven'));
    await refused('domains.yml:1: metadata.labels: lacks site=six, which --label requires of each document');
    await file('domains.yml', domain('six').replace('six.example', '"six.example", {'));
    await refused('domains.yml:3: ');
    await file('domains.yml', `${domain('six')}\n---\n${domain('six')}`);
    await refused('domains.yml:5: is a document of Domain do-six, as domains.yml:1 is');
    await createDomain(subject().app, { ref: 'do-six', domainUri: 'six.example' });
    const unnamed = domain('six').replace('ref: do-six, ', '');
    for (const [first, second] of [
      [domain('six'), unnamed],
      [unnamed, unnamed],
    ]) {
      await file('domains.yml', `${first}\n---\n${second}`);
      await refused('domains.yml:5: is a document of Domain do-six, as domains.yml:1 is');
    }
    await file('domains.yml', '#'.repeat(9 * 1024 * 1024));
    await refused('domains.yml has 9437184 bytes; the limit is 8388608');
    await file('domains.yml', domain('six'));
    await symlink('/etc/hostname', join(directory, 'more.yml'));
    await refused('more.yml is a symbolic link');
  });

  test('may have a DID and a Number with the same reference, which are two resources', async () => {
    const { app } = subject();
    await createGateway(app, { ref: 'gw-both', name: 'Both', host: '192.0.2.66', transport: 'UDP' });
    const number = (kind: string): string =>
      `kind: ${kind}\nmetadata: { ref: both, gwRef: gw-both }\nspec: { location: { telUrl: 'tel:+4930556677', aorLink: 'sip:1@both.example' } }`;
    await file('all.yml', ['DID', 'Number'].map(number).join('\n---\n'));
    const planned = await run('plan', directory, '--out', plan);
    expect(planned).toMatchObject({ err: '', code: 2 });
    expect(planned.out).toMatch(/create Number both [^]*create DID both [^]*2 to create, 0 to update/);
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: '', code: 0 });
    expect((await run('drift', directory)).out).toBe('0 to create, 0 to update, 0 to delete, 2 unchanged\n');
  });

  test('that deletes a resource with a secret says which secret its revert requires', async () => {
    const { app } = subject();
    const host = await createDomain(app, { ref: 'do-lost', domainUri: 'lost.example' }).then(() => 'lost.example');
    await createAgent(app, { ref: 'ag-lost', username: 'lost', domains: [host], labels: ['site=lost'] });
    await file('domains.yml', domain('lost'));
    expect(await run(...scoped('plan', 'site=lost'), '--out', plan)).toMatchObject({ err: '', code: 2 });
    const { out } = await run('apply', '--plan', plan);
    const [, request = '', option = ''] =
      /sipgraph revert --request (\S+) --secret (ag-lost:secret=)…\n$/.exec(out) ?? [];
    const refused = await run('revert', '--request', request);
    expect(refused.err).toContain('(command: --secret ag-lost:secret=…)');
    expect(await run('revert', '--request', request, '--secret', `${option}again`)).toMatchObject({ err: '', code: 0 });
    expect(await secretOf('agents', 'ag-lost')).toBe('again');
    expect(await run('history', '--request', 'nope')).toMatchObject({
      err: 'The history has no request nope\n',
      code: 1,
    });
  });

  test('reports what the server would refuse at its place, before anything is applied', async () => {
    await file('agents.yml', ada('eight', 'Ada'));
    const { out, err, code } = await run(...scoped('plan', 'site=eight'), '--out', plan);
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toContain('agents.yml:1.agent.domains: Domain "eight.example" does not exist');
  });

  test.each([
    ['of a document', 'a\nNo changes\nb.yml', ada('eight', 'Ada')],
    ['that is not YAML', 'a\nNo changes\nb.yml', '['],
    ['of routing tests', 'a\nNo changes\nb/tests.yml', '- call: 1'],
  ])('names a file %s on one line, also if its name has line breaks', async (_, name, text) => {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await file(name, text);
    if (name.endsWith('/tests.yml')) await file('domains.yml', domain('eight'));
    const { out, err, code } = await run(...scoped('plan', 'site=eight'), '--out', plan);
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toContain(name.replaceAll('\n', '\\u000a'));
    expect(err).not.toContain('\nNo changes');
  });

  test('makes a plan that another database, or a file that was changed by hand, does not get past', async () => {
    await file('domains.yml', domain('nine'));
    await run(...scoped('plan', 'site=nine'), '--out', plan);
    const made = JSON.parse(await readFile(plan, 'utf8')) as { madeFrom: { entry: number; at: string } };
    const apply = async (changed: object): Promise<string> => {
      await writeFile(plan, JSON.stringify({ ...made, ...changed }));
      const { err, code } = await run('apply', '--plan', plan);
      expect(code).toBe(1);
      return err;
    };
    expect(await apply({ madeFrom: { ...made.madeFrom, at: '2020-01-01T00:00:00.000Z' } })).toContain(
      'The plan was made from another database',
    );
    expect(await apply({ format: 'other' })).toContain('The file is not a plan');
    expect(await apply({ changes: [{ create: { agent: { secret: 'plain' } } }] })).toContain(
      'changes[0].create.agent.secret: is a secret, and a plan only names secrets',
    );
    expect(await apply({ changes: [{ update: { ref: 'x', agent: { name: 'y' } } }] })).toContain(
      'changes[0].update.ifUnchangedSince: is not a time',
    );
    expect(await run(...scoped('plan', 'site=nine'), '--out', join(directory, 'plan.json'))).toMatchObject({ code: 1 });
    // A link that leads back into the directory.
    await symlink(directory, join(home, 'plans'));
    const linked = await run(...scoped('plan', 'site=nine'), '--out', join(home, 'plans', 'plan.json'));
    expect(linked).toMatchObject({ out: '', code: 1, err: expect.stringContaining('whose files are documents') });
  });

  test('has routing tests, which are explained without a SIP server', async () => {
    const { app } = subject();
    await createDomain(app, { ref: 'do-ten', name: 'ten', domainUri: 'ten.example' });
    await createAgent(app, { name: 'Ada', username: '1001', domains: ['ten.example'] });
    const gateway = await createGateway(app);
    const number = { gatewayRef: gateway, telUrl: 'tel:+15551010', aorLink: 'sip:1001@ten.example' };
    const { data } = await app.graphql<{ createNumber: { ref: string } }>(
      'mutation ($input: CreateNumberInput!) { createNumber(input: $input) { ref } }',
      { input: number },
    );
    await app.graphql(
      'mutation ($rule: EgressPolicyInput!) { updateDomain(ref: "do-ten", input: { egressPolicy: $rule }) { ref } }',
      {
        rule: { rule: '[+][0-9]+', numberRef: data.createNumber.ref },
      },
    );
    const passing = [
      `- { from: 1001@ten.example, to: '+442079460958', leaves: ${gateway}, as: '+15551010' }`,
      "- { to: '+15551010', rings: 1001@ten.example }",
      "- { to: 1001@ten.example, rings: '1001' }",
      '- { from: 1001@ten.example, to: 1001@ten.example, rings: 1001@ten.example }',
      '- { from: 1001@ten.example, to: 1002@ten.example, refused: 404 }',
    ];
    await file('tests.yml', passing.join('\n'));
    expect(await run('test', directory)).toEqual({ out: '5 tests, 0 failed\n', err: '', code: 0 });

    const failing = [
      "- { from: 1001@ten.example, to: '+442079460958', leaves: other, as: '+15551010' }",
      "- { to: '+15551010', rings: 1002@ten.example }",
      '- { from: 1001@ten.example, to: 1001@ten.example, refused: 404 }',
    ];
    await file('berlin/tests.yml', failing.join('\n'));
    const { out, code } = await run('test', directory);
    expect(code).toBe(1);
    expect(out.split('\n')).toEqual([
      `berlin/tests.yml:1: 1001@ten.example -> +442079460958: expected: leaves by other as +15551010; but the call leaves by ${gateway} as +15551010`,
      expect.stringMatching(
        /^berlin\/tests.yml:2: \+15551010: expected: rings 1002@ten.example; but the call is NOT_REGISTERED and leads to sip:1001@ten.example: /,
      ),
      expect.stringMatching(
        /^berlin\/tests.yml:3: 1001@ten.example -> 1001@ten.example: expected: refused 404; but the call REFUSED 480 /,
      ),
      '8 tests, 3 failed',
      '',
    ]);

    await file('berlin/tests.yml', "- { from: 'a b', to: '+15551010', rings: '1001' }\n- { to: '@@', rings: '1001' }");
    expect((await run('test', directory)).out.split('\n')).toEqual([
      expect.stringMatching(
        /^berlin\/tests.yml:1: a b -> \+15551010: .* cannot be explained: from: "a b" is not a number/,
      ),
      expect.stringMatching(
        /^berlin\/tests.yml:2: @@: .* cannot be explained: addressOfRecord: "@@" is not an address/,
      ),
      '7 tests, 2 failed',
      '',
    ]);

    await file('berlin/tests.yml', '- { to: 112, rings: 1001 }\n- { to: a, ring: b }\n- { to: a, leaves: b }');
    const { err } = await run('test', directory);
    expect(err.split('\n')).toEqual([
      'berlin/tests.yml:1: to: 112 is not a text: put it into quotes',
      'berlin/tests.yml:1: rings: 1001 is not a text: put it into quotes',
      'berlin/tests.yml:2: ring: is not one of to, from, source, leaves, as, rings, refused, else',
      'berlin/tests.yml:3: from: is required with leaves and refused',
      expect.stringMatching(/^4 errors in /),
      '',
    ]);
  });

  test('has routing tests that say what is tried else, in its order, whoever is registered', async () => {
    const { app } = subject();
    const domain = await createDomain(app, { domainUri: 'else.example' });
    for (const username of ['1003', '1004'])
      await createAgent(app, { name: username, username, domains: ['else.example'] });
    await createPeer(app, { username: 'desk', contactAddr: '192.0.2.9' });
    const first = await createGateway(app, { host: '192.0.2.1' });
    const second = await createGateway(app, { host: '192.0.2.2' });
    const own = await createNumber(app, {
      gatewayRef: first,
      telUrl: 'tel:+15551301',
      aorLink: 'sip:1003@else.example',
    });
    const other = await createNumber(app, {
      gatewayRef: second,
      telUrl: 'tel:+15551302',
      aorLink: 'sip:1004@else.example',
    });
    await createRoute(app, { domainRef: domain, prefix: '+44', numberRefs: [own, other] });
    await createNumber(app, {
      gatewayRef: first,
      telUrl: 'tel:+15551303',
      aorLink: 'sip:1003@else.example',
      furtherTargets: [
        'sip:gone@else.example',
        'sip:1004@else.example after 20',
        'sip:desk@else.example',
        'tel:+442079460958 after 30',
        'tel:+15551301 after 10',
      ],
    });
    await createNumber(app, {
      gatewayRef: first,
      telUrl: 'tel:+15551304',
      aorLink: 'sip:gone@else.example',
      furtherTargets: ['sip:1004@else.example after 20'],
    });
    const passing = [
      "- { to: '+15551303', rings: '1003', else: ['1004', desk@else.example, '+442079460958'] }",
      "- { from: 1004@else.example, to: '+15551303', rings: '1003', else: ['1004', desk, 'tel:+442079460958'] }",
      `- { from: '+441234567', to: '+15551303', source: 192.0.2.1, rings: '1003', else: [1004@else.example, desk, '+442079460958'] }`,
      "- { to: '+15551303', rings: '1003' }",
      "- { to: '+15551304', rings: '1004', else: [] }",
      "- { from: 1003@else.example, to: '+15551304', rings: '1004', else: [] }",
      `- { from: 1003@else.example, to: '+441234567', leaves: ${first}, as: '+15551301', else: ${second} }`,
    ];
    await file('tests.yml', passing.join('\n'));
    const expected = { out: '7 tests, 0 failed\n', err: '', code: 0 };
    expect(await run('test', directory)).toEqual(expected);
    await registerContact(subject().url, { username: '1004', domain: 'else.example', contact: 'sip:1004@192.0.2.7' });
    expect(await run('test', directory)).toEqual(expected);

    const failing = [
      "- { to: '+15551303', rings: '1003', else: '1004' }",
      "- { from: 1004@else.example, to: '+15551303', rings: '1003', else: ['1004', '+442079460958', desk] }",
      `- { from: 1003@else.example, to: '+441234567', leaves: ${first}, else: [] }`,
      "- { to: '+15551304', rings: gone }",
    ];
    await file('tests.yml', failing.join('\n'));
    const { out } = await run('test', directory);
    const rest = 'sip:1004@else.example, sip:desk@else.example, tel:+442079460958';
    expect(out.split('\n')).toEqual([
      expect.stringMatching(
        /^tests.yml:1: .*: expected: rings 1003, else 1004; but the call is REACHABLE and leads to /,
      ),
      `tests.yml:2: 1004@else.example -> +15551303: expected: rings 1003, else 1004, +442079460958, desk; but the call rings sip:1003@else.example, else ${rest}`,
      `tests.yml:3: 1003@else.example -> +441234567: expected: leaves by ${first}, else nobody; but the call leaves by ${first} as +15551301, else ${second}`,
      expect.stringMatching(/^tests.yml:4: .* leads to sip:1004@else.example: /),
      '4 tests, 4 failed',
      '',
    ]);

    await file(
      'tests.yml',
      '- { to: a, rings: b, else: 1 }\n- { from: a, to: a, refused: 404, else: [b, [c]] }\n- { from: a, to: b, refused: 404, else: c }\n- { from: a, to: b, refused: 99999 }',
    );
    expect((await run('test', directory)).err.split('\n').slice(0, 4)).toEqual([
      'tests.yml:1: else: 1 is not a text: put it into quotes',
      'tests.yml:2: else: ["c"] is not a text: put it into quotes',
      'tests.yml:3: else: requires leaves or rings',
      'tests.yml:4: refused: "99999" is not the status of a response from 300 to 699',
    ]);
  });

  test('is refused by apply if another resource was changed and calls would go differently than the plan foresaw', async () => {
    const { app } = subject();
    const domain = await createDomain(app, { domainUri: 'moved.example' });
    const agents: string[] = [];
    for (const username of ['one-moved', 'two-moved'])
      agents.push(await createAgent(app, { username, domains: ['moved.example'] }));
    const gateway = await createGateway(app, { name: 'Moved', host: '192.0.2.40' });
    const entry = { gatewayRef: gateway, telUrl: 'tel:+15551401', aorLink: 'sip:one-moved@moved.example' };
    const number = await createNumber(app, { ref: 'nu-moved', ...entry });
    await file(
      'all.yml',
      [
        `kind: Number\nmetadata: { ref: nu-moved, gwRef: ${gateway}, labels: [site=moved] }\nspec: { location: { telUrl: 'tel:+15551401', aorLink: 'sip:two-moved@moved.example' } }`,
        `kind: Route\nmetadata: { ref: ro-moved, name: Moved, domainRef: ${domain}, labels: [site=moved] }\nspec: { prefix: '+44', numberRefs: [${number}] }`,
      ].join('\n---\n'),
    );
    const planned = await run(...scoped('plan', 'site=moved'), '--out', plan);
    expect(planned).toMatchObject({ err: '', code: 2 });
    const { calls } = JSON.parse(await readFile(plan, 'utf8')) as { readonly calls: readonly string[] };
    const from = 'Number tel:+15551401: tel:+15551401 from gateway Moved at 192.0.2.40, rings agent';
    const moves = `${from} one-moved@moved.example -> tel:+15551401 from gateway Moved at 192.0.2.40, rings agent two-moved@moved.example`;
    const leaves = 'moved.example, route "+44": no such way -> Moved at 192.0.2.40 over udp as tel:+15551401';
    expect(calls).toEqual([moves, leaves]);

    const update = async (mutation: string): Promise<void> => {
      expect((await app.graphql(`mutation { ${mutation} { ref } }`)).errors).toBeUndefined();
    };
    const refused = async (...lines: readonly string[]): Promise<void> => {
      for (const options of [[], ['--confirm-within', '10m']]) {
        const { out, err, code } = await run('apply', '--plan', plan, ...options);
        expect({ out, code }).toEqual({ out: '', code: 1 });
        expect(err.split('\n')).toEqual([
          ...lines,
          expect.stringMatching(
            /^What calls would do differs from the plan in \d lines?, because .*nothing was changed: make a new plan$/,
          ),
          '',
        ]);
      }
    };
    await update(`updateAgent(ref: "${String(agents[1])}", input: { enabled: false })`);
    const gone = moves.replace(
      'rings agent two-moved@moved.example',
      'agent two-moved@moved.example is disabled: enable it to let it ring',
    );
    await refused(`now: ${gone}`, `then: ${moves}`);
    await update(`updateAgent(ref: "${String(agents[1])}", input: { enabled: true })`);
    await update(`updateGateway(ref: "${gateway}", input: { host: "192.0.2.41" })`);
    await refused(
      `now: ${moves.replaceAll('192.0.2.40', '192.0.2.41')}`,
      `now: ${leaves.replace('192.0.2.40', '192.0.2.41')}`,
      `then: ${moves}`,
      `then: ${leaves}`,
    );
    await update(`updateGateway(ref: "${gateway}", input: { host: "192.0.2.40" })`);
    expect((await app.graphql('{ number(ref: "nu-moved") { aorLink } }')).data).toEqual({
      number: { aorLink: 'sip:one-moved@moved.example' },
    });

    // What is registered changes all the time, and what calls do not depend on makes no difference.
    for (const username of ['one-moved', 'two-moved'])
      await registerContact(subject().url, { username, domain: 'moved.example', contact: `sip:${username}@192.0.2.1` });
    await createAgent(app, { username: 'three-moved', domains: ['moved.example'] });
    const text = await readFile(plan, 'utf8');
    await writeFile(plan, text.replace('"calls": [', '"calls": [1, '));
    expect(await run('apply', '--plan', plan)).toMatchObject({
      code: 1,
      err: expect.stringContaining('calls: 1 is not a line of a plan'),
    });
    await writeFile(plan, text);
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: '', code: 0 });
    expect(await run(...scoped('plan', 'site=moved'))).toMatchObject({ err: '', code: 0 });
  });

  test('is planned with the calls that go differently, and refused by apply if a routing test fails', async () => {
    const { app } = subject();
    await createDomain(app, { ref: 'do-twelve', name: 'twelve', domainUri: 'twelve.example' });
    const agent = { name: 'Ada', username: 'ada-twelve', domains: ['twelve.example'], labels: ['site=twelve'] };
    await createAgent(app, { ...agent, ref: 'ag-twelve' });
    await registerContact(subject().url, {
      username: 'ada-twelve',
      domain: 'twelve.example',
      contact: 'sip:ada-twelve@192.0.2.1',
    });
    const gateway = await createGateway(app, { name: 'Trunk' });
    const number = { gatewayRef: gateway, telUrl: 'tel:+15551012', aorLink: 'sip:ada-twelve@twelve.example' };
    await createNumber(app, number);
    const tests = (rings: string): Promise<void> => file('tests.yml', `- { to: '+15551012', rings: '${rings}' }`);
    await file(
      'gateways.yml',
      'kind: Gateway\nmetadata: { name: x, labels: [site=twelve] }\nspec: { host: 192.0.2.12, transport: udp }',
    );
    await tests('ada-twelve');

    // Without its document, the agent is deleted.
    const planned = await run(...scoped('plan', 'site=twelve'), '--out', plan);
    expect(planned).toMatchObject({ err: '', code: 4 });
    expect(planned.out.split('\n').slice(-6)).toEqual([
      expect.stringMatching(
        /^tel:\+15551012 stops ringing: rings agent ada-twelve@twelve.example on 1 device -> no agent or peer ada-twelve/,
      ),
      'stop ringing: 1, start: 0, ring elsewhere: 0, have another reason: 0; 1 number compared',
      expect.stringMatching(
        /^tests.yml:1: \+15551012: expected: rings ada-twelve; but the call is TARGET_MISSING and leads to sip:ada-twelve@twelve.example: /,
      ),
      '1 test, 1 failed',
      '1 to create, 0 to update, 1 to delete, 0 unchanged',
      '',
    ]);
    expect(JSON.parse(await readFile(plan, 'utf8'))).toMatchObject({
      tests: [
        { place: 'tests.yml:1', to: '+15551012', rings: 'ada-twelve', difference: expect.stringContaining('TARGET_') },
      ],
    });
    const { out } = await run(...scoped('plan', 'site=twelve'), '--json');
    expect(JSON.parse(out)).toMatchObject({
      calls: { counts: { stops: 1 }, numbers: [{ effect: 'STOPS', after: { state: 'TARGET_MISSING' } }] },
      tests: [{ difference: expect.any(String) }],
    });

    const refused = await run('apply', '--plan', plan);
    expect(refused).toMatchObject({ out: '', code: 4 });
    expect(refused.err).toMatch(
      /^tests.yml:1: \+15551012: expected: rings ada-twelve; .*\n1 of 1 test failed; nothing was changed\n$/,
    );
    const agents = async (): Promise<unknown> => (await app.graphql('{ agent(ref: "ag-twelve") { ref } }')).data;
    expect(await agents()).toEqual({ agent: { ref: 'ag-twelve' } });

    const forced = await run('apply', '--plan', plan, '--no-tests');
    expect(forced).toMatchObject({ err: '1 test not run, because of --no-tests\n', code: 0 });
    expect(await agents()).toEqual({ agent: null });

    // A test that holds only after the changes.
    await file('agents.yml', ada('twelve', 'Ada'));
    const back = await run(...scoped('plan', 'site=twelve'), '--out', plan);
    expect(back).toMatchObject({ err: '', code: 2, out: expect.stringContaining('starts ringing') });
    expect(back.out).toContain('\n1 test, 0 failed\n');
    expect(await run('apply', '--plan', plan)).toMatchObject({ err: '', code: 0 });

    const made = JSON.parse(await readFile(plan, 'utf8')) as object;
    await writeFile(plan, JSON.stringify({ ...made, tests: [{ place: 'tests.yml:1', to: 1 }] }));
    const wrong = await run('apply', '--plan', plan);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('tests.yml:1: to: 1 is not a text') });
  });

  test('is kept in a pipeline as docs/git.md says, word by word', async () => {
    const page = await readFile(join(__dirname, '../../docs/git.md'), 'utf8');
    const [, documents = ''] = /```yaml\n(kind: [^`]*)```/.exec(page) ?? [];
    await file('pbx.yml', documents);
    const [, tests = ''] = /```yaml\n(- {[^`]*)```/.exec(page) ?? [];
    await file('tests.yml', tests);
    const commands = [...page.matchAll(/```sh\nsipgraph (.*)\n```/g)].map(([, command = '']) => command);
    const codes: number[] = [];
    for (const command of commands) {
      const args = command.split(' ').map((word) => ({ pbx: directory, 'plan.json': plan })[word] ?? word);
      const { code, err } = await run(...args);
      expect(err).toBe('');
      codes.push(code);
    }
    expect(codes).toEqual([2, 0, 0]);
    expect(await run('test', directory)).toEqual({ out: '4 tests, 0 failed\n', err: '', code: 0 });
    await subject().app.graphql('mutation { updateAgent(ref: "ada", input: { name: "Grace" }) { ref } }');
    const { out, code } = await run('drift', directory, '--label', 'managed=git');
    expect(code).toBe(3);
    const [, shown = ''] = /```text\n(update [^`]*)```/.exec(page) ?? [];
    const pattern = shown
      .replace(/[.()[\]]/g, '\\$&')
      .replace('anna at 2026-11-26T06:45:55\\.120Z', 'admin at \\S+')
      .replace(/3f0c…, entry 41/, '\\S+, entry \\d+');
    expect(out).toMatch(new RegExp(`^${pattern}$`));
  });
});
