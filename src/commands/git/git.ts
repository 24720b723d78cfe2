import { InvalidArgumentError, type Command } from 'commander';

import { isFingerprint } from '../../changes/details';
import type { Database } from '../../database/database';
import type { OwnTransaction } from '../../database/sql';
import { ConflictError } from '../../errors';
import { fieldChanges } from '../../history/history-entry';
import { isValid } from '../../model/format/format';
import { labels } from '../../model/format/label';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { termsOf } from '../../jobs/pending/pending-service';
import { ChangeSetError } from '../../resources/bulk/change-set-error';
import { MAX_CHANGES, type Alongside, type AppliedChange } from '../../resources/bulk/change-set-service';
import { answering, CommandError, count, warn, type Answer } from '../answer';
import type { Databases } from '../databases';
import { linesOf, readerOf } from '../history';
import { replacePrivateFile } from '../private-file';
import { kindIn } from '../resources';
import { printable } from '../table';
import { changeSetsOf, pendingServiceOf } from './change-services';
import { addConfirmCommand, confirmationOf, withConfirmation, type ConfirmOptions } from './confirm';
import { isInside, readSource, readText, type TextFile } from './directory';
import { readDocuments } from './documents';
import { culpritsOf, type Culprit } from './drift';
import { assertForeseen } from './foreseen';
import { planOf, type Plan, type PlannedChange, type Scope } from './plan';
import { planText, readPlan, tooMany, type Origin } from './plan-file';
import { readTests, routeAll, type Routed, type RoutingTest } from './routing-tests';
import { SecretReferences } from './secret-references';
import {
  assertPassed,
  failedOf,
  jsonOfCalls,
  jsonOfTests,
  linesOfCalls,
  linesOfTests,
  routeWithin,
  TESTS_FAILED,
  type Trial,
} from './trial';

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

interface ApplyOptions extends SecretOptions {
  readonly plan: string;
  /** False with `--no-tests`. */
  readonly tests: boolean;
}

/** The exit codes of `plan` and `drift` for a server that is not what the directory says. */
const CHANGES = 2;
const DRIFT = 3;
/** Old secrets that the line about a revert names. */
const MOST_SECRETS = 5;
const MAX_PLAN = 64 * 1024 * 1024;
/** A command has no limits. */
const COMMAND = { request: undefined, charge: (): void => undefined };

/** Adds the commands that make a server what the documents in a directory say: `plan`, `apply`, `drift` and `test`. */
export function addGitCommands(program: Command, databases: Databases, model: Model, env: NodeJS.ProcessEnv): void {
  const secretsOf = ({ secrets }: SecretOptions): SecretReferences => new SecretReferences(env, secrets);
  const compare = (database: Database, directory: string, options: ScopeOptions): Promise<Compared> =>
    compareWith(database, databases, model, directory, {
      scope: { labels: options.label ?? [], kinds: options.kind ?? [] },
      secrets: secretsOf(options),
    });
  answering(
    withScope(
      program
        .command('plan')
        .description(
          'print the changes that would bring the server to the state in a directory, and what calls would do; the exit code is 2 if anything would change, and 4 if a test in tests.yml fails',
        )
        .argument('<directory>', 'directory with YAML or JSON documents, without secrets'),
      model,
    ).option('--out <file>', 'write a plan, which apply takes, to this file outside of the directory'),
    (directory: string, options: PlanOptions) =>
      databases.openExisting(async (database): Promise<Answer> => {
        if (options.out !== undefined) await assertOutside(options.out, directory);
        const origin = await newestEntry(database, model);
        const { files, ...plan } = await compare(database, directory, options);
        const { changes } = plan;
        const tests = assertTests(directory, files);
        const isTooLong = changes.length > MAX_CHANGES;
        if (isTooLong && options.out !== undefined) throw tooMany(changes.length);
        if (isTooLong) warn(`The changes were not tried, because they are more than ${String(MAX_CHANGES)}`);
        const isTried = !isTooLong && changes.length + tests.length > 0;
        const trial: Partial<Trial> = isTried
          ? await tryOut(database, databases, model, { planned: changes, secrets: secretsOf(options), tests })
          : {};
        const { simulated, routed } = trial;
        if (options.out !== undefined) await replacePrivateFile(options.out, planText(changes, origin, trial));
        return {
          text: [
            ...changes.flatMap((each) => linesOfChange(each)),
            ...(simulated ? linesOfCalls(simulated) : []),
            ...linesOfTests(routed ?? []),
            summaryOf(plan),
          ],
          json: {
            changes: changes.map((each) => jsonOf(each)),
            calls: simulated ? jsonOfCalls(simulated) : null,
            tests: jsonOfTests(routed ?? []),
            ...countsOf(plan),
          },
          code: codeOf(plan, routed ?? []),
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
            'make the changes of a plan as one request, or none of them if a resource was changed since the plan was made, if other calls would go differently than the plan foresaw, or if a test of the plan fails; the exit code is then 4',
          )
          .requiredOption('--plan <file>', 'file that plan --out wrote')
          .option('--no-tests', 'do not run the routing tests of the plan'),
      ),
    ),
    ({ plan: file, tests: hasTests, ...options }: ApplyOptions & ConfirmOptions) =>
      databases.openExisting(async (database): Promise<Answer> => {
        const terms = termsOf(options.confirmWithin, options.revertIf);
        const text = await readText(file, file, MAX_PLAN);
        const { origin, changes, calls, tests } = await readPlan(model, text, secretsOf(options));
        if (origin) await assertOrigin(database, origin);
        if (!hasTests && tests.length > 0) warn(`${count(tests.length, 'test')} not run, because of --no-tests`);
        // After the changes, in their transaction.
        const verify = async (transaction: OwnTransaction): Promise<void> => {
          if (hasTests) assertPassed(await routeWithin(transaction, databases, model, tests));
        };
        const alongside: Alongside = (_transaction, { simulated }) => {
          if (calls) assertForeseen(calls, simulated);
          return Promise.resolve(() => Promise.resolve());
        };
        const how = { dryRun: false, ...COMMAND, verify, ...(calls && { alongside }) };
        const { changes: applied, requestId } = terms
          ? await pendingServiceOf(database, databases, model).apply(changes, how, terms)
          : await changeSetsOf(database, databases, model).apply(changes, how);
        const made = applied.filter(({ outcome }) => outcome !== 'UNCHANGED');
        return {
          text: [
            ...made.map(({ outcome, kind, ref }) => `${outcome.toLowerCase()} ${kind} ${ref}`),
            requestId === undefined
              ? 'Nothing was changed'
              : `${count(made.length, 'change')} made; to revert them: sipgraph revert --request ${requestId}${secretsFor(applied)}`,
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
        .argument('<directory>', 'directory with YAML or JSON documents, without secrets'),
      model,
    ),
    (directory: string, options: ScopeOptions) =>
      databases.openExisting(async (database): Promise<Answer> => {
        const plan = await compare(database, directory, options);
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
      const tests = assertTests(directory, (await readSource(directory)).tests);
      if (tests.length === 0) throw new CommandError(`${directory} has no tests.yml with tests`);
      return databases.openToRead(async (read): Promise<Answer> => {
        const routed = await routeAll(read, model, tests);
        return {
          text: linesOfTests(routed),
          json: { tests: jsonOfTests(routed) },
          code: failedOf(routed).length > 0 ? 1 : 0,
        };
      });
    },
  );
}

/** The option that a revert of changes requires, because old secrets are not kept. */
function secretsFor(applied: readonly AppliedChange[]): string {
  const lost = applied.flatMap(({ ref, details }) =>
    Object.entries(details?.before ?? {}).flatMap(([name, value]) =>
      isFingerprint(value) ? [`${ref}:${name}=…`] : [],
    ),
  );
  if (lost.length === 0) return '';
  const more = lost.length - MOST_SECRETS;
  return ` --secret ${lost.slice(0, MOST_SECRETS).join(' ')}${more > 0 ? ` (and ${String(more)} more)` : ''}`;
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

/** A plan, and the files with routing tests beside its documents. */
interface Compared extends Plan {
  readonly files: readonly TextFile[];
}

/** Reads the documents of a directory, and compares them with the database. Throws CommandError with all mistakes. */
async function compareWith(
  database: Database,
  { actor }: Databases,
  model: Model,
  directory: string,
  { scope, secrets }: { readonly scope: Scope; readonly secrets: SecretReferences },
): Promise<Compared> {
  const { documents, tests: files, users } = await readSource(directory);
  const { wanted, mistakes, unknown } = await readDocuments(model, documents, secrets);
  if (wanted.length === 0 && mistakes.length === 0)
    // Otherwise, a wrong directory would delete all that is in the scope.
    throw new CommandError(`${directory} has no documents`);
  const plan = await planOf(database, model, actor, wanted, scope);
  const all = [...mistakes, ...plan.mistakes];
  if (all.length > 0)
    throw new CommandError(
      `${count(all.length, 'error')} in ${printable(directory)}; nothing was changed`,
      all.map(printable),
    );
  for (const file of users) warn(`${printable(file)} was skipped: users are not managed in a directory`);
  if (plan.skipped > 0) warn(`${count(plan.skipped, 'document')} of other kinds than those of --kind skipped`);
  if (unknown.length > 0)
    warn(
      `${count(unknown.length, 'document')} with members that the model does not define, which are left as stored: ${unknown.slice(0, 3).map(printable).join(', ')}${unknown.length > 3 ? ', …' : ''}`,
    );
  return { ...plan, files };
}

/** Reads the routing tests of a directory. Throws CommandError with all mistakes. */
function assertTests(directory: string, files: readonly TextFile[]): readonly RoutingTest[] {
  const { tests, mistakes } = readTests(files);
  if (mistakes.length > 0)
    throw new CommandError(`${count(mistakes.length, 'error')} in ${printable(directory)}`, mistakes.map(printable));
  return tests;
}

async function assertOutside(out: string, directory: string): Promise<void> {
  if (await isInside(out, directory))
    throw new CommandError(`${out} is in ${directory}, whose files are documents: write the plan to another directory`);
}

/** What is tried out. */
interface Tried {
  readonly planned: readonly PlannedChange[];
  readonly secrets: SecretReferences;
  readonly tests: readonly RoutingTest[];
}

/**
 * Makes the changes in a transaction that is rolled back, and says what calls would do, and whether the tests hold. Throws
 * CommandError with the places in the documents.
 */
async function tryOut(
  database: Database,
  databases: Databases,
  model: Model,
  { planned, secrets, tests }: Tried,
): Promise<Trial> {
  // Read as apply will read them.
  const { changes } = await readPlan(model, planText(planned, undefined), secrets);
  const placed = changes.map((change, index) => ({ ...change, place: placeOf(planned[index]) }));
  let routed: readonly Routed[] = [];
  const verify = async (transaction: OwnTransaction): Promise<void> => {
    routed = await routeWithin(transaction, databases, model, tests);
  };
  try {
    const { simulated } = await changeSetsOf(database, databases, model).simulate(placed, {
      after: 0,
      ...COMMAND,
      verify,
    });
    return { simulated, routed };
  } catch (error) {
    if (!(error instanceof ChangeSetError)) throw error;
    const mistakes = error.issues.map(({ path, message }) => `${path}: ${message}`);
    throw new CommandError(
      `${count(mistakes.length, 'change')} cannot be made; nothing was changed`,
      mistakes.map(printable),
    );
  }
}

function codeOf({ changes }: Plan, routed: readonly Routed[]): number {
  if (failedOf(routed).length > 0) return TESTS_FAILED;
  return changes.length > 0 ? CHANGES : 0;
}

function placeOf(change: PlannedChange | undefined): string {
  return change?.place ?? `delete ${String(change?.kind.name)} ${String(change?.ref)}`;
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
  return [`${type} ${kind.name} ${ref ?? '(new)'}${from}`, ...linesOf(details)];
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
