import { startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createAgent, createDid, createDomain, createGateway, createUser } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { measureGateway, registerContact, registerGateway, runSql, storeCall } from '../support/databases/sql';

interface Samples {
  readonly resolution: string;
  readonly times: readonly string[];
  readonly numbersCountedOn: readonly (string | null)[];
  readonly series: readonly { readonly series: string; readonly values: readonly (number | null)[] }[];
}

interface Availability {
  readonly registered: number;
  readonly observed: number;
  readonly periods: readonly { readonly state: string; readonly from: string; readonly to: string }[];
}

const QUERY = `query($series: [SampleSeries!]!, $from: DateTimeISO, $to: DateTimeISO, $resolution: SampleResolution) {
  samples(series: $series, from: $from, to: $to, resolution: $resolution) {
    resolution times numbersCountedOn series { series values }
  }
}`;
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
// Samples every tenth of a second, which replace each other until the minute is over.
const OFTEN = { timings: { samplesEvery: 100 } };

const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();

onEachDatabase(
  'samples',
  (subject) => {
    let app: TestApp;
    let gateway: string;

    const start = () => startApp({ DATABASE_URL: subject().url }, undefined, OFTEN);

    const samples = async (variables: Readonly<Record<string, unknown>>): Promise<Samples> => {
      const { data, errors } = await app.graphql<{ samples: Samples }>(QUERY, variables);
      if (errors) throw new Error(JSON.stringify(errors));
      return data.samples;
    };
    /** The latest values of some series. */
    const latest = async (...series: readonly string[]): Promise<readonly unknown[]> =>
      (await samples({ series, resolution: 'MINUTE' })).series.map(({ values }) => values.at(-1));
    const availability = async (ref: string, span = ''): Promise<Availability | null> => {
      const { data } = await app.graphql<{ gateway: { availability: Availability | null } }>(
        `query($ref: String!) { gateway(ref: $ref) {
          availability${span} { registered observed periods { state from to } } } }`,
        { ref },
      );
      return data.gateway.availability;
    };
    /** Stores a sample of a time with a number of devices. */
    const insert = async (step: number, at: number, devices: number): Promise<void> => {
      await runSql(
        subject().url,
        `INSERT INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
           trunks_unknown, changes) VALUES (?, ?, ?, 0, 0, 0, 0, 0, 2)`,
        [step, at - (at % step), devices],
      );
    };

    beforeAll(async () => {
      app = await start();
      gateway = await createGateway(app, { host: 'trunk.test', username: 'trunk', secret: 'trunk-secret' });
      await createDomain(app, { domainUri: 'samples.test' });
      await createAgent(app, { username: '1001', domains: ['samples.test'] });
      for (const [telUrl, user] of [
        ['tel:+15550001', '1001'],
        ['tel:+15550002', 'nobody'],
      ] as const)
        await createDid(app, { telUrl, gatewayRef: gateway, aorLink: `sip:${user}@samples.test` });
    });

    afterAll(() => app.close());

    test('have the devices, trunks and numbers of the minute by state', async () => {
      await registerContact(subject().url, { username: '1001', domain: 'samples.test', contact: 'sip:1001@10.0.0.1' });
      await eventually(15, async () =>
        expect(await latest('DEVICES', 'TRUNKS_UNKNOWN', 'TRUNKS_REGISTERED', 'NUMBERS_REACHABLE')).toEqual([
          1, 1, 0, 0,
        ]),
      );
      await registerGateway(subject().url, gateway);
      await eventually(15, async () =>
        expect(
          await latest('TRUNKS_UNKNOWN', 'TRUNKS_REGISTERED', 'NUMBERS_REACHABLE', 'NUMBERS_TARGET_MISSING'),
        ).toEqual([0, 1, 1, 1]),
      );
    });

    test('say when numbers were counted', async () => {
      const { times, numbersCountedOn } = await samples({ series: ['NUMBERS_REACHABLE'], resolution: 'MINUTE' });
      expect(numbersCountedOn).toHaveLength(times.length);
      expect(Date.now() - Date.parse(numbersCountedOn.at(-1) ?? '')).toBeLessThan(MINUTE);
    });

    test('count the calls in progress', async () => {
      const { url } = subject();
      for (const state of [1, 2, 3, 6]) await storeCall(url, { state });
      await eventually(15, async () => expect(await latest('CALLS')).toEqual([3]));
    });

    test('count the calls that were answered or failed in a minute, by the class of the final status', async () => {
      const { url } = subject();
      const names = ['ANSWERED', 'BUSY', 'FAILED_4XX', 'FAILED_5XX', 'FAILED_6XX', 'FAILED_OTHER'];
      const statuses = [486, 600, 487, 404, 403, 503, 603, 302, null];
      for (const status of statuses) await storeCall(url, { state: 5, status, number: 'outcome' });
      await storeCall(url, { state: 3, status: 200, number: 'outcome' });
      await eventually(15, async () => {
        // The minute may have ended since.
        const then = Date.now() - (Date.now() % MINUTE) - 30 * SECOND;
        await runSql(url, "UPDATE calls SET begun = ?, ended = ?, answered = NULL WHERE number = 'outcome'", [
          then - 9 * MINUTE,
          then,
        ]);
        await runSql(url, "UPDATE calls SET answered = ?, ended = NULL WHERE number = 'outcome' AND status = 200", [
          then,
        ]);
        expect(await latest(...names.map((name) => `CALLS_${name}`))).toEqual([1, 2, 3, 1, 1, 2]);
      });
      await runSql(url, "DELETE FROM calls WHERE number = 'outcome'");
    });

    test('record since when the hosts and destinations of gateways respond, until they are no longer checked', async () => {
      const { url } = subject();
      const now = Date.now();
      const recorded = async (): Promise<unknown> =>
        (
          await runSql(
            url,
            `SELECT host, port, is_host, state, since_on, CASE WHEN until_on = ? THEN 0 ELSE until_on END FROM health_states
             WHERE gw_ref = 'checked' ORDER BY is_host DESC, id`,
            [Number.MAX_SAFE_INTEGER],
          )
        ).map(([host, port, isHost, state, since, until]) => [
          ...[host, Number(port), Number(isHost), state, Number(since) - now],
          Number(until) === 0 ? 0 : Number(until) - now,
        ]);
      const destination = (state: string, since: number): Promise<unknown> =>
        runSql(
          url,
          `REPLACE INTO destination_health (gw_ref, host, port, transport, state, since, checked_on, misses, answers, expires_at)
           VALUES ('checked', '203.0.113.7', 5080, 'tcp', ?, ?, ?, 0, 2, ?)`,
          [state, since, now, now + HOUR],
        );
      await measureGateway(url, 'checked', { host: 'checked.test', since: now - 7000, secondsLeft: 3600 });
      await destination('UNKNOWN', now - 5000);
      await eventually(15, async () => expect(await recorded()).toEqual([['checked.test', 0, 1, 'UP', -7000, 0]]));
      await destination('UP', now - 4000);
      await eventually(15, async () =>
        expect(await recorded()).toEqual([
          ['checked.test', 0, 1, 'UP', -7000, 0],
          ['203.0.113.7', 5080, 0, 'UP', -4000, 0],
        ]),
      );
      await destination('DOWN', now - 3000);
      const down = [
        ['checked.test', 0, 1, 'UP', -7000, 0],
        ['203.0.113.7', 5080, 0, 'UP', -4000, -3000],
        ['203.0.113.7', 5080, 0, 'DOWN', -3000, 0],
      ];
      await eventually(15, async () => expect(await recorded()).toEqual(down));
      for (const table of ['gateway_health', 'destination_health'])
        await runSql(url, `DELETE FROM ${table} WHERE gw_ref = 'checked'`);
      await eventually(15, async () =>
        expect(await runSql(url, 'SELECT id FROM health_states WHERE until_on = ?', [Number.MAX_SAFE_INTEGER])).toEqual(
          [],
        ),
      );
    });

    test('count the changes of the minute before, but no sign-ins', async () => {
      const { url } = subject();
      const kinds = "('Gateway', 'Agent', 'Domain', 'DID')";
      await eventually(15, async () => {
        const [[changes, others] = []] = await runSql(
          url,
          `SELECT SUM(CASE WHEN kind IN ${kinds} THEN 1 ELSE 0 END), SUM(CASE WHEN kind IN ${kinds} THEN 0 ELSE 1 END)
           FROM changes`,
        );
        expect(Number(changes)).toBe(5);
        expect(Number(others)).toBeGreaterThan(0);
        await runSql(url, 'UPDATE changes SET at = ?', [Date.now() - (Date.now() % MINUTE) - SECOND]);
        expect(await latest('CHANGES')).toEqual([5]);
      });
    });

    test('are averaged for every quarter of an hour', async () => {
      const quarter = Date.now() - (Date.now() % (15 * MINUTE));
      await eventually(15, async () => expect(await latest('DEVICES')).toEqual([1]));
      const before = (
        await samples({ series: ['DEVICES'], from: new Date(quarter).toISOString(), resolution: 'MINUTE' })
      ).series[0]?.values;
      const average = (before ?? []).reduce<number>((sum, value) => sum + (value ?? 0), 0) / (before?.length ?? 0);
      await eventually(15, async () => {
        const { series } = await samples({ series: ['DEVICES'], resolution: 'QUARTER_HOUR' });
        expect(series[0]?.values.at(-1)).toBeCloseTo(average, 1);
      });
    });

    test('are merged to hours and days, and intervals without a sample are missing', async () => {
      const day = Date.now() - (Date.now() % DAY) - 20 * DAY;
      for (const [at, devices] of [
        [day, 10],
        [day + 15 * MINUTE, 20],
        [day + 3 * HOUR, 60],
      ] as const)
        await insert(15 * MINUTE, at, devices);
      const span = { from: new Date(day).toISOString(), to: new Date(day + DAY).toISOString() };
      const series = ['DEVICES', 'CHANGES', 'NUMBERS_EXPIRED'];
      expect(await samples({ series, ...span, resolution: 'HOUR' })).toEqual({
        resolution: 'HOUR',
        times: [day, day + 3 * HOUR].map((at) => new Date(at).toISOString()),
        numbersCountedOn: [null, null],
        series: [
          { series: 'DEVICES', values: [15, 60] },
          { series: 'CHANGES', values: [4, 2] },
          { series: 'NUMBERS_EXPIRED', values: [null, null] },
        ],
      });
      expect(await samples({ series, ...span, resolution: 'DAY' })).toMatchObject({
        times: [span.from],
        series: [{ values: [30] }, { values: [6] }, { values: [null] }],
      });
    });

    test.each([
      ['the last 48 hours', 2 * DAY - HOUR, 'MINUTE'],
      ['the last 30 days', 30 * DAY, 'QUARTER_HOUR'],
      ['the last 90 days', 90 * DAY, 'HOUR'],
      ['2,000 days', 2000 * DAY, 'DAY'],
    ])('of %s have the finest resolution that fits', async (_what, span, resolution) => {
      expect(await samples({ series: ['DEVICES'], from: ago(span) })).toMatchObject({ resolution });
    });

    test.each([
      [{ series: [] }, 'series: must name at least one series'],
      [
        { series: ['DEVICES'], from: '2026-01-02T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
        'from: 2026-01-02T00:00:00.000Z must be before `to`, which is 2026-01-01T00:00:00.000Z',
      ],
      [
        { series: ['DEVICES'], from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', resolution: 'MINUTE' },
        'from: 2026-01-01T00:00:00.000Z to 2026-02-01T00:00:00.000Z are 44640 intervals of MINUTE, more than 3000: request a coarser resolution or less time',
      ],
      [
        { series: ['DEVICES'], from: '1000-01-01T00:00:00.000Z' },
        expect.stringContaining('intervals of DAY, more than'),
      ],
      [{ series: ['SECRETS'] }, expect.stringContaining('SECRETS')],
      [{ series: ['DEVICES'], from: 'yesterday' }, expect.stringContaining('yesterday')],
    ])('with the arguments %j are refused', async (variables, message) => {
      const { errors } = await app.graphql(QUERY, variables);
      expect(errors).toEqual([expect.objectContaining({ message, extensions: expect.anything() })]);
      expect(errors?.[0]?.extensions['code']).toBe('BAD_USER_INPUT');
    });

    test('are for everybody who is signed in', async () => {
      const { token } = await createUser(app, 'VIEWER');
      expect((await app.graphql(QUERY, { series: ['DEVICES'] }, { token })).errors).toBeUndefined();
      const { errors } = await app.graphql(QUERY, { series: ['DEVICES'] }, { token: null });
      expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    });

    test('are deleted after 48 hours, quarters after 90 days', async () => {
      const count = async (): Promise<unknown> =>
        (await runSql(subject().url, 'SELECT COUNT(*) FROM samples WHERE devices = 7777'))[0]?.[0];
      await insert(MINUTE, Date.now() - 2 * DAY - 2 * MINUTE, 7777);
      await insert(15 * MINUTE, Date.now() - 90 * DAY - 20 * MINUTE, 7777);
      await eventually(15, async () => expect(await count()).toBe(0));
      await insert(MINUTE, Date.now() - 2 * DAY + HOUR, 7777);
      await insert(15 * MINUTE, Date.now() - 89 * DAY, 7777);
      const written = await latestWrite();
      await eventually(15, async () => expect(await latestWrite()).not.toBe(written));
      expect(await count()).toBe(2);
    });

    /** Something that each sample changes: when numbers were counted. */
    const latestWrite = async (): Promise<unknown> =>
      (await runSql(subject().url, 'SELECT MAX(numbers_on) FROM samples'))[0]?.[0];

    describe('of a trunk', () => {
      let trunk: string;
      const states = async (): Promise<readonly string[]> =>
        ((await availability(trunk))?.periods ?? []).map(({ state }) => state);

      beforeAll(async () => {
        trunk = await createGateway(app, { host: 'states.test', username: 'states', secret: 'trunk-secret' });
        await eventually(15, async () => expect(await states()).toEqual(['UNKNOWN']));
      });

      test('are the periods between its changes of state', async () => {
        await registerGateway(subject().url, trunk);
        await eventually(15, async () => expect((await states()).at(-1)).toBe('REGISTERED'));
        await runSql(
          subject().url,
          "UPDATE gateway_registrations SET expires_at = 1, last_response = '403 Forbidden' WHERE gw_ref = ?",
          [trunk],
        );
        await eventually(15, async () => expect((await states()).at(-1)).toBe('REFUSED'));
      });

      test('have the share of the observed time in which it was registered', async () => {
        const { url } = subject();
        await runSql(url, 'DELETE FROM trunk_states WHERE gw_ref = ?', [trunk]);
        const now = Date.now();
        const [start, middle, end] = [now - 10 * HOUR, now - 7 * HOUR, now - 6 * HOUR];
        for (const [state, since, until] of [
          ['REGISTERED', start, middle],
          ['UNREACHABLE', middle, end],
        ] as const)
          await runSql(url, 'INSERT INTO trunk_states (gw_ref, state, since_on, until_on) VALUES (?, ?, ?, ?)', [
            trunk,
            state,
            since,
            until,
          ]);
        const time = (at: number): string => new Date(at).toISOString();
        expect(await availability(trunk, `(to: "${time(end + HOUR)}")`)).toEqual({
          registered: 0.75,
          observed: 4 * 3600,
          periods: [
            { state: 'REGISTERED', from: time(start), to: time(middle) },
            { state: 'UNREACHABLE', from: time(middle), to: time(end) },
          ],
        });
        const half = middle - (end - middle);
        expect(await availability(trunk, `(from: "${time(half)}", to: "${time(end)}")`)).toMatchObject({
          registered: 0.5,
          observed: 2 * 3600,
        });
        expect(await availability(trunk, `(to: "${time(start)}")`)).toBeNull();
      });

      test('are its health if it does not register', async () => {
        const ref = await createGateway(app, { host: 'checked.test' });
        const states = async () => (await availability(ref))?.periods.map(({ state }) => state);
        await measureGateway(subject().url, ref, { host: 'checked.test' });
        await eventually(15, async () => expect(await states()).toEqual(['UP']));
        await eventually(15, async () => expect(await latest('TRUNKS_UP', 'TRUNKS_DOWN')).toEqual([1, 0]));
        expect((await availability(ref))?.registered).toBe(1);
        // Periods begin and end at whole seconds.
        await new Promise((resolve) => setTimeout(resolve, 2 * SECOND));
        await measureGateway(subject().url, ref, { host: 'checked.test', state: 'DOWN' });
        await eventually(15, async () => expect(await states()).toEqual(['UP', 'DOWN']));
        await eventually(15, async () => expect(await latest('TRUNKS_UP', 'TRUNKS_DOWN')).toEqual([0, 1]));
        expect((await availability(ref))?.registered).toBeLessThan(1);
        // Nothing is known of it any more.
        await measureGateway(subject().url, ref, { host: 'checked.test', secondsLeft: -1 });
        await eventually(15, async () => expect(await latest('TRUNKS_UP', 'TRUNKS_DOWN')).toEqual([0, 0]));
      });

      test('are none if it does not register and is not checked', async () => {
        expect(await availability(await createGateway(app, { host: 'address.test' }))).toBeNull();
      });

      test('end when it no longer registers', async () => {
        const open = 'SELECT COUNT(*) FROM trunk_states WHERE gw_ref = ? AND until_on > ?';
        const count = async () => Number((await runSql(subject().url, open, [trunk, Date.now() + DAY]))[0]?.[0]);
        await eventually(15, async () => expect(await count()).toBe(1));
        await app.graphql('mutation($ref: String!) { deleteGateway(ref: $ref) }', { ref: trunk });
        await eventually(15, async () => expect(await count()).toBe(0));
      });

      test('are at most about 1,000, the latest ones, and not older than 90 days', async () => {
        const flapping = await createGateway(app, { host: 'flaps.test', username: 'flaps', secret: 'trunk-secret' });
        const { url } = subject();
        const day = Date.now() - DAY;
        for (let batch = 0; batch < 6; batch++) {
          const rows = Array.from({ length: 200 }, (_, index) => day + (batch * 200 + index) * 10 * SECOND);
          await runSql(
            url,
            `INSERT INTO trunk_states (gw_ref, state, since_on, until_on) VALUES ${rows
              .map((at) => `('${flapping}', 'EXPIRED', ${at}, ${at + 10 * SECOND})`)
              .join(', ')}`,
          );
        }
        await runSql(
          url,
          "INSERT INTO trunk_states (gw_ref, state, since_on, until_on) VALUES ('gone', 'EXPIRED', 1, ?)",
          [Date.now() - 91 * DAY],
        );
        await eventually(30, async () => {
          const [[many, first] = []] = await runSql(
            url,
            'SELECT COUNT(*), MIN(since_on) FROM trunk_states WHERE gw_ref = ?',
            [flapping],
          );
          expect(Number(many)).toBeLessThanOrEqual(1001);
          expect(Number(first)).toBeGreaterThan(day + 200 * SECOND);
          expect(await runSql(url, "SELECT COUNT(*) FROM trunk_states WHERE gw_ref = 'gone'")).toEqual([[0]]);
        });
        // The same 1,000 periods, twelve times.
        const fields = Array.from(
          { length: 12 },
          (_, index) => `a${index}: availability(from: "${ago(2 * DAY + index * HOUR)}") { periods { state } }`,
        );
        const { data, errors = [] } = await app.graphql<{
          gateway: Readonly<Record<string, { periods: readonly unknown[] } | null>>;
        }>(`query($ref: String!) { gateway(ref: $ref) { ${fields.join(' ')} } }`, { ref: flapping });
        const read = Object.values(data.gateway).flatMap((each) => each?.periods ?? []);
        expect(read.length).toBeGreaterThan(5000);
        expect(read.length).toBeLessThanOrEqual(10_000);
        expect(errors.map(({ extensions }) => extensions['fields'])).toContainEqual(['from']);
        expect(errors[0]?.message).toMatch(
          /^from: \S+Z to \S+Z has more than 10000 periods of the trunks of this request: request fewer gateways or/,
        );
      });
    });

    test('continue after a restart, and the time in which no process ran is unknown', async () => {
      await app.close();
      const { url } = subject();
      await runSql(url, 'UPDATE samples SET at = at - ? WHERE step = ?', [10 * MINUTE, MINUTE]);
      await runSql(url, 'DELETE FROM trunk_states WHERE until_on < ?', [Date.now()]);
      await runSql(url, 'UPDATE trunk_states SET since_on = since_on - ?', [20 * MINUTE]);
      app = await start();
      await eventually(15, async () => {
        const { periods } = (await availability(gateway)) ?? { periods: [] };
        const [before, after] = periods.slice(-2);
        expect(Date.parse(after?.from ?? '') - Date.parse(before?.to ?? '')).toBeGreaterThan(8 * MINUTE);
      });
    });

    test('are taken by one of two processes, and by the other one when it ends', async () => {
      const holder = async (): Promise<unknown> =>
        (await runSql(subject().url, 'SELECT holder FROM sample_lease'))[0]?.[0];
      const first = await holder();
      const second = await start();
      const written = await latestWrite();
      await eventually(15, async () => expect(await latestWrite()).not.toBe(written));
      expect(await holder()).toBe(first);
      await app.close();
      app = second;
      await eventually(15, async () => expect(await holder()).not.toBe(first));
      const later = await latestWrite();
      await eventually(15, async () => expect(await latestWrite()).not.toBe(later));
    });
  },
  { SAMPLES: 'off' },
);
