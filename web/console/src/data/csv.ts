/** What can separate the cells of a row, the most usual first. */
const DELIMITERS = [',', ';', '\t'] as const;

/** A row of a file, and the line on which it ends, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Where a spreadsheet would begin to read a formula: at the start of a cell, and after a character that separates cells or
 * rows in some locales, because a spreadsheet that splits cells there ignores the quotes. Where a mark is already, it gets
 * another one, so that an import can remove one (src/resources/bulk/csv-columns.ts).
 */
const FORMULA = /(^|[;\t\r\n])(?='*\s*[=+\-@])/g;
/** The start of a list that could be read as its form in JSON, and what separates the entries of other lists. */
const ODD_ENTRY = /^$|[\s,;]|^\[\s*"/;

/** A row of CSV with values of the graph, which an import reads as they are. */
export function lineOf(values: readonly unknown[]): string {
  return `${values.map((value) => quoted(cellOf(value))).join(',')}\r\n`;
}

/** A row of CSV with cells as they were in a file. */
export function lineOfCells(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
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

function quoted(cell: string): string {
  // A parser removes spaces around a cell without quotes.
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Reads CSV whose cells are separated by what its first row contains most often. Rows without any text are left out. A
 * quote that is not closed ends with the text.
 */
export function parseCsv(text: string): readonly CsvRow[] {
  const plain = text.replace(/^\uFEFF/, '');
  const rest = `[^${delimiterOf(plain)}\\r\\n]*`;
  const cells = new RegExp(`"([^"]*(?:""[^"]*)*)"?(${rest})|(${rest})`, 'y');
  const rows: CsvRow[] = [];
  let row: string[] = [];
  let line = 1;
  for (let at = 0; at <= plain.length;) {
    // Spaces before a quote are no part of the cell.
    while (plain[at] === ' ') at++;
    cells.lastIndex = at;
    const [whole = '', inner, after = '', outer = ''] = cells.exec(plain) ?? [];
    row.push(inner === undefined ? outer.trim() : inner.replaceAll('""', '"') + after.trimEnd());
    at += whole.length;
    line += inner === undefined ? 0 : inner.split(/\r\n?|\n/).length - 1;
    const end = plain[at];
    if (end !== undefined && end !== '\r' && end !== '\n') {
      at++;
      continue;
    }
    if (row.some((cell) => cell !== '')) rows.push({ line, cells: row });
    row = [];
    line++;
    at += end === '\r' && plain[at + 1] === '\n' ? 2 : 1;
  }
  return rows;
}

/** What the first row of a text contains most often, outside of quotes. */
function delimiterOf(text: string): string {
  const first = /^[\r\n ]*((?:"[^"]*"?|[^"\r\n])*)/.exec(text)?.[1]?.replace(/"[^"]*"?/g, '') ?? '';
  const count = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce<string>((most, each) => (count(each) > count(most) ? each : most), ',');
}
