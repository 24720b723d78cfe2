import { createDid, createGateway } from '../support/factories';
import { COUNTING, metric } from '../support/metrics';
import { onEachDatabase } from '../support/databases/on-each-database';
import { measureGateway, type Measured, registerGateway } from '../support/databases/sql';

interface Health {
  readonly state: string;
  readonly since: string | null;
  readonly roundTrip: number | null;
  readonly lastStatus: number | null;
  readonly checkedOn: string | null;
}

const [since, checkedOn] = ['2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'];

/** Stores the health of a gateway at these times. */
function measure(url: string, ref: string, measured: Measured): Promise<void> {
  return measureGateway(url, ref, { since: Date.parse(since), checkedOn: Date.parse(checkedOn), ...measured });
}

const UNKNOWN = { state: 'UNKNOWN', since: null, roundTrip: null, lastStatus: null, checkedOn: null };
const DOWN = { state: 'DOWN', since, roundTrip: null, lastStatus: null, checkedOn };

/** Gateways by name: their address, what was measured, and the health that the graph shows. */
const GATEWAYS: Readonly<Record<string, { input: object; measured?: Measured; expected: Health }>> = {
  up: {
    input: { host: 'up.test' },
    measured: { host: 'up.test' },
    expected: { state: 'UP', since, roundTrip: 23, lastStatus: 404, checkedOn },
  },
  down: {
    input: { host: 'down.test', port: 5070 },
    measured: { state: 'DOWN', host: 'down.test', port: 5070 },
    expected: DOWN,
  },
  registers: {
    input: { host: 'trunk.test', username: 'u', secret: 'trunk-secret', transport: 'TCP' },
    measured: { state: 'DOWN', host: 'trunk.test', transport: 'tcp' },
    expected: DOWN,
  },
  'never checked': { input: { host: 'never.test' }, expected: UNKNOWN },
  'checked once': {
    input: { host: 'once.test' },
    measured: { state: 'UNKNOWN', host: 'once.test' },
    expected: { ...UNKNOWN, checkedOn },
  },
  'not checked any more': {
    input: { host: 'expired.test' },
    measured: { host: 'expired.test', secondsLeft: -1 },
    expected: { ...UNKNOWN, checkedOn },
  },
  'checked at another host': { input: { host: 'moved.test' }, measured: { host: 'former.test' }, expected: UNKNOWN },
  'checked at another port': {
    input: { host: 'port.test', port: 5061 },
    measured: { host: 'port.test' },
    expected: UNKNOWN,
  },
  'checked over another transport': {
    input: { host: 'transport.test', transport: 'TCP' },
    measured: { host: 'transport.test' },
    expected: UNKNOWN,
  },
};
const NAMES = Object.keys(GATEWAYS);

onEachDatabase(
  'The health of gateways',
  (subject) => {
    const refs = new Map<string, string>();

    beforeAll(async () => {
      const { app, url } = subject();
      for (const [name, { input, measured }] of Object.entries(GATEWAYS)) {
        const ref = await createGateway(app, { name, ...input });
        refs.set(name, ref);
        if (measured) await measure(url, ref, measured);
      }
      // A gateway that was deleted.
      await measure(url, 'deleted', { host: 'up.test' });
    });

    const refOf = (name: string): string => refs.get(name) ?? '';
    const found = async (where: string): Promise<readonly string[]> => {
      const { data, errors } = await subject().app.graphql<{ gateways: { nodes: readonly { name: string }[] } }>(
        `{ gateways(where: ${where}) { nodes { name } } }`,
      );
      if (errors) throw new Error(JSON.stringify(errors));
      return data.gateways.nodes.map(({ name }) => name);
    };
    const inState = (...states: readonly string[]): readonly string[] =>
      NAMES.filter((name) => states.includes(GATEWAYS[name]?.expected.state ?? ''));

    test.each(NAMES)('is shown for a gateway that is: %s', async (name) => {
      const { data } = await subject().app.graphql(
        `{ gateway(ref: "${refOf(name)}") { health { state since roundTrip lastStatus checkedOn } } }`,
      );
      expect(data).toEqual({ gateway: { health: GATEWAYS[name]?.expected } });
    });

    test('takes one statement for all gateways of a page', async () => {
      const { app } = subject();
      const sent = async (): Promise<number> => metric(app.url, await app.token(), 'sipgraph_sql_statements_total');
      const costOf = async (fields: string): Promise<number> => {
        const before = await sent();
        await app.graphql(`{ gateways(first: 100) { nodes { ${fields} } } }`);
        return (await sent()) - before;
      };
      expect((await costOf('name health { state }')) - (await costOf('name'))).toBe(1);
    });

    test.each([
      ['{ health: { eq: UP } }', ['UP']],
      ['{ health: { eq: DOWN } }', ['DOWN']],
      ['{ health: { eq: UNKNOWN } }', ['UNKNOWN']],
      ['{ health: { ne: UP } }', ['DOWN', 'UNKNOWN']],
      ['{ health: { in: [UP, DOWN] } }', ['UP', 'DOWN']],
      ['{ health: { notIn: [UP, UNKNOWN] } }', ['DOWN']],
      ['{ not: { health: { eq: DOWN } } }', ['UP', 'UNKNOWN']],
      ['{ health: { in: [] } }', []],
      ['{ health: { eq: UP, ne: UP } }', []],
      ['{ health: {} }', ['UP', 'DOWN', 'UNKNOWN']],
    ])('selects gateways: where %s', async (where, states) => {
      expect(await found(where)).toEqual(inState(...states));
    });

    test('selects together with other conditions', async () => {
      expect(await found('{ health: { eq: DOWN }, transport: { eq: TCP } }')).toEqual(['registers']);
    });

    test('selects what belongs to a gateway, and is counted', async () => {
      const telUrl = 'tel:+4930991';
      await createDid(subject().app, { gatewayRef: refOf('down'), telUrl });
      await createDid(subject().app, { gatewayRef: refOf('up'), telUrl: 'tel:+4930992' });
      const { data } = await subject().app.graphql(
        '{ dids(where: { gateway: { health: { eq: DOWN } } }) { totalCount nodes { telUrl } } }',
      );
      expect(data).toEqual({ dids: { totalCount: 1, nodes: [{ telUrl }] } });
    });

    test.each([
      ['{ health: null }', 'where: health is null; omit it, or use isNull'],
      ['{ health: { eq: null } }', 'where: health.eq is null; omit it'],
    ])('is no condition: where %s', async (where, message) => {
      const { errors } = await subject().app.graphql(`{ gateways(where: ${where}) { totalCount } }`);
      expect(errors?.[0]).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT' } });
    });

    test.each([
      ['+4930981', 'down', '; its host has not responded to OPTIONS since 2026-03-01T10:00:00.000Z'],
      ['+4930982', 'up', ''],
      ['+4930983', 'not checked any more', ''],
    ])('is in the explanation of %s, whose gateway is %s and keeps its verdict', async (telUrl, name, note) => {
      await createDid(subject().app, { gatewayRef: refOf(name), telUrl: `tel:${telUrl}`, aorLink: 'sip:x@no.test' });
      const { data } = await subject().app.graphql<{
        readonly explainNumber: { readonly state: string; readonly steps: readonly object[] };
      }>(`{ explainNumber(telUrl: "${telUrl}") { state steps { state summary } } }`);
      const summary = `gateway ${name} does not register; it is identified by its address${note}`;
      expect(data.explainNumber).toMatchObject({ state: 'DOMAIN_MISSING' });
      expect(data.explainNumber.steps[1]).toEqual({ state: 'OK', summary });
    });

    test('is in the explanation of a number whose gateway is registered', async () => {
      const { app, url } = subject();
      const gatewayRef = refOf('registers');
      await registerGateway(url, gatewayRef, { host: 'trunk.test' });
      await createDid(app, { gatewayRef, telUrl: 'tel:+4930984', aorLink: 'sip:x@no.test' });
      const { data } = await app.graphql<{ readonly explainNumber: { readonly steps: readonly object[] } }>(
        '{ explainNumber(telUrl: "+4930984") { steps { state summary } } }',
      );
      const summary: unknown = expect.stringMatching(
        /^gateway registers is registered at trunk\.test .*; its host has not responded to OPTIONS since 2026-03-01T10/,
      );
      expect(data.explainNumber.steps[1]).toEqual({ state: 'OK', summary });
    });

    test('is no part of documents', async () => {
      const { body } = await subject().app.rest('GET', `/gateways/${refOf('up')}`);
      expect(JSON.stringify(body)).not.toMatch(/health|roundTrip/i);
    });
  },
  { ...COUNTING, SAMPLES: 'off' },
);
