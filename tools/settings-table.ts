import { settings } from '../src/config/settings';

/** Generates the table of settings of docs/configuration.md in Markdown. */
export function settingsTable(): string {
  const rows = Object.entries(settings.shape).map(([name, schema]) => {
    const { description = '', shown } = schema.meta() ?? {};
    const fallback = schema.def.type === 'prefault' ? schema.def.defaultValue : '';
    return [`\`${name}\``, typeof shown === 'string' ? shown : fallback && `\`${fallback}\``, description];
  });
  return markdownTable([['Variable', 'Default', 'Meaning'], ...rows]);
}

/** A table in Markdown. The first row is its head. Aligns the columns as Prettier does. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}
