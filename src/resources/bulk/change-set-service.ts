import type { Actor } from '../../changes/actor';
import type { Details } from '../../changes/details';
import { forgetNoted, storeNoted } from '../../changes/outbox';
import type { Cancellable, OwnTransaction } from '../../database/sql';
import type { DomainError } from '../../errors';
import type { Model } from '../../model/model';
import { ownErrorOf } from '../write/transactions';
import type { IdempotencyKey, KeyTurns } from '../write/idempotency-key';
import { extraChargeOf, inputSizeOf } from '../write/input-size';
import { LaterWrites } from '../write/later-writes';
import { ChangedSinceError, type FindDifferences } from '../write/unchanged';
import { lockTargets, runWrites, type Write } from '../write/write-group';
import { Simulation, type Rehearsal, type Simulated } from '../../sip/simulation/simulation';
import {
  failuresIn,
  prepareChangeSet,
  type ChangeSetOptions,
  type GivenChange,
  type PreparedChange,
} from './change-set';
import { ChangeSetError } from './change-set-error';
import { groupByKind } from './grouped-changes';
import { limitPace } from './pace';

/** The maximum number of changes of a set. */
export const MAX_CHANGES = 1000;

/**
 * Work in the transaction of a set that is applied: it runs before the changes, which have been rehearsed, and what it returns runs
 * after them. Both run once in each attempt, and an error of either rolls the changes back.
 */
export type Alongside = (
  transaction: OwnTransaction,
  rehearsal: Rehearsal,
  rehearsed: readonly AppliedChange[],
) => Promise<(applied: readonly AppliedChange[]) => Promise<void>>;

/** How a set of changes is applied. */
export interface ApplyOptions extends ChangeSetOptions {
  /** Makes a retry safe: it returns what the first request with the key returned, without the details. */
  readonly key?: IdempotencyKey | undefined;
  /** The request. When it is over, the changes are rolled back. A command has none, and no limit of time. */
  readonly request: Cancellable | undefined;
  /** Charges the user for long resources, in rows. Throws RateLimitedError. */
  readonly charge: (rows: number) => void;
  /** Not for a dry run. */
  readonly alongside?: Alongside | undefined;
  /** Called once all is written, before the commit. An error refuses the changes. */
  readonly verify?: (transaction: OwnTransaction) => Promise<void>;
}

/** What a change of a set did, or would do. */
export interface AppliedChange {
  /** What became of the resource. */
  readonly outcome: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'DELETED';
  readonly kind: string;
  readonly ref: string;
  readonly localRef?: string | undefined;
  /** What was written. Undefined for what was not changed, and in the result of a repeated request. */
  readonly details?: Details | undefined;
}

/** What a set of changes did, or would do. */
export interface ChangeSetResult {
  /** In the order of the set. */
  readonly changes: readonly AppliedChange[];
  /** The id under which the history has the changes. Undefined if nothing was changed. */
  readonly requestId: string | undefined;
}

/** How a set of changes is simulated. */
export interface SimulateOptions extends Pick<ApplyOptions, 'ifUnchangedSince' | 'request' | 'charge' | 'verify'> {
  /** Only numbers after this row id are compared. */
  readonly after: number;
}

/** How the changes of a set are written. */
interface WriteOptions extends Pick<ApplyOptions, 'charge'> {
  readonly pace: () => Promise<void>;
  /** The changes in the order in which they are made: by default, the given one. */
  readonly ordered?: readonly PreparedChange[] | undefined;
  /** Whether what is written is undone, so that the history needs nothing of it. */
  readonly isUndone?: boolean;
}

/** What a set of changes would do, and what calls would do differently. */
export interface SimulatedChanges extends ChangeSetResult {
  readonly simulated: Simulated;
}

// Writes between two turns of the event loop: few on SQLite, whose statements block the process. Others share statements.
const CHUNK = { serial: 32, concurrent: 64 };
const OUTCOMES = { create: 'CREATED', update: 'UPDATED', delete: 'DELETED' } as const;

/** Applies sets of changes of resources of all kinds on behalf of an actor, each as a whole or not at all. */
export class ChangeSetService {
  constructor(
    private readonly model: Model,
    private readonly keys: KeyTurns,
    private readonly actor: Actor,
    private readonly find: FindDifferences,
    /** The node of the SIP server where calls arrive, if configured. */
    private readonly node: string | undefined,
  ) {}

  /**
   * Applies the changes in order. Throws a ChangeSetError with what is wrong with each change; then nothing was
   * changed.
   */
  apply(changes: readonly GivenChange[], options: ApplyOptions): Promise<ChangeSetResult> {
    const { dryRun, key, request: scope, alongside } = options;
    const work = async (transaction: OwnTransaction): Promise<ChangeSetResult> => {
      // What may be refused because it replaces a secret must not tell whether a guess is right.
      const hidesSecrets = dryRun || alongside !== undefined;
      const prepared = prepareChangeSet(changes, this.actor, { ...options, hidesSecrets });
      await this.lock(transaction, prepared);
      const pace = limitPace(transaction, scope, dryRun ? 'send fewer changes' : undefined);
      const write = (how: Pick<WriteOptions, 'charge' | 'isUndone'>): Promise<readonly AppliedChange[]> =>
        this.write(transaction, prepared, { ...how, pace });
      const rehearse = async (work: Alongside): ReturnType<Alongside> => {
        const simulation = this.simulation();
        const rehearsed = await simulation.rehearse(
          transaction,
          () => write({ charge: () => undefined, isUndone: true }),
          pace,
        );
        return work(transaction, simulation.last, rehearsed);
      };
      const after = alongside && (await rehearse(alongside));
      const applied = await write({ charge: options.charge });
      await options.verify?.(transaction);
      await after?.(applied);
      const isChanged = !dryRun && applied.some(({ outcome }) => outcome !== 'UNCHANGED');
      return { changes: applied, requestId: isChanged ? this.actor.requestId : undefined };
    };
    return this.describeConflict(this.keys.whole(work, { dryRun, key, scope, seesCommits: true }, withoutDetails));
  }

  /**
   * Makes the changes in a transaction that is rolled back, and compares what becomes of calls before and after them. Throws the
   * errors of `apply`.
   */
  simulate(changes: readonly GivenChange[], given: SimulateOptions): Promise<SimulatedChanges> {
    const { ifUnchangedSince, request: scope, charge, after, verify } = given;
    const simulation = this.simulation(after);
    let isGrouped = false;
    const work = async (transaction: OwnTransaction, inOrder = false): Promise<SimulatedChanges> => {
      const prepared = prepareChangeSet(changes, this.actor, { dryRun: true, ifUnchangedSince });
      const pace = limitPace(transaction, scope, 'send fewer changes', { field: 'changes', isSimulation: true });
      await this.lock(transaction, prepared);
      // SQLite runs statements without waiting.
      const grouped = inOrder || transaction.isSerial ? undefined : groupByKind(this.model.inReferenceOrder, prepared);
      isGrouped = grouped !== undefined;
      const write = async (): Promise<readonly AppliedChange[]> => {
        const applied = await this.write(transaction, prepared, { charge, pace, ordered: grouped, isUndone: true });
        await verify?.(transaction);
        return applied;
      };
      const written = await simulation.rehearse(transaction, write, pace);
      return { changes: written, requestId: undefined, simulated: simulation.found };
    };
    const options = { dryRun: true, isRehearsal: true, scope, seesCommits: true };
    const simulated = this.keys.whole(work, options).catch((error: unknown) => {
      // The given order may succeed where another one fails, and it has the errors to report.
      if (isGrouped && error instanceof ChangeSetError)
        return this.keys.whole((transaction) => work(transaction, true), options);
      throw error;
    });
    return this.describeConflict(simulated);
  }

  /** A simulation for the dry run of another service. Only numbers after the row id `after` are compared. */
  simulation(after = 0): Simulation {
    return new Simulation(after, this.node);
  }

  /** Locks what the changes are about. All locks come before the first read. */
  private lock(transaction: OwnTransaction, prepared: readonly PreparedChange[]): Promise<void> {
    const known = prepared.flatMap(({ write }) => (write && write.type !== 'create' ? [write] : []));
    return lockTargets(transaction, this.model.inReferenceOrder, known);
  }

  /**
   * Makes the valid changes, and awaits `pace` between parts of them. Throws a ChangeSetError with what is wrong with each of the
   * others.
   */
  private async write(
    transaction: OwnTransaction,
    prepared: readonly PreparedChange[],
    { charge, pace, ordered = prepared, isUndone = false }: WriteOptions,
  ): Promise<readonly AppliedChange[]> {
    const store = async (): Promise<void> => (isUndone ? forgetNoted(transaction) : storeNoted(transaction, 1));
    const valid = ordered.flatMap((each) => (each.write ? [{ each, write: each.write }] : []));
    // Resources may swap unique values.
    const later = new LaterWrites();
    const size = transaction.isSerial ? CHUNK.serial : CHUNK.concurrent;
    for (let start = 0; start < valid.length; start += size) {
      const chunk = valid.slice(start, start + size);
      const found = new Map<Write, Details | undefined>();
      const report = (write: Write, details: Details | undefined): void => {
        charge(extraChargeOf(inputSizeOf(details).characters));
        found.set(write, details);
      };
      const writes = chunk.map(({ write }) => write);
      const results = await runWrites(transaction, this.model.inReferenceOrder, writes, { report, later });
      for (const [index, { each, write }] of chunk.entries()) {
        const result = results[index];
        each.details = found.get(write);
        if (result?.status === 'rejected') each.error = ownErrorOf(result.reason);
      }
      await store();
      await pace();
    }
    await later.finish(transaction, pace, (write, error) => {
      const own = prepared.find((each) => each.write === write);
      if (!own) throw error;
      own.error ??= error;
    });
    await store();
    const failed = failuresIn(prepared);
    if (failed.length > 0) throw new ChangeSetError(failed);
    return prepared.map(appliedOf);
  }

  /** The result, or its error with what was changed of the resources that were changed since they were read. */
  private async describeConflict<T>(result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      // Read after the transaction, because reading the history may need another one.
      throw error instanceof ChangeSetError ? await this.withDifferences(error) : error;
    }
  }

  private async withDifferences({ failed }: ChangeSetError): Promise<ChangeSetError> {
    const conflicts = failed.flatMap(({ error }) => (error instanceof ChangedSinceError ? [error] : []));
    const described = new Map<DomainError, DomainError>();
    for (const kind of new Set(conflicts.map((each) => each.kind))) {
      const own = conflicts.filter((each) => each.kind === kind);
      const found = await this.find(kind, own.slice(0, MAX_DESCRIBED));
      for (const each of own) described.set(each, each.with(found.get(each.ref)));
    }
    return new ChangeSetError(failed.map((each) => ({ ...each, error: described.get(each.error) ?? each.error })));
  }
}

// The conflicts of a kind whose differences an error describes.
const MAX_DESCRIBED = 20;

function appliedOf({ given, write, details }: PreparedChange): AppliedChange {
  const { type, kind } = given;
  const isUnchanged = type === 'update' && details === undefined;
  return {
    outcome: isUnchanged ? 'UNCHANGED' : OUTCOMES[type],
    kind: kind.name,
    ref: write?.ref ?? '',
    ...(type === 'create' && given.localRef !== undefined && { localRef: given.localRef }),
    ...(details && { details }),
  };
}

/** What is stored of a result for a repeated request. */
export function withoutDetails({ changes, ...result }: ChangeSetResult): ChangeSetResult {
  return { ...result, changes: changes.map(({ details: _, ...each }) => each) };
}
