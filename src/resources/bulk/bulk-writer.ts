import type { Actor } from '../../changes/actor';
import { noteChange, storeNoted } from '../../changes/outbox';
import { pad, places, type OwnTransaction, type SqlValue } from '../../database/sql';
import type { Issue } from '../../errors';
import type { Kind } from '../../model/kind';
import { columnsOf } from '../read/row';
import { creationOf } from '../write/entry-details';
import type { Values } from '../write/input';
import { newRef } from '../write/new-ref';
import { resolveAll } from '../write/references';

type Columns = Readonly<Record<string, SqlValue>>;

/** The result of writing one set of values. */
export type BulkOutcome =
  | { readonly type: 'created'; readonly ref: string }
  /** The target of a reference does not exist. */
  | { readonly type: 'unresolved'; readonly issues: readonly Issue[] }
  /** An earlier entry of this writer has the same natural key. */
  | { readonly type: 'repeated' }
  /** A stored resource has the same natural key. `differs` lists the given fields whose stored values are different. */
  | { readonly type: 'exists'; readonly ref: string; readonly differs: readonly string[] };

/** A resource to insert. */
interface Fresh {
  readonly index: number;
  readonly values: Values;
  readonly columns: Columns;
}

interface Stored {
  readonly ref: string;
  readonly isOurs: boolean;
  readonly columns: Columns;
}

/**
 * Creates many resources of a kind in one transaction. The number of statements of a `write` does not depend on the
 * number of entries. Supports only kinds with one natural key and no lists of references.
 */
export class BulkWriter {
  private readonly key: readonly string[];
  /** The highest row id before the first write. Rows with higher ids were written by this writer. */
  private last: number | undefined;

  constructor(
    private readonly transaction: OwnTransaction,
    private readonly kind: Kind,
    private readonly actor: Actor,
  ) {
    const [key, ...others] = kind.unique;
    if (!key || others.length > 0 || kind.references.some(({ refersTo }) => refersTo.through))
      throw new Error(`${kind.name} cannot be written in bulk`);
    this.key = key.columns;
  }

  /** Creates the resources that can be created. Returns the result of each, in the order of the values. */
  async write(entries: readonly Values[]): Promise<readonly BulkOutcome[]> {
    const resolved = await resolveAll(this.transaction, this.kind, entries);
    const all = entries.map((values, index) => columnsOf(this.kind, values, resolved[index]?.ids ?? new Map()));
    const stored = await this.storedLike(all);
    const written = new Set<string>();
    const fresh: Fresh[] = [];
    const outcomes = entries.map((values, index): BulkOutcome => {
      const columns = all[index] ?? {};
      const issues = resolved[index]?.issues ?? [];
      if (issues.length > 0) return { type: 'unresolved', issues };
      const key = this.keyOf(columns);
      const known = stored.get(key);
      if (written.has(key) || known?.isOurs) return { type: 'repeated' };
      if (known) {
        const { ref } = known;
        return { type: 'exists', ref, differs: this.differences(values, columns, known.columns) };
      }
      written.add(key);
      fresh.push({ index, values, columns });
      return { type: 'created', ref: '' };
    });
    const refs = await this.insert(fresh);
    for (const [position, { index }] of fresh.entries())
      outcomes[index] = { type: 'created', ref: refs[position] ?? '' };
    return outcomes;
  }

  private keyOf(columns: Columns): string {
    return JSON.stringify(this.key.map((column) => columns[column]));
  }

  private differences(values: Values, given: Columns, stored: Columns): readonly string[] {
    const { fields } = this.kind;
    return fields
      .filter(({ name, column }) => values.has(name) && String(given[column]) !== String(stored[column]))
      .map(({ name }) => name);
  }

  /** Returns the stored rows that have the natural key of one of these values, by key. */
  private async storedLike(all: readonly Columns[]): Promise<ReadonlyMap<string, Stored>> {
    const { fields, table } = this.kind;
    if (this.last === undefined) {
      const [row] = await this.transaction.rows(`SELECT MAX(id) FROM ${table}`, []);
      this.last = Number(row?.[0] ?? 0);
    }
    const last = this.last;
    const columns = fields.map(({ column }) => column);
    const keys = pad(
      all.map((each) => this.keyOf(each)),
      this.keyOf({}),
    ).map((key) => JSON.parse(key) as SqlValue[]);
    const key = `(${this.key.join(', ')})`;
    const rows = await this.transaction.rows(
      `SELECT id, ref, ${columns.join(', ')} FROM ${table}
       WHERE ${key} IN (${keys.map(() => `(${places(this.key.length)})`).join(', ')})${this.ofKind()}`,
      [...keys.flat(), ...this.discriminator()],
    );
    return new Map(
      rows.map(([id, ref, ...row]) => {
        const stored = Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));
        return [this.keyOf(stored), { ref: String(ref), isOurs: Number(id) > last, columns: stored }];
      }),
    );
  }

  /** Returns the refs of the new rows. */
  private async insert(rows: readonly Fresh[]): Promise<readonly string[]> {
    if (rows.length === 0) return [];
    const { kind, actor } = this;
    const { name, shared, table } = kind;
    const now = Date.now();
    const refs = await this.newRefs(rows.length);
    const all = rows.map(({ columns }, index): Columns => {
      const ref = refs[index] ?? '';
      return { ref, created_on: now, modified_on: now, ...(shared && { kind: name }), ...columns };
    });
    const columns = Object.keys(all[0] ?? {});
    const each = `(${places(columns.length)})`;
    await this.transaction.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${all.map(() => each).join(', ')}`,
      all.flatMap((row) => Object.values(row)),
    );
    for (const [index, { values }] of rows.entries()) {
      const ref = refs[index] ?? '';
      const details = creationOf(kind, { ref, values, createdOn: now, modifiedOn: now, extra: null });
      noteChange(this.transaction, { kind: name, ref, event: 'CREATED', actor, details });
    }
    await storeNoted(this.transaction);
    return refs;
  }

  /** Generates refs that are not in use: among a hundred thousand random refs of 32 bits, two can be equal. */
  private async newRefs(count: number): Promise<readonly string[]> {
    const refs = new Set<string>();
    while (refs.size < count) {
      while (refs.size < count) refs.add(newRef(this.kind));
      const keys = pad([...refs], '');
      const taken = await this.transaction.rows(
        `SELECT ref FROM ${this.kind.table} WHERE ref IN (${places(keys.length)})${this.ofKind()}`,
        [...keys, ...this.discriminator()],
      );
      for (const [ref] of taken) refs.delete(String(ref));
    }
    return [...refs];
  }

  private ofKind(): string {
    return this.kind.shared ? ' AND kind = ?' : '';
  }

  private discriminator(): readonly string[] {
    return this.kind.shared ? [this.kind.name] : [];
  }
}
