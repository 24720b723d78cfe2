import { randomBytes } from 'node:crypto';

import type { Actor } from '../../changes/actor';
import { storeNoted } from '../../changes/outbox';
import type { Database } from '../../database/database';
import type { Cancellable, OwnTransaction } from '../../database/sql';
import { DomainError, shorten } from '../../errors';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { CsvColumns } from '../bulk/csv-columns';
import { importCsv, type CsvResult } from '../bulk/csv-import';
import type { CsvRow } from '../bulk/csv-rows';
import { keyFieldsOf, refsByNaturalKey } from '../bulk/natural-keys';
import { inImport } from '../write/transactions';
import { changesOf, newValues, type Input } from '../write/input';
import { endOfTurn } from '../../limits/event-loop';
import { FAILED, type Rehearser } from '../../sip/simulation/simulation';
import type { Country } from '../../spelling/telephone';
import { MoveReport, NEW_SECRET, type Counted, type Mapping, type MovedRecord } from './moved-record';

/** Maximum number of records that could not be imported of which a report has the reasons. */
export const MAX_FAILURES = 100;

/** A record that could not be imported, and why. */
export interface MoveFailure {
  readonly place: string;
  readonly kind: string;
  readonly message: string;
}

/** The records of a kind. */
export interface MovedKind {
  readonly kind: string;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** A resource that is created with a new secret, because the old one is not stored. */
export interface NewSecret {
  readonly place: string;
  readonly kind: string;
  /** `user@domain`, or the user name of a peer. */
  readonly name: string;
}

/** What a move did, or would do. If a record failed, nothing was changed. */
export interface Moved {
  readonly kinds: readonly MovedKind[];
  readonly failures: readonly MoveFailure[];
  readonly failed: ReadonlySet<string>;
  /** Those of `failed` that name no other failed record. */
  readonly causes: ReadonlySet<string>;
  readonly missing: readonly Counted[];
  readonly checks: readonly Counted[];
  readonly newSecrets: readonly NewSecret[];
}

/** Receives each resource that the database has, or would have. */
export type Receive = (
  kind: Kind,
  input: Input,
  resource: { readonly ref: string; readonly isReferred: boolean },
) => void;

/** How to move. */
export interface MoveOptions {
  readonly actor: Actor;
  readonly home: Country | undefined;
  readonly apply: boolean;
  /** Places of records that are left out. */
  readonly skip: ReadonlySet<string>;
  /** Called before the first resource, and again if the transaction is repeated. */
  readonly begin?: (() => Receive) | undefined;
  /** Called between batches, with how many records were read. */
  readonly progress: (records: number) => Promise<void> | void;
  /** Runs the writes: it compares what calls do before and after them, or lets them wait. */
  readonly rehearser?: Rehearser | undefined;
  /** When this is over, the move is rolled back. */
  readonly scope?: Cancellable | undefined;
  /** Whether a secret that is set counts as changed, because the result must not tell whether it is the stored one. */
  readonly hidesSecrets?: boolean;
}

/**
 * Creates or updates the resources of a mapping in one transaction, in the order of their references. With any failure, or
 * without `apply`, it is rolled back. A resource with the same natural key is updated, so a repeated move changes nothing.
 */
export async function moveAll(
  database: Database,
  model: Model,
  mappingFor: (report: MoveReport) => Promise<Mapping>,
  options: MoveOptions,
): Promise<Moved> {
  let moved: Moved | undefined;
  const { apply, rehearser, scope } = options;
  const attempt = async (transaction: OwnTransaction): Promise<boolean> => {
    const write = async (): Promise<typeof FAILED | undefined> => {
      const report = new MoveReport(); // it may run again, and the transaction is repeated after a conflict
      const mapping = await mappingFor(report);
      const mover = new Mover(transaction, options);
      for (const kind of model.inReferenceOrder) {
        const records = mapping[kind.name];
        if (records) await mover.move(kind, records());
      }
      moved = movedOf(mover, report);
      if (moved.failed.size > 0) return FAILED;
      if (rehearser) await storeNoted(transaction, 1); // what is undone must not be stored at the end
      return undefined;
    };
    const written = await (rehearser ? rehearser.rehearse(transaction, write, endOfTurn) : write());
    return apply && written !== FAILED;
  };
  await inImport(database, attempt, { seesCommits: true, isRehearsal: !apply && rehearser !== undefined, scope });
  if (!moved) throw new Error('The move did not run');
  return moved;
}

/** What was moved, with what is reported of it. */
export function movedOf(
  { kinds, failures, failed, causes, newSecrets }: Omit<Moved, 'missing' | 'checks'>,
  { missing, checks }: MoveReport,
): Moved {
  const [first] = newSecrets;
  const what = 'a user who gets a new secret, because the old one is not stored';
  const ofSecrets = first ? [{ what, count: newSecrets.length, first: first.place }] : [];
  return { kinds, failures, failed, causes, newSecrets, missing, checks: [...checks, ...ofSecrets] };
}

/** What is known of records that were moved before, in transactions of their own. */
export interface Known {
  /** The refs of records by their keys. */
  readonly refs: ReadonlyMap<string, string>;
  /** The keys of records that failed. */
  readonly failedKeys: ReadonlySet<string>;
}

/** Moves records within a transaction. */
export class Mover {
  /** The refs of records by their keys. */
  readonly refs = new Map<string, string>();
  /** The keys of records that failed. */
  readonly failedKeys = new Set<string>();
  /** With `known`, the records that were created. */
  readonly created: MovedRecord[] = [];
  readonly kinds: MovedKind[] = [];
  readonly failures: MoveFailure[] = [];
  readonly failed = new Set<string>();
  readonly causes = new Set<string>();
  readonly newSecrets: NewSecret[] = [];
  private readonly receive: Receive | undefined;
  private records = 0;

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly options: MoveOptions,
    private readonly known?: Known,
  ) {
    this.receive = options.begin?.();
  }

  async move(kind: Kind, records: AsyncIterable<MovedRecord> | Iterable<MovedRecord>): Promise<void> {
    const { actor, home, progress, hidesSecrets = false } = this.options;
    const columns = new CsvColumns(kind, home);
    const counts = { new: 0, updated: 0, unchanged: 0, failed: 0 };
    /** Of the batch that is being written. */
    const batch = new Map<number, { readonly record: MovedRecord; readonly row: CsvRow }>();
    const report = (result: CsvResult): void => {
      const written = batch.get(result.line);
      batch.delete(result.line);
      counts[result.result]++;
      if (!written) return;
      const { key, place, cells } = written.record;
      if (result.result === 'new' && cells['secret'] === NEW_SECRET)
        this.newSecrets.push({ place, kind: kind.name, name: userOf(cells) });
      if (result.ref === undefined) this.fail(kind, written.record, result);
      else {
        if (key !== undefined) this.refs.set(key, result.ref);
        if (this.known && result.result === 'new') this.created.push(written.record);
        const isReferred = key !== undefined;
        this.receive?.(kind, columns.inputOf(written.row.record, { clears: false }), { ref: result.ref, isReferred });
      }
    };
    await importCsv(
      this.transaction,
      { kind, actor, columns, hidesSecrets },
      this.rows(kind, columns, records, batch),
      report,
      (rows) => progress(this.records + rows),
    );
    this.records += counts.new + counts.updated + counts.unchanged + counts.failed;
    const { new: created, updated, unchanged, failed } = counts;
    this.kinds.push({ kind: kind.name, created, updated, unchanged, failed });
  }

  private async *rows(
    kind: Kind,
    columns: CsvColumns,
    records: AsyncIterable<MovedRecord> | Iterable<MovedRecord>,
    batch: Map<number, { readonly record: MovedRecord; readonly row: CsvRow }>,
  ): AsyncGenerator<CsvRow> {
    let line = 0;
    for await (const record of records) {
      if (this.options.skip.has(record.place)) continue;
      const row = { line: ++line, record: await this.withSecret(kind, columns, this.withRefs(kind, record.cells)) };
      batch.set(line, { record, row });
      yield row;
    }
  }

  /** The cells with refs instead of the keys of records. */
  private withRefs(kind: Kind, cells: MovedRecord['cells']): MovedRecord['cells'] {
    const resolved: Record<string, string> = { ...cells };
    for (const { name } of kind.references) {
      const cell = cells[name];
      if (cell?.includes('#') === true)
        resolved[name] = cell.replace(/#(\S+)/g, (whole, key: string) => this.refOf(key) ?? whole);
    }
    return resolved;
  }

  private refOf(key: string): string | undefined {
    return this.refs.get(key) ?? this.known?.refs.get(key);
  }

  /** A new secret for a resource that does not exist yet; otherwise, the secret stays as it is. */
  private async withSecret(
    kind: Kind,
    columns: CsvColumns,
    cells: MovedRecord['cells'],
  ): Promise<MovedRecord['cells']> {
    if (cells['secret'] !== NEW_SECRET) return cells;
    const { secret: _, ...others } = cells;
    const ref = await this.existing(kind, columns.inputOf(cells, { clears: false, only: keyFieldsOf(kind) }));
    return ref === undefined ? { ...others, secret: randomBytes(16).toString('base64url') } : others;
  }

  /** The ref of the resource with a natural key; undefined if there is none, or if the key is not valid. */
  private async existing(kind: Kind, input: Input): Promise<string | undefined> {
    try {
      const [ref] = await refsByNaturalKey(this.transaction, kind, [newValues(changesOf(kind, input, false))]);
      return ref;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return undefined;
    }
  }

  /** Whether a record refers to one that failed. */
  private namesFailed(kind: Kind, cells: MovedRecord['cells']): boolean {
    return kind.references.some(({ name }) =>
      keysIn(cells[name]).some((key) => this.failedKeys.has(key) || this.known?.failedKeys.has(key) === true),
    );
  }

  private fail(kind: Kind, { place, key, cells }: MovedRecord, { issues }: CsvResult): void {
    this.failed.add(place);
    if (!this.namesFailed(kind, cells)) this.causes.add(place);
    if (key !== undefined) this.failedKeys.add(key);
    if (this.failures.length >= MAX_FAILURES) return;
    const message = issues.map((each) => {
      const value = each.value === undefined ? '' : ` (${JSON.stringify(each.value)})`;
      return `${each.column ?? 'record'}${value}: ${each.message}`;
    });
    this.failures.push({ place, kind: kind.name, message: shorten(message.join('; ')) });
  }
}

function userOf({ username = '', domains = '' }: MovedRecord['cells']): string {
  return domains === '' ? username : `${username}@${domains}`;
}

/** The keys of other records in a cell. */
function keysIn(cell = ''): readonly string[] {
  return [...cell.matchAll(/#(\S+)/g)].map(([, key = '']) => key);
}
