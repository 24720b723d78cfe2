import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';
import { eventually } from '../support/eventually';
import { createGateway } from '../support/factories';

const IMPORT = `mutation ($csv: String!, $confirmWithin: Int) {
  importNumbers(csv: $csv, confirmWithin: $confirmWithin) { request }
}`;
const REVERT = 'mutation ($id: String!, $dryRun: Boolean!) { revertRequest(id: $id, dryRun: $dryRun) { ref } }';
const START = 'mutation ($id: String!) { startRevert(request: $id) { ref } }';
const REASON = 'The first entries of the request may have been deleted (HISTORY_DAYS): revert the others one by one';
const REFUSED = [
  expect.objectContaining({ message: REASON, extensions: expect.objectContaining({ code: 'NOT_SUPPORTED' }) }),
];

onEachDatabase('A request whose first entry is not kept', (subject) => {
  interface Entry {
    readonly entry: string;
    readonly request: string;
  }

  const entriesOf = async (where: object): Promise<readonly Entry[]> => {
    const HISTORY = 'query ($where: HistoryWhere) { history(where: $where) { nodes { entry request } } }';
    const { data } = await subject().app.graphql<{ history: { nodes: readonly Entry[] } }>(HISTORY, { where });
    return data.history.nodes;
  };

  /** Imports three numbers, deletes the entry of the first one, and returns the request. */
  async function cut(first: number, confirmWithin?: number): Promise<string> {
    const { app, url } = subject();
    const gateway = await createGateway(app);
    const rows = [0, 1, 2].map((n) => `tel:+49${String(first + n)},sip:a@b.test,${gateway}`);
    const csv = ['telUrl,aorLink,gwRef', ...rows].join('\n');
    const { data } = await app.graphql<{ importNumbers: { request: string } }>(IMPORT, { csv, confirmWithin });
    const { request } = data.importNumbers;
    const entry = Number((await entriesOf({ request })).at(-1)?.entry);
    // As the deletion of old entries does it.
    await runSql(
      url,
      'UPDATE history_head SET trimmed = ?, trimmed_at = (SELECT at FROM changes WHERE id = ?) WHERE id = 1',
      [entry, entry],
    );
    await runSql(url, 'DELETE FROM changes WHERE id <= ?', [entry]);
    return request;
  }

  const numbers = async (): Promise<number> => {
    const { data } = await subject().app.graphql<{ numbers: { totalCount: number } }>('{ numbers { totalCount } }');
    return data.numbers.totalCount;
  };

  test.each([
    ['', undefined],
    [', also with an id of 0.2.0', '11111111-2222-4333-8444-555555555555'],
  ])('is not reverted in part, but its other entries are%s', async (_, another) => {
    const { app, url } = subject();
    const before = await numbers();
    const own = await cut(another === undefined ? 1000 : 3000);
    const id = another ?? own;
    await runSql(url, 'UPDATE changes SET request = ? WHERE request = ?', [id, own]);
    expect((await app.graphql(REVERT, { id, dryRun: true })).errors).toEqual(REFUSED);
    expect((await app.graphql(REVERT, { id, dryRun: false })).errors).toEqual(REFUSED);
    expect((await app.graphql(START, { id })).errors).toEqual(REFUSED);
    expect(await numbers()).toBe(before + 3);
    for (const { entry } of await entriesOf({ request: id }))
      expect(
        (await app.graphql('mutation ($entry: ID!) { revert(entry: $entry) { ref } }', { entry })).errors,
      ).toBeUndefined();
    expect(await numbers()).toBe(before + 1);
  });

  test('is told from one that was scheduled before that entry', async () => {
    const { app, url } = subject();
    const [made] = await entriesOf({ ref: await createGateway(app) });
    const id = '01900000-0000-7000-8000-000000000000'; // of 2024
    await runSql(url, 'UPDATE changes SET request = ? WHERE request = ?', [id, made?.request ?? '']);
    await runSql(url, 'UPDATE history_head SET trimmed_at = ? WHERE id = 1', [Date.now() - 86_400_000]);
    expect((await app.graphql(REVERT, { id, dryRun: false })).errors).toBeUndefined();
  });

  test('that waits for a confirmation is not called reverted', async () => {
    const { app, url } = subject();
    const before = await numbers();
    const id = await cut(2000, 3600);
    const CANCEL = 'mutation ($id: String!) { cancelChanges(id: $id) { state } }';
    expect((await app.graphql(CANCEL, { id })).errors).toEqual(REFUSED);
    await runSql(url, "UPDATE pending_changes SET due_on = 1 WHERE state = 'UNCONFIRMED'");
    await eventually(20, async () => {
      const { data } = await app.graphql('{ pendingChanges(first: 1) { nodes { id state reason } } }');
      const reason = `not confirmed within 1 hour, but not reverted: ${REASON}`;
      expect(data).toEqual({ pendingChanges: { nodes: [{ id, state: 'NOT_REVERTED', reason }] } });
    });
    expect(await numbers()).toBe(before + 3);
  });
});
