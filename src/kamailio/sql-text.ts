/**
 * A pseudo-variable's text in an SQL statement of the configuration. It goes as digits: what a stranger writes into a header
 * is no SQL in any `sql_mode`, whereas escapes are none where it has NO_BACKSLASH_ESCAPES.
 */
export function sqlText(variable: string): string {
  return `CONVERT(UNHEX('$(${variable}{s.encode.hexa})') USING utf8mb4)`;
}
