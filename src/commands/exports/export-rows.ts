import type { FileHandle } from 'node:fs/promises';

import { Argument, type Command } from 'commander';

import { fileNameOf, type Exported } from '../../jobs/exports/export-job';
import { linesOf, type Lines } from '../../jobs/exports/export-lines';
import { OTHER_KINDS } from '../../history/kinds';
import type { Model } from '../../model/model';
import { answering, CommandError, count } from '../answer';
import type { Databases } from '../databases';
import { timeIn } from '../history';
import { writePrivateFile } from '../private-file';

interface Conditions {
  readonly filter?: string;
  readonly since?: number;
  readonly jsonl?: boolean;
}

/** Adds the command `export-csv`, which writes what the graph's `startExport` writes. */
export function addExportRowsCommand(program: Command, databases: Databases, model: Model): void {
  const lists = ['calls', 'history', ...model.kinds.map(({ collection }) => collection)];
  answering(
    program
      .command('export-csv')
      .description('write calls, the history or the resources of a kind to a file, without secrets, as CSV')
      .addArgument(new Argument('<list>', 'what to write').choices(lists))
      .argument('[file]', 'file to write (default: <list>.csv or <list>.jsonl)')
      .option('--jsonl', 'write a JSON object on each line instead')
      .option('--filter <predicate>', 'only resources that match this JsonPath predicate')
      .option(
        '--since <time>',
        'only later calls or changes: a time such as 2026-03-01T10:15Z, or an age such as 24h',
        timeIn,
      ),
    (source: string, file: string | undefined, conditions: Conditions) =>
      databases.openToRead(async (reads) => {
        const format = conditions.jsonl === true ? 'JSONL' : 'CSV';
        const asked = JSON.stringify(askedIn(source, conditions, model));
        const exported: Exported = { source, format, asked, role: 'admin' };
        const lines = linesOf(exported, reads, model, (kind, { filter }, filters) =>
          filters.condition(kind, filter ?? undefined),
        );
        const path = file ?? fileNameOf(exported);
        // Not readable by others: it contains personal data.
        const rows = await writePrivateFile(path, (file) => writeTo(file, lines));
        return { text: [`Wrote ${count(rows, 'row')} to ${path}.`], json: { file: path, rows } };
      }),
  );
}

function askedIn(source: string, { filter, since }: Conditions, { kinds }: Model): object {
  const isOfKind = kinds.some(({ collection }) => collection === source);
  if (filter !== undefined && !isOfKind) throw new CommandError(`--filter does not apply to ${source}`);
  if (since !== undefined && isOfKind) throw new CommandError(`--since does not apply to ${source}`);
  if (isOfKind) return { filter };
  const from = { from: since };
  return source === 'calls'
    ? from
    : { ...from, kinds: [...kinds.map(({ name }) => name), ...Object.keys(OTHER_KINDS)] };
}

/** Writes a page at a time, so that memory use does not depend on the length. Returns the number of rows. */
async function writeTo(file: FileHandle, lines: Lines): Promise<number> {
  await file.writeFile(lines.header);
  let rows = 0;
  for (let last: Parameters<Lines['page']>[0] = null; ;) {
    const page = await lines.page(last);
    await file.writeFile(page.text);
    rows += page.rows;
    last = page.last ?? last;
    if (!page.more) return rows;
  }
}
