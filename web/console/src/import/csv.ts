import { importTexts } from './texts';

/** What can separate the cells of a row, the most usual first. */
const DELIMITERS = [',', ';', '\t'] as const;

/** The start of a text with its header; the server looks at as much. */
const START = 64 * 1024;

/** A row of a file, and the line on which it begins, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads CSV whose cells are separated by what its first row contains most often. Rows without any text are left out.
 * Throws if a quote is not closed: the rest of the file would be one cell.
 */
export function parseCsv(text: string): readonly CsvRow[] {
  const plain = text.replace(/^\uFEFF/, '');
  const rest = `[^${delimiterOf(plain)}\\r\\n]*`;
  const cells = new RegExp(`"([^"]*(?:""[^"]*)*)("?)(${rest})|(${rest})`, 'y');
  const rows: CsvRow[] = [];
  let row: string[] = [];
  let line = 1;
  let first = line;
  for (let at = 0; at <= plain.length;) {
    // Spaces before a quote are no part of the cell.
    while (plain[at] === ' ') at++;
    cells.lastIndex = at;
    const [whole = '', inner, close, after = '', outer = ''] = cells.exec(plain) ?? [];
    if (close === '') throw new Error(importTexts.unclosed(line));
    row.push(inner === undefined ? outer.trim() : inner.replaceAll('""', '"') + after.trimEnd());
    at += whole.length;
    line += inner === undefined ? 0 : inner.split(/\r\n?|\n/).length - 1;
    const end = plain[at];
    if (end !== undefined && end !== '\r' && end !== '\n') {
      at++;
      continue;
    }
    if (row.some((cell) => cell !== '')) rows.push({ line: first, cells: row });
    row = [];
    first = ++line;
    at += end === '\r' && plain[at + 1] === '\n' ? 2 : 1;
  }
  return rows;
}

/** What the first row of a text contains most often, outside of quotes. */
function delimiterOf(text: string): string {
  const first = /^[\r\n ]*((?:"[^"]*"?|[^"\r\n])*)/.exec(text.slice(0, START))?.[1]?.replace(/"[^"]*"?/g, '') ?? '';
  const count = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce<string>((most, each) => (count(each) > count(most) ? each : most), ',');
}
