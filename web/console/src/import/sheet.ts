import { parseCsv, type CsvRow } from './csv';
import { importTexts } from './texts';

/** The rows of a file, and the field that each of its columns sets. */
export interface Sheet {
  readonly headings: readonly string[];
  readonly rows: readonly CsvRow[];
  /** The path of the field of each column; empty if it is not imported. */
  readonly fields: readonly string[];
}

/** What a reader typed into the cells of rows: by line, by field. */
export type Edits = ReadonlyMap<number, Readonly<Record<string, string>>>;

/** Columns of the largest file: each is shown with a choice of its field. */
const MAX_COLUMNS = 300;

/**
 * Reads the rows of a CSV text. Throws if it has none, too many columns, or a row with more cells than the header. A row with fewer is
 * how spreadsheets leave out empty cells at its end, but not where a file ends within it.
 */
export function readSheet(text: string, isFile: boolean): Omit<Sheet, 'fields'> {
  const [header, ...rows] = parseCsv(text);
  if (!header || rows.length === 0) throw new Error(importTexts.empty);
  if (header.cells.length > MAX_COLUMNS) throw new Error(importTexts.tooWide(header.cells.length, MAX_COLUMNS));
  const headings = header.cells.map((heading, index) => (heading === '' ? importTexts.unnamed(index + 1) : heading));
  const long = rows.find(({ cells }) => cells.slice(headings.length).some((cell) => cell !== ''));
  if (long) throw new Error(importTexts.tooLong(long.line));
  const named = header.cells.findLastIndex((cell) => cell !== '') + 1;
  const last = rows.at(-1);
  const isEnded = /[\r\n]/.test(text.slice(text.trimEnd().length));
  if (isFile && last && last.cells.length < named && !isEnded) throw new Error(importTexts.cutOff(last.line));
  return { headings, rows };
}

/** The cell of a field in a row. */
export function cellAt({ fields }: Sheet, { cells }: CsvRow, path: string): string {
  return cells[fields.indexOf(path)] ?? '';
}

/** The sheet after edits. A field that has no column yet gets one. */
export function edited(sheet: Sheet, edits: Edits): Sheet {
  const typed = [...new Set([...edits.values()].flatMap((cells) => Object.keys(cells)))];
  const added = typed.filter((path) => !sheet.fields.includes(path));
  const fields = [...sheet.fields, ...added];
  const rows = sheet.rows.map((row) => {
    const own = edits.get(row.line);
    return own ? { ...row, cells: fields.map((path, index) => own[path] ?? row.cells[index] ?? '') } : row;
  });
  return { headings: [...sheet.headings, ...added], fields, rows };
}

/** The sheet with another field for a column. The column that had the field is not imported any more. */
export function withField(sheet: Sheet, column: number, path: string): Sheet {
  const fields = sheet.fields.map((each, index) => {
    if (index === column) return path;
    return path !== '' && each === path ? '' : each;
  });
  return { ...sheet, fields };
}
