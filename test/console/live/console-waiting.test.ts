import { faults } from '../../support/browser/accessibility';
import { withConsole } from '../../support/browser/console';
import { eventually } from '../../support/eventually';
import { createDid, createGateway } from '../../support/factories';
import { pendingChanges, type Pending } from '../../support/pending';
import { describeWith } from '../../support/runner/programs';
import { runSql } from '../../support/databases/sql';

describeWith(['chromium'], 'In the console, a change that is previewed', () => {
  const subject = withConsole();
  const page = () => subject.opened.page;
  const bar = () => page().getByRole('region', { name: 'Changes that wait for confirmation' });
  const options = () => page().getByRole('region', { name: 'When the change is made, and whether it comes back' });
  const click = (name: string | RegExp): Promise<void> =>
    page()
      .getByRole('button', { name, exact: typeof name === 'string' })
      .click();
  /** Presses a button of the bar, which also tells what came back in other tests. */
  const press = async (name: string): Promise<void> => {
    await bar().getByRole('button', { name }).click();
    await bar().getByRole('button', { name }).waitFor({ state: 'hidden' });
  };
  let cities = 0;

  afterEach(() => expect(subject.opened.complaints).toEqual([]));

  const newest = async (): Promise<Pending | undefined> => (await pendingChanges(subject.app))[0];

  /** Creates DIDs in a city of their own, and opens the list of them. */
  async function withDids(count: number): Promise<{ readonly city: string; readonly list: string }> {
    const city = `City ${String(++cities)}`;
    const gatewayRef = await createGateway(subject.app, { name: `Carrier of ${city}` });
    for (let n = 0; n < count; n++) await createDid(subject.app, { gatewayRef, geoInfo: { city } });
    return { city, list: `/dids?filter=${encodeURIComponent(JSON.stringify({ geoInfo: { city: { eq: city } } }))}` };
  }

  const didsIn = async (city: string): Promise<number> => {
    const { data } = await subject.app.graphql<{ dids: { totalCount: number } }>(
      `{ dids(where: { geoInfo: { city: { eq: "${city}" } } }) { totalCount } }`,
    );
    return data.dids.totalCount;
  };

  /** Enters that the change comes back. */
  async function takeBack(time: string, limits: Readonly<Record<string, string>> = {}): Promise<void> {
    await options().getByRole('checkbox', { name: 'Take it back unless I confirm within' }).check();
    await options().getByLabel('Time to confirm').selectOption(time);
    for (const [label, value] of Object.entries(limits)) await options().getByLabel(label).fill(value);
  }

  /** Enters that the change is made tomorrow. */
  async function tomorrow(): Promise<Date> {
    const at = new Date(Date.now() + 86_400_000);
    at.setSeconds(0, 0);
    const two = (value: number): string => String(value).padStart(2, '0');
    // As the time zone of the browser, which is that of the tests, has it.
    const day = `${String(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    await options().getByRole('checkbox', { name: 'At a later time' }).check();
    await options()
      .getByLabel('Date and time')
      .fill(`${day}T${two(at.getHours())}:${two(at.getMinutes())}`);
    return at;
  }

  async function openDeletion(list: string, count: number): Promise<void> {
    await subject.open(list);
    await click('All that match');
    await page().getByRole('menuitem', { name: 'Delete all…' }).click();
    await page()
      .getByRole('status')
      .filter({ hasText: `${String(count)} of ${String(count)} will be deleted.` })
      .waitFor();
  }

  test('comes back unless it is confirmed: the bar counts down, and tells that it came back', async () => {
    const { city, list } = await withDids(2);
    await openDeletion(list, 2);
    await takeBack('30 min', { 'Numbers stopped': '5', 'Gateways lost': '1', 'Failed calls in %': '20' });
    expect(await faults(page())).toEqual([]);
    await click('Delete 2');
    await page().getByRole('status').filter({ hasText: '2 of 2 deleted.' }).waitFor();
    await page().getByRole('button', { name: 'Close', exact: true }).click();
    await bar().getByText('2 changes by admin').waitFor();
    await bar().getByText('Numbers stopped: 0 (limit 5) · Gateways down: 0 (limit 1)').waitFor();
    expect(await bar().getByRole('timer').innerText()).toMatch(/^(30:00|29:\d\d)$/);
    const waiting = await newest();
    expect(waiting).toMatchObject({
      state: 'UNCONFIRMED',
      confirmWithin: 1800,
      revertIf: { numbersStopped: 5, gatewaysLost: 1, failedCallsPercent: 20 },
    });
    expect(await didsIn(city)).toBe(0);
    await runSql(subject.url, 'UPDATE pending_changes SET due_on = 1 WHERE ref = ?', [waiting?.id ?? '']);
    await bar().getByText('2 changes by admin: reverted, not confirmed within 30 minutes').waitFor();
    expect(await didsIn(city)).toBe(2);
  });

  test('is made later, at a time that is entered, and is listed until then', async () => {
    const { city, list } = await withDids(1);
    await openDeletion(list, 1);
    await options().getByRole('checkbox', { name: 'At a later time' }).check();
    expect(await page().getByRole('button', { name: 'Delete 1' }).isDisabled()).toBe(true);
    const at = await tomorrow();
    expect(await faults(page())).toEqual([]);
    await click('Delete 1');
    await page().getByRole('status').filter({ hasText: 'Nothing is changed yet: it will be made on' }).waitFor();
    expect(await newest()).toMatchObject({ state: 'SCHEDULED', dueOn: at.toISOString(), confirmWithin: null });
    expect(await didsIn(city)).toBe(1);
    await page().getByRole('link', { name: 'Waiting changes' }).last().click();
    await page().getByRole('listitem').filter({ hasText: 'Scheduled' }).first().waitFor();
  });

  test('may be a replacement of a gateway, which comes back as a whole', async () => {
    const { city } = await withDids(3);
    const { data } = await subject.app.graphql<{ gateways: { nodes: readonly { ref: string }[] } }>(
      `{ gateways(where: { name: { eq: "Carrier of ${city}" } }) { nodes { ref } } }`,
    );
    const from = data.gateways.nodes[0]?.ref ?? '';
    const to = await createGateway(subject.app, { name: `Heir of ${city}` });
    await subject.open(`/replace-trunk/${from}`);
    await page().getByRole('combobox', { name: 'New gateway' }).fill(`Heir of ${city}`);
    await page()
      .getByRole('option', { name: `Heir of ${city}` })
      .click();
    await page()
      .getByRole('checkbox', { name: `Delete Carrier of ${city} after that` })
      .check();
    await takeBack('10 min');
    expect(await faults(page())).toEqual([]);
    await click('Move 3 numbers and delete');
    await page()
      .getByRole('status')
      .filter({ hasText: `3 DIDs moved to Heir of ${city}.` })
      .waitFor();
    await bar().getByText('4 changes by admin').waitFor();
    const carriers = async (): Promise<readonly unknown[]> => {
      const found = await subject.app.graphql<{ dids: { nodes: readonly { gateway: { ref: string } }[] } }>(
        `{ dids(where: { geoInfo: { city: { eq: "${city}" } } }) { nodes { gateway { ref } } } }`,
      );
      return found.data.dids.nodes.map(({ gateway }) => gateway.ref);
    };
    expect(await carriers()).toEqual([to, to, to]);
    await press('Revert now: 4 changes by admin');
    expect(await carriers()).toEqual([from, from, from]);
  });

  test('may be an import, whose preview shows the calls that change, and a revert', async () => {
    const { city, list } = await withDids(1);
    const { data } = await subject.app.graphql<{ dids: { nodes: readonly { ref: string }[] } }>(
      `{ dids(where: { geoInfo: { city: { eq: "${city}" } } }) { nodes { ref } } }`,
    );
    const ref = data.dids.nodes[0]?.ref ?? '';
    await subject.open('/import');
    await page().getByRole('main').getByRole('link', { name: 'Moving in' }).waitFor();
    const csv = `ref,aorLink\n${ref},sip:1003@sip.local\n`;
    await page()
      .getByLabel('choose a file')
      .setInputFiles({ name: 'dids.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const calls = page().getByRole('region', { name: 'Calls that change' });
    await calls.getByText('1 number does not ring, for another reason than now.').waitFor();
    await calls.getByText(/ → /).waitFor();
    await takeBack('10 min');
    expect(await faults(page())).toEqual([]);
    await click('Import 1');
    await page().getByRole('status').filter({ hasText: 'Imported.' }).waitFor();
    await press('Confirm 1 change by admin');

    await click('Undo');
    const dialog = page().getByRole('dialog');
    await dialog.getByText('This would change:').waitFor();
    await takeBack('5 min');
    expect(await faults(page())).toEqual([]);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await bar().getByText('1 change by admin').waitFor();
    await press('Confirm 1 change by admin');
    await subject.open(list);
    const aorLink = async (): Promise<unknown> => {
      const found = await subject.app.graphql<{ did: { aorLink: string } }>(`{ did(ref: "${ref}") { aorLink } }`);
      return found.data.did.aorLink;
    };
    expect(await aorLink()).not.toBe('sip:1003@sip.local');
  });

  /** Drops a file of DIDs on the page for imports, and waits for its dry run. */
  async function drop(rows: readonly string[]): Promise<void> {
    const buffer = Buffer.from(['telUrl,aorLink,gatewayRef,city', ...rows].join('\n'));
    await page().getByLabel('choose a file').setInputFiles({ name: 'dids.csv', mimeType: 'text/csv', buffer });
    await page()
      .getByRole('button', { name: `Import ${rows.length.toLocaleString('en')}`, exact: true })
      .waitFor({ timeout: 60_000 });
  }

  const rowsIn = (city: string, gateway: string, count: number, prefix = '+4155'): readonly string[] =>
    Array.from(
      { length: count },
      (_, n) => `tel:${prefix}${String(n).padStart(6, '0')},1@sip.local,${gateway},${city}`,
    );

  test('cannot be made later if it is an import in parts, whatever was entered for an earlier file', async () => {
    const city = 'A city with a very long name '.repeat(3).padEnd(100, '.');
    const rows = rowsIn(city, await createGateway(subject.app), 1600);
    await subject.open('/import');
    await drop(rows.slice(0, 1));
    await takeBack('10 min');
    await options().getByRole('checkbox', { name: 'At a later time' }).check();
    expect(await page().getByRole('button', { name: 'Import 1' }).isDisabled()).toBe(true);
    const before = await newest();
    await drop(rows);
    await page()
      .getByText(/is imported in 2 parts/)
      .waitFor();
    await options()
      .getByText(/cannot be imported at a later time, because it is too large for one request: its 2 parts/)
      .waitFor();
    const later = options().getByRole('checkbox', { name: 'At a later time' });
    expect([await later.isChecked(), await later.isDisabled()]).toEqual([false, true]);
    await options().getByRole('checkbox', { name: 'Take it back unless I confirm within' }).uncheck();
    await click('Import 1,600');
    await page().getByRole('status').filter({ hasText: 'Imported.' }).waitFor({ timeout: 60_000 });
    expect(await didsIn(city)).toBe(1600);
    expect(await newest()).toEqual(before);
  }, 240_000);

  test('waits as a whole if it is an import that the server accepts in parts only', async () => {
    const city = 'Parted';
    await subject.open('/import');
    await drop(rowsIn(city, await createGateway(subject.app), 2, '+4156'));
    await takeBack('10 min');
    const error = { message: 'Too large', extensions: { code: 'BAD_USER_INPUT', fields: ['body'] } };
    const isTooLarge = (body: string): boolean =>
      body.includes('mutation Csv') && ['tel:+4156000000', 'tel:+4156000001'].every((each) => body.includes(each));
    await page().route('**/graphql', (route) =>
      isTooLarge(route.request().postData() ?? '') ? route.fulfill({ json: { errors: [error] } }) : route.continue(),
    );
    await click('Import 2');
    await page().getByRole('status').filter({ hasText: 'Imported.' }).waitFor();
    await page().unrouteAll();
    expect(await didsIn(city)).toBe(2);
    const waiting = await newest();
    expect(waiting).toMatchObject({ state: 'UNCONFIRMED', confirmWithin: 600 });
    await runSql(subject.url, 'UPDATE pending_changes SET due_on = 1 WHERE ref = ?', [waiting?.id ?? '']);
    await eventually(10, async () => expect(await didsIn(city)).toBe(0));
  });

  test('tells why it cannot wait, and changes nothing', async () => {
    const { list, city } = await withDids(1);
    await openDeletion(list, 1);
    await takeBack('5 min', { 'Failed calls in %': '101' });
    await click('Delete 1');
    await page().getByRole('alert').filter({ hasText: '101 is not a number from 1 to 100' }).waitFor();
    await options().getByLabel('Failed calls in %').fill('50');
    await click('Delete 1');
    await page().getByRole('status').filter({ hasText: '1 of 1 deleted.' }).waitFor();
    const waiting = await newest();
    await eventually(5, async () => expect(await didsIn(city)).toBe(0));
    await subject.app.graphql('mutation ($id: String!) { confirmChanges(id: $id) { id } }', { id: waiting?.id });
  });
});
