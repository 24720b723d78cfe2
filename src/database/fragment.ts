import type { SqlValue } from './sql';

/** A piece of SQL: the program's own text, and the values that travel beside it. */
export interface Fragment {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** SQL with its values: a Fragment stands where it is put, anything else becomes a place for a value. */
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

/** SQL that the program itself wrote, such as the name of a column; never a user's text. */
export function raw(text: string): Fragment {
  return { text, values: [] };
}

export const TRUE = raw('TRUE');
export const FALSE = raw('FALSE');

/** Whether all hold. */
export function all(parts: readonly (Fragment | undefined)[]): Fragment {
  const held = parts.filter((part): part is Fragment => part !== undefined && part.text !== 'TRUE');
  return held.some(({ text }) => text === 'FALSE') ? FALSE : joined(held, ' AND ', TRUE);
}

/** Whether one holds. */
export function any(parts: readonly Fragment[]): Fragment {
  return parts.includes(TRUE)
    ? TRUE
    : joined(
        parts.filter((part) => part !== FALSE),
        ' OR ',
        FALSE,
      );
}

/** Whether it does not hold; what is unknown (NULL) does not hold. */
export function not(part: Fragment): Fragment {
  if (part === TRUE) return FALSE;
  return part === FALSE ? TRUE : sql`(${part} IS NOT TRUE)`;
}

/** Values for a list in parentheses. */
export function list(values: readonly SqlValue[]): Fragment {
  return { text: values.map(() => '?').join(', '), values };
}

function joined(parts: readonly Fragment[], between: string, none: Fragment): Fragment {
  const [only] = parts;
  if (parts.length < 2) return only ?? none;
  return {
    text: `(${parts.map(({ text }) => text).join(between)})`,
    values: parts.flatMap(({ values }) => values),
  };
}
