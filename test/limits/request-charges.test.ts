import type { RestOptions } from '../support/app';
import { createGateway, createNumber, createPeer, operatorToken } from '../support/factories';
import { onEachDriver } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { transportsOn } from '../support/subscriptions';

const REFUSED = `@.metadata.name =~ /(${Array.from({ length: 100 }, (_, index) => `aaa${String(index)}`).join('|')}){3}/`;
const filtered = (filter: string): string => `/agents?itemsPerPage=1&filter=${encodeURIComponent(filter)}`;

function form(text: string): RestOptions {
  return {
    body: `--b\r\nContent-Disposition: form-data; name="file"; filename="x.yml"\r\n\r\n${text}\r\n--b--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
}

onEachDriver(
  'The work budget',
  (subject, database) => {
    const newOperator = (): Promise<string> => operatorToken(subject().app);

    /** The statuses of requests that one user sends one after the other. */
    async function statuses(times: number, method: string, path: string, options: RestOptions = {}): Promise<number[]> {
      const token = await newOperator();
      const found: number[] = [];
      for (let time = 0; time < times; time++)
        found.push((await subject().app.rest(method, path, { ...options, token })).status);
      return found;
    }

    test('is charged for filters that are refused', async () => {
      const found = await statuses(20, 'GET', filtered(REFUSED));
      expect([found[0], found.at(-1)]).toEqual([400, 429]);
    });

    test('is charged for filters that are refused in GraphQL', async () => {
      const token = await newOperator();
      const codes: unknown[] = [];
      for (let time = 0; time < 20; time++) {
        const query = 'query ($filter: String) { agents(filter: $filter) { totalCount } }';
        const { errors } = await subject().app.graphql(query, { filter: REFUSED }, { token });
        codes.push(errors?.[0]?.extensions['code']);
      }
      expect([codes[0], codes.at(-1)]).toEqual(['BAD_USER_INPUT', 'RATE_LIMITED']);
    });

    test('is charged once for a filter that is repeated', async () => {
      const found = await statuses(50, 'GET', filtered(`@.metadata.name=='${'x'.repeat(900)}'`));
      expect(new Set(found)).toEqual(new Set([200]));
    });

    describe('and the diagnosis:', () => {
      const unknown = 'x'.repeat(30);

      beforeAll(async () => {
        const gatewayRef = await createGateway(subject().app);
        for (let index = 0; index < 50; index++) await createNumber(subject().app, { gatewayRef });
        await runSql(subject().url, 'UPDATE numbers SET id = id + 1000'); // as after many deletions
      });

      test.each([
        ['counting numbers by state', 'numberHealthCounts { examined }'],
        ['a suggestion for a domain', `explainAddress(addressOfRecord: "x@${unknown}") { state }`],
        ['a suggestion for a number', 'explainNumber(telUrl: "+999999999999999999999999999999") { state }'],
      ])('%s is charged by what is examined', async (_what, field) => {
        const query = `{ ${Array.from({ length: 30 }, (_, index) => `a${String(index)}: ${field}`).join(' ')} }`;
        const token = await newOperator();
        const codes: unknown[] = [];
        for (let time = 0; time < 20; time++) {
          const { errors } = await subject().app.graphql(query, {}, { token });
          codes.push(errors?.[0]?.extensions['code']);
        }
        expect([codes[0], codes.at(-1)]).toEqual([undefined, 'RATE_LIMITED']);
      });
    });

    test('is charged for a form before it is parsed', async () => {
      const found = await statuses(3, 'POST', '/agents', form('---\n'.repeat(60_000)));
      expect([found[0], found.at(-1)]).toEqual([400, 429]);
    });

    test('is charged for a body before it is parsed', async () => {
      const found = await statuses(40, 'POST', '/agents', { body: `"${'x'.repeat(250_000)}"` });
      expect([found[0], found.at(-1)]).toEqual([400, 429]);
    });

    test('is charged for a body in GraphQL before it is parsed', async () => {
      const token = await newOperator();
      const deep = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) as unknown;
      const variables = { deep: Array.from({ length: 120 }, () => deep) };
      const codes: unknown[] = [];
      for (let time = 0; time < 40; time++) {
        const { errors } = await subject().app.graphql('{ __typename }', variables, { token });
        codes.push(errors?.[0]?.extensions['code']);
      }
      expect(codes[0]).toBe('BAD_USER_INPUT');
      expect(codes).toContain('RATE_LIMITED');
    });

    test('is charged for the text of CSV before it is parsed', async () => {
      const token = await newOperator();
      const query = 'mutation ($csv: String!) { importCsv(kind: Agent, csv: $csv) { imported } }';
      const codes: unknown[] = [];
      for (let time = 0; time < 2; time++) {
        const { errors } = await subject().app.graphql(query, { csv: 'x\n'.repeat(80_000) }, { token });
        codes.push(errors?.[0]?.extensions['code']);
      }
      expect(codes).toEqual(['BAD_USER_INPUT', 'RATE_LIMITED']);
    });

    describe('and long responses in GraphQL:', () => {
      const LIST = 'domains(last: 100) { nodes { accessControlList { allow deny } } }';
      const WIDE = `{ ${Array.from({ length: 12 }, (_, index) => `a${String(index)}: ${LIST}`).join(' ')} }`;

      /** Creates domains with about 90,000 characters each. */
      async function create(count: number): Promise<void> {
        const network = '2001:1db8:1111:2222:3333:4444:5555';
        const allow = Array.from({ length: 1000 }, (_, index) => `${network}:${(4096 + index).toString(16)}/128`);
        const query = 'mutation ($input: CreateDomainInput!) { createDomain(input: $input) { ref } }';
        for (let index = 0; index < count; index++) {
          const name = `long-${String(index)}`;
          const input = { name, domainUri: `${name}.example`, accessControlList: { allow, deny: allow } };
          const { errors } = await subject().app.graphql(query, { input }, { token: await newOperator() });
          expect(errors).toBeUndefined();
        }
      }

      /** The codes of one user's operations, one after the other, over HTTP. */
      async function codes(times: number, query: string): Promise<unknown[]> {
        const token = await newOperator();
        const found: unknown[] = [];
        for (let time = 0; time < times; time++) {
          const { errors } = await subject().app.graphql(query, {}, { token });
          found.push(errors?.[0]?.extensions['code']);
        }
        return found;
      }

      beforeAll(() => create(36));

      test('one is charged by its size, and sent', async () => {
        expect(await codes(4, `{ ${LIST} }`)).toEqual([undefined, undefined, 'RATE_LIMITED', 'RATE_LIMITED']);
        expect(new Set(await codes(100, '{ domains(last: 100) { nodes { ref } } }'))).toEqual(new Set([undefined]));
      });

      test('one of more than 32 MiB is charged, and replaced by an error', async () => {
        expect(await codes(2, WIDE)).toEqual(['RESPONSE_TOO_LARGE', 'RATE_LIMITED']);
        for (const { subscribe } of transportsOn(database)) {
          const token = await newOperator();
          for (const message of ['longer than 32 MiB', 'Too many objects requested']) {
            const answer = await subscribe(subject().app.url, token, WIDE);
            expect((await answer.next()).errors?.[0]?.message).toContain(message);
            await answer.close();
          }
        }
      });
    });

    describe('and lists without pages:', () => {
      const meshed = (levels: number): string =>
        levels === 0
          ? 'callerNumbers { ref }'
          : `callerNumbers { peers(first: 1) { nodes { ${meshed(levels - 1)} } } }`;
      let peer: string;

      beforeAll(async () => {
        const gatewayRef = await createGateway(subject().app);
        const callerNumberRefs = [];
        for (let index = 0; index < 150; index++)
          callerNumberRefs.push(await createNumber(subject().app, { gatewayRef }));
        peer = await createPeer(subject().app, { callerNumberRefs });
      });

      test('lists that multiply are refused, and charged, once they have too many objects', async () => {
        const { app } = subject();
        const token = await newOperator();
        const codes: unknown[] = [];
        // More than the budget, also if another minute begins meanwhile.
        for (const levels of [0, ...Array<number>(12).fill(1)]) {
          const query = `{ peer(ref: "${peer}") { ${meshed(levels)} } }`;
          const { errors } = await app.graphql(query, {}, { token });
          codes.push(errors?.[0]?.extensions['code']);
        }
        expect(codes.slice(0, 2)).toEqual([undefined, 'RESPONSE_TOO_LARGE']);
        expect(codes).toContain('RATE_LIMITED');
      });

      test('a value costs an object under each further name', async () => {
        const { app } = subject();
        const names = Array.from({ length: 28 }, (_, index) => `n${String(index)}: note`).join(' ');
        const query = `{ peers(first: 100) { nodes { numbers(first: 10) { nodes { ${names} } } } } }`;
        const { errors } = await app.graphql(query, {}, { token: await newOperator() });
        expect(errors?.[0]?.message).toMatch(/^The query may return \d+ objects, which is more than 10000/);
      });
    });

    describe('and the history:', () => {
      const UPDATES = 6;
      const texts = Array.from({ length: UPDATES + 1 }, (_, index) => String(index).repeat(200_000));
      let ref: string;
      let created: string;

      const read = async (token: string): Promise<string | undefined> => {
        const { body } = await subject().app.rest<{ spec: { x: string } }>('GET', `/domains/${ref}`, { token });
        return body.data.spec.x;
      };

      beforeAll(async () => {
        const { app } = subject();
        for (const [index, x] of texts.entries()) {
          const spec = { context: { domainUri: 'changed.example' }, x };
          const body = { kind: 'Domain', metadata: { name: `Changed ${String(index)}` }, spec };
          const [method, path] = index === 0 ? ['POST', '/domains'] : ['PUT', `/domains/${ref}`];
          const { status, body: answer } = await app.rest<string>(method, path, { body, token: await newOperator() });
          expect(status).toBe(index === 0 ? 201 : 200);
          if (index > 0) continue;
          ref = answer.data;
          await new Promise((resolve) => setTimeout(resolve, 5));
          created = new Date().toISOString();
        }
      });

      /** The answers to one user's queries, one after the other. */
      async function answers<Data>(times: number, query: string) {
        const token = await newOperator();
        const found = [];
        for (let time = 0; time < times; time++) found.push(await subject().app.graphql<Data>(query, {}, { token }));
        return found;
      }

      const codesOf = (found: Awaited<ReturnType<typeof answers>>): readonly unknown[] =>
        found.map(({ errors }) => errors?.[0]?.extensions['code']);

      test.each([
        [
          'of all',
          () => `{ history(where: { ref: "${ref}" }, first: 100) { nodes { event changes { field after } } } }`,
        ],
        [
          'of a resource',
          () => `{ domain(ref: "${ref}") { history { edges { node { event changes { field after } } } } } }`,
        ],
      ])('long entries %s are charged by their size', async (_what, query) => {
        const found = await answers<object>(12, query());
        const [first] = found;
        const events = JSON.stringify(first?.data).match(/"(UPDATED|CREATED)"/g);
        expect(events).toEqual([...Array.from({ length: UPDATES }, () => '"UPDATED"'), '"CREATED"']);
        const extra = { field: 'extra', after: null };
        expect(JSON.stringify(first?.data)).toContain(JSON.stringify(extra));
        expect(JSON.stringify(first?.data)).toContain(JSON.stringify({ field: 'name', after: 'Changed 3' }));
        expect([codesOf(found)[0], codesOf(found).at(-1)]).toEqual([undefined, 'RATE_LIMITED']);
      });

      test('what long entries contain is free for those who do not select it', async () => {
        const query = `{ domain(ref: "${ref}") { history(first: 50) { nodes { ref at who { username } } } } }`;
        expect(new Set(codesOf(await answers(50, query)))).toEqual(new Set([undefined]));
      });

      test('an earlier state is charged by the entries since then', async () => {
        const found = await answers<object>(12, `{ domain(ref: "${ref}", asOf: "${created}") { name } }`);
        expect(found[0]?.data).toEqual({ domain: { name: 'Changed 0' } });
        expect([codesOf(found)[0], codesOf(found).at(-1)]).toEqual([undefined, 'RATE_LIMITED']);
      });

      test('a revert of a long entry restores the members that only REST knows', async () => {
        const { app } = subject();
        const [last] = await answers<{ history: { nodes: { entry: string }[] } }>(
          1,
          `{ history(where: { ref: "${ref}" }, first: 1) { nodes { entry } } }`,
        );
        const entry = last?.data.history.nodes[0]?.entry ?? '';
        const query = `mutation { revert(entry: "${entry}") { changes { field } } }`;
        const { errors } = await app.graphql(query, {}, { token: await newOperator() });
        expect(errors).toBeUndefined();
        expect(await read(await newOperator())).toBe(texts[UPDATES - 1]);
      });
    });

    test('is charged for the size of a response, which is sent, and the next requests wait', async () => {
      const x = 'x'.repeat(250_000);
      for (let index = 0; index < 8; index++) {
        const spec = { context: { domainUri: `d${String(index)}.example` }, x };
        const body = { kind: 'Domain', metadata: { name: `Large ${String(index)}` }, spec };
        const { status } = await subject().app.rest('POST', '/domains', { body, token: await newOperator() });
        expect(status).toBe(201);
      }
      const found = await statuses(6, 'GET', '/domains?itemsPerPage=100');
      expect([found[0], found.at(-1)]).toEqual([200, 429]);
    });
  },
  { RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_WORK: '20000' },
);

onEachDriver('An uploaded YAML stream', (subject) => {
  test('has at most 1,000 documents', async () => {
    const { status, body } = await subject().app.rest('POST', '/agents', form('---\n'.repeat(1001)));
    expect([status, body.data]).toEqual([400, ['file: line 1: the stream has more than 1000 documents']]);
  });
});
