import { faults } from '../support/browser/accessibility';
import { openSearch, withConsole } from '../support/browser/console';
import { createGateway } from '../support/factories';
import { describeWith } from '../support/runner/programs';
import { runSql } from '../support/databases/sql';

describeWith(['chromium'], 'The console, as a client of the graph', () => {
  const subject = withConsole();
  const page = () => subject.opened.page;

  afterEach(() => expect(subject.opened.complaints).toEqual([]));

  test('shows matches of the root field search while somebody types', async () => {
    const ref = await createGateway(subject.app, { name: 'Typed Carrier', host: 'typed.test' });
    await subject.open('/history');
    const asked: string[] = [];
    page().on('request', (request) => asked.push(request.postData() ?? ''));
    await openSearch(page());
    const option = (name: string | RegExp) => page().getByRole('option', { name });
    for (const [text, match] of [
      ['TYPED C', 'Typed Carrier Gateway'],
      ['typed.te', 'Typed Carrier Gateway'],
      [ref, 'Typed Carrier Gateway'],
      ['10 0', /^\+1003 DID$/],
    ] as const) {
      await page().keyboard.press('Control+a');
      await page().keyboard.type(text);
      await option(match).waitFor();
    }
    const searches = asked.filter((each) => each.includes('query Search'));
    expect(searches.length).toBeGreaterThan(3);
    for (const each of searches) expect(each).toContain('search(text: $text)');
    expect(await faults(page())).toEqual([]);
  });

  test('shows at an API token what its programs use that is deprecated, how often, and when last', async () => {
    const { data } = await subject.app.graphql<{ createApiToken: { apiToken: { ref: string } } }>(
      'mutation { createApiToken(name: "old script", role: VIEWER) { apiToken { ref } } }',
    );
    const { ref } = data.createApiToken.apiToken;
    await runSql(
      subject.url,
      `INSERT INTO deprecated_uses (subject, field, uses, used_on, token_id)
       SELECT ref, 'Gateway.expires', 1200, ?, id FROM api_tokens WHERE ref = ?`,
      [Date.UTC(2026, 10, 2), ref],
    );
    await subject.open('/account');
    const uses = page().getByRole('list', { name: 'Deprecated parts of the graph that old script uses' });
    await uses.getByText('uses Gateway.expires, which is deprecated: 1,200 requests, last 2026-11-02').waitFor();
    expect(await faults(page())).toEqual([]);
  });
});
