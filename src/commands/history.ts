import { InvalidArgumentError, Option, type Command } from 'commander';

import { ChangeLog } from '../changes/change-log';
import type { Details } from '../changes/details';
import { timeOf } from '../config/formats';
import type { Database } from '../database/database';
import { failureOf } from '../database/errors';
import { fieldChanges, type HistoryEntry } from '../history/history-entry';
import { HistoryReader } from '../history/history-reader';
import { OTHER_KINDS } from '../history/kinds';
import type { GivenSecret } from '../history/revert';
import { entryNumber, RevertService } from '../history/revert-service';
import { verifyHistory } from '../history/verify';
import type { Model } from '../model/model';
import { answering, CommandError, count, limitIn, moreOf } from './answer';
import type { Databases } from './databases';

interface Conditions {
  readonly kind?: string;
  readonly ref?: string;
  readonly user?: string;
  readonly request?: string;
  readonly since?: number;
  readonly limit: number;
}

interface Reverting {
  readonly request?: boolean;
  readonly dryRun?: boolean;
  readonly secret?: readonly GivenSecret[];
}

/** Adds the commands `history`, `history verify` and `revert`. */
export function addHistoryCommands(program: Command, databases: Databases, model: Model): void {
  const kinds = [...model.kinds.map(({ name }) => name), ...Object.keys(OTHER_KINDS)];
  const history = answering(
    program
      .command('history')
      .description('print who changed what, newest first')
      .addOption(new Option('--kind <kind>', 'only entries on this kind').choices(kinds))
      .option('--ref <ref>', 'only entries on the resource with this reference')
      .option('--user <name>', 'only changes by this user')
      .option('--request <id>', 'only changes of this request or run of a command')
      .option('--since <time>', 'only later changes: a time such as 2026-03-01T10:15Z, or an age such as 24h', timeIn)
      .option('--limit <number>', 'number of entries', limitIn, 50),
    ({ kind, user, since, limit, ref, request }: Conditions) =>
      databases.openExisting(async (database) => {
        const query = {
          kinds: kind === undefined ? kinds : [kind],
          ref,
          requestId: request,
          username: user,
          from: since,
        };
        const reader = readerOf(database);
        const { items, more } = await reader.page(query, { limit, backwards: false }, 'fields');
        if (items.length === 0 && request !== undefined && (await reader.count({ kinds, requestId: request })) === 0)
          throw new CommandError(`The history has no request ${request}`);
        const text = items.flatMap((entry) => [headlineOf(entry), ...linesOf(entry.details ?? {})]);
        return {
          text: [...text, ...moreOf('entries', more, limit)],
          json: { entries: items.map(jsonOf), more },
        };
      }),
  );
  answering(
    history
      .command('verify')
      .description('verify the hashes of the history: whether an entry was changed, removed or inserted')
      .option('--expect <entry:hash>', 'an entry and its hash that an earlier run printed', expectedIn),
    ({ expect }: { readonly expect?: { entry: number; hash: string } }) =>
      databases.openExisting(async (database) => {
        await logOf(database)
          .chain()
          .catch((error: unknown) => {
            if (failureOf(error).type !== 'duplicate') throw error;
            throw new CommandError(
              'The history was tampered with: entries have a hash after the last one that was hashed',
            );
          });
        const { problems, ...verified } = await verifyHistory(database, expect);
        const { entries, last, hash, since } = verified;
        if (problems.length > 0)
          throw new CommandError(
            `The history was tampered with: ${count(problems.length, 'problem')}`,
            problems.map(({ message }) => message),
          );
        const end = entries > 0 ? `; the last entry and its hash are ${String(last)}:${hash}` : '';
        const start = since === undefined ? [] : [`the history starts at ${since}; earlier entries were deleted`];
        return { text: [`${String(entries)} verified${end}`, ...start], json: verified };
      }),
  );
  answering(
    program
      .command('revert')
      .description('revert a change, or all changes of a request or an import')
      .argument('<entry>', 'number of the entry, or with --request the id of the request')
      .option('--request', 'revert all changes of the request or the run of a command with this id')
      .option('--dry-run', 'print what would change, without changing anything')
      .option(
        '--secret <[ref:]field=value...>',
        'secrets that the revert needs, because old ones are not kept',
        secretsIn,
      ),
    (given: string, { request = false, dryRun = false, secret = [] }: Reverting) =>
      databases.openExisting(async (database) => {
        const service = new RevertService(database, model, readerOf(database), databases.actor);
        const options = { dryRun, secrets: secret };
        const reverted = await (request
          ? service.request(given, options, Infinity)
          : service.entry(entryNumber(given), options));
        const text = reverted.flatMap(({ event, kind, ref, ...states }) => [
          `${event} ${kind} ${ref}`,
          ...linesOf(states),
        ]);
        const end = dryRun
          ? `${count(reverted.length, 'resource')} would change; nothing was reverted`
          : `${count(reverted.length, 'change')} reverted`;
        return {
          text: [...text, end],
          json: {
            dryRun,
            reverted: reverted.map(({ entry, kind, ref, event, ...states }) => ({
              ...{ entry, kind, ref, event },
              changes: fieldChanges(states),
            })),
          },
        };
      }),
  );
}

function logOf(database: Database): ChangeLog {
  return new ChangeLog(database, Infinity);
}

/** Reads the history for a command. */
export function readerOf(database: Database): HistoryReader {
  const log = logOf(database);
  return new HistoryReader(database, database.product, () => log.sequencer.settle());
}

function headlineOf(entry: HistoryEntry): string {
  const { at, event, kind, ref, username, channel, address, requestId, details } = entry;
  const { undoes, count: times, reason } = details ?? {};
  const told = { count: times, reverts: undoes };
  const numbers = Object.entries(told).flatMap(([name, each]) =>
    each === undefined ? [] : [`${name} ${String(each)}`],
  );
  const how = [channel, address, requestId, ...numbers, reason].filter((each) => each !== undefined).join(', ');
  const who = username === undefined ? '' : ` by ${username}`;
  return `${String(entry.rowId)} ${new Date(at).toISOString()} ${event} ${kind} ${ref}${who}${how === '' ? '' : ` (${how})`}`;
}

/** The lines that say which fields a change changes, without secrets. */
export function linesOf(details: Details): readonly string[] {
  return fieldChanges(details).map(({ field, before, after, isSecret }) => {
    if (field === 'extra') return '    extra: changed';
    if (isSecret) return `    ${field}: ${before === null ? 'set' : after === null ? 'removed' : 'changed'}`;
    const now = after === null ? 'nothing' : toldValue(details.after?.[field], after);
    return before === null
      ? `    ${field}: ${now}`
      : `    ${field}: ${toldValue(details.before?.[field], before)} -> ${now}`;
  });
}

/** A value for people; a list with commas. */
function toldValue(value: unknown, text: string): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(text);
  const quoteUnlessPlain = (each: unknown): string =>
    typeof each === 'string' && /^[^\s",[\]{}]+$/.test(each) ? each : JSON.stringify(each);
  return value.map(quoteUnlessPlain).join(', ');
}

function jsonOf({ rowId, at, channel, details, ...entry }: HistoryEntry): object {
  const { undoes, count: times, reason } = details ?? {};
  return {
    entry: rowId,
    at: new Date(at).toISOString(),
    ...entry,
    way: channel,
    ...(undoes !== undefined && { reverts: undoes }),
    ...(times !== undefined && { count: times }),
    ...(reason !== undefined && { reason }),
    changes: fieldChanges(details ?? {}),
  };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a time or an age. Throws InvalidArgumentError. */
export function timeIn(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const time = digits === undefined ? timeOf(text) : Date.now() - Number(digits) * (UNITS[unit] ?? 0);
  if (Number.isNaN(time)) throw new InvalidArgumentError('Expected a time such as 2026-03-01T10:15Z or 24h.');
  return time;
}

function expectedIn(text: string): { entry: number; hash: string } {
  const [, entry, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (entry === undefined || hash === undefined) throw new InvalidArgumentError('Expected ENTRY:HASH.');
  return { entry: Number(entry), hash };
}

function secretsIn(text: string, earlier: readonly GivenSecret[] = []): readonly GivenSecret[] {
  const [, ref, field, value] = /^(?:([\w-]{1,24}):)?([\w.]+)=([^]*)$/.exec(text) ?? [];
  if (field === undefined || value === undefined)
    throw new InvalidArgumentError('Expected FIELD=VALUE or REF:FIELD=VALUE.');
  return [...earlier, { field, value, ref }];
}
