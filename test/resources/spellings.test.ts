import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stringify } from 'csv-stringify/sync';

import { faults } from '../support/browser/accessibility';
import { startApp, type TestApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { fillField, withConsole } from '../support/browser/console';
import { eventually } from '../support/eventually';
import { createDid, createGateway } from '../support/factories';
import { onEachDatabase } from '../support/databases/on-each-database';
import { describeWith } from '../support/runner/programs';
import { ADDRESSES, SPELLINGS } from '../support/spellings';

interface Explained {
  readonly explainNumber: { readonly state: string; readonly digits: string; readonly steps: readonly object[] };
}

const EXPLAIN = `query ($telUrl: String!) { explainNumber(telUrl: $telUrl) {
  state digits steps { ... on NumberStep { number { ... on DID { telUrl } ... on Number { telUrl } } } }
} }`;

onEachDatabase('Numbers as people write them', (subject) => {
  const apps = new Map<string, TestApp>();
  let gateway = '';

  beforeAll(async () => {
    const { app, url } = subject();
    apps.set('', app);
    for (const home of ['DE', 'US']) apps.set(home, await startApp({ DATABASE_URL: url, HOME_COUNTRY: home }));
    gateway = await createGateway(app);
  });

  afterAll(async () => {
    await Promise.all(['DE', 'US'].map(async (home) => apps.get(home)?.close()));
  });

  const inCountry = (home: string): TestApp => apps.get(home) ?? subject().app;
  const explain = async (written: string, home: string): Promise<Explained['explainNumber']> =>
    (await inCountry(home).graphql<Explained>(EXPLAIN, { telUrl: written })).data.explainNumber;
  const csvOf = (telUrl: string, aorLink: string): string =>
    stringify([
      ['telUrl', 'aorLink', 'gwRef'],
      [telUrl, aorLink, gateway],
    ]);
  /** Imports a row, returns what it created, and reverts the import. */
  const imported = async (home: string, csv: string): Promise<object | undefined> => {
    const app = inCountry(home);
    const { data, errors } = await app.graphql<{ imported: { request: string; rows: { ref: string }[] } }>(
      'mutation ($csv: String!) { imported: importNumbers(csv: $csv) { request rows { ref errors { message } } } }',
      { csv },
    );
    if (errors) throw new Error(JSON.stringify(errors));
    const { request, rows } = data.imported;
    const { data: read } = await app.graphql<{ number: object }>(
      'query ($ref: String!) { number(ref: $ref) { telUrl aorLink } }',
      { ref: rows[0]?.ref },
    );
    await app.graphql('mutation ($id: String!) { revertRequest(id: $id) { event } }', { id: request });
    return read.number;
  };

  test.each(SPELLINGS)(
    '%j in %j is %s: CSV imports it so, and explainNumber finds it',
    async (written, home, telUrl) => {
      expect(await imported(home, csvOf(written, 'sip:1001@sip.local'))).toMatchObject({ telUrl });
      const ref = await createDid(subject().app, { telUrl, gatewayRef: gateway });
      expect((await explain(written, home)).steps[0]).toEqual({ number: { telUrl } });
      await subject().app.graphql('mutation ($ref: String!) { deleteDID(ref: $ref) }', { ref });
      expect(await explain(written, home)).toMatchObject({ state: 'MISSING' });
    },
  );

  test.each(ADDRESSES)('%j is %s in a CSV file, and the same address for explainAddress', async (written, aorLink) => {
    expect(await imported('', csvOf('tel:+99977', written))).toEqual({ telUrl: 'tel:+99977', aorLink });
    const { data } = await subject().app.graphql(
      'query ($aor: String!) { explainAddress(addressOfRecord: $aor) { addressOfRecord } }',
      { aor: written },
    );
    expect(data).toEqual({ explainAddress: { addressOfRecord: 'sip:1001@sip.local' } });
  });

  test('a number that is stored as it was written is found before the one that it means', async () => {
    const { app } = subject();
    await createDid(app, { telUrl: 'tel:+49307654321', gatewayRef: gateway });
    expect((await explain('030 7654321', 'DE')).steps[0]).toEqual({ number: { telUrl: 'tel:+49307654321' } });
    await createDid(app, { telUrl: 'tel:0307654321', gatewayRef: gateway });
    expect((await explain('030 7654321', 'DE')).steps[0]).toEqual({ number: { telUrl: 'tel:0307654321' } });
    await createDid(app, { telUrl: 'tel:030-7654321', gatewayRef: gateway });
    for (const telUrl of ['tel:030-7654321', 'tel:0307654321'])
      expect((await explain(telUrl, 'DE')).steps[0]).toEqual({ number: { telUrl } });
  });

  test('one number in two spellings is a duplicate within a CSV file', async () => {
    const csv = stringify([
      ['telUrl', 'aorLink', 'gwRef'],
      ['0049 30 555001', '1001@sip.local', gateway],
      ['+49 30 555-001', '1001@sip.local', gateway],
    ]);
    const { data } = await subject().app.graphql(
      'mutation ($csv: String!) { importNumbers(csv: $csv) { rows(outcomes: [FAILED]) { line errors { message } } } }',
      { csv },
    );
    expect(data).toEqual({
      importNumbers: { rows: [{ line: 3, errors: [{ message: 'duplicates an earlier row' }] }] },
    });
  });

  test.each(['anna', '10.0.0.1', '4.93012E+11', '+', '+49 30 123456 ext. 7', '1'.repeat(60_000), ' -'.repeat(30_000)])(
    'what is no number, such as %.30j, is refused as it is',
    async (written) => {
      const { data, errors } = await subject().app.graphql<{ importNumbers: { rows: { errors: object[] }[] } }>(
        'mutation ($csv: String!) { importNumbers(csv: $csv) { rows { errors { field message } } } }',
        { csv: csvOf(written, 'sip:1001@sip.local') },
      );
      expect(errors).toBeUndefined();
      expect(data.importNumbers.rows[0]?.errors).toEqual([
        { field: 'telUrl', message: expect.stringContaining(written.slice(0, 10).trim()) as string },
      ]);
    },
  );

  test.each([
    [
      'mutation ($v: String!) { createDID(input: { telUrl: $v, aorLink: "sip:a@b.test", gatewayRef: "x" }) { ref } }',
      '+49 30 1',
    ],
    [
      'mutation ($v: String!) { createDID(input: { telUrl: "tel:+1", aorLink: $v, gatewayRef: "x" }) { ref } }',
      '1001@sip.local',
    ],
  ])('the inputs of the graph require URIs: %s refuses %j', async (mutation, v) => {
    const { errors } = await inCountry('DE').graphql(mutation, { v });
    expect(errors?.[0]).toMatchObject({ message: expect.stringContaining(`"${v}" is not a`) as string });
  });

  test('the home country is part of systemInfo in the graph, and not of the REST document', async () => {
    for (const home of ['', 'DE']) {
      const app = inCountry(home);
      expect((await app.graphql('{ systemInfo { homeCountry } }')).data).toEqual({
        systemInfo: { homeCountry: home === '' ? null : home },
      });
      const { body } = await app.rest('GET', '/system/info');
      expect(JSON.stringify(body)).not.toContain('homeCountry');
    }
    await expect(startApp({ DATABASE_URL: subject().url, HOME_COUNTRY: 'Germany' })).rejects.toThrow(
      'HOME_COUNTRY: "Germany" is not the code of a country (ISO 3166-1), such as DE or US',
    );
  });

  test('the command line imports them by the rules of the same setting', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sipgraph-spellings-')), 'numbers.csv');
    writeFileSync(file, csvOf('030 9876543', ' 1001@sip.local'));
    const { code, err } = await runCommand({ DATABASE_URL: subject().url, HOME_COUNTRY: 'DE' }, 'import-numbers', file);
    expect([code, err]).toEqual([0, '']);
    expect(readFileSync(`${file}.report.csv`, 'utf8')).toContain('2,tel:+49309876543,new,');
    expect((await explain('0049 30 9876543', '')).steps[0]).toEqual({ number: { telUrl: 'tel:+49309876543' } });
  });
});

describeWith(['chromium'], 'In the console with a home country', () => {
  const subject = withConsole((url) => startApp({ DATABASE_URL: url, HOME_COUNTRY: 'DE' }));
  const { open } = subject;

  beforeAll(async () => {
    for (const telUrl of ['tel:+49301234567', 'tel:+17066041500'])
      await createDid(subject.app, { telUrl, gatewayRef: subject.gateways['Open'], aorLink: 'sip:anna@one.test' });
  });

  test.each([
    ['0049 30 1234567', '+49301234567'],
    ['030/1234567', '+49301234567'],
    ['＋４９ ３０ １２３４５６７', '+49301234567'],
    ['\u202A+1 (706) 604.1500\u202C', '+17066041500'],
  ])('the search for %j explains %s', async (written, number) => {
    await open(`?q=${encodeURIComponent(written)}`);
    const { page } = subject.opened;
    await page.getByText('This number rings').waitFor();
    await page.getByRole('link', { name: `Open ${number}` }).waitFor();
  });

  test.each([
    ['dids', '030 12345', ['+49301234567']],
    ['dids', '(706) 604', ['+17066041500']],
    ['gateways', 'Open', ['Open']],
  ])('the search of the list %s for %j finds %p', async (list, written, found) => {
    await open(`/${list}`);
    const { page } = subject.opened;
    await page.getByLabel('Search').fill(written);
    const links = page.locator('tbody tr td:nth-child(2)').getByRole('link');
    await eventually(10, async () => expect(await links.allTextContents()).toEqual(found));
  });

  test('a number is shown in groups, and copied in the form of E.164', async () => {
    await open('/dids');
    const { page } = subject.opened;
    const link = page.getByRole('link', { name: '+49301234567' });
    const groups = link.locator('span > span');
    await eventually(10, async () => expect(await groups.allInnerTexts()).toEqual(['+49', '30', '1234567']));
    const [one, two] = await Promise.all([groups.nth(0).boundingBox(), groups.nth(1).boundingBox()]);
    expect((two?.x ?? 0) - (one?.x ?? 0) - (one?.width ?? 0)).toBeGreaterThan(2);
    const selected = await page.evaluate(`(() => {
      const link = [...document.querySelectorAll('tbody a')].find(({ textContent }) => textContent === '+49301234567');
      getSelection().selectAllChildren(link);
      return getSelection().toString();
    })()`);
    expect(selected).toBe('+49301234567');
  });

  test('what does not exist is told apart from what does not ring, after what contains it', async () => {
    await open('?q=0049%2030%20123');
    const { page } = subject.opened;
    const told = page.getByRole('status').filter({ hasText: 'This number does not exist' });
    await told.getByText('no DID or Number 4930123').waitFor();
    const match = page.getByRole('listitem').getByRole('link', { name: '+49301234567' });
    await match.waitFor();
    expect((await match.boundingBox())?.y ?? Infinity).toBeLessThan((await told.boundingBox())?.y ?? 0);
    await open('?q=anan%40one.test');
    await page.getByText('This address does not exist').waitFor();
    await open('?q=ben%40one.test');
    await page.getByText('This address does not ring').waitFor();
    expect(await page.getByText('does not exist').count()).toBe(0);
  });

  test('a form takes any spelling, shows what it becomes, and offers agents and peers to call', async () => {
    await open(`/dids/create`);
    const { page } = subject.opened;
    await fillField(page, 'Number', '(030) 765 43-21');
    await page.getByRole('combobox', { name: 'Address of record' }).fill('ann');
    await eventually(10, async () =>
      expect(await page.getByRole('textbox', { name: 'Number', exact: true }).inputValue()).toBe('tel:+49307654321'),
    );
    await page.getByRole('option', { name: /anna@one.test/ }).click();
    expect(await page.getByRole('combobox', { name: 'Address of record' }).inputValue()).toBe('sip:anna@one.test');
    await fillField(page, 'Gateway', 'Open');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'DID +49307654321' }).waitFor();
    const { data } = await subject.app.graphql(
      '{ dids(where: { telUrl: { eq: "tel:+49307654321" } }) { nodes { aorLink } } }',
    );
    expect(data).toEqual({ dids: { nodes: [{ aorLink: 'sip:anna@one.test' }] } });
  });

  test('a form marks what is required, and shows all errors at once, as sentences', async () => {
    await open('/dids/create');
    const { page } = subject.opened;
    const marked = '[...document.querySelectorAll("input:required")].map((input) => input.labels[0].textContent)';
    const save = page.getByRole('button', { name: 'Save' });
    await save.waitFor();
    expect(await page.evaluate(marked)).toEqual(
      ['Number', 'Gateway', 'Address of record'].map((name) => expect.stringMatching(`^${name}\\s\\*$`) as string),
    );
    const told = async (...messages: readonly string[]): Promise<void> => {
      for (const message of messages) await page.getByText(message, { exact: true }).waitFor();
    };
    await told('No: calls to the number do not ring. By default, yes.');
    await save.click();
    await told('Enter an address of record.', 'Choose a gateway.', 'Enter a number.');
    await fillField(page, 'Gateway', 'Open');
    await fillField(page, 'Number', 'no number');
    await fillField(page, 'Address of record', 'nonsense');
    await save.click();
    await told(
      'Enter a telephone number, such as +49 30 1234567.',
      'Enter an address of record, such as 1001@sip.local.',
    );
    expect(await faults(page)).toEqual([]);
  });
});
