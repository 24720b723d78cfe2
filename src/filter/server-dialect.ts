import { COLLATIONS } from '../database/ddl';
import { list, raw, sql, type Fragment } from '../database/fragment';
import { member, withEntry, type FilterDialect } from './dialect';
import { POSIX_LIKE, writePattern } from './pattern/pattern';
import { scalar, within, type Form, type ListForm, type Term } from './term';

const NUMBERS = ['INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'];

export const mysqlDialect = serverDialect(
  COLLATIONS.mysql,
  (value, pattern) => sql`REGEXP_LIKE(${value}, ${writePattern(pattern, POSIX_LIKE)}, 'c')`,
);

export const mariadbDialect = serverDialect(
  COLLATIONS.mariadb,
  (value, pattern) => sql`${value} REGEXP ${writePattern(pattern, POSIX_LIKE)}`,
);

/** The dialect of MySQL and MariaDB, which share JSON functions and differ in collations and regular expressions. */
function serverDialect(collation: string, matches: FilterDialect['matches']): FilterDialect {
  const text = (value: Fragment): Fragment => sql`(CONVERT(${value} USING utf8mb4) COLLATE ${raw(collation)})`;

  /** Whether an entry of a list meets a condition. */
  const someEntry = (json: Fragment, condition: (entry: Fragment) => Fragment): Fragment =>
    withEntry((entry) => {
      const value = entryOf(json, sql`${entry}.place - 1`);
      return some(sql`JSON_TABLE(${json}, '$[*]' COLUMNS (place FOR ORDINALITY)) ${entry}`, condition(value));
    });

  const listIn = (json: Fragment): ListForm => ({
    type: 'list',
    when: sql`${json} IS NOT NULL`,
    size: sql`JSON_LENGTH(${json})`,
    some: (condition) => someEntry(json, (entry) => condition(forms(entry))),
    at: (place) => valueAt(json, [place]),
  });

  const forms = (json: Fragment): Term => {
    const bare = sql`JSON_UNQUOTE(${json})`;
    return [
      scalar('string', text(bare), is(json, 'STRING')),
      scalar('number', sql`(${bare} + 0e0)`, is(json, ...NUMBERS)),
      scalar('boolean', sql`(${bare} = 'true')`, is(json, 'BOOLEAN')),
      { type: 'null', when: is(json, 'NULL') },
      { type: 'object', when: is(json, 'OBJECT') },
      { ...listIn(json), when: is(json, 'ARRAY') },
    ];
  };

  const valueAt = (json: Fragment, steps: readonly (string | number)[]): Term => {
    const [step] = steps;
    if (step === undefined) return forms(json);
    if (typeof step === 'number') {
      const rest = valueAt(entryOf(json, placeIn(json, step)), steps.slice(1));
      // JSON_EXTRACT treats a value that is not a list as a list of one entry.
      return within(rest, [is(json, 'ARRAY'), sql`JSON_LENGTH(${json}) > ${step < 0 ? -step - 1 : step}`]);
    }
    const place = steps.findIndex((each) => typeof each === 'number');
    const names = place < 0 ? steps : steps.slice(0, place);
    const path = `$${names.map((name) => member(String(name))).join('')}`;
    return valueAt(sql`JSON_EXTRACT(${json}, ${path})`, steps.slice(names.length));
  };

  return {
    text,
    matches,
    length: (value) => sql`CHAR_LENGTH(${value})`,
    digits: (value) => text(sql`CAST(CAST(${value} AS SIGNED) AS CHAR)`),
    isoTime: (value) =>
      text(
        sql`CONCAT(DATE_FORMAT(DATE_ADD('1970-01-01', INTERVAL ${value} DIV 1000 SECOND), '%Y-%m-%dT%H:%i:%s.'), LPAD(${value} MOD 1000, 3, '0'), 'Z')`,
      ),
    json: valueAt,
    // JSON_EXTRACT finds nothing in a text that is too deep, and fails in MySQL for one with a lone surrogate.
    whereReadable: (json, condition) => sql`(CASE JSON_VALID(${json}) WHEN 0 THEN FALSE ELSE ${condition} END)`,
    entries: (json): Form => {
      const list = listIn(json);
      return {
        ...list,
        below: (steps) => valueAt(json, steps),
        membersOf: (name) => [
          { ...list, some: (condition) => someEntry(json, (entry) => condition(valueAt(entry, [name]))) },
        ],
      };
    },
    hasObject: (json, names, condition) =>
      withEntry((entry) => {
        const columns = names.map((name) => `${name} VARCHAR(253) PATH '$${member(name)}'`).join(', ');
        return some(
          sql`JSON_TABLE(${json}, '$[*]' COLUMNS (${raw(columns)})) ${entry}`,
          condition((name) => text(sql`${entry}.${raw(name)}`)),
        );
      }),
    texts: (json): Form => ({
      ...listIn(json),
      some: (condition) =>
        withEntry((entry) => {
          const item = scalar('string', text(sql`${entry}.item`));
          return some(
            sql`JSON_TABLE(${json}, '$[*]' COLUMNS (item VARCHAR(300) PATH '$')) ${entry}`,
            condition([item]),
          );
        }),
    }),
  };
}

function is(json: Fragment, ...types: readonly string[]): Fragment {
  return sql`JSON_TYPE(${json}) IN (${list(types)})`;
}

function entryOf(json: Fragment, place: Fragment): Fragment {
  return sql`JSON_EXTRACT(${json}, CONCAT('$[', ${place}, ']'))`;
}

/**
 * Uses COUNT(*) instead of EXISTS: MySQL 9.7 may convert EXISTS to a semi-join that reads the list of one row for all
 * rows.
 */
function some(entries: Fragment, condition: Fragment): Fragment {
  return sql`(SELECT COUNT(*) FROM ${entries} WHERE ${condition}) > 0`;
}

/**
 * Computes an index from the end with the length of the list: MariaDB 10.11 evaluates `last` correctly only in the
 * first row.
 */
function placeIn(json: Fragment, place: number): Fragment {
  return place < 0 ? sql`JSON_LENGTH(${json}) - ${-place}` : sql`${place}`;
}
