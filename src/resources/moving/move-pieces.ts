import type { Database } from '../../database/database';
import type { OwnTransaction } from '../../database/sql';
import { InvalidInputError } from '../../errors';
import { endOfTurn } from '../../limits/event-loop';
import type { Kind } from '../../model/kind';
import type { Model } from '../../model/model';
import { inImport } from '../write/transactions';
import {
  MAX_FAILURES,
  movedOf,
  Mover,
  type Moved,
  type MovedKind,
  type MoveFailure,
  type MoveOptions,
  type NewSecret,
} from './move';
import { MoveReport, type Mapping, type MovedRecord } from './moved-record';

/** How to move in pieces. */
export interface PieceOptions extends Pick<MoveOptions, 'actor' | 'home' | 'apply' | 'skip'> {
  /** The most records. */
  readonly most: number;
  /**
   * Runs in the transaction of each piece that is kept, with how many records were read and how many changed something until then. An
   * error rolls it back.
   */
  readonly keep: (transaction: OwnTransaction, records: number, changed: number) => Promise<void>;
  /** Called after each piece, with how many records were read. */
  readonly next: (records: number) => Promise<void>;
  /** Runs a piece, perhaps again if another attempt may succeed. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Records per piece: a fifth of a second, for which others wait at most. */
const PIECE = 200;
/** What is between the entries of a list. */
const BETWEEN = /[\s,;]+/;

/**
 * Moves as `moveAll` does, but each piece in a transaction of its own, so that others can write meanwhile. With `apply`, it ends at the
 * first piece with a failure, which is rolled back; those before it stay. Without, all pieces are rolled back: each of them first
 * creates what its records refer to, as earlier pieces would have.
 */
export async function moveInPieces(
  database: Database,
  model: Model,
  mappingFor: (report: MoveReport) => Promise<Mapping>,
  options: PieceOptions,
): Promise<Moved> {
  const report = new MoveReport();
  const mapping = await mappingFor(report);
  const mover = new PieceMover(database, model, options);
  for (const kind of model.inReferenceOrder) {
    const records = mapping[kind.name];
    if (records && !(await mover.move(kind, records()))) break;
  }
  return movedOf(mover, report);
}

/** A record that was created, and must be created again in each dry run of one that refers to it. */
interface Created {
  readonly kind: Kind;
  readonly record: MovedRecord;
}

class PieceMover {
  private readonly refs = new Map<string, string>();
  private readonly failedKeys = new Set<string>();
  readonly failed = new Set<string>();
  readonly causes = new Set<string>();
  readonly failures: MoveFailure[] = [];
  readonly kinds: MovedKind[] = [];
  readonly newSecrets: NewSecret[] = [];
  /** In a dry run, by what other records call them (see `namesOf`). */
  private readonly created = new Map<string, Created>();
  private records = 0;
  /** How many of them changed something. */
  private changed = 0;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly options: PieceOptions,
  ) {}

  /** Moves the records of a kind. Returns false if a piece failed that should have been kept. */
  async move(kind: Kind, records: AsyncIterable<MovedRecord> | Iterable<MovedRecord>): Promise<boolean> {
    const { apply, skip, most, next } = this.options;
    const sum = { kind: kind.name, created: 0, updated: 0, unchanged: 0, failed: 0 };
    const places = new Map<string, string>();
    let piece: MovedRecord[] = [];
    const write = async (): Promise<boolean> => {
      const { created, updated, unchanged, failed } = await this.write(kind, piece);
      sum.failed += failed;
      // Otherwise it was rolled back.
      if (!apply || failed === 0) {
        sum.created += created;
        sum.updated += updated;
        sum.unchanged += unchanged;
      }
      this.records += piece.length;
      this.changed += created + updated;
      piece = [];
      await next(this.records);
      return !apply || failed === 0;
    };
    let isWhole = true;
    for await (const record of records) {
      if (skip.has(record.place)) continue;
      if (this.records + piece.length >= most)
        throw InvalidInputError.of('source', `has more than ${String(most)} records to move: use sipgraph import-from`);
      const earlier = firstOf(kind, record, places);
      if (earlier === undefined) piece.push(record);
      else {
        sum.failed++;
        this.failed.add(record.place);
        this.causes.add(record.place);
        this.note([{ place: record.place, kind: kind.name, message: `record: duplicates ${earlier}` }]);
      }
      if (piece.length === PIECE) isWhole = await write();
      if (!isWhole) break;
    }
    if (isWhole && piece.length > 0) isWhole = await write();
    this.kinds.push(sum);
    return isWhole && (!apply || sum.failed === 0);
  }

  private async write(kind: Kind, piece: readonly MovedRecord[]): Promise<MovedKind> {
    const { apply, keep, patiently } = this.options;
    const options: MoveOptions = { ...this.options, hidesSecrets: !apply, progress: endOfTurn };
    const parents = apply ? [] : this.parentsOf(kind, piece);
    let mover: Mover | undefined;
    const attempt = async (transaction: OwnTransaction): Promise<boolean> => {
      mover = new Mover(transaction, options, { refs: this.refs, failedKeys: this.failedKeys });
      for (const each of this.model.inReferenceOrder) {
        const own = parents.flatMap((parent) => (parent.kind === each ? [parent.record] : []));
        if (own.length > 0) await mover.move(each, own);
      }
      await mover.move(kind, piece);
      const { created, updated, failed } = countsOf(mover);
      const isKept = apply && failed === 0;
      if (isKept) await keep(transaction, this.records + piece.length, this.changed + created + updated);
      return isKept;
    };
    await patiently(() => inImport(this.database, attempt, { seesCommits: true }));
    if (!mover) throw new Error('The piece did not run');
    return this.take(kind, mover);
  }

  /** Notes what became of a piece, and returns its counts. */
  private take(kind: Kind, mover: Mover): MovedKind {
    this.newSecrets.push(...mover.newSecrets);
    for (const place of mover.failed) this.failed.add(place);
    for (const place of mover.causes) this.causes.add(place);
    for (const key of mover.failedKeys) this.failedKeys.add(key);
    this.note(mover.failures);
    for (const [key, ref] of mover.refs) this.refs.set(key, ref);
    if (!this.options.apply)
      for (const record of mover.created) {
        // Its ref was rolled back.
        if (record.key !== undefined) this.refs.delete(record.key);
        for (const name of namesOf(kind, record)) if (!this.created.has(name)) this.created.set(name, { kind, record });
      }
    return countsOf(mover);
  }

  private note(failures: readonly MoveFailure[]): void {
    this.failures.push(...failures.slice(0, MAX_FAILURES - this.failures.length));
  }

  /** The records that were created, and that these or their parents refer to. */
  private parentsOf(kind: Kind, records: readonly MovedRecord[]): readonly Created[] {
    const found = new Set<Created>();
    const add = (of: Kind, { cells }: MovedRecord): void => {
      for (const { name, refersTo } of of.references)
        for (const entry of (cells[name] ?? '').split(BETWEEN)) {
          const parent = this.created.get(entry.startsWith('#') ? entry : `${refersTo.target.name} ${entry}`);
          if (!parent || found.has(parent)) continue;
          found.add(parent);
          add(parent.kind, parent.record);
        }
    };
    for (const record of records) add(kind, record);
    return [...found];
  }
}

/** The counts of a piece, which is the last that was moved. */
function countsOf(mover: Mover): MovedKind {
  const counts = mover.kinds.at(-1);
  if (!counts) throw new Error('The piece was not counted');
  return counts;
}

/** What other records call a record: its key, and the values of fields that references name, such as that of a domain. */
function namesOf(kind: Kind, { key, cells }: MovedRecord): readonly string[] {
  const values = kind.unique.flatMap(({ fields: [name = '', ...others] }) => (others.length > 0 ? [] : [cells[name]]));
  return [
    ...(key === undefined ? [] : [`#${key}`]),
    ...values.flatMap((value) => (value ? [`${kind.name} ${value}`] : [])),
  ];
}

/** Returns the place of an earlier record with the same natural key; undefined if there is none, and for an incomplete key. */
function firstOf(kind: Kind, { place, cells }: MovedRecord, places: Map<string, string>): string | undefined {
  for (const { fields } of kind.unique) {
    const values = fields.map((name) => cells[name] ?? '');
    if (values.every((value) => value === '')) continue;
    const text = JSON.stringify(values);
    const earlier = places.get(text);
    if (earlier !== undefined) return earlier;
    places.set(text, place);
  }
  return undefined;
}
