import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';

import { InvalidArgumentError, type Command } from 'commander';

import { ChangeLog } from '../../changes/change-log';
import type { Database } from '../../database/database';
import { ConflictError } from '../../errors';
import { differencesOf } from '../../history/differences';
import { fieldChanges } from '../../history/history-entry';
import { HistoryReader } from '../../history/history-reader';
import { isValid } from '../../model/format/format';
import { labels } from '../../model/format/label';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { ChangeSetError } from '../../resources/bulk/change-set-error';
import type { GivenChange } from '../../resources/bulk/change-set';
import type { FindDifferences } from '../../resources/write/unchanged';
import { ChangeSetService, MAX_CHANGES, type ChangeSetResult } from '../../resources/bulk/change-set-service';
import { KeyTurns } from '../../resources/write/idempotency-key';
import { answering, CommandError, count, warn, type Answer } from '../answer';
import type { Databases } from '../databases';
import { linesOf } from '../history';
import { replacePrivateFile } from '../private-file';
import { kindIn } from '../resources';
import { printable } from '../table';
import {
  addConfirmCommand,
  confirmationOf,
  pendingServiceOf,
  termsIn,
  withConfirmation,
  type ConfirmOptions,
} from './confirm';
import { readSource, readText, type SourceFiles } from './directory';
import { readDocuments } from './documents';
import { culpritsOf, type Culprit } from './drift';
import { planOf, type Plan, type PlannedChange, type Scope } from './plan';
import { planText, readPlan, tooMany, type Origin } from './plan-file';
import { readTests, route, type Routed } from './routing-tests';
import { SecretReferences } from './secret-references';

interface SecretOptions {
  readonly secrets?: string;
}

interface ScopeOptions extends SecretOptions {
  readonly label?: readonly string[];
  readonly kind?: readonly Kind[];
}

interface PlanOptions extends ScopeOptions {
  readonly out?: string;
}

/** The exit codes of `plan` and `drift` for a server that is not what the directory says. */
const CHANGES = 2;
const DRIFT = 3;
/** How a command applies changes: without a request, a limit of time, or a charge. */
const FOR_COMMAND = { dryRun: false, request: undefined, charge: () => undefined };
const MAX_PLAN = 64 * 1024 * 1024;

/** Adds the commands that make a server what the documents in a directory say: `plan`, `apply`, `drift` and `test`. */
export function addGitCommands(program: Command, databases: Databases, model: Model, env: NodeJS.ProcessEnv): void {
  const secretsOf = ({ secrets }: SecretOptions): SecretReferences => new SecretReferences(env, secrets);
  const compare = async (database: Database, directory: string, options: ScopeOptions) => {
    const source = await readSource(directory);
    const plan = await compared(database, databases, model, directory, source, {
      scope: { labels: options.label ?? [], kinds: options.kind ?? [] },
      secrets: secretsOf(options),
    });
    return { plan, source };
  };
  answering(
    withScope(
      program
        .command('plan')
        .description(
          'print what would make the server what the documents in a directory say; the exit code is 2 if anything would change',
        )
        .argument('<directory>', 'directory with YAML or JSON documents, as export writes them'),
      model,
    ).option('--out <file>', 'write a plan, which apply takes, to this file outside of the directory'),
    (directory: string, options: PlanOptions) =>
      databases.existing(async (database): Promise<Answer> => {
        if (options.out !== undefined) await assertOutside(options.out, directory);
        const origin = await newestEntry(database, model);
        const { plan } = await compare(database, directory, options);
        const { changes } = plan;
        const text = planText(changes, origin);
        if (changes.length > 0 && changes.length <= MAX_CHANGES)
          await check(database, databases, model, changes, text, secretsOf(options));
        if (options.out !== undefined) {
          if (changes.length > MAX_CHANGES) throw tooMany(changes.length);
          await replacePrivateFile(options.out, text);
        }
        return {
          text: [...changes.flatMap((each) => linesOfChange(each)), summaryOf(plan)],
          json: { changes: changes.map((each) => jsonOf(each)), ...countsOf(plan) },
          code: changes.length > 0 ? CHANGES : 0,
        };
      }),
  );
  addConfirmCommand(program, databases, model);
  answering(
    withConfirmation(
      withSecrets(
        program
          .command('apply')
          .description(
            'make the changes of a plan as one request, or none of them if a resource was changed since the plan was made',
          )
          .requiredOption('--plan <file>', 'file that plan --out wrote'),
      ),
    ),
    ({ plan: file, ...options }: SecretOptions & ConfirmOptions & { readonly plan: string }) =>
      databases.existing(async (database): Promise<Answer> => {
        const terms = termsIn(options);
        const { origin, changes } = await readPlan(model, await readText(file, file, MAX_PLAN), secretsOf(options));
        if (origin) await assertOrigin(database, origin);
        const { changes: applied, requestId } = terms
          ? await pendingServiceOf(database, databases, model).apply(changes, FOR_COMMAND, terms)
          : await applySet(database, databases, model, changes, false);
        const made = applied.filter(({ outcome }) => outcome !== 'UNCHANGED');
        return {
          text: [
            ...made.map(({ outcome, kind, ref }) => `${outcome.toLowerCase()} ${kind} ${ref}`),
            requestId === undefined
              ? 'Nothing was changed'
              : `${count(made.length, 'change')} made; to revert them: sipgraph revert --request ${requestId}`,
            ...(terms && requestId !== undefined ? confirmationOf(requestId, terms) : []),
          ],
          json: {
            changes: applied.map(({ outcome, kind, ref }) => ({ outcome, kind, ref })),
            request: requestId ?? null,
          },
        };
      }),
  );
  answering(
    withScope(
      program
        .command('drift')
        .description(
          'print where the server differs from the documents in a directory, and who changed it; the exit code is then 3',
        )
        .argument('<directory>', 'directory with YAML or JSON documents, as export writes them'),
      model,
    ),
    (directory: string, options: ScopeOptions) =>
      databases.existing(async (database): Promise<Answer> => {
        const { plan } = await compare(database, directory, options);
        const culprits = await culpritsOf(readerOf(database), plan.changes);
        return {
          text: [
            ...plan.changes.flatMap((each) => [
              ...linesOfChange(each),
              ...(culprits.get(each) ?? []).map((culprit) => `    ${saidOf(culprit)}`),
            ]),
            summaryOf(plan),
          ],
          json: {
            changes: plan.changes.map((each) => ({ ...jsonOf(each), causes: culprits.get(each) ?? [] })),
            ...countsOf(plan),
          },
          code: plan.changes.length > 0 ? DRIFT : 0,
        };
      }),
  );
  answering(
    program
      .command('test')
      .description(
        'explain the calls in tests.yml of a directory, without a SIP server; the exit code is 1 if one goes another way than the test says',
      )
      .argument('<directory>', 'directory with a file tests.yml, also in directories below'),
    async (directory: string) => {
      const { tests, mistakes } = readTests((await readSource(directory)).tests);
      if (mistakes.length > 0)
        throw new CommandError(`${count(mistakes.length, 'error')} in ${printable(directory)}`, mistakes);
      if (tests.length === 0) throw new CommandError(`${directory} has no tests.yml with tests`);
      return databases.reading(async (read): Promise<Answer> => {
        const routed: Routed[] = [];
        for (const test of tests) routed.push(await route(read, model, test));
        const failed = routed.filter(({ difference }) => difference !== undefined);
        return {
          text: [...failed.map(failureOf), `${count(tests.length, 'test')}, ${String(failed.length)} failed`],
          json: { tests: routed.map(({ test, difference }) => ({ ...test, difference: difference ?? null })) },
          code: failed.length > 0 ? 1 : 0,
        };
      });
    },
  );
}

function withSecrets(command: Command): Command {
  return command.option(
    '--secrets <directory>',
    'directory with the files that documents name as file:…; env:… names a variable that begins with SIPGRAPH_SECRET_',
  );
}

function withScope(command: Command, { kinds }: Model): Command {
  return withSecrets(
    command
      .option(
        '--label <key=value>',
        'also delete resources with this label that have no document; each document must have the label (can be repeated)',
        (text: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), labelIn(text)],
      )
      .option(
        '--kind <kind>',
        'only this kind, and also delete its resources that have no document; with --label, only those with the label (can be repeated)',
        (text: string, earlier: readonly Kind[] | undefined) => [...(earlier ?? []), kindIn(kinds, text)],
      ),
  );
}

const LABELS = labels();

function labelIn(text: string): string {
  if (!isValid(LABELS, [text])) throw new InvalidArgumentError('Expected a label such as site=berlin.');
  return text;
}

/** Reads the documents, and compares them with the database. Throws CommandError with all mistakes. */
async function compared(
  database: Database,
  { actor }: Databases,
  model: Model,
  directory: string,
  { documents: files, users }: SourceFiles,
  { scope, secrets }: { readonly scope: Scope; readonly secrets: SecretReferences },
): Promise<Plan> {
  const { wanted, mistakes, unknown } = await readDocuments(model, files, secrets);
  if (wanted.length === 0 && mistakes.length === 0)
    // Otherwise, a wrong directory would delete all that is in the scope.
    throw new CommandError(`${directory} has no documents`);
  const plan = await planOf(database, model, actor, wanted, scope);
  const all = [...mistakes, ...plan.mistakes];
  if (all.length > 0)
    throw new CommandError(`${count(all.length, 'error')} in ${printable(directory)}; nothing was changed`, all);
  for (const file of users) warn(`${printable(file)} was skipped: users are not managed in a directory`);
  if (plan.skipped > 0) warn(`${count(plan.skipped, 'document')} of other kinds than those of --kind skipped`);
  if (unknown.length > 0)
    warn(
      `${count(unknown.length, 'document')} with members that the model does not define, which are left as stored: ${unknown.slice(0, 3).map(printable).join(', ')}${unknown.length > 3 ? ', …' : ''}`,
    );
  return plan;
}

async function assertOutside(out: string, directory: string): Promise<void> {
  const within = relative(await realpath(directory), resolve(out));
  if (within !== '' && !within.startsWith('..') && !isAbsolute(within))
    throw new CommandError(`${out} is in ${directory}, whose files are documents: write the plan to another directory`);
}

/** Makes the changes in a transaction that is rolled back. Throws CommandError with the places in the documents. */
async function check(
  database: Database,
  databases: Databases,
  model: Model,
  planned: readonly PlannedChange[],
  text: string,
  secrets: SecretReferences,
): Promise<void> {
  const { changes } = await readPlan(model, text, secrets);
  const placed = changes.map((change, index) => ({ ...change, place: placeOf(planned[index]) }));
  try {
    await applySet(database, databases, model, placed, true);
  } catch (error) {
    if (!(error instanceof ChangeSetError)) throw error;
    const mistakes = error.issues.map(({ path, message }) => `${path}: ${message}`);
    throw new CommandError(`${count(mistakes.length, 'change')} cannot be made; nothing was changed`, mistakes);
  }
}

function placeOf(change: PlannedChange | undefined): string {
  return change?.place ?? `delete ${String(change?.kind.name)} ${String(change?.ref)}`;
}

function applySet(
  database: Database,
  { actor }: Databases,
  model: Model,
  changes: readonly GivenChange[],
  dryRun: boolean,
): Promise<ChangeSetResult> {
  const find: FindDifferences = (kind, changed) => differencesOf(() => readerOf(database), kind, changed);
  const service = new ChangeSetService(model, new KeyTurns(database), actor, find, undefined);
  return service.apply(changes, { ...FOR_COMMAND, dryRun });
}

function readerOf(database: Database): HistoryReader {
  return new HistoryReader(database, database.product, () => new ChangeLog(database, Infinity).settle());
}

async function newestEntry(database: Database, model: Model): Promise<Origin | undefined> {
  const kinds = model.kinds.map(({ name }) => name);
  const { items } = await readerOf(database).page({ kinds }, { limit: 1, backwards: false }, 'fields');
  const [newest] = items;
  return newest && { entry: newest.rowId, at: newest.at };
}

/** Throws ConflictError if the history of a database does not have the entry that a plan was made after. */
async function assertOrigin(database: Database, { entry, at }: Origin): Promise<void> {
  const found = await readerOf(database).entry(entry);
  if (found?.at === at) return;
  throw new ConflictError(
    `The plan was made from another database, or from one whose history has since lost entry ${String(entry)}: make a new plan`,
    [],
  );
}

function linesOfChange({ type, kind, ref, place, details }: PlannedChange): readonly string[] {
  const from = place === undefined ? '' : ` (${printable(place)})`;
  return [`${type} ${kind.name} ${ref ?? '(new)'}${from}`, ...linesOf(fieldChanges(details))];
}

function jsonOf({ type, kind, ref, place, details }: PlannedChange): object {
  return {
    change: type,
    kind: kind.name,
    ref: ref ?? null,
    place: place ?? null,
    // What stands for a secret in the history says nothing here.
    changes: fieldChanges(details).map(({ field, before, after, isSecret }) =>
      isSecret ? { field, isSecret } : { field, before, after, isSecret },
    ),
  };
}

function countsOf({ changes, unchanged }: Plan): Readonly<Record<string, number>> {
  const of = (type: PlannedChange['type']): number => changes.filter((each) => each.type === type).length;
  return { creates: of('create'), updates: of('update'), deletes: of('delete'), unchanged };
}

function summaryOf(plan: Plan): string {
  const { creates, updates, deletes, unchanged } = countsOf(plan);
  return `${String(creates)} to create, ${String(updates)} to update, ${String(deletes)} to delete, ${String(unchanged)} unchanged`;
}

function saidOf({ event, fields, by, at, way, request, entry }: Culprit): string {
  const who = by === null ? '' : ` by ${by}`;
  const how = [way, request, `entry ${String(entry)}`].filter((each) => each !== null).join(', ');
  return `${fields.length > 0 ? `${fields.join(', ')}: ` : ''}${event.toLowerCase()}${who} at ${at} (${how})`;
}

function failureOf({ test, difference }: Routed): string {
  const { place, from, to, leaves, as, rings, refused } = test;
  const wanted =
    leaves === undefined
      ? rings === undefined
        ? `refused ${String(refused)}`
        : `rings ${rings}`
      : `leaves by ${leaves}${as === undefined ? '' : ` as ${as}`}`;
  return printable(
    `${place}: ${from === undefined ? '' : `${from} -> `}${to}: expected: ${wanted}; but the call ${String(difference)}`,
  );
}
