/** What can separate the cells of a row, the most usual first. */
const DELIMITERS = [',', ';', '\t'] as const;

/** A row of a file, and the line on which it ends, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
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
