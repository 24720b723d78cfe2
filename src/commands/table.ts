import { inspect, styleText } from 'node:util';

import { LIVE_STATES } from '../sip/calls/call';
import { escapeInvisible, escapeOf, INVISIBLE } from '../spelling/invisible';

/** How a text is marked on a terminal: what works, what does not, and headings. */
export type Mark = 'good' | 'bad' | 'heading';

const STYLES = { good: 'green', bad: 'red', heading: 'bold' } as const;

/** Returns a text in the color of a mark, if standard output is a terminal with colors and NO_COLOR is not set. */
export function color(mark: Mark, text: string): string {
  return process.stdout.isTTY && process.stdout.hasColors()
    ? styleText(STYLES[mark], text, { validateStream: false })
    : text;
}

const GOOD = ['OK', 'NOT_NEEDED', 'REACHABLE', 'REGISTERED', 'MOVED', 'RINGS', 'LEAVES', ...LIVE_STATES, 'ENDED', 'UP'];

/** The mark of what is in this state. */
export function markOf({ state }: { readonly state: string }): Mark {
  return GOOD.includes(state) ? 'good' : 'bad';
}

/** Returns a text on one line, without control characters: those of a terminal could hide or change other text. */
export function printable(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.map((each: unknown) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ')
        : value === null || value === undefined
          ? ''
          : JSON.stringify(value);
  return text.replace(INVISIBLE, escape);
}

const ESCAPE = String.fromCharCode(27);
// What `color` writes: other codes could hide text, such as 8.
const CODES = Object.values(STYLES).flatMap((style) => inspect.colors[style] ?? []);
const COLOR = new RegExp(`(${ESCAPE}\\[(?:${CODES.join('|')})m)`);

/**
 * Returns lines of text with escapes instead of characters that are invisible, or change how others are shown: a name could
 * otherwise look like another one. The colors of `color`, line feeds and tabs stay.
 */
export function visible(text: string): string {
  return text
    .split(COLOR)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(INVISIBLE, (each) => (/[\n\t]/.test(each) ? each : escape(each))),
    )
    .join('');
}

/** Returns JSON with the same value and without such characters. */
export function visibleJson(value: object): string {
  return escapeInvisible(JSON.stringify(value));
}

function escape(each: string): string {
  const code = each.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : escapeOf(code);
}

/** Writes rows below headings, in aligned columns. `markOf` marks the first column of a row. */
export function table<T>(
  rows: readonly T[],
  columns: Readonly<Record<string, (row: T) => unknown>>,
  markOf?: (row: T) => Mark,
): readonly string[] {
  // A name such as `telUrl` becomes the heading `TEL URL`.
  const names = Object.keys(columns).map((name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase());
  const lines = rows.map((row) => Object.values(columns).map((cell) => printable(cell(row))));
  const widths = names.map((name, index) => Math.max(name.length, ...lines.map((cells) => cells[index]?.length ?? 0)));
  const write = (cells: readonly string[], mark?: Mark): string => {
    const [first = '', ...others] = cells.map((cell, index) => cell.padEnd(widths[index] ?? 0));
    const line = [mark === undefined ? first : color(mark, first), ...others].join('  ');
    return line.trimEnd();
  };
  return [color('heading', write(names)), ...rows.map((row, index) => write(lines[index] ?? [], markOf?.(row)))];
}
