import assert from 'node:assert/strict';

import { newTelUrl, type Case, type CaseRequest } from './cases';
import type { BenchDatabase } from './databases';
import type { BenchServer } from './servers';

// The values that differ between new resources.
const NUMBER = /"tel:\+1706\d{7}"/g;
const GENERATED = [/"dd[0-9a-f]{8,}"/g, NUMBER];
const NEWEST = `SELECT * FROM numbers WHERE kind = 'DID' ORDER BY id DESC LIMIT 1`;
const OWN_COLUMNS = ['id', 'ref', 'created_on', 'modified_on', 'tel_url', 'tel_digits', 'digits_key'];

// Repeated, because sipgraph compiles a document on its third execution, and finds it by its text from the fourth.
const TIMES = 5;

/** Throws unless all servers give the same response to a case, at first and when repeated, and store the same row. */
export async function verify(
  test: Case,
  database: BenchDatabase,
  servers: readonly BenchServer[],
  token: string,
): Promise<void> {
  for (let time = 0; time < TIMES; time++) await compare(test, database, servers, token);
}

async function compare(
  test: Case,
  database: BenchDatabase,
  servers: readonly BenchServer[],
  token: string,
): Promise<void> {
  const shared = test.request();
  let expected: unknown;
  for (const server of servers) {
    const answer = await ask(server, test.creates ? withNewNumber(shared) : shared, token);
    const body = test.creates
      ? GENERATED.reduce((text, part) => text.replace(part, '"..."'), answer.body)
      : answer.body;
    const stored = test.creates ? await newest(database) : undefined;
    const actual = { ...answer, body: JSON.parse(body) as unknown, stored };
    expected ??= actual;
    const names = `${server.name} (+) and ${servers[0]?.name ?? ''} (-)`;
    assert.equal(Math.floor(answer.status / 100), 2, `Case ${test.id} on ${database.name}: ${server.name}: ${body}`);
    assert.deepEqual(actual, expected, `Case ${test.id} on ${database.name}: ${names} differ`);
  }
}

/** The same request, for a number that no DID has yet. */
function withNewNumber({ body, ...request }: CaseRequest): CaseRequest {
  const text = JSON.stringify(body).replace(NUMBER, `"${newTelUrl()}"`);
  return { ...request, body: JSON.parse(text) as unknown };
}

async function ask(server: BenchServer, { method, path, body }: CaseRequest, token: string) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type');
  return { status: response.status, type, body: await response.text() };
}

async function newest(database: BenchDatabase): Promise<Readonly<Record<string, unknown>>> {
  const [row = {}] = await database.rows(NEWEST);
  return Object.fromEntries(Object.entries(row).filter(([column]) => !OWN_COLUMNS.includes(column)));
}
