import { readFile } from 'node:fs/promises';

import { buildSchema, Kind, OperationTypeNode, parse, print, validate } from 'graphql';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

import { examplesOf, SAMPLE } from '../../web/playground/examples';
import { fetchToken, startApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { DESKTOP, PHONE, fillSignIn, launchBrowser, openPage } from '../support/browser/browser';
import { createDid, createDomain, createGateway, createNumber } from '../support/factories';
import { describeWith } from '../support/runner/programs';

describeWith(['chromium'], 'The playground', () => {
  let app: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let elsewhere: string[];

  beforeAll(async () => {
    app = await startApp({ SAMPLE_DATA: 'true' });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  beforeEach(async () => {
    context = await browser.newContext({ viewport: DESKTOP });
    page = await open();
  });

  afterEach(() => context.close());

  async function open(): Promise<Page> {
    const opened = await openPage(context, `${app.url}/playground`);
    ({ complaints, elsewhere } = opened);
    return opened.page;
  }

  /** Opens an operation of the documentation of the REST API once its example has the text, and lets the reader try it. */
  async function tryOut(kind: string, text: string): Promise<Locator> {
    const operation = page.locator(`[id$="-create${kind}"]`);
    await operation.getByRole('button').first().click();
    await operation.locator('.opblock-body').getByText(text).first().waitFor();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    return operation;
  }

  const signIn = (secret = app.adminSecret): Promise<void> => fillSignIn(page, secret);

  async function signedIn(): Promise<void> {
    await signIn();
    await page.getByText('Signed in as').waitFor();
  }

  /** Runs the document of the open tab when the editor shows it, and waits until the result contains the text. */
  async function run(operation: string, text: string): Promise<void> {
    await execute(operation, page.locator('.result-window').getByText(text));
  }

  /** Starts the subscription of the examples. */
  async function watch(): Promise<void> {
    await page.getByRole('tab', { name: 'WatchResources' }).click();
    await execute('WatchResources', page.getByRole('button', { name: /stop query/i }));
  }

  async function execute(operation: string, shown: Locator): Promise<void> {
    await page.locator('.graphiql-query-editor').getByText(operation).first().waitFor();
    // Just after a tab is selected, GraphiQL may still send the operation name of the previous tab.
    for (let attempt = 0; attempt < 5 && !(await shown.isVisible()); attempt++) {
      await page.getByRole('button', { name: /execute query/i }).click();
      await shown.waitFor({ timeout: 2000 }).catch(() => undefined);
    }
    await shown.waitFor();
  }

  test('signs in, runs the first example, and shows the gateway of a DID, without requests to other servers', async () => {
    await signedIn();
    await run('DidResolvesItsGateway', '"SP 001"');
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('reports a wrong secret', async () => {
    await signIn('not the secret');
    await page.getByText('The name or the secret is wrong').waitFor();
    expect(await page.getByText('Signed in as').count()).toBe(0);
  });

  describe.each([PHONE, DESKTOP])('on a screen of $width x $height', (viewport) => {
    const isPhone = viewport === PHONE;

    beforeEach(() => page.setViewportSize(viewport));

    /** Selects a pane, if only one is shown. */
    async function choose(pane: string): Promise<void> {
      const panes = page.getByRole('group', { name: 'Show' });
      if (isPhone) await panes.getByRole('button', { name: pane }).click();
      else expect(await panes.isVisible()).toBe(false);
    }

    async function shows(...panes: readonly string[]): Promise<void> {
      const all = ['.graphiql-editors', '.graphiql-response', '.graphiql-plugin'];
      const seen = await Promise.all(
        all.map(async (pane) => {
          const box = await page.locator(pane).boundingBox();
          return box && box.x >= 0 && box.x + box.width <= viewport.width + 1 && box.height > 300 ? pane : [];
        }),
      );
      expect(seen.flat()).toEqual(panes);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    }

    test('shows all panes that fit, without horizontal scrolling', async () => {
      await page.locator('.graphiql-query-editor').getByText('DidResolvesItsGateway').first().waitFor();
      await shows('.graphiql-editors', ...(isPhone ? [] : ['.graphiql-response']));
      await signedIn();
      await run('DidResolvesItsGateway', '"SP 001"');
      await shows(...(isPhone ? [] : ['.graphiql-editors']), '.graphiql-response');
      await choose('Docs');
      if (!isPhone) await page.getByRole('button', { name: /show documentation explorer/i }).click();
      await page.getByRole('link', { name: 'Query', exact: true }).waitFor();
      await shows(...(isPhone ? [] : ['.graphiql-editors', '.graphiql-response']), '.graphiql-plugin');
      await page.getByRole('button', { name: /settings/i }).click();
      const dark = await page.getByRole('button', { name: 'Dark' }).boundingBox();
      expect((dark?.x ?? NaN) + (dark?.width ?? NaN)).toBeLessThan(viewport.width);
    });

    test('focuses the secret, and runs the rejected document again after sign-in', async () => {
      const focused = 'document.activeElement.name';
      expect(await page.evaluate(focused)).toBe('secret');
      await run('DidResolvesItsGateway', '"UNAUTHENTICATED"');
      await signedIn();
      await page.locator('.result-window').getByText('"SP 001"').waitFor();
    });

    test('opens the variables pane if the tab has variables, and closes it otherwise', async () => {
      const variables = page.getByRole('region', { name: 'Variables' });
      const tools = page.getByRole('button', { name: 'Hide editor tools' });
      await page.getByRole('tab', { name: 'GatewayWithNumbers' }).click();
      await variables.getByText('"gweef506"').waitFor();
      await tools.waitFor();
      const box = await variables.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect(box?.height).toBeGreaterThan(60);
      await page.getByRole('tab', { name: 'LiveView' }).click();
      await tools.waitFor({ state: 'detached' });
    });

    test('builds a query by choosing fields', async () => {
      await signedIn();
      await choose('Docs');
      await page.getByRole('button', { name: /show query builder/i }).click();
      await page
        .locator('.graphiql-explorer-node', { hasText: 'changeCursor' })
        .last()
        .getByText('changeCursor')
        .click();
      await choose('Query');
      await page.locator('.graphiql-query-editor').getByText('changeCursor').waitFor();
      expect(complaints).toEqual([]);
    });

    test('has a link to the REST API docs that is not covered', async () => {
      const link = await page.getByRole('link', { name: 'REST API docs' }).boundingBox();
      const tabs = await page.getByRole('tablist').boundingBox();
      expect((link?.y ?? NaN) + (link?.height ?? NaN)).toBeLessThanOrEqual(tabs?.y ?? NaN);
      await page.getByRole('link', { name: 'REST API docs' }).click();
      await page.waitForURL(`${app.url}/docs`);
    });
  });

  test.each([
    ['a proxy that responds with a page', 'A proxy responded', ' instead of sipgraph, with status 502'],
    ['a server that is down', 'The server at', ' http://127.0.0.1:'],
  ])('explains what is wrong: %s', async (what, words, more) => {
    await signedIn();
    await page.locator('.graphiql-query-editor').getByText('DidResolvesItsGateway').first().waitFor();
    await page.route('**/graphql', (route) =>
      what.includes('proxy')
        ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
        : route.abort('connectionrefused'),
    );
    // The editor wraps lines.
    const result = page.locator('.result-window');
    await page.getByRole('button', { name: /execute query/i }).click();
    await result.getByText(words).waitFor();
    await page.getByRole('tab', { name: 'WatchResources' }).click();
    await page.locator('.graphiql-query-editor').getByText('WatchResources').first().waitFor();
    await result.getByText(words).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /execute query/i }).click();
    await result.getByText(words).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn();
    await page
      .getByRole('alert')
      .getByText(words + more)
      .waitFor();
  });

  test('finds an unreachable number in the sample data', async () => {
    await signedIn();
    await page.getByRole('tab', { name: 'UnreachableNumbers' }).click();
    await run('UnreachableNumbers', '"tel:+17066041490"');
  });

  test('shows the schema documentation after sign-in', async () => {
    await signedIn();
    await page.getByRole('button', { name: /documentation explorer/i }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByText('The DID with this reference. Fails with NOT_FOUND if there is none, unless').waitFor();
  });

  test('runs the example that creates a DID, and the one that fails with a conflict', async () => {
    await signedIn();
    await page.getByRole('tab', { name: 'CreateDid' }).click();
    await run('CreateDid', '"tel:+17066041499"');
    await page.getByRole('tab', { name: 'Conflict' }).click();
    await run('Conflict', '"CONFLICT"');
  });

  test('all operations of its examples are valid, and the queries return data', async () => {
    const schema = buildSchema(await readFile('schema/schema.graphql', 'utf8'));
    for (const { query, variables = '{}' } of examplesOf(SAMPLE)) {
      const document = parse(query);
      expect(validate(schema, document)).toEqual([]);
      for (const operation of document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION)) {
        if (operation.operation !== OperationTypeNode.QUERY) continue;
        const { errors } = await app.graphql(print(operation), JSON.parse(variables) as Record<string, unknown>);
        expect([operation.name?.value, errors]).toEqual([operation.name?.value, undefined]);
      }
    }
  });

  test('explains why a number rings', async () => {
    await signedIn();
    await page.getByRole('tab', { name: 'WhyItRings' }).click();
    await run('WhyItRings', '"explainNumber"');
  });

  test('a subscription appends each change made in another tab', async () => {
    // Created by the test above.
    await app.rest('DELETE', "/dids?filter=@.spec.location.telUrl=='tel:%2B17066041499'");
    await signedIn();
    await watch();

    const watching = page;
    page = await open();
    await signedIn();
    await page.getByRole('tab', { name: 'CreateDid' }).click();
    await run('CreateDid', '"tel:+17066041499"');
    const shown = watching.locator('.result-window');
    await shown.getByText('"CREATED"').waitFor();
    await shown.getByText('"tel:+17066041499"').waitFor();
    await app.rest('DELETE', "/dids?filter=@.spec.location.telUrl=='tel:%2B17066041499'");
    await shown.getByText('"DELETED"').waitFor();
    await shown.getByText('"CREATED"').waitFor();
    expect(elsewhere).toEqual([]);
  });

  test('keeps the session for its tab only, until sign-out', async () => {
    await signedIn();
    await page.reload();
    await page.getByText('Signed in as').waitFor();
    const other = await open();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('signing out ends the session on the server, and a subscription of it does not end the next one', async () => {
    await signedIn();
    const token = await page.evaluate<string>('JSON.parse(sessionStorage["sipgraph-session"]).token');
    const stream = page.waitForResponse(
      (response) => response.headers()['content-type']?.includes('event-stream') === true,
    );
    await watch();
    const request = (await stream).request();
    // Response.finished() waits in vain while nobody listens to these events.
    const isStream = (ended: unknown): boolean => ended === request;
    const closed = Promise.any([
      page.waitForEvent('requestfinished', isStream),
      page.waitForEvent('requestfailed', isStream),
    ]);
    const ended = page.waitForResponse((response) => response.request().postData()?.includes('endSession') === true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await (await ended).json()).not.toHaveProperty('errors');
    const { errors } = await app.graphql('{ viewer { username } }', {}, { token });
    expect(errors?.[0]?.extensions['code']).toBe('UNAUTHENTICATED');
    await signedIn();
    await closed;
    await page.reload();
    await page.getByText('Signed in as').waitFor();
  });

  test('signing out forgets the documents, which may have secrets, and shows the first example', async () => {
    await signedIn();
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('# the-secret');
    const keeps = (): Promise<boolean> => page.evaluate('JSON.stringify(localStorage).includes("the-secret")');
    await eventually(20, async () => expect(await keeps()).toBe(true));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.graphiql-query-editor').getByText('DidResolvesItsGateway').first().waitFor();
    expect(await keeps()).toBe(false);
    await page.reload();
    await page.locator('.graphiql-query-editor').getByText('DidResolvesItsGateway').first().waitFor();
    expect([await keeps(), complaints]).toEqual([false, []]);
  });

  test('what was refused to one user is neither shown to nor run by another one who signs in instead', async () => {
    const other = { username: 'other', secret: 'the secret of another' };
    const { errors } = await app.graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { ref } }', {
      input: { ...other, role: 'OPERATOR' },
    });
    expect(errors).toBeUndefined();
    await signedIn();
    const text = 'mutation { createGateway(input: { name: "refused", host: "refused.test", transport: UDP }) { ref } }';
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(text);
    const token = await page.evaluate<string>('JSON.parse(sessionStorage["sipgraph-session"]).token');
    const ended = await app.graphql('mutation { endAllSessions }', {}, { token });
    expect(ended.errors).toBeUndefined();
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.getByText('Your token is no longer valid. Sign in again.').waitFor();
    const as = { token: await fetchToken(app.url, 'admin', app.adminSecret) };
    await fillSignIn(page, other.secret, other.username);
    await page.locator('.graphiql-query-editor').getByText('DidResolvesItsGateway').first().waitFor();
    await run('DidResolvesItsGateway', '"SP 001"');
    const found = await app.graphql('{ gateways(where: { host: { eq: "refused.test" } }) { totalCount } }', {}, as);
    expect(found.data).toEqual({ gateways: { totalCount: 0 } });
  });

  test('asks to sign in again when the token is rejected', async () => {
    const session = JSON.stringify({ username: 'admin', role: 'ADMIN', token: 'ended' });
    await page.evaluate(`sessionStorage.setItem('sipgraph-session', ${JSON.stringify(session)})`);
    await page.reload();
    await run('DidResolvesItsGateway', '"UNAUTHENTICATED"');
    await page.getByText('Your token is no longer valid. Sign in again.').waitFor();
    await signedIn();
    await page.locator('.result-window').getByText('"SP 001"').waitFor();
  });

  test('leads to the console and to the documentation of the REST API, which lead back', async () => {
    for (const [name, path] of [
      ['REST API docs', '/docs'],
      ['Console', '/console'],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await page.waitForURL(`${app.url}${path}`);
      await page.goBack();
    }
    await page.goto(`${app.url}/docs`);
    await page.getByText('/agents/{ref}').first().waitFor();
    await page.getByRole('link', { name: 'GraphQL playground' }).click();
    await page.waitForURL(`${app.url}/playground`);
    await page.goto(`${app.url}/console`);
    await fillSignIn(page, app.adminSecret);
    await page.getByRole('button', { name: 'Account: admin' }).click();
    await page.getByRole('menuitem', { name: 'REST API docs' }).waitFor();
    await page.getByRole('menuitem', { name: 'GraphQL playground' }).click();
    await page.waitForURL(`${app.url}/playground`);
    await page.getByText('Signed in as').waitFor();
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('the documentation of the REST API sends the example of a document with the session of the tab', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${app.url}/docs`);
    await signedIn();
    await page.locator('#operations-gateways-createGateway').getByRole('button').first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('dark');
    expect([elsewhere, complaints]).toEqual([[], []]);
  });

  test('without the sample data, the examples read what exists', async () => {
    const own = await startApp();
    try {
      const gatewayRef = await createGateway(own, { name: 'The only gateway' });
      const aorLink = "sip:no$'body@example.test";
      const ref = await createDid(own, { gatewayRef, telUrl: 'tel:+493012340', aorLink });
      ({ page } = await openPage(context, `${own.url}/playground`));
      await fillSignIn(page, own.adminSecret);
      await page.locator('.graphiql-query-editor').getByText(`"${ref}"`).waitFor();
      await run('DidResolvesItsGateway', '"The only gateway"');
      await page.getByRole('tab', { name: 'CreateDid' }).click();
      await run('CreateDid', '"The only gateway"');
      await page.getByRole('tab', { name: 'Conflict' }).click();
      await run('Conflict', '"CONFLICT"');
    } finally {
      await own.close();
    }
  });

  test('without the sample data, the REST API accepts the examples that name other resources', async () => {
    const own = await startApp();
    try {
      const gatewayRef = await createGateway(own);
      const numberRef = await createNumber(own, { gatewayRef });
      await createDomain(own, { domainUri: 'own.test' });
      ({ page } = await openPage(context, `${own.url}/docs`));
      await signedIn();
      for (const [kind, name] of [
        ['Agent', 'own.test'],
        ['DID', gatewayRef],
        ['Route', numberRef],
      ] as const) {
        const operation = await tryOut(kind, name);
        await operation.getByRole('button', { name: 'Execute' }).click();
        const status = operation.locator('.live-responses-table tbody .response-col_status').first();
        expect([kind, (await status.innerText()).trim()]).toEqual([kind, '201']);
      }
    } finally {
      await own.close();
    }
  });

  test('on an empty server, the REST API says what must be created before a document is accepted', async () => {
    const own = await startApp();
    try {
      ({ page } = await openPage(context, `${own.url}/docs`));
      await fillSignIn(page, own.adminSecret);
      const first = (what: string): string =>
        `Send ${what} first: this server has none of them. Then reload this page.`;
      await tryOut('Agent', first('POST /domains'));
      await tryOut('DID', first('POST /gateways'));
      await tryOut('Route', first('POST /domains and POST /numbers'));
      for (const [kind, name] of [
        ['Gateway', 'Provider in Berlin'],
        ['Domain', 'Warehouse'],
      ] as const) {
        const operation = await tryOut(kind, name);
        await operation.getByRole('button', { name: 'Execute' }).click();
        await operation.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor();
      }
      await page.reload();
      await tryOut('Number', '"gwRef"');
      await tryOut('Agent', 'warehouse.example');
      await tryOut('Route', first('POST /numbers'));
    } finally {
      await own.close();
    }
  });

  test('what a reader has typed in the documentation of the REST API stays when they sign in', async () => {
    const own = await startApp();
    try {
      ({ page } = await openPage(context, `${own.url}/docs`));
      const body = (await tryOut('Gateway', 'Provider in Berlin')).locator('textarea.body-param__text');
      await body.fill('{ "typed": true }');
      await fillSignIn(page, own.adminSecret);
      // Once the examples are those of the server.
      await tryOut('DID', 'Send POST /gateways first');
      expect(await body.inputValue()).toBe('{ "typed": true }');
    } finally {
      await own.close();
    }
  });

  test('opens in a browser at /graphql', async () => {
    await page.goto(`${app.url}/graphql`);
    expect(page.url()).toBe(`${app.url}/playground`);
  });
});

test('PLAYGROUND=false turns the playground off', async () => {
  const app = await startApp({ PLAYGROUND: 'false' });
  const answer = await fetch(`${app.url}/playground`);
  await app.close();
  expect(answer.status).toBe(404);
});
