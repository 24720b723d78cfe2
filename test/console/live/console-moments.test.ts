import { faults } from '../../support/browser/accessibility';
import { VIEWER, withConsole } from '../../support/browser/console';
import { createAgent, createDid, createDomain } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { runSql, storeCall, storeRegistrar, storeRegistrationEvent } from '../../support/databases/sql';

const MINUTE = 60_000;
const START = Date.now() - (Date.now() % MINUTE) - 60 * MINUTE;

describeWith(['chromium'], 'The moments of plots in the console', () => {
  const subject = withConsole();
  const { open } = subject;
  const page = () => subject.opened.page;
  /** Clicks at a share of the width of an element. */
  const clickAt = async (element: ReturnType<typeof subject.opened.page.locator>, share: number): Promise<void> => {
    const { width = 0, height = 0 } = (await element.boundingBox()) ?? {};
    await element.click({ position: { x: width * share, y: height / 2 } });
  };
  /** The moment in the address of the page, in milliseconds since the epoch. */
  const moment = async (): Promise<number> => {
    await page().waitForURL(/[?&]at=/);
    return Date.parse(new URL(page().url()).searchParams.get('at') ?? '');
  };
  const act = async (mutation: string): Promise<void> => {
    const { errors } = await subject.app.graphql(`mutation { ${mutation} }`);
    expect(errors).toBeUndefined();
  };

  beforeAll(async () => {
    for (const [ago, devices] of [
      [50, 41],
      [40, 12],
    ] as const)
      await runSql(
        subject.url,
        `INSERT INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
           trunks_unknown, numbers_reachable, changes, calls_answered, calls_busy) VALUES (?, ?, ?, 1, 0, 0, 0, 0, 4, 3, 7, 2)`,
        [MINUTE, START + (60 - ago) * MINUTE, devices],
      );
    const quarter = START - (START % (15 * MINUTE));
    await runSql(
      subject.url,
      `INSERT INTO samples (step, at, devices, trunks_registered, trunks_refused, trunks_unreachable, trunks_expired,
         trunks_unknown, numbers_reachable, changes, calls_answered, calls_busy) VALUES (?, ?, 1, 1, 0, 0, 0, 0, 4, 3, 7, 2)`,
      [15 * MINUTE, quarter],
    );
    await runSql(subject.url, 'INSERT INTO trunk_states (gw_ref, state, since_on, until_on) VALUES (?, ?, ?, ?)', [
      ...[subject.gateways['Refused'] ?? '', 'REGISTERED', START - 1000 * MINUTE, START],
    ]);
    await runSql(subject.url, 'INSERT INTO trunk_states (gw_ref, state, since_on, until_on) VALUES (?, ?, ?, ?)', [
      ...[subject.gateways['Refused'] ?? '', 'REFUSED', START, Number.MAX_SAFE_INTEGER],
    ]);
  });

  test('a click on the line of devices leads to what was then, from where a number is explained as of then', async () => {
    await open('/live?show=devices');
    const line = page().getByRole('img', { name: /^Devices in the last 6 hours: / });
    await line.waitFor();
    await clickAt(line, 0.5);
    const at = await moment();
    expect(Math.abs(at - (Date.now() - 3 * 60 * MINUTE))).toBeLessThan(3 * MINUTE);
    await page()
      .getByRole('heading', { name: /^What was at / })
      .waitFor();
    expect(await faults(page())).toEqual([]);
    await page().getByLabel('Explain a number as of then').fill('+1001');
    await page().getByRole('button', { name: 'Explain', exact: true }).click();
    await page().waitForURL(/[?&]q=/);
    expect(new URL(page().url()).searchParams.get('q')).toBe('+1001');
    expect(await moment()).toBe(at);
    await page()
      .getByText('What was then is not known')
      .or(page().getByText('This number did not exist then'))
      .waitFor();
  });

  test('the most and the fewest devices are links, for those who use the keyboard', async () => {
    await open('/live?show=devices');
    const time = new Date(START + 10 * MINUTE).toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit' });
    await page()
      .getByText(/most 41 at /)
      .getByRole('link', { name: time })
      .click();
    expect(await moment()).toBe(START + 10 * MINUTE);
  });

  test('a moment of the health of numbers leads there, with the changes until then', async () => {
    await open('/health');
    await page().getByRole('slider', { name: 'Time in Numbers over time' }).waitFor();
    await page().getByRole('link', { name: 'Explain what was then' }).click();
    await moment();
    await page().getByRole('heading', { name: 'Changes until then' }).waitFor();
    await page().getByRole('link', { name: 'In the history' }).click();
    await page().waitForURL(/\/history\?to=/);
  });

  test("the strip of a trunk leads to the trunk's moment, with the chains of its numbers as of then", async () => {
    await open('/live');
    const row = page().getByRole('row').filter({ hasText: 'Refused' });
    await clickAt(row.getByRole('img', { name: /^Up / }), 0.99);
    const at = await moment();
    expect(new URL(page().url()).searchParams.get('gateway')).toBe(subject.gateways['Refused']);
    const numbers = page().getByRole('list', { name: 'Numbers that use the gateway now, explained as of then' });
    await numbers.getByRole('link').first().click();
    await page().waitForURL(/[?&]q=/);
    expect(await moment()).toBe(at);
    await open(`/gateways/${subject.gateways['Refused'] ?? ''}/show`);
    await page()
      .getByText(/^Up [\d.]+ % of the 17 hours observed in the last 90 days$/)
      .waitFor();
    // The sampler may have added a newer one.
    await page().getByRole('table', { name: 'Times when it was down' }).getByRole('link').last().click();
    expect(await moment()).toBe(START);
  });

  test('the page of calls shows what became of calls over time', async () => {
    await storeCall(subject.url, { state: 6, status: 200, answered: START, ended: START + 1 });
    await open('/calls');
    await page().getByRole('button', { name: 'What became of calls over time' }).click();
    const table = page().getByRole('table', { name: 'Calls by what became of them' });
    await table.getByRole('columnheader', { name: 'Busy (486, 600)' }).waitFor();
    expect((await table.getByRole('row').allInnerTexts()).join(' ')).toMatch(/\t7\t2\t/);
    expect(await faults(page())).toEqual([]);
  });

  test('a moment has the calls before it, and leads to all of them', async () => {
    const gateway = subject.gateways['Open'] ?? '';
    for (const [callId, begun, of] of [
      ['earlier', START - 20 * MINUTE, gateway],
      ['lately', START - 10 * MINUTE, gateway],
      ['elsewhere', START - 5 * MINUTE, 'other'],
      ['after', START + MINUTE, gateway],
    ] as const)
      await storeCall(subject.url, {
        ...{ callId, begun, state: 5, status: 503, gateway_ref: of, from_uri: `sip:${callId}@moment.test` },
      });
    const rows = async (table: string): Promise<string> => {
      await page().getByRole('table', { name: table, exact: true }).waitFor();
      return page().getByRole('table', { name: table, exact: true }).innerText();
    };
    const at = new Date(START).toISOString();
    await open(`/?${new URLSearchParams({ at, gateway }).toString()}`);
    const told = await rows('Calls of the 15 minutes before');
    expect(told).toContain('sip:lately@moment.test');
    expect(told).not.toMatch(/earlier|elsewhere|after/);
    expect(await faults(page())).toEqual([]);
    await page().getByRole('link', { name: 'Those that were not answered' }).click();
    await page().waitForURL(/\/calls\?.*state=FAILED/);
    const listed = await rows('Calls');
    expect(listed).toContain('sip:lately@moment.test');
    expect(listed).not.toMatch(/earlier|elsewhere|after/);
    await open(`/?${new URLSearchParams({ at: new Date(START - 600 * MINUTE).toISOString() }).toString()}`);
    await page().getByText('No call on record began in these minutes.').waitFor();
  });

  test('that a number was created only later cannot be undone', async () => {
    const at = new Date(Date.now() - 1000).toISOString();
    await createDid(subject.app, {
      telUrl: 'tel:+15553009',
      gatewayRef: subject.gateways['Open'],
      aorLink: 'sip:x@y.test',
    });
    await open(`/?${new URLSearchParams({ q: '+15553009', at }).toString()}`);
    await page()
      .getByText(/was created only later by admin/)
      .waitFor();
    await page().getByRole('link', { name: 'Show the change in the history' }).waitFor();
    expect(await page().getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('what broke a number is undone where it is explained, with a preview', async () => {
    const { app, url } = subject;
    await storeRegistrar(url, START);
    await createDomain(app, { domainUri: 'undo.test' });
    const agent = await createAgent(app, { username: 'una', name: 'Una', domains: ['undo.test'] });
    await createDid(app, {
      telUrl: 'tel:+15553001',
      gatewayRef: subject.gateways['Open'],
      aorLink: 'sip:una@undo.test',
    });
    await storeRegistrationEvent(url, { of: 'una@undo.test', at: START + MINUTE, devices: 1 });
    await act(`deleteAgent(ref: "${agent}")`);
    const at = new Date(Date.now() + 1).toISOString();
    const path = `/?q=${encodeURIComponent('+15553001')}&at=${at}`;
    await open(path, VIEWER);
    await page()
      .getByText(/Agent Una was deleted by admin/)
      .waitFor();
    expect(await page().getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await open(path);
    await page()
      .getByText(/Agent Una was deleted by admin/)
      .waitFor();
    await page().getByRole('button', { name: 'Undo' }).click();
    const dialog = page().getByRole('dialog');
    // The history has no secrets.
    await dialog.getByLabel('Secret').fill('a new secret');
    await dialog.getByRole('button', { name: 'Check again' }).click();
    await dialog.getByText('This would change:').waitFor();
    expect(await dialog.innerText()).toContain('Una');
    expect(await faults(page())).toEqual([]);
    expect(await runSql(url, "SELECT name FROM agents WHERE username = 'una'")).toEqual([]);
    await dialog
      .getByRole('button', { name: 'Undo' })
      .or(dialog.getByRole('button', { name: 'Undo' }))
      .click();
    await dialog.waitFor({ state: 'detached' });
    expect(await runSql(url, "SELECT name FROM agents WHERE username = 'una'")).toEqual([['Una']]);
  });
});
