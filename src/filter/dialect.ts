import { COLLATIONS } from '../database/dialect';
import { all, list, raw, sql, type Fragment } from '../database/fragment';
import { JAVASCRIPT, POSIX_LIKE, written, type Pattern } from './pattern';
import { scalar, type Form, type Term } from './term';

/** What filters need of a database that its SQL does not say in the same words as another's. */
export interface FilterDialect {
  /** Text that is compared by code points: what is no column has to say so. */
  text(value: Fragment): Fragment;
  matches(value: Fragment, pattern: Pattern): Fragment;
  /** Characters of a text. */
  length(value: Fragment): Fragment;
  /** A whole number as text. */
  digits(value: Fragment): Fragment;
  /** Milliseconds since the epoch as ISO 8601, in UTC. */
  isoTime(milliseconds: Fragment): Fragment;
  /** An entry of a list in a path of the database, from the end when negative. */
  place(place: number): string;
  /** What a JSON text has at a path. */
  member(json: Fragment, path: string): Term;
  /** A column with a JSON list of texts. */
  texts(json: Fragment): Form;
}

let depth = 0;

/** Names a list's entries for a condition about one: by depth, so that equal filters are equal statements. */
function named(condition: (entry: Fragment) => Fragment): Fragment {
  depth++;
  try {
    return condition(raw(`j${String(depth)}`));
  } finally {
    depth--;
  }
}

const NUMBER_TYPES = ['INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'];

const sqlite: FilterDialect = {
  text: (value) => value,
  matches: (value, pattern) => sql`${value} REGEXP ${written(pattern, JAVASCRIPT)}`,
  length: (value) => sql`length(${value})`,
  digits: (value) => sql`CAST(CAST(${value} AS INTEGER) AS TEXT)`,
  isoTime: (value) =>
    sql`(strftime('%Y-%m-%dT%H:%M:%S.', ${value} / 1000, 'unixepoch') || printf('%03dZ', ${value} % 1000))`,
  place: (place) => `[${place < 0 ? `#${String(place)}` : String(place)}]`,
  member: (json, path) =>
    sqliteForms(sql`json_type(${json}, ${path})`, sql`json_extract(${json}, ${path})`, {
      each: (entry) => sql`json_each(${json}, ${path}) ${entry}`,
      size: sql`json_array_length(${json}, ${path})`,
      at: (place) => sqlite.member(json, `${path}${sqlite.place(place)}`),
    }),
  texts: (json) => ({
    ...sqliteList({
      each: (entry) => sql`json_each(${json}) ${entry}`,
      size: sql`json_array_length(${json})`,
      at: (place) => sqlite.member(json, `$${sqlite.place(place)}`),
    }),
    when: sql`${json} IS NOT NULL`,
  }),
};

interface SqliteList {
  readonly each: (entry: Fragment) => Fragment;
  readonly size: Fragment;
  readonly at: (place: number) => Term;
}

function sqliteForms(type: Fragment, value: Fragment, entries?: SqliteList): Term {
  const is = (...names: readonly string[]): Fragment => sql`${type} IN (${list(names)})`;
  return [
    scalar('string', value, is('text')),
    scalar('number', value, is('integer', 'real')),
    scalar('boolean', value, is('true', 'false')),
    { type: 'null', when: is('null') },
    { type: 'object', when: is('object') },
    ...(entries ? [{ ...sqliteList(entries), when: is('array') }] : []),
  ];
}

function sqliteList({ each, size, at }: SqliteList): Omit<Extract<Form, { type: 'list' }>, 'when'> {
  return {
    ...{ type: 'list', size, at },
    some: (condition) =>
      named((entry) => {
        const item = sqliteForms(sql`${entry}.type`, sql`${entry}.value`);
        return sql`EXISTS (SELECT 1 FROM ${each(entry)} WHERE ${condition(item)})`;
      }),
  };
}

function serverPlace(place: number): string {
  return `[${place < 0 ? `last-${String(-place - 1)}` : String(place)}]`;
}

/** MySQL and MariaDB. */
function server(collation: string, matches: FilterDialect['matches']): FilterDialect {
  const text = (value: Fragment): Fragment => sql`(CONVERT(${value} USING utf8mb4) COLLATE ${raw(collation)})`;
  const forms = (json: Fragment): Term => {
    const is = (...names: readonly string[]): Fragment => sql`JSON_TYPE(${json}) IN (${list(names)})`;
    const bare = sql`JSON_UNQUOTE(${json})`;
    return [
      scalar('string', text(bare), is('STRING')),
      scalar('number', sql`(${bare} + 0e0)`, is(...NUMBER_TYPES)),
      scalar('boolean', sql`(${bare} = 'true')`, is('BOOLEAN')),
      { type: 'null', when: is('NULL') },
      { type: 'object', when: is('OBJECT') },
      {
        ...{ type: 'list', when: is('ARRAY'), size: sql`JSON_LENGTH(${json})` },
        some: (condition) =>
          named((entry) => {
            const item = forms(sql`JSON_EXTRACT(${json}, CONCAT('$[', ${entry}.place - 1, ']'))`);
            return sql`EXISTS (SELECT 1 FROM JSON_TABLE(${json}, '$[*]' COLUMNS (place FOR ORDINALITY)) ${entry} WHERE ${condition(item)})`;
          }),
        // A place of what is no list would be the thing itself.
        at: (place) =>
          forms(sql`JSON_EXTRACT(${json}, ${`$${serverPlace(place)}`})`).map((form) => ({
            ...form,
            when: all([is('ARRAY'), form.when]),
          })),
      },
    ];
  };
  return {
    text,
    matches,
    place: serverPlace,
    length: (value) => sql`CHAR_LENGTH(${value})`,
    digits: (value) => text(sql`CAST(CAST(${value} AS SIGNED) AS CHAR)`),
    isoTime: (value) =>
      text(
        sql`CONCAT(DATE_FORMAT(DATE_ADD('1970-01-01', INTERVAL ${value} DIV 1000 SECOND), '%Y-%m-%dT%H:%i:%s.'), LPAD(${value} MOD 1000, 3, '0'), 'Z')`,
      ),
    member: (json, path) => forms(sql`JSON_EXTRACT(${json}, ${path})`),
    texts: (json) => ({
      ...{ type: 'list', when: sql`${json} IS NOT NULL`, size: sql`JSON_LENGTH(${json})` },
      some: (condition) =>
        named((entry) => {
          const item = scalar('string', text(sql`${entry}.item`));
          return sql`EXISTS (SELECT 1 FROM JSON_TABLE(${json}, '$[*]' COLUMNS (item VARCHAR(300) PATH '$')) ${entry} WHERE ${condition([item])})`;
        }),
      at: (place) => forms(sql`JSON_EXTRACT(${json}, ${`$${serverPlace(place)}`})`),
    }),
  };
}

/** The dialects, by the product's name. */
export const filterDialects = {
  sqlite,
  mysql: server(COLLATIONS.mysql, (value, pattern) => sql`REGEXP_LIKE(${value}, ${written(pattern, POSIX_LIKE)}, 'c')`),
  mariadb: server(COLLATIONS.mariadb, (value, pattern) => sql`${value} REGEXP ${written(pattern, POSIX_LIKE)}`),
} as const;
