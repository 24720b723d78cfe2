import { randomBytes } from 'node:crypto';

import { failureOf } from '../../database/errors';
import { ConflictError, quote } from '../../errors';
import { withArticle, type Kind } from '../../model/kind';
import type { OwnTransaction } from '../../database/sql';
import { columnsOf } from '../read/row';
import { issue } from './input';
import type { Written } from './written';

/** A generated ref is in use by chance. Another attempt generates another one. */
export class RefTakenError extends ConflictError {}

/**
 * Converts the database's duplicate-key error to a ConflictError that lists the fields and values in conflict. Returns
 * any other error unchanged.
 */
export function conflictOf(
  error: unknown,
  kind: Kind,
  { ref, values, hasNewRef }: Pick<Written, 'ref' | 'values'> & { readonly hasNewRef?: boolean },
): unknown {
  const failure = failureOf(error);
  if (failure.type !== 'duplicate') return error;
  if (names(failure.constraint, kind.table, withinKind(kind, ['ref']))) {
    const message = `${quote(ref)} exists already`;
    const Conflict = hasNewRef ? RefTakenError : ConflictError;
    return new Conflict(`${kind.name} ${message}`, [{ field: 'ref', path: 'metadata.ref', message }]);
  }
  const tables = [kind.table, ...kind.references.flatMap(({ refersTo }) => refersTo.through?.table ?? [])];
  const rule = kind.unique.find(({ columns }) =>
    tables.some((table) => names(failure.constraint, table, withinKind(kind, columns))),
  );
  if (!rule) return error;
  const fields = kind.fields.filter((field) => rule.fields.includes(field.name) && values.has(field.name));
  const said = fields.map((field) => `${field.name} ${quote(values.get(field.name))}`).join(', ');
  return new ConflictError(
    `${withArticle(kind.name).replace('a', 'A')} with ${said} exists already`,
    fields.map((field) => issue(field, `${quote(values.get(field.name))} is taken`)),
  );
}

/**
 * Whether a violated constraint is the unique index of these columns. MySQL reports the name of the index, SQLite its
 * columns.
 */
function names(constraint: string, table: string, columns: readonly string[]): boolean {
  const index = `${table}_${columns.filter((column) => column !== 'kind').join('_')}`;
  const sqlite = columns.map((column) => `${table}.${column}`).join(', ');
  return constraint === index || constraint === `${table}.${index}` || constraint === sqlite;
}

function withinKind(kind: Kind, columns: readonly string[]): readonly string[] {
  return kind.shared ? ['kind', ...columns] : columns;
}

/**
 * What is stored in place of a unique text that another resource has, until the transaction writes the text itself. No
 * tel URI or host begins with `~`. A resource that is not created yet has no row id.
 */
export function parkedText(rowId?: number): string {
  return `~${rowId === undefined ? `n${randomBytes(6).toString('hex')}` : String(rowId)}`;
}

/** The text in each unique index of a kind that tells its resources apart. */
export function parkedColumns(kind: Kind): readonly string[] {
  return kind.unique.flatMap(({ columns }) => columns.at(-1) ?? []);
}

/** Writes the unique texts of a resource in whose place others are stored. Throws ConflictError if others have them. */
export async function writeKeys(
  transaction: OwnTransaction,
  kind: Kind,
  rowId: number,
  after: Pick<Written, 'ref' | 'values'>,
): Promise<void> {
  const columns = columnsOf(kind, after.values, new Map());
  try {
    for (const column of parkedColumns(kind)) {
      const value = columns[column] ?? null;
      await transaction.run(`UPDATE ${kind.table} SET ${column} = ? WHERE id = ?`, [value, rowId]);
      for (const { through } of kind.references.map(({ refersTo }) => refersTo))
        if (through?.repeats === column)
          await transaction.run(`UPDATE ${through.table} SET ${column} = ? WHERE ${through.owner} = ?`, [value, rowId]);
    }
  } catch (error) {
    throw conflictOf(error, kind, after);
  }
}

/** Whether a stored tel URI or host is in place of another one. */
export function isParkedText(text: string): boolean {
  return text.startsWith('~');
}
