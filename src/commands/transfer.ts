import { SingleBar } from 'cli-progress';
import { Option, type Command } from 'commander';

import type { Actor } from '../changes/actor';
import type { Config } from '../config/config';
import type { Model } from '../model/model';
import type { NumberRow } from '../resources/bulk/number-import';
import { answering, CommandError, count, warn } from './answer';
import type { Databases } from './databases';
import { exportTo } from './export';
import { importFiles, type Outcome } from './import';
import { importNumbers, messageOf } from './import-numbers';
import { table } from './table';

interface ImportOptions {
  readonly kind: 'Number' | 'DID';
  readonly dryRun?: boolean;
  readonly report?: string;
}

/** Adds the commands `import`, `import-numbers` and `export`. */
export function addTransferCommands(program: Command, databases: Databases, model: Model, config: () => Config): void {
  const actor: Actor = { ...databases.actor, channel: 'IMPORT' };
  answering(
    program
      .command('import')
      .description("import Routr v1's YAML or JSON files, in one transaction")
      .argument('<path...>', 'files, or directories that contain files')
      .option('--dry-run', 'print what would change, without changing anything'),
    (paths: readonly string[], { dryRun = false }: { readonly dryRun?: boolean }) =>
      databases[dryRun ? 'existing' : 'prepared'](async (database) => {
        const { outcomes, users, mistakes, notices } = await importFiles(database, model, paths, actor, !dryRun);
        for (const notice of notices) warn(notice);
        if (mistakes.length > 0)
          throw new CommandError(`${count(mistakes.length, 'error')}; nothing was imported`, mistakes);
        if (!dryRun) for (const user of users) for (const event of user.events) databases.changed(event, user);
        const lines = outcomes.map(({ result, kind, ref, place }) => `${result.padEnd(9)} ${kind} ${ref} (${place})`);
        for (const { warning, place } of outcomes) if (warning !== undefined) warn(`${place}: warning: ${warning}`);
        return { text: [...(dryRun ? lines : []), summary(outcomes, dryRun)], json: { dryRun, outcomes, notices } };
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
    (file: string, given: ImportOptions) =>
      databases[given.dryRun === true ? 'existing' : 'prepared'](async (database) => {
        const { kind, dryRun = false, report = `${file}.report.csv` } = given;
        const bar = new SingleBar({
          format: '{value} rows, {duration_formatted}',
          noTTYOutput: false,
          clearOnComplete: true,
        });
        bar.start(0, 0);
        const progress = (done: number): void => bar.update(done);
        const { first, ...counts } = await importNumbers(database, file, {
          kind: model.kindOf(kind),
          actor,
          home: config().homeCountry,
          report,
          dryRun,
          progress,
        }).finally(() => bar.stop());
        const { rows, created, unchanged, failed } = counts;
        const shown = dryRun ? preview(first, rows) : [];
        if (failed > 0)
          throw new CommandError(
            `${String(failed)} of ${String(rows)} rows failed; nothing was imported: see ${report}`,
            shown,
          );
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
      databases.existing(async (database) => {
        const counts = await exportTo(database, model, directory, { allowEmpty });
        return {
          text: [[...counts].map(([name, many]) => `${String(many)} ${name}`).join(', ')],
          json: { directory, counts: Object.fromEntries(counts) },
        };
      }),
  );
}

/** The first rows of a CSV file, with the result of each. */
function preview(first: readonly NumberRow[], rows: number): readonly string[] {
  const columns = {
    result: ({ result }: NumberRow) => result,
    line: ({ line }: NumberRow) => line,
    telUrl: ({ telUrl }: NumberRow) => telUrl,
    message: messageOf,
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
