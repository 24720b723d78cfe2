import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestApp } from '../support/app';
import { runCommand } from '../support/command-line';
import { createAgent, createGateway, createNumber, createPeer } from '../support/factories';
import { whileLocked } from '../support/databases/locks';
import { onEachDatabase } from '../support/databases/on-each-database';

/** Documents of a kind, as YAML. */
function documents(...all: readonly (readonly [kind: string, metadata: object, spec?: object])[]): string {
  return JSON.stringify(
    all.map(([kind, metadata, spec]) => ({ kind, metadata: { name: 'imported', ...metadata }, spec })),
  );
}

async function run<Data>(app: TestApp, query: string, variables: object = {}): Promise<Data> {
  const { data, errors } = await app.graphql<Data>(query, { ...variables });
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Imports documents through the API and returns their outcomes. */
async function imported(app: TestApp, text: string): Promise<unknown> {
  const { importDocuments } = await run<{ importDocuments: { rows: { outcome: string }[] } }>(
    app,
    'mutation ($text: String!) { importDocuments(text: $text) { rows { outcome } } }',
    { text },
  );
  return importDocuments.rows.map(({ outcome }) => outcome);
}

onEachDatabase('An import of documents', (subject) => {
  /** Imports documents with the command and returns its output. */
  async function importedByCommand(text: string): Promise<unknown> {
    const file = join(await mkdtemp(join(tmpdir(), 'sipgraph-')), 'documents.yml');
    await writeFile(file, text);
    const { out, err } = await runCommand({ DATABASE_URL: subject().url }, 'import', file);
    return out + err;
  }

  test.each([
    ['', (text: string) => imported(subject().app, text), ['UNCHANGED', 'UPDATED']],
    [' by the command', importedByCommand, '0 created, 1 updated, 1 unchanged\n'],
  ])('keeps what another request changes while it runs%s', async (_how, importing, result) => {
    const { app, url } = subject();
    const [first, second] = [await createAgent(app, { name: 'imported' }), await createAgent(app, { name: 'old' })];
    const text = documents(['Agent', { ref: first }], ['Agent', { ref: second }]);
    const update = `mutation { updateAgent(ref: "${second}", input: { maxContacts: 7 }) { ref } }`;
    const lock = `SELECT id FROM agents WHERE ref = '${first}' FOR UPDATE`;
    expect(
      await whileLocked(
        url,
        lock,
        () => importing(text),
        () => run(app, update),
      ),
    ).toEqual(result);
    expect(await run(app, `{ agent(ref: "${second}") { name maxContacts } }`)).toEqual({
      agent: { name: 'imported', maxContacts: 7 },
    });
  });

  test('creates a resource that is deleted while it runs again', async () => {
    const { app, url } = subject();
    const [first, second] = [await createPeer(app), await createPeer(app, { name: 'old' })];
    const spec = { credentials: { username: 'created-again', secret: 'the secret' } };
    const text = documents(['Peer', { ref: first }], ['Peer', { ref: second }, spec]);
    const lock = `SELECT id FROM peers WHERE ref = '${first}' FOR UPDATE`;
    const remove = `mutation { deletePeer(ref: "${second}") }`;
    const outcomes = await whileLocked(
      url,
      lock,
      () => imported(app, text),
      () => run(app, remove),
    );
    expect(outcomes).toEqual(['UPDATED', 'CREATED']);
    expect(await run(app, `{ peer(ref: "${second}") { username } }`)).toEqual({ peer: { username: 'created-again' } });
  });

  test('creates a resource whose natural key another one has until it is locked', async () => {
    const { app, url } = subject();
    const ref = await createPeer(app, { username: 'renamed' });
    const text = documents(['Peer', {}, { credentials: { username: 'renamed', secret: 'the secret' } }]);
    const rename = `UPDATE peers SET username = 'another name' WHERE ref = '${ref}'`;
    expect(await whileLocked(url, rename, () => imported(app, text))).toEqual(['CREATED']);
    expect(await run(app, `{ peer(ref: "${ref}") { username } }`)).toEqual({ peer: { username: 'another name' } });
  });
});

onEachDatabase('An import of numbers', (subject) => {
  const csvOf = (rows: readonly (readonly [telUrl: string, gateway: string])[]): string =>
    ['telUrl,aorLink,gwRef', ...rows.map(([telUrl, gateway]) => `${telUrl},sip:1001@sip.local,${gateway}`)].join('\n');

  async function importedNumbers(csv: string): Promise<unknown> {
    const query = 'mutation ($csv: String!) { importNumbers(csv: $csv) { rows { outcome errors { field message } } } }';
    const { importNumbers } = await run<{ importNumbers: { rows: { outcome: string; errors: object[] }[] } }>(
      subject().app,
      query,
      { csv },
    );
    return importNumbers.rows.map(({ outcome, errors }) =>
      [outcome, ...errors.map((each) => JSON.stringify(each))].join(' '),
    );
  }

  async function importedByCommand(csv: string): Promise<unknown> {
    const directory = await mkdtemp(join(tmpdir(), 'sipgraph-'));
    const [file, report] = [join(directory, 'numbers.csv'), join(directory, 'report.csv')];
    await writeFile(file, csv);
    await runCommand({ DATABASE_URL: subject().url }, 'import-numbers', file, '--report', report);
    return readFile(report, 'utf8');
  }

  test.each([
    ['', importedNumbers, ['CREATED', 'UNCHANGED']],
    [' by the command', importedByCommand, expect.stringMatching(/,new,\n3,.*,unchanged,\n$/)],
  ])('leaves a number that another request creates while it runs%s', async (how, importing, result) => {
    const { app, url } = subject();
    const gateways = [await createGateway(app), await createGateway(app)] as const;
    const telUrl = how === '' ? 'tel:+49301' : 'tel:+49302';
    const lock = `SELECT id FROM gateways WHERE ref = '${gateways[0]}' FOR UPDATE`;
    const csv = csvOf([
      [`${telUrl}0`, gateways[0]],
      [telUrl, gateways[1]],
    ]);
    const create = (): Promise<string> =>
      createNumber(app, { telUrl, gatewayRef: gateways[1], aorLink: 'sip:1001@sip.local' });
    expect(await whileLocked(url, lock, () => importing(csv), create)).toEqual(result);
  });

  test.each([
    ['', importedNumbers, ['CREATED', expect.stringMatching(/^FAILED .*"gwRef".* does not exist/)]],
    [' by the command', importedByCommand, expect.stringMatching(/,new,\n3,.*,failed,.*gwRef: .* does not exist/)],
  ])('reports a gateway that is deleted while it runs%s', async (_how, importing, result) => {
    const { app, url } = subject();
    const gateways = [await createGateway(app), await createGateway(app)] as const;
    const lock = `SELECT id FROM gateways WHERE ref = '${gateways[0]}' FOR UPDATE`;
    const csv = csvOf([
      ['tel:+49303', gateways[0]],
      ['tel:+49304', gateways[1]],
    ]);
    const remove = (): Promise<object> => run(app, `mutation { deleteGateway(ref: "${gateways[1]}") }`);
    expect(await whileLocked(url, lock, () => importing(csv), remove)).toEqual(result);
  });
});
