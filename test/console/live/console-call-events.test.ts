import { faults } from '../../support/browser/accessibility';
import { withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createGateway } from '../../support/factories';
import { describeWith } from '../../support/runner/programs';
import { runSql, storeCall } from '../../support/databases/sql';

describeWith(['chromium'], 'The console, for events, exports and messages of calls', () => {
  const subject = withConsole();
  const { open } = subject;

  test('a webhook for failed calls has a rule, which the form shows again', async () => {
    await open('/webhooks');
    const { page } = subject.opened;
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('https://receiver.test/hook');
    expect(await page.getByRole('group', { name: 'Failed calls' }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Call failed' }).check();
    const rule = page.getByRole('group', { name: 'Failed calls' });
    await rule.getByRole('spinbutton', { name: 'Lowest status' }).fill('500');
    await rule.getByRole('spinbutton', { name: 'Calls that must fail' }).fill('5');
    await rule.getByRole('textbox', { name: 'Part of the reason' }).fill('congestion');
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await eventually(10, async () =>
      expect(await rule.getByRole('spinbutton', { name: 'Calls that must fail' }).inputValue()).toBe('5'),
    );
    const [stored] = await runSql(subject.url, 'SELECT failed_calls FROM webhooks');
    expect(JSON.parse(String(stored?.[0]))).toMatchObject({
      count: 5,
      minStatus: 500,
      reason: 'congestion',
      minutes: 1,
    });
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('the rule of a webhook keeps a gateway that was deleted, when another setting is saved', async () => {
    const gatewayRef = await createGateway(subject.app, { name: 'Soon gone' });
    const { errors } = await subject.app.graphql(
      `mutation ($rule: FailedCallRuleInput) {
        createWebhook(url: "https://93.184.216.34/rule", events: [CALL_FAILED], failedCalls: $rule) { secret }
      }`,
      { rule: { gatewayRef } },
    );
    expect(errors).toBeUndefined();
    await subject.app.graphql('mutation ($ref: String!) { deleteGateway(ref: $ref) }', { ref: gatewayRef });
    await open('/webhooks');
    const { page } = subject.opened;
    const read = page.waitForResponse((response) => response.request().postData()?.includes('query Named') === true);
    await page
      .getByRole('listitem')
      .filter({ hasText: '93.184.216.34/rule' })
      .getByRole('button', { name: 'Change', exact: true })
      .click();
    await read;
    const dialog = page.getByRole('dialog');
    const gateway = dialog.getByRole('combobox', { name: 'Gateway' });
    const rule = async (): Promise<unknown> => {
      const [stored] = await runSql(subject.url, "SELECT failed_calls FROM webhooks WHERE url LIKE '%/rule'");
      return JSON.parse(String(stored?.[0]));
    };
    await dialog.getByRole('spinbutton', { name: 'Calls that must fail' }).fill('7');
    expect(await gateway.inputValue()).toBe(gatewayRef);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await rule()).toMatchObject({ count: 7, gatewayRef });
  });

  test('the calls of a page are exported, and the file can be downloaded', async () => {
    await storeCall(subject.url, { callId: 'exported', from_uri: 'sip:x@calls.test' });
    await open('/calls');
    const { page } = subject.opened;
    await page.getByRole('button', { name: 'Export…' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    const link = page.getByRole('link', { name: 'Download calls.csv' });
    await link.waitFor();
    expect(await faults(page)).toEqual([]);
    const text = await (await fetch(String(await link.getAttribute('href')))).text();
    expect(text).toMatch(/^id,callId,.*\r\n.*,exported,/);
    await page.getByRole('button', { name: 'Delete the export calls.csv' }).click();
    await page.getByText('You have no exports.').waitFor();
  });

  test('the page of a call draws its messages as a ladder, and lists them with their headers', async () => {
    const [phone, server] = ['192.0.2.1:5060', '192.0.2.9:5060'];
    const rowId = await storeCall(subject.url, { callId: 'ladder', source: '192.0.2.1', node: server });
    const now = Date.now();
    const milliseconds = String(now % 1000).padStart(3, '0');
    for (const [n, from, to, line] of [
      [0, phone, server, 'INVITE sip:bert@one.test SIP/2.0'],
      [1, server, phone, 'SIP/2.0 486 Busy <b>Here</b>'],
    ] as const)
      await runSql(
        subject.url,
        'INSERT INTO call_messages (call_id, at, sender, receiver, first_line, headers) VALUES (?, ?, ?, ?, ?, ?)',
        ['ladder', now + n, from, to, line, 'Call-ID: ladder\nAuthorization: …'],
      );
    await open(`/calls/${Buffer.from(`Call:${String(rowId)}`).toString('base64url')}`);
    const { page } = subject.opened;
    const table = page.getByRole('table', { name: 'SIP messages of the last hour' });
    await table.waitFor();
    const rows = await table.locator('tbody tr').allInnerTexts();
    expect(rows[0]).toContain('192.0.2.1:5060 → 192.0.2.9:5060');
    expect(rows[1]).toContain('SIP/2.0 486 Busy <b>Here</b>');
    await table.getByText('Headers').first().click();
    await table.getByText('Authorization: …').first().waitFor();
    expect(rows[0]).toMatch(new RegExp(`\\.${milliseconds}\\s`));
    expect(await page.locator('svg polygon').count()).toBe(2);
    const drawn = await page
      .locator('svg', { has: page.locator('polygon') })
      .locator('text')
      .allTextContents();
    for (const text of ['Caller', phone, 'SIP server', server, '+0.000 s', 'INVITE sip:bert@one.test', '+0.001 s'])
      expect(drawn).toContain(text);
    expect(await faults(page)).toEqual([]);
    expect([subject.opened.complaints, subject.opened.elsewhere]).toEqual([[], []]);
  });
});
