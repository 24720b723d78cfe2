import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createPeer,
  createRoute,
} from '../support/factories';
import { fill } from '../support/many';
import { onEachDatabase } from '../support/databases/on-each-database';
import { registerContact, runSql, storeCall } from '../support/databases/sql';

interface Explained {
  readonly digits: string;
  readonly state: string;
  readonly steps: readonly { readonly summary: string; readonly number?: { readonly ref: string } | null }[];
}

interface Found {
  readonly dids: { readonly nodes: readonly { readonly ref: string }[] };
}

const CREATE = 'mutation ($input: CreateDIDInput!) { createDID(input: $input) { ref } }';
const UPDATE =
  'mutation ($ref: String!, $input: UpdateDIDInput!) { updateDID(ref: $ref, input: $input) { ref telUrl lastTelUrl } }';
const AOR = 'sip:anna@range.test';

onEachDatabase('A range of numbers', (subject) => {
  let gatewayRef: string;
  let otherRef: string;
  let last = 0;

  beforeAll(async () => {
    const { app, url } = subject();
    gatewayRef = await createGateway(app, { host: 'own.test', username: null, secret: null });
    otherRef = await createGateway(app, { host: 'other.test', username: null, secret: null });
    await createDomain(app, { domainUri: 'range.test' });
    for (const username of ['anna', 'ben']) await createAgent(app, { username, secret: 's', domains: ['range.test'] });
    await registerContact(url, { username: 'anna', domain: 'range.test', contact: 'sip:anna@127.0.0.1:5060' });
  });

  /** The beginning of a hundred numbers that no other test has. */
  const hundred = (): string => `tel:+4930${String(10_000 + ++last)}`;

  const range = (start: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    createDid(subject().app, { gatewayRef, aorLink: AOR, telUrl: `${start}00`, lastTelUrl: `${start}99`, ...input });

  const single = (telUrl: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    createDid(subject().app, { gatewayRef, aorLink: 'sip:ben@range.test', telUrl, ...input });

  const explain = async (telUrl: string): Promise<Explained> => {
    const { data } = await subject().app.graphql<{ readonly explainNumber: Explained }>(
      `query ($telUrl: String!) { explainNumber(telUrl: $telUrl) {
        digits state
        steps { summary ... on NumberStep { number { ... on DID { ref } ... on Number { ref } } } } } }`,
      { telUrl },
    );
    return data.explainNumber;
  };

  const refOf = async (telUrl: string): Promise<string | undefined> => (await explain(telUrl)).steps[0]?.number?.ref;

  /** The message of a refused mutation, and its fields. */
  const refusal = async (
    document: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<readonly [string, unknown]> => {
    const { errors } = await subject().app.graphql(document, variables);
    return [errors?.[0]?.message ?? 'accepted', errors?.[0]?.extensions['fields']];
  };

  test('has its first number, its last one and those between, but no others', async () => {
    const start = hundred();
    const ref = await range(start);
    for (const end of ['00', '50', '99']) expect(await refOf(start + end)).toBe(ref);
    const inside = await explain(`${start.replace('tel:+', '00')}42`);
    expect(inside).toMatchObject({ digits: `${start.slice(5)}42`, state: 'REACHABLE' });
    expect(inside.steps[0]?.summary).toBe(`DID ${start}00 to ${start}99`);
    const next = `tel:+${String(Number(start.slice(5)) + 1)}`;
    for (const other of [`${next}00`, `${start}4`, `${start}421`]) expect((await explain(other)).state).toBe('MISSING');
  });

  test('leaves a number inside to its own row, also if that is disabled', async () => {
    const start = hundred();
    const ref = await range(start);
    const own = await single(`${start}42`);
    const off = await createNumber(subject().app, { gatewayRef, aorLink: AOR, telUrl: `${start}00`, enabled: false });
    expect(await refOf(`${start}42`)).toBe(own);
    expect((await explain(`${start}00`)).state).toBe('DISABLED');
    expect(await refOf(`${start}00`)).toBe(off);
    expect(await refOf(`${start}43`)).toBe(ref);
    const health = await subject().app.graphql<{ numberHealthCounts: { states: { state: string; count: number }[] } }>(
      '{ numberHealthCounts { states { state count } } }',
    );
    const { states } = health.data.numberHealthCounts;
    expect(states.find(({ state }) => state === 'AMBIGUOUS')?.count ?? 0).toBe(0);
  });

  test('is found by a number inside, in lists, in links and by its ends', async () => {
    const start = hundred();
    const ref = await range(start);
    const found = async (where: object): Promise<readonly string[]> => {
      const { data } = await subject().app.graphql<Found>(
        'query ($where: DIDWhere) { dids(where: $where) { nodes { ref } } }',
        { where },
      );
      return data.dids.nodes.map((node) => node.ref);
    };
    expect(await found({ covers: `${start}42` })).toEqual([ref]);
    expect(await found({ covers: `00${start.slice(5)}42`, gateway: { ref: { eq: gatewayRef } } })).toEqual([ref]);
    expect(await found({ covers: `${start}421` })).toEqual([]);
    expect(await found({ lastTelUrl: { eq: `${start}99` } })).toEqual([ref]);
    expect(await refusal('{ dids(where: { covers: "anna" }) { nodes { ref } } }', {})).toEqual([
      'where: covers "anna" is not a telephone number',
      ['where'],
    ]);
  });

  test.each([
    ['tel:+49301', 'must have as many digits as telUrl'],
    ['tel:4930155599', 'must have as many digits as telUrl'],
    ['tel:+4930155500', 'must be after telUrl'],
    ['tel:+4930155499', 'must be after telUrl'],
    ['tel:+4935155500', 'is more than 1,000,000 numbers after telUrl'],
    ['anna', 'is not a tel URI'],
  ])('cannot end at %s', async (lastTelUrl, message) => {
    const [said, fields] = await refusal(CREATE, {
      input: { gatewayRef, aorLink: AOR, telUrl: 'tel:+4930155500', lastTelUrl },
    });
    expect(said).toContain(message);
    expect(fields).toEqual(['lastTelUrl']);
  });

  test('of local numbers has one context', async () => {
    const [said, fields] = await refusal(CREATE, {
      input: {
        gatewayRef,
        aorLink: AOR,
        telUrl: 'tel:100;phone-context=sip.local',
        lastTelUrl: 'tel:199;phone-context=other.example',
      },
    });
    expect(said).toContain('and the same parameters');
    expect(fields).toEqual(['lastTelUrl']);
  });

  test('is found by a number with the 0 of the trunk prefix in brackets', async () => {
    const ref = await range('tel:+49301000', { telUrl: 'tel:+4930100000', lastTelUrl: 'tel:+4930100099' });
    const { data, errors } = await subject().app.graphql(
      `{ dids(where: { covers: "+49 (0)30 100007" }) { nodes { ref } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({ dids: { nodes: [{ ref }] } });
  });

  test('cannot overlap another one, nor have a number of another gateway inside, which the error names', async () => {
    const start = hundred();
    const ref = await range(start);
    const others: readonly (readonly [object, string, string])[] = [
      [{ telUrl: `${start}50`, lastTelUrl: `${start}59` }, `DID ${ref} (${start}00 to ${start}99)`, 'lastTelUrl'],
      [
        { telUrl: `tel:+${String(Number(start.slice(5)) * 100 - 5)}`, lastTelUrl: `${start}00` },
        `overlaps DID ${ref}`,
        'lastTelUrl',
      ],
      [{ telUrl: `${start}07`, gatewayRef: otherRef }, `is inside DID ${ref}`, 'telUrl'],
    ];
    for (const [input, message, field] of others) {
      const [said, fields] = await refusal(CREATE, { input: { gatewayRef, aorLink: AOR, ...input } });
      expect(said).toContain(message);
      expect(fields).toEqual([field]);
    }
    const own = await single(`${start}42`);
    const move = await refusal(UPDATE, { ref: own, input: { gatewayRef: otherRef } });
    expect(move[0]).toContain(`is inside DID ${ref} (${start}00 to ${start}99), of gateway ${gatewayRef}`);
    const [moved] = await refusal(UPDATE, { ref, input: { gatewayRef: otherRef } });
    expect(moved).toContain(`DID ${own} (${start}42), of gateway ${gatewayRef}, inside`);
    const next = hundred();
    const foreign = await single(`${next}42`, { gatewayRef: otherRef });
    const [covers] = await refusal(UPDATE, { ref, input: { telUrl: `${next}00`, lastTelUrl: `${next}99` } });
    expect(covers).toContain(`has DID ${foreign} (${next}42), of gateway ${otherRef}, inside`);
    expect(await refOf(`${start}43`)).toBe(ref);
    expect(await refOf(`${next}43`)).toBeUndefined();
  });

  test('that a set of changes, or its undo, makes of a number cannot overlap another one', async () => {
    const { app } = subject();
    const start = hundred();
    const ref = await range(start);
    const set = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }';
    const change = (lastTelUrl: string | null): Readonly<Record<string, unknown>> => ({
      changes: [{ update: { ref, did: { lastTelUrl } } }],
    });
    const { data } = await app.graphql<{ readonly applyChanges: { readonly request: string } }>(set, change(null));
    const inside = await range(start, { telUrl: `${start}50`, lastTelUrl: `${start}59` });
    const attempts: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      [set, change(`${start}99`)],
      ['mutation ($id: String!) { revertRequest(id: $id) { ref } }', { id: data.applyChanges.request }],
    ];
    for (const [document, variables] of attempts) {
      const { errors } = await app.graphql(document, variables);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
      expect(errors?.[0]?.message).toContain(`overlaps DID ${inside} (${start}50 to ${start}59)`);
    }
    expect(await refOf(`${start}42`)).toBeUndefined();
  });

  test('is refused with the digits of a number inside that another number still has', async () => {
    const [start, next] = [hundred(), hundred()];
    const foreign = await single(`${start}42`, { gatewayRef: otherRef });
    const [taken, first] = [await single(`${next}42`), await single(`${next}00`)];
    const changes = [
      { update: { ref: foreign, did: { telUrl: `${next}42` } } },
      { update: { ref: first, did: { lastTelUrl: `${next}99` } } },
      { update: { ref: taken, did: { telUrl: `${start}42` } } },
    ];
    const [said] = await refusal(
      'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }',
      {
        changes,
      },
    );
    expect(said).toContain(`has DID ${foreign} (${next}42), of gateway ${otherRef}, inside`);
  });

  test('becomes longer, a single number, and a range again', async () => {
    const { app } = subject();
    const start = hundred();
    const ref = await range(start, { lastTelUrl: `${start}09` });
    const update = (input: object): Promise<unknown> => app.graphql(UPDATE, { ref, input });
    await update({ lastTelUrl: `${start}99` });
    expect(await refOf(`${start}42`)).toBe(ref);
    await update({ lastTelUrl: null });
    expect(await refOf(`${start}42`)).toBeUndefined();
    expect(await refOf(`${start}00`)).toBe(ref);
    await update({ telUrl: `${start}40`, lastTelUrl: `${start}49` });
    expect(await refOf(`${start}42`)).toBe(ref);
    expect(await refOf(`${start}00`)).toBeUndefined();
    await app.graphql('mutation ($ref: String!) { deleteDID(ref: $ref) }', { ref });
    expect(await refOf(`${start}42`)).toBeUndefined();
    expect(
      await runSql(subject().url, `SELECT * FROM number_ranges WHERE range_first LIKE '%${start.slice(5)}%'`),
    ).toEqual([]);
  });

  test('is a member of documents only where it is set, and is imported from CSV in any spelling', async () => {
    const { app } = subject();
    const start = hundred();
    const ref = await range(start);
    const own = await single(hundred());
    const document = async (of: string): Promise<unknown> => (await app.rest('GET', `/dids/${of}`)).body;
    expect(await document(ref)).toMatchObject({ result: { spec: { location: { lastTelUrl: `${start}99` } } } });
    expect(JSON.stringify(await document(own))).not.toContain('lastTelUrl');
    const next = hundred();
    const csv = `telUrl,lastTelUrl,gatewayRef,aorLink\n00${next.slice(5)} 00,+${next.slice(5)}-99,${gatewayRef},${AOR}\n`;
    const { data, errors } = await app.graphql<{ importCsv: { count: number } }>(
      'mutation ($csv: String!) { importCsv(kind: DID, csv: $csv) { count(outcome: CREATED) } }',
      { csv },
    );
    expect(errors).toBeUndefined();
    expect(data.importCsv.count).toBe(1);
    expect((await explain(`${next}55`)).state).toBe('REACHABLE');
    const body = {
      apiVersion: 'v1beta1',
      kind: 'DID',
      metadata: { gwRef: gatewayRef },
      spec: { location: { telUrl: `${start}10`, lastTelUrl: `${start}20`, aorLink: AOR } },
    };
    expect(await app.rest('POST', '/dids', { body })).toMatchObject({ status: 409 });
  });

  test('is in the way of the others of a request, which changes nothing', async () => {
    const { app } = subject();
    const start = hundred();
    const ref = await range(start);
    const free = hundred();
    const telUrls = [`${free}00`, `${start}10`, `${free}01`];
    const document = `mutation { ${telUrls
      .map(
        (telUrl, at) =>
          `a${String(at)}: createDID(input: { gatewayRef: "${otherRef}", aorLink: "${AOR}", telUrl: "${telUrl}" }) { ref }`,
      )
      .join(' ')} }`;
    const { data, errors } = await app.graphql<Record<string, { ref: string } | null> | null>(document);
    expect(errors?.map(({ message }) => message)).toEqual([expect.stringContaining(`is inside DID ${ref}`)]);
    expect(data?.['a1'] ?? null).toBeNull();
    expect(await refOf(`${start}10`)).toBe(ref);
    const rows = await runSql(subject().url, `SELECT ref FROM numbers WHERE tel_url = '${start}10'`);
    expect(rows).toEqual([]);
  });

  test('moves with the numbers inside in one change of many, whatever the order, which a dry run refuses without them', async () => {
    const { app } = subject();
    const [start, next] = [hundred(), hundred()];
    const refs = [await range(start)];
    const input = Array.from({ length: 40 }, (_, n) => ({
      ...{ gatewayRef, aorLink: AOR },
      telUrl: `${n < 39 ? start : next}${String(n + 10)}`,
    }));
    for (const each of input) refs.push(await createDid(app, each));
    refs.push(await range(next));
    const move = (some: readonly string[], dryRun: boolean) =>
      app.graphql<{ many: { changed: number } }>(
        `mutation ($refs: [String!], $input: UpdateDIDInput!, $dryRun: Boolean!, $count: Int!) {
           many: updateManyDIDs(refs: $refs, set: $input, dryRun: $dryRun, expectedCount: $count) { changed } }`,
        { refs: some, input: { gatewayRef: otherRef }, dryRun, count: some.length },
      );
    for (const dryRun of [true, false]) {
      const { errors } = await move(refs.slice(0, 20), dryRun);
      expect(errors?.[0]?.message).toContain(`has DID ${String(refs[20])}`);
    }
    expect((await move(refs, true)).data).toEqual({ many: { changed: refs.length } });
    expect((await move(refs, false)).data).toEqual({ many: { changed: refs.length } });
  });

  test('moves in a set with the numbers inside, in any order, or takes the place of another, and both can be undone', async () => {
    const { app } = subject();
    const [start, next] = [hundred(), hundred()];
    const ref = await range(start);
    const inside = await single(`${start}42`);
    const other = await range(next);
    const moved = { gatewayRef: otherRef };
    const place = (first: string) => ({ telUrl: `${first}00`, lastTelUrl: `${first}99` });
    const apply = (changes: readonly (readonly [string, object])[]) =>
      app.graphql<{ applyChanges: { request: string } }>(
        'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }',
        { changes: changes.map(([each, did]) => ({ update: { ref: each, did } })) },
      );
    const undo = async (id: string | undefined) => {
      const { errors } = await app.graphql('mutation ($id: String!) { revertRequest(id: $id) { ref } }', { id });
      expect(errors).toBeUndefined();
    };
    for (const refs of [
      [ref, inside],
      [inside, ref],
    ]) {
      const done = await apply(refs.map((each) => [each, moved] as const));
      expect(done.errors).toBeUndefined();
      await undo(done.data.applyChanges.request);
      const { data } = await app.graphql<{ many: object }>(
        'mutation ($refs: [String!], $set: UpdateDIDInput!) { many: updateManyDIDs(refs: $refs, set: $set, expectedCount: 2) { request } }',
        { refs, set: moved },
      );
      await undo((data.many as { request: string }).request);
    }
    const refused = await apply([
      [ref, moved],
      [other, { note: 'also' }],
    ]);
    expect(refused.errors?.[0]?.message).toContain(`DID ${inside} (${start}42), of gateway ${gatewayRef}, inside`);
    const swapped = await apply([
      [inside, { telUrl: `${hundred()}42` }],
      [ref, place(next)],
      [other, place(start)],
    ]);
    expect(swapped.errors).toBeUndefined();
    expect([await refOf(`${start}43`), await refOf(`${next}43`)]).toEqual([other, ref]);
    await undo(swapped.data.applyChanges.request);
    expect([await refOf(`${start}43`), await refOf(`${next}43`)]).toEqual([ref, other]);
    const overlapping = await apply([
      [other, place(start)],
      [ref, { telUrl: `${start}50`, lastTelUrl: `${start}99` }],
    ]);
    expect(overlapping.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
    expect(await refOf(`${next}43`)).toBe(other);
  });

  test('takes over numbers of a row that the same set deletes, and both can be undone', async () => {
    const { app } = subject();
    const cases: readonly (readonly [
      label: string,
      given: readonly Readonly<Record<string, unknown>>[],
      taker: (start: string) => object,
    ])[] = [
      ['a range moves', [{ lastTelUrl: '99' }, { telUrl: '42' }], () => ({ gatewayRef: otherRef })],
      ['a number grows', [{}, { telUrl: '42', gatewayRef: otherRef }], (start) => ({ lastTelUrl: `${start}99` })],
      [
        'a range grows',
        [{ lastTelUrl: '49' }, { telUrl: '50', lastTelUrl: '99' }],
        (start) => ({ lastTelUrl: `${start}99` }),
      ],
      ['a number gets another', [{}, { telUrl: '42' }], (start) => ({ telUrl: `${start}42` })],
    ];
    const read = async (refs: readonly string[]): Promise<readonly object[]> => {
      const { data } = await app.graphql<{ dids: { nodes: readonly { ref: string }[] } }>(
        'query ($refs: [String!]) { dids(where: { ref: { in: $refs } }) { nodes { ref telUrl lastTelUrl gatewayRef } } }',
        { refs },
      );
      return data.dids.nodes.toSorted((one, other) => refs.indexOf(one.ref) - refs.indexOf(other.ref));
    };
    for (const [label, given, taker] of cases) {
      const start = hundred();
      const refs: string[] = [];
      for (const { telUrl = '00', lastTelUrl, ...input } of given)
        refs.push(
          await createDid(app, {
            ...{ gatewayRef, aorLink: AOR, telUrl: `${start}${String(telUrl)}` },
            ...(typeof lastTelUrl === 'string' && { lastTelUrl: start + lastTelUrl }),
            ...input,
          }),
        );
      const before = await read(refs);
      const changes = [{ update: { ref: refs[0], did: taker(start) } }, { delete: { kind: 'DID', ref: refs[1] } }];
      const { data, errors } = await app.graphql<{ applyChanges: { request: string } }>(
        'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { request } }',
        { changes },
      );
      expect([label, errors]).toEqual([label, undefined]);
      const reverted = await app.graphql(`mutation { revertRequest(id: "${data.applyChanges.request}") { event } }`);
      expect([label, reverted.errors, reverted.data]).toEqual([
        label,
        undefined,
        { revertRequest: expect.arrayContaining([{ event: 'CREATED' }, { event: 'UPDATED' }]) as unknown },
      ]);
      expect(await read(refs)).toEqual(before);
    }
  });

  test.each(['importCsv', 'importDocuments'])('moves with the numbers inside in any order of %s', async (mutation) => {
    const { app } = subject();
    const start = hundred();
    const refs = [await range(start), await single(`${start}42`), await single(`${start}43`)];
    const run = (some: readonly (string | undefined)[]) =>
      mutation === 'importCsv'
        ? `importCsv(kind: DID, csv: ${JSON.stringify(`ref,gwRef\n${some.map((ref) => `${String(ref)},${otherRef}\n`).join('')}`)})`
        : `importDocuments(text: ${JSON.stringify(some.map((ref) => `kind: DID\nmetadata: { ref: ${String(ref)}, gwRef: ${otherRef} }\n`).join('---\n'))})`;
    const send = (some: readonly (string | undefined)[]) =>
      app.graphql<{ result: { imported: boolean; rows: { line: number; errors: { message: string }[] }[] } }>(
        `mutation { result: ${run(some)} { imported rows(outcomes: [FAILED]) { line errors { message } } } }`,
      );
    const refused = (await send([refs[1], refs[0]])).data.result;
    expect(refused.imported).toBe(false);
    expect(refused.rows).toHaveLength(1);
    expect(refused.rows[0]?.errors[0]?.message).toContain(`${start}43), of gateway ${gatewayRef}, inside`);
    expect((await send([refs[1], refs[0], refs[2]])).data.result).toMatchObject({ imported: true, rows: [] });
  });

  test('may have more than 20,000 numbers inside, none of another gateway, and is imported with them', async () => {
    const { app, url } = subject();
    const [row] = await runSql(url, 'SELECT id FROM gateways WHERE ref = ?', [gatewayRef]);
    const columns = 'ref, created_on, modified_on, kind, gateway_id, tel_url, aor_link, tel_digits, aor_user, aor_host';
    await fill(url, 'numbers', columns, 20_010, (n) => {
      const digits = `4931${String(100_000 + n)}`;
      return [`in${String(n)}`, 1, 1, 'DID', Number(row?.[0]), `tel:+${digits}`, AOR, digits, 'anna', 'range.test'];
    });
    const all = { gatewayRef, aorLink: AOR, telUrl: 'tel:+4931099999', lastTelUrl: 'tel:+4931200000' };
    const csv = `telUrl,lastTelUrl,aorLink,gwRef\n${[all.telUrl, all.lastTelUrl, AOR, gatewayRef].join(',')}\n`;
    const imported = await app.graphql<{ importCsv: { imported: boolean; rows: object[] } }>(
      'mutation ($csv: String!) { importCsv(kind: DID, csv: $csv) { imported rows { errors { message } } } }',
      { csv },
    );
    expect(imported.data.importCsv).toEqual({ imported: true, rows: [{ errors: [] }] });
    const ref = await refOf('tel:+4931150000');
    await app.graphql(`mutation { deleteDID(ref: "${String(ref)}") }`);
    for (const [own, other] of [
      ['in20009', 'tel:+4931120009'],
      ['in5', 'tel:+4931100005'],
    ] as const) {
      await app.graphql(`mutation { updateDID(ref: "${own}", input: { gatewayRef: "${otherRef}" }) { ref } }`);
      expect((await refusal(CREATE, { input: all }))[0]).toContain(
        `has DID ${own} (${other}), of gateway ${otherRef}, inside`,
      );
    }
    await app.graphql(
      'mutation { deleteManyDIDs(where: { ref: { startsWith: "in" } }, expectedCount: 20010) { count } }',
    );
  });

  test('is named by the line of an import whose number is inside a range of another gateway', async () => {
    const { app } = subject();
    const [start, free] = [hundred(), hundred()];
    const ref = await range(start);
    const csv = `telUrl,aorLink,gwRef\n${free}01,${AOR},${otherRef}\n${start}10,${AOR},${otherRef}\n${free}02,${AOR},${otherRef}\n`;
    const { data, errors } = await app.graphql<{ importNumbers: { rows: readonly { line: number }[] } }>(
      'mutation ($csv: String!) { importNumbers(csv: $csv, kind: DID) { rows { line outcome errors { message } } } }',
      { csv },
    );
    expect(errors).toBeUndefined();
    const inside = `"${start}10" is inside DID ${ref} (${start}00 to ${start}99), of gateway ${gatewayRef}`;
    expect(data.importNumbers.rows).toMatchObject([
      { line: 2, outcome: 'CREATED' },
      { line: 3, outcome: 'FAILED', errors: [{ message: expect.stringContaining(inside) as string }] },
      { line: 4, outcome: 'CREATED' },
    ]);
  });

  test('is unchanged by a row of importNumbers with its first number, which has no column for the last one', async () => {
    const { app } = subject();
    const start = hundred();
    const ref = await range(start);
    const csv = `telUrl,aorLink,gwRef\n${start}00,${AOR},${gatewayRef}\n`;
    const { data } = await app.graphql<{ importNumbers: { rows: readonly { outcome: string; ref: string }[] } }>(
      'mutation ($csv: String!) { importNumbers(csv: $csv, kind: DID) { rows { outcome ref } } }',
      { csv },
    );
    expect(data.importNumbers.rows).toEqual([{ outcome: 'UNCHANGED', ref }]);
    expect(await refOf(`${start}42`)).toBe(ref);
  });

  test('is created once by many who create overlapping ones, or numbers of another gateway inside, at the same time', async () => {
    const { app } = subject();
    for (let round = 0; round < 5; round++) {
      const start = hundred();
      const inputs = Array.from({ length: 10 }, (_, at) =>
        at % 2 === 0
          ? { gatewayRef, telUrl: `${start}${String(10 + at)}`, lastTelUrl: `${start}${String(50 + at)}` }
          : { gatewayRef: otherRef, telUrl: `${start}${String(40 + at)}` },
      );
      const results = await Promise.all(
        inputs.map((input) => app.graphql(CREATE, { input: { aorLink: AOR, ...input } })),
      );
      for (const { errors } of results)
        for (const { extensions } of errors ?? []) expect(extensions['code']).toBe('CONFLICT');
      const rows = await runSql(
        subject().url,
        `SELECT n.tel_url, COALESCE(n.last_tel_url, '') FROM numbers n WHERE n.tel_url LIKE '${start}%'`,
      );
      const ranges = rows.filter(([, end]) => end !== '');
      expect(rows.length).toBeGreaterThan(0);
      expect(ranges.length === 0 || rows.length === 1).toBe(true);
    }
  });

  test('is shown by a peer as the number inside from which it calls, and by others as its first number', async () => {
    const { app } = subject();
    const start = hundred();
    const [own, first] = [`${start.slice(4)}42`, `${start.slice(4)}00`];
    const numberRef = await createNumber(app, { gatewayRef, telUrl: `${start}00`, lastTelUrl: `${start}99` });
    const domainRef = await createDomain(app, { domainUri: 'pbx.test' });
    await createRoute(app, { domainRef, prefix: '+33', numberRefs: [numberRef] });
    await createPeer(app, { username: own, callerNumberRefs: [numberRef] });
    await createPeer(app, { username: 'desk', callerNumberRefs: [numberRef] });
    const shown = async (from: string): Promise<readonly string[]> => {
      const { data } = await app.graphql<{ explainCall: { attempts: { from: string }[] } }>(
        'query ($from: String!) { explainCall(from: $from, to: "+33123") { attempts { from } } }',
        { from: `${from}@pbx.test` },
      );
      return data.explainCall.attempts.map((each) => each.from);
    };
    expect(await shown(own)).toEqual([`<sip:${own}@own.test>`]);
    expect(await shown('desk')).toEqual([`<sip:${first}@own.test>`]);
  });

  test('has the calls to its numbers, which lead to it', async () => {
    const { app, url } = subject();
    const start = hundred();
    const ref = await range(start);
    const own = await single(`${start}42`);
    const call = (n: number, number: string): Promise<unknown> =>
      storeCall(url, { begun: Date.now() - n, state: 5, direction: 'IN', number, gateway_ref: gatewayRef });
    await call(1, `${start.slice(5)}07`);
    await call(2, `${start.slice(5)}42`);
    const { data, errors } = await app.graphql<{
      calls: { nodes: { digits: string; number: { ref: string } | null }[] };
      did: { calls: { totalCount: number } };
    }>(
      `query ($ref: String!, $gatewayRef: String!) {
        calls(where: { gatewayRef: $gatewayRef }) { nodes { digits number { ... on DID { ref } } } }
        did(ref: $ref) { calls { totalCount } }
      }`,
      { ref, gatewayRef },
    );
    expect(errors).toBeUndefined();
    const refs = new Map(data.calls.nodes.map(({ digits, number }) => [digits, number?.ref]));
    expect(refs.get(`${start.slice(5)}07`)).toBe(ref);
    expect(refs.get(`${start.slice(5)}42`)).toBe(own);
    expect(data.did.calls.totalCount).toBe(2);
  });
});
