import { SingleBar } from 'cli-progress';
import { Option, type Command } from 'commander';

import type { Actor } from '../changes/actor';
import type { Kind } from '../model/kind';
import type { Model } from '../model/model';
import { answering, CommandError, count, warn } from './answer';
import type { Databases } from './databases';
import { exportTo } from './export';
import { importFiles, type Outcome } from './imports/import';
import { importNumbers, importResources, problemsOf, type FileOptions, type ReportedRow } from './imports/import-csv';
import { kindArgument } from './resources';
import { table } from './table';

interface RowOptions {
  readonly dryRun?: boolean;
  readonly report?: string;
}

interface NumberOptions extends RowOptions {
  readonly kind: 'Number' | 'DID';
}

/** Adds the commands `import`, `import-csv`, `import-numbers` and `export`. */
export function addTransferCommands(program: Command, databases: Databases, model: Model): void {
  const actor: Actor = { ...databases.actor, channel: 'IMPORT' };
  answering(
    program
      .command('import')
      .description("import Routr v1's YAML or JSON files, in one transaction")
      .argument('<path...>', 'files, or directories that contain files')
      .option('--dry-run', 'print what would change, without changing anything'),
    (paths: readonly string[], { dryRun = false }: { readonly dryRun?: boolean }) =>
      databases[dryRun ? 'openExisting' : 'openPrepared'](async (database) => {
        const { outcomes, users, mistakes, notices } = await importFiles(database, model, paths, actor, !dryRun);
        for (const notice of notices) warn(notice);
        if (mistakes.length > 0)
          throw new CommandError(`${count(mistakes.length, 'error')}; nothing was imported`, mistakes);
        if (!dryRun) for (const user of users) for (const event of user.events) databases.logChange(event, user);
        const lines = outcomes.map(({ result, kind, ref, place }) => `${result.padEnd(9)} ${kind} ${ref} (${place})`);
        for (const { warning, place } of outcomes) if (warning !== undefined) warn(`${place}: warning: ${warning}`);
        return { text: [...(dryRun ? lines : []), summary(outcomes, dryRun)], json: { dryRun, outcomes, notices } };
      }),
  );
  answering(
    program
      .command('import-csv')
      .description(
        'create or update a resource for each row of a CSV file, in one transaction; columns: ref and the fields of the kind, as the console exports them',
      )
      .addArgument(kindArgument(model))
      .argument('<file>', 'CSV file with a header row, separated by commas, semicolons or tabs')
      .option('--dry-run', 'print what would change, without changing anything')
      .option('--report <file>', 'CSV file for the result of each row (default: <file>.report.csv)'),
    (kind: Kind, file: string, given: RowOptions) =>
      databases[given.dryRun === true ? 'openExisting' : 'openPrepared'](async (database) => {
        const options = { ...optionsOf(file, given), kind, actor, home: databases.config.homeCountry };
        const { dryRun, report } = options;
        const { first, ...counts } = await withProgress((progress) =>
          importResources(database, file, { ...options, progress }),
        );
        const { rows, created, updated, unchanged, failed } = counts;
        const shown = dryRun
          ? preview(first, rows, { ref: ({ ref = '', result }) => (result === 'new' ? '' : ref) })
          : [];
        if (failed > 0) throw failure(counts, report, shown);
        const text = dryRun
          ? `${count(rows, 'row')}: ${String(created)} to create, ${String(updated)} to update, ${String(unchanged)} unchanged; nothing was imported: see ${report}`
          : `${count(rows, 'row')}: ${String(created)} created, ${String(updated)} updated, ${String(unchanged)} unchanged; see ${report}`;
        const rowsShown = first.map(({ hasSecret: _, ref, ...row }) => (row.result === 'new' ? row : { ...row, ref }));
        return { text: [...shown, text], json: { ...(dryRun && { dryRun, first: rowsShown }), ...counts, report } };
      }),
  );
  answering(
    program
      .command('import-numbers')
      .description(
        'create a Number or DID for each row of a CSV file, in one transaction; columns: telUrl, aorLink, gwRef, city, country, countryISOCode',
      )
      .argument('<file>', 'CSV file with a header row')
      .addOption(new Option('--kind <kind>', 'kind to create').choices(['Number', 'DID']).default('Number'))
      .option('--dry-run', 'print what would be created, without creating anything')
      .option('--report <file>', 'CSV file for the result of each row (default: <file>.report.csv)'),
    (file: string, given: NumberOptions) =>
      databases[given.dryRun === true ? 'openExisting' : 'openPrepared'](async (database) => {
        const options = {
          ...optionsOf(file, given),
          kind: model.kindOf(given.kind),
          actor,
          home: databases.config.homeCountry,
        };
        const { dryRun, report } = options;
        const {
          first,
          updated: _,
          ...counts
        } = await withProgress((progress) => importNumbers(database, file, { ...options, progress }));
        const { rows, created, unchanged, failed } = counts;
        const shown = dryRun ? preview(first, rows, { telUrl: ({ telUrl }) => telUrl }) : [];
        if (failed > 0) throw failure(counts, report, shown);
        const text = dryRun
          ? `${count(rows, 'row')}: ${String(created)} to create, ${String(unchanged)} unchanged; nothing was imported: see ${report}`
          : `${count(rows, 'row')}: ${String(created)} created, ${String(unchanged)} unchanged; see ${report}`;
        const json = { ...(dryRun && { dryRun, first: first.map(({ ref: _, ...row }) => row) }), ...counts, report };
        return { text: [...shown, text], json };
      }),
  );
  answering(
    program
      .command('export')
      .description(
        "write all resources and users, including secrets, to files in Routr v1's format, which import reads",
      )
      .argument('<directory>', 'new or empty directory, or an earlier export, which is replaced')
      .option('--allow-empty', 'replace an earlier export even if the database has no resources'),
    (directory: string, { allowEmpty = false }: { readonly allowEmpty?: boolean }) =>
      databases.openExisting(async (database) => {
        const counts = await exportTo(database, model, directory, { allowEmpty });
        return {
          text: [[...counts].map(([name, many]) => `${String(many)} ${name}`).join(', ')],
          json: { directory, counts: Object.fromEntries(counts) },
        };
      }),
  );
}

function optionsOf(file: string, { dryRun = false, report }: RowOptions): Pick<FileOptions, 'dryRun' | 'report'> {
  return { dryRun, report: report ?? `${file}.report.csv` };
}

/** Shows on a terminal how many rows were read. */
export async function withProgress<T>(work: (progress: (rows: number) => void) => Promise<T>): Promise<T> {
  const format = '{value} rows, {duration_formatted}';
  const bar = new SingleBar({ format, noTTYOutput: false, clearOnComplete: true });
  bar.start(0, 0);
  return work((done) => bar.update(done)).finally(() => bar.stop());
}

function failure(
  { rows, failed }: { readonly rows: number; readonly failed: number },
  report: string,
  shown: readonly string[],
): CommandError {
  const message = `${String(failed)} of ${String(rows)} rows failed; nothing was imported: see ${report}`;
  return new CommandError(message, shown);
}

/** The first rows of a CSV file, with the result of each, and `own` columns. */
function preview<Row extends ReportedRow>(
  first: readonly Row[],
  rows: number,
  own: Readonly<Record<string, (row: Row) => unknown>>,
): readonly string[] {
  const columns = {
    result: ({ result }: Row) => result,
    line: ({ line }: Row) => line,
    ...own,
    message: problemsOf,
  };
  const lines = table(first, columns, ({ result }) => (result === 'failed' ? 'bad' : 'good'));
  return rows > first.length ? [...lines, `(${count(rows - first.length, 'more row')})`] : lines;
}

function summary(outcomes: readonly Outcome[], dryRun: boolean): string {
  const of = (result: Outcome['result']): string => String(outcomes.filter((each) => each.result === result).length);
  return dryRun
    ? `${of('create')} to create, ${of('update')} to update, ${of('unchanged')} unchanged; nothing was imported`
    : `${of('create')} created, ${of('update')} updated, ${of('unchanged')} unchanged`;
}
