import type { Product } from './driver';
import { batchesOf } from './batches';
import type { SqlValue } from './sql';

/** A piece of SQL: trusted text with placeholders, and the values for them. */
export interface Fragment {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The tag for SQL templates: inserts a Fragment as SQL, and anything else as a placeholder with a value. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Fragment | SqlValue)[]): Fragment {
  let text = strings[0] ?? '';
  const values: SqlValue[] = [];
  parts.forEach((part, index) => {
    if (typeof part === 'object' && part !== null) {
      text += part.text;
      values.push(...part.values);
    } else {
      text += '?';
      values.push(part);
    }
    text += strings[index + 1] ?? '';
  });
  return { text, values };
}

/** Trusted SQL, such as the name of a column. Never pass text from a request. */
export function raw(text: string): Fragment {
  return { text, values: [] };
}

/** Follows a table's name in SQL, and makes the database use this index, whatever it knows about the table. */
export function useIndex(product: Product, name: string): Fragment {
  return raw(product === 'sqlite' ? `INDEXED BY ${name}` : `FORCE INDEX (${name})`);
}

export const TRUE = raw('TRUE');
export const FALSE = raw('FALSE');

/** The conjunction of the conditions that are not undefined. TRUE if there are none. */
export function all(parts: readonly (Fragment | undefined)[]): Fragment {
  const held = parts.filter((part): part is Fragment => part !== undefined && part.text !== 'TRUE');
  return held.some(({ text }) => text === 'FALSE') ? FALSE : join(held, ' AND ', TRUE);
}

/** The disjunction of conditions. FALSE if there are none. */
export function any(parts: readonly Fragment[]): Fragment {
  return parts.includes(TRUE)
    ? TRUE
    : join(
        parts.filter((part) => part !== FALSE),
        ' OR ',
        FALSE,
      );
}

/** The negation of a condition. NULL counts as false, so its negation is true. */
export function not(part: Fragment): Fragment {
  if (part === TRUE) return FALSE;
  return part === FALSE ? TRUE : sql`(${part} IS NOT TRUE)`;
}

/** Placeholders for a list of values, for use between the parentheses of `IN (…)`. */
export function list(values: readonly SqlValue[]): Fragment {
  return { text: values.map(() => '?').join(', '), values };
}

/** The rows of all these SELECTs. */
export function unionAll(parts: readonly Fragment[]): Fragment {
  return { text: parts.map(({ text }) => text).join(' UNION ALL '), values: parts.flatMap(({ values }) => values) };
}

// SELECTs in one statement, each of which is one index seek.
const MAX_SEEKS = 100;

/** Statements with the rows of all these SELECTs, `most` in each. Each SELECT may have an order and a limit of its own. */
export function statementsOf(selects: readonly Fragment[], most = MAX_SEEKS): readonly Fragment[] {
  const named = selects.map((select, n) => sql`SELECT * FROM (${select}) ${raw(`r${String(n % most)}`)}`);
  return batchesOf(named, most).map(unionAll);
}

function join(parts: readonly Fragment[], between: string, none: Fragment): Fragment {
  const [only] = parts;
  if (parts.length < 2) return only ?? none;
  return {
    text: `(${parts.map(({ text }) => text).join(between)})`,
    values: parts.flatMap(({ values }) => values),
  };
}
