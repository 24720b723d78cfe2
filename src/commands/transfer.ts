import { SingleBar } from 'cli-progress';
import { Option, type Command } from 'commander';

import type { Actor } from '../changes/actor';
import type { Config } from '../config/config';
import type { Model } from '../model/model';
import { answering, CommandError, count, warn } from './answer';
import type { Databases } from './databases';
import { exportTo } from './export';
import { importFiles, type Outcome } from './import';
import { importNumbers } from './import-numbers';

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
      .option('--report <file>', 'CSV file for the result of each row (default: <file>.report.csv)'),
    (file: string, given: { readonly kind: 'Number' | 'DID'; readonly report?: string }) =>
      databases.prepared(async (database) => {
        const { kind, report = `${file}.report.csv` } = given;
        const bar = new SingleBar({
          format: '{value} rows, {duration_formatted}',
          noTTYOutput: false,
          clearOnComplete: true,
        });
        bar.start(0, 0);
        const progress = (done: number): void => bar.update(done);
        const counts = await importNumbers(database, file, {
          kind: model.kindOf(kind),
          actor,
          home: config().homeCountry,
          report,
          progress,
        }).finally(() => bar.stop());
        const { rows, created, unchanged, failed } = counts;
        if (failed > 0)
          throw new CommandError(
            `${String(failed)} of ${String(rows)} rows failed; nothing was imported: see ${report}`,
          );
        const text = `${count(rows, 'row')}: ${String(created)} created, ${String(unchanged)} unchanged; see ${report}`;
        return { text: [text], json: { ...counts, report } };
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

function summary(outcomes: readonly Outcome[], dryRun: boolean): string {
  const of = (result: Outcome['result']): string => String(outcomes.filter((each) => each.result === result).length);
  return dryRun
    ? `${of('create')} to create, ${of('update')} to update, ${of('unchanged')} unchanged; nothing was imported`
    : `${of('create')} created, ${of('update')} updated, ${of('unchanged')} unchanged`;
}
