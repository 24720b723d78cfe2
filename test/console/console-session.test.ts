import type { Browser, BrowserContext, Page } from 'playwright-core';

import { fetchToken, startApp, type TestApp } from '../support/app';
import { fillSignIn, launchBrowser, openPage } from '../support/browser/browser';
import { fillField, openConsole, show } from '../support/browser/console';
import { eventually } from '../support/eventually';
import { describeWith } from '../support/runner/programs';
import { freePort } from '../support/databases/servers';
import { createSqliteDatabase } from '../support/databases/sqlite-database';

const MARK = 'window.notReloaded';

describeWith(['chromium'], 'Sessions of the console', () => {
  let app: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
    browser = await launchBrowser();
  });

  afterEach(() => context.close());

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  async function open(
    subject: TestApp,
    path: string,
    user: { username?: string; secret?: string } = {},
  ): Promise<void> {
    ({ page } = await openConsole(browser, subject, path, user));
    context = page.context();
    await page.evaluate(`${MARK} = true`);
  }

  /** Sends an operation as the admin, with a new token: tests end the sessions of the admin. */
  async function asAdmin(query: string, variables: object = {}): Promise<unknown> {
    const token = await fetchToken(app.url, 'admin', app.adminSecret);
    return (await app.graphql(query, { ...variables }, { token })).data;
  }

  const endSessions = (): Promise<unknown> => asAdmin('mutation { endAllSessions }');

  async function createGateway(subject: TestApp, token: string, name: string): Promise<void> {
    const { errors } = await subject.graphql(
      'mutation ($name: String!) { createGateway(input: { name: $name, host: "late.test", transport: UDP }) { ref } }',
      { name },
      { token },
    );
    expect(errors).toBeUndefined();
  }

  test('the cursor is in the name, a wrong secret is reported, and the right one opens the page of the address', async () => {
    context = await browser.newContext();
    ({ page } = await openPage(context, `${app.url}/console/agents`));
    const name = page.getByLabel('Name');
    await name.and(page.locator(':focus')).waitFor();
    expect(await name.inputValue()).toBe('');
    await fillSignIn(page, 'not the secret');
    await page.getByRole('alert').getByText('The name or the secret is wrong').waitFor();
    await fillSignIn(page, app.adminSecret);
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
  });

  const signOut = async (from: Page): Promise<void> => {
    await from.getByRole('button', { name: 'Account: admin' }).click();
    await from.getByRole('menuitem', { name: 'Logout' }).or(from.getByText('Sign out')).click();
    await from.getByRole('button', { name: 'Sign in' }).waitFor();
  };

  /** Opens another tab of the same browser. */
  const openTab = async (path = '/gateways'): Promise<Page> =>
    (await openPage(context, `${app.url}/console${path}`)).page;

  const showsGateways = (of: Page): Promise<void> => of.getByRole('link', { name: 'SP 001' }).waitFor();

  /** Signs in in a new browser, in one tab only. */
  const openOnlyHere = async (): Promise<void> => {
    context = await browser.newContext();
    page = await openTab();
    await page.getByLabel('Only in this tab').check();
    await fillSignIn(page, app.adminSecret);
    await showsGateways(page);
  };

  test('a new tab is signed in, without the sign-in form, and no page can read the token', async () => {
    await open(app, '/gateways');
    await context.addInitScript(`
      new MutationObserver(() => {
        if (document.querySelector('input[name=secret]')) window.formWasShown = true;
      }).observe(document, { childList: true, subtree: true });
    `);
    const tab = await openTab();
    await showsGateways(tab);
    expect(await tab.evaluate('window.formWasShown === undefined')).toBe(true);
    await tab.reload();
    await showsGateways(tab);
    expect(await tab.evaluate('window.formWasShown === undefined')).toBe(true);
    const [cookie, ...others] = await context.cookies(`${app.url}/graphql`);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: false, path: '/graphql' });
    expect((cookie?.expires ?? 0) * 1000).toBeGreaterThan(Date.now());
    expect(await context.cookies(`${app.url}/console`)).toEqual([]);
    const readable = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
    expect(await tab.evaluate(readable)).not.toContain(cookie?.value);
  });

  test('signing out in one tab ends the session in all tabs and on the server, and signing in again begins it', async () => {
    await open(app, '/gateways');
    const [tab, form] = [await openTab('/agents'), await openTab('/gateways/create')];
    await tab.getByRole('heading', { name: 'Agents' }).waitFor();
    await fillField(form, 'Name', 'Unsaved');
    const [cookie] = await context.cookies(`${app.url}/graphql`);
    const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await signOut(page);
    expect((await ended).status()).toBe(200);
    for (const each of [tab, form]) await each.getByRole('heading', { name: 'Sign in to sipgraph' }).waitFor();
    expect(await context.cookies(`${app.url}/graphql`)).toEqual([]);
    const { errors } = await app.graphql('{ viewer { username } }', {}, { token: cookie?.value });
    expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    await fillSignIn(tab, app.adminSecret);
    await showsGateways(page);
  });

  test('when the session has ended, all tabs ask to sign in again, and one answer is enough for all', async () => {
    await open(app, '/gateways');
    const form = await openTab('/gateways/create');
    await fillField(form, 'Name', 'Unsaved');
    await endSessions();
    for (const each of [page, form]) await each.getByRole('heading', { name: 'Sign in again' }).waitFor();
    const fresh = await openTab();
    await fresh.getByRole('heading', { name: 'Sign in to sipgraph' }).waitFor();
    await fillSignIn(fresh, app.adminSecret);
    await showsGateways(fresh);
    for (const each of [page, form]) await each.getByRole('dialog').waitFor({ state: 'detached' });
    const name = form.getByLabel('Name', { exact: true }).or(form.getByLabel('Name *', { exact: true }));
    expect(await name.first().inputValue()).toBe('Unsaved');
    expect(await page.evaluate(MARK)).toBe(true);
    expect(await context.cookies(`${app.url}/graphql`)).toHaveLength(1);
  });

  test('a session for one tab has no cookie, lasts until the tab is closed, and no other tab ends it', async () => {
    await openOnlyHere();
    expect(await context.cookies()).toEqual([]);
    await page.reload();
    await showsGateways(page);
    const tab = await openTab();
    await fillSignIn(tab, app.adminSecret);
    await showsGateways(tab);
    await signOut(tab);
    await page.getByRole('link', { name: 'SP 001' }).click();
    await page.getByRole('heading', { name: 'Gateway SP 001' }).waitFor();
    await signOut(page);
  });

  test('another user who signs in in another tab takes over every tab that shares the session', async () => {
    const user = { username: 'successor', secret: 'the secret of a successor' };
    await asAdmin('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
      input: { ...user, role: 'VIEWER' },
    });
    await open(app, '/gateways');
    const tab = await openTab();
    await showsGateways(tab);
    await signOut(tab);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await fillSignIn(tab, user.secret, user.username);
    for (const each of [tab, page]) await each.getByRole('button', { name: 'Account: successor' }).waitFor();
  });

  test('when the token expires, the page asks to sign in again, and a new tab shows the sign-in form', async () => {
    const brief = await startApp({ SAMPLE_DATA: 'true', TOKEN_TTL: '10s' });
    context = await browser.newContext();
    ({ page } = await openPage(context, `${brief.url}/console/gateways`));
    await fillSignIn(page, brief.adminSecret);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    const { page: tab } = await openPage(context, `${brief.url}/console`);
    await tab.getByRole('heading', { name: 'Sign in to sipgraph' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await brief.close();
  });

  test('servers on two ports of a host have a session each', async () => {
    const other = await startApp();
    await open(app, '/gateways');
    const { page: tab } = await openPage(context, `${other.url}/console`);
    await fillSignIn(tab, other.adminSecret);
    await tab.getByRole('menuitem', { name: 'Gateways' }).waitFor();
    await page.reload();
    await showsGateways(page);
    await signOut(tab);
    await page.reload();
    await showsGateways(page);
    await other.close();
  });

  test('the playground shares the session of the browser, and signing out there ends it for the console', async () => {
    await open(app, '/gateways');
    const { page: playground } = await openPage(context, `${app.url}/playground`);
    await playground.getByText('Signed in as').waitFor();
    await playground.getByRole('button', { name: /Execute query/ }).click();
    await playground.locator('.graphiql-response').getByText('SP 001').first().waitFor();
    await playground.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to sipgraph' }).waitFor();
    await fillSignIn(page, app.adminSecret);
    await playground.getByText('Signed in as').waitFor();
  });

  test('signing out in the console forgets the documents of the playground, and what was searched and filtered', async () => {
    await open(app, '/gateways');
    const { page: playground } = await openPage(context, `${app.url}/playground`);
    await playground.getByText('Signed in as').waitFor();
    await playground.locator('.graphiql-query-editor .view-lines').click();
    await playground.keyboard.press('ControlOrMeta+A');
    await playground.keyboard.insertText('# the-secret');
    await page.bringToFront();
    await page.getByLabel('Search').fill('the-secret');
    await page.waitForURL(/the-secret/);
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox').fill('John Doe');
    await page
      .getByRole('option', { name: /John Doe\s*Agent/ })
      .first()
      .click();
    await page.waitForURL(/agents/);
    const kept = (): Promise<string> => page.evaluate('JSON.stringify(localStorage)');
    await eventually(20, async () => expect((await kept()).split('the-secret').length).toBeGreaterThan(2));
    expect(await kept()).toContain('John Doe');
    await signOut(page);
    await playground.locator('.graphiql-query-editor').getByText('DidResolvesItsGateway').first().waitFor();
    expect(await kept()).not.toMatch(/the-secret|John Doe/);
  });

  test('the playground of the same tab shares a session for one tab, and signing out ends it on the server', async () => {
    await openOnlyHere();
    const token = await page.evaluate<string>('JSON.parse(sessionStorage["sipgraph-session"]).token');
    await page.goto(`${app.url}/playground`);
    await page.getByText('Signed in as').waitFor();
    await page.goto(`${app.url}/console/gateways`);
    const ended = page.waitForResponse((response) => response.request().postData()?.includes('endSession') === true);
    await signOut(page);
    expect(await (await ended).json()).not.toHaveProperty('errors');
    const { errors } = await app.graphql('{ viewer { username } }', {}, { token });
    expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    await fillSignIn(page, app.adminSecret);
    await page.getByRole('heading', { name: 'Gateways' }).waitFor();
  });

  test('when the token has ended, the page asks to sign in again, and goes on without a reload', async () => {
    await open(app, '/gateways');
    await page.getByRole('link', { name: 'SP 001' }).waitFor();
    await endSessions();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Secret').fill(app.adminSecret);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'SP 001' }).click();
    await page.getByRole('heading', { name: 'Gateway SP 001' }).waitFor();
    await page.goBack();
    await createGateway(app, await fetchToken(app.url, 'admin', app.adminSecret), 'After the token');
    await page.getByRole('link', { name: 'After the token' }).waitFor();
    expect(await page.evaluate(MARK)).toBe(true);
  });

  test('what a user left unsaved is not saved by another user who signs in instead', async () => {
    const user = { username: 'other', secret: 'the secret of another' };
    await asAdmin('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
      input: { ...user, role: 'OPERATOR' },
    });
    await open(app, '/gateways/create');
    for (const [label, value] of [
      ['Name', 'Unsaved'],
      ['Host', 'unsaved.test'],
      ['Transport', 'UDP'],
    ] as const)
      await fillField(page, label, value);
    await endSessions();
    // The page may ask to sign in before the click, because the server has closed its subscription. It hides the rest then.
    await page.getByRole('button', { name: 'Save', includeHidden: true }).dispatchEvent('click');
    const dialog = page.getByRole('dialog');
    const signInAs = async (): Promise<void> => {
      await dialog.getByLabel('Name').fill(user.username);
      await dialog.getByLabel('Secret').fill(user.secret);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
    };
    // The browser asks whether to leave the form.
    const refused = new Promise<void>((resolve) => {
      page.once('dialog', (question) => void question.dismiss().then(resolve));
    });
    await dialog.getByLabel('Secret').waitFor();
    await signInAs();
    await refused;
    await page.waitForTimeout(500);
    expect(await dialog.count()).toBe(1);
    page.once('dialog', (question) => void question.accept());
    await signInAs();
    await page.getByRole('button', { name: 'Account: other' }).waitFor();
    expect(await asAdmin('{ gateways(where: { name: { eq: "Unsaved" } }) { totalCount } }')).toEqual({
      gateways: { totalCount: 0 },
    });
  });

  test('the page follows changes again after a restart of the server, without a reload', async () => {
    const database = await createSqliteDatabase();
    const env = { PORT: String(await freePort()), DATABASE_URL: database.url, SAMPLE_DATA: 'true' };
    const before = await startApp(env);
    await open(before, '/gateways');
    await page.getByRole('link', { name: 'SP 001' }).waitFor();
    await before.close();
    // Its file is not loaded yet.
    await page.getByRole('menuitem', { name: 'Number health' }).click();
    await page.waitForTimeout(500);
    const after = await startApp(env);
    await page.getByRole('heading', { name: 'Number health' }).waitFor();
    await page.goBack();
    await createGateway(after, await after.token(), 'After the restart');
    await page.getByRole('link', { name: 'After the restart' }).waitFor();
    expect(await page.evaluate(MARK)).toBe(true);
    await after.close();
    await database.drop();
  });

  test('a viewer is offered no changes, and the server refuses them', async () => {
    const secret = 'the secret of a viewer';
    await asAdmin(
      'mutation ($secret: String!) { createUser(input: { username: "watcher", secret: $secret, role: VIEWER }) { ref } }',
      { secret },
    );
    await open(app, '/gateways', { username: 'watcher', secret });
    await page.getByRole('link', { name: 'SP 001' }).click();
    await page.getByRole('heading', { name: 'Gateway SP 001' }).waitFor();
    for (const name of ['Create', 'Edit', 'Delete'])
      expect(await page.getByRole('link', { name }).or(page.getByRole('button', { name })).count()).toBe(0);
    await page.goto(`${app.url}/console/gateways/create`);
    await page.getByRole('heading', { name: 'Gateways' }).or(page.getByText('There is no page')).first().waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
    await show(page, '/import');
    await page.getByText('Your role does not allow this page.').first().waitFor();
  });

  describe('a user whose role was lowered is no longer offered what the server refuses', () => {
    const openAsFormerOperator = async (username: string): Promise<() => Promise<unknown>> => {
      const secret = 'the secret of a former operator';
      const { createUser } = (await asAdmin(
        `mutation ($username: String!, $secret: String!) {
           createUser(input: { username: $username, secret: $secret, role: OPERATOR }) { ref }
         }`,
        { username, secret },
      )) as { createUser: { ref: string } };
      await open(app, '/gateways', { username, secret });
      return () => asAdmin('mutation ($ref: String!) { setUserRole(ref: $ref, role: VIEWER) { ref } }', createUser);
    };

    const expectViewer = async (username: string): Promise<void> => {
      await page.getByRole('button', { name: 'Delete' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: `Account: ${username}` }).click();
      await page.getByText('Role: viewer').waitFor();
    };

    test('as soon as the server closes the connection of its subscriptions', async () => {
      const lowerRole = await openAsFormerOperator('former');
      await page.getByRole('link', { name: 'SP 001' }).click();
      await page.getByRole('button', { name: 'Delete' }).waitFor();
      await lowerRole();
      await expectViewer('former');
    });

    test('when the server refuses a change, without subscriptions', async () => {
      const lowerRole = await openAsFormerOperator('without-subscriptions');
      await page.routeWebSocket(/graphql/, () => undefined);
      await page.goto(`${app.url}/console/gateways`);
      await page.getByRole('link', { name: 'Office PRI' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
      await confirm.waitFor();
      await lowerRole();
      await confirm.click();
      await expectViewer('without-subscriptions');
    });
  });

  test('without introspection (DISCOVERY=off), the kinds have their pages all the same', async () => {
    const closed = await startApp({ SAMPLE_DATA: 'true', DISCOVERY: 'off' });
    await open(closed, '/dids');
    await page.getByRole('link', { name: '0000000000' }).click();
    await page.getByRole('link', { name: 'SP 001' }).first().waitFor();
    await closed.close();
  });
});
