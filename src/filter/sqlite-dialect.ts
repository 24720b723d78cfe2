import { list, sql, type Fragment } from '../database/fragment';
import { member, withEntry, type FilterDialect } from './dialect';
import { JAVASCRIPT, writePattern } from './pattern/pattern';
import { scalar, within, type ListForm, type Term } from './term';

type Steps = readonly (string | number)[];

/** The dialect of SQLite. */
export const sqliteDialect: FilterDialect = {
  text: (value) => value,
  matches: (value, pattern) => sql`${value} REGEXP ${writePattern(pattern, JAVASCRIPT)}`,
  length: (value) => sql`length(${value})`,
  digits: (value) => sql`CAST(CAST(${value} AS INTEGER) AS TEXT)`,
  isoTime: (value) =>
    sql`(strftime('%Y-%m-%dT%H:%M:%S.', ${value} / 1000, 'unixepoch') || printf('%03dZ', ${value} % 1000))`,
  json: valueAt,
  // SQLite reads every text that JavaScript writes.
  whereReadable: (_text, condition) => condition,
  texts: (json) => ({ ...listAt(json, []), when: sql`${json} IS NOT NULL` }),
  entries: (json) => {
    const list = { ...listAt(json, []), when: sql`${json} IS NOT NULL` };
    const below = (steps: Steps): Term => valueAt(json, steps);
    const membersOf = (name: string): Term => [
      {
        ...list,
        some: (condition) => someEntry(json, '$', (entry) => condition(valueAt(sql`${entry}.value`, [name]))),
      },
    ];
    return { ...list, below, membersOf };
  },
  hasObject: (json, _names, condition) =>
    someEntry(json, '$', (entry) => condition((name) => sql`json_extract(${entry}.value, ${pathOf([name])})`)),
};

function valueAt(json: Fragment, steps: Steps): Term {
  const type = (to: Steps): Fragment => sql`json_type(${json}, ${pathOf(to)})`;
  // SQLite also accepts an index for an object, so every indexed value must be checked to be a list.
  const lists = steps.flatMap((step, index) =>
    typeof step === 'number' ? [sql`${type(steps.slice(0, index))} = 'array'`] : [],
  );
  return within(forms(type(steps), sql`json_extract(${json}, ${pathOf(steps)})`, listAt(json, steps)), lists);
}

function forms(type: Fragment, value: Fragment, entries: Omit<ListForm, 'when'>): Term {
  const is = (...names: readonly string[]): Fragment => sql`${type} IN (${list(names)})`;
  return [
    scalar('string', value, is('text')),
    scalar('number', value, is('integer', 'real')),
    scalar('boolean', value, is('true', 'false')),
    { type: 'null', when: is('null') },
    { type: 'object', when: is('object') },
    { ...entries, when: is('array') },
  ];
}

function listAt(json: Fragment, steps: Steps): Omit<ListForm, 'when'> {
  const path = pathOf(steps);
  return {
    type: 'list',
    size: sql`json_array_length(${json}, ${path})`,
    at: (place) => valueAt(json, [...steps, place]),
    some: (condition) =>
      someEntry(json, path, (entry) => {
        const value = sql`${entry}.value`;
        // `json_each` fails for a value that is not JSON text, so other values are replaced by an empty list.
        const entries = listAt(sql`(CASE ${entry}.type WHEN 'array' THEN ${value} ELSE '[]' END)`, []);
        return condition(forms(sql`${entry}.type`, value, entries));
      }),
  };
}

/** Whether an entry of the list at a path meets a condition. */
function someEntry(json: Fragment, path: string, condition: (entry: Fragment) => Fragment): Fragment {
  return withEntry(
    (entry) => sql`EXISTS (SELECT 1 FROM json_each(${json}, ${path}) ${entry} WHERE ${condition(entry)})`,
  );
}

function pathOf(steps: Steps): string {
  return `$${steps.map((step) => (typeof step === 'string' ? member(step) : place(step))).join('')}`;
}

function place(index: number): string {
  return `[${index < 0 ? `#${String(index)}` : String(index)}]`;
}
