/**
 * Where a spreadsheet would begin to read a formula: at the start of a cell, and after a character that separates cells or
 * rows in some locales, because a spreadsheet that splits cells there ignores the quotes, also those that the cell begins
 * with. Where a mark is already, it gets another one, so that an import can remove one (src/resources/bulk/csv-columns.ts).
 */
const FORMULA = /(^|[;\t\r\n])(?=['"\s]*[=+\-@])/g;
/** The start of a list that could be read as its form in JSON, and what separates the entries of other lists. */
const ODD_ENTRY = /^$|[\s,;]|^\[\s*"/;

/** A row of CSV with values of the graph, which an import reads as they are. */
export function lineOf(values: readonly unknown[]): string {
  return `${values.map((value) => quote(cellOf(value))).join(',')}\r\n`;
}

/** A row of CSV with cells as they were in a file. */
export function lineOfCells(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

/** The text of a value in a cell. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.replace(FORMULA, "$1'");
  if (!Array.isArray(value)) return JSON.stringify(value);
  const entries: readonly unknown[] = value;
  const isPlain = entries.every((entry) => typeof entry === 'string' && !ODD_ENTRY.test(entry));
  return (isPlain ? entries.join(' ') : JSON.stringify(entries)).replace(FORMULA, "$1'");
}

function quote(cell: string): string {
  // A parser removes spaces around a cell without quotes.
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
