import { createGateways } from './gateways';
import { onEachDatabase } from '../support/databases/on-each-database';
import { runSql } from '../support/databases/sql';

const QUOTES = ["'", '"', '`', '´', '’', '\\', "\\'", "''", "'--", '/*', '*/', '#', ';', '\u0000', '%', '_', '\u2028'];
const HOSTILE: readonly (readonly [what: string, filter: string])[] = [
  ['100 kB of !', '!'.repeat(100_000)],
  ['100 kB of (', '('.repeat(100_000)],
  ['100 kB of [', '['.repeat(100_000)],
  ['100 kB of @', '@'.repeat(100_000)],
  ['a kilobyte of !', '!'.repeat(1024)],
  ['a kilobyte of (', '('.repeat(1024)],
  ['a kilobyte of indexes', `@.spec${'[-1]'.repeat(200)}`],
  ['a kilobyte of conditions', Array.from({ length: 100 }, () => '@.a==1').join('||')],
  ['many lists', `@.spec.x in [${'['.repeat(400)}`],
  ['a pattern with nested repetition', '@.spec.host =~ /(a+)+$/'],
  ['a pattern with equal alternatives', '@.spec.host =~ /(a|a|a|a)*x/'],
  ['a pattern with empty alternatives', `@.spec.host =~ /${'(|)'.repeat(100)}x/`],
  ['a pattern with many optional parts', `@.spec.host =~ /${'a?'.repeat(100)}${'a'.repeat(100)}/`],
  ['a pattern with large repetition', '@.spec.host =~ /((a{1,999}){1,999}){1,999}/'],
  ['a pattern with many stars', `@.spec.host =~ /${'.*a'.repeat(50)}/`],
  ['a deeply nested pattern', `@.spec.host =~ /${'('.repeat(300)}a${')'.repeat(300)}/`],
  ['a name that is SQL', "@['a) OR 1=1 --']==1"],
  ['a name on the prototype', '@.__proto__.constructor'],
  ['SQL behind a quote', "@.spec.host=='x' OR 1=1 --"],
  ['a lone surrogate', "@.spec.host=='\\ud800'"],
  ['a huge number', '@.spec.port==99999999999999999999999999999'],
  ['a tiny number', '@.spec.port==1e-300'],
  ['a huge place', '@.spec.registries[999999]'],
  ['an index far from the end', '@.spec.registries[-999999]'],
  ...QUOTES.map((text) => [`${JSON.stringify(text)} within single quotes`, `@.spec.host=='${text}'`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} within double quotes`, `@.spec.host=="${text}"`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} as a name`, `@['${text}']=='x'`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} alone`, text] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} in a pattern`, `@.spec.host =~ /${text}/`] as const),
  ...QUOTES.map((text) => [`${JSON.stringify(text)} contained`, `@.spec.host contains "${text}"`] as const),
];

const LETTERS = Array.from({ length: 490 }, (_, index) => String.fromCodePoint(0x400 + 2 * index));
const NARROW = LETTERS.slice(0, 200);
const PATTERNS: readonly (readonly [what: string, pattern: string])[] = [
  ['repeated alternatives', `(${LETTERS.join('|')}){4}`],
  ['alternatives with unbounded repetition', `(${LETTERS.join('|')})+`],
  ['repeated longer alternatives', `(${LETTERS.slice(0, 330).join('x|')}x){4}`],
  ['longer alternatives with a common prefix', `(${NARROW.map((letter) => `a${letter}`).join('|')})+`],
  [
    'overlapping ranges',
    `(${LETTERS.slice(0, 110)
      .map((letter) => `[${letter}-\uffff]`)
      .join('|')})+`,
  ],
  ['repetition of one, nested', `${'('.repeat(13)}a${'{1})'.repeat(13)}{1000}`],
  ['repetition of nine, nested', '(((a|bc){9}){9}){9}'],
  ['a class of many ranges, repeated', `[${LETTERS.join('')}]{1000}`],
  ['a class of many ranges, optional', `[${LETTERS.join('')}]{0,1000}`],
  ['a group of a class, repeated', `([${LETTERS.join('')}]a?){300}`],
  ['a group of classes, repeated', '(\\W\\D){300}'],
  ['any 1000 characters', '.{0,1000}'],
  ['any 1000 characters, twice', '.{0,1000}.{0,1000}'],
  ['a group, a thousand times', '(ab){1000}'],
  ['an optional group, a thousand times', '(a.){0,1000}'],
  ['500 optional characters', 'a?'.repeat(500)],
  ['a thousand characters anywhere', `.*${'a'.repeat(1000)}.*`],
  ['a thousand characters', 'a'.repeat(1024)],
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

  test.each(HOSTILE)('%s quickly gets 400 or an empty list', async (_what, filter) => {
    const { app } = subject();
    const started = performance.now();
    const { data, errors } = await app.graphql<{ gateways: { totalCount: number } } | null>(
      'query ($filter: String!) { gateways(filter: $filter) { totalCount } }',
      { filter },
    );
    expect(performance.now() - started).toBeLessThan(5000);
    if (errors) expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
    // Special characters in names are found, and white space alone is an empty filter.
    else expect(data?.gateways.totalCount).toBeLessThanOrEqual(filter.trim() === '' ? 4 : 1);
    if (filter.length > 10_000) return; // longer than a URL may be
    const { status, text } = await app.rest('GET', `/gateways?filter=${encodeURIComponent(filter)}`);
    expect([200, 400]).toContain(status);
    expect(text).not.toMatch(/SELECT|sqlite|mysql|mariadb|at \/|node_modules/i);
  });

  test.each(
    PATTERNS.flatMap(([what, pattern]) => [
      { what, pattern, times: 1 },
      { what, pattern, times: 40 },
    ]),
  )('a pattern of $what, in $times conditions, is quickly accepted or rejected', async ({ pattern, times }) => {
    const or = Array.from({ length: times }, () => ({ host: { matches: pattern } }));
    const started = process.cpuUsage();
    const { data, errors } = await subject().app.graphql<{ gateways: { totalCount: number } } | null>(
      'query ($where: GatewayWhere!) { gateways(where: $where) { totalCount } }',
      { where: { or } },
    );
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(1);
    if (errors) {
      expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
      expect(errors[0]?.message).toMatch(/a pattern (is too large|that can match)/);
    } else expect(data?.gateways.totalCount).toBeLessThanOrEqual(4);
  });

  test('the tables are unchanged', async () => {
    expect(await tables()).toEqual(before);
  });

  test.each([['/registry?filter=((('], ['/location?filter=(((']])('%s ignores filter', async (path) => {
    const { body } = await subject().app.rest('GET', path);
    expect(body).toMatchObject({ status: 200, data: [] });
  });
});
