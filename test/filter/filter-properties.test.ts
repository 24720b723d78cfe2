import fc from 'fast-check';
import { jsonpath } from 'json-p3';

import { parseFilter } from '../../src/filter/json-path/parse';
import { filter, gateway } from './arbitraries';
import { meets } from './evaluate';
import { createGateway, createUser } from '../support/factories';
import { isFull } from '../support/runner/full';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const DOCUMENTS = 40;
const RUNS = isFull ? 2000 : 500;
// A new seed each day, so that a failure can be reproduced on the same day.
const seed = Math.floor(Date.now() / 86_400_000);

interface Document {
  readonly metadata: { readonly ref: string };
  readonly spec: { readonly credentials?: { secret?: string } };
}

/** A random pattern may be rejected for its cost; everything else must be accepted. */
function isTaken(filter: string): boolean {
  try {
    parseFilter(filter);
    return true;
  } catch (error) {
    if (String(error).includes('too many ways')) return false;
    throw error;
  }
}

onEachDatabase(`Random filters of random gateways (seed ${String(seed)})`, (subject) => {
  async function read(token: string): Promise<readonly Document[]> {
    const { body } = await subject().app.rest<Document[]>('GET', '/gateways?itemsPerPage=100', { token });
    for (const { spec } of body.data) delete spec.credentials?.secret;
    return body.data;
  }

  beforeAll(async () => {
    const { app, url } = subject();
    for (const [index, { input, extra }] of fc.sample(gateway, { numRuns: DOCUMENTS, seed }).entries()) {
      const secret = input.username === undefined ? {} : { secret: 'bob' };
      const ref = await createGateway(app, {
        ...input,
        ...secret,
        host: `sip.${'ab'[index % 2] ?? ''}${String(index)}.net`,
      });
      await runSql(url, 'UPDATE gateways SET extra = ? WHERE ref = ?', [extra && JSON.stringify(extra), ref]);
    }
  });

  test.each([
    ['all members', 'ADMIN'],
    ['what viewers see', 'VIEWER'],
  ] as const)(
    'select the same as an evaluation in memory of %s and, where the syntax agrees, as RFC 9535',
    async (_, role) => {
      const { app } = subject();
      const { token } = await createUser(app, role);
      const documents = await read(token);
      const refs = (found: readonly Document[]): string[] => found.map(({ metadata }) => metadata.ref).sort();
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(filter, async ({ jayway, rfc }) => {
          fc.pre(jayway.length < 1000 && isTaken(jayway));
          const predicate = parseFilter(jayway);
          const expected = refs(documents.filter((document) => meets(document, predicate)));
          const { data, errors } = await app.graphql<{ gateways: { totalCount: number; nodes: { ref: string }[] } }>(
            'query ($filter: String!) { gateways(filter: $filter, first: 100) { totalCount nodes { ref } } }',
            { filter: jayway },
            { token },
          );
          expect(errors).toBeUndefined();
          expect(data.gateways.nodes.map(({ ref }) => ref).sort()).toEqual(expected);
          expect(data.gateways.totalCount).toBe(expected.length);
          if (rfc === undefined) return;
          compared++;
          expect(refs(jsonpath.query(`$[?${rfc}]`, documents as never).values() as unknown as Document[])).toEqual(
            expected,
          );
        }),
        { numRuns: RUNS, seed },
      );
      expect(compared).toBeGreaterThan(RUNS / 4);
    },
  );
});
