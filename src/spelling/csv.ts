/** What formulas begin with, also in full width, as East Asian keyboards write it. */
const SIGN = '[=+\\-@＝＋－＠]';
/**
 * The start of a formula, and a run of what may stand between a separator of cells or rows and a formula. A run is matched as a
 * whole, so that the time does not grow faster than the text.
 */
const FORMULA = new RegExp(`^[;'"\\s]*${SIGN}|[;\\t\\r\\n][;'"\\s]*${SIGN}?`, 'g');
const ENDS_WITH_SIGN = new RegExp(`${SIGN}$`);
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
  if (typeof value === 'string') return marked(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  const entries: readonly unknown[] = value;
  const isPlain = entries.every((entry) => typeof entry === 'string' && !ODD_ENTRY.test(entry));
  return marked(isPlain ? entries.join(' ') : JSON.stringify(entries));
}

/**
 * Puts `'` where a spreadsheet would begin to read a formula: at the start of a cell, and after a character that separates cells
 * or rows in some locales, because a spreadsheet that splits cells there ignores the quotes, also those that the cell begins with.
 * Where a mark is already, it gets another one.
 */
function marked(text: string): string {
  return beforeFormulas(text, (cell, isStart) => `${isStart ? "'" : ''}${cell.replace(/[\t\r\n]/g, "$&'")}`);
}

/** Removes the marks from a cell of an export. */
export function unmarked(text: string): string {
  return beforeFormulas(text, (cell, isStart) => cell.replace(isStart ? /(^|[\t\r\n])'/g : /([\t\r\n])'/g, '$1'));
}

/** Changes each formula with what stands before it in its cell; `isStart` tells whether the cell begins there. */
function beforeFormulas(text: string, change: (cell: string, isStart: boolean) => string): string {
  return text.replace(FORMULA, (run: string, at: number) => {
    if (!ENDS_WITH_SIGN.test(run)) return run;
    const start = run.lastIndexOf(';') + 1;
    return run.slice(0, start) + change(run.slice(start), start > 0 || at === 0);
  });
}

function quote(cell: string): string {
  // A parser removes spaces around a cell without quotes.
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
