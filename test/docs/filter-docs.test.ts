import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createGateways } from '../filter/gateways';
import { onEachDatabase } from '../support/databases/on-each-database';

const text = readFileSync(join(__dirname, '../../docs/filters.md'), 'utf8');
const [jsonPath = '', rest = ''] = text.split('### Where Jayway and RFC 9535 differ');
const examplesIn = (part: string): readonly { readonly code: string; readonly refs: string }[] =>
  [...part.matchAll(/^\| `((?:[^`\\]|\\.)+)`\s*\| ([a-z ]*)\|/gm)].map(([, code = '', refs = '']) => ({
    // Markdown tables escape the vertical bar.
    code: code.replaceAll('\\|', '|'),
    refs: refs.trim(),
  }));
const filters = examplesIn(jsonPath);
const refused = [...text.matchAll(/^\| `((?:[^`\\]|\\.)+)`\s*\| `((?:[^`\\]|\\.)+)`\s*\| ([a-z ]*)\|/gm)].map(
  ([, code = '', instead = '', refs = '']) => ({
    code: code.replaceAll('\\|', '|'),
    instead: instead.replaceAll('\\|', '|'),
    refs: refs.trim(),
  }),
);
const queries = examplesIn(rest).filter(({ code }) => code.startsWith('gateways('));

onEachDatabase('docs/filters.md', (subject) => {
  beforeAll(() => createGateways(subject().app, subject().url));

  test('has an example of everything', () => {
    expect([filters.length, refused.length, queries.length]).toEqual([66, 26, 27]);
  });

  test.each(filters)('$code finds "$refs"', async ({ code, refs }) => {
    const { data, errors } = await subject().app.graphql<{ gateways: { nodes: readonly { ref: string }[] } }>(
      'query ($filter: String!) { gateways(filter: $filter) { nodes { ref } } }',
      { filter: code },
    );
    expect(errors).toBeUndefined();
    expect(data.gateways.nodes.map(({ ref }) => ref).join(' ')).toBe(refs);
  });

  test.each(refused)('$code is rejected, and $instead finds "$refs"', async ({ code, instead, refs }) => {
    const find = (filter: string) =>
      subject().app.rest<readonly { readonly metadata: { readonly ref: string } }[]>(
        'GET',
        `/gateways?filter=${encodeURIComponent(filter)}`,
      );
    const { status, body } = await find(code);
    expect([status, body.message]).toEqual([400, 'Bad Request']);
    expect((await find(instead)).body.data.map(({ metadata }) => metadata.ref).join(' ')).toBe(refs);
  });

  test.each(queries)('$code finds "$refs"', async ({ code, refs }) => {
    const { data, errors } = await subject().app.graphql<{ gateways: { nodes: readonly { ref: string }[] } }>(
      `{ ${code} { nodes { ref } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.gateways.nodes.map(({ ref }) => ref).join(' ')).toBe(refs);
  });
});
