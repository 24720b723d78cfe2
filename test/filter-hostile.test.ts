import { createGateways } from './filter/gateways';
import { onEachDatabase } from './support/on-each-database';
import { runSql } from './support/sql';

const QUOTES = ["'", '"', '`', '´', '’', '\\', "\\'", "''", "'--", '/*', '*/', '#', ';', '\u0000', '%', '_', '\u2028'];
const HOSTILE: readonly (readonly [what: string, filter: string])[] = [
  ['100 kB of !', '!'.repeat(100_000)],
  ['100 kB of (', '('.repeat(100_000)],
  ['100 kB of [', '['.repeat(100_000)],
  ['100 kB of @', '@'.repeat(100_000)],
  ['a kilobyte of !', '!'.repeat(1024)],
  ['a kilobyte of (', '('.repeat(1024)],
  ['a kilobyte of places', `@.spec${'[-1]'.repeat(200)}`],
  ['a kilobyte of conditions', Array.from({ length: 100 }, () => '@.a==1').join('||')],
  ['many lists', `@.spec.x in [${'['.repeat(400)}`],
  ['a pattern with nested repetition', '@.spec.host =~ /(a+)+$/'],
  ['a pattern with alternatives alike', '@.spec.host =~ /(a|a|a|a)*x/'],
  ['a pattern of empty ways', `@.spec.host =~ /${'(|)'.repeat(100)}x/`],
  ['a pattern with many optional parts', `@.spec.host =~ /${'a?'.repeat(100)}${'a'.repeat(100)}/`],
  ['a pattern with large repetition', '@.spec.host =~ /((a{1,999}){1,999}){1,999}/'],
  ['a pattern with many stars', `@.spec.host =~ /${'.*a'.repeat(50)}/`],
  ['a pattern nested deeply', `@.spec.host =~ /${'('.repeat(300)}a${')'.repeat(300)}/`],
  ['a name that is SQL', "@['a) OR 1=1 --']==1"],
  ['a name of the prototype', '@.__proto__.constructor'],
  ['SQL behind a quote', "@.spec.host=='x' OR 1=1 --"],
  ['a lone surrogate', "@.spec.host=='\\ud800'"],
  ['a huge number', '@.spec.port==99999999999999999999999999999'],
  ['a tiny number', '@.spec.port==1e-300'],
  ['a huge place', '@.spec.registries[999999]'],
  ['a place far from the end', '@.spec.registries[-999999]'],
  ...QUOTES.map((text) => [`${JSON.stringify(text)} within single quotes`, `@.spec.host=='${text}'`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} within double quotes`, `@.spec.host=="${text}"`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} as a name`, `@['${text}']=='x'`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} alone`, text] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} in a pattern`, `@.spec.host =~ /${text}/`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} contained`, `@.spec.host contains "${text}"`] as const),
];

onEachDatabase('Hostile filters', (subject) => {
  let before: unknown;
  const tables = async (): Promise<unknown> => [
    await runSql(subject().url, 'SELECT * FROM gateways ORDER BY id'),
    await runSql(subject().url, 'SELECT COUNT(*) FROM users'),
  ];

  beforeAll(async () => {
    await createGateways(subject().app, subject().url);
    before = await tables();
  });

  test.each(HOSTILE)('%s is 400 or nothing, and quickly', async (_what, filter) => {
    const { app } = subject();
    const started = performance.now();
    const { data, errors } = await app.graphql<{ gateways: { totalCount: number } } | null>(
      'query ($filter: String!) { gateways(filter: $filter) { totalCount } }',
      { filter },
    );
    expect(performance.now() - started).toBeLessThan(1000);
    if (errors) expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    // What is in names is found, and white space alone is no filter.
    else expect(data?.gateways.totalCount).toBeLessThanOrEqual(filter.trim() === '' ? 4 : 1);
    if (filter.length > 10_000) return; // longer than a URL may be
    const { status, text } = await app.rest('GET', `/gateways?filter=${encodeURIComponent(filter)}`);
    expect([200, 400]).toContain(status);
    expect(text).not.toMatch(/SELECT|sqlite|mysql|mariadb|at \/|node_modules/i);
  });

  test('the tables are untouched', async () => {
    expect(await tables()).toEqual(before);
  });

  test.each([['/registry?filter=((('], ['/location?filter=(((']])('%s has no filter, and ignores it', async (path) => {
    const { body } = await subject().app.rest('GET', path);
    expect(body).toMatchObject({ status: 200, data: [] });
  });
});
