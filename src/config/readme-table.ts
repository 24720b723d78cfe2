import { settings } from './settings';

/** Generates the README's table of settings in Markdown. */
export function settingsTable(): string {
  const rows = Object.entries(settings.shape).map(([name, schema]) => {
    const { description = '', shown } = schema.meta() ?? {};
    const fallback = schema.def.type === 'prefault' ? schema.def.defaultValue : '';
    return [`\`${name}\``, typeof shown === 'string' ? shown : fallback && `\`${fallback}\``, description];
  });
  return table([['Variable', 'Default', 'Meaning'], ...rows]);
}

/** Aligns the columns as Prettier does. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}
