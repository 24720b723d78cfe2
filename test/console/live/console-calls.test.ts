import { faults } from '../../support/browser/accessibility';
import { PHONE } from '../../support/browser/browser';
import { VIEWER, withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import {
  createAgent,
  createDid,
  createDomain,
  createGateway,
  createNumber,
  createRoute,
} from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { ageHistory, runSql, storeCall } from '../../support/databases/sql';

describeWith(['chromium'], 'The calls of the console', () => {
  const subject = withConsole();
  const { open } = subject;
  let gatewayRef: string;
  let agentRef: string;
  let domainRef: string;
  let routeRef: string;

  beforeAll(async () => {
    const { app, url } = subject;
    domainRef = await createDomain(app, { domainUri: 'calls.test' });
    agentRef = await createAgent(app, { name: 'Anna', username: 'anna', domains: ['calls.test'] });
    gatewayRef = await createGateway(app, { name: 'Carrier', host: 'carrier.test' });
    const numberRef = await createNumber(app, { telUrl: 'tel:+4930100', gatewayRef });
    routeRef = await createRoute(app, { name: 'Abroad', domainRef, numberRefs: [numberRef], prefix: '+1' });
    // They existed when the second call began.
    await ageHistory(url, 400_000);
    const now = Date.now();
    await storeCall(url, {
      state: 6,
      begun: now - 600_000,
      direction: 'IN',
      from_uri: 'sip:+491771234567@carrier.test',
      called: 'sip:anna@calls.test',
      callee: `agent:${agentRef}`,
      gateway_ref: gatewayRef,
      answered: now - 590_000,
      ended: now - 465_000,
      status: 200,
      reason: 'OK',
    });
    await storeCall(url, {
      callId: 'failed-call',
      state: 5,
      begun: now - 300_000,
      direction: 'OUT',
      from_uri: 'sip:anna@calls.test',
      to_uri: 'sip:+4940555000@calls.test',
      called: '+4940555000',
      caller: `agent:${agentRef}`,
      domain_ref: domainRef,
      route_ref: routeRef,
      number: '4930100',
      gateway_ref: gatewayRef,
      ended: now - 299_000,
      ended_by: 'CALLEE',
      status: 503,
      // A stranger may send anything.
      reason: '<img src=x onerror=alert(1)> \u202Eno circuit',
      reason_header: 'Q.850;cause=34',
      source: '192.0.2.7',
      attempts: JSON.stringify({
        0: ['gone', 'sip:192.0.2.9:5060;transport=udp', now - 300_000, now - 299_800, 408, 'Request Timeout', null],
        1: [
          gatewayRef,
          'sip:192.0.2.8:5060;transport=udp',
          now - 299_800,
          now - 299_000,
          503,
          'no circuit',
          'Q.850;cause=34',
        ],
      }),
    });
    await storeCall(url, {
      state: 2,
      begun: now - 5000,
      direction: 'INTERNAL',
      from_uri: 'sip:anna@calls.test',
      called: 'sip:bert@calls.test',
    });
  });

  /** The rows of the table with this name, each in one line. */
  async function rows(table = 'Calls'): Promise<readonly string[]> {
    const texts = await subject.opened.page.getByRole('table', { name: table }).locator('tbody tr').allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, ' '));
  }

  test('are listed, newest first, with their state, duration, response and gateway', async () => {
    await open('/calls');
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Calls' }).waitFor();
    const [ringing = '', refused = '', ended = ''] = await rows();
    expect(ringing).toMatch(/sip:anna@calls\.test → sip:bert@calls\.test Internal Rings –/);
    expect(refused).toMatch(
      /sip:anna@calls\.test → \+4940555000 Out Not answered – 503 <img src=x onerror=alert\(1\)> \uFFFDno circuit Carrier/,
    );
    expect(ended).toMatch(/sip:\+491771234567@carrier\.test → sip:anna@calls\.test In Ended 2:05 200 OK Carrier/);
    expect(await faults(page)).toEqual([]);
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });

  test('are restricted to a state, a gateway and a part of a number, which are in the address', async () => {
    await open('/calls?state=LIVE');
    const { page } = subject.opened;
    await eventually(10, async () => expect(await rows()).toHaveLength(1));
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'All states' }).click();
    await eventually(10, async () => expect(await rows()).toHaveLength(3));
    await page.getByRole('combobox', { name: 'Gateway' }).click();
    await page.getByRole('option', { name: 'Carrier' }).click();
    await eventually(10, async () => expect(await rows()).toHaveLength(2));
    await page.getByRole('searchbox', { name: 'Part of a number or address' }).fill('771234');
    await page.waitForURL(/q=771234/);
    await eventually(10, async () => expect(await rows()).toHaveLength(1));
    expect(new URL(page.url()).searchParams.get('gateway')).toBe(gatewayRef);
  });

  test('are restricted to a gateway that was deleted, which the filter calls by its reference', async () => {
    await open('/calls?gateway=deleted');
    const { page } = subject.opened;
    await page.getByRole('combobox', { name: 'Gateway' }).getByText('deleted').waitFor();
  });

  test('are restricted to the times in the address, until that is taken away', async () => {
    const [from, to] = [700_000, 120_000].map((ago) => new Date(Date.now() - ago).toISOString());
    await open(`/calls?${new URLSearchParams({ from: from ?? '', to: to ?? '' }).toString()}`);
    const { page } = subject.opened;
    await eventually(10, async () => expect(await rows()).toHaveLength(2));
    expect(await faults(page)).toEqual([]);
    const chip = page.getByRole('button', { name: /^from .* until / });
    await chip.focus();
    await chip.press('Delete');
    await eventually(10, async () => expect(await rows()).toHaveLength(3));
    await open('/calls?from=nonsense');
    await eventually(10, async () => expect(await rows()).toHaveLength(3));
  });

  test('follow what happens', async () => {
    await open('/calls?state=LIVE');
    await eventually(10, async () => expect(await rows()).toHaveLength(1));
    await storeCall(subject.url, {
      callId: 'new-call',
      state: 3,
      from_uri: 'sip:new@calls.test',
      answered: Date.now() - 60_000,
    });
    await eventually(10, async () => expect(await rows()).toHaveLength(2));
    expect((await rows())[0]).toContain('In progress');
    const lasts = subject.opened.page.getByRole('timer');
    await lasts.waitFor();
    const first = await lasts.innerText();
    expect(first).toMatch(/^1:0\d$/);
    await eventually(5, async () => expect(await lasts.innerText()).not.toBe(first));
    await runSql(subject.url, "DELETE FROM calls WHERE call_id = 'new-call'");
  });

  test('have a page each, with links, for viewers as well', async () => {
    await open('/calls', VIEWER);
    const { page } = subject.opened;
    await page.getByRole('row', { name: /503/ }).getByRole('link').first().click();
    await page.getByText('Q.850;cause=34').first().waitFor();
    const text = (await page.locator('dl').innerText()).replace(/\s+/g, ' ');
    for (const part of [
      'State Not answered',
      'Called +4940555000',
      'Ended by The other side',
      'Address of the caller 192.0.2.7',
      'Call-ID failed-call',
    ])
      expect(text).toContain(part);
    for (const name of ['Anna', 'Carrier', 'Abroad']) await page.getByRole('link', { name }).first().waitFor();
    const [first = '', second = '', ...more] = await rows('Attempts');
    expect(first).toMatch(
      /^1\. gone \(no longer exists\) sip:192\.0\.2\.9:5060;transport=udp .* 408 Request Timeout – 0\.2 s/,
    );
    expect(second).toMatch(/^2\. Carrier sip:192\.0\.2\.8:5060;transport=udp .* 503 no circuit Q\.850;cause=34 0\.8 s/);
    expect(more).toEqual([]);
    expect(await faults(page)).toEqual([]);
    const gone = Buffer.from('Call:999999').toString('base64url');
    await open(`/calls/${gone}`, VIEWER);
    await subject.opened.page.getByText('This call is no longer kept.').waitFor();
  });

  test('are explained as they were, and as they would be now', async () => {
    await open('/calls');
    const { page } = subject.opened;
    await page.getByRole('row', { name: /503/ }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Explain this call' }).click();
    await page.getByText(/all 2 attempts failed: gateway gone did not respond, gateway Carrier answered 503/).waitFor();
    await page.getByRole('status').getByText('It was not answered').waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('link', { name: 'What would become of it now' }).click();
    await page
      .getByText(/sip:anna@calls\.test|anna@calls\.test/)
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('sip:anna@calls.test');
    await page.getByRole('slider', { name: 'Time, up to 7 days ago' }).focus();
    // Ten minutes ago, when nobody existed. Only the last of several times is asked for.
    const asked: unknown[] = [];
    page.on('request', (sent) => {
      if ((sent.postData() ?? '').includes('PastCall')) asked.push(sent.postData());
    });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/[?&]at=/);
    await page.getByText(/It was refused: 407/).waitFor();
    expect(asked).toHaveLength(1);
    expect(await faults(page)).toEqual([]);
  });

  test('are on the page of an agent, which leads to all of its calls', async () => {
    await open(`/agents/${agentRef}/show`);
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Last calls' }).waitFor();
    expect(await rows('Last calls')).toHaveLength(2);
    await page.getByRole('link', { name: 'All calls' }).click();
    await eventually(10, async () => expect(await rows()).toHaveLength(2));
  });

  test('are on the pages of a domain and a route, which lead to all of their calls', async () => {
    for (const path of [`domains/${domainRef}`, `routes/${routeRef}`]) {
      await open(`/${path}/show`);
      const { page } = subject.opened;
      await page.getByRole('table', { name: 'Last calls' }).waitFor();
      expect(await rows('Last calls')).toHaveLength(1);
      await page.getByRole('link', { name: 'All calls' }).click();
      await eventually(10, async () => expect(await rows()).toHaveLength(1));
    }
    await subject.opened.page.getByText('Route Abroad').waitFor();
  });

  test('name what was deleted since, and lead to its history, as explanations of earlier times do', async () => {
    const { app, url } = subject;
    const ref = await createGateway(app, { name: 'Old carrier', host: '203.0.113.77' });
    const did = await createDid(app, { telUrl: 'tel:+4930777', gatewayRef: ref, aorLink: 'sip:anna@calls.test' });
    const rowId = await storeCall(url, { gateway_ref: ref, callee: `agent:${agentRef}`, begun: Date.now() + 5 });
    const at = new Date(Date.now() + 20).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await app.graphql(`mutation { deleteDID(ref: "${did}") deleteGateway(ref: "${ref}") }`);
    await createGateway(app, { name: 'Other carrier', host: '203.0.113.77' });
    const history = new RegExp(`/history\\?kind=Gateway&ref=${ref}$`);
    const leads = async (path: string, name: string | RegExp): Promise<void> => {
      await open(path);
      const { page } = subject.opened;
      const link = page.getByRole('link', { name }).first();
      await link.waitFor();
      expect(await link.getAttribute('href')).toMatch(history);
      expect(await link.innerText()).toContain('(no longer exists)');
      expect(await faults(page)).toEqual([]);
    };
    await leads('/calls', 'Old carrier');
    await leads(`/calls/${Buffer.from(`Call:${String(rowId)}`).toString('base64url')}`, 'Old carrier');
    await leads(`/?${new URLSearchParams({ q: '+4930777', at }).toString()}`, /Open .*Old carrier/);
    await runSql(url, 'DELETE FROM calls WHERE id = ?', [rowId]);
  });

  test('are readable on a phone', async () => {
    await open('/calls', { viewport: PHONE });
    const { page } = subject.opened;
    await page.getByRole('table', { name: 'Calls' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await faults(page)).toEqual([]);
  });
});
