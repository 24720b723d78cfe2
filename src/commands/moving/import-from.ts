import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { Argument, type Command } from 'commander';

import { readOnce } from '../../database/foreign/foreign-copy';
import { openForeignDatabase } from '../../database/foreign/foreign-database';
import { openForeignPostgres } from '../../database/foreign/foreign-postgres';
import { isDatabaseUrl } from '../../database/foreign/foreign-queries';
import type { ForeignSource } from '../../database/foreign/foreign-source';
import { dumpIn, openDump } from '../../database/foreign/sql-dump';
import type { Model } from '../../model/model';
import { moveAll, type Moved, type MoveOptions } from '../../resources/moving/move';
import { MoveReport, type Counted, type Mapping } from '../../resources/moving/moved-record';
import {
  mapperOf,
  mappingOptions,
  moveValid,
  SYSTEMS,
  type MapAll,
  type MovedValid,
  type System,
} from '../../resources/moving/moving-sources';
import { mapRoutr, readRoutr } from '../../resources/moving/routr2-source';
import { answering, CommandError, count, type Answer } from '../answer';
import type { Databases } from '../databases';
import { wholeTextOf } from '../imports/text-file';
import { shellWord, startOf } from '../private-file';
import { printable, table } from '../table';
import { withProgress } from '../transfer';
import { DocumentFiles } from './moved-documents';

interface Options {
  readonly apply?: boolean;
  readonly out?: string;
  readonly secrets?: string;
  readonly gateway?: string;
  readonly newSecrets?: boolean;
  readonly skipInvalid?: boolean;
}

/** A source that is open. */
interface Given {
  readonly map: MapAll;
  readonly close: () => Promise<void>;
  /** Whether it is a server, which may be slow. */
  readonly isServer: boolean;
}

const SQLITE = 'SQLite format 3';
/** New secrets whose users are printed. */
const MOST_NAMED = 50;

/** Adds the command `import-from`. */
export function addImportFromCommand(program: Command, databases: Databases, model: Model): void {
  answering(
    program
      .command('import-from')
      .description(
        'read the configuration of another system, print what it would create and what has no counterpart, and create it with --apply, in one transaction',
      )
      .addArgument(new Argument('<system>', 'system to move from').choices(SYSTEMS))
      .argument(
        '<source>',
        'URL of its database (postgresql://…, mysql://… or sqlite:…), or a dump of it; of Routr v2 also a YAML or JSON file, or a directory with such files',
      )
      .option('--apply', 'make the changes')
      .option(
        '--out <directory>',
        'write documents for `sipgraph plan` to this new or empty directory, without secrets',
      )
      .option(
        '--secrets <directory>',
        'with --out, also write the secrets, to files in this new or empty directory that the documents name',
      )
      .option(
        '--gateway <name>',
        'gateway of the numbers that name none: its host or name in the source, or its name or ref here',
      )
      .option(
        '--new-secrets',
        'give users whose password is stored only as a digest a new secret, instead of leaving them out',
      )
      .option('--skip-invalid', 'leave out records that cannot be imported, instead of importing none'),
    async (system: System, source: string, options: Options): Promise<Answer> => {
      if (options.secrets !== undefined && options.out === undefined)
        throw new CommandError('--secrets requires --out');
      const files = options.out === undefined ? undefined : new DocumentFiles(options.out, options.secrets);
      await files?.assertNew();
      const { map, close, isServer } = await openGiven(system, source);
      try {
        const home = databases.config.homeCountry;
        // Others wait for the transaction, which must not wait for a server.
        if (isServer) await readAll(await map(new MoveReport(), mappingOptions(options, home, new Set())));
        const moved = await databases[options.apply === true ? 'openPrepared' : 'openExisting']((database) => {
          return withProgress((progress) =>
            moveValid((skip) => {
              const mapping = (report: MoveReport): Promise<Mapping> =>
                map(report, mappingOptions(options, home, skip));
              return moveAll(database, model, mapping, {
                actor: { ...databases.actor, channel: 'IMPORT' },
                home,
                apply: options.apply === true,
                skip,
                begin: files && (() => files.begin()),
                progress,
              } satisfies MoveOptions);
            }, options.skipInvalid === true),
          );
        });
        const written = moved.failed.size === 0 || options.skipInvalid === true ? await files?.write() : undefined;
        return answerOf(moved, {
          isApplied: options.apply === true && moved.failed.size === 0,
          written,
          request: String(databases.actor.requestId),
          next: nextOf(options),
        });
      } finally {
        await close();
      }
    },
  );
}

/** Opens a source. Throws InvalidInputError, or the error of the file. */
async function openGiven(system: System, given: string): Promise<Given> {
  if (system === 'routr2' && !isDatabaseUrl(given)) {
    const files = await documentFiles(given);
    if (files) {
      const texts = files.map(async (name) => ({ name, text: await wholeTextOf(name) }));
      const documents = readRoutr(await Promise.all(texts));
      return {
        map: (report, options) => Promise.resolve(mapRoutr(documents, report, options)),
        close: () => Promise.resolve(),
        isServer: false,
      };
    }
  }
  const isServer = isDatabaseUrl(given) && !/^sqlite:/i.test(given);
  const opened = await openSource(given);
  try {
    const source = isServer ? readOnce(opened) : opened;
    return { map: mapperOf(system, source), close: () => source.close(), isServer };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Reads all records of a mapping, and with them what they come from. */
async function readAll(mapping: Mapping): Promise<void> {
  for (const records of Object.values(mapping)) await finished(Readable.from(records()).resume());
}

async function openSource(given: string): Promise<ForeignSource> {
  if (/^postgres(?:ql)?:\/\//i.test(given)) return openForeignPostgres(given);
  if (isDatabaseUrl(given)) return openForeignDatabase(given);
  if ((await stat(given)).isDirectory())
    throw new CommandError(`${given} is a directory: name a dump, or the URL of a database`);
  const start = (await startOf(given, SQLITE.length)).toString('latin1');
  return start === SQLITE ? openForeignDatabase(`sqlite:${given}`) : openDump(dumpIn(given));
}

/** The YAML and JSON files that a path names; undefined for another file. */
async function documentFiles(path: string): Promise<readonly string[] | undefined> {
  const isDocument = (name: string): boolean => /\.(?:ya?ml|json)$/.test(name);
  if (!(await stat(path)).isDirectory()) return isDocument(path) ? [path] : undefined;
  const names = (await readdir(path)).filter(isDocument).sort();
  if (names.length === 0) throw new CommandError(`${path} has no YAML or JSON files`);
  return names.map((name) => join(path, name));
}

function answerOf(
  { kinds, failures, failed, missing, checks, newSecrets, skipped, skippedPlaces }: MovedValid,
  {
    isApplied,
    written,
    request,
    next,
  }: {
    readonly isApplied: boolean;
    readonly written: string | undefined;
    readonly request: string;
    readonly next: string;
  },
): Answer {
  const many = kinds.filter((each) => each.created + each.updated + each.unchanged + each.failed > 0);
  return {
    text: [
      ...table(many, {
        kind: (each) => each.kind,
        [isApplied ? 'created' : 'to create']: (each) => each.created,
        [isApplied ? 'updated' : 'to update']: (each) => each.updated,
        unchanged: (each) => each.unchanged,
        failed: (each) => each.failed,
      }),
      ...countLines('Without counterpart', missing),
      ...countLines('To check', checks),
      ...secretLines(newSecrets),
      ...failureLines('Left out', skipped, skippedPlaces),
      ...failureLines('Cannot be imported', failures, failed.size),
      ...(written === undefined ? [] : [written]),
      lastLine(kinds, failed.size, { applied: isApplied ? request : undefined, next }),
    ],
    json: {
      applied: isApplied,
      kinds: many,
      missing,
      checks,
      newSecrets,
      skipped,
      skippedPlaces,
      failures,
      failed: failed.size,
    },
    code: failed.size > 0 ? 1 : 0,
  };
}

function countLines(heading: string, all: readonly Counted[]): readonly string[] {
  if (all.length === 0) return [];
  const lines = table(all, { count: (each) => each.count, what: (each) => each.what, first: (each) => each.first });
  return ['', `${heading}:`, ...lines, ''];
}

/** Who gets a new secret. */
function secretLines(all: Moved['newSecrets']): readonly string[] {
  if (all.length === 0) return [];
  const lines = all.slice(0, MOST_NAMED).map(({ kind, name, place }) => printable(`${kind} ${name} (${place})`));
  const more = all.length - lines.length;
  const others = more > 0 ? [`and ${String(more)} more, which --json names`] : [];
  return ['New secrets, which their devices need:', ...lines, ...others, ''];
}

/** How to make what a dry run reports. No full stop after a command, so that it can be copied. */
function nextOf({ out, secrets }: Options): string {
  if (out === undefined) return 'repeat the command with --apply.';
  const given = [out, ...(secrets === undefined ? [] : ['--secrets', secrets])].map(shellWord);
  return `compare the documents with the server: sipgraph plan ${given.join(' ')}`;
}

/** What was changed, and what to do next. `applied` is the request that made the changes, if any. */
function lastLine(
  kinds: Moved['kinds'],
  failed: number,
  { applied, next }: { readonly applied: string | undefined; readonly next: string },
): string {
  if (failed > 0)
    return `${count(failed, 'record')} cannot be imported; nothing was changed. Correct them, or leave them out with --skip-invalid.`;
  if (applied === undefined) return `Nothing was changed: ${next}`;
  const changed = kinds.reduce((sum, each) => sum + each.created + each.updated, 0);
  return changed === 0
    ? 'Nothing was changed.'
    : `${count(changed, 'resource')} created or updated; to take it back: sipgraph revert --request ${applied}`;
}

/** The reasons that are known of the failures at this many places. */
function failureLines(heading: string, all: Moved['failures'], places: number): readonly string[] {
  if (all.length === 0) return [];
  const lines = all.map(({ place, kind, message }) => printable(`${place} (${kind}): ${message}`));
  const more = places - new Set(all.map(({ place }) => place)).size;
  return ['', `${heading}:`, ...lines, ...(more > 0 ? [`and ${count(more, 'more record')}`] : []), ''];
}
