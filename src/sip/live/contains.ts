import { raw, sql, type Fragment } from '../../database/fragment';
import { InvalidInputError } from '../../errors';

const MAX_LENGTH = 100;

/** Whether a SQL expression contains a text, ignoring case. Throws InvalidInputError if the text is too long. */
export function contains(expression: string, text: string, field = 'search'): Fragment {
  if (text.length > MAX_LENGTH) throw InvalidInputError.of(field, `is longer than ${String(MAX_LENGTH)} characters`);
  return sql`INSTR(LOWER(${raw(expression)}), LOWER(${text})) > 0`;
}
